//! How many iterations of a part start their blocks at residues for which the sink's line is evicted.
//!
//! Where the lengths of all blocks are known, only the residues at which they start decide. If one form tells these for all
//! blocks, the residues that miss are found once; along an axis, a form goes round in a cycle of residues, of which sums
//! over windows are known: so a line of iterations takes one step, however long it is.

use super::forms::ConflictBox;
use super::load::{SetLoad, Starts};
use super::recurrence::Recurrence;
use crate::frame::number;
use crate::part::WeightedBox;
use crate::row::AxisRow;
use crate::total::total;
use premiss_arithmetic::{add, gcd, multiply, univariate};
use premiss_presburger::{Affine, Budget, Column, Refusal, System, count};
use std::collections::HashMap;
use std::rc::Rc;

/// For how many values of axes that are gone through a step of a budget pays: rows leave far fewer.
const VALUES_PER_STEP: i128 = 16;

/// Points are counted as a polynomial where going through values takes more steps.
const MANY_STEPS: u64 = 1 << 10;

/// For how many lines in a set that are added up a step pays.
pub(super) const LOADS_PER_STEP: u64 = 256;

/// For how many terms of a sum a step pays.
const TERMS_PER_STEP: i128 = 256;

/// Blocks of known lengths.
#[derive(Debug)]
pub(crate) struct ShiftedLoad {
    /// How often each of the lines counts.
    pub(crate) factor: u64,
    /// The lines in each set if it starts in set 0.
    pub(crate) load: Rc<SetLoad>,
    /// The place of the form that tells where it starts.
    pub(crate) start: usize,
}

/// How many accesses of a part find at least `ways` lines of some blocks in set 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResidueQuestion<'a> {
    pub(crate) loads: &'a [ShiftedLoad],
    pub(crate) sets: i64,
    pub(crate) ways: u64,
}

impl ResidueQuestion<'_> {
    /// The number of accesses, times the denominator of the multiplicity.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn misses(self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        budget.spend(1)?;
        // The lines of those that are in the same place in the whole part.
        let mut known = 0_u64;
        let mut moving: Vec<&ShiftedLoad> = Vec::new();
        let (mut least, mut most) = (0_u64, 0_u64);
        for moved in self.loads {
            let row = &part.distance.0[moved.start];
            let starts = Starts::of(row, part.axes(), self.sets);
            let (lo, hi) = moved.load.extremes(starts);
            let own = |number: u64| moved.factor.saturating_mul(number);
            if lo == hi {
                known = known.saturating_add(own(lo));
            } else {
                least = least.saturating_add(own(lo));
                most = most.saturating_add(own(hi));
                moving.push(moved);
            }
        }
        if self.ways <= known.saturating_add(least) {
            return sum(part, budget);
        }
        if known.saturating_add(most) < self.ways {
            return Ok(0);
        }
        self.drop_short(known, &mut moving);
        let starts: Vec<usize> = moving.iter().map(|moved| moved.start).collect();
        if let Some(recurrence) = Recurrence::of(part, &[], &starts, self.sets)? {
            return recurrence.sum(part, |values| self.misses(values, budget));
        }
        if part.axes() == 1 && part.extent(0) <= i128::from(self.sets) {
            return self.line(part, known, &moving, budget);
        }
        if let Some(axis) = self.disagreement(part, &moving) {
            if part.axes() == 1 {
                return self.line(part, known, &moving, budget);
            }
            return part.sum_over(axis, |slice| self.misses(slice, budget));
        }
        self.by_one_form(part, known, &moving, budget)
    }

    /// Drops loads that cannot evict a line together, where each of the others does so wherever it has lines.
    fn drop_short(self, known: u64, moving: &mut Vec<&ShiftedLoad>) {
        let is_enough = |moved: &ShiftedLoad| {
            let least = moved.factor.saturating_mul(moved.load.least_met());
            self.ways <= least
        };
        let short = moving.iter().filter(|moved| !is_enough(moved));
        let short = short.fold(known, |sum, moved| {
            sum.saturating_add(moved.factor.saturating_mul(moved.load.most()))
        });
        if short < self.ways {
            moving.retain(|moved| is_enough(moved));
        }
    }

    /// The axis of fewest values along which two blocks move apart.
    fn disagreement(self, part: &ConflictBox, moving: &[&ShiftedLoad]) -> Option<usize> {
        let step = |moved: &ShiftedLoad, axis: usize| {
            part.distance.0[moved.start].coefficients[axis].rem_euclid(self.sets)
        };
        let first = moving.first()?;
        let is_apart = |axis: &usize| {
            let mut moving = moving.iter();
            moving.any(|moved| step(moved, *axis) != step(first, *axis))
        };
        let axes = (0..part.axes()).filter(is_apart);
        axes.min_by_key(|axis| part.extent(*axis))
    }

    /// Where one form tells all starts but for constants.
    fn by_one_form(
        self,
        part: &ConflictBox,
        known: u64,
        moving: &[&ShiftedLoad],
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let first = moving.first().ok_or(Refusal::Failed)?.start;
        let n_loads = moving.len() as u64;
        budget.spend(self.sets.unsigned_abs().saturating_mul(n_loads) / LOADS_PER_STEP)?;
        let starts = &part.distance.0;
        let mut lines = vec![known; usize::try_from(self.sets).map_err(|_| Refusal::Overflow)?];
        for moved in moving {
            let apart = starts[moved.start].constant - starts[first].constant;
            let start = residue(apart, self.sets);
            moved.load.add_for_starts(moved.factor, start, &mut lines);
        }
        let mut missing = MissingResidues {
            misses: lines.iter().map(|lines| self.ways <= *lines).collect(),
            modulus: self.sets,
            form: first,
            cycles: HashMap::new(),
        };
        match missing.uniform() {
            Some(true) => sum(part, budget),
            Some(false) => Ok(0),
            None => missing.sum(part, budget),
        }
    }

    /// Goes through the iterations of a part with one axis.
    fn line(
        self,
        part: &ConflictBox,
        known: u64,
        moving: &[&ShiftedLoad],
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let Some((lo, hi)) = part.line(0, &[0])? else {
            return Ok(0);
        };
        let all = u64::try_from(hi - lo + 1).map_err(|_| Refusal::Overflow)?;
        budget.spend(1 + all.saturating_mul(moving.len() as u64) / 16)?;
        let weight = part.multiplicity.univariate(0, &[0])?;
        let mut places = Vec::with_capacity(moving.len());
        for moved in moving {
            let row = &part.distance.0[moved.start];
            let first = add(row.constant, multiply(i128::from(row.coefficients[0]), lo)?)?;
            let step = residue(i128::from(row.coefficients[0]), self.sets);
            places.push((residue(first, self.sets), step));
        }
        let sets = usize::try_from(self.sets).map_err(|_| Refusal::Overflow)?;
        let mut misses = 0;
        let mut since: Option<i128> = None;
        for value in lo..=hi {
            let mut lines = known;
            for (moved, (at, step)) in moving.iter().zip(&mut places) {
                let own = moved.load.moved_by(*at);
                lines = lines.saturating_add(moved.factor.saturating_mul(own));
                *at += *step;
                if sets <= *at {
                    *at -= sets;
                }
            }
            match (self.ways <= lines, since) {
                (true, None) => since = Some(value),
                (false, Some(from)) => {
                    misses = add(misses, univariate::sum(&weight, from, value - 1)?)?;
                    since = None;
                }
                _ => {}
            }
        }
        if let Some(from) = since {
            misses = add(misses, univariate::sum(&weight, from, hi)?)?;
        }
        Ok(misses)
    }
}

/// The residue of a number, as an index.
fn residue(number: i128, modulus: i64) -> usize {
    usize::try_from(number.rem_euclid(i128::from(modulus))).unwrap_or(0)
}

/// All accesses of a part, times the denominator of the multiplicity.
///
/// # Errors
/// The budget runs out: values of all axes but two are gone through. A number does not fit.
pub(crate) fn sum(part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
    let part = part.without_distance().fused()?;
    let mut extents: Vec<i128> = (0..part.axes()).map(|axis| part.extent(axis)).collect();
    extents.sort_unstable();
    extents.truncate(extents.len().saturating_sub(2));
    let values = extents.into_iter().fold(1, i128::saturating_mul);
    let steps = 1 + u64::try_from(values / VALUES_PER_STEP).unwrap_or(u64::MAX);
    if MANY_STEPS < steps
        && let Some(sum) = symbolic_sum(&part, steps / 2, budget)?
    {
        return Ok(sum);
    }
    budget.spend(steps)?;
    total(&part)
}

/// The same by counting points as a polynomial, if all of them are as many accesses and that takes fewer steps.
fn symbolic_sum(
    part: &WeightedBox<()>,
    steps: u64,
    budget: &mut Budget,
) -> Result<Option<i128>, Refusal> {
    if (0..part.axes()).any(|axis| part.multiplicity.depends_on(axis)) {
        return Ok(None);
    }
    let mut system = System::universe(part.axes());
    let mut rows = part.rows.clone();
    for (axis, (lo, hi)) in part.ranges.iter().enumerate() {
        rows.extend([AxisRow::bound(axis, 1, -lo), AxisRow::bound(axis, -1, *hi)]);
    }
    for row in rows {
        let constant = i64::try_from(row.constant).map_err(|_| Refusal::Overflow)?;
        let form = [&[constant], &row.coefficients[..part.axes()]].concat();
        system.inequalities.push(Affine::new(form));
    }
    let axes: Vec<Column> = Column::variables(part.axes()).collect();
    let context = System::universe(part.axes());
    let given = steps.min(budget.left());
    let mut own = Budget::new(given);
    let pieces = count(&system, &axes, &context, &mut own);
    budget.spend(given - own.left())?;
    let Ok(pieces) = pieces else {
        return Ok(None);
    };
    let points = pieces.iter().map(|piece| number(piece, &[]));
    let points = points.sum::<Result<i128, Refusal>>()?;
    let weight = part.multiplicity.univariate(0, &vec![0; part.axes()])?;
    let weight = weight.first().copied().unwrap_or(0);
    Ok(Some(multiply(points, weight)?))
}

/// The residues at which accesses miss.
struct MissingResidues {
    /// For each residue whether they do.
    misses: Vec<bool>,
    modulus: i64,
    /// The place of the form that has the residue.
    form: usize,
    /// By how much a residue changes from step to step, with sums along the cycles of that.
    cycles: HashMap<i64, Cycles>,
}

/// Sums of misses along cycles of residues.
struct Cycles {
    period: usize,
    /// Where each residue is: cycle after cycle.
    place: Vec<usize>,
    /// How many residues miss at the places before one, in all cycles.
    before: Vec<u64>,
}

impl Cycles {
    fn new(misses: &[bool], step: i64, modulus: i64) -> Self {
        let n_cycles = gcd(step, modulus);
        let index = |x: i64| usize::try_from(x).unwrap_or(0);
        let period = index(modulus / n_cycles);
        let mut place = vec![0; misses.len()];
        let mut before = Vec::with_capacity(misses.len() + 1);
        let mut sum = 0;
        for first in 0..n_cycles {
            let mut at = first;
            for _ in 0..period {
                place[index(at)] = before.len();
                before.push(sum);
                sum += u64::from(misses[index(at)]);
                at = (at + step) % modulus;
            }
        }
        before.push(sum);
        Self {
            period,
            place,
            before,
        }
    }

    /// How many of so many residues from `first` on miss.
    fn count(&self, first: usize, length: i128) -> i128 {
        let place = self.place[first];
        let start = place / self.period * self.period;
        let end = start + self.period;
        let between = |from: usize, to: usize| i128::from(self.before[to] - self.before[from]);
        let period = i128::try_from(self.period).unwrap_or(1);
        let whole = length / period * between(start, end);
        let rest = usize::try_from(length % period).unwrap_or(0);
        match place + rest <= end {
            true => whole + between(place, place + rest),
            false => whole + between(place, end) + between(start, place + rest - self.period),
        }
    }
}

impl MissingResidues {
    /// Whether all residues miss, or none; `None` where some do.
    fn uniform(&self) -> Option<bool> {
        let first = *self.misses.first()?;
        let mut rest = self.misses.iter();
        rest.all(|x| *x == first).then_some(first)
    }

    /// The accesses of a part whose residue misses, times the denominator of the multiplicity.
    fn sum(&mut self, part: &ConflictBox, budget: &mut Budget) -> Result<i128, Refusal> {
        budget.spend(1)?;
        let row = part.distance.0[self.form];
        if part.axes() < 2 {
            return self.line(part, (0, &[0][..part.axes()]), &row, budget);
        }
        let varies = |axis: &usize| row.coefficients[*axis] % self.modulus != 0;
        let varying: Vec<usize> = (0..part.axes()).filter(varies).collect();
        let longest = varying.iter().max_by_key(|axis| part.extent(**axis));
        let inner = longest.copied().unwrap_or(0);
        if let [only] = varying[..]
            && let Some(sum) = self.sum_of_slices(part, only, &row, budget)?
        {
            return Ok(sum);
        }
        if part.axes() == 2 {
            let outer = 1 - inner;
            let mut sum = 0;
            for value in part.ranges[outer].0..=part.ranges[outer].1 {
                budget.spend(1)?;
                let line = self.line(part, (inner, &[value; 2]), &row, budget)?;
                sum = add(sum, line)?;
            }
            return Ok(sum);
        }
        part.sum_over(narrowest_but(part, inner), |slice| self.sum(slice, budget))
    }

    /// The same where the form depends on one axis alone, by its values that miss or by those that do not; `None` where there are
    /// more of these than values of the other axes.
    fn sum_of_slices(
        &self,
        part: &ConflictBox,
        axis: usize,
        row: &AxisRow,
        budget: &mut Budget,
    ) -> Result<Option<i128>, Refusal> {
        let (lo, hi) = part.ranges[axis];
        let others = (0..part.axes()).filter(|other| *other != axis);
        let lines = others.fold(1, |all: i128, other| all.saturating_mul(part.extent(other)));
        if lines.saturating_mul(self.modulus.into()) < part.extent(axis) {
            return Ok(None);
        }
        let mut of_kind: [Vec<i128>; 2] = Default::default();
        for value in lo..=hi {
            let form = multiply(i128::from(row.coefficients[axis]), value)?;
            let place = residue(add(row.constant, form)?, self.modulus);
            of_kind[usize::from(self.misses[place])].push(value);
        }
        budget.spend(1 + u64::try_from((hi - lo) / TERMS_PER_STEP).unwrap_or(u64::MAX))?;
        let [hits, misses] = of_kind;
        let is_minority = misses.len() <= hits.len();
        let values = if is_minority { misses } else { hits };
        if lines < values.len() as i128 {
            return Ok(None);
        }
        let mut slices = 0;
        for value in values {
            if let Some(slice) = part.at(axis, value)? {
                slices = add(slices, sum(&slice, budget)?)?;
            }
        }
        Ok(Some(match is_minority {
            true => slices,
            false => add(sum(part, budget)?, -slices)?,
        }))
    }

    /// The same along an axis, the others having values.
    fn line(
        &mut self,
        part: &ConflictBox,
        (axis, values): (usize, &[i128]),
        row: &AxisRow,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let range = match part.axes() {
            0 => Some((0, 0)),
            _ => part.line(axis, values)?,
        };
        let Some((lo, hi)) = range else {
            return Ok(0);
        };
        let weight = part.multiplicity.univariate(axis, values)?;
        let step = row.coefficients[axis].rem_euclid(self.modulus);
        let first = add(row.rest(axis, values)?, multiply(i128::from(step), lo)?)?;
        let first = residue(first, self.modulus);
        if weight.len() <= 1 {
            let (misses, modulus) = (&self.misses, self.modulus);
            let cycles = self.cycles.entry(step);
            let cycles = cycles.or_insert_with(|| Cycles::new(misses, step, modulus));
            let weight = weight.first().copied().unwrap_or(0);
            return Ok(multiply(weight, cycles.count(first, hi - lo + 1))?);
        }
        budget.spend(u64::try_from((hi - lo) / TERMS_PER_STEP).unwrap_or(u64::MAX))?;
        let mut sum = 0;
        let mut at = i128::try_from(first).unwrap_or(0);
        for value in lo..=hi {
            if self.misses[residue(at, self.modulus)] {
                sum = add(sum, univariate::at(&weight, value)?)?;
            }
            at += i128::from(step);
        }
        Ok(sum)
    }
}

/// The axis other than `inner` that has fewest values.
fn narrowest_but(part: &ConflictBox, inner: usize) -> usize {
    let others = (0..part.axes()).filter(|axis| *axis != inner);
    let narrowest = others.min_by_key(|axis| part.extent(*axis));
    narrowest.expect("a part of several axes")
}
