//! What is known of a function as formulas that a program can evaluate: one for each quantity, in all
//! sizes of the function, exact or between two bounds, with where it holds.

mod reuse;
mod time;

use crate::capacity::CountForm;
use crate::symbolic::SymbolicOptions;
use crate::work::{WORK, bounds, derived};
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_machine::Machine;
use premiss_operations::{Form, Places, Scope};
use premiss_presburger::System;
use premiss_scop::SymbolicParameter;
use premiss_tree::{NestTree, ParameterId};
use reuse::Reuse;
use std::collections::{BTreeMap, BTreeSet};
use time::Timed;

/// No more residue classes than this are derived.
pub const MOST_CLASSES: u64 = 4096;

/// The formulas of one function.
#[derive(Debug)]
pub struct FunctionCode {
    /// The sizes, in the order of arguments.
    pub sizes: Vec<ParameterId>,
    /// Bytes in the lines that misses are told of.
    pub line_size: u64,
    /// What is counted.
    pub quantities: Vec<CodeQuantity>,
    /// Residue classes that were left out, and why; lines without a final stop.
    pub left_out: Vec<String>,
}

/// A number that a function of the sizes yields.
#[derive(Debug)]
pub struct CodeQuantity {
    /// A word for it: `accesses`, `misses_L1`.
    pub name: String,
    /// What it counts; a phrase.
    pub meaning: String,
    /// The number; why there is none otherwise.
    pub value: Result<CodeValue, String>,
}

/// How a number is computed.
#[derive(Debug)]
pub enum CodeValue {
    /// By the form of the class that the sizes are in.
    Exact(Vec<ClassForm>),
    /// It lies between two numbers.
    Between([Vec<ClassForm>; 2]),
    /// As for [`Self::Exact`], with one argument more: the lines that a cache holds.
    OfCapacity(Vec<ClassForm>),
    /// Another quantity, one of a capacity, where the cache has so many lines, times a number.
    AtCapacity {
        /// The index of the other quantity.
        quantity: usize,
        /// The lines.
        lines: u64,
        /// What the number is multiplied with.
        times: u64,
    },
    /// From other quantities.
    Combined(Combination),
}

/// `floor(sum / denominator)`, the sum of the greatest number of each list.
#[derive(Debug)]
pub struct Combination {
    /// The lists, of sums of terms.
    pub sum: Vec<Vec<Vec<Term>>>,
    /// Positive.
    pub denominator: i128,
}

/// Another quantity times a factor.
#[derive(Clone, Debug)]
pub struct Term {
    /// The factor.
    pub factor: i128,
    /// The index of the quantity; of one that lies between two numbers the least is meant.
    pub quantity: usize,
    /// The lines of the cache, where it is one of a capacity.
    pub lines: Option<u64>,
}

/// A form and the sizes for which it holds.
#[derive(Debug)]
pub struct ClassForm {
    /// The class of each size of the form: `size = factor·x + residue`, `x` its column.
    pub sizes: Vec<SymbolicParameter>,
    /// Which columns of sizes it holds for, none of which is negative.
    pub context: System,
    /// The number.
    pub form: CountForm,
}

/// Which residue classes of sizes are derived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Classes {
    /// All.
    All,
    /// The one with these remainders, 0 where none is given.
    One(BTreeMap<ParameterId, i64>),
}

/// Derives all formulas of a function: what it does, the misses of these levels, and how long it takes at
/// least on a machine whose caches are such a hierarchy.
#[must_use]
pub fn function_code(
    tree: &NestTree,
    levels: &[(String, CacheGeometry)],
    classes: &Classes,
    on: (&Machine, Hierarchy),
    options: SymbolicOptions<'_>,
) -> FunctionCode {
    let places = derived(tree, options.effort.steps);
    let work = WORK.iter().map(|counted| {
        let value = places.as_ref().map_err(Clone::clone);
        let value = value.and_then(|places| {
            let found = places.form(tree, Scope::Function, counted.is_wanted);
            of_bounds(places, bounds(tree, places, found)?)
        });
        quantity(counted.name, counted.meaning, value)
    });
    let mut quantities: Vec<CodeQuantity> = work.collect();
    let reuse = Reuse::derive(tree, classes, options);
    let cold = quantities.len();
    let meaning = "first accesses to a line: misses of a cache of any capacity";
    quantities.push(quantity("cold", meaning, reuse.cold.map(CodeValue::Exact)));
    let misses = quantities.len();
    let meaning = "misses of a fully associative LRU cache of `capacity` lines";
    let value = reuse.misses.map(CodeValue::OfCapacity);
    quantities.push(quantity("misses", meaning, value));
    let line_size = options.line_size;
    for (name, geometry) in levels {
        quantities.extend(of_level(
            &quantities[misses],
            misses,
            (name, *geometry),
            line_size,
        ));
    }
    let timed = Timed {
        tree,
        places: &places,
        machine: on.0,
        hierarchy: on.1,
        line_size,
        cold,
        misses,
    };
    timed.add_to(&mut quantities);
    FunctionCode {
        sizes: sizes(&quantities),
        line_size,
        quantities,
        left_out: reuse.left_out,
    }
}

fn quantity(name: &str, meaning: &str, value: Result<CodeValue, String>) -> CodeQuantity {
    CodeQuantity {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
        value,
    }
}

/// The misses of a level and their bytes.
fn of_level(
    misses: &CodeQuantity,
    index: usize,
    (name, geometry): (&str, CacheGeometry),
    line_size: u64,
) -> [CodeQuantity; 2] {
    let lines = geometry.lines();
    let of = |times: u64| match &misses.value {
        Err(why) => Err(why.clone()),
        Ok(_) => Ok(CodeValue::AtCapacity {
            quantity: index,
            lines,
            times,
        }),
    };
    let meaning = format!("misses of {name}: {lines} lines, as if fully associative");
    let bytes = format!("bytes brought into {name}: its misses, {line_size} bytes each");
    [
        quantity(&format!("misses_{name}"), &meaning, of(1)),
        quantity(&format!("bytes_{name}"), &bytes, of(line_size)),
    ]
}

/// A number of work, or two that it lies between.
fn of_bounds(places: &Places, [lower, upper]: [Form; 2]) -> Result<CodeValue, String> {
    let of_form = |form: &Form| -> Result<Vec<ClassForm>, String> {
        let form = CountForm::of_pieces(places.parameters.len(), &form.pieces);
        Ok(vec![ClassForm {
            sizes: places.parameters.clone(),
            context: places.context.clone(),
            form: form.map_err(|refusal| refusal.to_string())?,
        }])
    };
    Ok(match lower == upper {
        true => CodeValue::Exact(of_form(&lower)?),
        false => CodeValue::Between([of_form(&lower)?, of_form(&upper)?]),
    })
}

/// All sizes that some form is in.
fn sizes(quantities: &[CodeQuantity]) -> Vec<ParameterId> {
    let values = quantities.iter().flat_map(|x| &x.value);
    let forms = values.flat_map(|value| match value {
        CodeValue::Exact(forms) | CodeValue::OfCapacity(forms) => vec![forms],
        CodeValue::Between([lower, upper]) => vec![lower, upper],
        CodeValue::AtCapacity { .. } | CodeValue::Combined(_) => Vec::new(),
    });
    let sizes = forms.flatten().flat_map(|form| &form.sizes);
    let all: BTreeSet<ParameterId> = sizes.map(|size| size.id).collect();
    all.into_iter().collect()
}
