//! A tree at given sizes and addresses, and the ways to run it.

use crate::allowance::Allowance;
use crate::bounded::Clock;
use crate::bounded_cache::BoundedCache;
use crate::bounded_histogram::BoundedHistograms;
use crate::cache::CacheSink;
use crate::counts::{AccessCounts, Reaches, Shower};
use crate::layout::{self, Area, Reach};
use crate::program::Program;
use crate::walk::{Recur, Stop, Unknowns, walk};
use crate::windows::HistogramSink;
use crate::{AddressedAccess, Placement, TraceError};
use premiss_cache::{CacheGeometry, CacheModel, Hierarchy};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_tree::{ArrayId, EntityRef, NestTree, ParameterId, ReferenceId, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A value for each reference of a tree, by the reference's id.
pub type PerReference<T> = SecondaryMap<ReferenceId, T>;

/// A fully associative cache of at most this many ways is simulated; larger ones are read off a histogram, which serves
/// all sizes at once.
const MOST_SIMULATED_WAYS: u64 = 64;

/// A tree with values for its sizes and addresses for its arrays.
///
/// Its methods run the tree from the start, each time with cold caches. Where something that matters
/// is unknown (a branch that data decides, an address or a loop bound loaded from memory), counts are
/// bounded; those of references in a loop with an unknown bound are unknown.
#[derive(Debug)]
pub struct Execution<'tree> {
    pub(crate) tree: &'tree NestTree,
    pub(crate) program: Program,
    pub(crate) bases: SecondaryMap<ArrayId, u64>,
    pub(crate) areas: SecondaryMap<ArrayId, Area>,
    pub(crate) budget: u64,
}

/// What a run has left in its sink, and which references were executed an unknown number of times.
pub(crate) struct RunOutcome<S> {
    pub(crate) sink: S,
    pub(crate) lost: BTreeSet<ReferenceId>,
    /// What the sink takes, as long as it is there.
    _allowance: Allowance<'static>,
}

/// The misses of a level that sees every access.
pub(crate) struct BoundedMisses {
    pub(crate) of_references: PerReference<Counted>,
    /// Those of all references together, where that is known better than the sum.
    pub(crate) total: Option<Counted>,
}

impl<S> RunOutcome<S> {
    /// Whether every access belongs to a reference that is executed a known number of times, or one between bounds.
    fn is_complete(&self) -> bool {
        self.lost.is_empty()
    }
}

impl<'tree> Execution<'tree> {
    /// Fixes sizes and places arrays. `sizes` gives values to parameters that have none in the tree, or overrides those
    /// values. `budget` limits the steps (roughly, runs of accesses to one line) of each run.
    ///
    /// # Errors
    ///
    /// [`TraceError::MissingSizes`] where a used size has no value; [`TraceError::AddressOverflow`] where arrays do not
    /// fit the address space; where extents must be found by running the tree, the errors of [`Self::accesses`].
    pub fn new(
        tree: &'tree NestTree,
        sizes: &BTreeMap<ParameterId, i64>,
        placement: &Placement,
        budget: u64,
    ) -> Result<Self, TraceError> {
        let sizes = all_sizes(tree, sizes)?;
        let mut unplaced = SecondaryMap::new();
        unplaced.resize(tree.arrays.len());
        let mut execution = Self {
            tree,
            program: Program::new(tree, &sizes),
            bases: unplaced,
            areas: SecondaryMap::new(),
            budget,
        };
        let mut reaches: Option<Vec<Option<Reach>>> = None;
        let areas = layout::place(tree, &sizes, placement, |array| {
            if reaches.is_none() {
                reaches = Some(execution.reaches()?);
            }
            let reach = reaches.as_ref().and_then(|reaches| reaches[array.index()]);
            Ok(reach.unwrap_or_default())
        })?;
        for array in tree.arrays.keys() {
            execution.bases[array] = areas[array].base;
        }
        execution.areas = areas;
        Ok(execution)
    }

    /// The address of each array's element 0, in bytes.
    #[must_use]
    pub fn bases(&self) -> &SecondaryMap<ArrayId, u64> {
        &self.bases
    }

    /// The first and the last line of each array's bytes, for lines of `line_size` bytes; `None` where an array lies at
    /// negative addresses.
    #[must_use]
    pub fn line_ranges(&self, line_size: u64) -> Option<Vec<(u64, u64)>> {
        let line = |address: i64| Some(u64::try_from(address).ok()? / line_size);
        let ranges = self.areas.values().map(Area::ends);
        ranges
            .map(|(first, last)| Some((line(first)?, line(last)?)))
            .collect()
    }

    /// The number of executions of each reference: exact, bounded where data decides what is executed, and unknown in
    /// loops with an unknown bound.
    ///
    /// # Errors
    ///
    /// [`TraceError::Budget`], [`TraceError::EndlessLoop`], [`TraceError::AddressOverflow`] or
    /// [`TraceError::TooManyAccesses`].
    pub fn accesses(&self) -> Result<PerReference<Counted>, TraceError> {
        let outcome = self.run(Unknowns::Bound, AccessCounts::new(self.n_references()))?;
        let run = self.unless_stopped(outcome)?;
        let (sink, lost) = (&run.sink, &run.lost);
        Ok(self.per_reference(|idx| {
            let certain = sink.certain[idx.index()];
            let possible = sink.possible[idx.index()];
            let count = Counted::between(certain, certain + possible);
            known_unless(lost, idx, count)
        }))
    }

    /// The accesses, loads and stores of all references together: where data decide which of several arms is executed, that is
    /// known better than the sum over references is. `None` where there are references in loops with an unknown bound.
    ///
    /// # Errors
    ///
    /// As for [`Self::accesses`].
    pub fn joint_accesses(&self) -> Result<Option<[Counted; 3]>, TraceError> {
        let outcome = self.run(Unknowns::Bound, AccessCounts::new(self.n_references()))?;
        let run = self.unless_stopped(outcome)?;
        let joint = run.sink.joint();
        let between = |(least, most)| Counted::between(least, most);
        Ok(run.is_complete().then(|| joint.map(between)))
    }

    /// The misses of all references together in an LRU cache that sees every access, where they are known better than the sum
    /// over references is.
    ///
    /// # Errors
    ///
    /// As for [`Self::misses`].
    pub fn joint_misses(&self, level: CacheGeometry) -> Result<Option<Counted>, TraceError> {
        Ok(self.level_misses(level)?.total)
    }

    /// The reuse-distance histogram of each reference, for lines of `line_size` bytes; distances count lines.
    ///
    /// References that are executed an unknown number of times have empty histograms or incomplete ones; see
    /// [`Self::accesses`].
    ///
    /// # Errors
    ///
    /// As for [`Self::accesses`]; [`TraceError::Cache`] where there can be no such lines.
    pub fn histograms(
        &self,
        line_size: u64,
    ) -> Result<PerReference<ReuseDistanceHistogram>, TraceError> {
        let geometry = CacheGeometry {
            line_size,
            sets: 1,
            ways: 1,
        };
        geometry.check()?;
        let line_size = line_size.cast_signed();
        let (n_references, n_arrays) = (self.n_references(), self.tree.arrays.len());
        let exact = HistogramSink::new(line_size, n_references, n_arrays);
        if let Some(run) = self.run(Unknowns::Stop, exact)? {
            return Ok(self.per_reference(|idx| run.sink.tallies[idx.index()].histogram()));
        }
        let bounded = BoundedHistograms::new(line_size, n_references, self.clock());
        let outcome = self.run(Unknowns::Bound, bounded)?;
        let run = self.unless_stopped(outcome)?;
        Ok(self.per_reference(|idx| run.sink.histogram(idx.index())))
    }

    /// The misses of each reference in each level of LRU write-back caches: one entry for each level, nearest first. An
    /// access to several lines misses at most once.
    ///
    /// In a filtered hierarchy in which data decides what is executed, the misses of levels beyond the first are
    /// bounded from above by what the misses of the first can request of them, and from below by compulsory misses.
    ///
    /// # Errors
    ///
    /// As for [`Self::simulate`].
    pub fn misses(
        &self,
        levels: &[CacheGeometry],
        hierarchy: Hierarchy,
    ) -> Result<Vec<PerReference<Counted>>, TraceError> {
        if hierarchy == Hierarchy::Independent {
            levels.iter().try_for_each(|level| level.check())?;
            return levels
                .iter()
                .map(|level| Ok(self.level_misses(*level)?.of_references))
                .collect();
        }
        let levels: Vec<_> = levels
            .iter()
            .map(|x| CacheModel::lru_write_back(*x))
            .collect();
        let runs = self.simulate(&levels, hierarchy)?;
        Ok(runs.into_iter().map(|run| run.misses).collect())
    }

    /// Shows every access in order until `visit` breaks. Of a branch that data decides, both arms
    /// are shown, as possible; of a loop with an unknown bound, nothing.
    ///
    /// # Errors
    ///
    /// As for [`Self::accesses`].
    pub fn for_each_access(
        &self,
        visit: &mut dyn FnMut(AddressedAccess) -> ControlFlow<()>,
    ) -> Result<(), TraceError> {
        let mut shower = Shower {
            visit,
            has_broken: false,
        };
        let result = walk(
            &self.program,
            self.tree.variables.len(),
            &self.bases,
            Unknowns::Bound,
            &mut Allowance::of_steps(self.budget),
            &mut shower,
        );
        match result {
            _ if shower.has_broken => Ok(()),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Overflow(reference)) => Err(self.overflow(reference)),
            _ => Ok(()),
        }
    }

    /// The misses of each reference in a level that sees every access.
    pub(crate) fn level_misses(&self, level: CacheGeometry) -> Result<BoundedMisses, TraceError> {
        if level.sets == 1 && MOST_SIMULATED_WAYS < level.ways {
            let histograms = self.histograms(level.line_size)?;
            let lost = self.lost()?;
            let misses = |idx| known_unless(&lost, idx, histograms[idx].misses(level.ways));
            return Ok(BoundedMisses {
                of_references: self.per_reference(misses),
                total: None,
            });
        }
        let n_arrays = self.tree.arrays.len();
        let exact = CacheSink::new(level, self.n_references(), n_arrays)?;
        if let Some(run) = self.run(Unknowns::Stop, exact)? {
            let misses = |idx: ReferenceId| Counted::Exact(run.sink.misses[0][idx.index()]);
            return Ok(BoundedMisses {
                of_references: self.per_reference(misses),
                total: None,
            });
        }
        let bounded = BoundedCache::new(level, self.n_references(), self.clock())?;
        let outcome = self.run(Unknowns::Bound, bounded)?;
        let run = self.unless_stopped(outcome)?;
        let misses = |idx: ReferenceId| {
            let (certain, possible) = run.sink.misses(idx.index());
            let misses = Counted::between(certain, certain + possible);
            known_unless(&run.lost, idx, misses)
        };
        let of_references = self.per_reference(misses);
        let sum: Counted = of_references.values().copied().sum();
        // A possible access to two lines counts once for each of them.
        let (least, most) = run.sink.joint_misses();
        let joint = sum.narrowed(Counted::between(least, most));
        Ok(BoundedMisses {
            of_references,
            total: run.is_complete().then_some(joint),
        })
    }

    /// A clock for a bounded run.
    fn clock(&self) -> Clock {
        let ends = self
            .tree
            .arrays
            .keys()
            .map(|array| self.areas[array].ends());
        let arrays = self.tree.arrays.values();
        Clock::new(
            ends.collect(),
            arrays.map(|array| array.extent.is_some()).collect(),
        )
    }

    /// The references that are executed an unknown number of times.
    fn lost(&self) -> Result<BTreeSet<ReferenceId>, TraceError> {
        let outcome = self.run(Unknowns::Bound, AccessCounts::new(self.n_references()))?;
        Ok(self.unless_stopped(outcome)?.lost)
    }

    /// How far each array is reached.
    fn reaches(&self) -> Result<Vec<Option<Reach>>, TraceError> {
        let sink = Reaches {
            reaches: vec![None; self.tree.arrays.len()],
        };
        let outcome = self.run(Unknowns::Bound, sink)?;
        Ok(self.unless_stopped(outcome)?.sink.reaches)
    }

    /// Runs a sink; `None` where it wants exactness and something that matters is unknown.
    pub(crate) fn run<S: Recur>(
        &self,
        unknowns: Unknowns,
        mut sink: S,
    ) -> Result<Option<RunOutcome<S>>, TraceError> {
        let n_variables = self.tree.variables.len();
        let mut allowance = Allowance::of_steps(self.budget);
        let result = walk(
            &self.program,
            n_variables,
            &self.bases,
            unknowns,
            &mut allowance,
            &mut sink,
        );
        match result {
            Ok(lost) => Ok(Some(RunOutcome {
                sink,
                lost,
                _allowance: allowance,
            })),
            Err(Stop::Unknown) => Ok(None),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Overflow(reference)) => Err(self.overflow(reference)),
        }
    }

    /// The outcome of a run that admits unknowns, which is never stopped by one.
    pub(crate) fn unless_stopped<S>(
        &self,
        outcome: Option<RunOutcome<S>>,
    ) -> Result<RunOutcome<S>, TraceError> {
        Ok(outcome.expect("a run that admits unknowns is not stopped by one"))
    }

    pub(crate) fn overflow(&self, reference: ReferenceId) -> TraceError {
        TraceError::AddressOverflow(self.tree.references[reference].text.clone())
    }

    pub(crate) fn n_references(&self) -> usize {
        self.tree.references.len()
    }

    pub(crate) fn per_reference<T: Clone + Default>(
        &self,
        value: impl Fn(ReferenceId) -> T,
    ) -> PerReference<T> {
        let mut map = SecondaryMap::new();
        for idx in self.tree.references.keys() {
            map[idx] = value(idx);
        }
        map
    }
}

pub(crate) fn known_unless(
    lost: &BTreeSet<ReferenceId>,
    idx: ReferenceId,
    count: Counted,
) -> Counted {
    if lost.contains(&idx) {
        Counted::Unknown
    } else {
        count
    }
}

fn all_sizes(
    tree: &NestTree,
    given: &BTreeMap<ParameterId, i64>,
) -> Result<BTreeMap<ParameterId, i64>, TraceError> {
    let used = tree.used_parameters();
    let mut sizes = BTreeMap::new();
    let mut missing = Vec::new();
    for (id, parameter) in &tree.parameters {
        match given.get(&id).copied().or(parameter.value) {
            Some(value) => {
                sizes.insert(id, value);
            }
            None if used.contains(&id) => missing.push(parameter.name.clone()),
            None => {}
        }
    }
    if missing.is_empty() {
        Ok(sizes)
    } else {
        Err(TraceError::MissingSizes(missing))
    }
}
