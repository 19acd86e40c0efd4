//! Drawing accesses of a reference.

use super::nest::{DecidedNest, NestAccess, NestLoop, NestStep};
use super::range::{ValueRange, range_of_loop};
use super::ratio::{Ratio, Unit};
use super::search::{Outcome, Search};
use crate::program::{trips, value_at};
use crate::run::line_of;
use crate::ways::SplitMix;
use premiss_cache::CacheGeometry;
use premiss_tree::{ArrayId, EntityRef, ReferenceId, SecondaryMap, VariableId};
use std::collections::BTreeMap;

/// So many iterations are drawn for one that a loop has.
const MOST_TRIES: u32 = 1 << 12;

/// A step on the way from the root to an access.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoutePart<'n> {
    pub(super) block: &'n [NestStep<'n>],
    pub(super) idx: usize,
    /// Which arm of a branch the way takes.
    arm: usize,
}

/// A reference of which accesses are drawn.
#[derive(Debug)]
pub(super) struct SampledReference<'n> {
    pub(super) id: ReferenceId,
    access: NestAccess<'n>,
    route: Vec<RoutePart<'n>>,
    /// How often each loop on the way runs at most.
    most: Vec<u64>,
    /// Whether the accesses that follow the first one to a line within an execution of the innermost loop are hits.
    only_first_may_miss: bool,
    chance: SplitMix,
    pub(super) ratio: Ratio,
    pub(super) steps: u64,
}

impl<'n> DecidedNest<'n> {
    /// All references; `None` where the number of iterations of a loop has no bound that is known.
    pub(super) fn references(
        &'n self,
        geometry: CacheGeometry,
        bases: &'n SecondaryMap<ArrayId, u64>,
    ) -> Option<Vec<SampledReference<'n>>> {
        let mut collector = Collector {
            geometry,
            bases,
            route: Vec::new(),
            most: Vec::new(),
            ranges: BTreeMap::new(),
            references: Vec::new(),
        };
        collector.block(&self.body)?;
        Some(collector.references)
    }
}

/// The array of an element, and its place in it: a constant and terms.
type Element<'n> = (ArrayId, i64, &'n [(VariableId, i64)]);

struct Collector<'n> {
    geometry: CacheGeometry,
    bases: &'n SecondaryMap<ArrayId, u64>,
    route: Vec<RoutePart<'n>>,
    most: Vec<u64>,
    /// The values of the iterators.
    ranges: BTreeMap<VariableId, ValueRange>,
    references: Vec<SampledReference<'n>>,
}

impl<'n> Collector<'n> {
    fn block(&mut self, block: &'n [NestStep<'n>]) -> Option<()> {
        for (idx, step) in block.iter().enumerate() {
            let part = |arm| RoutePart { block, idx, arm };
            match step {
                NestStep::Access(access) => {
                    self.route.push(part(0));
                    self.references.push(self.reference(*access));
                    self.route.pop();
                }
                NestStep::Loop(inner) => {
                    let Some((most, values)) =
                        range_of_loop(inner, &|variable| self.ranges.get(&variable).copied())?
                    else {
                        continue;
                    };
                    self.route.push(part(0));
                    self.most.push(most);
                    self.ranges.insert(inner.header.variable, values);
                    self.block(&inner.body)?;
                    self.ranges.remove(&inner.header.variable);
                    self.most.pop();
                    self.route.pop();
                }
                NestStep::Branch { arms, .. } => {
                    for (arm, steps) in arms.iter().enumerate() {
                        self.route.push(part(arm));
                        self.block(steps)?;
                        self.route.pop();
                    }
                }
            }
        }
        Some(())
    }

    /// The most lines that each element touches that is accessed in a body without loops, by its array and place.
    fn lines_of_body(&self, body: &'n [NestStep<'n>], lines: &mut BTreeMap<Element<'n>, u64>) {
        for step in body {
            match step {
                NestStep::Access(NestAccess { step, offset }) => {
                    let base = self.bases[step.array];
                    let most = step.most_lines(self.geometry.line_size, base);
                    let element = (step.array, offset.constant, &offset.terms[..]);
                    let lines = lines.entry(element).or_default();
                    *lines = most.max(*lines);
                }
                NestStep::Loop(_) => {}
                NestStep::Branch { arms, .. } => {
                    for arm in arms {
                        self.lines_of_body(arm, lines);
                    }
                }
            }
        }
    }

    fn reference(&self, access: NestAccess<'n>) -> SampledReference<'n> {
        let around = self.route.iter().rev().nth(1);
        let only_first_may_miss = around.is_some_and(|part| match &part.block[part.idx] {
            NestStep::Loop(inner) if inner.is_run => {
                let mut lines = BTreeMap::new();
                self.lines_of_body(&inner.body, &mut lines);
                lines.values().sum::<u64>() <= self.geometry.ways
            }
            _ => false,
        });
        let id = access.step.reference;
        SampledReference {
            id,
            access,
            route: self.route.clone(),
            most: self.most.clone(),
            only_first_may_miss,
            chance: SplitMix(id.index() as u64),
            ratio: Ratio::default(),
            steps: 0,
        }
    }
}

impl<'n> SampledReference<'n> {
    /// Decides all accesses; `None` where that cannot be done.
    pub(super) fn decide_all(&mut self, search: &mut Search<'n>, limit: u64) -> Option<()> {
        let mut iterations = Vec::with_capacity(self.most.len());
        self.ratio = Ratio::of(self.ratio.accesses);
        self.decide_from(0, search, &mut iterations, limit)?;
        self.ratio.is_whole = true;
        Some(())
    }

    /// Decides all accesses, from a part of the route on, in some iterations of the loops before it.
    fn decide_from(
        &mut self,
        idx: usize,
        search: &mut Search<'n>,
        iterations: &mut Vec<u64>,
        limit: u64,
    ) -> Option<()> {
        let part = self.route[idx];
        match &part.block[part.idx] {
            NestStep::Access(access) => {
                let values = search.values.clone();
                let outcome = search.decide(*access, &self.route, iterations, limit);
                search.values = values;
                self.ratio.add(
                    Unit {
                        accesses: 1,
                        stands_for: 1,
                        outcome,
                    },
                    search.tells_first,
                );
                (outcome != Outcome::Undetermined).then_some(())
            }
            NestStep::Loop(inner) => {
                let first = inner.header.first.evaluate(&search.values)?;
                let bound = inner.header.bound.evaluate(&search.values)?;
                let count = trips(first, inner.header.comparison, bound, inner.step)?;
                for iteration in 0..count {
                    search.values[inner.header.variable.index()] =
                        value_at(first, inner.step, iteration);
                    iterations.push(iteration);
                    self.decide_from(idx + 1, search, iterations, limit)?;
                    iterations.pop();
                }
                Some(())
            }
            NestStep::Branch { condition, .. } => {
                let holds = condition.evaluate(&search.values)? != 0;
                match usize::from(!holds) == part.arm {
                    true => self.decide_from(idx + 1, search, iterations, limit),
                    false => Some(()),
                }
            }
        }
    }

    /// Draws an execution of the innermost loop and decides one of its accesses; `None` where that cannot be done.
    pub(super) fn draw(&mut self, search: &mut Search<'n>, limit: u64) -> Option<Unit> {
        let mut iterations = vec![0; self.most.len()];
        for _ in 0..MOST_TRIES {
            search.steps += 1;
            if let Some(accesses) = self.execution(search, &mut iterations)? {
                return self.decide(search, &mut iterations, accesses, limit);
            }
        }
        None
    }

    /// Draws the iterations of the loops but the innermost one, and returns how often that one runs; nothing where there are
    /// no such iterations, which then have to be drawn again.
    fn execution(
        &mut self,
        search: &mut Search<'n>,
        iterations: &mut [u64],
    ) -> Option<Option<u64>> {
        let mut depth = 0;
        for part in &self.route {
            match &part.block[part.idx] {
                NestStep::Access(_) => return Some(Some(1)),
                NestStep::Loop(inner) => {
                    let first = inner.header.first.evaluate(&search.values)?;
                    let bound = inner.header.bound.evaluate(&search.values)?;
                    let count = trips(first, inner.header.comparison, bound, inner.step)?;
                    let is_innermost = depth + 1 == iterations.len();
                    let iteration = match is_innermost {
                        true => 0,
                        false => self.chance.below(self.most[depth]),
                    };
                    if count <= iteration {
                        return Some(None);
                    }
                    iterations[depth] = iteration;
                    search.values[inner.header.variable.index()] =
                        value_at(first, inner.step, iteration);
                    if is_innermost {
                        return Some(Some(count));
                    }
                    depth += 1;
                }
                NestStep::Branch { condition, .. } => {
                    let holds = condition.evaluate(&search.values)? != 0;
                    if usize::from(!holds) != part.arm {
                        return Some(None);
                    }
                }
            }
        }
        None
    }

    /// Draws an access of an execution of the innermost loop, and decides it.
    fn decide(
        &mut self,
        search: &mut Search<'n>,
        iterations: &mut [u64],
        accesses: u64,
        limit: u64,
    ) -> Option<Unit> {
        let mut unit = Unit {
            accesses,
            stands_for: accesses,
            outcome: Outcome::Hit,
        };
        let innermost = self.innermost();
        if let (Some((idx, inner)), Some(iteration)) = (innermost, iterations.last_mut()) {
            let first = search.values[inner.header.variable.index()]?;
            (unit.stands_for, *iteration) = self.visit(search, inner, accesses)?;
            search.values[inner.header.variable.index()] = value_at(first, inner.step, *iteration);
            for part in &self.route[idx + 1..] {
                if let NestStep::Branch { condition, .. } = &part.block[part.idx] {
                    let holds = condition.evaluate(&search.values)? != 0;
                    if usize::from(!holds) != part.arm {
                        return Some(Unit {
                            accesses: 0,
                            stands_for: 0,
                            ..unit
                        });
                    }
                }
            }
        }
        unit.outcome = search.decide(self.access, &self.route, iterations, limit);
        (unit.outcome != Outcome::Undetermined).then_some(unit)
    }

    /// The innermost loop on the way, and where on the way it is.
    fn innermost(&self) -> Option<(usize, &'n NestLoop<'n>)> {
        let mut parts = self.route.iter().enumerate().rev();
        parts.find_map(|(idx, part)| match &part.block[part.idx] {
            NestStep::Loop(inner) => Some((idx, inner)),
            _ => None,
        })
    }

    /// Draws one of the accesses that may miss, in an execution of the innermost loop whose iterator has its first value:
    /// how many there are, and its iteration.
    fn visit(
        &mut self,
        search: &Search<'n>,
        inner: &NestLoop<'n>,
        accesses: u64,
    ) -> Option<(u64, u64)> {
        let address = search.address(self.access)?;
        let rate = self.access.offset.coefficient(inner.header.variable);
        let stride = rate.checked_mul(inner.step)?;
        let line_size = search.line_size();
        let size = i64::from(self.access.step.size.max(1));
        let is_aligned = [address, stride, line_size].iter().all(|x| x % size == 0);
        if !self.only_first_may_miss || !is_aligned || line_size <= stride.abs() {
            return Some((accesses, self.chance.below(accesses)));
        }
        let last = stride.checked_mul(i64::try_from(accesses - 1).ok()?)?;
        let [entered, left] = [address, address.checked_add(last)?].map(|x| line_of(x, line_size));
        let count = (left - entered).unsigned_abs() + 1;
        let visit = self.chance.below(count);
        if visit == 0 {
            return Some((count, 0));
        }
        let distance = match 0 < stride {
            true => (entered + visit.cast_signed()) * line_size - address,
            false => address + 1 - (entered - visit.cast_signed() + 1) * line_size,
        };
        let iteration = distance.unsigned_abs().div_ceil(stride.unsigned_abs());
        Some((count, iteration))
    }
}
