//! Lines that all arms of a branch on data touch, in one iteration of a run.
//!
//! In `if (?) { load x; store y; } else { store y; }`, `y` is touched for certain, if it is not clear when.

use crate::bounded::Moment;
use crate::run::{AccessRun, LineNumber, RunArm};
use std::collections::BTreeMap;

/// The lines of each arm, where a run has branches of which both arms access something.
#[derive(Debug)]
pub(crate) struct MergedArms<'a> {
    arms: &'a [RunArm],
    /// By the number of the arm; empty where there is no arm.
    lines: Vec<MomentsByLine>,
}

/// Lines with the moments of their first and their last touch.
type MomentsByLine = BTreeMap<LineNumber, (Moment, Moment)>;

impl<'a> MergedArms<'a> {
    /// Nothing yet, for an iteration of a run.
    pub(crate) fn of(run: &AccessRun<'a>) -> Self {
        let has_seconds = run.accesses.iter().any(|access| {
            let mut around = access.arm;
            while around.first == 0 && around.enclosing != 0 {
                around = run.arms[around.enclosing as usize - 1];
            }
            around.first != 0
        });
        let n_arms = if has_seconds { run.arms.len() + 1 } else { 0 };
        Self {
            arms: run.arms,
            lines: vec![MomentsByLine::new(); n_arms],
        }
    }

    /// Takes in a touch.
    pub(crate) fn touch(&mut self, arm: RunArm, line: LineNumber, now: Moment) {
        let lines = self.lines.get_mut(arm.number as usize);
        if let Some(lines) = lines.filter(|_| arm.number != 0) {
            join(lines, line, (now, now));
        }
    }

    /// The lines that certainly were touched in arms, with the first and the last moment at which that may have been.
    pub(crate) fn all(&self) -> MomentsByLine {
        match self.lines.is_empty() {
            true => MomentsByLine::new(),
            false => self.certain_in(0),
        }
    }

    /// The lines that are touched for certain if an arm is executed.
    fn certain_in(&self, number: u32) -> MomentsByLine {
        let mut lines = self.lines[number as usize].clone();
        let is_in = |arm: &&RunArm| arm.enclosing == number && arm.first != 0;
        for second in self.arms.iter().filter(is_in) {
            let [a, b] = [second.first, second.number].map(|arm| self.certain_in(arm));
            for (line, between) in a {
                if let Some(again) = b.get(&line) {
                    join(&mut lines, line, between);
                    join(&mut lines, line, *again);
                }
            }
        }
        lines
    }
}

fn join(lines: &mut MomentsByLine, line: LineNumber, between: (Moment, Moment)) {
    let known = lines.entry(line).or_insert(between);
    known.0 = known.0.min(between.0);
    known.1 = known.1.max(between.1);
}
