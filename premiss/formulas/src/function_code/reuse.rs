//! The closed forms of cold misses and misses, for all residue classes that are wanted.

use super::quantity::{MOST_CLASSES, ResidueClassForm, ResidueClasses};
use crate::capacity_sum::{cold_form, misses_form};
use crate::refusal::NoClosedForm;
use crate::residue_classes::{ResidueFactors, SymbolicOptions, factors, symbolic_form};
use premiss_parallel as parallel;
use premiss_presburger::Refusal;
use premiss_tree::{NestTree, ParameterId};
use std::collections::BTreeMap;

/// The closed forms of reuse, by residue class.
pub(super) struct Reuse {
    pub(super) cold: Result<Vec<ResidueClassForm>, String>,
    pub(super) misses: Result<Vec<ResidueClassForm>, String>,
    pub(super) left_out: Vec<String>,
}

/// The forms of one class.
struct OfClass {
    cold: Result<ResidueClassForm, Refusal>,
    misses: Result<ResidueClassForm, Refusal>,
}

impl Reuse {
    pub(super) fn derive(
        tree: &NestTree,
        classes: &ResidueClasses,
        options: SymbolicOptions<'_>,
    ) -> Self {
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
            let mut keep = |what: &str, forms: &mut Vec<ResidueClassForm>, found| match found {
                Ok(form) => forms.push(form),
                Err(why) => {
                    left_out.push(format!("{what} for {}: {why}", class_name(tree, residues)));
                    first.get_or_insert(why);
                }
            };
            keep("cold", &mut cold, of_cold);
            keep("misses", &mut misses, of_misses);
        }
        let none = first.unwrap_or_default();
        let some = |forms: Vec<ResidueClassForm>| match forms.is_empty() {
            true => Err(none.clone()),
            false => Ok(forms),
        };
        let (cold, misses) = (some(cold), some(misses));
        // A refusal that applies to all classes is reported with the quantity.
        let is_repeated = |line: &String| {
            (cold.is_err() && line.starts_with("cold for"))
                || (misses.is_err() && line.starts_with("misses for"))
        };
        left_out.retain(|line| !is_repeated(line));
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

/// The factors, the classes to derive, and notes on those that are left out.
fn chosen(
    tree: &NestTree,
    classes: &ResidueClasses,
    options: SymbolicOptions<'_>,
) -> Result<(ResidueFactors, Vec<Residues>, Vec<String>), String> {
    let mut factors = factors(tree, options).map_err(|why| why.message(tree))?;
    let number = factors.values().try_fold(1_u64, |product, factor| {
        product.checked_mul(factor.unsigned_abs())
    });
    let number = number.unwrap_or(u64::MAX);
    Ok(match classes {
        ResidueClasses::All if number <= MOST_CLASSES => {
            let all = every(&factors);
            (factors, all, Vec::new())
        }
        ResidueClasses::All => {
            let note = format!(
                "all residue classes but that of remainders 0: there are {number}, more than {MOST_CLASSES}"
            );
            (factors, vec![Residues::new()], vec![note])
        }
        ResidueClasses::Single(residues) => {
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

/// All combinations of remainders.
fn every(factors: &ResidueFactors) -> Vec<Residues> {
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
    (factors, residues): (&ResidueFactors, &Residues),
    options: SymbolicOptions<'_>,
) -> Result<OfClass, NoClosedForm> {
    let histogram = symbolic_form(tree, factors, residues, options)?.histogram;
    let class = |form| ResidueClassForm {
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
fn class_name(tree: &NestTree, residues: &Residues) -> String {
    let one = |(id, residue): (&ParameterId, &i64)| {
        format!("{} with remainder {residue}", tree.parameters[*id].name)
    };
    match residues.is_empty() {
        true => "sizes with remainder 0".to_owned(),
        false => residues.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}
