//! Recurring states of a cache, fast-forwarded.
//!
//! Let a uniform loop move every array's accesses by a whole number of lines per period, the same
//! number modulo the sets. If the cache's state after a period is the state before it with every
//! line moved like its array, then the next period will do to it what this one did, only elsewhere,
//! and so on: LRU does not care for names. The misses of the remaining periods are those of the last
//! one, and the final state is the present one moved on. This holds as long as moving lines on never
//! makes two of them one, which [`Ranges::are_apart`] checks for all lines concerned.

use crate::cache::CacheSink;
use crate::lru::{Picture, Resident};
use crate::state::CacheState;
use crate::sweep::{Moves, Ranges, lcm, period};
use crate::walk::{Iterations, Recur, Stop, Walk};
use premiss_tree::ArrayId;
use std::collections::BTreeMap;

/// The state at the start of a period, to be compared with that at its end.
struct Snapshot {
    pictures: Vec<Picture>,
    misses: Vec<Vec<u64>>,
    /// What was touched before the period.
    touched: Ranges,
}

impl Recur for CacheSink {
    fn recurring_loop(
        walk: &mut Walk<'_, Self>,
        iterations: &Iterations<'_>,
        moves: &BTreeMap<ArrayId, i64>,
    ) -> Result<(), Stop> {
        let count = iterations.count;
        let found = walk
            .sink
            .period(moves)
            .filter(|period| *period <= count / 3)
            .and_then(|period| Some((period, Moves::over(moves, period)?)));
        let Some((period, moves)) = found else {
            return walk.all_iterations(iterations);
        };
        let start = walk.sink.work;
        let mut attempt_at = 0;
        let mut snapshot: Option<(u64, Snapshot)> = None;
        let mut t = 0;
        while t < count {
            // The last iteration is always executed, so that variables end as they should.
            let left = (count - 1 - t) / period;
            let done = walk.sink.work - start;
            if let Some((_, before)) = snapshot.take_if(|(since, _)| *since + period == t) {
                let skipped = walk.sink.skip(before, &moves, left);
                t += skipped * period;
                attempt_at = if 0 < skipped { u64::MAX } else { 2 * done };
            } else if snapshot.is_none()
                && attempt_at.max(walk.sink.state_size()) <= done
                && 1 < left
            {
                snapshot = Some((t, walk.sink.snapshot()));
            }
            walk.iteration(iterations, t)?;
            t += 1;
        }
        if let Some((_, before)) = snapshot {
            walk.sink.ranges.merge(&before.touched);
        }
        Ok(())
    }
}

impl CacheSink {
    /// The least number of iterations after which all levels can recur.
    fn period(&self, moves: &BTreeMap<ArrayId, i64>) -> Option<u64> {
        self.levels.iter().try_fold(1, |all, level| {
            let geometry = level.geometry();
            lcm(
                all,
                period(moves, geometry.line_size.cast_signed(), geometry.sets)?,
            )
        })
    }

    fn state_size(&self) -> u64 {
        self.levels.iter().map(|level| level.len() as u64).sum()
    }

    fn snapshot(&mut self) -> Snapshot {
        Snapshot {
            pictures: self.levels.iter().map(CacheState::picture).collect(),
            misses: self.misses.clone(),
            touched: self.ranges.take(),
        }
    }

    /// Skips up to `left` periods if the state recurs; returns how many.
    fn skip(&mut self, before: Snapshot, moves: &Moves, left: u64) -> u64 {
        let Snapshot {
            pictures: earlier,
            misses,
            mut touched,
        } = before;
        let now: Vec<Picture> = self.levels.iter().map(CacheState::picture).collect();
        let mut all = touched.clone();
        all.merge(&self.ranges);
        let recurs = 0 < left
            && earlier
                .iter()
                .zip(&now)
                .enumerate()
                .all(|(level, (earlier, now))| {
                    let moved = |resident: &Resident| self.moved(level, resident, moves, &all, 1);
                    let sets = self.levels[level].geometry().sets.cast_signed();
                    is_moved(earlier, now, sets, moved)
                })
            && self.stays_apart(&now, moves, left);
        if recurs {
            self.advance(now, &misses, moves, &all, left);
        }
        touched.merge(&self.ranges);
        self.ranges = touched;
        if recurs { left } else { 0 }
    }

    /// Where a line of a level is after so many periods.
    fn moved(
        &self,
        level: usize,
        resident: &Resident,
        moves: &Moves,
        all: &Ranges,
        times: u64,
    ) -> Option<i64> {
        let bytes = moves.of_owner(resident.owner, all)?;
        let lines = bytes / self.levels[level].geometry().line_size.cast_signed();
        let distance = lines.checked_mul(i64::try_from(times).ok()?)?;
        resident.line.checked_add(distance)
    }

    /// Whether no two lines, of those resident and those accessed in the period, ever become one.
    fn stays_apart(&self, now: &[Picture], moves: &Moves, left: u64) -> bool {
        let mut concerned = self.ranges.clone();
        for (level, picture) in self.levels.iter().zip(now) {
            let line_size = level.geometry().line_size.cast_signed();
            for resident in &picture.lines {
                if resident.owner != crate::lru::SHARED {
                    let array = ArrayId::from_u32(resident.owner);
                    concerned.note_line(array, resident.line, line_size);
                }
            }
        }
        let Some(swept) = concerned.swept(moves, left + 1) else {
            return false;
        };
        self.levels.iter().all(|level| {
            let line_size = level.geometry().line_size.cast_signed();
            swept.are_apart(moves, line_size)
        })
    }

    fn advance(
        &mut self,
        now: Vec<Picture>,
        misses_before: &[Vec<u64>],
        moves: &Moves,
        all: &Ranges,
        times: u64,
    ) {
        for (counts, before) in self.misses.iter_mut().zip(misses_before) {
            for (count, before) in counts.iter_mut().zip(before) {
                *count += (*count - before) * times;
            }
        }
        for (level, mut picture) in now.into_iter().enumerate() {
            for resident in &mut picture.lines {
                let moved = self.moved(level, resident, moves, all, times);
                resident.line = moved.unwrap_or(resident.line);
            }
            self.levels[level].restore(&picture);
        }
        if let Some(swept) = self.ranges.swept(moves, times) {
            self.ranges = swept;
        }
    }
}

/// Whether the present picture of a level is the earlier one with every line moved.
fn is_moved(
    earlier: &Picture,
    now: &Picture,
    sets: i64,
    moved: impl Fn(&Resident) -> Option<i64>,
) -> bool {
    if earlier.lines.len() != now.lines.len() || earlier.sets.len() != now.sets.len() {
        return false;
    }
    let present: BTreeMap<i64, &[Resident]> = now.by_set().collect();
    earlier.by_set().all(|(_, lines)| {
        let Some(set) = moved(&lines[0]).map(|line| line.rem_euclid(sets)) else {
            return false;
        };
        present.get(&set).is_some_and(|now| {
            now.len() == lines.len()
                && lines.iter().zip(*now).all(|(earlier, now)| {
                    earlier.owner == now.owner
                        && earlier.dirty == now.dirty
                        && moved(earlier) == Some(now.line)
                })
        })
    })
}
