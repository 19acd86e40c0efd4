//! Lines by set, for all iterations of a box at once.
//!
//! Blocks lie relative to the sink's line, but in memory most of them stay where they are: from one touch of `B[k][j]` to the
//! next one in a product of matrices, all of `B` is touched, whatever `k` and `j` are. So lines are numbered as in memory here.
//! Those that blocks have for some iterations of a box are runs of lines, a row of a triangle each, and so are those that
//! they have for all of these iterations. Adding them up set by set tells between which numbers the lines in the sink's set
//! are: in 16 ways of 114,688 sets, a triangle of 1,000,000 lines evicts nothing.
//!
//! That takes about as many steps as there are runs and sets, so it is for caches of many sets.

mod placed_block;

use super::block::LineBlock;
use super::forms::{ConflictBox, interval};
use super::residues::sum;
use crate::row::AxisRow;
use placed_block::{Placed, PlacedBlock};
use premiss_arithmetic::{add, gcd};
use premiss_presburger::{Budget, Refusal};

/// Boxes are cut in two so often at first, whether any is decided or not.
const FIRST_CUTS: u32 = 5;

/// Each box that is decided allows for so many cuts more.
const CUTS_PER_BOX: u32 = 2;

/// Boxes are cut in two so often at most.
const MOST_CUTS: u32 = 32;

/// For how many sets a step of the budget pays.
const SETS_PER_STEP: i64 = 128;

/// For how many runs a step of the budget pays.
const RUNS_PER_STEP: usize = 16;

/// So many runs for each set are gone through, and [`MANY_RUNS`] at most if that is more than one for each.
const RUNS_PER_SET: usize = 8;

/// So many runs take as long as a cache of some thousand sets.
const MANY_RUNS: usize = 1 << 14;

/// Blocks of lines of which at least `ways` in the set of the sink's line evict it. The last form of a part is the sink's line.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceQuery<'a> {
    pub(super) blocks: &'a [LineBlock],
    pub(super) sets: i64,
    pub(super) ways: u64,
    /// How many forms bound blocks; those behind say where they start.
    pub(super) n_bounds: usize,
}

/// The accesses of a part, as far as they are decided.
#[derive(Debug)]
pub(super) struct DecidedByPlace {
    /// How many of those that are decided miss, times the denominator of the multiplicity.
    pub(super) misses: i128,
    /// Those that are not.
    pub(super) open: Vec<ConflictBox>,
}

/// What the lines in each set tell.
#[derive(Clone, Copy, Debug)]
struct Census {
    /// Whether all accesses of a box miss, or none.
    do_miss: Option<bool>,
    /// How far bounds on the lines in a set are apart on average, where they do not decide.
    gap: u128,
}

/// For how many of the iterations of a box there are lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quantifier {
    /// For one of them at least.
    Any,
    /// For all of them.
    Every,
}

/// Lines from one to another.
type LineSpan = (i64, i64);

impl PlaceQuery<'_> {
    /// Decides most accesses of a part; `None` where this is not the way to do so.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(super) fn decide(
        self,
        part: &ConflictBox,
        budget: &mut Budget,
    ) -> Result<Option<DecidedByPlace>, Refusal> {
        let Some(census) = self.census(part, budget)? else {
            return Ok(None);
        };
        let mut boxes = vec![(part.clone(), census)];
        let (mut cuts_left, mut cuts) = (FIRST_CUTS, 0);
        let mut decided = 0;
        let mut misses = 0;
        let mut open = Vec::new();
        while let Some((part, census)) = boxes.pop() {
            if let Some(do_miss) = census.do_miss {
                let own = sum(&part, budget)?;
                decided = add(decided, own)?;
                misses = add(misses, if do_miss { own } else { 0 })?;
                cuts_left = (cuts_left + CUTS_PER_BOX).min(MOST_CUTS - cuts);
            } else if let Some(left) = cuts_left.checked_sub(1)
                && let Some(halves) = self.halves(&part, budget)?
            {
                cuts += 1;
                cuts_left = left.min(MOST_CUTS - cuts);
                boxes.extend(halves);
            } else {
                open.push(part);
            }
        }
        let mut rest = 0;
        for part in &open {
            rest = add(rest, sum(part, budget)?)?;
        }
        Ok((rest < decided).then_some(DecidedByPlace { misses, open }))
    }

    /// The halves of a box along the axis that brings bounds closest to each other.
    fn halves(
        self,
        part: &ConflictBox,
        budget: &mut Budget,
    ) -> Result<Option<Vec<(ConflictBox, Census)>>, Refusal> {
        let mut best: Option<(u128, Vec<(ConflictBox, Census)>)> = None;
        'axes: for axis in 0..part.axes() {
            let (lo, hi) = part.ranges[axis];
            let middle = lo + (hi - lo) / 2;
            let mut halves = Vec::with_capacity(2);
            for range in [(lo, middle), (middle + 1, hi)] {
                if let Some(half) = part.within(axis, range)? {
                    let Some(census) = self.census(&half, budget)? else {
                        continue 'axes;
                    };
                    halves.push((half, census));
                }
            }
            let gap = halves.iter().map(|x| x.1.gap).sum();
            if best.as_ref().is_none_or(|known| gap < known.0) {
                best = Some((gap, halves));
            }
        }
        Ok(best.map(|x| x.1))
    }

    /// What the lines in each set tell of all accesses of a box; `None` where there are too many runs of lines.
    fn census(self, part: &ConflictBox, budget: &mut Budget) -> Result<Option<Census>, Refusal> {
        let Some(some) = self.runs(part, Quantifier::Any, budget)? else {
            return Ok(None);
        };
        let Some(all) = self.runs(part, Quantifier::Every, budget)? else {
            return Ok(None);
        };
        budget.spend(1 + (self.sets / SETS_PER_STEP).unsigned_abs())?;
        let most = lines_by_set(&some, self.sets);
        let least = lines_by_set(&all, self.sets);
        let sink = &part.distance.0[part.distance.0.len() - 1];
        let reached = SetsReached::new(sink, part, self.sets)?;
        let (mut may_hit, mut may_miss) = (false, false);
        let (mut gap, mut n_sets) = (0_u128, 0_u128);
        for set in reached.sets() {
            let (least, most) = (least[set], most[set]);
            let (hits, misses) = (most < self.ways, self.ways <= least);
            may_hit |= !misses;
            may_miss |= !hits;
            n_sets += 1;
            if !hits && !misses {
                gap += u128::from(most - least);
            }
        }
        let do_miss = match (may_hit, may_miss) {
            (true, true) => None,
            (may_hit, _) => Some(!may_hit),
        };
        Ok(Some(Census {
            do_miss,
            gap: (gap << 20) / n_sets.max(1),
        }))
    }

    /// The lines of all blocks, in order and each of them once; `None` where there are too many runs.
    fn runs(
        self,
        part: &ConflictBox,
        quantifier: Quantifier,
        budget: &mut Budget,
    ) -> Result<Option<Vec<LineSpan>>, Refusal> {
        let mut runs = Vec::new();
        let sets = usize::try_from(self.sets).unwrap_or(0);
        let most = (RUNS_PER_SET * sets).min(MANY_RUNS).max(sets);
        for block in self.blocks {
            let before = runs.len();
            let is_within = match PlacedBlock::place(block, part, self.n_bounds, quantifier)? {
                Placed::Nowhere => true,
                Placed::Unknown => false,
                Placed::At(block) => block.add_runs(&mut runs, most),
            };
            budget.spend(1 + ((runs.len() - before) / RUNS_PER_STEP) as u64)?;
            if !is_within {
                return Ok(None);
            }
        }
        runs.sort_unstable();
        runs.dedup_by(|next, last| {
            let is_beside = next.0 <= last.1 + 1;
            if is_beside {
                last.1 = last.1.max(next.1);
            }
            is_beside
        });
        Ok(Some(runs))
    }
}

/// How many lines of some runs are in each set.
fn lines_by_set(runs: &[LineSpan], sets: i64) -> Vec<u64> {
    let index = |line: i64| usize::try_from(line.rem_euclid(sets)).unwrap_or(0);
    let mut everywhere = 0_u64;
    let mut starts = vec![0_i64; usize::try_from(sets).unwrap_or(0)];
    for (first, last) in runs {
        let length = last - first + 1;
        everywhere += (length / sets).unsigned_abs();
        let (from, to) = (index(*first), index(last + 1));
        if length % sets != 0 {
            starts[from] += 1;
            starts[to] -= 1;
            everywhere += u64::from(to < from);
        }
    }
    let mut lines = everywhere;
    let all = starts.into_iter().map(|change| {
        lines = lines.wrapping_add_signed(change);
        lines
    });
    all.collect()
}

/// The sets that the sink's line may be in.
struct SetsReached {
    first: i64,
    step: i64,
    number: i64,
    sets: i64,
}

impl SetsReached {
    fn new(sink: &AxisRow, part: &ConflictBox, sets: i64) -> Result<Self, Refusal> {
        let (lo, hi) = interval(sink, &part.ranges)?;
        let steps = sink.coefficients[..part.axes()].iter();
        let step = steps.fold(sets, |step, x| gcd(*x, step));
        Ok(Self {
            first: lo,
            step,
            number: ((hi - lo) / step + 1).min(sets / step),
            sets,
        })
    }

    fn sets(&self) -> impl Iterator<Item = usize> {
        let mut at = self.first.rem_euclid(self.sets);
        (0..self.number).map(move |_| {
            let set = usize::try_from(at).unwrap_or(0);
            at += self.step;
            if self.sets <= at {
                at -= self.sets;
            }
            set
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::tests::{Form, affine, elements, points, row};
    use super::super::forms::FormTable;
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sink() -> impl Strategy<Value = Form> {
        let factor = || prop_oneof![Just(0_i64), -3..4_i64, Just(12_i64), Just(-24_i64)];
        (0..60_i64, factor(), factor())
    }

    proptest! {
        #[test]
        fn lines_by_place_decide_what_enumeration_counts(
            sets in 1..90_i64,
            all in vec(elements(), 1..4),
            sink in sink(),
            points in points(),
            ways in 1..6_u64,
        ) {
            let (mut bounds, mut starts) = (FormTable::default(), FormTable::default());
            let blocks = all.iter().map(|x| x.block(&mut bounds, &mut starts));
            let blocks: Vec<LineBlock> = blocks.collect();
            let mut forms: Vec<AxisRow> = bounds.forms().iter().chain(starts.forms()).map(row).collect();
            forms.push(row(&affine(sink)));
            let Some(part) = points.part(forms) else {
                return Ok(());
            };
            let n_bounds = bounds.forms().len();
            let query = PlaceQuery { blocks: &blocks, sets, ways, n_bounds };
            let mut budget = Budget::new(1 << 20);
            let lines = |x: i64, y: i64| {
                let lines = all.iter().flat_map(|elements| elements.at(x, y));
                lines.collect::<BTreeSet<i64>>()
            };
            let place = |x: i64, y: i64| sink.0 + sink.1 * x + sink.2 * y;
            let runs = |quantifier: Quantifier, budget: &mut Budget| query.runs(&part, quantifier, budget).expect("it is small");
            let has = |runs: &[LineSpan], line: i64| runs.iter().any(|(first, last)| *first <= line && line <= *last);
            if let Some(some) = runs(Quantifier::Any, &mut budget) {
                let outside = |x, y| lines(x, y).iter().any(|line| !has(&some, line + place(x, y)));
                prop_assert_eq!(points.sum(outside), 0);
            }
            if let Some(of_all) = runs(Quantifier::Every, &mut budget) {
                let lacks = |x, y| {
                    let mut of_all = of_all.iter().flat_map(|(first, last)| *first..=*last);
                    of_all.any(|line| !lines(x, y).contains(&(line - place(x, y))))
                };
                prop_assert_eq!(points.sum(lacks), 0);
            }
            let Some(decided) = query.decide(&part, &mut budget).expect("it is small") else {
                return Ok(());
            };
            let is_miss = |x, y| {
                let lines = lines(x, y).into_iter();
                ways <= lines.filter(|line| line % sets == 0).count() as u64
            };
            let expected = points.sum(is_miss);
            let mut open = 0;
            for part in &decided.open {
                open += sum(part, &mut budget).expect("it is small");
            }
            prop_assert!(decided.misses <= expected && expected <= decided.misses + open);
        }
    }
}
