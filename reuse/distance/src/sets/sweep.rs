//! How many iterations of a part find enough lines in their set, by sweeps along one axis.
//!
//! Bounds leave open where about as many lines as there are ways lie between two touches: a thin layer of iterations. There,
//! one axis is swept for each value of the others. The lines of a block are in the sink's set for a few intervals of that
//! axis ([`hits`](super::hits)), so a sweep costs about as much as there are lines, whatever the blocks depend on.

use super::block::LineBlock;
use super::forms::ConflictBox;
use super::hits::{AxisRange, BlockAlong, Changes, FormsAlong, VALUES_PER_MOVE, narrow};
use super::load::steps_of_bounds;
use super::query::{is_open, n_certain};
use crate::row::AxisRow;
use premiss_arithmetic::{add, multiply, univariate};
use premiss_presburger::{Budget, Refusal};

/// For how many moves a step of the budget pays.
const MOVES_PER_STEP: u64 = 256;

/// Sweeps that would take more steps are not planned, unless bounds by the lines in each set take as many.
const FEW_STEPS: u64 = 2048;

/// What a sweep costs at least.
const MOVES_PER_SWEEP: u64 = 16;

/// How many axes are tried, the longest first.
const CANDIDATES: usize = 2;

/// Axes and forms have no greater values: what is computed from them fits 64 bits.
const GREATEST: i64 = 1 << 26;

/// How many accesses of a part find at least `ways` lines of some blocks in their set.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepQuery<'a, 'b> {
    pub(super) blocks: &'a [LineBlock],
    /// At least and at most how many lines of each block are in the set.
    pub(super) lines: &'b [(u64, u64)],
    pub(super) sets: i64,
    pub(super) ways: u64,
    /// How many forms bound blocks; those behind say where they start.
    pub(super) n_bounds: usize,
}

impl<'a> SweepQuery<'a, '_> {
    /// How a part is swept, if that does not take long; `bounds` has an interval for each form that bounds blocks.
    pub(super) fn plan(self, part: &ConflictBox, bounds: &[(i64, i64)]) -> Option<SweepPlan<'a>> {
        let mut axes: Vec<usize> = (0..part.axes()).collect();
        axes.sort_by_key(|axis| std::cmp::Reverse(part.extent(*axis)));
        axes.truncate(CANDIDATES);
        let n_blocks = self.blocks.len() as u64;
        let most = FEW_STEPS.max(steps_of_bounds(self.sets)) * MOVES_PER_STEP;
        axes.retain(|axis| sweeps(part, *axis, MOVES_PER_SWEEP + n_blocks) <= most);
        if axes.is_empty() {
            return None;
        }
        let forms = FormsOfPart::new(part, self.n_bounds, self.sets, bounds)?;
        let lengths = self.lengths(bounds)?;
        let plans = axes
            .iter()
            .map(|axis| self.along(part, *axis, &lengths, &forms));
        let axis = plans.min_by_key(|plan| plan.moves);
        let axis = axis.filter(|plan| plan.moves <= most)?;
        Some(SweepPlan {
            forms,
            axis,
            ways: i64::try_from(self.ways - n_certain(self.lines)).unwrap_or(i64::MAX),
        })
    }

    /// How many values each direction of each block has at most of which it is not known how many lines there are; `None` where
    /// one is not gone through.
    fn lengths(self, bounds: &[(i64, i64)]) -> Option<Vec<Option<Vec<i64>>>> {
        let lengths = self.blocks.iter().zip(self.lines).map(|(block, lines)| {
            if !is_open(lines) {
                return Some(None);
            }
            let all = block
                .directions
                .iter()
                .map(|x| x.lengths(bounds).most.max(0));
            let is_certain = block.is_certain(bounds);
            BlockAlong::is_possible(block).then(|| is_certain.map(|_| all.collect()))
        });
        lengths.collect()
    }

    /// How an axis is swept.
    fn along(
        self,
        part: &ConflictBox,
        axis: usize,
        lengths: &[Option<Vec<i64>>],
        forms: &FormsOfPart,
    ) -> SweptAxis<'a> {
        let extent = i64::try_from(part.extent(axis)).unwrap_or(i64::MAX);
        let mut blocks = Vec::with_capacity(self.blocks.len());
        let mut moves = 0_u64;
        for (block, lengths) in self.blocks.iter().zip(lengths) {
            if let Some(lengths) = lengths {
                let start = self.n_bounds + block.start().place();
                let step = forms.steps[axis][start];
                let along = BlockAlong::new(block, (start, step), lengths, extent, self.sets);
                moves = moves.saturating_add(along.moves);
                blocks.push(along);
            }
        }
        // Values are passed where there are about as many changes.
        let values = extent.unsigned_abs() / VALUES_PER_MOVE;
        let moves = moves.saturating_add(moves.min(values) + MOVES_PER_SWEEP);
        let mut order: Vec<usize> = (0..part.axes()).filter(|x| *x != axis).collect();
        order.sort_by_key(|x| part.extent(*x));
        SweptAxis {
            axis,
            order,
            blocks,
            moves: sweeps(part, axis, moves),
        }
    }
}

/// So many times as many moves as there are sweeps along an axis at most.
fn sweeps(part: &ConflictBox, axis: usize, moves: u64) -> u64 {
    let rest = (0..part.axes()).filter(|x| *x != axis);
    let extents = rest.map(|x| u64::try_from(part.extent(x)).unwrap_or(u64::MAX));
    extents.fold(moves, u64::saturating_mul)
}

/// The forms of a part, and behind them its rows, as numbers of 64 bits; of starts only residues matter.
#[derive(Debug)]
struct FormsOfPart {
    constants: Vec<i64>,
    /// For each axis how much they change from value to value.
    steps: Vec<Vec<i64>>,
    n_forms: usize,
}

impl FormsOfPart {
    /// Nothing where a number is large.
    fn new(part: &ConflictBox, n_bounds: usize, sets: i64, bounds: &[(i64, i64)]) -> Option<Self> {
        let is_small = |x: i64| (-GREATEST..=GREATEST).contains(&x);
        let small = |x: i128| i64::try_from(x).ok().filter(|x| is_small(*x));
        let are_small = bounds.iter().all(|x| is_small(x.0) && is_small(x.1))
            && part
                .ranges
                .iter()
                .all(|x| small(x.0).is_some() && small(x.1).is_some());
        let forms = &part.distance.0;
        let mut all: Vec<AxisRow> = Vec::with_capacity(forms.len() + part.rows.len());
        all.extend(&forms[..n_bounds]);
        for start in &forms[n_bounds..] {
            let mut row = *start;
            row.constant = row.constant.rem_euclid(i128::from(sets));
            row.coefficients[..part.axes()]
                .iter_mut()
                .for_each(|x| *x = x.rem_euclid(sets));
            all.push(row);
        }
        all.extend(&part.rows);
        let constants = all.iter().map(|row| {
            i64::try_from(row.constant)
                .ok()
                .filter(|x| x.abs() < 1 << 52)
        });
        let constants = constants.collect::<Option<Vec<i64>>>()?;
        let steps = (0..part.axes()).map(|axis| {
            let steps = all
                .iter()
                .map(|row| Some(row.coefficients[axis]).filter(|x| is_small(*x)));
            steps.collect::<Option<Vec<i64>>>()
        });
        let steps = steps.collect::<Option<Vec<Vec<i64>>>>()?;
        are_small.then_some(Self {
            constants,
            steps,
            n_forms: forms.len(),
        })
    }
}

/// An axis along which a part is swept.
#[derive(Debug)]
struct SweptAxis<'a> {
    axis: usize,
    /// The others, whose values are gone through.
    order: Vec<usize>,
    /// The blocks that may have lines.
    blocks: Vec<BlockAlong<'a>>,
    /// What that costs about.
    moves: u64,
}

/// How a part is swept.
#[derive(Debug)]
pub(super) struct SweepPlan<'a> {
    forms: FormsOfPart,
    axis: SweptAxis<'a>,
    ways: i64,
}

impl SweepPlan<'_> {
    /// About how many steps that takes.
    pub(super) fn steps(&self) -> u64 {
        self.axis.moves / MOVES_PER_STEP
    }

    /// The number of accesses of the part, times the denominator of the multiplicity.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(super) fn misses(&self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        let mut sweep = Sweep {
            part,
            forms: &self.forms,
            plan: &self.axis,
            ways: self.ways,
            values: vec![0; part.axes()],
            changes: Changes::default(),
            misses: 0,
        };
        let mut constants = vec![self.forms.constants.clone(); part.axes()];
        sweep.from(0, &mut constants)?;
        budget.spend(1 + sweep.changes.moves / MOVES_PER_STEP)?;
        Ok(sweep.misses)
    }
}

#[derive(Debug)]
struct Sweep<'a> {
    part: &'a ConflictBox,
    forms: &'a FormsOfPart,
    plan: &'a SweptAxis<'a>,
    ways: i64,
    /// The value of each axis that has one.
    values: Vec<i128>,
    changes: Changes,
    misses: i128,
}

impl Sweep<'_> {
    /// Adds the accesses that miss; the axes up to a place of the order have values, at which `constants` of that place has
    /// the forms.
    fn from(&mut self, depth: usize, constants: &mut [Vec<i64>]) -> Result<(), Refusal> {
        let Some(axis) = self.plan.order.get(depth).copied() else {
            return self.sweep(&constants[depth]);
        };
        let rest = &self.plan.order[depth + 1..];
        let rest = rest.iter().chain(std::iter::once(&self.plan.axis));
        let steps = &self.forms.steps;
        let mut range = self.range(axis);
        for place in self.forms.n_forms..steps[axis].len() {
            let mut most = constants[depth][place];
            for other in rest.clone() {
                let (lo, hi) = self.range(*other);
                most += (steps[*other][place] * lo).max(steps[*other][place] * hi);
            }
            if !narrow(most, steps[axis][place], &mut range) {
                return Ok(());
            }
        }
        for value in range.0..=range.1 {
            self.changes.moves += 1;
            self.values[axis] = i128::from(value);
            let (before, behind) = constants.split_at_mut(depth + 1);
            let all = behind[0].iter_mut().zip(&before[depth]);
            for ((x, constant), step) in all.zip(&steps[axis]) {
                *x = constant + step * value;
            }
            self.from(depth + 1, constants)?;
        }
        Ok(())
    }

    fn range(&self, axis: usize) -> AxisRange {
        let (lo, hi) = self.part.ranges[axis];
        // They fit, as `FormsOfPart` exist.
        let short = |x: i128| i64::try_from(x).unwrap_or(0);
        (short(lo), short(hi))
    }

    /// Adds the accesses that miss along the axis.
    fn sweep(&mut self, constants: &[i64]) -> Result<(), Refusal> {
        let axis = self.plan.axis;
        let steps = &self.forms.steps[axis][..];
        let mut range = self.range(axis);
        self.changes.moves += MOVES_PER_SWEEP;
        for place in self.forms.n_forms..steps.len() {
            if !narrow(constants[place], steps[place], &mut range) {
                return Ok(());
            }
        }
        self.changes.clear();
        let forms = FormsAlong { constants, steps };
        for block in &self.plan.blocks {
            block.add(forms, range, &mut self.changes);
        }
        let runs = self.changes.ranges_of(self.ways, range);
        if runs.is_empty() {
            return Ok(());
        }
        let weight = self.part.multiplicity.univariate(axis, &self.values)?;
        for (from, to) in runs {
            let (from, to) = (i128::from(from), i128::from(to));
            let own = match weight[..] {
                [weight] => multiply(weight, to - from + 1)?,
                _ => univariate::sum(&weight, from, to)?,
            };
            self.misses = add(self.misses, own)?;
        }
        Ok(())
    }
}
