//! Runs whose groups keep step: the passage of groups that advance together.
//!
//! In `c[j] += a * b[j]` the lines of `c` and `b` advance together. Between the moments at which its group enters and
//! leaves a line, a set notices nothing but other lines that enter and leave, so that it suffices to access the line at
//! those two moments. Where no two groups are ever in one set at a time, entering suffices: what is last entered is
//! last left.
//!
//! Sets are independent of each other. So *steppers* (what accesses the lines that a group enters, or leaves, one after
//! another) each go many turns by themselves, as long as the order within every set is the order in time: they go in
//! order of how far ahead they are, and no further at a time than to where the last of them finds the sets that the
//! first one started from.
//!
//! Lines that stand still (`a`) are accessed all the while. It is enough to access them often enough that none is
//! evicted, and at the end: the order of the others does not depend on it.

use crate::cache::CacheSink;
use crate::grouping::{Group, Grouping, Motion};
use crate::passage::{Order, actual, is_stored_to};
use crate::run::{AccessRun, line_of, stay};

/// What accesses a line every `period` iterations, for the first time in iteration `first`, which is
/// from 1 up to the period.
#[derive(Clone, Copy, Debug)]
struct Stepper {
    first: u64,
    position: usize,
    group: usize,
    /// The line (of places) that it accesses first.
    line: i64,
    /// Its set, or the one that mirrors it where addresses fall.
    set: i64,
}

/// The steppers of a run and how they go.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    steppers: Vec<Stepper>,
    /// For each group that moves: its foremost line in iteration 0, and how many lines it may be in
    /// beyond that.
    extents: Vec<(i64, i64)>,
    /// Iterations from one turn to the next.
    period: u64,
    /// How many turns each stepper may go by itself.
    stretch: u64,
    /// Whether groups may be in one set at a time, so that the moments of leaving count.
    meet: bool,
}

impl CacheSink {
    /// Runs a run whose groups keep step; returns `false` where they do not. The first level must
    /// have room, see [`Grouping::crowding`].
    pub(crate) fn run_in_step(&mut self, run: &AccessRun<'_>) -> bool {
        let grouping = std::mem::take(&mut self.grouping);
        let mut steps = std::mem::take(&mut self.steps);
        let sets = self.levels[0].geometry().sets.cast_signed();
        let keep_step = steps.plan(&grouping, self.line_size(0), sets);
        if keep_step {
            if 1 < self.levels.len() {
                steps.go_together();
            } else {
                steps.go_apart(sets);
            }
            self.step_through(run, &grouping, &steps);
        }
        self.grouping = grouping;
        self.steps = steps;
        keep_step
    }

    fn step_through(&mut self, run: &AccessRun<'_>, grouping: &Grouping, steps: &Steps) {
        self.touch_lines_at(run, grouping, 0, Order::First);
        if steps.meet {
            self.touch_lines_at(run, grouping, 0, Order::Last);
        }
        let turns = |stepper: &Stepper| {
            let left = run.iterations.checked_sub(stepper.first + 1);
            left.map_or(0, |left| left / steps.period + 1)
        };
        let most = steps.steppers.iter().map(turns).max().unwrap_or(0);
        let mut turn = 0;
        while turn < most {
            self.touch_still_lines(run, grouping);
            for stepper in &steps.steppers {
                let count = turns(stepper).saturating_sub(turn).min(steps.stretch);
                let first = stepper.line + turn.cast_signed();
                self.access_lines(run, grouping, stepper, first, count);
            }
            turn = turn.saturating_add(steps.stretch);
        }
        self.touch_lines_at(run, grouping, run.iterations - 1, Order::Last);
    }

    /// Lets a stepper access `count` lines (of places) from `first` on.
    fn access_lines(
        &mut self,
        run: &AccessRun<'_>,
        grouping: &Grouping,
        stepper: &Stepper,
        first: i64,
        count: u64,
    ) {
        let group = &grouping.groups[stepper.group];
        let access = &run.accesses[stepper.position];
        let end = first + count.cast_signed();
        if !self.follows_stores {
            if 0 < count {
                let least = if group.falling { -(end - 1) } else { first };
                self.sweep(least, count, access);
            }
            return;
        }
        for line in first..end {
            let dirties = is_stored_to(grouping, group, run, line, self.line_size(0));
            self.touch(actual(line, group.falling), access, dirties);
        }
    }

    /// Accesses the lines that stand still.
    fn touch_still_lines(&mut self, run: &AccessRun<'_>, grouping: &Grouping) {
        let line_size = self.line_size(0);
        for group in &grouping.groups {
            if group.motion == Motion::Still {
                let member = &grouping.members(group)[0];
                let line = line_of(member.place, line_size);
                self.touch(line, &run.accesses[member.position], false);
            }
        }
    }

    /// Accesses every line that a group is in at an iteration.
    fn touch_lines_at(&mut self, run: &AccessRun<'_>, grouping: &Grouping, t: u64, order: Order) {
        let line_size = self.line_size(0);
        let mut passage = std::mem::take(&mut self.passage);
        passage.lines_at(grouping, t, line_size, order);
        for (position, group, line) in &passage.lines {
            let group = &grouping.groups[*group];
            let dirties =
                self.follows_stores && is_stored_to(grouping, group, run, *line, line_size);
            self.touch(
                actual(*line, group.falling),
                &run.accesses[*position],
                dirties,
            );
        }
        self.passage = passage;
    }
}

impl Steps {
    /// Lists the steppers of a run; returns `false` where its groups do not keep step.
    fn plan(&mut self, grouping: &Grouping, line_size: i64, sets: i64) -> bool {
        self.steppers.clear();
        self.extents.clear();
        let is_moving = |group: &&Group| group.motion != Motion::Still;
        let Some(first) = grouping.groups.iter().find(is_moving) else {
            return false;
        };
        let keeps_step = |group: &Group| {
            group.motion == Motion::Slow
                && group.pace == first.pace
                && group.falling == first.falling
        };
        let mut moving = grouping.groups.iter().filter(is_moving);
        if !moving.all(keeps_step) || line_size % first.pace != 0 {
            return false;
        }
        self.period = (line_size / first.pace).cast_unsigned();
        for (idx, group) in grouping.groups.iter().enumerate() {
            if is_moving(&group) {
                self.enter(grouping, idx, line_size);
            }
        }
        if !self.is_narrow(sets) {
            return false;
        }
        self.meet = self.may_meet(sets);
        if self.meet {
            for (idx, group) in grouping.groups.iter().enumerate() {
                if is_moving(&group) {
                    self.leave(grouping, idx, line_size);
                }
            }
        }
        true
    }

    /// Adds the stepper that enters the lines of a group.
    fn enter(&mut self, grouping: &Grouping, idx: usize, line_size: i64) {
        let group = &grouping.groups[idx];
        let members = grouping.members(group);
        let (trail, lead) = (members[0].place, members[members.len() - 1].place);
        let leads = members
            .iter()
            .rev()
            .take_while(|member| member.place == lead);
        let line = line_of(lead, line_size);
        self.extents.push((line, (lead - trail) / line_size + 1));
        self.steppers.push(Stepper {
            first: stay(lead, group.pace, line_size),
            position: leads.map(|member| member.position).min().unwrap_or(0),
            group: idx,
            line: line + 1,
            set: 0,
        });
    }

    /// Adds the stepper that leaves the lines of a group.
    fn leave(&mut self, grouping: &Grouping, idx: usize, line_size: i64) {
        let group = &grouping.groups[idx];
        let members = grouping.members(group);
        let trail = members[0].place;
        let trails = members.iter().take_while(|member| member.place == trail);
        let line = line_of(trail, line_size);
        let last = stay(trail, group.pace, line_size) - 1;
        // What is left in iteration 0 already has been accessed in order.
        let (first, line) = if last == 0 {
            (self.period, line + 1)
        } else {
            (last, line)
        };
        self.steppers.push(Stepper {
            first,
            position: trails.map(|member| member.position).max().unwrap_or(0),
            group: idx,
            line,
            set: 0,
        });
    }

    /// Whether groups are so narrow that while one is in a line, no other enters more than one line
    /// of the same set, nor leaves one and then enters another.
    fn is_narrow(&self, sets: i64) -> bool {
        let widths = || self.extents.iter().map(|(_, width)| *width);
        let widest = widths().max().unwrap_or(0);
        2 * widest + 4 < sets
    }

    /// Whether two groups may be in lines of one set at a time.
    fn may_meet(&self, sets: i64) -> bool {
        self.extents.iter().enumerate().any(|(idx, (line, width))| {
            self.extents[idx + 1..].iter().any(|(other, other_width)| {
                // They may be a line further apart or nearer, and each in lines behind its foremost.
                let apart = set_of_line(other - line, sets);
                let before = apart - other_width - 2;
                let behind = sets - apart - width - 2;
                before <= 0 || behind <= 0
            })
        })
    }

    /// Lets steppers go turn by turn: what happens in other levels depends on the order in time.
    fn go_together(&mut self) {
        self.stretch = 1;
        self.steppers
            .sort_unstable_by_key(|stepper| (stepper.first, stepper.position));
    }

    /// Lets each stepper go by itself as far as possible.
    fn go_apart(&mut self, sets: i64) {
        for stepper in &mut self.steppers {
            stepper.set = set_of_line(stepper.line, sets);
        }
        // The foremost is the one before the widest gap.
        let gap_ahead = |stepper: &Stepper| {
            let others = self.steppers.iter().map(|other| other.set);
            let gaps = others.map(|other| set_of_line(other - stepper.set - 1, sets) + 1);
            (gaps.min().unwrap_or(sets), stepper.set)
        };
        let (gap, foremost) = self.steppers.iter().map(gap_ahead).max().unwrap_or((1, 0));
        self.stretch = gap.cast_unsigned();
        for stepper in &mut self.steppers {
            // How far behind the foremost.
            stepper.set = set_of_line(foremost - stepper.set, sets);
        }
        self.steppers
            .sort_unstable_by_key(|stepper| (stepper.set, stepper.first, stepper.position));
    }
}

/// The set of a line, or the distance of the sets of two.
fn set_of_line(line: i64, sets: i64) -> i64 {
    if sets & (sets - 1) == 0 {
        line & (sets - 1)
    } else {
        line.rem_euclid(sets)
    }
}
