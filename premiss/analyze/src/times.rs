//! The times of a function and its loops: the least time and an estimate; and the misses that access patterns predict.

use crate::counts::{LevelCounts, LoopCounts, ReferenceCounts};
use crate::options::MeasureOptions;
use premiss_cache::{AllocationPolicy, CacheModel};
use premiss_histogram::Counted;
use premiss_machine::Machine;
use premiss_operations::{Counts, FunctionCounts, Scope, Vectorisable};
use premiss_time::{
    Bound, Cost, Events, LevelEvents, LevelTraffic, Missing, PatternLevel, ReferencePattern, Work,
    patterns,
};
use premiss_tree::{LoopId, NestTree, ReferenceId, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The times of a function on one core, entered with cold caches.
#[derive(Debug)]
pub struct Times {
    /// The time of the whole function.
    pub function: Time,
    /// The time of each loop, in the order of [`LoopId`]s.
    pub loops: Vec<Time>,
    /// The access patterns of its references, with the misses that they predict, where all trip counts are known.
    pub walks: Vec<PatternMisses>,
}

/// The time of a function or of one of its loops.
#[derive(Debug)]
pub struct Time {
    /// The least time; `None` where the machine does not describe its core.
    pub bound: Option<Bound>,
    /// The estimated cost of its accesses.
    pub cost: Result<Cost, NoEstimate>,
    /// Its arithmetic, vectorised as far as its loops allow; `None` where the machine does not describe its core, or
    /// the number of operations is unknown.
    pub lanes: Option<VectorEstimate>,
}

/// An estimate of arithmetic with loops vectorised as far as their dependences allow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VectorEstimate {
    /// The time in seconds; `None` where the machine does not describe its arithmetic units.
    pub seconds: Option<f64>,
    /// The number of instructions, where a vector operation or a fused pair is one.
    pub instructions: f64,
    /// The number of operations.
    pub operations: f64,
}

/// Why there is no estimate of the cost of accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoEstimate {
    /// The machine description lacks what the estimate needs.
    Machine(Missing),
    /// The number of some accesses or misses is unknown.
    Uncounted,
}

/// References with the same access pattern, with the misses that the pattern predicts (Byna and others 2004, Tables 3
/// and 4).
#[derive(Debug)]
pub struct PatternMisses {
    /// The references and their pattern.
    pub walk: ReferencePattern,
    /// The expected misses in each level: the caches, then the TLBs.
    pub misses: Vec<f64>,
}

/// A function with its counts, from which its times are computed.
pub(crate) struct CountedFunction<'a> {
    pub(crate) tree: &'a NestTree,
    pub(crate) operations: &'a FunctionCounts,
    pub(crate) accesses: Counted,
    pub(crate) least: GuaranteedTraffic,
    pub(crate) loops: &'a [LoopCounts],
    pub(crate) references: &'a [ReferenceCounts],
    pub(crate) vectors: &'a BTreeMap<LoopId, Vectorisable>,
}

/// The least traffic below caches in every run, without averages.
pub(crate) struct GuaranteedTraffic {
    function: Vec<LevelTraffic>,
    /// For each loop, in the order of the tree.
    loops: Vec<Vec<LevelTraffic>>,
}

impl GuaranteedTraffic {
    /// From misses, before averages have replaced any.
    pub(crate) fn of(levels: &[LevelCounts], loops: &[LoopCounts]) -> Self {
        let of_loop = |counts: &LoopCounts| {
            let levels = levels.iter().zip(&counts.misses);
            let moved = levels.filter_map(|(level, misses)| filled(level, *misses));
            moved.collect()
        };
        Self {
            function: levels.iter().filter_map(guaranteed_bytes).collect(),
            loops: loops.iter().map(of_loop).collect(),
        }
    }
}

impl fmt::Display for NoEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine(missing) => missing.fmt(f),
            Self::Uncounted => write!(f, "not all accesses and misses are counted"),
        }
    }
}

impl Times {
    /// Unknown times, for a function with `n_loops` loops whose times are not wanted.
    pub(crate) fn unknown(n_loops: usize) -> Self {
        let unknown = || Time {
            bound: None,
            cost: Err(NoEstimate::Uncounted),
            lanes: None,
        };
        Self {
            function: unknown(),
            loops: (0..n_loops).map(|_| unknown()).collect(),
            walks: Vec::new(),
        }
    }
}

impl Time {
    /// The estimated time in seconds: the cost of accesses, or the time of vectorised arithmetic if that is longer, and
    /// at least the bound. `None` where the cost of accesses has no estimate.
    #[must_use]
    pub fn estimate(&self) -> Option<f64> {
        let cost = self.cost.as_ref().ok()?.total();
        let least = self.bound.as_ref().and_then(Bound::binding);
        let arithmetic = self.lanes.and_then(|lanes| lanes.seconds);
        let further = least
            .map(|least| least.seconds)
            .into_iter()
            .chain(arithmetic);
        Some(further.fold(cost, f64::max))
    }
}

/// The times of a function on the machine of the options.
pub(crate) fn times(function: &CountedFunction<'_>, options: &MeasureOptions) -> Times {
    let machine = &options.machine;
    let walks = walks(function, machine);
    let foreseen: BTreeSet<ReferenceId> = walks
        .iter()
        .filter(|walk| walk.walk.pattern.is_foreseen())
        .flat_map(|walk| walk.walk.references.iter().copied())
        .collect();
    let time =
        |scope: Scope, content: &Content<'_>, accesses: Counted, moved: Vec<LevelTraffic>| {
            let work = Work::of(&function.operations.of(scope).guaranteed());
            Time {
                bound: Bound::new(machine, &work, moved),
                cost: cost(machine, accesses, &content.references, &foreseen),
                lanes: narrowed(function, scope, &content.vectors, machine),
            }
        };
    let of_loops = Content::of_loops(function);
    let of_loop = |(counts, moved): (&LoopCounts, &Vec<LevelTraffic>)| {
        let id = counts.id;
        time(
            Scope::Loop(id),
            &of_loops[id],
            counts.accesses,
            moved.clone(),
        )
    };
    let least = &function.least;
    let all = Content::of_function(function);
    Times {
        function: time(
            Scope::Function,
            &all,
            function.accesses,
            least.function.clone(),
        ),
        loops: function
            .loops
            .iter()
            .zip(&least.loops)
            .map(of_loop)
            .collect(),
        walks,
    }
}

/// What a function or a loop contains.
#[derive(Clone, Default)]
struct Content<'a> {
    references: Vec<&'a ReferenceCounts>,
    /// The innermost loops.
    vectors: Vec<(LoopId, &'a Vectorisable)>,
}

impl<'a> Content<'a> {
    fn of_function(function: &CountedFunction<'a>) -> Self {
        let vectors = function.vectors.iter();
        Self {
            references: function.references.iter().collect(),
            vectors: vectors.map(|(id, vector)| (*id, vector)).collect(),
        }
    }

    fn of_loops(function: &CountedFunction<'a>) -> SecondaryMap<LoopId, Self> {
        let tree = function.tree;
        let mut contents: SecondaryMap<LoopId, Self> = SecondaryMap::new();
        contents.resize(tree.loops.len());
        for reference in function.references {
            for id in enclosing_loops(tree, tree.references[reference.id].inside) {
                contents[id].references.push(reference);
            }
        }
        for (own, vector) in function.vectors {
            for id in enclosing_loops(tree, Some(*own)) {
                contents[id].vectors.push((*own, vector));
            }
        }
        contents
    }
}

/// The arithmetic of a part, with its innermost loops vectorised as far as they allow.
fn narrowed(
    function: &CountedFunction<'_>,
    scope: Scope,
    vectors: &[(LoopId, &Vectorisable)],
    machine: &Machine,
) -> Option<VectorEstimate> {
    let core = machine.core()?;
    let of = |scope: Scope| Work::expected(function.operations.of(scope));
    let mut work = of(scope)?;
    let operations = work.operations();
    let mut instructions = work.instructions(core, |full| full);
    for (id, vector) in vectors {
        let part = of(Scope::Loop(*id))?;
        let lanes = |full: u64| vector.lanes(full);
        work.narrow(&part, core, lanes);
        instructions += part.instructions(core, lanes) - part.instructions(core, |full| full);
    }
    let seconds = work.cycles(core) / core.frequency.hertz();
    Some(VectorEstimate {
        seconds: core.floating.map(|_| seconds),
        instructions,
        operations,
    })
}

/// The least time of some operations and, for each cache, misses.
pub(crate) fn bound(machine: &Machine, counts: &Counts, misses: &[Counted]) -> Option<Bound> {
    let caches = machine.caches().iter().zip(misses);
    let moved = caches.map(|(cache, misses)| filled_lines(cache.model(), *misses));
    Bound::new(machine, &Work::of(&counts.guaranteed()), moved.collect())
}

/// The least bytes read and written below a cache; `None` for TLBs.
fn guaranteed_bytes(level: &LevelCounts) -> Option<LevelTraffic> {
    let traffic = level.traffic?;
    let least = |count: Counted| count.bounds().map(|(lower, _)| float(lower));
    let first = filled_lines(level.model, level.three_c.compulsory).bytes_in;
    let lines = filled(level, level.guaranteed)?.bytes_in;
    Some(LevelTraffic {
        bytes_in: least(traffic.bytes_read)
            .unwrap_or(0.0)
            .max(lines)
            .max(first),
        bytes_out: least(traffic.bytes_written).unwrap_or(0.0),
    })
}

/// The bytes that this many misses read below a cache; `None` for TLBs.
fn filled(level: &LevelCounts, misses: Counted) -> Option<LevelTraffic> {
    level.traffic?;
    Some(filled_lines(level.model, misses))
}

/// The least bytes of the lines that misses fill: 0 where stores do not allocate, as the misses of stores are not told
/// apart.
fn filled_lines(model: CacheModel, misses: Counted) -> LevelTraffic {
    let least = match model.allocation {
        AllocationPolicy::WriteAllocate => misses.bounds().map_or(0, |(lower, _)| lower),
        AllocationPolicy::NoWriteAllocate => 0,
    };
    LevelTraffic {
        bytes_in: float(least) * float(model.geometry.line_size),
        bytes_out: 0.0,
    }
}

fn cost(
    machine: &Machine,
    accesses: Counted,
    parts: &[&ReferenceCounts],
    foreseen: &BTreeSet<ReferenceId>,
) -> Result<Cost, NoEstimate> {
    let n_caches = machine.caches().len();
    let mut events = Events {
        accesses: accesses.middle().ok_or(NoEstimate::Uncounted)?,
        caches: vec![LevelEvents::default(); n_caches],
        tlbs: vec![0.0; machine.tlbs().len()],
    };
    for part in parts {
        for (idx, misses) in part.misses.iter().enumerate() {
            let misses = misses.middle().ok_or(NoEstimate::Uncounted)?;
            match idx.checked_sub(n_caches) {
                Some(tlb) => events.tlbs[tlb] += misses,
                None if foreseen.contains(&part.id) => events.caches[idx].regular += misses,
                None => events.caches[idx].irregular += misses,
            }
        }
    }
    Cost::new(machine, &events).map_err(NoEstimate::Machine)
}

fn walks(function: &CountedFunction<'_>, machine: &Machine) -> Vec<PatternMisses> {
    let mut trips = BTreeMap::new();
    for id in function.tree.loops.keys() {
        let runs = function.operations.runs(id);
        if let (Some(entries), Some(iterations)) = (runs.entries.middle(), runs.iterations.middle())
        {
            trips.insert(id, iterations / entries.max(1.0));
        }
    }
    let is_known = |walked: &ReferencePattern| {
        let inside = function.tree.references[walked.references[0]].inside;
        enclosing_loops(function.tree, inside).all(|id| trips.contains_key(&id))
    };
    let of = |id: LoopId| trips.get(&id).copied().unwrap_or(0.0);
    let levels: Vec<PatternLevel> = machine
        .levels()
        .map(|(_, shape)| PatternLevel {
            line: float(shape.line_size),
            capacity: float(shape.line_size) * float(shape.lines()),
            ways: float(shape.ways),
        })
        .collect();
    let found = patterns(function.tree, &BTreeMap::new(), &of).into_iter();
    let of_one = |walked: ReferencePattern| PatternMisses {
        misses: levels
            .iter()
            .map(|level| walked.pattern.misses(*level))
            .collect(),
        walk: walked,
    };
    found.filter(is_known).map(of_one).collect()
}

fn enclosing_loops(tree: &NestTree, inside: Option<LoopId>) -> impl Iterator<Item = LoopId> {
    std::iter::successors(inside, |id| tree.loops[*id].inside)
}

/// The number as a float, rounded if it has more than 53 bits.
#[expect(clippy::cast_precision_loss, reason = "times are not that exact")]
fn float(number: u64) -> f64 {
    number as f64
}
