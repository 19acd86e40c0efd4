//! The oracle's answers, in the shape of the trace engine's.

use super::evaluate::Environment;
use super::kinds::{Counts, World};
use super::layout::{Place, Reach, place};
use super::lru::{self, Cache};
use super::recency::{Recency, Unknowns};
use super::walk::{Choices, Event, Trace, Walk};
use super::{Failure, lines};
use premiss_cache::{CacheGeometry, CacheModel, Hierarchy};
use premiss_histogram::{Bin, Counted, Distance, ReuseDistanceHistogram};
use premiss_trace::{AddressedAccess, PerReference, Placement};
use premiss_tree::{
    AccessKind, ArrayId, EntityRef, NestTree, ParameterId, ReferenceId, SecondaryMap,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// What upper distances know of arms that may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ArmsAre {
    /// All accesses of one execution of an arm happen, or none does.
    AllOrNothing,
    /// Nothing: each possible access happens or not.
    Unseen,
}

/// A tree that has been executed.
#[derive(Clone, Debug)]
pub struct Execution<'tree> {
    tree: &'tree NestTree,
    places: BTreeMap<ArrayId, Place>,
    trace: Trace,
    arms: ArmsAre,
}

/// One access with the bounds on its distance.
struct Measured {
    reference: ReferenceId,
    certain: bool,
    lower: Distance,
    upper: Distance,
}

impl<'tree> Execution<'tree> {
    /// Executes a tree; what data decides stays open. The parameters are those of the trace engine,
    /// the budget counts accesses.
    ///
    /// # Errors
    ///
    /// A size without a value; addresses that do not fit; more accesses than the budget allows.
    pub fn new(
        tree: &'tree NestTree,
        sizes: &BTreeMap<ParameterId, i64>,
        placement: &Placement,
        budget: u64,
    ) -> Result<Self, Failure> {
        let environment = environment(tree, sizes)?;
        let execute = |places: &BTreeMap<ArrayId, Place>| {
            let walk = Walk {
                tree,
                places,
                choices: Choices::Open,
                environment: environment.clone(),
                budget,
                trace: Trace::default(),
            };
            walk.run()
        };
        let declared = place(tree, &environment, placement, &BTreeMap::new())?;
        let reached = reached(&execute(&declared)?, &declared);
        let places = place(tree, &environment, placement, &reached)?;
        let trace = execute(&places)?;
        Ok(Self {
            tree,
            places,
            trace,
            arms: ArmsAre::AllOrNothing,
        })
    }

    /// Executes a tree as one run of the program might: `choose` yields a number below its argument
    /// wherever the text does not say what happens.
    ///
    /// # Errors
    ///
    /// Those of [`Execution::new`].
    pub fn decided(
        tree: &'tree NestTree,
        sizes: &BTreeMap<ParameterId, i64>,
        placement: &Placement,
        budget: u64,
        mut choose: impl FnMut(u64) -> u64,
    ) -> Result<Self, Failure> {
        let open = Self::new(tree, sizes, placement, budget)?;
        let walk = Walk {
            tree,
            places: &open.places,
            choices: Choices::Decided(&mut choose),
            environment: environment(tree, sizes)?,
            budget,
            trace: Trace::default(),
        };
        let trace = walk.run()?;
        Ok(Self { trace, ..open })
    }

    /// The same, with bounds that take every possible access by itself (see [`ArmsAre`]).
    #[must_use]
    pub fn taking_each_access_by_itself(self) -> Self {
        Self {
            arms: ArmsAre::Unseen,
            ..self
        }
    }

    /// The address of each array.
    #[must_use]
    pub fn bases(&self) -> SecondaryMap<ArrayId, u64> {
        let mut bases = SecondaryMap::new();
        for (&id, place) in &self.places {
            bases[id] = place.base;
        }
        bases
    }

    /// Whether an element lies inside an array.
    #[must_use]
    pub fn holds(&self, array: ArrayId, address: u64, size: u32) -> bool {
        let place = self.places[&array];
        place.base <= address && address + u64::from(size) <= place.base + place.extent
    }

    /// All that happened, in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.trace.events
    }

    /// How often each reference is executed.
    #[must_use]
    pub fn accesses(&self) -> PerReference<Counted> {
        let mut counts = self.per_reference((0, 0));
        for event in &self.trace.events {
            if let Event::Access { reference, arm, .. } = event {
                counts[*reference].0 += u64::from(arm.is_none());
                counts[*reference].1 += 1;
            }
        }
        self.counted(&counts)
    }

    /// The reuse-distance histogram of each reference.
    #[must_use]
    pub fn histograms(&self, line_size: u64) -> PerReference<ReuseDistanceHistogram> {
        let mut histograms = self.per_reference(ReuseDistanceHistogram::default());
        for access in self.measure(line_size, 1) {
            histograms[access.reference].add(Bin {
                lower: access.lower,
                upper: access.upper,
                certain: u64::from(access.certain),
                possible: u64::from(!access.certain),
            });
        }
        histograms
    }

    /// The misses of each reference in each level, nearest level first.
    ///
    /// Of a filtered chain only the first level has bounds where something is not certain; what the
    /// levels below see is then unknown.
    #[must_use]
    pub fn misses(
        &self,
        levels: &[CacheGeometry],
        hierarchy: Hierarchy,
    ) -> Vec<PerReference<Counted>> {
        match hierarchy {
            Hierarchy::Independent => levels.iter().map(|&level| self.bounds(level)).collect(),
            Hierarchy::Filtered if self.is_certain() => self.simulate(levels),
            Hierarchy::Filtered => levels
                .iter()
                .enumerate()
                .map(|(idx, &level)| match idx {
                    0 => self.bounds(level),
                    _ => self.per_reference(Counted::Unknown),
                })
                .collect(),
            Hierarchy::Inclusive | Hierarchy::Exclusive => {
                unreachable!("other hierarchies are asked about with `kinds`")
            }
        }
    }

    /// What each level of a chain of any kind does, by simulation; everything must be certain. Of an
    /// independent hierarchy, a chain is one level. What is outside of all references misses on
    /// account of [`OUTSIDE`](super::OUTSIDE).
    #[must_use]
    pub fn kinds(&self, models: &[CacheModel], hierarchy: Hierarchy, seed: u64) -> Vec<Counts> {
        let mut world = World::new(models, hierarchy, seed);
        for event in &self.trace.events {
            let (address, size, kind, who) = match *event {
                Event::Access {
                    address: Some(address),
                    size,
                    kind,
                    reference,
                    ..
                } => (address, size, kind, reference.index()),
                Event::Foreign {
                    address,
                    size,
                    kind,
                } => (address, size, kind, super::OUTSIDE),
                _ => unreachable!("only what is certain is simulated"),
            };
            world.request(0, who, address, size.into(), kind == AccessKind::Store);
        }
        world.counts
    }

    /// Shows every access in order until `visit` breaks.
    pub fn for_each_access(&self, visit: &mut dyn FnMut(AddressedAccess) -> ControlFlow<()>) {
        for event in &self.trace.events {
            let Event::Access {
                reference,
                kind,
                address,
                size,
                arm,
                ..
            } = *event
            else {
                continue;
            };
            let access = AddressedAccess {
                reference,
                kind,
                address,
                size,
                certain: arm.is_none(),
            };
            if visit(access).is_break() {
                return;
            }
        }
    }

    /// Whether everything is sure to happen, at a known place.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        let certain = |event: &Event| match event {
            Event::Access { arm, address, .. } => arm.is_none() && address.is_some(),
            Event::Opaque => false,
            Event::Foreign { .. } => true,
        };
        self.trace.events.iter().all(certain)
    }

    /// The misses of one level that sees everything, by bounds on distances within sets.
    fn bounds(&self, level: CacheGeometry) -> PerReference<Counted> {
        let mut counts = self.per_reference((0, 0));
        for access in self.measure(level.line_size, level.sets) {
            let misses = |distance| Distance::Finite(level.ways) <= distance;
            let count = &mut counts[access.reference];
            count.0 += u64::from(access.certain && misses(access.lower));
            count.1 += u64::from(misses(access.upper));
        }
        self.counted(&counts)
    }

    /// The misses of a chain, by simulation; everything must be certain.
    fn simulate(&self, levels: &[CacheGeometry]) -> Vec<PerReference<Counted>> {
        let mut chain: Vec<Cache> = levels.iter().copied().map(Cache::new).collect();
        let mut counts = vec![self.per_reference((0, 0)); levels.len()];
        for event in &self.trace.events {
            let (address, size, kind, reference) = match *event {
                Event::Access {
                    address: Some(address),
                    size,
                    kind,
                    reference,
                    ..
                } => (address, size, kind, Some(reference)),
                Event::Foreign {
                    address,
                    size,
                    kind,
                } => (address, size, kind, None),
                _ => unreachable!("only what is certain is simulated"),
            };
            let mut misses = vec![0; levels.len()];
            let store = kind == AccessKind::Store;
            lru::access(&mut chain, address, size.into(), store, &mut misses);
            let Some(reference) = reference else { continue };
            for (counts, missed) in counts.iter_mut().zip(misses) {
                counts[reference].0 += missed;
                counts[reference].1 += missed;
            }
        }
        counts.iter().map(|counts| self.counted(counts)).collect()
    }

    /// Every access with the bounds on its distance among the lines of its own set.
    fn measure(&self, line_size: u64, sets: u64) -> Vec<Measured> {
        let mut history: BTreeMap<u64, Recency> = BTreeMap::new();
        let mut unknowns = Unknowns::default();
        let mut measured = Vec::new();
        let mut time = 0;
        let arms = match self.arms {
            ArmsAre::AllOrNothing => Some(&self.trace.arms),
            ArmsAre::Unseen => None,
        };
        let mut touch = |address, size: u32, arm, time: &mut u64, unknowns: &Unknowns| {
            let mut distance = (Distance::Finite(0), Distance::Finite(0));
            for line in lines(address, size.into(), line_size) {
                let set = history.entry(line % sets);
                let set = set.or_insert_with(|| Recency::of_one_of(sets));
                let (lower, upper) = set.distance(line, unknowns, arms, arm);
                distance = (distance.0.max(lower), distance.1.max(upper));
                *time += 1;
                set.touch(line, arm, *time);
            }
            distance
        };
        for event in &self.trace.events {
            match *event {
                Event::Opaque => {
                    time += 1;
                    unknowns.opaque(time);
                }
                Event::Foreign { address, size, .. } => {
                    touch(address, size, None, &mut time, &unknowns);
                }
                Event::Access {
                    reference,
                    array,
                    address,
                    size,
                    arm,
                    ..
                } => {
                    let (lower, upper) = if let Some(address) = address {
                        touch(address, size, arm, &mut time, &unknowns)
                    } else {
                        time += 1;
                        unknowns.access(time, arm, self.lines_of(array, line_size));
                        (Distance::Finite(0), Distance::Infinite)
                    };
                    measured.push(Measured {
                        reference,
                        certain: arm.is_none(),
                        lower,
                        upper,
                    });
                }
            }
        }
        measured
    }

    /// The lines that hold an array; one where it is empty.
    fn lines_of(&self, array: ArrayId, line_size: u64) -> std::ops::RangeInclusive<u64> {
        let place = self.places[&array];
        let start = place.base.saturating_sub(place.below);
        lines(start, place.below + place.extent, line_size)
    }

    fn counted(&self, counts: &PerReference<(u64, u64)>) -> PerReference<Counted> {
        let mut counted = self.per_reference(Counted::ZERO);
        for reference in self.tree.references.keys() {
            let (lower, upper) = counts[reference];
            counted[reference] = if self.trace.uncounted.contains(&reference) {
                Counted::Unknown
            } else {
                Counted::between(lower, upper)
            };
        }
        counted
    }

    fn per_reference<T: Clone>(&self, value: T) -> PerReference<T> {
        let mut map = SecondaryMap::with_default(value);
        map.resize(self.tree.references.len());
        map
    }
}

/// The sizes, and no variables yet.
fn environment(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
) -> Result<Environment, Failure> {
    let mut environment = Environment {
        tables: tree.tables.clone(),
        ..Environment::default()
    };
    let mut missing = Vec::new();
    for (id, parameter) in &tree.parameters {
        match sizes.get(&id).copied().or(parameter.value) {
            Some(value) => {
                environment.parameters.insert(id, value);
            }
            None => missing.push(parameter.name.clone()),
        }
    }
    if missing.is_empty() {
        Ok(environment)
    } else {
        Err(Failure::MissingSizes(missing))
    }
}

/// How far the references reach into each array.
fn reached(trace: &Trace, places: &BTreeMap<ArrayId, Place>) -> BTreeMap<ArrayId, Reach> {
    let mut reaches = BTreeMap::new();
    for event in &trace.events {
        if let Event::Access {
            array,
            address: Some(address),
            size,
            ..
        } = event
        {
            let start = address.wrapping_sub(places[array].base).cast_signed();
            let end = start + i64::from(*size);
            let reach = reaches.entry(*array).or_insert(Reach { start, end });
            reach.start = reach.start.min(start);
            reach.end = reach.end.max(end);
        }
    }
    reaches
}
