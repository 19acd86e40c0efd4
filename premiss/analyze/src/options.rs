//! What a caller can choose.

use premiss_cache::Hierarchy;
use premiss_formulas::{DerivationOptions, DiskCache, Effort};
use premiss_machine::Machine;
use premiss_trace::Placement;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where arrays start (rule 4 of the access model).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// Each at the next multiple of 4096.
    Page4096,
    /// Each at the next multiple of 64.
    Packed64,
}

/// Which engine counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// The closed form where deriving it is expected to be cheaper than running the loops or running
    /// them exceeds its budget; else the trace.
    Auto,
    /// Closed forms alone: nothing is run, and what cannot be derived is unknown.
    Closed,
    /// The loops are run, and every access counted.
    Trace,
}

/// What is measured of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MeasureScope {
    /// Accesses, distances and misses, arithmetic, vectors and times.
    Everything,
    /// Accesses, distances and misses, which is what rules and limits are about. Arithmetic is counted where
    /// averages of misses rest upon it; the rest of it stays unknown.
    Misses,
    /// The same without the bytes that pass below each level, which may be told of bounds on misses: what rules are about.
    Findings,
}

/// How to count.
#[derive(Clone, Debug)]
pub struct MeasureOptions {
    /// What to count.
    pub scope: MeasureScope,
    /// The caches and TLBs.
    pub machine: Machine,
    /// What each level sees.
    pub hierarchy: Hierarchy,
    /// Where arrays start.
    pub layout: Layout,
    /// Arrays with an address of their own, by name.
    pub bases: BTreeMap<String, u64>,
    /// Which engine counts.
    pub engine: Engine,
    /// The most steps (runs of accesses to one line) that one run of a function may take.
    pub budget: u64,
    /// How much work deriving a closed form may take.
    pub effort: Effort,
    /// Where derivations are kept between runs, if anywhere.
    pub store: Option<Arc<DiskCache>>,
}

impl Layout {
    /// Its name, as options and reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Page4096 => "page4096",
            Self::Packed64 => "packed64",
        }
    }

    fn alignment(self) -> u64 {
        match self {
            Self::Page4096 => 4096,
            Self::Packed64 => 64,
        }
    }
}

impl Engine {
    /// Its name, as options and reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Closed => "closed",
            Self::Trace => "trace",
        }
    }
}

impl MeasureOptions {
    /// What all arrays start at multiples of; nothing where some have an address of their own.
    #[must_use]
    pub fn alignment(&self) -> Option<u64> {
        self.bases.is_empty().then(|| self.layout.alignment())
    }

    /// How closed forms are derived.
    #[must_use]
    pub fn derivation(&self) -> DerivationOptions<'_> {
        DerivationOptions {
            alignment: self.alignment(),
            effort: self.effort,
            store: self.store(),
        }
    }

    pub(crate) fn store(&self) -> Option<&DiskCache> {
        self.store.as_deref()
    }

    pub(crate) fn placement(&self) -> Placement {
        Placement {
            alignment: self.layout.alignment(),
            bases: self.bases.clone(),
        }
    }
}
