//! Counts of one function: by line size, level, loop and reference.

use premiss_cache::{CacheGeometry, CacheModel};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_misses::ThreeC;
use premiss_trace::{Spread, Traffic};
use premiss_tree::{LoopId, ReferenceId};

/// Reuse distances for one line size.
#[derive(Debug)]
pub struct LineCounts {
    /// Bytes in a line.
    pub line_size: u64,
    /// Of all accesses; `None` where they are not known.
    pub histogram: Option<ReuseDistanceHistogram>,
    /// Of each reference, in the order of the tree; empty where they are not known.
    pub by_reference: Vec<ReuseDistanceHistogram>,
}

/// What a function does to one level.
#[derive(Debug)]
pub struct LevelCounts {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub geometry: CacheGeometry,
    /// Its shape and its kind.
    pub model: CacheModel,
    /// Which engine counted its misses.
    pub provenance: Provenance,
    /// Accesses that miss.
    pub misses: Counted,
    /// The same without averages: what holds for every run.
    pub guaranteed: Counted,
    /// Loads that miss.
    pub load_misses: Counted,
    /// Stores that miss.
    pub store_misses: Counted,
    /// Why they miss; unknown where [`LevelCounts::has_causes`] is false.
    pub three_c: ThreeC,
    /// About how many would miss if the sets of addresses were not known.
    pub estimate: Counted,
    /// Whether reuse distances tell why it misses: it is LRU, allocates on stores, and nothing but
    /// accesses has to do with its lines.
    pub has_causes: bool,
    /// What passes between it and the level below; `None` for TLBs.
    pub traffic: Option<Traffic>,
    /// Where chance decides what is replaced, how far apart the results are.
    pub spread: Option<Spread>,
}

/// What happens inside one loop.
#[derive(Debug)]
pub struct LoopCounts {
    /// The loop.
    pub id: LoopId,
    /// Accesses in it and in the loops inside it.
    pub accesses: Counted,
    /// How many of these read.
    pub loads: Counted,
    /// How many of these write.
    pub stores: Counted,
    /// Accesses that miss, by level.
    pub misses: Vec<Counted>,
}

/// What one reference does.
#[derive(Debug)]
pub struct ReferenceCounts {
    /// The reference.
    pub id: ReferenceId,
    /// How often it is executed.
    pub accesses: Counted,
    /// How often it misses, by level.
    pub misses: Vec<Counted>,
}

/// Which engine a number came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Provenance {
    /// A closed form.
    ClosedForm,
    /// The trace.
    Trace,
    /// The probabilistic model over a histogram.
    Estimate,
    /// None.
    Uncounted,
}
