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
        let turns = |stepper: &Stepper| {
            let left = run.iterations.checked_sub(stepper.first + 1);
            left.map_or(0, |left| left / period + 1)
        };
        let most = steppers.iter().map(turns).max().unwrap_or(0);
        // So many turns at a time that no two groups enter one set in them: then their order in time
        // does not matter, and each goes its way by itself. In a chain it does, for the levels below.
        let stretch = if 1 < self.levels.len() {
            1
        } else {
            least_distance(steppers, self.levels[0].geometry().sets)
        };
        let mut turn = 0;
        while turn < most {
            for stepper in steppers {
                let count = turns(stepper).saturating_sub(turn).min(stretch);
                self.step_on(run, grouping, stepper, turn, count, &still);
            }
            turn = turn.saturating_add(stretch);
        }
        self.touch_lines_at(run, grouping, run.iterations - 1);
    }

    /// Lets a group enter `count` lines, after it has entered `turn`.
    fn step_on(
        &mut self,
        run: &Run<'_>,
        grouping: &Grouping,
        stepper: &Stepper,
        turn: u64,
        count: u64,
        still: &[(usize, Line)],
    ) {
        let falling = grouping.groups[stepper.group].falling;
        let sets = self.levels[0].geometry().sets.cast_signed();
        let mut next = stepper.line + 1 + turn.cast_signed();
        let end = next + count.cast_signed();
        while next < end {
            // Up to and including the next line in a set where another stands still.
            let until = |(_, other): &(usize, Line)| {
                let apart = other - actual(next, falling);
                (if falling { -apart } else { apart }) & (sets - 1)
            };
            let nearest = still.iter().map(until).min().unwrap_or(i64::MAX - 1);
            let stop = end.min(next.saturating_add(nearest).saturating_add(1));
            self.enter_lines(run, grouping, stepper, next, stop);
            let entered = actual(stop - 1, falling);
            for (position, other) in still {
                if (entered - other) & (sets - 1) == 0 {
                    self.touch(*other, &run.accesses[*position], false);
                }
            }
            next = stop;
        }
    }

    /// Lets a group enter the lines (of places) from `next` up to `stop`.
    fn enter_lines(
        &mut self,
        run: &Run<'_>,
        grouping: &Grouping,
        stepper: &Stepper,
        next: i64,
        stop: i64,
    ) {
        let group = &grouping.groups[stepper.group];
        let access = &run.accesses[stepper.position];
        if self.levels.len() == 1 {
            let step = if group.falling { -1 } else { 1 };
            let count = (stop - next).cast_unsigned();
            self.sweep(actual(next, group.falling), step, count, access);
            return;
        }
        for line in next..stop {
            let dirties = is_stored_to(grouping, group, run, line, self.line_size(0));
            self.touch(actual(line, group.falling), access, dirties);
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

/// The least number of turns after which some group enters a set that another has entered.
fn least_distance(steppers: &[Stepper], sets: u64) -> u64 {
    let sets = sets.cast_signed();
    let distances = steppers.iter().enumerate().flat_map(|(idx, one)| {
        steppers[idx + 1..].iter().map(move |other| {
            let apart = (other.line - one.line).rem_euclid(sets);
            apart.min(sets - apart)
        })
    });
    // Two groups may be a line further apart or nearer than their foremost lines are at first.
    distances
        .min()
        .map_or(u64::MAX, |least| (least - 1).max(1).cast_unsigned())
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
