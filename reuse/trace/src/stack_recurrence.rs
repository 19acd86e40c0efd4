//! Recurring LRU stacks, fast-forwarded.
//!
//! As in [`state_recurrence`](crate::state_recurrence), but the stack of all lines ever accessed never recurs as a whole
//! while new lines come in. It need not: an access at distance `d` depends on the top `d + 1` lines
//! only. So if the greatest finite distance of a period was `d`, and the top `d + 1` lines at its end
//! are those at its start, each moved like its array, the next period's finite distances are the
//! same; and its first accesses to lines are first accesses again if the lines, moved on, have never
//! been accessed. Skipped periods still put their lines onto the stack, in order: that costs as much
//! as there are distinct lines, however often they are accessed.

use crate::stack::StackEntry;
use crate::sweep::{Moves, Ranges, period};
use crate::uniform::Uniform;
use crate::walk::{Interpreter, Iterations, Recur, Stop};
use crate::windows::HistogramSink;
use premiss_tree::ArrayId;

/// Putting this many lines onto the stack, moved on, counts as a step.
const MOVED_IN_A_STEP: u64 = 16;

/// The state at the start of a period.
struct Snapshot {
    from_top: Vec<StackEntry>,
    greatest: Option<u64>,
    prior_ranges: Ranges,
    n_cold: usize,
}

impl Recur for HistogramSink {
    fn recurring_loop(
        walk: &mut Interpreter<'_, Self>,
        iterations: &Iterations<'_>,
        uniform: &Uniform,
    ) -> Result<(), Stop> {
        let count = iterations.count;
        let found = uniform.moves.as_ref().and_then(|moves| {
            let period = period(moves, walk.sink.line_size(), 1)?;
            let moves = Moves::over(moves, period)?;
            (period <= count / 3).then_some((period, moves))
        });
        let Some((period, moves)) = found else {
            return walk.all_iterations(iterations);
        };
        let start = walk.sink.work;
        // Nothing recurs to what was before the first access.
        let mut attempt_at = 1;
        let mut snapshot: Option<Snapshot> = None;
        let mut t = 0;
        while t < count {
            if t % period == 0 {
                // The last iteration is always executed, so that variables end as they should.
                let left = (count - 1 - t) / period;
                let done = walk.sink.work - start;
                if let Some(before) = snapshot.take() {
                    let affordable = walk.steps_left();
                    let again = walk.sink.recurrences(&before, &moves, left, affordable);
                    attempt_at = if 0 < again { u64::MAX } else { 2 * done };
                    if 0 < again {
                        repeat(walk, iterations, t, period, &moves, again)?;
                        t += again * period;
                    }
                } else if attempt_at.max(walk.sink.stack.len() as u64) <= done && 1 < left {
                    snapshot = Some(walk.sink.snapshot());
                }
            }
            walk.iteration(iterations, t)?;
            t += 1;
        }
        if let Some(before) = snapshot {
            walk.sink.forget(&before);
        }
        Ok(())
    }
}

/// Executes the period that starts at iteration `t` once, counting it `times` over, and puts the
/// lines of the other periods onto the stack.
fn repeat(
    walk: &mut Interpreter<'_, HistogramSink>,
    iterations: &Iterations<'_>,
    t: u64,
    period: u64,
    moves: &Moves,
    times: u64,
) -> Result<(), Stop> {
    walk.sink.stack.mark();
    walk.weighed(times, |walk| {
        (t..t + period).try_for_each(|t| walk.iteration(iterations, t))
    })?;
    move_on(walk, moves, times - 1)
}

/// Puts the lines accessed since the last mark onto the stack again, moved on by one period, by two, and so on.
fn move_on(
    walk: &mut Interpreter<'_, HistogramSink>,
    moves: &Moves,
    times: u64,
) -> Result<(), Stop> {
    let lines = walk.sink.stack.since_mark();
    let all = walk.sink.ranges_with(&lines);
    // A line that stays is put on top by the last turn anyway.
    let stays =
        |entry: &StackEntry| walk.sink.shifted_line(*entry, moves, &all, 1) == Some(entry.line);
    let moving: Vec<StackEntry> = lines.iter().copied().filter(|x| !stays(x)).collect();
    let turns = match moving.is_empty() {
        true => times..=times,
        false => 1..=times,
    };
    let mut moved = 0;
    for turn in turns.filter(|turn| 0 < *turn) {
        let lines = if turn < times { &moving } else { &lines };
        walk.sink.put_moved(lines, moves, &all, turn);
        moved += lines.len() as u64;
        walk.spend(moved / MOVED_IN_A_STEP)?;
        moved %= MOVED_IN_A_STEP;
    }
    if let Some(swept) = walk.sink.ranges.swept(moves, times) {
        walk.sink.ranges = swept;
    }
    Ok(())
}

impl HistogramSink {
    fn snapshot(&mut self) -> Snapshot {
        self.periods += 1;
        Snapshot {
            from_top: self.stack.top_down().collect(),
            greatest: self.greatest.take(),
            prior_ranges: self.ranges.take(),
            n_cold: self.cold.len(),
        }
    }

    /// Goes on as if no snapshot had been taken.
    fn forget(&mut self, before: &Snapshot) {
        self.ranges.merge(&before.prior_ranges);
        self.greatest = self.greatest.max(before.greatest);
        self.periods -= 1;
        if self.periods == 0 {
            self.cold.clear();
        }
    }

    /// How many of the next `left` periods are sure to be like the one since the snapshot. Beyond those that so many
    /// steps suffice for, it does not matter.
    fn recurrences(&mut self, before: &Snapshot, moves: &Moves, left: u64, affordable: u64) -> u64 {
        let mut all = before.prior_ranges.clone();
        all.merge(&self.ranges);
        let depth = self.greatest.map_or(0, |greatest| greatest + 1);
        let depth = usize::try_from(depth).unwrap_or(usize::MAX);
        let recurs = 0 < left
            && self.top_is_moved(&before.from_top, depth, moves, &all)
            && self.stays_apart(&before.from_top, depth, moves, left);
        let fresh = if recurs {
            let cold = &self.cold[before.n_cold..];
            match cold.len() as u64 {
                0 => left,
                n_cold => {
                    let put = affordable.saturating_mul(MOVED_IN_A_STEP) / n_cold;
                    let most = left.min(put.saturating_add(1));
                    self.fresh_periods(cold, moves, &all, most)
                }
            }
        } else {
            0
        };
        self.forget(before);
        fresh
    }

    fn shifted_line(
        &self,
        entry: StackEntry,
        moves: &Moves,
        all: &Ranges,
        times: u64,
    ) -> Option<i64> {
        let owner = if self.any_shared {
            crate::lru::SHARED
        } else {
            entry.owner
        };
        let lines = moves.of_owner(owner, all)? / self.line_size();
        entry
            .line
            .checked_add(lines.checked_mul(i64::try_from(times).ok()?)?)
    }

    fn top_is_moved(
        &self,
        earlier: &[StackEntry],
        depth: usize,
        moves: &Moves,
        all: &Ranges,
    ) -> bool {
        let mut now = self.stack.top_down();
        depth <= earlier.len()
            && earlier[..depth].iter().all(|entry| {
                self.shifted_line(*entry, moves, all, 1) == now.next().map(|now| now.line)
            })
    }

    /// Whether no two lines, of those at the top and those accessed in the period, become one.
    fn stays_apart(&self, earlier: &[StackEntry], depth: usize, moves: &Moves, left: u64) -> bool {
        let mut concerned = self.ranges.clone();
        let earlier = earlier.iter().take(depth).copied();
        for entry in self.stack.top_down().take(depth).chain(earlier) {
            let array = ArrayId::from_u32(entry.owner);
            concerned.note_line(array, entry.line, self.line_size());
        }
        concerned
            .swept(moves, left + 1)
            .is_some_and(|swept| swept.are_apart(moves, self.line_size()))
    }

    /// For how many periods, up to `left`, the lines first accessed in the last one, moved on, are
    /// accessed for the first time again.
    fn fresh_periods(&self, cold: &[StackEntry], moves: &Moves, all: &Ranges, left: u64) -> u64 {
        let is_fresh = |times: u64| {
            cold.iter().all(|entry| {
                self.shifted_line(*entry, moves, all, times)
                    .is_some_and(|line| !self.stack.contains(line))
            })
        };
        (1..=left).take_while(|times| is_fresh(*times)).count() as u64
    }

    /// The ranges touched in the period, with some lines.
    fn ranges_with(&self, lines: &[StackEntry]) -> Ranges {
        let mut all = self.ranges.clone();
        for entry in lines {
            all.note_line(ArrayId::from_u32(entry.owner), entry.line, self.line_size());
        }
        all
    }

    /// Puts lines onto the stack, moved on by so many periods.
    fn put_moved(&mut self, lines: &[StackEntry], moves: &Moves, all: &Ranges, turn: u64) {
        for entry in lines {
            let Some(line) = self.shifted_line(*entry, moves, all, turn) else {
                continue;
            };
            self.work += 1;
            if 0 < self.periods && !self.stack.contains(line) {
                self.cold.push(StackEntry { line, ..*entry });
            }
            self.stack.touch(line, entry.owner);
        }
    }
}
