//! Bounds on reuse distance, by may and must (rules 3 and 6 of the access model).
//!
//! With every line y go the times of its last possible touch `may(y)` and of its last certain touch
//! `must(y)`; a certain touch is a possible one too. An access to line x has
//!
//! - the upper distance `#{y ≠ x : may(y) > must(x)}`, infinite where there is no `must(x)`;
//! - the lower distance `#{y ≠ x : must(y) > may(x)}`, infinite where there is no `may(x)`.
//!
//! Where all is certain, both are the place of x in the LRU stack. An access of unknown address
//! counts as one more line for upper distances, and as a possible touch of every line that it may
//! have touched for lower ones. Something opaque may have touched everything, any number of times.

use premiss_histogram::Distance;
use std::ops::RangeInclusive;

/// The history of one set of lines (of all lines, for full associativity).
#[derive(Clone, Debug, Default)]
pub(super) struct Recency {
    /// (line, time) by rising time of the last possible touch.
    may: Vec<(u64, u64)>,
    /// (line, time) by rising time of the last certain touch.
    must: Vec<(u64, u64)>,
}

/// What happened at places that are not known.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknowns {
    /// When, and which lines may have been touched.
    accesses: Vec<(u64, RangeInclusive<u64>)>,
    /// When something opaque happened last.
    opaque: Option<u64>,
}

impl Unknowns {
    pub(super) fn access(&mut self, time: u64, lines: RangeInclusive<u64>) {
        self.accesses.push((time, lines));
    }

    pub(super) fn opaque(&mut self, time: u64) {
        self.opaque = Some(time);
    }
}

impl Recency {
    pub(super) fn touch(&mut self, line: u64, certain: bool, time: u64) {
        move_to_end(&mut self.may, line, time);
        if certain {
            move_to_end(&mut self.must, line, time);
        }
    }

    /// Lower and upper distance of an access to a line.
    pub(super) fn distance(&self, line: u64, unknowns: &Unknowns) -> (Distance, Distance) {
        (self.lower(line, unknowns), self.upper(line, unknowns))
    }

    fn upper(&self, line: u64, unknowns: &Unknowns) -> Distance {
        let Some(since) = last(&self.must, line) else {
            return Distance::Infinite;
        };
        if unknowns.opaque.is_some_and(|time| since < time) {
            return Distance::Infinite;
        }
        let later = |time: u64| since < time;
        let elsewhere = unknowns.accesses.iter().rev();
        let elsewhere = elsewhere.take_while(|(time, _)| later(*time)).count();
        Distance::Finite(others_since(&self.may, line, since) + elsewhere as u64)
    }

    fn lower(&self, line: u64, unknowns: &Unknowns) -> Distance {
        let mut accesses = unknowns.accesses.iter().rev();
        let unknown = accesses.find(|(_, lines)| lines.contains(&line));
        let unknown = unknown.map(|(time, _)| *time);
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

    /// Touches single letters one after the other (a small one is possible, a great one certain) and
    /// returns the bounds on the distance of an access to `line` after them.
    fn after(touches: &str, line: char) -> (Distance, Distance) {
        let mut recency = Recency::default();
        let mut unknowns = Unknowns::default();
        for (touch, time) in touches.chars().zip(0..) {
            match touch {
                '?' => unknowns.access(time, 0..=u64::MAX),
                '!' => unknowns.opaque(time),
                _ => {
                    let line = u64::from(touch.to_ascii_uppercase());
                    recency.touch(line, touch.is_uppercase(), time);
                }
            }
        }
        recency.distance(u64::from(line), &unknowns)
    }

    #[test]
    fn certain_touches_make_an_lru_stack() {
        assert_eq!(after("ABCB", 'A'), (Finite(2), Finite(2)));
        assert_eq!(after("ABCB", 'B'), (Finite(0), Finite(0)));
        assert_eq!(after("ABCB", 'D'), (Infinite, Infinite));
    }

    #[test]
    fn possible_touches_widen() {
        assert_eq!(after("ABcD", 'A'), (Finite(2), Finite(3)));
        assert_eq!(after("ABaC", 'A'), (Finite(1), Finite(2)));
        assert_eq!(after("aB", 'A'), (Finite(1), Infinite));
    }

    #[test]
    fn unknown_touches_widen() {
        assert_eq!(after("AB?C", 'A'), (Finite(1), Finite(3)));
        assert_eq!(after("AB?C", 'D'), (Finite(1), Infinite));
        assert_eq!(after("AB!C", 'A'), (Finite(1), Infinite));
        assert_eq!(after("AB!AC", 'A'), (Finite(1), Finite(1)));
    }
}
