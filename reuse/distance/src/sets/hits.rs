//! Where along one axis a block has lines in the sink's set.
//!
//! If all other axes have values, a block is a polygon of its directions and the axis `u`. For each value of all directions
//! but the last, its lines in the set are points of a lattice: with `t` lines of stride 250, 64 sets and a start that moves
//! by 250 lines with `u`, those with `t + u` congruent to some number modulo 32. Each value of `t + u` is one line for an
//! interval of `u`. Where no multiple of the stride makes up for what the start moves by, only some values of `u` have lines,
//! which are looked at one by one.

use super::block::LineBlock;
use super::congruence::inverse;
use premiss_arithmetic::{div_floor, gcd};

/// Blocks of more directions are not gone through.
const MOST_DIRECTIONS: usize = 4;

/// Nor are directions of more bounds.
const MOST_BOUNDS: usize = 8;

/// Nor are those with greater factors: what is computed from them fits 64 bits.
const GREATEST_FACTOR: i64 = 1 << 10;

/// An interval of an axis.
pub(super) type AxisRange = (i64, i64);

/// Values are gone through one by one where there are more changes than one in so many.
const SORTED_PER_VALUE: u64 = 8;

/// For how many of these a move pays.
pub(super) const VALUES_PER_MOVE: u64 = 2;

/// How many moves a line of the set costs about, and each value of a direction that is gone through.
const MOVES: u64 = 4;

/// The forms of blocks at values of all axes but one: `constants[f] + steps[f] · u`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormsAlong<'a> {
    pub(super) constants: &'a [i64],
    pub(super) steps: &'a [i64],
}

/// By how much more lines there are at a value of an axis than at the one before, for some values.
#[derive(Debug, Default)]
pub(super) struct Changes {
    changes: Vec<(i64, i64)>,
    /// The changes by value.
    by_value: Vec<i64>,
    pub(super) moves: u64,
    /// The bounds of the block that is being added.
    bounds: Vec<BoundAlong>,
}

impl Changes {
    /// Starts with no lines for any value.
    pub(super) fn clear(&mut self) {
        self.changes.clear();
    }

    fn add(&mut self, (lo, hi): AxisRange, lines: i64) {
        self.changes.extend([(lo, lines), (hi + 1, -lines)]);
        self.moves += MOVES;
    }

    /// The ranges of values within a range that has all lines in which there are at least so many.
    pub(super) fn ranges_of(&mut self, enough: i64, range: AxisRange) -> Vec<AxisRange> {
        let mut ranges = CountedRanges {
            enough,
            now: range.0,
            ..CountedRanges::default()
        };
        let n_values = (range.1 - range.0 + 2).unsigned_abs();
        let n_changes = self.changes.len() as u64;
        if SORTED_PER_VALUE * n_changes < n_values {
            self.moves += n_changes;
            self.changes.sort_unstable_by_key(|x| x.0);
            for (value, lines) in &self.changes {
                ranges.change(*value, *lines);
            }
        } else {
            self.moves += n_values / VALUES_PER_MOVE;
            self.by_value.clear();
            self.by_value
                .resize(usize::try_from(n_values).unwrap_or(0), 0);
            for (value, lines) in &self.changes {
                let place = usize::try_from(value - range.0).unwrap_or(0);
                self.by_value[place] += lines;
            }
            let changes = (range.0..).zip(&self.by_value);
            for (value, lines) in changes.filter(|x| *x.1 != 0) {
                ranges.change(value, *lines);
            }
        }
        ranges.settle(range.1 + 1);
        ranges.ranges
    }
}

/// CountedRanges of values with enough lines, from changes in the order of values.
#[derive(Debug, Default)]
struct CountedRanges {
    enough: i64,
    lines: i64,
    since: Option<i64>,
    now: i64,
    ranges: Vec<AxisRange>,
}

impl CountedRanges {
    fn change(&mut self, value: i64, lines: i64) {
        if self.now != value {
            self.settle(value);
        }
        self.lines += lines;
    }

    /// Goes on to a value, up to which there are as many lines as now.
    fn settle(&mut self, value: i64) {
        match (self.enough <= self.lines, self.since) {
            (true, None) => self.since = Some(self.now),
            (false, Some(from)) => {
                self.ranges.push((from, self.now - 1));
                self.since = None;
            }
            _ => {}
        }
        self.now = value;
    }
}

/// A block along an axis.
#[derive(Debug)]
pub(super) struct BlockAlong<'a> {
    block: &'a LineBlock,
    sets: i64,
    /// The place of the form that says where the block starts.
    start: usize,
    /// The directions whose values are gone through, in that order.
    outer: Vec<usize>,
    /// The direction along which the lines of the set are determined, if there is one.
    inner: Option<usize>,
    /// The stride of each direction, modulo the number of sets.
    strides: Vec<i64>,
    /// `gcd(stride, sets)` of the inner direction.
    common: i64,
    period: i64,
    /// The inverse of its `stride / common` modulo the period.
    inverse: i64,
    /// By how much the start moves with the axis.
    step: i64,
    motion: Motion,
    pub(super) moves: u64,
}

#[derive(Clone, Copy, Debug)]
enum Motion {
    /// So many steps of the inner direction are as far as the start moves with a step of the axis.
    Along(i64),
    /// Only one of so many values of the axis has lines.
    Across(i64),
}

/// `0 <= constant + step · u + factor · t`
#[derive(Clone, Copy, Debug)]
struct BoundAlong {
    constant: i64,
    step: i64,
    factor: i64,
}

impl<'a> BlockAlong<'a> {
    /// Whether a block is gone through.
    pub(super) fn is_possible(block: &LineBlock) -> bool {
        let mut directions = block.directions.iter();
        block.directions.len() <= MOST_DIRECTIONS
            && directions.all(|direction| {
                let mut factors = direction.bounds.iter().flat_map(|x| &x.coefficients);
                direction.bounds.len() <= MOST_BOUNDS && factors.all(|x| x.abs() <= GREATEST_FACTOR)
            })
    }

    /// The cheapest way to go through a block whose directions have so many values at most, along `extent` values of an
    /// axis with which the start moves by `step`.
    pub(super) fn new(
        block: &'a LineBlock,
        (start, step): (usize, i64),
        lengths: &[i64],
        extent: i64,
        sets: i64,
    ) -> Self {
        let step = step.rem_euclid(sets);
        let n_directions = block.directions.len();
        let candidates = match block.is_product {
            true => 0..n_directions,
            false => n_directions.saturating_sub(1)..n_directions,
        };
        let with = |inner: Option<usize>| {
            let strides = block.directions.iter();
            let strides: Vec<i64> = strides.map(|x| x.stride.rem_euclid(sets)).collect();
            let stride = inner.map_or(0, |idx| strides[idx]);
            let common = gcd(stride, sets);
            let period = sets / common;
            let inverse = match period {
                1 => 0,
                _ => inverse(stride / common, period),
            };
            let motion = match step % common {
                0 => {
                    let steps = product(step / common, inverse, period);
                    let is_behind = period < 2 * steps;
                    Motion::Along(if is_behind { steps - period } else { steps })
                }
                _ => Motion::Across(common / gcd(step, common)),
            };
            let length = inner.map_or(1, |idx| lengths[idx]);
            let own = match motion {
                Motion::Along(steps) => (length + steps.abs() * extent) / period,
                Motion::Across(each) => extent / each,
            };
            let outer: Vec<usize> = (0..n_directions).filter(|x| Some(*x) != inner).collect();
            let values = outer.iter().map(|idx| lengths[*idx].max(1).unsigned_abs());
            let values = values.fold(MOVES, u64::saturating_mul);
            Self {
                block,
                sets,
                start,
                outer,
                inner,
                strides,
                common,
                period,
                inverse,
                step,
                motion,
                moves: values.saturating_mul(1 + own.unsigned_abs()),
            }
        };
        let best = candidates.map(|idx| with(Some(idx)));
        best.min_by_key(|x| x.moves).unwrap_or_else(|| with(None))
    }

    /// Adds the lines of the set for each value of the axis in a range.
    pub(super) fn add(&self, forms: FormsAlong<'_>, mut range: AxisRange, changes: &mut Changes) {
        for condition in &self.block.conditions {
            let place = condition.place();
            if !narrow(forms.constants[place], forms.steps[place], &mut range) {
                return;
            }
        }
        let mut bounds = std::mem::take(&mut changes.bounds);
        bounds.clear();
        for (idx, direction) in self.block.directions.iter().enumerate() {
            let steps = match self.motion {
                Motion::Along(steps) if Some(idx) == self.inner => steps,
                _ => 0,
            };
            for bound in &direction.bounds {
                let place = bound.form.place();
                let factor = bound.coefficients.last().copied().unwrap_or(0);
                bounds.push(BoundAlong {
                    constant: forms.constants[place],
                    step: forms.steps[place] - factor * steps,
                    factor,
                });
            }
        }
        let at = forms.constants[self.start].rem_euclid(self.sets);
        let mut values = [0; MOST_DIRECTIONS];
        self.walk(&bounds, (0, at), &mut values, range, changes);
        changes.bounds = bounds;
    }

    /// Goes through the values of the outer directions from one on.
    fn walk(
        &self,
        all: &[BoundAlong],
        (depth, at): (usize, i64),
        values: &mut [i64; MOST_DIRECTIONS],
        range: AxisRange,
        changes: &mut Changes,
    ) {
        let mut given = [BoundAlong::NONE; MOST_BOUNDS];
        let Some(idx) = self.outer.get(depth) else {
            let bounds = match self.inner {
                Some(idx) => self.bounds(idx, all, &values[..depth], &mut given),
                None => &[BoundAlong::AT_LEAST_ZERO, BoundAlong::AT_MOST_ZERO],
            };
            match self.motion {
                Motion::Along(_) => self.along(at, bounds, range, changes),
                Motion::Across(each) => self.across(each, at, bounds, range, changes),
            }
            return;
        };
        let bounds = self.bounds(*idx, all, &values[..depth], &mut given);
        let (lo, hi) = hull(bounds, range);
        let stride = self.strides[*idx];
        let mut at = (at + product(stride, lo, self.sets)) % self.sets;
        changes.moves += MOVES * (hi - lo + 1).max(0).unsigned_abs();
        for value in lo..=hi {
            let mut own = range;
            if narrow_by(bounds, value, &mut own) {
                values[depth] = value;
                self.walk(all, (depth + 1, at), values, own, changes);
            }
            at += stride;
            if self.sets <= at {
                at -= self.sets;
            }
        }
    }

    /// The bounds of a direction where those before it have values; they are put into `given` if they depend on these.
    fn bounds<'b>(
        &self,
        idx: usize,
        all: &'b [BoundAlong],
        before: &[i64],
        given: &'b mut [BoundAlong; MOST_BOUNDS],
    ) -> &'b [BoundAlong] {
        let directions = &self.block.directions;
        let first: usize = directions[..idx].iter().map(|x| x.bounds.len()).sum();
        let own = &directions[idx].bounds;
        let all = &all[first..first + own.len()];
        if self.block.is_product {
            return all;
        }
        for (place, bound) in own.iter().enumerate() {
            given[place] = all[place];
            for (factor, value) in bound.coefficients.iter().zip(before) {
                given[place].constant += factor * value;
            }
        }
        &given[..own.len()]
    }

    /// Adds the lines by the number `t + steps · u`, which determines them, and of which these are bounds.
    fn along(&self, at: i64, bounds: &[BoundAlong], range: AxisRange, changes: &mut Changes) {
        if at % self.common != 0 {
            return;
        }
        let (lo, hi) = hull(bounds, range);
        let first = product(self.period - at / self.common, self.inverse, self.period);
        let first = lo + (first - lo).rem_euclid(self.period);
        if hi < first {
            return;
        }
        if bounds.iter().all(|x| x.step == 0) {
            changes.add(range, (hi - first) / self.period + 1);
            return;
        }
        let mut value = first;
        while value <= hi {
            changes.moves += 1;
            let mut own = range;
            if narrow_by(bounds, value, &mut own) {
                changes.add(own, 1);
            }
            value += self.period;
        }
    }

    /// Adds the lines of each value of the axis that has some, one of so many.
    fn across(
        &self,
        each: i64,
        at: i64,
        bounds: &[BoundAlong],
        range: AxisRange,
        changes: &mut Changes,
    ) {
        let shared = gcd(self.step, self.common);
        if at % shared != 0 {
            return;
        }
        // `step · u + at` is a multiple of `common`.
        let inverse = inverse(self.step / shared % each, each);
        let first = product(each - at / shared % each, inverse, each);
        let mut value = range.0 + (first - range.0).rem_euclid(each);
        while value <= range.1 {
            changes.moves += 1;
            let (lo, hi) = hull(bounds, (value, value));
            let start = at + product(self.step, value, self.sets);
            let start = (start / self.common) % self.period;
            let first = product(self.period - start, self.inverse, self.period);
            let first = lo + (first - lo).rem_euclid(self.period);
            if first <= hi {
                changes.add((value, value), (hi - first) / self.period + 1);
            }
            value += each;
        }
    }
}

impl BoundAlong {
    const NONE: Self = Self::of(0);
    const AT_LEAST_ZERO: Self = Self::of(1);
    const AT_MOST_ZERO: Self = Self::of(-1);

    const fn of(factor: i64) -> Self {
        Self {
            constant: 0,
            step: 0,
            factor,
        }
    }
}

/// A range that holds the values of a direction for all values of the axis.
#[inline]
fn hull(bounds: &[BoundAlong], range: AxisRange) -> AxisRange {
    let (mut lo, mut hi) = (i64::MIN, i64::MAX);
    for bound in bounds {
        let end = if bound.step < 0 { range.0 } else { range.1 };
        let rest = bound.constant + bound.step * end;
        match 0 < bound.factor {
            true => lo = lo.max(-floor(rest, bound.factor)),
            false => hi = hi.min(floor(rest, -bound.factor)),
        }
    }
    (lo, hi)
}

/// Narrows a range to where a direction may have a value; whether anything is left.
#[inline]
fn narrow_by(bounds: &[BoundAlong], value: i64, range: &mut AxisRange) -> bool {
    for bound in bounds {
        if !narrow(bound.constant + bound.factor * value, bound.step, range) {
            return false;
        }
    }
    true
}

/// Narrows a range to where `0 <= constant + step · u`; whether anything is left.
#[inline]
pub(super) fn narrow(constant: i64, step: i64, range: &mut AxisRange) -> bool {
    match step {
        0 => return 0 <= constant,
        1.. => range.0 = range.0.max(-floor(constant, step)),
        _ => range.1 = range.1.min(floor(constant, -step)),
    }
    range.0 <= range.1
}

#[inline]
fn floor(number: i64, divisor: i64) -> i64 {
    match divisor {
        1 => number,
        _ => div_floor(number, divisor),
    }
}

/// `a · b` modulo a number.
#[inline]
fn product(a: i64, b: i64, modulus: i64) -> i64 {
    (a % modulus * (b % modulus)).rem_euclid(modulus)
}
