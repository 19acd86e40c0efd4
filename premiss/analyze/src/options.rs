//! The options of a measurement.

use crate::budget_share::BudgetScope;
use premiss_cache::Hierarchy;
use premiss_formulas::{DerivationOptions, DiskCache, Effort};
use premiss_machine::Machine;
use premiss_trace::Placement;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where arrays start in memory (rule 4 of the access model).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// Each array at the next multiple of 4096 bytes.
    Page4096,
    /// Each array at the next multiple of 64 bytes.
    Packed64,
}

/// Which engine counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// The closed form where deriving it is expected to be cheaper than running the loops, or where running them
    /// exceeds the budget; else the trace.
    Auto,
    /// Closed forms only: nothing is run, and what cannot be derived is unknown.
    Closed,
    /// The loops are run, and every access is counted.
    Trace,
}

/// Which quantities of a function are measured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MeasureScope {
    /// Accesses, distances, misses, operations, vectorisation and times.
    Everything,
    /// Accesses, distances and misses, as needed for rules and limits. Operations are counted only where averages of
    /// misses depend on them, and are unknown otherwise.
    Misses,
    /// Like `Misses`, but without the traffic between levels unless the misses are counted with it: as needed for rules
    /// only.
    Findings,
}

/// What to measure, on which machine, with which engine and limits.
#[derive(Clone, Debug)]
pub struct MeasureOptions {
    /// The quantities to measure.
    pub scope: MeasureScope,
    /// The caches and TLBs.
    pub machine: Machine,
    /// Which accesses each level sees.
    pub hierarchy: Hierarchy,
    /// Where arrays start in memory.
    pub layout: Layout,
    /// Byte addresses of arrays that the user placed, by the array's name.
    pub bases: BTreeMap<String, u64>,
    /// Which engine counts.
    pub engine: Engine,
    /// The most steps (runs of accesses to one line) that all runs over a function may take, of which each has an equal
    /// share.
    pub budget: u64,
    /// How much work the derivation of a closed form may take.
    pub effort: Effort,
    /// Whether that is for each function, or for all functions of a run.
    pub budget_scope: BudgetScope,
    /// Where derivations are cached between runs, if anywhere.
    pub store: Option<Arc<DiskCache>>,
}

impl Layout {
    /// Its name in options and reports.
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
    /// Its name in options and reports.
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
    /// The alignment in bytes of all arrays; `None` if the user placed some array.
    #[must_use]
    pub fn alignment(&self) -> Option<u64> {
        self.bases.is_empty().then(|| self.layout.alignment())
    }

    /// The options for deriving closed forms.
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
