//! At least and at most how many accesses find their page evicted, within some steps.
//!
//! Iterations that a step does not decide are split, those with most accesses first. What is left open in the end hits for
//! the lower bound, and misses for the upper one.

use super::query::{PageQuery, Pieces, Step};
use super::windows::Windows;
use super::{PageConflicts, STEPS_PER_SUM};
use crate::sets::forms::ConflictBox;
use premiss_arithmetic::add;
use premiss_cache::CacheGeometry;
use premiss_dataflow::DistanceBound;
use premiss_presburger::{Budget, Refusal};
use premiss_tree::ReferenceId;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What making a part costs, and adding up its accesses if it is left open.
const STEPS_PER_PART: u64 = 64;

/// Parts that no step is left for are dropped once there are more than this.
const FEW_PARTS: usize = 1 << 12;

/// Iterations of one reference that are not decided yet; of two of the same weight, the earlier one is the greater.
struct OpenPart<'a> {
    weight: i128,
    /// How many parts there were before.
    number: usize,
    /// The index of its reference.
    reference: usize,
    query: PageQuery<'a>,
    part: ConflictBox,
}

impl OpenPart<'_> {
    fn rank(&self) -> (i128, Reverse<usize>) {
        (self.weight, Reverse(self.number))
    }
}

impl PartialEq for OpenPart<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for OpenPart<'_> {}

impl PartialOrd for OpenPart<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenPart<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PageConflicts {
    /// At least or at most how many accesses to the array miss in an LRU cache or TLB that sees all accesses, as far as so many
    /// steps tell.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where adding up accesses takes too many steps; another refusal where a number does not fit.
    pub fn bound(
        &self,
        geometry: CacheGeometry,
        bound: DistanceBound,
        steps: u64,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let Some(windows) = i64::try_from(geometry.sets)
            .ok()
            .and_then(|sets| Windows::new(self.page, sets))
        else {
            return match bound {
                DistanceBound::Lower => self.cold(),
                DistanceBound::Upper => self.accesses(),
            };
        };
        let mut search = BoundSearch {
            misses: self.references.iter().map(|x| x.cold).collect(),
            bound,
            n_parts: 0,
            open: BinaryHeap::new(),
        };
        for (reference, pages) in self.references.iter().enumerate() {
            for clause in &pages.clauses {
                let query = clause.query(&windows, geometry.ways);
                for part in &clause.parts {
                    search.push(reference, query, &part.part)?;
                }
            }
        }
        search.split(&mut Budget::new(steps))?;
        search.leave_open(0)?;
        let ids = self.references.iter().map(|x| x.reference);
        let counted = ids.zip(search.misses).map(|(reference, misses)| {
            let misses = u64::try_from(misses).map_err(|_| Refusal::Overflow)?;
            Ok((reference, misses))
        });
        counted.collect()
    }
}

/// Bounds under way.
struct BoundSearch<'a> {
    /// The misses of each reference that are certain.
    misses: Vec<i128>,
    bound: DistanceBound,
    /// How many parts there were so far.
    n_parts: usize,
    /// Those that are neither decided nor split.
    open: BinaryHeap<OpenPart<'a>>,
}

impl<'a> BoundSearch<'a> {
    fn push(
        &mut self,
        reference: usize,
        query: PageQuery<'a>,
        part: &ConflictBox,
    ) -> Result<(), Refusal> {
        self.open.push(OpenPart {
            weight: weight(part)?,
            number: self.n_parts,
            reference,
            query,
            part: part.clone(),
        });
        self.n_parts += 1;
        Ok(())
    }

    /// Decides parts or splits them, as long as there are steps.
    fn split(&mut self, budget: &mut Budget) -> Result<(), Refusal> {
        while let Some(open) = self.open.pop() {
            let step = budget.spend(STEPS_PER_PART);
            match step.and_then(|()| open.query.step(&open.part, budget)) {
                Err(Refusal::Budget) => {
                    self.open.push(open);
                    return Ok(());
                }
                step => self.take(open, step?)?,
            }
            let most = usize::try_from(budget.left() / STEPS_PER_PART).unwrap_or(usize::MAX);
            if most.saturating_mul(2).max(FEW_PARTS) < self.open.len() {
                self.leave_open(most)?;
            }
        }
        Ok(())
    }

    /// Goes on as a step tells.
    fn take(&mut self, open: OpenPart<'a>, step: Step) -> Result<(), Refusal> {
        let OpenPart {
            reference,
            query,
            part,
            ..
        } = open;
        match step {
            Step::Hits => Ok(()),
            Step::Misses => self.add(reference, all(query, &part)?, &part),
            Step::Open(Pieces::Counted(misses), _) => self.add(reference, misses, &part),
            Step::Open(pieces, is_by_page) => {
                let query = PageQuery {
                    is_by_page,
                    ..query
                };
                pieces.for_each(&part, |piece| self.push(reference, query, piece))
            }
        }
    }

    /// Adds misses of a part.
    fn add(&mut self, reference: usize, scaled: i128, part: &ConflictBox) -> Result<(), Refusal> {
        let misses = scaled / part.multiplicity.denominator;
        self.misses[reference] = add(self.misses[reference], misses)?;
        Ok(())
    }

    /// Leaves all parts open but so many, those with most accesses.
    fn leave_open(&mut self, most: usize) -> Result<(), Refusal> {
        let mut parts = std::mem::take(&mut self.open).into_vec();
        if 0 < most && most < parts.len() {
            parts.select_nth_unstable_by(most - 1, |a, b| b.cmp(a));
        }
        for open in parts.drain(most.min(parts.len())..) {
            if self.bound == DistanceBound::Upper {
                let scaled = all(open.query, &open.part)?;
                self.add(open.reference, scaled, &open.part)?;
            }
        }
        self.open = parts.into();
        Ok(())
    }
}

/// All accesses of a part, times the denominator of the multiplicity.
fn all(query: PageQuery<'_>, part: &ConflictBox) -> Result<i128, Refusal> {
    let steps = &mut Budget::new(STEPS_PER_SUM);
    query.congruence.sum(part, steps)
}

/// About how many accesses a part has, times the denominator: as many points as there are without its rows, each with the
/// multiplicity in the middle of its bounds.
fn weight(part: &ConflictBox) -> Result<i128, Refusal> {
    let extents = (0..part.axes()).map(|axis| part.extent(axis));
    let points = extents.fold(1_i128, i128::saturating_mul);
    let (least, most) = part.multiplicity.bounds(&part.ranges)?;
    Ok(points.saturating_mul((most.saturating_add(least) / 2).max(1)))
}
