//! At least and at most how many lines of a block are in the set of the sink's line.
//!
//! How long directions are bounds the lines of a block wherever it starts. Where it starts, and how far from there its directions
//! go, tells more: lines at multiples of 64 from the sink's are in its set, or in none of 64 sets if they start beside it.

use super::super::congruence::{Lengths, Progression};
use super::super::joint_bounds::{BoxLoad, BoxSide, KnownLines};
use super::super::load::{SetLoads, Starts};
use super::{LineBlock, residue};

/// How many strips along a direction are looked at where the length of the next one depends on it.
const STRIPS: i64 = 4;

impl LineBlock {
    /// The least and the most lines of the block in the sink's set, `starts` being the residues at which it may start.
    pub(crate) fn bounds(
        &self,
        bounds: &[(i64, i64)],
        starts: Starts,
        loads: &SetLoads,
    ) -> (u64, u64) {
        let Some(is_certain) = self.is_certain(bounds) else {
            return (0, 0);
        };
        let anywhere = match (self.is_product, self.is_anchored) {
            (true, true) => starts,
            (true, false) => self.anywhere(starts),
            (false, _) => Starts::ANY,
        };
        let (mut least, mut most) = self.bounds_by_lengths(bounds, anywhere, loads);
        if !self.is_product {
            least = 0;
        }
        if !self.is_anchored {
            least = least.max(self.least_of_boxes(bounds, starts, loads, &mut Vec::new()));
            most = most.min(self.most_of_box(bounds, starts, loads));
        }
        let least = if is_certain { least } else { 0 };
        (least.min(most), most)
    }

    /// The lines in each set of a box that surely is a part of the block, or of one around it. Directions are counted from
    /// their first value or from the last one, as `from_last` says.
    pub(in super::super) fn known_lines(
        &self,
        bounds: &[(i64, i64)],
        from_last: &[bool],
        side: BoxSide,
        loads: &SetLoads,
    ) -> KnownLines {
        let Some(is_certain) = self.is_certain(bounds) else {
            return KnownLines::None;
        };
        if !self.is_product || (side == BoxSide::Within && !is_certain) {
            return KnownLines::Unknown;
        }
        let ranges = self.directions.iter().map(|direction| match side {
            BoxSide::Within => direction.certain_range(bounds, &[]),
            BoxSide::Around => direction.possible_range(bounds, &[]),
        });
        let Some(ranges) = ranges.collect::<Option<Vec<_>>>() else {
            return KnownLines::Unknown;
        };
        let (mut first, mut all) = self.box_of(&ranges);
        let directions = all.iter_mut().zip(&ranges).zip(from_last);
        for ((progression, (lo, _)), _) in directions.filter(|x| *x.1) {
            first -= i128::from(progression.stride) * i128::from(*lo);
            progression.stride = -progression.stride;
        }
        match loads.load(&all) {
            Some((factor, load)) => KnownLines::Box(BoxLoad {
                factor,
                load,
                first: residue(first, loads.sets()),
            }),
            None => KnownLines::None,
        }
    }

    /// The residues at which the block may start if its directions may start anywhere.
    fn anywhere(&self, starts: Starts) -> Starts {
        let strides = self.directions.iter().map(|x| x.stride);
        strides.fold(starts, Starts::with_multiples_of)
    }

    /// The least and the most lines in the sink's set of boxes that are as long as the directions are at least and at most.
    fn bounds_by_lengths(
        &self,
        bounds: &[(i64, i64)],
        starts: Starts,
        loads: &SetLoads,
    ) -> (u64, u64) {
        let lines = |length: fn(&Lengths) -> i64| {
            let all = self.directions.iter().map(|x| Progression {
                stride: x.stride,
                length: length(&x.lengths(bounds)),
            });
            loads.extremes(&all.collect::<Vec<_>>(), starts)
        };
        (lines(|x| x.least).0, lines(|x| x.most).1)
    }

    /// At most how many lines are in the sink's set, from a box around the block.
    fn most_of_box(&self, bounds: &[(i64, i64)], starts: Starts, loads: &SetLoads) -> u64 {
        let mut ranges = Vec::with_capacity(self.directions.len());
        for direction in &self.directions {
            let Some(range) = direction.possible_range(bounds, &ranges) else {
                return u64::MAX;
            };
            ranges.push(range);
        }
        self.extremes_of_box(&ranges, starts, loads).1
    }

    /// At least how many lines are in the sink's set, from boxes within the block; `before` has the ranges of the first
    /// directions.
    fn least_of_boxes(
        &self,
        bounds: &[(i64, i64)],
        starts: Starts,
        loads: &SetLoads,
        before: &mut Vec<(i64, i64)>,
    ) -> u64 {
        let Some(direction) = self.directions.get(before.len()) else {
            return self.extremes_of_box(before, starts, loads).0;
        };
        let Some((lo, hi)) = direction.certain_range(bounds, before) else {
            return 0;
        };
        let is_last = before.len() + 1 == self.directions.len();
        let strips = match is_last || self.is_product {
            true => 1,
            false => STRIPS.min(hi - lo + 1),
        };
        let mut sum = 0_u64;
        for strip in 0..strips {
            let at = |x: i64| {
                let part = i128::from(hi - lo + 1) * i128::from(x) / i128::from(strips);
                lo + i64::try_from(part).unwrap_or(0)
            };
            before.push((at(strip), at(strip + 1) - 1));
            let lines = self.least_of_boxes(bounds, starts, loads, before);
            sum = sum.saturating_add(lines);
            before.pop();
        }
        sum
    }

    /// The least and the most lines in the sink's set where directions have these ranges.
    fn extremes_of_box(
        &self,
        ranges: &[(i64, i64)],
        starts: Starts,
        loads: &SetLoads,
    ) -> (u64, u64) {
        let (first, all) = self.box_of(ranges);
        loads.extremes(&all, starts.moved_by(residue(first, loads.sets())))
    }
}
