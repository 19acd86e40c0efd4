//! Compares two programs whose nests are matched.

use super::kernel_delta::{Delta, KernelDelta};
use super::program::ComparedProgram;
use super::verdicts::VerdictContext;
use crate::limits::KernelLimits;
use crate::matching::Pair;
use crate::results::{Conditions, Results};
use premiss_analyze::SymbolicOptions;
use premiss_source::SourceMap;

impl Delta {
    /// Compares the pairs of nests, metric by metric. Where sizes have no values, closed forms are derived with these
    /// options and compared.
    #[must_use]
    pub fn new(
        pairs: &[Pair],
        (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
        limits: &KernelLimits,
        options: SymbolicOptions<'_>,
        unparsed: Option<String>,
    ) -> Self {
        let context = VerdictContext::new(pairs, (base, head), limits, options);
        let of_one = |pair: &Pair| KernelDelta {
            base: base.places(&pair.base),
            head: head.places(&pair.head),
            match_kind: pair.match_kind,
            is_same: context.is_same(pair),
            metrics: context.metrics(pair),
        };
        Self {
            kernels: pairs.iter().map(of_one).collect(),
            unparsed,
            policy_changes: Vec::new(),
            sizes: limits.sizes,
        }
    }
}

impl Results {
    /// The results of a comparison: regressions and undecided metrics.
    #[must_use]
    pub fn of_delta(
        sources: &SourceMap,
        path_of: &dyn Fn(&str) -> String,
        delta: &Delta,
        conditions: Conditions,
    ) -> Self {
        let (findings, diagnostics) = (delta.findings(), delta.diagnostics());
        Self {
            command: "diff",
            ..Self::new(sources, path_of, &findings, &diagnostics, conditions)
        }
    }
}
