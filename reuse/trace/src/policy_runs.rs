//! Runs through a cache whose first level is not LRU, so that hits may matter that would not there.
//!
//! ```text
//! for (k…) c[i][j] += a[i][k] * b[k][j];
//! ```
//! Accesses are *slow* if they stay in a line for several iterations, as those to `c` and `a`, and else *fast*. A slow
//! access is *quiet* while its line is the last that was accessed in its set: making it again changes nothing (see
//! [`policy_sets`](crate::policy_sets)). So where all slow accesses are quiet, an iteration needs to make only the fast
//! ones and those that enter another line, unless these go to the set of a quiet one; and nothing at all happens in
//! iterations without such accesses. In the example, seven of eight iterations access `b` alone.

use crate::cache::CacheSink;
use crate::grouping::may_straddle;
use crate::policy_sets::{Cursor, PolicySets};
use crate::run::{AccessRun, line_of, stay};
use crate::state::CacheState;

/// The accesses of a run on their way.
#[derive(Debug, Default)]
pub(crate) struct Cursors {
    /// Slow ones and fast ones, each in the order of the run.
    slow: Vec<Cursor>,
    fast: Vec<Cursor>,
    /// The iteration in which a slow access enters another line.
    next: u64,
}

impl CacheSink {
    /// Runs whole iterations, or what of them matters.
    pub(crate) fn run_in_policy(&mut self, run: &AccessRun<'_>) {
        let line_size = self.line_size(0);
        if run.iterations == 1 || run.accesses.iter().any(|x| may_straddle(x, line_size)) {
            return self.run_in_full(run);
        }
        let mut cursors = std::mem::take(&mut self.cursors);
        self.place_cursors(&mut cursors, run);
        let mut t = 0;
        while t < run.iterations {
            t = match self.make_necessary(&mut cursors, run, t) {
                true => self.run_fast(&mut cursors, run, t + 1),
                false => t + 1,
            };
        }
        for cursor in cursors.slow.iter().chain(&cursors.fast) {
            self.count(
                &run.accesses[cursor.position],
                cursor.misses,
                cursor.written_back,
            );
        }
        self.cursors = cursors;
    }

    /// Runs whole iterations. Those that stay in the lines of one that changed nothing change nothing either.
    fn run_in_full(&mut self, run: &AccessRun<'_>) {
        let mut t = 0;
        while t < run.iterations {
            let changes = self.first_level().changes();
            self.iteration(run, t);
            t += match self.first_level().changes() == changes {
                true => run.stretch(t, self.line_size(0)),
                false => 1,
            };
        }
    }

    fn place_cursors(&mut self, cursors: &mut Cursors, run: &AccessRun<'_>) {
        let line_size = self.line_size(0);
        cursors.slow.clear();
        cursors.fast.clear();
        cursors.next = 0;
        for (position, access) in run.accesses.iter().enumerate() {
            let Some(address) = access.address else {
                continue;
            };
            let cursor = Cursor::new(position, address, access.stride, self.dirties(access));
            match line_size <= access.stride.abs() {
                true => cursors.fast.push(cursor),
                false => cursors.slow.push(cursor),
            }
        }
    }

    /// Makes the accesses of an iteration, those of quiet ones only where that may matter. Returns whether all slow ones
    /// are quiet then, or nothing would change if they were made again.
    fn make_necessary(&mut self, cursors: &mut Cursors, run: &AccessRun<'_>, t: u64) -> bool {
        let line_size = self.line_size(0);
        let sets = self.first_level();
        // The sets of quiet accesses, and of the others, modulo 64.
        let (mut quiet, mut entered) = (0_u64, 0_u64);
        let mut next = u64::MAX;
        for cursor in &mut cursors.slow {
            if cursor.next == t {
                cursor.enter(sets, t, line_size);
            }
            next = next.min(cursor.next);
            match cursor.is_quiet {
                true => quiet |= cursor.set_bit(),
                false => entered |= cursor.set_bit(),
            }
        }
        cursors.next = next.min(run.iterations);
        for cursor in &mut cursors.fast {
            cursor.go_to(sets, t, line_size);
            entered |= cursor.set_bit();
        }
        let skips_quiet = quiet & entered == 0;
        let before = sets.changes();
        let Cursors { slow, fast, .. } = cursors;
        let (mut slow_ones, mut fast_ones) =
            (slow.iter_mut().peekable(), fast.iter_mut().peekable());
        loop {
            let from_slow = match (slow_ones.peek(), fast_ones.peek()) {
                (Some(slow), Some(fast)) => slow.position < fast.position,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let cursor = if from_slow {
                slow_ones.next()
            } else {
                fast_ones.next()
            };
            if let Some(cursor) = cursor.filter(|cursor| !(cursor.is_quiet && skips_quiet)) {
                self.make(cursor, run);
            }
        }
        self.settle(cursors, skips_quiet, before)
    }

    /// Finds out which slow accesses are quiet after an iteration in which the quiet ones before were made or not, and
    /// before which there were so many changes; returns whether the next one needs none of them.
    fn settle(&mut self, cursors: &mut Cursors, skips_quiet: bool, changes: u64) -> bool {
        let sets = self.first_level();
        let mut are_quiet = true;
        for cursor in &mut cursors.slow {
            if !(skips_quiet && cursor.is_quiet) {
                cursor.is_quiet = sets.is_newest(cursor);
            }
            are_quiet &= cursor.is_quiet;
        }
        are_quiet || cursors.fast.is_empty() && sets.changes() == changes
    }

    /// Makes the fast accesses alone, from an iteration on until one enters a set of slow ones, or a slow access enters
    /// another line; returns that iteration.
    fn run_fast(&mut self, cursors: &mut Cursors, run: &AccessRun<'_>, t: u64) -> u64 {
        if cursors.fast.is_empty() || cursors.next <= t {
            return cursors.next.max(t);
        }
        let line_size = self.line_size(0);
        let quiet = cursors.slow.iter().fold(0, |bits, x| bits | x.set_bit());
        if self.levels.len() == 1 {
            let done = self
                .first_level()
                .pass(&mut cursors.fast, t, cursors.next, quiet);
            self.work += done * cursors.fast.len() as u64;
            return t + done;
        }
        for t in t..cursors.next {
            let sets = self.first_level();
            let mut entered = 0;
            for cursor in &mut cursors.fast {
                cursor.go_to(sets, t, line_size);
                entered |= cursor.set_bit();
            }
            if entered & quiet != 0 {
                return t;
            }
            for cursor in &mut cursors.fast {
                self.make(cursor, run);
            }
        }
        cursors.next
    }

    fn make(&mut self, cursor: &mut Cursor, run: &AccessRun<'_>) {
        if self.levels.len() == 1 {
            self.work += 1;
            self.first_level().make(cursor);
        } else {
            let access = &run.accesses[cursor.position];
            self.touch(cursor.line, access, cursor.dirties);
        }
    }

    fn first_level(&mut self) -> &mut PolicySets {
        match &mut self.levels[0] {
            CacheState::Policy(sets) => sets,
            _ => unreachable!("the first level has a policy of its own"),
        }
    }
}

impl Cursor {
    /// Moves a slow access to its line at an iteration, in which it enters it.
    fn enter(&mut self, sets: &PolicySets, t: u64, line_size: i64) {
        self.go_to(sets, t, line_size);
        let address = self.address + self.stride * t.cast_signed();
        self.next = t.saturating_add(stay(address, self.stride, line_size));
        self.is_quiet = false;
    }

    /// Moves an access to its line at an iteration.
    fn go_to(&mut self, sets: &PolicySets, t: u64, line_size: i64) {
        let address = self.address + self.stride * t.cast_signed();
        self.line = line_of(address, line_size);
        self.set = sets.set_number(self.line);
    }

    /// Its set, modulo 64, as a bit.
    fn set_bit(&self) -> u64 {
        1 << (self.set % 64)
    }
}
