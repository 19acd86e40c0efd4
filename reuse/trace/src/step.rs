//! Runs whose groups keep step: the passage of groups that never meet.
//!
//! In `c[j] += a * b[j]` the lines of `c` and `b` advance together. If the sets that they are in stay
//! apart all the while, nothing else happens to a set while a line of it is being passed through, and
//! entering the line is all that needs to be done: its place in the order of the set is then what it
//! is when it is left. Lines that stand still (`a`) are accessed again after each other line that
//! enters their set.

use crate::cache::CacheSink;
use crate::grouping::{Grouping, Motion};
use crate::passage::{actual, is_stored_to};
use crate::run::{Line, Run, stay};

/// A group that enters a line every `period` iterations, for the first time in iteration `first`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Stepper {
    first: u64,
    position: usize,
    group: usize,
    /// The line (of places) before the first that it enters.
    line: i64,
    /// How many lines it may be in beyond its foremost.
    width: i64,
}

impl CacheSink {
    /// Runs a run whose groups keep step and stay apart; returns `false` where they do not.
    pub(crate) fn run_in_step(&mut self, run: &Run<'_>) -> bool {
        let line_size = self.line_size(0);
        let sets = self.levels[0].geometry().sets;
        let grouping = std::mem::take(&mut self.grouping);
        let steppers = steppers(&grouping, line_size, sets);
        if let Some((steppers, period)) = &steppers {
            self.step_through(run, &grouping, steppers, *period);
        }
        self.grouping = grouping;
        steppers.is_some()
    }

    fn step_through(
        &mut self,
        run: &Run<'_>,
        grouping: &Grouping,
        steppers: &[Stepper],
        period: u64,
    ) {
        let line_size = self.line_size(0);
        let still: Vec<(usize, Line)> = grouping
            .groups
            .iter()
            .filter(|group| group.motion == Motion::Still)
            .map(|group| {
                let member = &grouping.members(group)[0];
                (member.position, member.place.div_euclid(line_size))
            })
            .collect();
        self.touch_lines_at(run, grouping, 0);
        for (position, line) in &still {
            self.touch(*line, &run.accesses[*position], false);
        }
        let mut turn = 0;
        while steppers
            .first()
            .is_some_and(|stepper| stepper.first + turn * period < run.iterations)
        {
            for stepper in steppers {
                if stepper.first + turn * period < run.iterations {
                    let line = stepper.line + 1 + turn.cast_signed();
                    self.step_into(run, grouping, stepper, line, &still);
                }
            }
            turn += 1;
        }
        self.touch_lines_at(run, grouping, run.iterations - 1);
    }

    fn step_into(
        &mut self,
        run: &Run<'_>,
        grouping: &Grouping,
        stepper: &Stepper,
        place_line: i64,
        still: &[(usize, Line)],
    ) {
        let group = &grouping.groups[stepper.group];
        let dirties = 1 < self.levels.len()
            && is_stored_to(grouping, group, run, place_line, self.line_size(0));
        let line = actual(place_line, group.falling);
        self.touch(line, &run.accesses[stepper.position], dirties);
        let sets = self.levels[0].geometry().sets.cast_signed();
        for (position, other) in still {
            if (line - other) & (sets - 1) == 0 {
                self.touch(*other, &run.accesses[*position], false);
            }
        }
    }

    /// Accesses every line that a group is in at the first or the last iteration, in the order of the
    /// first accesses to them or of the last ones.
    fn touch_lines_at(&mut self, run: &Run<'_>, grouping: &Grouping, t: u64) {
        let line_size = self.line_size(0);
        let mut passage = std::mem::take(&mut self.passage);
        passage.lines_at(grouping, run, t, line_size);
        for (position, group, line) in &passage.lines {
            let group = &grouping.groups[*group];
            let dirties =
                1 < self.levels.len() && is_stored_to(grouping, group, run, *line, line_size);
            self.touch(
                actual(*line, group.falling),
                &run.accesses[*position],
                dirties,
            );
        }
        self.passage = passage;
    }
}

/// The groups that move, in the order in which they enter lines, and the iterations from one line to
/// the next; `None` where they do not keep step or may meet.
fn steppers(grouping: &Grouping, line_size: i64, sets: u64) -> Option<(Vec<Stepper>, u64)> {
    if !sets.is_power_of_two() {
        return None;
    }
    let moving = || {
        grouping
            .groups
            .iter()
            .filter(|group| group.motion != Motion::Still)
    };
    let first = moving().next()?;
    let keeps_step = moving().all(|group| {
        group.motion == Motion::Slow && group.pace == first.pace && group.falling == first.falling
    });
    if !keeps_step || line_size % first.pace != 0 {
        return None;
    }
    let mut steppers = Vec::new();
    for (idx, group) in grouping.groups.iter().enumerate() {
        if group.motion == Motion::Still {
            continue;
        }
        let members = grouping.members(group);
        let (trail, lead) = (members[0].place, members[members.len() - 1].place);
        let leads = members.iter().filter(|member| member.place == lead);
        steppers.push(Stepper {
            first: stay(lead, group.pace, line_size),
            position: leads.map(|member| member.position).min()?,
            group: idx,
            line: lead.div_euclid(line_size),
            width: (lead - trail) / line_size + 1,
        });
    }
    steppers.sort_unstable();
    let period = (line_size / first.pace).cast_unsigned();
    stay_apart(&steppers, sets.cast_signed()).then_some((steppers, period))
}

/// Whether no two groups are ever in lines of one set, nor one of them in two.
fn stay_apart(steppers: &[Stepper], sets: i64) -> bool {
    steppers.iter().enumerate().all(|(idx, one)| {
        one.width + 2 < sets
            && steppers[idx + 1..].iter().all(|other| {
                // They may be a line further apart or nearer, and each in lines behind its foremost.
                let apart = other.line - one.line;
                let least = apart - other.width - 2;
                let most = apart + one.width + 2;
                least.div_euclid(sets) == most.div_euclid(sets) && least.rem_euclid(sets) != 0
            })
    })
}
