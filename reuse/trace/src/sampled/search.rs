//! Going back from one access until it is clear whether it misses.

use super::draw::RoutePart;
use super::nest::{DecidedNest, NestAccess, NestLoop, NestStep};
use super::range::{affine_range, range_of_loop};
use super::window::Windows;
use crate::formula::{Formula, Values};
use crate::program::{trips, value_at};
use crate::run::{LineNumber, line_of, lines, stay};
use premiss_cache::CacheGeometry;
use premiss_tree::{ArrayId, EntityRef, SecondaryMap, VariableId};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// What is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Hit,
    /// Its line is no longer there; where that is not asked, it may never have been.
    Evicted,
    /// Nothing has touched its line before.
    First,
    /// It takes too many steps to tell.
    Open,
    /// Something has no value: this is no nest of the kind that can be sampled.
    Undetermined,
}

/// Goes on, or has found something.
type Flow = ControlFlow<Outcome>;

/// More lines than this are looked up by their numbers.
const FEW: usize = 32;

/// Addresses are less than this apart.
const FAR: i64 = 1 << 62;

/// For how many accesses of a nest that is looked at as a whole a step pays.
const ACCESSES_PER_STEP: u64 = 4;

/// A search, and what it has seen.
#[derive(Debug)]
pub(super) struct Search<'n> {
    line_size: i64,
    sets: i64,
    ways: usize,
    bases: &'n SecondaryMap<ArrayId, u64>,
    /// The iterators of the loops around the place that is looked at.
    pub(super) values: Values,
    /// By variable, the values of iterators of loops further inside, where these are looked at as a whole.
    inside: Vec<Option<(i64, i64)>>,
    /// Whether first accesses to a line are told from others that miss.
    pub(super) tells_first: bool,
    /// The line of the access from which the search began.
    line: LineNumber,
    /// Whether so many other lines were touched that only its own line matters.
    is_evicted: bool,
    /// Other lines of its set that were touched since.
    lines_since: Vec<LineNumber>,
    /// The same, once they are many.
    many: HashSet<LineNumber>,
    /// Steps of all searches so far, and where this one ends.
    pub(super) steps: u64,
    end: u64,
}

/// An access of a run, and its last iteration that touches the set and was not looked at.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    first: i64,
    stride: i64,
    size: u32,
    windows: Windows,
    iteration: Option<i64>,
}

impl<'n> Search<'n> {
    pub(super) fn new(
        geometry: CacheGeometry,
        bases: &'n SecondaryMap<ArrayId, u64>,
        n_variables: usize,
    ) -> Self {
        Self {
            line_size: geometry.line_size.cast_signed(),
            sets: geometry.sets.cast_signed(),
            ways: usize::try_from(geometry.ways).unwrap_or(usize::MAX),
            bases,
            values: vec![None; n_variables],
            inside: vec![None; n_variables],
            tells_first: false,
            line: 0,
            is_evicted: false,
            lines_since: Vec::new(),
            many: HashSet::new(),
            steps: 0,
            end: 0,
        }
    }

    pub(super) fn line_size(&self) -> i64 {
        self.line_size
    }

    /// Whether an access misses whose iterators have their values; `iterations` are those of the loops on its route, outer
    /// ones first. It touches its lines one after another, and misses where one of them does.
    pub(super) fn decide(
        &mut self,
        access: NestAccess<'n>,
        route: &[RoutePart<'n>],
        iterations: &[u64],
        limit: u64,
    ) -> Outcome {
        let Some(address) = self.address(access) else {
            return Outcome::Undetermined;
        };
        let (first, last) = lines(address, access.step.size, self.line_size);
        let values = self.values.clone();
        let mut found = Outcome::Hit;
        for line in first..=last {
            self.values.clone_from(&values);
            match self.decide_line(line, first, route, iterations, limit) {
                Outcome::Hit => {}
                Outcome::Open => found = Outcome::Open,
                other => return other,
            }
        }
        found
    }

    fn decide_line(
        &mut self,
        line: LineNumber,
        first: LineNumber,
        route: &[RoutePart<'n>],
        iterations: &[u64],
        limit: u64,
    ) -> Outcome {
        if self.tells_first {
            let values = self.values.clone();
            self.begin(line, limit);
            self.is_evicted = true;
            match self.climb(route, iterations) {
                ControlFlow::Continue(()) => return Outcome::First,
                ControlFlow::Break(Outcome::Evicted) => {}
                ControlFlow::Break(other) => return other,
            }
            self.values = values;
        }
        self.begin(line, limit);
        let mut own_lines = (first..line).rev();
        let flow = match own_lines.try_for_each(|earlier| self.see(earlier)) {
            ControlFlow::Continue(()) => self.climb(route, iterations),
            found @ ControlFlow::Break(_) => found,
        };
        match flow {
            ControlFlow::Break(outcome) => outcome,
            ControlFlow::Continue(()) => Outcome::First,
        }
    }

    /// Whether a line is touched at all; `None` where it takes too many steps to tell.
    pub(super) fn is_touched(
        &mut self,
        line: LineNumber,
        nest: &'n DecidedNest<'n>,
        limit: u64,
    ) -> Option<bool> {
        self.begin(line, limit);
        self.is_evicted = true;
        match self.block(&nest.body) {
            ControlFlow::Continue(()) => Some(false),
            ControlFlow::Break(Outcome::Evicted) => Some(true),
            ControlFlow::Break(_) => None,
        }
    }

    fn begin(&mut self, line: LineNumber, limit: u64) {
        self.line = line;
        self.is_evicted = false;
        self.lines_since.clear();
        self.many.clear();
        self.end = self.steps.saturating_add(limit);
    }

    /// Goes back from a place to the start of the program.
    fn climb(&mut self, route: &[RoutePart<'n>], iterations: &[u64]) -> Flow {
        let mut iterations = iterations.iter().rev();
        for part in route.iter().rev() {
            if let NestStep::Loop(inner) = &part.block[part.idx] {
                let before = iterations.next().copied().unwrap_or(0);
                let Some(first) = inner.header.first.evaluate(&self.values) else {
                    return Flow::Break(Outcome::Undetermined);
                };
                self.iterations(inner, first, before)?;
            }
            self.block(&part.block[..part.idx])?;
        }
        Flow::Continue(())
    }

    fn spend(&mut self, steps: u64) -> Flow {
        self.steps += steps;
        match self.steps < self.end {
            true => Flow::Continue(()),
            false => Flow::Break(Outcome::Open),
        }
    }

    fn value(&self, formula: &Formula) -> ControlFlow<Outcome, i64> {
        match formula.evaluate(&self.values) {
            Some(value) => ControlFlow::Continue(value),
            None => ControlFlow::Break(Outcome::Undetermined),
        }
    }

    pub(super) fn address(&self, access: NestAccess<'_>) -> Option<i64> {
        let offset = access.step.offset.evaluate(&self.values)?;
        self.bases[access.step.array]
            .cast_signed()
            .checked_add(offset)
    }

    /// Steps, the last one first.
    fn block(&mut self, steps: &'n [NestStep<'n>]) -> Flow {
        for step in steps.iter().rev() {
            match step {
                NestStep::Access(access) => {
                    self.spend(1)?;
                    let Some(address) = self.address(*access) else {
                        return Flow::Break(Outcome::Undetermined);
                    };
                    self.touch(address, access.step.size)?;
                }
                NestStep::Loop(inner) => {
                    let first = self.value(&inner.header.first)?;
                    let bound = self.value(&inner.header.bound)?;
                    let count = trips(first, inner.header.comparison, bound, inner.step);
                    let Some(count) = count else {
                        return Flow::Break(Outcome::Undetermined);
                    };
                    self.iterations(inner, first, count)?;
                }
                NestStep::Branch { condition, arms } => {
                    let holds = self.value(condition)? != 0;
                    self.block(&arms[usize::from(!holds)])?;
                }
            }
        }
        Flow::Continue(())
    }

    /// The first iterations of a loop, the last one first.
    fn iterations(&mut self, inner: &'n NestLoop<'n>, first: i64, count: u64) -> Flow {
        self.spend(1)?;
        if count == 0 {
            return Flow::Continue(());
        }
        let iterator = inner.header.variable.index();
        if inner.is_run {
            self.values[iterator] = Some(first);
            let mut cursors = Vec::with_capacity(inner.body.len());
            self.cursors(&inner.body, inner, count, &mut cursors)?;
            return self.run(&mut cursors);
        }
        self.spend(inner.n_accesses / ACCESSES_PER_STEP)?;
        let last = value_at(first, inner.step, count - 1);
        if let Some(last) = last
            && !self.may_touch(inner, (first.min(last), first.max(last)))
        {
            return Flow::Continue(());
        }
        for iteration in (0..count).rev() {
            self.values[iterator] = value_at(first, inner.step, iteration);
            self.block(&inner.body)?;
        }
        Flow::Continue(())
    }

    /// Whether the bytes between the least and the greatest address of an access are in the set, for some values of the
    /// iterator of a loop.
    fn may_touch(&mut self, inner: &NestLoop<'n>, values: (i64, i64)) -> bool {
        let iterator = inner.header.variable.index();
        self.inside[iterator] = Some(values);
        let may_touch = inner.body.iter().any(|step| self.step_may_touch(step));
        self.inside[iterator] = None;
        may_touch
    }

    fn step_may_touch(&mut self, step: &NestStep<'n>) -> bool {
        match step {
            NestStep::Access(access) => {
                let base = self.bases[access.step.array].cast_signed();
                let range = affine_range(access.offset, &|variable| self.range_of(variable));
                range.is_none_or(|(least, most)| {
                    let windows = self.windows(access.step.size);
                    windows.meets(base.saturating_add(least), base.saturating_add(most))
                })
            }
            NestStep::Loop(inner) => {
                match range_of_loop(inner, &|variable| self.range_of(variable)) {
                    Some(Some((_, values))) => self.may_touch(inner, values),
                    Some(None) => false,
                    None => true,
                }
            }
            NestStep::Branch { arms, .. } => {
                let mut steps = arms.iter().flatten();
                steps.any(|step| self.step_may_touch(step))
            }
        }
    }

    fn range_of(&self, variable: VariableId) -> Option<(i64, i64)> {
        let value = self.values[variable.index()];
        self.inside[variable.index()].or(value.map(|value| (value, value)))
    }

    /// The accesses of a run, the last one first, each at its last iteration that touches the set.
    fn cursors(
        &mut self,
        body: &'n [NestStep<'n>],
        inner: &NestLoop<'n>,
        count: u64,
        cursors: &mut Vec<Cursor>,
    ) -> Flow {
        for step in body.iter().rev() {
            match step {
                NestStep::Access(access) => {
                    self.spend(1)?;
                    let rate = access.offset.coefficient(inner.header.variable);
                    let found = self.address(*access).zip(rate.checked_mul(inner.step));
                    let Some((first, stride)) = found else {
                        return Flow::Break(Outcome::Undetermined);
                    };
                    let windows = self.windows(access.step.size);
                    let iteration = windows.last_in(first, stride, count.cast_signed() - 1);
                    if iteration.is_some() {
                        cursors.push(Cursor {
                            first,
                            stride,
                            size: access.step.size,
                            windows,
                            iteration,
                        });
                    }
                }
                NestStep::Branch { condition, arms } => {
                    let holds = self.value(condition)? != 0;
                    self.cursors(&arms[usize::from(!holds)], inner, count, cursors)?;
                }
                NestStep::Loop(_) => {}
            }
        }
        Flow::Continue(())
    }

    /// Where elements of some size touch lines of the set, or, where nothing else matters, the line.
    fn windows(&self, size: u32) -> Windows {
        let before = i64::from(size.max(1)) - 1;
        let length = self.line_size + before;
        match self.is_evicted {
            true => Windows {
                start: self.line * self.line_size - before,
                length,
                period: FAR,
            },
            false => Windows {
                start: self.line.rem_euclid(self.sets) * self.line_size - before,
                length,
                period: self.line_size * self.sets,
            },
        }
    }

    /// The touches of a run, the last one first: of each visit to a line only the last.
    fn run(&mut self, cursors: &mut [Cursor]) -> Flow {
        loop {
            let latest = cursors
                .iter_mut()
                .rev()
                .max_by_key(|cursor| cursor.iteration);
            let Some((cursor, iteration)) = latest.and_then(|x| x.iteration.map(|t| (x, t))) else {
                return Flow::Continue(());
            };
            let address = cursor.first + cursor.stride * iteration;
            let last = address + i64::from(cursor.size.max(1)) - 1;
            let is_one = line_of(address, self.line_size) == line_of(last, self.line_size);
            let visit = match is_one {
                true => {
                    let of_first = stay(address, -cursor.stride, self.line_size);
                    of_first.min(stay(last, -cursor.stride, self.line_size))
                }
                false => 1,
            };
            let before = iteration.checked_sub_unsigned(visit).filter(|t| 0 <= *t);
            cursor.iteration = before
                .and_then(|before| cursor.windows.last_in(cursor.first, cursor.stride, before));
            let size = cursor.size;
            self.spend(1)?;
            self.touch(address, size)?;
        }
    }

    /// The lines of an element, the last one first.
    fn touch(&mut self, address: i64, size: u32) -> Flow {
        let (first, last) = lines(address, size, self.line_size);
        (first..=last).rev().try_for_each(|line| self.see(line))
    }

    fn see(&mut self, line: LineNumber) -> Flow {
        if line == self.line {
            return Flow::Break(match self.is_evicted {
                true => Outcome::Evicted,
                false => Outcome::Hit,
            });
        }
        if self.is_evicted || (line - self.line) % self.sets != 0 {
            return Flow::Continue(());
        }
        let is_new = match self.lines_since.len() <= FEW {
            true => !self.lines_since.contains(&line),
            false => {
                if self.many.is_empty() {
                    self.many.extend(&self.lines_since);
                }
                self.many.insert(line)
            }
        };
        if is_new {
            self.lines_since.push(line);
            if self.ways <= self.lines_since.len() {
                return Flow::Break(Outcome::Evicted);
            }
        }
        Flow::Continue(())
    }
}
