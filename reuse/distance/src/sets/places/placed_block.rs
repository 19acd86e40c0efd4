//! The lines of a block as they are numbered in memory, for any or for every iteration of a box.
//!
//! The rows behind row `k` of an array, 500 lines each, are `500·k + 500·r` with `0 <= r <= N - k`. With `s = k + r` they are `500·s`
//! with `k <= s <= N`: where they start does not depend on `k`, and how far they go is a bound. So directions are numbered
//! from a line that depends on as few axes as can be. For any `k` from 3 to 7, the rows are 3 and up; for every such `k`, 7 and up.

use super::{LineSpan, Quantifier};
use crate::row::{AxisRow, FAR, narrow};
use crate::sets::block::LineBlock;
use crate::sets::forms::{ConflictBox, interval_on};
use crate::sets::met::nearest;
use premiss_arithmetic::{AXES, Interval, div_floor};
use premiss_presburger::Refusal;

/// Rounds in which constraints narrow directions.
const ROUNDS: usize = 4;

/// Coefficients, strides and directions have no greater values: what is computed from them fits 64 bits.
const GREATEST: i64 = 1 << 26;

/// The same for constants.
const GREATEST_CONSTANT: i64 = 1 << 52;

/// Where a block is.
pub(super) enum Placed {
    /// There are no such lines.
    Nowhere,
    /// Numbers are too large, or there are too many directions.
    Unknown,
    At(PlacedBlock),
}

/// Lines by a few directions, and what bounds these.
pub(super) struct PlacedBlock {
    /// The line in which all directions are at zero.
    base: i64,
    /// From the greatest stride to the least.
    directions: Vec<PlacedDirection>,
    /// What is not negative.
    rows: Vec<PlacedRow>,
}

struct PlacedDirection {
    stride: i64,
    /// It has no other values.
    hull: (i64, i64),
}

/// `0 <= constant + Σ coefficients · directions`
struct PlacedRow {
    constant: i64,
    coefficients: [i64; AXES],
}

impl PlacedBlock {
    /// The lines that a block has for any or for every iteration of a box; those for any of them, and perhaps more, and
    /// those for every one, but for some perhaps. The last form of the box is the sink's line.
    ///
    /// # Errors
    /// A number does not fit.
    pub(super) fn place(
        block: &LineBlock,
        part: &ConflictBox,
        n_bounds: usize,
        quantifier: Quantifier,
    ) -> Result<Placed, Refusal> {
        let end = |form: &AxisRow| {
            let (least, most) = interval_on(form, part)?;
            Ok::<_, Refusal>(match quantifier {
                Quantifier::Any => most,
                Quantifier::Every => least,
            })
        };
        for condition in &block.conditions {
            if end(&part.distance.0[condition.place()])? < 0 {
                return Ok(Placed::Nowhere);
            }
        }
        let anchored = Anchored::new(block, part, n_bounds)?;
        if quantifier == Quantifier::Every && !anchored.moving.is_empty() {
            return Ok(Placed::Nowhere);
        }
        if AXES < anchored.strides().count() {
            return Ok(Placed::Unknown);
        }
        let mut rows = Vec::new();
        for (form, mut row) in anchored.bounds(part)? {
            row.constant = i128::from(end(&form)?);
            rows.push(row);
        }
        for (place, axis) in (block.directions.len()..).zip(&anchored.moving) {
            let (lo, hi) = part.ranges[*axis];
            rows.extend([AxisRow::bound(place, 1, -lo), AxisRow::bound(place, -1, hi)]);
        }
        let strides: Vec<i64> = anchored.strides().collect();
        let mut hull: Vec<Interval> = vec![(-FAR, FAR); strides.len()];
        if !narrow(&rows, &mut hull, ROUNDS)? {
            return Ok(Placed::Nowhere);
        }
        let own = Self::of_rows(anchored.start.constant, &strides, &hull, &rows);
        Ok(own.map_or(Placed::Unknown, Placed::At))
    }

    /// Nothing where a number is large.
    fn of_rows(base: i128, strides: &[i64], hull: &[Interval], rows: &[AxisRow]) -> Option<Self> {
        let small = |x: i128, most: i64| i64::try_from(x).ok().filter(|x| x.abs() <= most);
        let mut order: Vec<usize> = (0..strides.len()).collect();
        order.sort_by_key(|x| std::cmp::Reverse(strides[*x].saturating_abs()));
        let directions = order.iter().map(|idx| {
            let (lo, hi) = hull[*idx];
            Some(PlacedDirection {
                stride: small(i128::from(strides[*idx]), GREATEST)?,
                hull: (small(lo, GREATEST)?, small(hi, GREATEST)?),
            })
        });
        let rows = rows.iter().map(|row| {
            let mut coefficients = [0; AXES];
            for (own, idx) in coefficients.iter_mut().zip(&order) {
                *own = small(i128::from(row.coefficients[*idx]), GREATEST)?;
            }
            Some(PlacedRow {
                constant: small(row.constant, GREATEST_CONSTANT)?,
                coefficients,
            })
        });
        Some(Self {
            base: small(base, GREATEST_CONSTANT)?,
            directions: directions.collect::<Option<_>>()?,
            rows: rows.collect::<Option<_>>()?,
        })
    }

    /// Adds the lines; whether there are at most so many runs then.
    pub(super) fn add_runs(&self, runs: &mut Vec<LineSpan>, most: usize) -> bool {
        let constants: Vec<i64> = self.rows.iter().map(|row| row.constant).collect();
        self.add_from(0, self.base, &constants, runs, most)
    }

    /// The same where the directions before one have values, at which rows have these constants.
    fn add_from(
        &self,
        depth: usize,
        at: i64,
        constants: &[i64],
        runs: &mut Vec<LineSpan>,
        most: usize,
    ) -> bool {
        let Some(direction) = self.directions.get(depth) else {
            if constants.iter().all(|x| 0 <= *x) {
                runs.push((at, at));
            }
            return runs.len() <= most;
        };
        let Some((lo, hi)) = self.range(depth, constants) else {
            return true;
        };
        let stride = direction.stride;
        if depth + 1 == self.directions.len() && stride.abs() <= 1 {
            let ends = [lo, hi].map(|x| at + stride * x);
            runs.push((ends[0].min(ends[1]), ends[0].max(ends[1])));
            return runs.len() <= most;
        }
        let mut next = constants.to_vec();
        for value in lo..=hi {
            for ((next, constant), row) in next.iter_mut().zip(constants).zip(&self.rows) {
                *next = constant + row.coefficients[depth] * value;
            }
            if !self.add_from(depth + 1, at + stride * value, &next, runs, most) {
                return false;
            }
        }
        true
    }

    /// The values that a direction may have where those before it have values; those that it has if it is the last one.
    fn range(&self, depth: usize, constants: &[i64]) -> Option<(i64, i64)> {
        let (mut lo, mut hi) = self.directions[depth].hull;
        for (row, constant) in self.rows.iter().zip(constants) {
            let mut rest = *constant;
            for (other, direction) in self.directions.iter().enumerate().skip(depth + 1) {
                let coefficient = row.coefficients[other];
                let (first, last) = direction.hull;
                rest += (coefficient * first).max(coefficient * last);
            }
            match row.coefficients[depth] {
                0 if rest < 0 => return None,
                0 => {}
                own @ 1.. => lo = lo.max(-div_floor(rest, own)),
                own => hi = hi.min(div_floor(rest, -own)),
            }
        }
        (lo <= hi).then_some((lo, hi))
    }
}

/// A block with its directions numbered so that it moves along as few axes as can be.
struct Anchored<'a> {
    block: &'a LineBlock,
    /// The line in which all directions are at zero.
    start: AxisRow,
    /// What is added to each direction.
    shifts: Vec<AxisRow>,
    /// The axes along which it moves nonetheless: directions behind its own ones.
    moving: Vec<usize>,
}

impl<'a> Anchored<'a> {
    fn new(block: &'a LineBlock, part: &ConflictBox, n_bounds: usize) -> Result<Self, Refusal> {
        let forms = &part.distance.0;
        let sink = &forms[forms.len() - 1];
        let mut start = forms[n_bounds + block.start().place()].plus_times(sink, 1)?;
        let mut order: Vec<usize> = (0..block.directions.len()).collect();
        order.sort_by_key(|x| std::cmp::Reverse(block.directions[*x].stride.abs()));
        let mut shifts = vec![AxisRow::new(0); block.directions.len()];
        for idx in order {
            let stride = block.directions[idx].stride;
            for axis in (0..part.axes()).filter(|_| stride != 0) {
                let steps = nearest(start.coefficients[axis], stride);
                start.coefficients[axis] -= steps * stride;
                shifts[idx].coefficients[axis] = steps;
            }
        }
        let moving = (0..part.axes()).filter(|axis| start.coefficients[*axis] != 0);
        Ok(Self {
            moving: moving.collect(),
            block,
            start,
            shifts,
        })
    }

    fn strides(&self) -> impl Iterator<Item = i64> {
        let moving = self.moving.iter();
        let moving = moving.map(|axis| self.start.coefficients[*axis]);
        let own = self.block.directions.iter().map(|x| x.stride);
        own.chain(moving)
    }

    /// What bounds directions: forms of the axes, and what is added to each, a row of the directions.
    fn bounds(&self, part: &ConflictBox) -> Result<Vec<(AxisRow, AxisRow)>, Refusal> {
        let mut all = Vec::new();
        for (idx, direction) in self.block.directions.iter().enumerate() {
            for bound in &direction.bounds {
                let Some((own, before)) = bound.coefficients.split_last() else {
                    continue;
                };
                let mut form = part.distance.0[bound.form.place()];
                let mut row = AxisRow::new(0);
                for (of, coefficient) in before.iter().enumerate().chain([(idx, own)]) {
                    form = form.plus_times(&self.shifts[of], -coefficient)?;
                    row = row.plus(of, *coefficient)?;
                }
                all.push((form, row));
            }
        }
        Ok(all)
    }
}
