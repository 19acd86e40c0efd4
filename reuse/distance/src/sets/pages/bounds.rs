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
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What making a part costs, and adding up its accesses if it is left open.
const STEPS_PER_PART: u64 = 64;

/// Iterations of one reference that are not decided yet.
struct OpenPart<'a> {
    /// The index of its reference.
    reference: usize,
    query: PageQuery<'a>,
    part: ConflictBox,
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
            parts: Vec::new(),
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
        if bound == DistanceBound::Upper {
            search.add_open()?;
        }
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
    /// All parts so far; nothing where one is decided or split.
    parts: Vec<Option<OpenPart<'a>>>,
    /// The weights of those that are open, and their indices: of two of the same weight, the earlier one comes first.
    open: BinaryHeap<(i128, Reverse<usize>)>,
}

impl<'a> BoundSearch<'a> {
    fn push(
        &mut self,
        reference: usize,
        query: PageQuery<'a>,
        part: &ConflictBox,
    ) -> Result<(), Refusal> {
        self.open.push((weight(part)?, Reverse(self.parts.len())));
        self.parts.push(Some(OpenPart {
            reference,
            query,
            part: part.clone(),
        }));
        Ok(())
    }

    /// Decides parts or splits them, as long as there are steps.
    fn split(&mut self, budget: &mut Budget) -> Result<(), Refusal> {
        while let Some((_, Reverse(idx))) = self.open.pop() {
            let Some(open) = self.parts[idx].take() else {
                continue;
            };
            let step = budget.spend(STEPS_PER_PART);
            match step.and_then(|()| open.query.step(&open.part, budget)) {
                Err(Refusal::Budget) => {
                    self.parts[idx] = Some(open);
                    return Ok(());
                }
                step => self.take(open, step?)?,
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

    /// Adds all accesses that are left open.
    fn add_open(&mut self) -> Result<(), Refusal> {
        for open in std::mem::take(&mut self.parts).into_iter().flatten() {
            let scaled = all(open.query, &open.part)?;
            self.add(open.reference, scaled, &open.part)?;
        }
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
