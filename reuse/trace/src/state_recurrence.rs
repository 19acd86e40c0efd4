//! Recurring states of a cache, fast-forwarded.
//!
//! Let a uniform loop move every array's accesses by a whole number of lines per period, the same
//! number modulo the sets. If the cache's state after a period is the state before it with every
//! line moved like its array, then the next period will do to it what this one did, only elsewhere,
//! and so on, as no policy depends on the names of lines, nor on the number of a set. The misses of the remaining periods
//! are those of the last one, and the final state is the present one moved on. This holds as long as moving lines on never
//! makes two of them one, which [`Ranges::are_apart`] checks for all lines concerned.
//!
//! Meanwhile iterations that touch the same lines as one that left the state as it was are passed over, see
//! [`repeat`](crate::repeat).

use crate::cache::{CacheSink, Transfers};
use crate::lru::{Picture, Resident, SHARED};
use crate::repeat::Watch;
use crate::sweep::{Moves, Ranges, period};
use crate::uniform::Uniform;
use crate::walk::{Interpreter, Iterations, Recur, Stop};
use premiss_arithmetic::lcm;
use premiss_tree::ArrayId;
use std::collections::BTreeMap;

/// The state at some iteration.
struct PeriodState {
    pictures: Vec<Picture>,
    misses: Vec<Vec<u64>>,
    transfers: Vec<Transfers>,
}

/// What is known when a period begins, to be compared with what is when it ends.
struct Snapshot {
    start: PeriodState,
    /// The iterations that whole periods leave over at the end of the loop, and the state after so
    /// many of this period.
    rest: u64,
    midway: Option<PeriodState>,
    /// What was touched before the period.
    prior_ranges: Ranges,
}

/// How a loop's accesses move on.
struct Motion {
    period: u64,
    /// Over a period.
    moves: Moves,
    /// Over an iteration.
    paces: Moves,
}

impl Motion {
    /// `None` where no state can recur before half of the loop is over.
    fn new(sink: &CacheSink, paces: &BTreeMap<ArrayId, i64>, count: u64) -> Option<Self> {
        let period = sink.period(paces).filter(|period| *period <= count / 2)?;
        Some(Self {
            period,
            moves: Moves::over(paces, period)?,
            paces: Moves::over(paces, 1)?,
        })
    }
}

impl Recur for CacheSink {
    fn recurring_loop(
        walk: &mut Interpreter<'_, Self>,
        iterations: &Iterations<'_>,
        uniform: &Uniform,
    ) -> Result<(), Stop> {
        let count = iterations.count;
        let id = iterations.step.header.id;
        let motion = uniform.moves.as_ref();
        let motion = motion.and_then(|moves| Motion::new(walk.sink, moves, count));
        let watches = 1 < count && walk.watched.history(id).watches();
        if !watches && motion.is_none() {
            return walk.all_iterations(iterations);
        }
        let mut watch = watches.then(|| walk.begin_watch(uniform));
        match &motion {
            Some(motion) => recurring_periods(walk, iterations, motion, &mut watch)?,
            None => {
                let mut t = 0;
                while t < count {
                    t += next_iterations(walk, iterations, t, count - 1, &mut watch)?;
                }
            }
        }
        if let Some(watch) = &watch {
            walk.end_watch(id, watch);
        }
        Ok(())
    }
}

/// Executes an iteration, and passes over those after it that only repeat it, as [`Interpreter::next_iterations`] does,
/// where comparing states costs less than iterations do.
fn next_iterations(
    walk: &mut Interpreter<'_, CacheSink>,
    iterations: &Iterations<'_>,
    t: u64,
    end: u64,
    watch: &mut Option<Watch>,
) -> Result<u64, Stop> {
    match watch {
        Some(watch) if walk.sink.is_worth_watching() => {
            let before = walk.sink.work;
            let done = walk.next_iterations(iterations, t, end, watch)?;
            walk.sink.latest_work = walk.sink.work - before;
            Ok(done)
        }
        _ => {
            let before = walk.sink.work;
            walk.iteration(iterations, t)?;
            walk.sink.latest_work = walk.sink.work - before;
            Ok(1)
        }
    }
}

/// Executes the iterations of a loop in which states may recur.
fn recurring_periods(
    walk: &mut Interpreter<'_, CacheSink>,
    iterations: &Iterations<'_>,
    motion: &Motion,
    watch: &mut Option<Watch>,
) -> Result<(), Stop> {
    let count = iterations.count;
    let start = walk.sink.work;
    // Nothing recurs to what was before the first access.
    let mut attempt_at = 1;
    // With its iteration, and the accesses before.
    let mut snapshot: Option<(u64, u64, Snapshot)> = None;
    let mut t = 0;
    while t < count {
        let done = walk.sink.work - start;
        // The last iteration is always executed, so that variables end as they should.
        let left = count - 1 - t;
        if let Some((since, _, before)) = &mut snapshot
            && *since + before.rest == t
        {
            before.midway = Some(walk.sink.state());
        }
        let is_over = |(since, ..): &mut (u64, u64, Snapshot)| *since + motion.period == t;
        if let Some((_, n_accesses, before)) = snapshot.take_if(is_over) {
            let periods = left.div_ceil(motion.period);
            let skip = |sink: &mut CacheSink| sink.skip(before, motion, left);
            let skips = walk.repeats(n_accesses, periods, skip)?;
            t += if skips { left } else { 0 };
            attempt_at = if skips { u64::MAX } else { 2 * done };
        } else if snapshot.is_none()
            && attempt_at.max(walk.sink.state_size()) <= done
            && motion.period < left
        {
            let rest = (left - motion.period) % motion.period;
            snapshot = Some((t, walk.n_accesses, walk.sink.snapshot(rest)));
        }
        let ends = snapshot
            .iter()
            .flat_map(|(since, _, before)| [*since + before.rest, *since + motion.period]);
        let end = ends.filter(|end| t < *end).fold(count - 1, u64::min);
        t += next_iterations(walk, iterations, t, end, watch)?;
    }
    if let Some((.., before)) = snapshot {
        walk.sink.ranges.merge(&before.prior_ranges);
    }
    Ok(())
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

    /// Whether an iteration looks at more lines, as the latest did, than are compared to find out whether it repeats.
    fn is_worth_watching(&self) -> bool {
        self.state_size() <= 2 * self.latest_work
    }

    /// The number of lines in all levels.
    fn state_size(&self) -> u64 {
        self.levels.iter().map(|level| level.len() as u64).sum()
    }

    fn state(&self) -> PeriodState {
        let touched = self.touched_ranges();
        PeriodState {
            pictures: self
                .levels
                .iter()
                .map(|level| level.picture(&touched))
                .collect(),
            misses: self.misses.clone(),
            transfers: self.transfers.clone(),
        }
    }

    /// Begins a period: clears the ranges touched since the last one began, and returns them.
    fn take_ranges(&mut self) -> Ranges {
        let ranges = self.ranges.take();
        self.earlier.merge(&ranges);
        ranges
    }

    fn snapshot(&mut self, rest: u64) -> Snapshot {
        let start = self.state();
        Snapshot {
            midway: (rest == 0).then(|| self.state()),
            start,
            rest,
            prior_ranges: self.take_ranges(),
        }
    }

    /// Skips the `left` iterations to come if the state recurs; returns whether it does.
    fn skip(&mut self, before: Snapshot, motion: &Motion, left: u64) -> bool {
        let Snapshot {
            start,
            midway,
            prior_ranges: mut touched,
            ..
        } = before;
        let now = self.state();
        let mut all = touched.clone();
        all.merge(&self.ranges);
        let pictures = start.pictures.iter().zip(&now.pictures);
        let recurs = pictures.enumerate().all(|(level, (earlier, now))| {
            let moved =
                |resident: &Resident| self.shifted_line(level, resident, &motion.moves, &all, 1);
            let sets = self.levels[level].geometry().sets.cast_signed();
            is_moved(earlier, now, sets, moved)
        });
        let midway = midway.filter(|midway| {
            recurs
                && self.can_move(midway, motion, &all)
                && self.stays_apart([&start, &now, midway], motion, &all, left)
        });
        let skips = midway.is_some();
        if let Some(midway) = midway {
            self.advance(&start, midway, motion, &all, left);
        }
        touched.merge(&self.ranges);
        self.ranges = touched;
        skips
    }

    /// Where a line of a level is after `times` periods.
    fn shifted_line(
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

    /// Whether it is known of every resident line how it moves.
    fn can_move(&self, state: &PeriodState, motion: &Motion, all: &Ranges) -> bool {
        state.pictures.iter().enumerate().all(|(level, picture)| {
            let moved = |resident| self.shifted_line(level, resident, &motion.moves, all, 1);
            picture
                .lines
                .iter()
                .all(|resident| moved(resident).is_some())
        })
    }

    /// Whether no two lines, of those resident at any of these times and those accessed in the period,
    /// are ever one for some iterations and two for others.
    fn stays_apart(
        &self,
        states: [&PeriodState; 3],
        motion: &Motion,
        all: &Ranges,
        left: u64,
    ) -> bool {
        let mut concerned = self.ranges.clone();
        let pictures = states
            .iter()
            .flat_map(|state| self.levels.iter().zip(&state.pictures));
        for (level, picture) in pictures {
            let line_size = level.geometry().line_size.cast_signed();
            for resident in &picture.lines {
                // All arrays move alike where several share a line; any of them stands for it.
                let owner = Some(resident.owner).filter(|owner| *owner != SHARED);
                if let Some(array) = owner.map(ArrayId::from_u32).or(all.first()) {
                    concerned.note_line(array, resident.line, line_size);
                }
            }
        }
        let Some(swept) = concerned.swept(&motion.paces, left) else {
            return false;
        };
        self.levels.iter().all(|level| {
            let line_size = level.geometry().line_size.cast_signed();
            swept.are_apart(&motion.paces, line_size)
        })
    }

    /// Replaces the state by that after `left` more iterations: the one at the same point of the last period, moved on
    /// by the whole periods and one more.
    fn advance(
        &mut self,
        start: &PeriodState,
        midway: PeriodState,
        motion: &Motion,
        all: &Ranges,
        left: u64,
    ) {
        let whole = left / motion.period;
        let advance = |now: &mut u64, start: u64, midway: u64| {
            *now += (*now - start) * whole + (midway - start);
        };
        let counts = self.misses.iter_mut().flatten();
        let earlier = start.misses.iter().flatten();
        for ((now, start), midway) in counts.zip(earlier).zip(midway.misses.iter().flatten()) {
            advance(now, *start, *midway);
        }
        let counts = self.transfers.iter_mut().zip(&start.transfers);
        for ((now, start), midway) in counts.zip(&midway.transfers) {
            advance(&mut now.read, start.read, midway.read);
            advance(
                &mut now.written_back,
                start.written_back,
                midway.written_back,
            );
        }
        for (level, mut picture) in midway.pictures.into_iter().enumerate() {
            for resident in &mut picture.lines {
                let moved = self.shifted_line(level, resident, &motion.moves, all, whole + 1);
                resident.line = moved.unwrap_or(resident.line);
                if resident.owner != SHARED {
                    let line_size = self.line_size(level);
                    let array = ArrayId::from_u32(resident.owner);
                    self.earlier.note_line(array, resident.line, line_size);
                }
            }
            self.levels[level].restore(&picture);
        }
        if let Some(swept) = self.ranges.swept(&motion.paces, left) {
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
    let present: BTreeMap<i64, (u64, &[Resident])> = now
        .by_set()
        .map(|(set, lines)| (set.number, (set.bits, lines)))
        .collect();
    earlier.by_set().all(|(set, lines)| {
        let bits = set.bits;
        let Some(set) = moved(&lines[0]).map(|line| line.rem_euclid(sets)) else {
            return false;
        };
        present.get(&set).is_some_and(|(bits_now, now)| {
            *bits_now == bits
                && now.len() == lines.len()
                && lines.iter().zip(*now).all(|(earlier, now)| {
                    earlier.owner == now.owner
                        && earlier.dirty == now.dirty
                        && moved(earlier) == Some(now.line)
                })
        })
    })
}
