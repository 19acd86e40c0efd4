//! What has happened to a state of [`bounded`](crate::bounded) since some moment, and whether the state is
//! again what it was then.
//!
//! Only the order of moments decides what comes after, not how far they are apart, and arms only have
//! names. So two states are the same if the moments in one correspond to those in the other in the same
//! order. The times that lines had when they were first touched are noted; those of all others are what they
//! were. With `A B` touched last, in this order,
//!
//! ```text
//! before:  A 7  B 8  C 3      after touching A, B, A, B:  A 11  B 12  C 3
//! ```
//! are the same state, as 3 < 7 < 8 and 3 < 11 < 12. Were C's moment 7.5, they would not be: moments that
//! move must not pass any that stay. Likewise, no line that was not touched may stand in an arm in which one
//! did that has been touched since.
//!
//! What has been counted since is kept apart until it is clear how often it is to be counted.

use crate::bounded::{Clock, LineState, Moment, Moments, Times};
use crate::run::LineNumber;

/// With more lines or counts than this since a moment, it is not watched any longer.
const MOST: usize = 1 << 16;

/// What has happened since the moments that are watched, the first of them first.
#[derive(Debug)]
pub(crate) struct Watch<E> {
    marks: Vec<WatchPoint>,
    /// Lines with what was known of them when they were first touched since some mark, or all were forgotten.
    earlier: Vec<(LineNumber, Option<LineState>)>,
    /// What was counted since the first mark, and how often.
    events: Vec<(E, u64)>,
    /// With more events than this, it is time to add up equal ones.
    enough: usize,
    /// How many lines were forgotten one by one.
    forgotten: u64,
}

/// A moment that is watched.
#[derive(Debug)]
struct WatchPoint {
    then: Moments,
    earlier: usize,
    events: usize,
    /// How many lines had been forgotten.
    forgotten: u64,
    /// The version of what is known of accesses of unknown address.
    version: u64,
    /// Whether too much has happened since.
    is_lost: bool,
}

/// A number of the state before with the one that it corresponds to.
type Pair = (u64, u64);

impl<E> Watch<E> {
    pub(crate) fn new() -> Self {
        Self {
            marks: Vec::new(),
            earlier: Vec::new(),
            events: Vec::new(),
            enough: MOST / 16,
            forgotten: 0,
        }
    }
}

impl<E: Copy + Ord> Watch<E> {
    pub(crate) fn is_on(&self) -> bool {
        self.marks.last().is_some_and(|mark| !mark.is_lost)
    }

    pub(crate) fn begin(&mut self, clock: &Clock, version: u64) {
        self.marks.push(WatchPoint {
            then: clock.moments(),
            earlier: self.earlier.len(),
            events: self.events.len(),
            forgotten: self.forgotten,
            version,
            is_lost: false,
        });
    }

    /// Notes what was known of a line that is touched, or forgotten with all others, if that is the first time.
    pub(crate) fn note(&mut self, line: LineNumber, known: Option<LineState>) {
        let Some(mark) = self.marks.last().filter(|mark| !mark.is_lost) else {
            return;
        };
        if known.is_none_or(|known| known.possible.time <= mark.then.now.time) {
            self.earlier.push((line, known));
        }
    }

    /// Notes what was known of a line that is forgotten, while others are not.
    pub(crate) fn note_forgotten(&mut self, line: LineNumber, known: LineState) {
        self.forgotten += 1;
        self.note(line, Some(known));
    }

    /// Counts something now or later.
    pub(crate) fn count(&mut self, event: E, times: u64, into: &mut impl Times<Event = E>) {
        if !self.is_on() {
            into.add(event, times);
            return;
        }
        self.events.push((event, times));
        if self.enough < self.events.len() {
            self.add_up();
        }
        if MOST < self.events.len() || MOST < self.earlier.len() {
            self.lose(into);
        }
    }

    /// Ends the mark made last: where the state is again what it was then, counts what was counted since
    /// `times` times more.
    pub(crate) fn end(
        &mut self,
        clock: &mut Clock,
        lines: &mut impl Times<Event = E>,
        times: u64,
    ) -> bool {
        let Some(mark) = self.marks.pop() else {
            return false;
        };
        let recurs = 0 < times && !mark.is_lost && self.recurs(&mark, clock, lines);
        if recurs {
            for (_, counted) in &mut self.events[mark.events..] {
                *counted = counted.saturating_mul(times.saturating_add(1));
            }
            self.age(&mark, clock, lines, times);
        }
        self.leave(&mark, lines);
        recurs
    }

    /// Keeps what the earlier marks need, too.
    fn leave(&mut self, mark: &WatchPoint, lines: &mut impl Times<Event = E>) {
        match self.marks.last() {
            Some(around) if !around.is_lost => {
                let start = around.then.now.time;
                let concerns = |known: &LineState| known.possible.time <= start;
                let mut kept = mark.earlier;
                for idx in mark.earlier..self.earlier.len() {
                    if self.earlier[idx].1.as_ref().is_none_or(concerns) {
                        self.earlier.swap(kept, idx);
                        kept += 1;
                    }
                }
                self.earlier.truncate(kept);
            }
            _ => self.settle(lines),
        }
    }

    /// Counts all that was kept apart; forgets the lines.
    fn settle(&mut self, lines: &mut impl Times<Event = E>) {
        for (event, times) in self.events.drain(..) {
            lines.add(event, times);
        }
        self.earlier.clear();
        self.enough = MOST / 16;
    }

    fn lose(&mut self, lines: &mut impl Times<Event = E>) {
        for mark in &mut self.marks {
            mark.earlier = 0;
            mark.events = 0;
            mark.is_lost = true;
        }
        self.settle(lines);
    }

    /// Merges equal events since the same mark.
    fn add_up(&mut self) {
        let mut parts = Vec::new();
        for mark in self.marks.iter().rev() {
            parts.push(self.events.split_off(mark.events));
        }
        for (mark, part) in self.marks.iter_mut().zip(parts.into_iter().rev()) {
            mark.events = self.events.len();
            self.events.extend(added_up(part));
        }
        self.enough = (2 * self.events.len()).max(MOST / 16);
    }

    /// The lines touched since a mark, rising, with what was known of each then.
    fn touched_lines(&self, mark: &WatchPoint) -> Vec<(LineNumber, Option<LineState>)> {
        let mut touched = self.earlier[mark.earlier..].to_vec();
        // Of a line that was forgotten and touched again, what was noted first counts.
        touched.sort_by_key(|(line, _)| *line);
        touched.dedup_by_key(|(line, _)| *line);
        touched
    }

    /// Whether the state is the one at a mark, up to the names of moments and arms.
    fn recurs(&self, mark: &WatchPoint, clock: &Clock, lines: &impl Times<Event = E>) -> bool {
        if mark.version != lines.version() {
            return false;
        }
        let mut before = self.touched_lines(mark);
        let now = before.iter().map(|(line, _)| (*line, lines.state(*line)));
        let mut now: Vec<_> = now.collect();
        let is_cleared = mark.then.anything != clock.moments().anything;
        if is_cleared {
            // All lines that were there have been noted, and so have all that are.
            lines.leave_out_gone(&mut before);
            lines.leave_out_gone(&mut now);
        } else if mark.forgotten != self.forgotten {
            // Lines that were there may be gone, and there is at least one more.
            return false;
        }
        let mut comparison = StateComparison {
            moments: vec![(0, 0)],
            // A touch in an arm under way is sure in what follows, one in an earlier execution of the arm is not.
            arms: once_more(clock.arms_under_way()),
        };
        let is_same = comparison.clocks(&mark.then, &clock.moments())
            && before.iter().zip(&now).all(|((_, before), (_, now))| {
                let ages = |a: Moment, b: Moment| {
                    let a = mark.then.now.unknown - a.unknown;
                    let b = clock.now.unknown - b.unknown;
                    a == b || lines.saturation() <= a.min(b)
                };
                comparison.states(*before, *now, ages)
            });
        is_same
            && keeps_order(&mut comparison.arms)
            && keeps_order(&mut comparison.moments)
            && first_moved(&comparison.moments).is_none_or(|since| {
                let arm = first_moved(&comparison.arms).unwrap_or(u64::MAX);
                let mut touched: Vec<LineNumber> = now.iter().map(|(line, _)| *line).collect();
                touched.sort_unstable();
                lines.are_all_since(since, arm, &touched)
            })
    }

    /// Ages what is known by the accesses of unknown address of `times` repetitions.
    fn age(
        &self,
        mark: &WatchPoint,
        clock: &mut Clock,
        lines: &mut impl Times<Event = E>,
        times: u64,
    ) {
        let unknown = clock.now.unknown - mark.then.now.unknown;
        if unknown == 0 {
            return;
        }
        let more = unknown.saturating_mul(times);
        for (line, _) in self.touched_lines(mark) {
            lines.age(line, mark.then.now.time, more);
        }
        clock.now.unknown += more;
    }
}

/// The same events, each once.
fn added_up<E: Copy + Ord>(mut events: Vec<(E, u64)>) -> Vec<(E, u64)> {
    events.sort_unstable_by_key(|(event, _)| *event);
    events.dedup_by(|(event, times), (kept, all)| {
        let is_same = event == kept;
        if is_same {
            *all = all.saturating_add(*times);
        }
        is_same
    });
    events
}

/// The numbers of two states that correspond to each other.
struct StateComparison {
    moments: Vec<Pair>,
    arms: Vec<Pair>,
}

impl StateComparison {
    fn clocks(&mut self, before: &Moments, now: &Moments) -> bool {
        match (before.anything, now.anything) {
            (Some(before), Some(now)) => self.moments.push((before, now)),
            (None, None) => {}
            _ => return false,
        }
        before.areas.len() == now.areas.len()
            && before.areas.iter().all(|(area, before)| {
                let same = now.areas.iter().find(|(other, _)| other == area);
                self.moments.extend(same.map(|(_, now)| (*before, *now)));
                same.is_some()
            })
    }

    /// Takes in what is known of a line; false where that cannot correspond.
    fn states(
        &mut self,
        before: Option<LineState>,
        now: Option<LineState>,
        ages: impl Fn(Moment, Moment) -> bool,
    ) -> bool {
        let (before, now) = match (before, now) {
            (Some(before), Some(now)) => (before, now),
            (before, now) => return before.is_none() && now.is_none(),
        };
        let (a, b) = (before.possible, now.possible);
        self.moments.push((a.time, b.time));
        self.arms.push((a.arm, b.arm));
        if a.arm != 0 {
            self.moments.push((a.before, b.before));
            if !ages(a.moment(), b.moment()) {
                return false;
            }
        }
        let worst = (before.chains.worst, now.chains.worst);
        let best = (before.chains.best, now.chains.best);
        self.at_moments((before.certain, now.certain), &ages)
            && self.at_moments(worst, &ages)
            && self.at_times(best)
    }

    fn at_moments(
        &mut self,
        (before, now): (Option<Moment>, Option<Moment>),
        ages: &impl Fn(Moment, Moment) -> bool,
    ) -> bool {
        let times = (before.map(|x| x.time), now.map(|x| x.time));
        self.at_times(times)
            && before
                .zip(now)
                .is_none_or(|(before, now)| ages(before, now))
    }

    fn at_times(&mut self, times: (Option<u64>, Option<u64>)) -> bool {
        self.moments.extend(times.0.zip(times.1));
        times.0.is_some() == times.1.is_some()
    }
}

/// Numbers that correspond to themselves, and 0.
fn once_more(numbers: &[u64]) -> Vec<Pair> {
    let numbers = numbers.iter().map(|number| (*number, *number));
    std::iter::once((0, 0)).chain(numbers).collect()
}

/// The least number of the state before that has another one as its counterpart.
fn first_moved(pairs: &[Pair]) -> Option<u64> {
    let moved = pairs.iter().filter(|(before, now)| before != now);
    moved.map(|(before, _)| *before).min()
}

/// Whether numbers correspond one to one and in the same order.
fn keeps_order(pairs: &mut Vec<Pair>) -> bool {
    pairs.sort_unstable();
    pairs.dedup();
    pairs.windows(2).all(|x| x[0].0 < x[1].0 && x[0].1 < x[1].1)
}
