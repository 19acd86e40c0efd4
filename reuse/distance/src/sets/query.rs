//! How many of a part's accesses find their line evicted.

use super::block::LineBlock;
use super::cells::{ArrayOfBlocks, CellCount, CellQuery};
use super::forms::{ConflictBox, interval};
use super::joint_bounds::BlocksOfPart;
use super::load::{SetLoads, Starts, steps_of_bounds};
use super::met::SetPages;
use super::open_forms::{FormsOfInterest, SetsOfWays, open_forms};
use super::recurrence::Recurrence;
use super::residue_class::Classes;
use super::residues::{ResidueQuestion, ShiftedLoad, sum};
use super::sweep::{SweepPlan, SweepQuery};
use crate::row::AxisRow;
use premiss_presburger::{Budget, Refusal};

/// For how many blocks that are looked at a step of the budget pays.
pub(crate) const BLOCKS_PER_STEP: u64 = 8;

/// A sweep of so many steps costs less than to try anything else.
const SHORT_SWEEP: u64 = 32;

/// A sweep of so many steps costs less than to bisect what is swept.
const LONG_SWEEP: u64 = 512;

/// Cells are not looked for where more boxes of them are expected.
const MOST_BOXES: u64 = 256;

/// Blocks of lines of which at least `ways` in the set of the sink's line evict it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConflictQuery<'a> {
    pub(crate) blocks: &'a [LineBlock],
    pub(crate) loads: &'a SetLoads,
    pub(crate) ways: u64,
    /// How many forms bound blocks; those behind say where they start.
    pub(crate) n_bounds: usize,
    /// What starts and strides are.
    pub(crate) numbers: LineNumbers,
}

/// What the numbers of lines are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineNumbers {
    /// Those of lines.
    Whole,
    /// Those of sets: lines apart may have the same one.
    ModuloSets,
}

/// What is known of all iterations of a box.
enum Verdict {
    Hits,
    Misses,
    Open,
}

impl<'a> ConflictQuery<'a> {
    /// Whether neither bounds that are found fast nor a sweep decide which accesses of a part miss.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn is_hard(self, part: &ConflictBox) -> Result<bool, Refusal> {
        let bounds = self.intervals(part)?;
        let rough = self.rough_bounds(part, &bounds);
        Ok(do_miss(&rough, self.ways).is_none() && self.sweep(part, &bounds, &rough).is_none())
    }

    /// The number of accesses of a part whose line was evicted, times the denominator of the multiplicity.
    ///
    /// Bounds on the number of conflicting lines decide most boxes of iterations. Where they do not, an axis that the length
    /// of a block depends on is bisected. Where all lengths are known, only the residues of starts matter.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn misses(self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        budget.spend(1 + self.blocks.len() as u64 / BLOCKS_PER_STEP)?;
        let bounds = self.intervals(part)?;
        let sets = self.loads.sets();
        let rough = self.rough_bounds(part, &bounds);
        match self.decided(&rough) {
            Some(Verdict::Hits) => return Ok(0),
            Some(Verdict::Misses) => return sum(part, budget),
            _ => {}
        }
        let sweep = self.sweep(part, &bounds, &rough);
        let sweep_takes = |steps: u64| sweep.as_ref().is_some_and(|x| x.steps() <= steps);
        if let Some(sweep) = sweep.as_ref().filter(|_| sweep_takes(SHORT_SWEEP)) {
            return sweep.misses(part, budget);
        }
        let geometry = SetsOfWays {
            sets,
            ways: self.ways,
        };
        let all = FormsOfInterest::All;
        let open = open_forms(self.blocks, geometry, all, &bounds, &rough);
        if let Some(recurrence) = self.recurrence(part, &open, &rough)? {
            return recurrence.sum(part, |values| self.misses(values, budget));
        }
        if let Some(classes) = self.classes(part, &rough)? {
            return classes.sum(part, |class| self.misses(class, budget));
        }
        let coupled = match self.numbers {
            LineNumbers::ModuloSets => CellCount::TooMany,
            LineNumbers::Whole => self.cells(part, &rough, budget)?,
        };
        let coupled = match coupled {
            CellCount::Exact(misses) => return Ok(misses),
            CellCount::Coupled(axis) => Some(axis),
            CellCount::TooMany => None,
        };
        if open.is_empty() {
            // What is not known of other forms does not matter.
            let values: Vec<i64> = bounds.iter().map(|x| x.0).collect();
            return self.by_residue(part, &values, &rough, budget);
        }
        if let Some(sweep) = sweep
            .as_ref()
            .filter(|_| sweep_takes(steps_of_bounds(sets)))
        {
            return sweep.misses(part, budget);
        }
        match self.verdict(part, &bounds, &rough, budget)? {
            Verdict::Hits => return Ok(0),
            Verdict::Misses => return sum(part, budget),
            Verdict::Open => {}
        }
        if let Some(sweep) = sweep.as_ref().filter(|_| sweep_takes(LONG_SWEEP)) {
            return sweep.misses(part, budget);
        }
        if let Some(axis) = coupled {
            return part.sum_halves(axis, |half| self.misses(half, budget));
        }
        if let Some(straight) = straightened(part, self.n_bounds, &[])? {
            return self.misses(&straight, budget);
        }
        let forms = &part.distance.0;
        let depends = |axis: &usize| {
            let mut open = open.iter();
            open.any(|form| forms[*form].coefficients[*axis] != 0)
        };
        let axes = (0..part.axes()).filter(depends);
        let axis = axes.max_by_key(|axis| part.extent(*axis));
        part.sum_halves(axis.ok_or(Refusal::Failed)?, |half| {
            self.misses(half, budget)
        })
    }

    /// An axis along which the same comes again, if only some lines of each block are known; `open` has the forms that matter.
    fn recurrence(
        self,
        part: &ConflictBox,
        open: &[usize],
        lines: &[(u64, u64)],
    ) -> Result<Option<Recurrence>, Refusal> {
        let unknown = self.blocks.iter().zip(lines).filter(|x| is_open(x.1));
        let starts = unknown.map(|(block, _)| self.n_bounds + block.start().place());
        let starts: Vec<usize> = starts.collect();
        Recurrence::of(part, open, &starts, self.loads.sets())
    }

    /// By which residues iterations are told apart, so that it is known whether a block of which some lines may be in the
    /// sink's set has any.
    fn classes(self, part: &ConflictBox, lines: &[(u64, u64)]) -> Result<Option<Classes>, Refusal> {
        for (block, _) in self.blocks.iter().zip(lines).filter(|(_, x)| x.0 + 1 < x.1) {
            let start = self.start(part, block);
            if let Some(classes) = block.classes(start, part, self.loads.sets())? {
                return Ok(Some(classes));
            }
        }
        Ok(None)
    }

    /// How the part is swept, if that does not take long.
    fn sweep(
        self,
        part: &ConflictBox,
        bounds: &[(i64, i64)],
        lines: &[(u64, u64)],
    ) -> Option<SweepPlan<'a>> {
        let query = SweepQuery {
            blocks: self.blocks,
            lines,
            sets: self.loads.sets(),
            ways: self.ways,
            n_bounds: self.n_bounds,
        };
        query.plan(part, bounds)
    }

    /// The same where the lengths of all blocks are known.
    fn by_residue(
        self,
        part: &ConflictBox,
        values: &[i64],
        lines: &[(u64, u64)],
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let mut loads = Vec::new();
        for ((number, block), _) in (0..).zip(self.blocks).zip(lines).filter(|x| is_open(x.1)) {
            if let Some((factor, load)) = block.load(number, values, self.loads)? {
                loads.push(ShiftedLoad {
                    factor,
                    load,
                    start: self.n_bounds + block.start().place(),
                });
            }
        }
        budget.spend(self.loads.take_steps())?;
        let question = ResidueQuestion {
            loads: &loads,
            sets: self.loads.sets(),
            ways: self.ways - n_certain(lines),
        };
        question.misses(part, budget)
    }

    /// Bounds on the lines of each block in the sink's set that are found fast.
    fn rough_bounds(self, part: &ConflictBox, bounds: &[(i64, i64)]) -> Vec<(u64, u64)> {
        let sets = self.loads.sets();
        let rough = |block: &LineBlock| {
            let start = self.start(part, block);
            block.rough_bounds_from((start, part.axes()), bounds, sets)
        };
        self.blocks.iter().map(rough).collect()
    }

    fn intervals(self, part: &ConflictBox) -> Result<Vec<(i64, i64)>, Refusal> {
        let bounds = part.distance.0[..self.n_bounds].iter();
        bounds.map(|row| interval(row, &part.ranges)).collect()
    }

    /// The same by the boxes of axes in which lines of the set are met.
    fn cells(
        self,
        part: &ConflictBox,
        lines: &[(u64, u64)],
        budget: &mut Budget,
    ) -> Result<CellCount, Refusal> {
        let query = CellQuery {
            part,
            n_bounds: self.n_bounds,
            pages: SetPages {
                length: 1,
                period: self.loads.sets(),
            },
            least: self.ways - n_certain(lines),
            most_boxes: MOST_BOXES,
        };
        // No two blocks have a line in common.
        let open = self.blocks.iter().zip(lines).filter(|x| is_open(x.1));
        let blocks = open.map(|(block, _)| (vec![block], false));
        query.count(&blocks.collect::<Vec<ArrayOfBlocks<'_>>>(), budget)
    }

    /// Whether better bounds on the conflicting lines decide than `rough` ones.
    fn verdict(
        self,
        part: &ConflictBox,
        bounds: &[(i64, i64)],
        rough: &[(u64, u64)],
        budget: &mut Budget,
    ) -> Result<Verdict, Refusal> {
        let better = |(block, rough): (&LineBlock, &(u64, u64))| match rough.0 == rough.1 {
            true => *rough,
            false => block.bounds(bounds, self.starts(part, block), self.loads),
        };
        let all: Vec<(u64, u64)> = self.blocks.iter().zip(rough).map(better).collect();
        budget.spend(self.loads.take_steps())?;
        if let Some(verdict) = self.decided(&all) {
            return Ok(verdict);
        }
        let together = BlocksOfPart {
            part,
            blocks: self.blocks,
            n_bounds: self.n_bounds,
            bounds,
            lines: &all,
            loads: self.loads,
        };
        let joint = together.joint_bounds();
        budget.spend(self.loads.take_steps())?;
        Ok(self.decided(&[joint]).unwrap_or(Verdict::Open))
    }

    /// The residues at which a block starts in a part.
    fn starts(self, part: &ConflictBox, block: &LineBlock) -> Starts {
        Starts::of(self.start(part, block), part.axes(), self.loads.sets())
    }

    /// Where a block starts.
    fn start<'b>(self, part: &'b ConflictBox, block: &LineBlock) -> &'b AxisRow {
        &part.distance.0[self.n_bounds + block.start().place()]
    }

    /// The verdict by bounds on the lines of each block.
    fn decided(self, bounds: &[(u64, u64)]) -> Option<Verdict> {
        Some(match do_miss(bounds, self.ways)? {
            true => Verdict::Misses,
            false => Verdict::Hits,
        })
    }
}

/// Whether it is not known how many lines of a block are in the sink's set, by at least and at most how many.
pub(super) fn is_open(lines: &(u64, u64)) -> bool {
    lines.0 < lines.1
}

/// How many lines are in the sink's set of blocks of which that is known.
pub(super) fn n_certain(lines: &[(u64, u64)]) -> u64 {
    let certain = lines.iter().filter(|x| !is_open(x));
    certain.map(|x| x.0).fold(0, u64::saturating_add)
}

/// Whether all accesses miss, or none, by at least and at most how many lines of each block are in the sink's set.
pub(crate) fn do_miss(lines: &[(u64, u64)], ways: u64) -> Option<bool> {
    let least = lines.iter().map(|x| x.0).fold(0, u64::saturating_add);
    let most = lines.iter().map(|x| x.1).fold(0, u64::saturating_add);
    if ways <= least {
        return Some(true);
    }
    (most < ways).then_some(false)
}

/// The same part with a form that bounds blocks for one of several axes on which it depends: where a length is
/// `8x - 8y + r`, it is decided by bisecting that number, and not by bisecting `x`, `y` and `r` until it is known. Axes that are `kept` stay.
pub(crate) fn straightened(
    part: &ConflictBox,
    n_bounds: usize,
    kept: &[usize],
) -> Result<Option<ConflictBox>, Refusal> {
    let forms = &part.distance.0[..n_bounds];
    let axes = |row: &AxisRow| {
        let coefficients = row.coefficients[..part.axes()].iter().enumerate();
        let own = coefficients.filter(|(_, x)| **x != 0);
        own.map(|(axis, _)| axis).collect::<Vec<_>>()
    };
    let is_taken =
        |axis: &usize| kept.contains(axis) || forms.iter().any(|row| axes(row) == [*axis]);
    for row in forms {
        let own = axes(row);
        if own.len() < 2 {
            continue;
        }
        let mut free = own
            .iter()
            .filter(|axis| row.coefficients[**axis].abs() == 1);
        let Some(axis) = free.find(|axis| !is_taken(axis)) else {
            continue;
        };
        return part.with_axis_for(*axis, row);
    }
    Ok(None)
}
