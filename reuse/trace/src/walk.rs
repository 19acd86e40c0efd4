//! The walk: executes the steps of a program and hands its runs to a sink.

use crate::TraceError;
use crate::allowance::Allowance;
use crate::formula::{Affine, Formula, Values};
use crate::program::{AccessStep, LoopStep, Program, ProgramStep, trips, value_at};
use crate::repeat::Watched;
use crate::run::{AccessRun, RunAccess, RunArm};
use crate::straight::{Straight, horizon};
use crate::uniform::Uniform;
use premiss_tree::{ArrayId, EntityRef, ReferenceId, SecondaryMap, VariableId};
use std::collections::BTreeSet;

/// What happens to the runs of a program.
pub(crate) trait Sink {
    /// How the iterations of a uniform loop may be abridged for this sink.
    const SHORTCUT: Shortcut;

    /// Takes in a run; returns its cost in steps.
    fn run(&mut self, run: &AccessRun<'_>) -> u64;

    /// How many iterations of a run to hand over at once: budgets are checked in between.
    fn at_once(&self, _run: &AccessRun<'_>) -> u64 {
        u64::MAX
    }

    /// The memory that its state takes, in bytes.
    fn n_bytes(&self) -> u64 {
        0
    }

    /// Anything may have been accessed any number of times.
    fn opaque(&mut self) {}

    /// A branch on data of which both arms are possible, and that is no part of a run, has come to this point.
    fn at_branch(&mut self, _point: BranchPoint) {}

    /// Sets how many times events count from now on.
    fn set_weight(&mut self, _weight: u64) {}

    /// Bytes in the lines that it looks at, where loops are watched.
    fn line_size(&self) -> i64 {
        1
    }

    /// Watches what comes until [`Sink::end`]; may be called again before.
    fn begin(&mut self) {}

    /// Ends what began last. Where the state is again what it was then, counts all that has been counted since
    /// `times` times more and returns true.
    fn end(&mut self, _times: u64) -> bool {
        false
    }
}

/// A point of a branch on data: one of its two arms is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BranchPoint {
    /// The first arm begins.
    First,
    /// The first arm has ended, the second begins.
    Second,
    /// The second arm has ended.
    End,
}

/// How the iterations of a uniform loop may be abridged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shortcut {
    /// Not at all.
    Never,
    /// One stands for all: only the number of accesses matters.
    Multiply,
    /// The first and the last: only the extremes matter.
    Ends,
    /// Those after a recurring state are skipped, as [`Recur`] tells.
    Recurring,
    /// Those that touch the same lines as one that left the state as it found it are skipped, see
    /// [`repeat`](crate::repeat).
    SameLines,
}

/// Why a walk ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// It failed.
    Error(TraceError),
    /// An address of this reference does not fit.
    Overflow(ReferenceId),
    /// Something is unknown and the sink wants exactness.
    Unknown,
}

impl From<TraceError> for Stop {
    fn from(error: TraceError) -> Self {
        Self::Error(error)
    }
}

/// Whether a walk continues where a value is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unknowns {
    /// It stops with [`Stop::Unknown`].
    Stop,
    /// It makes what depends on them possible or opaque.
    Bound,
}

/// The most accesses of a walk. Counts of sinks are at most a few times as many, and fit 64 bits.
const MOST_ACCESSES: u64 = 1 << 62;

/// A walk under way.
pub(crate) struct Interpreter<'a, S> {
    pub(crate) sink: &'a mut S,
    allowance: &'a mut Allowance<'static>,
    bases: &'a SecondaryMap<ArrayId, u64>,
    values: Values,
    /// Values of variables that arms of branches on data assign: before the first arm, then after it.
    set_aside: Vec<Option<i64>>,
    /// By how much each variable moves per iteration of the straight loop under way.
    rates: Vec<i64>,
    unknowns: Unknowns,
    certain: bool,
    /// The arm of a branch on data that is being collected, and those that the buffer has.
    arm: RunArm,
    arms: Vec<RunArm>,
    buffer: Vec<RunAccess>,
    /// How many times each access counts.
    weight: u64,
    /// The accesses so far, with those of iterations that others stand for.
    pub(crate) n_accesses: u64,
    /// References whose number of executions is unknown.
    lost: BTreeSet<ReferenceId>,
    pub(crate) watched: Watched,
}

/// Runs a program into a sink; returns the references whose number of executions is unknown.
pub(crate) fn walk<S: Recur>(
    program: &Program,
    n_variables: usize,
    bases: &SecondaryMap<ArrayId, u64>,
    unknowns: Unknowns,
    allowance: &mut Allowance<'static>,
    sink: &mut S,
) -> Result<BTreeSet<ReferenceId>, Stop> {
    let mut walk = Interpreter {
        sink,
        allowance,
        bases,
        values: vec![None; n_variables],
        set_aside: Vec::new(),
        rates: vec![0; n_variables],
        unknowns,
        certain: true,
        arm: RunArm::default(),
        arms: Vec::new(),
        buffer: Vec::new(),
        weight: 1,
        n_accesses: 0,
        lost: BTreeSet::new(),
        watched: Watched::default(),
    };
    walk.block(&program.body)?;
    Ok(walk.lost)
}

/// A sink that may know recurring states; the walk asks it where a uniform loop repeats.
pub(crate) trait Recur: Sink + Sized {
    /// Executes the iterations of a uniform loop.
    fn recurring_loop(
        walk: &mut Interpreter<'_, Self>,
        iterations: &Iterations<'_>,
        uniform: &Uniform,
    ) -> Result<(), Stop> {
        let _ = uniform;
        walk.all_iterations(iterations)
    }
}

/// The iterations of a loop that has been entered.
pub(crate) struct Iterations<'a> {
    pub(crate) step: &'a LoopStep,
    first: i64,
    stride: i64,
    pub(crate) count: u64,
}

impl Iterations<'_> {
    fn value(&self, iteration: u64) -> Option<i64> {
        value_at(self.first, self.stride, iteration)
    }
}

impl<S: Recur> Interpreter<'_, S> {
    fn block(&mut self, steps: &[ProgramStep]) -> Result<(), Stop> {
        for step in steps {
            if let ProgramStep::Access(access) = step {
                let access = self.run_access(access)?;
                self.buffer.push(access);
                continue;
            }
            self.flush(1)?;
            match step {
                ProgramStep::Access(_) => {}
                ProgramStep::Loop(inner) => self.enter(inner)?,
                ProgramStep::Assign { variable, value } => {
                    self.values[variable.index()] = value.evaluate(&self.values);
                }
                ProgramStep::Branch {
                    condition,
                    then,
                    otherwise,
                    assigned,
                } => match condition.evaluate(&self.values) {
                    Some(0) => self.block(otherwise)?,
                    Some(_) => self.block(then)?,
                    None => self.both([then, otherwise], assigned)?,
                },
                ProgramStep::Opaque => self.opaque()?,
            }
        }
        self.flush(1)
    }

    /// Executes both arms as possible; what they leave different of the variables that they assign is unknown.
    fn both(
        &mut self,
        [then, otherwise]: [&[ProgramStep]; 2],
        assigned: &[VariableId],
    ) -> Result<(), Stop> {
        self.admit_unknown()?;
        let certain = std::mem::replace(&mut self.certain, false);
        let first = self.set_aside.len();
        let values = assigned.iter().map(|x| self.values[x.index()]);
        self.set_aside.extend(values);
        self.sink.at_branch(BranchPoint::First);
        self.block(then)?;
        for (variable, aside) in assigned.iter().zip(&mut self.set_aside[first..]) {
            std::mem::swap(&mut self.values[variable.index()], aside);
        }
        self.sink.at_branch(BranchPoint::Second);
        self.block(otherwise)?;
        self.sink.at_branch(BranchPoint::End);
        for (variable, after_then) in assigned.iter().zip(self.set_aside.drain(first..)) {
            let value = &mut self.values[variable.index()];
            if *value != after_then {
                *value = None;
            }
        }
        self.certain = certain;
        Ok(())
    }

    fn admit_unknown(&self) -> Result<(), Stop> {
        match self.unknowns {
            Unknowns::Stop => Err(Stop::Unknown),
            Unknowns::Bound => Ok(()),
        }
    }

    fn opaque(&mut self) -> Result<(), Stop> {
        self.admit_unknown()?;
        self.sink.opaque();
        Ok(())
    }

    /// Hands the collected accesses to the sink as a run.
    fn flush(&mut self, iterations: u64) -> Result<(), Stop> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        for access in &self.buffer {
            if access.address.is_some() && access.ends(iterations).is_none() {
                return Err(Stop::Overflow(access.reference));
            }
        }
        let each = iterations.saturating_mul(self.buffer.len() as u64);
        self.count_accesses(each.saturating_mul(self.weight))?;
        self.watched
            .note(&self.buffer, iterations, self.sink.line_size());
        let result = self.hand_over(iterations);
        self.buffer.clear();
        self.arms.clear();
        result
    }

    /// Hands the collected accesses to the sink in parts between which budgets are checked. Runs one after another are
    /// the same accesses as one run.
    fn hand_over(&mut self, iterations: u64) -> Result<(), Stop> {
        let mut left = iterations;
        loop {
            let mut run = AccessRun {
                iterations: left,
                accesses: &self.buffer,
                arms: &self.arms,
            };
            run.iterations = left.min(self.sink.at_once(&run).max(1));
            let done = run.iterations;
            let cost = self.sink.run(&run);
            self.spend(cost)?;
            left -= done;
            if left == 0 {
                return Ok(());
            }
            for access in &mut self.buffer {
                access.address = access.address_at(done);
            }
        }
    }

    /// Counts accesses that a run makes or stands for, before a sink does.
    pub(crate) fn count_accesses(&mut self, more: u64) -> Result<(), Stop> {
        self.n_accesses = self.n_accesses.saturating_add(more);
        match self.n_accesses <= MOST_ACCESSES {
            true => Ok(()),
            false => Err(TraceError::TooManyAccesses.into()),
        }
    }

    /// Executes what counts `factor` times.
    pub(crate) fn weighed(
        &mut self,
        factor: u64,
        execute: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let around = self.weight;
        self.weight = around.saturating_mul(factor);
        self.sink.set_weight(self.weight);
        execute(self)?;
        self.weight = around;
        self.sink.set_weight(around);
        Ok(())
    }

    /// How many steps are left.
    pub(crate) fn steps_left(&self) -> u64 {
        self.allowance.steps_left()
    }

    pub(crate) fn spend(&mut self, cost: u64) -> Result<(), Stop> {
        let sink = &self.sink;
        Ok(self.allowance.spend(cost, || sink.n_bytes())?)
    }

    fn run_access(&self, access: &AccessStep) -> Result<RunAccess, Stop> {
        let address = match access.offset.evaluate(&self.values) {
            Some(offset) => Some(
                self.bases[access.array]
                    .cast_signed()
                    .checked_add(offset)
                    .ok_or(Stop::Overflow(access.reference))?,
            ),
            None => {
                self.admit_unknown()?;
                None
            }
        };
        let stride = match &access.offset {
            Formula::Affine(offset) if address.is_some() => {
                self.rate(offset).ok_or(Stop::Overflow(access.reference))?
            }
            _ => 0,
        };
        Ok(RunAccess {
            reference: access.reference,
            array: access.array,
            kind: access.kind,
            size: access.size,
            address,
            stride,
            certain: self.certain,
            arm: self.arm,
        })
    }

    /// The change per iteration of an affine form; `None` where it does not fit.
    fn rate(&self, x: &Affine) -> Option<i64> {
        x.terms
            .iter()
            .try_fold(0_i64, |sum, (variable, coefficient)| {
                sum.checked_add(coefficient.checked_mul(self.rates[variable.index()])?)
            })
    }

    fn enter(&mut self, inner: &LoopStep) -> Result<(), Stop> {
        let header = &inner.header;
        let known = |formula: &Formula| formula.evaluate(&self.values);
        let (Some(first), Some(bound), Some(stride)) = (
            known(&header.first),
            known(&header.bound),
            known(&header.step),
        ) else {
            let mut bounds = [&header.first, &header.bound].into_iter();
            if bounds.any(|formula| formula.is_beyond(&self.values)) {
                return Err(TraceError::EndlessLoop(header.id).into());
            }
            return self.skip_unknown(inner);
        };
        let count = trips(first, header.comparison, bound, stride)
            .ok_or(TraceError::EndlessLoop(header.id))?;
        let all = Iterations {
            step: inner,
            first,
            stride,
            count,
        };
        let after = all.value(count);
        let iterations = match &inner.first_body {
            Some(body) if 0 < count => self.first_iteration(&all, body)?,
            _ => all,
        };
        match &inner.straight {
            Some(straight) if self.has_known_rates(straight) => {
                self.straight_loop(&iterations, straight)?;
            }
            _ => self.general_loop(&iterations)?,
        }
        self.values[header.variable.index()] = after;
        Ok(())
    }

    /// Executes the first iteration, which has a body of its own; returns the others.
    fn first_iteration<'s>(
        &mut self,
        all: &Iterations<'s>,
        body: &[ProgramStep],
    ) -> Result<Iterations<'s>, Stop> {
        self.spend(1)?;
        self.values[all.step.header.variable.index()] = Some(all.first);
        self.block(body)?;
        let count = all.count - 1;
        Ok(match all.value(1) {
            Some(first) => Iterations {
                first,
                count,
                ..*all
            },
            // There is no second value that a 64-bit number has, and so no second iteration.
            None => Iterations { count: 0, ..*all },
        })
    }

    /// Passes over a loop whose number of iterations is unknown, which matters where it may access something.
    fn skip_unknown(&mut self, inner: &LoopStep) -> Result<(), Stop> {
        if inner.may_access {
            self.opaque()?;
        }
        self.values[inner.header.variable.index()] = None;
        for variable in &inner.assigned {
            self.values[variable.index()] = None;
        }
        collect_references(&inner.body, &mut self.lost);
        Ok(())
    }

    fn general_loop(&mut self, iterations: &Iterations<'_>) -> Result<(), Stop> {
        let last = iterations.count.saturating_sub(1);
        match (&iterations.step.uniform, S::SHORTCUT) {
            (Some(_), Shortcut::Multiply) if 0 < last => {
                self.weighed(iterations.count, |walk| walk.iteration(iterations, last))
            }
            (Some(_), Shortcut::Ends) if 1 < last => {
                self.iteration(iterations, 0)?;
                self.iteration(iterations, last)
            }
            (Some(uniform), Shortcut::Recurring) => S::recurring_loop(self, iterations, uniform),
            (Some(uniform), Shortcut::SameLines) if 0 < last => {
                self.repeating_loop(iterations, uniform)
            }
            _ => self.all_iterations(iterations),
        }
    }

    pub(crate) fn all_iterations(&mut self, iterations: &Iterations<'_>) -> Result<(), Stop> {
        (0..iterations.count).try_for_each(|t| self.iteration(iterations, t))
    }

    /// Executes one iteration.
    pub(crate) fn iteration(&mut self, iterations: &Iterations<'_>, t: u64) -> Result<(), Stop> {
        self.spend(1)?;
        self.values[iterations.step.header.variable.index()] = iterations.value(t);
        self.block(&iterations.step.body)
    }

    fn has_known_rates(&self, straight: &Straight) -> bool {
        straight.inductions.iter().all(|(variable, added)| {
            let added = Formula::Affine(added.clone());
            self.values[variable.index()].is_some() && added.evaluate(&self.values).is_some()
        })
    }

    fn straight_loop(
        &mut self,
        iterations: &Iterations<'_>,
        straight: &Straight,
    ) -> Result<(), Stop> {
        if iterations.count == 0 {
            return Ok(());
        }
        let Some(starts) = self.set_rates(iterations, straight) else {
            self.clear_rates(iterations, straight);
            return self.all_iterations(iterations);
        };
        let mut t = 0;
        while t < iterations.count {
            self.values[iterations.step.header.variable.index()] = iterations.value(t);
            self.move_inductions(&starts, t);
            let mut stretch = iterations.count - t;
            self.collect(&iterations.step.body, &mut stretch)?;
            self.spend(1)?;
            self.flush(stretch)?;
            self.leave_derived(straight, stretch);
            t += stretch;
        }
        self.move_inductions(&starts, iterations.count);
        self.clear_rates(iterations, straight);
        Ok(())
    }

    /// Sets the rates of what moves in a straight loop; returns the inductions with their values on
    /// entry, or `None` where a rate does not fit.
    fn set_rates(
        &mut self,
        iterations: &Iterations<'_>,
        straight: &Straight,
    ) -> Option<Vec<(VariableId, i64)>> {
        self.rates[iterations.step.header.variable.index()] = iterations.stride;
        let mut starts = Vec::new();
        for (variable, added) in &straight.inductions {
            let added = Formula::Affine(added.clone()).evaluate(&self.values);
            self.rates[variable.index()] = added.unwrap_or(0);
            starts.push((*variable, self.values[variable.index()].unwrap_or(0)));
        }
        for (variable, value) in &straight.derived {
            self.rates[variable.index()] = self.rate(value)?;
        }
        Some(starts)
    }

    fn clear_rates(&mut self, iterations: &Iterations<'_>, straight: &Straight) {
        self.rates[iterations.step.header.variable.index()] = 0;
        let inductions = straight.inductions.iter().map(|(variable, _)| variable);
        let derived = straight.derived.iter().map(|(variable, _)| variable);
        for variable in inductions.chain(derived) {
            self.rates[variable.index()] = 0;
        }
    }

    fn move_inductions(&mut self, starts: &[(VariableId, i64)], t: u64) {
        for (variable, start) in starts {
            let distance = i64::try_from(t)
                .ok()
                .and_then(|t| self.rates[variable.index()].checked_mul(t));
            self.values[variable.index()] = distance.and_then(|x| start.checked_add(x));
        }
    }

    /// Gives derived variables the values that the last iteration of a stretch leaves.
    fn leave_derived(&mut self, straight: &Straight, stretch: u64) {
        for (variable, _) in &straight.derived {
            let distance = i64::try_from(stretch - 1)
                .ok()
                .and_then(|t| self.rates[variable.index()].checked_mul(t));
            let value = &mut self.values[variable.index()];
            *value = value.zip(distance).and_then(|(x, y)| x.checked_add(y));
        }
    }

    /// Collects the accesses of one iteration of a straight body, and shortens `stretch` to the
    /// number of iterations over which the guards keep their values.
    fn collect(&mut self, steps: &[ProgramStep], stretch: &mut u64) -> Result<(), Stop> {
        for step in steps {
            match step {
                ProgramStep::Access(access) => {
                    let access = self.run_access(access)?;
                    self.buffer.push(access);
                }
                ProgramStep::Assign { variable, value } => {
                    self.values[variable.index()] = value.evaluate(&self.values);
                }
                ProgramStep::Branch {
                    condition,
                    then,
                    otherwise,
                    ..
                } => {
                    *stretch = (*stretch).min(self.horizon(condition));
                    self.collect_arms(condition, then, otherwise, stretch)?;
                }
                ProgramStep::Loop(_) | ProgramStep::Opaque => {
                    unreachable!("a straight body has neither")
                }
            }
        }
        Ok(())
    }

    fn collect_arms(
        &mut self,
        condition: &Formula,
        then: &[ProgramStep],
        otherwise: &[ProgramStep],
        stretch: &mut u64,
    ) -> Result<(), Stop> {
        match condition.evaluate(&self.values) {
            Some(0) => self.collect(otherwise, stretch),
            Some(_) => self.collect(then, stretch),
            None => {
                self.admit_unknown()?;
                let certain = std::mem::replace(&mut self.certain, false);
                let around = self.arm;
                let mut first = 0;
                for arm in [then, otherwise] {
                    let number = u32::try_from(self.arms.len() + 1).unwrap_or(u32::MAX);
                    self.arm = RunArm {
                        number,
                        enclosing: around.number,
                        first: std::mem::replace(&mut first, number),
                    };
                    self.arms.push(self.arm);
                    self.collect(arm, stretch)?;
                }
                self.arm = around;
                self.certain = certain;
                Ok(())
            }
        }
    }

    fn horizon(&self, condition: &Formula) -> u64 {
        horizon(condition, &|a, b| {
            let difference = a.add_scaled(-1, b)?;
            let rate = self.rate(&difference)?;
            Some((Formula::Affine(difference).evaluate(&self.values)?, rate))
        })
    }
}

fn collect_references(steps: &[ProgramStep], references: &mut BTreeSet<ReferenceId>) {
    for step in steps {
        match step {
            ProgramStep::Access(access) => {
                references.insert(access.reference);
            }
            ProgramStep::Loop(inner) => collect_references(&inner.body, references),
            ProgramStep::Branch {
                then, otherwise, ..
            } => {
                collect_references(then, references);
                collect_references(otherwise, references);
            }
            ProgramStep::Assign { .. } | ProgramStep::Opaque => {}
        }
    }
}
