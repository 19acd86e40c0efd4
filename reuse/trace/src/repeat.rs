//! Loops whose iterations touch the same lines, one after the other.
//!
//! In
//! ```text
//! for (i = 0; i < 3; i++) for (k = 0; k < 3; k++) { t[0] = val[i]; t[1] = val[k]; if (?) … }
//! ```
//! references to one array move differently, so that the state of a cache is never the one before with
//! arrays moved on. But all of `val` lies in one line: every iteration touches the same lines. Where one
//! leaves the state of a sink as it found it, up to the names of moments, so does the next, and counts the
//! same: it need not be walked.
//!
//! Which iterations touch the same lines is known of uniform loops: every reference moves by a fixed distance, so one
//! that reached from `low` to `high` within its lines stays in them for a known number of iterations. A walk down a column
//! has many lines but few places within them: where rows are whole lines, `b[k][j]` stays in its lines for eight values of
//! `j`, whatever `k`. A reference that does not move may reach any place.

use crate::run::{RunAccess, line_of, stay};
use crate::uniform::Uniform;
use crate::walk::{Interpreter, Iterations, Recur, Stop};
use premiss_arithmetic::gcd;
use premiss_tree::{EntityRef, LoopId, ReferenceId};

/// After this many iterations in a row in which nothing recurs, only every now and then one is watched.
const IN_A_ROW: u32 = 4;

/// The loops that are watched, the outermost first, and what is known of others.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    levels: Vec<Vec<Moving>>,
    /// For each reference, where it stands in the levels in which it moves.
    places: Vec<Vec<(usize, usize)>>,
    /// For each loop, how watching it went.
    history: Vec<WatchHistory>,
}

/// A reference that moves from iteration to iteration of a loop.
#[derive(Debug)]
struct Moving {
    reference: ReferenceId,
    shift: i64,
    reach: Reach,
}

/// The first and the last byte within lines that a reference touched in an iteration, if any; the last one is beyond the
/// line where elements straddle.
type Reach = Option<(i64, i64)>;

/// How watching a loop went: often entered loops in which nothing ever recurs are watched ever less.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WatchHistory {
    /// How many times in a row nothing recurred while it was watched.
    failures: u32,
    /// How many times it is now entered unwatched.
    pause: u32,
}

/// How watching a loop goes.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The iteration from which one is watched again.
    next: u64,
    /// In how many in a row nothing recurred.
    failures: u32,
    /// Whether iterations were passed over.
    has_passed: bool,
}

impl Watched {
    /// Notes what is handed to the sink.
    pub(crate) fn note(&mut self, accesses: &[RunAccess], iterations: u64, line_size: i64) {
        if self.levels.is_empty() {
            return;
        }
        for access in accesses {
            let Some(places) = self.places.get(access.reference.index()) else {
                continue;
            };
            if places.is_empty() {
                continue;
            }
            let reach = reach_of(access, iterations, line_size);
            for (level, idx) in places {
                let moving = &mut self.levels[*level][*idx];
                moving.reach = both(moving.reach, reach);
            }
        }
    }

    fn enter(&mut self, uniform: &Uniform) {
        let level = self.levels.len();
        for (idx, (reference, _)) in uniform.moving.iter().enumerate() {
            let number = reference.index();
            if self.places.len() <= number {
                self.places.resize(number + 1, Vec::new());
            }
            self.places[number].push((level, idx));
        }
        let moving = |(reference, shift): &(ReferenceId, i64)| Moving {
            reference: *reference,
            shift: *shift,
            reach: None,
        };
        self.levels
            .push(uniform.moving.iter().map(moving).collect());
    }

    fn leave(&mut self) {
        for moving in self.levels.pop().unwrap_or_default() {
            self.places[moving.reference.index()].pop();
        }
    }

    fn begin_iteration(&mut self) {
        let level = self.levels.last_mut().into_iter().flatten();
        level.for_each(|moving| moving.reach = None);
    }

    /// How many iterations after the one that ends touch the same lines in the innermost loop.
    fn same_after(&self, line_size: i64) -> u64 {
        let level = self.levels.last().into_iter().flatten();
        let stays = level.map(|moving| moving.stay(line_size));
        stays.min().unwrap_or(u64::MAX) - 1
    }

    /// Extends the reaches in the loops around by iterations of the innermost one that are passed over.
    fn pass_over(&mut self, iterations: u64) {
        let Some(level) = self.levels.pop() else {
            return;
        };
        for moving in &level {
            let places = &self.places[moving.reference.index()];
            let end = moving.after(iterations);
            for (outer, idx) in places.iter().rev().skip(1) {
                let around = &mut self.levels[*outer][*idx];
                around.reach = both(around.reach, end);
            }
        }
        self.levels.push(level);
    }

    pub(crate) fn history(&mut self, id: LoopId) -> &mut WatchHistory {
        if self.history.len() <= id.index() {
            self.history.resize(id.index() + 1, WatchHistory::default());
        }
        &mut self.history[id.index()]
    }
}

impl Moving {
    /// For how many iterations, the one noted included, it stays in its lines.
    fn stay(&self, line_size: i64) -> u64 {
        let Some((low, high)) = self.reach else {
            return u64::MAX;
        };
        if line_of(low, line_size) != line_of(high, line_size) {
            return 1;
        }
        stay(low, self.shift, line_size).min(stay(high, self.shift, line_size))
    }

    /// What it reaches `iterations` iterations later, all in the same line.
    fn after(&self, iterations: u64) -> Reach {
        let (low, high) = self.reach?;
        let distance = self.shift.saturating_mul(i64::try_from(iterations).ok()?);
        Some((low.saturating_add(distance), high.saturating_add(distance)))
    }
}

/// What an access reaches in a run. Its places within lines are apart by multiples of what its stride and a line have in
/// common.
fn reach_of(access: &RunAccess, iterations: u64, line_size: i64) -> Reach {
    let (low, high) = access.ends(iterations)?;
    let first = low - line_of(low, line_size) * line_size;
    if high - low < line_size - first {
        return Some((first, first + high - low));
    }
    let common = gcd(access.stride.unsigned_abs(), line_size.unsigned_abs()).cast_signed();
    let least = first % common;
    let size = i64::from(access.size.max(1));
    Some((least, line_size - common + least + size - 1))
}

/// From the first to the last byte of both.
fn both(a: Reach, b: Reach) -> Reach {
    match (a, b) {
        (Some((a_low, a_high)), Some((b_low, b_high))) => {
            Some((a_low.min(b_low), a_high.max(b_high)))
        }
        (a, b) => a.or(b),
    }
}

impl WatchHistory {
    /// Whether to watch the loop that is entered now.
    pub(crate) fn watches(&mut self) -> bool {
        let is_over = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        is_over
    }

    fn succeeded(&mut self) {
        *self = Self::default();
    }

    fn failed(&mut self) {
        self.failures = (self.failures + 1).min(16);
        self.pause = (1 << self.failures) / 8;
    }
}

impl<S: Recur> Interpreter<'_, S> {
    /// Executes a uniform loop of more than one iteration; passes over those that repeat.
    pub(crate) fn repeating_loop(
        &mut self,
        iterations: &Iterations<'_>,
        uniform: &Uniform,
    ) -> Result<(), Stop> {
        let id = iterations.step.header.id;
        if !self.watched.history(id).watches() {
            return self.all_iterations(iterations);
        }
        let mut watch = self.begin_watch(uniform);
        // Where variables are not left the same, the last iteration leaves them as they should be.
        let end = iterations.count - u64::from(!uniform.leaves_same);
        let mut t = 0;
        while t < iterations.count {
            t += self.next_iterations(iterations, t, end, &mut watch)?;
        }
        self.end_watch(id, &watch);
        Ok(())
    }

    /// Begins to watch a loop.
    pub(crate) fn begin_watch(&mut self, uniform: &Uniform) -> Watch {
        self.watched.enter(uniform);
        Watch::default()
    }

    /// Ends to watch the loop watched last.
    pub(crate) fn end_watch(&mut self, id: LoopId, watch: &Watch) {
        self.watched.leave();
        let history = self.watched.history(id);
        match watch.has_passed {
            false => history.failed(),
            true => history.succeeded(),
        }
    }

    /// Executes an iteration of the loop watched last, and passes over those after it, before `end`, that only repeat it;
    /// returns how many there were in all.
    pub(crate) fn next_iterations(
        &mut self,
        iterations: &Iterations<'_>,
        t: u64,
        end: u64,
        watch: &mut Watch,
    ) -> Result<u64, Stop> {
        if t < watch.next || end <= t + 1 {
            self.iteration(iterations, t)?;
            return Ok(1);
        }
        let repeated = self.watched_iteration(iterations, t, end - t - 1)?;
        if 0 < repeated {
            watch.has_passed = true;
            watch.failures = 0;
        } else {
            watch.failures = (watch.failures + 1).min(32);
            let pause = (1_u64 << watch.failures.saturating_sub(IN_A_ROW)) - 1;
            watch.next = t + 1 + pause;
        }
        Ok(1 + repeated)
    }

    /// Asks the sink whether what happened since there were `before` accesses repeats `times` times more, which it counts
    /// then. The accesses are counted first: those of iterations are made, whether they are executed or not.
    pub(crate) fn repeats(
        &mut self,
        before: u64,
        times: u64,
        ask: impl FnOnce(&mut S) -> bool,
    ) -> Result<bool, Stop> {
        let so_far = self.n_accesses;
        self.count_accesses((so_far - before).saturating_mul(times))?;
        let repeats = ask(self.sink);
        if !repeats {
            self.n_accesses = so_far;
        }
        Ok(repeats)
    }

    /// Executes an iteration; returns how many after it, at most `most`, only repeat it and are counted with it.
    fn watched_iteration(
        &mut self,
        iterations: &Iterations<'_>,
        t: u64,
        most: u64,
    ) -> Result<u64, Stop> {
        self.watched.begin_iteration();
        self.sink.begin();
        let before = self.n_accesses;
        self.iteration(iterations, t)?;
        let repeated = self.watched.same_after(self.sink.line_size()).min(most);
        if !self.repeats(before, repeated, |sink| sink.end(repeated))? {
            return Ok(0);
        }
        self.watched.pass_over(repeated);
        self.spend(1)?;
        Ok(repeated)
    }
}
