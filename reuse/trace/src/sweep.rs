//! The lines that arrays' accesses have touched, and whether they would collide when moved on.

use crate::run::{AccessRun, LineNumber, line_of};
use premiss_arithmetic::{gcd, lcm};
use premiss_tree::{ArrayId, EntityRef};
use std::collections::BTreeMap;

/// For each array, the least and the greatest address that has been touched.
#[derive(Clone, Debug)]
pub(crate) struct Ranges {
    ranges: Vec<Option<(i64, i64)>>,
}

impl Ranges {
    pub(crate) fn new(n_arrays: usize) -> Self {
        Self {
            ranges: vec![None; n_arrays],
        }
    }

    /// Leaves nothing touched; returns what was.
    pub(crate) fn take(&mut self) -> Self {
        let n_arrays = self.ranges.len();
        std::mem::replace(self, Self::new(n_arrays))
    }

    /// Notes the accesses of a run; returns the least address and the greatest.
    pub(crate) fn note(&mut self, run: &AccessRun<'_>) -> Option<(i64, i64)> {
        let mut all: Option<(i64, i64)> = None;
        for access in run.accesses {
            if let Some((low, high)) = access.ends(run.iterations) {
                self.add(access.array.index(), low, high);
                all = Some(match all {
                    Some((least, greatest)) => (least.min(low), greatest.max(high)),
                    None => (low, high),
                });
            }
        }
        all
    }

    /// Notes a line.
    pub(crate) fn note_line(&mut self, array: ArrayId, line: LineNumber, line_size: i64) {
        let low = line.saturating_mul(line_size);
        self.add(array.index(), low, low.saturating_add(line_size - 1));
    }

    /// Which array has touched which lines.
    pub(crate) fn owners(&self, line_size: i64) -> Owners {
        let spans = (0..).zip(&self.ranges).filter_map(|(array, range)| {
            let (low, high) = (*range)?;
            Some((low.div_euclid(line_size), high.div_euclid(line_size), array))
        });
        Owners {
            spans: spans.collect(),
        }
    }

    /// The first array that has been touched.
    pub(crate) fn first(&self) -> Option<ArrayId> {
        let touched = self.ranges.iter().position(Option::is_some);
        touched.map(ArrayId::new)
    }

    /// Notes all bytes of the lines that the first and the last byte of each array are in: what iterations touch that only
    /// touch these lines again.
    pub(crate) fn widen(&mut self, line_size: i64) {
        for (low, high) in self.ranges.iter_mut().flatten() {
            *low = line_of(*low, line_size).saturating_mul(line_size);
            *high = line_of(*high, line_size)
                .saturating_mul(line_size)
                .saturating_add(line_size - 1);
        }
    }

    /// Notes what another has touched.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (array, range) in other.ranges.iter().enumerate() {
            if let Some((low, high)) = range {
                self.add(array, *low, *high);
            }
        }
    }

    fn add(&mut self, array: usize, low: i64, high: i64) {
        let range = &mut self.ranges[array];
        *range = Some(match *range {
            Some((least, greatest)) => (least.min(low), greatest.max(high)),
            None => (low, high),
        });
    }

    /// What is touched if all that moves is also touched `moves * times` bytes further on, and
    /// everywhere between; `None` where that does not fit.
    pub(crate) fn swept(&self, moves: &Moves, times: u64) -> Option<Self> {
        let mut swept = self.clone();
        let times = i64::try_from(times).ok()?;
        for (array, range) in swept.ranges.iter_mut().enumerate() {
            if let Some((low, high)) = range {
                let distance = moves.of(ArrayId::new(array)).checked_mul(times)?;
                *low = low.checked_add(distance.min(0))?;
                *high = high.checked_add(distance.max(0))?;
            }
        }
        Some(swept)
    }

    /// Whether arrays that move differently are in different lines of `line_size` bytes.
    pub(crate) fn are_apart(&self, moves: &Moves, line_size: i64) -> bool {
        let mut spans: Vec<(i64, i64, i64)> = self
            .ranges
            .iter()
            .enumerate()
            .filter_map(|(array, range)| {
                let (low, high) = (*range)?;
                let (low, high) = (low.div_euclid(line_size), high.div_euclid(line_size));
                Some((low, high, moves.of(ArrayId::new(array))))
            })
            .collect();
        spans.sort_unstable();
        // By rising start: the furthest end so far, and how those that reach on to it move.
        let mut furthest: Option<(i64, i64)> = None;
        spans.into_iter().all(|(low, high, bytes)| {
            let overlapped = furthest.filter(|(end, _)| low <= *end);
            let end = overlapped.map_or(high, |(end, _)| end.max(high));
            furthest = Some((end, bytes));
            overlapped.is_none_or(|(_, other)| other == bytes)
        })
    }
}

/// Which array has touched which lines, as far as their ranges tell.
#[derive(Debug)]
pub(crate) struct Owners {
    /// First line, last line, number of the array.
    spans: Vec<(LineNumber, LineNumber, u32)>,
}

impl Owners {
    /// The only array in whose range a line is, or [`SHARED`](crate::lru::SHARED).
    pub(crate) fn of(&self, line: LineNumber) -> u32 {
        let holds =
            |(first, last, _): &&(LineNumber, LineNumber, u32)| (*first..=*last).contains(&line);
        let mut found = self.spans.iter().filter(holds);
        match (found.next(), found.next()) {
            (Some((_, _, array)), None) => *array,
            _ => crate::lru::SHARED,
        }
    }
}

/// By how many bytes each array's accesses lie further on after a period.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    bytes: BTreeMap<ArrayId, i64>,
}

impl Moves {
    /// The moves over `period` iterations; `None` where they do not fit.
    pub(crate) fn over(per_iteration: &BTreeMap<ArrayId, i64>, period: u64) -> Option<Self> {
        let period = i64::try_from(period).ok()?;
        let bytes = per_iteration
            .iter()
            .map(|(array, bytes)| Some((*array, bytes.checked_mul(period)?)))
            .collect::<Option<_>>()?;
        Some(Self { bytes })
    }

    /// The move of an array; nothing for one that the loop does not access.
    pub(crate) fn of(&self, array: ArrayId) -> i64 {
        self.bytes.get(&array).copied().unwrap_or(0)
    }

    /// The move of a line by its owner; that of all arrays where several own it and all move alike.
    pub(crate) fn of_owner(&self, owner: u32, touched: &Ranges) -> Option<i64> {
        if owner != crate::lru::SHARED {
            return Some(self.of(ArrayId::from_u32(owner)));
        }
        let mut touched = (0..touched.ranges.len())
            .filter(|array| touched.ranges[*array].is_some())
            .map(|array| self.of(ArrayId::new(array)));
        let first = touched.next()?;
        touched.all(|other| other == first).then_some(first)
    }
}

/// The least number of iterations after which every move is a whole number of lines, and the same
/// number modulo `sets`; `None` where it is beyond all use.
pub(crate) fn period(
    per_iteration: &BTreeMap<ArrayId, i64>,
    line_size: i64,
    sets: u64,
) -> Option<u64> {
    let mut period = 1_u64;
    for bytes in per_iteration.values() {
        let pace = bytes.unsigned_abs();
        let whole = line_size.cast_unsigned() / gcd(pace, line_size.cast_unsigned());
        period = lcm(period, whole)?;
    }
    let sets = i128::from(sets);
    let lines = |bytes: &i64| i128::from(*bytes) * i128::from(period) / i128::from(line_size);
    let mut turns = 1_u64;
    let first = per_iteration.values().next().map(lines)?;
    for bytes in per_iteration.values() {
        let apart = u64::try_from((lines(bytes) - first).rem_euclid(sets)).ok()?;
        let sets = u64::try_from(sets).ok()?;
        turns = lcm(turns, sets / gcd(apart, sets))?;
    }
    period.checked_mul(turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(bytes: &[i64]) -> BTreeMap<ArrayId, i64> {
        bytes
            .iter()
            .enumerate()
            .map(|(idx, bytes)| (ArrayId::new(idx), *bytes))
            .collect()
    }

    #[test]
    fn a_period_makes_moves_whole_lines_and_keeps_sets_together() {
        assert_eq!(period(&moves(&[4000, 4000]), 64, 64), Some(2));
        assert_eq!(period(&moves(&[4000, 0]), 64, 1), Some(2));
        assert_eq!(period(&moves(&[4000, 0]), 64, 64), Some(128));
        assert_eq!(period(&moves(&[0, 0]), 64, 64), Some(1));
        assert_eq!(period(&moves(&[-8, 8]), 64, 3), Some(24));
    }

    #[test]
    fn arrays_that_move_differently_must_not_share_lines() {
        let mut ranges = Ranges::new(3);
        ranges.note_line(ArrayId::new(0), 0, 64);
        ranges.note_line(ArrayId::new(1), 2, 64);
        ranges.note_line(ArrayId::new(2), 9, 64);
        let apart = |bytes: &[i64], times, line_size| {
            let moves = Moves::over(&moves(bytes), 1).unwrap();
            ranges
                .swept(&moves, times)
                .unwrap()
                .are_apart(&moves, line_size)
        };
        assert!(apart(&[64, 0, 0], 1, 64));
        assert!(!apart(&[64, 0, 0], 2, 64));
        assert!(apart(&[64, 0, 0], 1, 128));
        assert!(!apart(&[64, 0, 0], 1, 256));
        assert!(apart(&[64, 64, 64], 100, 64));
        assert!(!apart(&[64, 64, 0], 7, 64));
        assert!(!apart(&[0, 0, -64], 7, 64));
    }
}
