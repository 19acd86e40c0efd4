//! Counts of one function: by line size, level, loop and reference.

use premiss_cache::{CacheGeometry, CacheModel};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_misses::ThreeC;
use premiss_trace::{Spread, Traffic};
use premiss_tree::{LoopId, ReferenceId};

/// The reuse distances of a function for one line size. Distances are in lines: the number of distinct other lines
/// accessed since the previous access to the line.
#[derive(Debug)]
pub struct LineCounts {
    /// Bytes in a line.
    pub line_size: u64,
    /// The histogram of all accesses; `None` where it is not known.
    pub histogram: Option<ReuseDistanceHistogram>,
    /// The histogram of each reference, in the order of [`ReferenceId`]s; empty where they are not known.
    pub by_reference: Vec<ReuseDistanceHistogram>,
}

/// What a function does to one level, a cache or a TLB. All misses count accesses, not lines.
#[derive(Debug)]
pub struct LevelCounts {
    /// Its name.
    pub name: String,
    /// Its geometry: sets, ways and line size (of a TLB: page size).
    pub geometry: CacheGeometry,
    /// Its geometry with its policies.
    pub model: CacheModel,
    /// Which engine counted its misses.
    pub provenance: Provenance,
    /// Accesses that miss.
    pub misses: Counted,
    /// The misses that hold for every run: like `misses`, but without estimates from averages.
    pub guaranteed: Counted,
    /// Loads that miss.
    pub load_misses: Counted,
    /// Stores that miss.
    pub store_misses: Counted,
    /// The misses by cause (Hill's 3C); unknown where [`LevelCounts::has_causes`] is false.
    pub three_c: ThreeC,
    /// The misses expected if the sets of lines were not known, by the probabilistic model of Marin and Mellor-Crummey
    /// (2005, section 5.2); unknown where the reuse distances of all accesses do not determine the misses.
    pub estimate: Counted,
    /// Whether the misses can be split by cause: the level is LRU, allocates on stores, and only accesses change its
    /// content.
    pub has_causes: bool,
    /// Bytes and write-backs between this level and the next; `None` for TLBs.
    pub traffic: Option<Traffic>,
    /// With random replacement, the least and the largest result over the seeds.
    pub spread: Option<Spread>,
    /// Of a sample, the interval from least to greatest that holds the misses with a probability of 95 %.
    pub interval: Option<(u64, u64)>,
}

/// What happens inside one loop, with the loops nested in it.
#[derive(Debug)]
pub struct LoopCounts {
    /// The loop.
    pub id: LoopId,
    /// Array accesses.
    pub accesses: Counted,
    /// How many of these are loads.
    pub loads: Counted,
    /// How many of these are stores.
    pub stores: Counted,
    /// Accesses that miss, for each level: the caches, then the TLBs.
    pub misses: Vec<Counted>,
}

/// The counts of one reference.
#[derive(Debug)]
pub struct ReferenceCounts {
    /// The reference.
    pub id: ReferenceId,
    /// How many times it is executed.
    pub accesses: Counted,
    /// How many times it misses, for each level: the caches, then the TLBs.
    pub misses: Vec<Counted>,
}

/// Which engine a count came from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Provenance {
    /// A closed form.
    ClosedForm,
    /// The trace.
    Trace,
    /// A sample of accesses, each of which was decided exactly.
    Sample,
    /// The probabilistic model for set-associative caches, applied to a histogram.
    Estimate,
    /// None: the count is unknown.
    Uncounted,
}
