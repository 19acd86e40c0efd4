//! Whether misses grow, for all sizes at once.
//!
//! The closed forms of a program before and after are functions of the same sizes. Their difference is put together
//! piece by piece; where it is positive nowhere, misses grow for no size, and where it is positive at some size, that
//! size is a witness. Of one size the sign of the difference is found exactly; of several, a piece whose coefficients
//! are all at most 0 is, and other pieces are left open. Levels count as fully associative.

mod difference;

use crate::closed::Effort;
use crate::formula::{Formula, Formulas};
use crate::symbolic::{Factors, SymbolicOptions, factors, symbolic_form};
use difference::{Difference, growth};
use premiss_arithmetic::lcm;
use premiss_distance::{ReferenceHistogram, SymbolicHistogram};
use premiss_presburger::{Rational, Refusal};
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::{BTreeMap, BTreeSet};

/// Sizes fall into at most so many residue classes, or nothing is proved.
const MOST_CLASSES: i64 = 64;
/// Of the effort that a derivation may take, each of these many may take this part.
const PART_OF_EFFORT: u64 = 8;

/// References of a function.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The function.
    pub tree: &'a NestTree,
    /// The references.
    pub references: &'a [ReferenceId],
}

/// A fully associative cache of so many lines, and what is too much in it: whether that many misses after that many
/// before are more than is allowed.
pub struct Capacity<'a> {
    /// How many lines it holds.
    pub lines: u64,
    /// How many times the misses before may become of them at least; 1 where they may not grow.
    pub times: Rational,
    /// Whether misses before and after are too far apart.
    pub exceeds: &'a dyn Fn(u64, u64) -> bool,
}

/// What becomes of misses over all sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Growth {
    /// They grow beyond what is allowed for no size.
    Never,
    /// They grow beyond what is allowed at these sizes.
    At(Witness),
    /// Neither is known.
    Open,
}

/// Sizes, and the misses that there are then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The sizes by name.
    pub sizes: Vec<(String, i64)>,
    /// The misses of each reference before.
    pub before: Vec<(ReferenceId, u64)>,
    /// The misses of each reference after.
    pub after: Vec<(ReferenceId, u64)>,
}

/// A size without a value: as it is called before and after.
type Size = (Option<ParameterId>, Option<ParameterId>);

/// Compares the misses of references in caches before and after, for all values of sizes without one; `sizes` says
/// which sizes before are which after.
#[must_use]
pub fn growth_for_all_sizes(
    (before, after): (Part<'_>, Part<'_>),
    sizes: &[(ParameterId, ParameterId)],
    capacities: &[Capacity<'_>],
    options: SymbolicOptions<'_>,
) -> Vec<Growth> {
    let open = || vec![Growth::Open; capacities.len()];
    let options = SymbolicOptions {
        effort: Effort {
            steps: options.effort.steps / PART_OF_EFFORT,
        },
        ..options
    };
    let (Ok(old), Ok(new)) = (factors(before.tree, options), factors(after.tree, options)) else {
        return open();
    };
    let Some(sizes) = all_sizes((before, after), sizes) else {
        return open();
    };
    let common: Vec<i64> = sizes
        .iter()
        .map(|size| common_factor(*size, &old, &new))
        .collect();
    let common = finer((before, after), (&sizes, common), capacities, options);
    let n_classes = common
        .iter()
        .fold(1_i64, |n, factor| n.saturating_mul(*factor));
    let (classes, unless_found) = match n_classes <= MOST_CLASSES {
        true => (n_classes, Growth::Never),
        false => (1, Growth::Open),
    };
    let mut answers = vec![unless_found; capacities.len()];
    for class in 0..classes {
        let asked = Class {
            sizes: &sizes,
            factors: &common,
            residues: &residues(class, &common),
        };
        let Ok(found) = asked.growths((before, after), capacities, options) else {
            // What one class does not tell the others need not be asked for.
            answers
                .iter_mut()
                .filter(|x| **x == Growth::Never)
                .for_each(|x| *x = Growth::Open);
            break;
        };
        for (answer, found) in answers.iter_mut().zip(found) {
            match (&answer, found) {
                (Growth::At(_), _) | (_, Growth::Never) => {}
                (_, found) => *answer = found,
            }
        }
    }
    answers
}

/// Factors for which formulas have no floors of sizes, where that does not make too many classes: in a class of sizes,
/// how many lines an array has is a polynomial.
fn finer(
    parts: (Part<'_>, Part<'_>),
    (sizes, factors): (&[Size], Vec<i64>),
    capacities: &[Capacity<'_>],
    options: SymbolicOptions<'_>,
) -> Vec<i64> {
    let class = Class {
        sizes,
        factors: &factors,
        residues: &vec![0; factors.len()],
    };
    let mut finer = factors.clone();
    for (size, denominator) in class
        .denominators(parts, capacities, options)
        .unwrap_or_default()
    {
        // What is divided is a multiple of the factor already.
        let whole = factors[size].saturating_mul(denominator);
        finer[size] = lcm(finer[size], whole).unwrap_or(i64::MAX);
    }
    let n_classes = finer
        .iter()
        .fold(1_i64, |n, factor| n.saturating_mul(*factor));
    if n_classes <= MOST_CLASSES {
        finer
    } else {
        factors
    }
}

/// The sizes without a value of both.
fn all_sizes(
    (before, after): (Part<'_>, Part<'_>),
    known: &[(ParameterId, ParameterId)],
) -> Option<Vec<Size>> {
    let open = |tree: &NestTree| -> BTreeSet<ParameterId> {
        let used = tree.used_parameters().into_iter();
        used.filter(|id| {
            tree.parameters
                .get(*id)
                .is_some_and(|size| size.value.is_none())
        })
        .collect()
    };
    let (mut old, mut new) = (open(before.tree), open(after.tree));
    let mut all: Vec<Size> = Vec::new();
    for (was, is) in known {
        if old.remove(was) && new.remove(is) {
            all.push((Some(*was), Some(*is)));
        }
    }
    // What one side alone has may be what the other side calls otherwise: that would have to be known.
    (old.is_empty() || new.is_empty()).then_some(())?;
    all.extend(old.into_iter().map(|id| (Some(id), None)));
    all.extend(new.into_iter().map(|id| (None, Some(id))));
    Some(all)
}

fn common_factor((was, is): Size, old: &Factors, new: &Factors) -> i64 {
    let of = |id: Option<ParameterId>, factors: &Factors| {
        id.and_then(|id| factors.get(&id).copied())
            .unwrap_or(1)
            .max(1)
    };
    let (a, b) = (of(was, old), of(is, new));
    lcm(a, b).unwrap_or(i64::MAX)
}

/// The remainders of the class of a number.
fn residues(mut class: i64, factors: &[i64]) -> Vec<i64> {
    let of_one = |factor: &i64| {
        let residue = class % factor;
        class /= factor;
        residue
    };
    factors.iter().map(of_one).collect()
}

/// Sizes that are `factor * x + residue`.
struct Class<'a> {
    sizes: &'a [Size],
    factors: &'a [i64],
    residues: &'a [i64],
}

impl Class<'_> {
    fn growths(
        &self,
        (before, after): (Part<'_>, Part<'_>),
        capacities: &[Capacity<'_>],
        options: SymbolicOptions<'_>,
    ) -> Result<Vec<Growth>, Refusal> {
        let old = self.form(before.tree, |size| size.0, options)?;
        let new = self.form(after.tree, |size| size.1, options)?;
        let sides = [
            self.side(before, &old, |size| size.0),
            self.side(after, &new, |size| size.1),
        ];
        let steps = options.effort.steps;
        let of_one = |capacity| self.growth(&sides, capacity, steps).unwrap_or(Growth::Open);
        Ok(capacities.iter().map(of_one).collect())
    }

    /// By which numbers formulas divide which sizes.
    fn denominators(
        &self,
        (before, after): (Part<'_>, Part<'_>),
        capacities: &[Capacity<'_>],
        options: SymbolicOptions<'_>,
    ) -> Result<BTreeSet<(usize, i64)>, Refusal> {
        let mut found = BTreeSet::new();
        let ids: [fn(&Size) -> Option<ParameterId>; 2] = [|size| size.0, |size| size.1];
        for (part, id) in [before, after].into_iter().zip(ids) {
            let form = self.form(part.tree, id, options)?;
            let side = self.side(part, &form, id);
            for capacity in capacities {
                let Ok(misses) = side.misses(part.references, capacity.lines, options.effort.steps)
                else {
                    continue;
                };
                for floor in misses.cases.iter().flat_map(|case| &case.domain.floors) {
                    let of_sizes = floor
                        .numerator
                        .support()
                        .filter(|x| (1..=side.columns.len()).contains(x));
                    let places =
                        of_sizes.filter_map(|column| side.columns[column - 1].checked_sub(1));
                    found.extend(places.map(|place| (place, floor.denominator)));
                }
            }
        }
        Ok(found)
    }

    fn side<'a>(
        &self,
        part: Part<'a>,
        form: &'a SymbolicHistogram,
        id: fn(&Size) -> Option<ParameterId>,
    ) -> Side<'a> {
        let place = |wanted| self.sizes.iter().position(|size| id(size) == Some(wanted));
        let of_one = |size: &premiss_scop::SymbolicParameter| place(size.id).map_or(0, |x| x + 1);
        Side {
            part,
            form,
            columns: form.parameters.iter().map(of_one).collect(),
        }
    }

    fn growth(
        &self,
        [old, new]: &[Side<'_>; 2],
        capacity: &Capacity<'_>,
        steps: u64,
    ) -> Result<Growth, Refusal> {
        let mut difference = Difference::new(self.sizes.len());
        let allowed = capacity.times.times(Rational::new(-1, 1)?)?;
        for (side, times) in [(old, allowed), (new, Rational::new(1, 1)?)] {
            let misses = side.misses(side.part.references, capacity.lines, steps)?;
            difference.take_context(&side.form.context, &side.columns)?;
            difference.add(&misses, &side.columns, times)?;
        }
        let witness = |point: &[i128]| -> Result<Option<Witness>, Refusal> {
            let (before, after) = (
                old.at(point, capacity.lines, steps)?,
                new.at(point, capacity.lines, steps)?,
            );
            let total = |all: &[(ReferenceId, u64)]| all.iter().map(|x| x.1).sum::<u64>();
            let sizes = self.named(point, (old.part.tree, new.part.tree));
            Ok(
                (capacity.exceeds)(total(&before), total(&after)).then_some(Witness {
                    sizes,
                    before,
                    after,
                }),
            )
        };
        growth(&difference, &self.samples(), &witness)
    }

    /// The derived histogram of a function for this class.
    fn form(
        &self,
        tree: &NestTree,
        id: fn(&Size) -> Option<ParameterId>,
        options: SymbolicOptions<'_>,
    ) -> Result<SymbolicHistogram, Refusal> {
        let (mut factors, mut residues) = (Factors::new(), BTreeMap::new());
        for ((size, factor), residue) in self.sizes.iter().zip(self.factors).zip(self.residues) {
            if let Some(id) = id(size) {
                factors.insert(id, *factor);
                residues.insert(id, *residue);
            }
        }
        let form = symbolic_form(tree, &factors, &residues, options);
        form.map(|form| form.histogram)
            .map_err(|_| Refusal::NotAffine)
    }

    /// Columns at which sizes are near numbers that programs have.
    fn samples(&self) -> Vec<Vec<i128>> {
        let near = |size: i64| {
            let column =
                |(factor, residue): (&i64, &i64)| i128::from(((size - residue) / factor).max(1));
            self.factors.iter().zip(self.residues).map(column).collect()
        };
        [8, 16, 32, 64, 100, 200, 500, 1000, 1024, 2000, 4096, 10_000]
            .map(near)
            .to_vec()
    }

    fn named(&self, point: &[i128], (before, after): (&NestTree, &NestTree)) -> Vec<(String, i64)> {
        let of_one = |(idx, (was, is)): (usize, &Size)| {
            let name = match (was, is) {
                (_, Some(id)) => after.size_name(*id),
                (Some(id), None) => before.size_name(*id),
                (None, None) => "",
            };
            let value = i128::from(self.factors[idx]) * point[idx] + i128::from(self.residues[idx]);
            (name.to_owned(), i64::try_from(value).unwrap_or(i64::MAX))
        };
        self.sizes.iter().enumerate().map(of_one).collect()
    }
}

/// One of the two programs: its closed form, and which column each of its sizes has among all.
struct Side<'a> {
    part: Part<'a>,
    form: &'a SymbolicHistogram,
    columns: Vec<usize>,
}

impl Side<'_> {
    fn misses(
        &self,
        references: &[ReferenceId],
        lines: u64,
        steps: u64,
    ) -> Result<Formula, Refusal> {
        Formulas::new(self.form, steps).misses(&of(self.form, references), lines)
    }

    /// The misses of each reference at a point.
    fn at(
        &self,
        point: &[i128],
        lines: u64,
        steps: u64,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let own: Vec<i128> = self
            .columns
            .iter()
            .map(|column| column.checked_sub(1).map_or(0, |x| point[x]))
            .collect();
        let of_one = |id: &ReferenceId| {
            let misses = self.misses(&[*id], lines, steps)?.at(&own)?;
            let misses = misses.to_integer().ok_or(Refusal::Overflow)?;
            Ok((*id, u64::try_from(misses).map_err(|_| Refusal::Overflow)?))
        };
        self.part.references.iter().map(of_one).collect()
    }
}

/// The histograms of references.
fn of<'a>(form: &'a SymbolicHistogram, references: &[ReferenceId]) -> Vec<&'a ReferenceHistogram> {
    let all = form.references.iter();
    all.filter(|part| references.contains(&part.reference))
        .collect()
}
