//! What is known of a function as formulas that a program can evaluate: one for each quantity, in all
//! sizes of the function, exact or between two bounds, with where it holds.

use crate::capacity::{CountForm, cold_form, misses_form};
use crate::closed::NoForm;
use crate::symbolic::{Factors, SymbolicOptions, factors, symbolic_form};
use premiss_operations::{Form, NoPlaces, Places, Quantity, Scope};
use premiss_parallel as parallel;
use premiss_presburger::{Refusal, System};
use premiss_scop::SymbolicParameter;
use premiss_trace::CacheGeometry;
use premiss_tree::{AccessKind, NestTree, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

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

/// Derives all formulas of a function, with the misses of these levels.
#[must_use]
pub fn function_code(
    tree: &NestTree,
    levels: &[(String, CacheGeometry)],
    classes: &Classes,
    options: SymbolicOptions<'_>,
) -> FunctionCode {
    let mut quantities = work(tree, options.effort.steps);
    let reuse = Reuse::derive(tree, classes, options);
    let [cold, misses] = [reuse.cold, reuse.misses];
    quantities.push(CodeQuantity {
        name: "cold".to_owned(),
        meaning: "first accesses to a line: misses of a cache of any capacity".to_owned(),
        value: cold.map(CodeValue::Exact),
    });
    let of_levels = misses.as_ref().err().cloned();
    quantities.push(CodeQuantity {
        name: "misses".to_owned(),
        meaning: "misses of a fully associative LRU cache of `capacity` lines".to_owned(),
        value: misses.map(CodeValue::OfCapacity),
    });
    let quantity = quantities.len() - 1;
    for (name, geometry) in levels {
        let lines = geometry.lines();
        let line_size = options.line_size;
        let of = |times: u64| match &of_levels {
            Some(why) => Err(why.clone()),
            None => Ok(CodeValue::AtCapacity {
                quantity,
                lines,
                times,
            }),
        };
        quantities.push(CodeQuantity {
            name: format!("misses_{name}"),
            meaning: format!("misses of {name}: {lines} lines, as if fully associative"),
            value: of(1),
        });
        quantities.push(CodeQuantity {
            name: format!("bytes_{name}"),
            meaning: format!("bytes brought into {name}: its misses, {line_size} bytes each"),
            value: of(line_size),
        });
    }
    FunctionCode {
        sizes: sizes(&quantities),
        line_size: options.line_size,
        quantities,
        left_out: reuse.left_out,
    }
}

/// All sizes that some form is in.
fn sizes(quantities: &[CodeQuantity]) -> Vec<ParameterId> {
    let values = quantities.iter().flat_map(|x| &x.value);
    let forms = values.flat_map(|value| match value {
        CodeValue::Exact(forms) | CodeValue::OfCapacity(forms) => vec![forms],
        CodeValue::Between([lower, upper]) => vec![lower, upper],
        CodeValue::AtCapacity { .. } => Vec::new(),
    });
    let sizes = forms.flatten().flat_map(|form| &form.sizes);
    let all: BTreeSet<ParameterId> = sizes.map(|size| size.id).collect();
    all.into_iter().collect()
}

/// What counts of a quantity of work.
type Wanted = fn(&Quantity) -> bool;

/// What counts of all that a function does, by name, with its meaning.
const WORK: [(&str, &str, Wanted); 6] = [
    ("accesses", "array elements read and written", |x| {
        matches!(x, Quantity::Elements(..))
    }),
    ("loads", "array elements read", |x| {
        matches!(x, Quantity::Elements(AccessKind::Load, _))
    }),
    ("stores", "array elements written", |x| {
        matches!(x, Quantity::Elements(AccessKind::Store, _))
    }),
    ("bytes_loaded", "bytes of array elements read", |x| {
        matches!(x, Quantity::Bytes(AccessKind::Load, _))
    }),
    ("bytes_stored", "bytes of array elements written", |x| {
        matches!(x, Quantity::Bytes(AccessKind::Store, _))
    }),
    (
        "flops",
        "operations on real and complex numbers",
        |x| matches!(x, Quantity::Operation(x) if x.operands.is_floating()),
    ),
];

/// How much of what the function does.
fn work(tree: &NestTree, steps: u64) -> Vec<CodeQuantity> {
    let places = Places::derive(tree, &BTreeMap::new(), steps);
    let of_one = |(name, meaning, wanted): &(&str, &str, Wanted)| CodeQuantity {
        name: (*name).to_owned(),
        meaning: (*meaning).to_owned(),
        value: match &places {
            Ok(places) => of_places(tree, places, *wanted),
            Err(NoPlaces::Rejected(reject)) => Err(reject.message(tree)),
            Err(NoPlaces::Refused(refusal)) => Err(refusal.to_string()),
        },
    };
    WORK.iter().map(of_one).collect()
}

fn of_places(tree: &NestTree, places: &Places, wanted: Wanted) -> Result<CodeValue, String> {
    let found = places.form(tree, Scope::Function, wanted);
    let found = found.map_err(|refusal| refusal.to_string())?;
    let Some([lower, upper]) = found else {
        let why = places.refused.first().map(|reject| reject.message(tree));
        return Err(why.unwrap_or_else(|| "it runs nobody knows how often".to_owned()));
    };
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

/// What closed forms of reuse say, class by class.
struct Reuse {
    cold: Result<Vec<ClassForm>, String>,
    misses: Result<Vec<ClassForm>, String>,
    left_out: Vec<String>,
}

/// The forms of one class.
struct OfClass {
    cold: Result<ClassForm, Refusal>,
    misses: Result<ClassForm, Refusal>,
}

impl Reuse {
    fn derive(tree: &NestTree, classes: &Classes, options: SymbolicOptions<'_>) -> Self {
        let (factors, classes, mut left_out) = match chosen(tree, classes, options) {
            Ok(found) => found,
            Err(why) => return Self::none(&why),
        };
        let derived = parallel::map(&classes, |residues| {
            of_class(tree, (&factors, residues), options)
        });
        let [mut cold, mut misses] = [Vec::new(), Vec::new()];
        let mut first = None;
        for (residues, of_class) in classes.iter().zip(derived) {
            let (of_cold, of_misses) = match of_class {
                Ok(found) => (
                    found.cold.map_err(|x| x.to_string()),
                    found.misses.map_err(no_misses),
                ),
                Err(why) => (Err(why.message(tree)), Err(why.message(tree))),
            };
            let mut keep = |what: &str, forms: &mut Vec<ClassForm>, found| match found {
                Ok(form) => forms.push(form),
                Err(why) => {
                    left_out.push(format!("{what} for {}: {why}", named(tree, residues)));
                    first.get_or_insert(why);
                }
            };
            keep("cold", &mut cold, of_cold);
            keep("misses", &mut misses, of_misses);
        }
        let none = first.unwrap_or_default();
        let some = |forms: Vec<ClassForm>| match forms.is_empty() {
            true => Err(none.clone()),
            false => Ok(forms),
        };
        let (cold, misses) = (some(cold), some(misses));
        // What holds for no class at all is said where the quantity is.
        let is_said = |line: &String| {
            (cold.is_err() && line.starts_with("cold for"))
                || (misses.is_err() && line.starts_with("misses for"))
        };
        left_out.retain(|line| !is_said(line));
        Self {
            cold,
            misses,
            left_out,
        }
    }

    fn none(why: &str) -> Self {
        Self {
            cold: Err(why.to_owned()),
            misses: Err(why.to_owned()),
            left_out: Vec::new(),
        }
    }
}

fn no_misses(refusal: Refusal) -> String {
    match refusal {
        Refusal::NotAffine => {
            "which accesses miss depends on loop variables without bounds of their own; `premiss \
             sweep` counts misses at given sizes"
                .to_owned()
        }
        other => other.to_string(),
    }
}

type Residues = BTreeMap<ParameterId, i64>;

/// The factors, the classes that are derived, and what is said of others.
fn chosen(
    tree: &NestTree,
    classes: &Classes,
    options: SymbolicOptions<'_>,
) -> Result<(Factors, Vec<Residues>, Vec<String>), String> {
    let mut factors = factors(tree, options).map_err(|why| why.message(tree))?;
    let number = factors.values().try_fold(1_u64, |product, factor| {
        product.checked_mul(factor.unsigned_abs())
    });
    let number = number.unwrap_or(u64::MAX);
    Ok(match classes {
        Classes::All if number <= MOST_CLASSES => {
            let all = every(&factors);
            (factors, all, Vec::new())
        }
        Classes::All => {
            let note = format!(
                "all residue classes but that of remainders 0: there are {number}, more than {MOST_CLASSES}"
            );
            (factors, vec![Residues::new()], vec![note])
        }
        Classes::One(residues) => {
            for id in residues.keys() {
                let whole_line = i64::try_from(options.line_size / 8).unwrap_or(1).max(1);
                factors.entry(*id).or_insert(whole_line);
            }
            let note = format!(
                "{} residue classes of sizes: --class all has them all, --class NAME=REMAINDER another one",
                number - 1
            );
            let notes = if 1 < number { vec![note] } else { Vec::new() };
            (factors, vec![residues.clone()], notes)
        }
    })
}

/// All remainders that sizes may leave.
fn every(factors: &Factors) -> Vec<Residues> {
    let mut all = vec![Residues::new()];
    for (id, factor) in factors {
        let with = |residues: &Residues| {
            let residues = residues.clone();
            (0..*factor).map(move |residue| {
                let mut next = residues.clone();
                next.insert(*id, residue);
                next
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

fn of_class(
    tree: &NestTree,
    (factors, residues): (&Factors, &Residues),
    options: SymbolicOptions<'_>,
) -> Result<OfClass, NoForm> {
    let histogram = symbolic_form(tree, factors, residues, options)?.histogram;
    let class = |form| ClassForm {
        sizes: histogram.parameters.clone(),
        context: histogram.context.clone(),
        form,
    };
    Ok(OfClass {
        cold: cold_form(&histogram).map(class),
        misses: misses_form(&histogram, options.effort.steps).map(class),
    })
}

/// `N with remainder 3`, and so on.
fn named(tree: &NestTree, residues: &Residues) -> String {
    let one = |(id, residue): (&ParameterId, &i64)| {
        format!("{} with remainder {residue}", tree.parameters[*id].name)
    };
    match residues.is_empty() {
        true => "sizes with remainder 0".to_owned(),
        false => residues.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}
