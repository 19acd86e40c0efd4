//! Bounds on reuse distance, by may and must (rules 3 and 6 of the access model).
//!
//! A touch is certain, or it happens if the arm runs that it stands in. An access to line x has
//!
//! - the lower distance: how many other lines have certainly been touched since x may last have
//!   been; infinite where x was never touched;
//! - the upper distance: how many other lines may have been touched since x was for the last time;
//!   infinite where x was never certainly touched. Given that the access happens, what happens earlier in the same execution
//!   of its arm is certain as well.
//!
//! For the upper one, a possible touch of y does not count where it implies a later touch of x: a
//! certain one, or one further on in the same execution of its arm. For example, of
//! `X; if (?) { Y; X; }`, nothing has been touched since X whether the arm runs or not.
//!
//! Where all is certain, both are the place of x in the LRU stack. An access of unknown address
//! counts as one more line for upper distances, and as a possible touch of every line that it may
//! have touched for lower ones. Something opaque may have touched everything, any number of times.

use super::walk::{ArmId, Arms};
use premiss_histogram::Distance;
use std::ops::RangeInclusive;

/// A touch of a line.
#[derive(Clone, Copy, Debug)]
struct Touch {
    line: u64,
    time: u64,
    /// The arm that must run for it to happen.
    arm: Option<ArmId>,
}

/// The history of one set of lines (of all lines, for full associativity).
#[derive(Clone, Debug)]
pub(super) struct Recency {
    /// How many sets there are.
    sets: u64,
    /// All touches, in order.
    touches: Vec<Touch>,
    /// (line, time) by rising time of the last certain touch.
    must: Vec<(u64, u64)>,
    /// (line, time) by rising time of the last touch.
    may: Vec<(u64, u64)>,
}

/// What happened at places that are not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknowns {
    /// When, in which arm, and which lines may have been touched.
    accesses: Vec<(u64, Option<ArmId>, RangeInclusive<u64>)>,
    /// When something opaque happened last.
    opaque: Option<u64>,
}

impl Unknowns {
    pub(super) fn access(&mut self, time: u64, arm: Option<ArmId>, lines: RangeInclusive<u64>) {
        self.accesses.push((time, arm, lines));
    }

    pub(super) fn opaque(&mut self, time: u64) {
        self.opaque = Some(time);
    }
}

impl Recency {
    pub(super) fn of_one_of(sets: u64) -> Self {
        Self {
            sets,
            touches: Vec::new(),
            must: Vec::new(),
            may: Vec::new(),
        }
    }

    pub(super) fn touch(&mut self, line: u64, arm: Option<ArmId>, time: u64) {
        self.touches.push(Touch { line, time, arm });
        move_to_end(&mut self.may, line, time);
        if arm.is_none() {
            move_to_end(&mut self.must, line, time);
        }
    }

    /// Lower and upper distance of an access to a line.
    pub(super) fn distance(
        &self,
        line: u64,
        unknowns: &Unknowns,
        arms: Option<&Arms>,
        arm: Option<ArmId>,
    ) -> (Distance, Distance) {
        let lower = self.lower(line, unknowns);
        (lower, self.upper(line, unknowns, arms, arm))
    }

    fn upper(
        &self,
        line: u64,
        unknowns: &Unknowns,
        arms: Option<&Arms>,
        arm: Option<ArmId>,
    ) -> Distance {
        let implies = |arm, other| arms.is_some_and(|arms| arms.implies(arm, other));
        let is_sure = |touch: &&Touch| touch.line == line && implies(arm, touch.arm);
        let sure = self.touches.iter().rev().find(is_sure);
        let sure = sure.map(|touch| touch.time);
        let Some(since) = sure.max(last(&self.must, line)) else {
            return Distance::Infinite;
        };
        if unknowns.opaque.is_some_and(|time| since < time) {
            return Distance::Infinite;
        }
        if last(&self.may, line) == Some(since) && unknowns.accesses.is_empty() {
            return Distance::Finite(others_since(&self.may, line, since));
        }
        // Later touches of the line, the last one first.
        let mut again: Vec<Touch> = Vec::new();
        let mut others: Vec<u64> = Vec::new();
        let recent = self
            .touches
            .iter()
            .rev()
            .take_while(|touch| since < touch.time);
        for touch in recent {
            let is_undone = || again.iter().any(|later| implies(touch.arm, later.arm));
            if touch.line == line {
                again.push(*touch);
            } else if !others.contains(&touch.line) && !is_undone() {
                others.push(touch.line);
            }
        }
        let elsewhere = unknowns.accesses.iter().rev();
        let elsewhere =
            elsewhere
                .take_while(|(time, ..)| since < *time)
                .filter(|(time, arm, _)| {
                    let mut later = again.iter().filter(|touch| time < &touch.time);
                    !later.any(|later| implies(*arm, later.arm))
                });
        let elsewhere: Vec<_> = elsewhere.map(|(.., lines)| lines).collect();
        let n_elsewhere = match arms {
            Some(_) => elsewhere.len().min(self.n_lines_of(line, &elsewhere)),
            None => elsewhere.len(),
        };
        Distance::Finite((others.len() + n_elsewhere) as u64)
    }

    /// How many lines of some ranges, each once, are in the set of a line.
    fn n_lines_of(&self, line: u64, ranges: &[&RangeInclusive<u64>]) -> usize {
        let mut lines: Vec<u64> = Vec::new();
        for range in ranges {
            let in_set = (**range)
                .clone()
                .filter(|x| x % self.sets == line % self.sets);
            lines.extend(in_set.take(ranges.len()));
        }
        lines.sort_unstable();
        lines.dedup();
        lines.len()
    }

    fn lower(&self, line: u64, unknowns: &Unknowns) -> Distance {
        let mut accesses = unknowns.accesses.iter().rev();
        let unknown = accesses.find(|(.., lines)| lines.contains(&line));
        let unknown = unknown.map(|(time, ..)| *time);
        match last(&self.may, line).max(unknown).max(unknowns.opaque) {
            Some(since) => Distance::Finite(others_since(&self.must, line, since)),
            None => Distance::Infinite,
        }
    }
}

fn move_to_end(history: &mut Vec<(u64, u64)>, line: u64, time: u64) {
    if let Some(idx) = history.iter().rposition(|(other, _)| *other == line) {
        history.remove(idx);
    }
    history.push((line, time));
}

fn last(history: &[(u64, u64)], line: u64) -> Option<u64> {
    let entry = history.iter().rev().find(|(other, _)| *other == line);
    entry.map(|(_, time)| *time)
}

fn others_since(history: &[(u64, u64)], line: u64, since: u64) -> u64 {
    let recent = history.iter().rev().take_while(|(_, time)| since < *time);
    recent.filter(|(other, _)| *other != line).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use Distance::{Finite, Infinite};

    /// Touches single letters one after the other, those in parentheses in an arm, and returns the
    /// bounds on the distance of an access to `line` after them.
    fn after(touches: &str, line: char) -> (Distance, Distance) {
        let mut recency = Recency::of_one_of(1);
        let mut unknowns = Unknowns::default();
        let mut arms = Arms::default();
        let mut arm = None;
        for (touch, time) in touches.chars().zip(0..) {
            match touch {
                '?' => unknowns.access(time, arm, 0..=u64::MAX),
                '!' => unknowns.opaque(time),
                '(' => arm = Some(arms.enter(arm)),
                ')' => arm = None,
                _ => recency.touch(u64::from(touch), arm, time),
            }
        }
        recency.distance(u64::from(line), &unknowns, Some(&arms), arm)
    }

    #[test]
    fn certain_touches_make_an_lru_stack() {
        assert_eq!(after("ABCB", 'A'), (Finite(2), Finite(2)));
        assert_eq!(after("ABCB", 'B'), (Finite(0), Finite(0)));
        assert_eq!(after("ABCB", 'D'), (Infinite, Infinite));
    }

    #[test]
    fn possible_touches_widen() {
        assert_eq!(after("AB(C)D", 'A'), (Finite(2), Finite(3)));
        assert_eq!(after("AB(A)C", 'A'), (Finite(1), Finite(2)));
        assert_eq!(after("(A)B", 'A'), (Finite(1), Infinite));
    }

    #[test]
    fn what_implies_a_later_touch_does_not_count() {
        assert_eq!(after("A(BA)", 'A'), (Finite(0), Finite(0)));
        assert_eq!(after("A(B)(A)", 'A'), (Finite(0), Finite(1)));
        assert_eq!(after("A(AB)", 'A'), (Finite(0), Finite(1)));
        assert_eq!(after("A(?A)C", 'A'), (Finite(1), Finite(1)));
    }

    #[test]
    fn unknown_touches_widen() {
        assert_eq!(after("AB?C", 'A'), (Finite(1), Finite(3)));
        assert_eq!(after("AB?C", 'D'), (Finite(1), Infinite));
        assert_eq!(after("AB!C", 'A'), (Finite(1), Infinite));
        assert_eq!(after("AB!AC", 'A'), (Finite(1), Finite(1)));
    }
}
