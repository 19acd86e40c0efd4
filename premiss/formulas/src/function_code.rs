//! The quantities of a function as formulas that generated code can evaluate: in all sizes of the function, exact or
//! between two bounds, with the sizes for which they hold.

mod least_time;
mod quantity;
mod reuse;

pub use quantity::{
    CodeQuantity, CodeValue, Combination, FunctionCode, MOST_CLASSES, QuantityTerm,
    ResidueClassForm, ResidueClasses,
};

use crate::residue_classes::SymbolicOptions;
use crate::work::{WORK, bounds, derived};
use least_time::Timed;
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_machine::Machine;
use premiss_operations::Scope;
use premiss_tree::{NestTree, ParameterId};
use quantity::{of_bounds, quantity};
use reuse::Reuse;
use std::collections::BTreeSet;

/// Derives all quantities of a function: operations, loads and stores; cold misses; misses and bytes of each of
/// `levels`, as if it were fully associative; and the least time of each resource, in picoseconds, on the machine
/// `on.0` with the hierarchy `on.1`. A quantity that cannot be derived has the reason in place of its value.
#[must_use]
pub fn function_code(
    tree: &NestTree,
    levels: &[(String, CacheGeometry)],
    classes: &ResidueClasses,
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
    let is_counted = quantities.iter().all(|x| x.value.is_ok());
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
        is_counted,
        left_out: reuse.left_out,
    }
}

/// The misses of a level and the bytes that they bring in.
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

/// The sizes in all forms.
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
