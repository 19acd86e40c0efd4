//! The result of a comparison: for each nest and metric, the counts and the verdict.

use crate::limits::Limit;
use crate::matching::{KernelPlace, MatchKind};
use crate::verdict::Verdict;
use premiss_analyze::SizeRange;
use premiss_histogram::Counted;
use premiss_source::Span;

/// The comparison of two programs.
#[derive(Clone, Debug)]
pub struct Delta {
    /// The nests of the head in order, then those that are gone.
    pub kernels: Vec<KernelDelta>,
    /// A file with text that could not be read on one side only, and so was not compared; `None` if there is none.
    pub unparsed: Option<String>,
    /// The settings that the head changes: those of the base apply.
    pub policy_changes: Vec<String>,
    /// The values of sizes without one for which formulas are compared.
    pub sizes: SizeRange,
}

/// The comparison of a nest, or of several nests that are compared as a whole.
#[derive(Clone, Debug)]
pub struct KernelDelta {
    /// Its places in the base; empty if it is new.
    pub base: Vec<KernelPlace>,
    /// Its places in the head; empty if it is gone.
    pub head: Vec<KernelPlace>,
    /// How base and head were matched.
    pub match_kind: MatchKind,
    /// Whether it makes the same accesses at the same sizes.
    pub is_same: bool,
    /// Misses for each level, then bytes from memory; in the order of [`metric_names`](crate::metric_names).
    pub metrics: Vec<Metric>,
}

/// A count in the base and in the head, and the verdict.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its name, as in limits: `l1_miss`.
    pub name: String,
    /// The count in the base.
    pub before: Counted,
    /// The count in the head.
    pub after: Counted,
    /// By how much it may grow.
    pub limit: Limit,
    /// Whether it grew beyond the limit.
    pub verdict: Verdict,
    /// The result of comparing closed forms, if sizes have no values and that decided.
    pub for_all_sizes: Option<ForAllSizes>,
    /// The references that grew most; `None` if the metric is within its limit.
    pub worst: Option<ReferenceDelta>,
}

/// What closed forms prove of a metric for all sizes, with levels taken as fully associative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForAllSizes {
    /// It grows beyond its limit for no size.
    NeverMore,
    /// It grows beyond its limit, for example at these sizes.
    MoreAt {
        /// The sizes by name.
        sizes: Vec<(String, i64)>,
        /// The count in the base at these sizes.
        before: u64,
        /// The count in the head at these sizes.
        after: u64,
    },
}

/// The references with the same text in a nest, in base and head.
#[derive(Clone, Debug)]
pub struct ReferenceDelta {
    /// The file in the head.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Its text, such as `a[i][j]`.
    pub text: String,
    /// Its span in the sources of the head.
    pub span: Span,
    /// The headers of the loops around it, innermost first.
    pub enclosing: Vec<Span>,
    /// Its part of the metric in the base.
    pub before: Counted,
    /// Its part of the metric in the head.
    pub after: Counted,
}

impl Delta {
    /// The worst verdict of all nests; at least [`Verdict::Undecided`] where text of one side could not be parsed.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let all = self.kernels.iter().map(KernelDelta::verdict);
        let open = self.unparsed.iter().map(|_| Verdict::Undecided);
        all.chain(open).max().unwrap_or(Verdict::Within)
    }
}

impl KernelDelta {
    /// The worst verdict of its metrics.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let all = self.metrics.iter().map(|metric| metric.verdict);
        all.max().unwrap_or(Verdict::Within)
    }

    /// `added`, `removed`, `unchanged` or `changed`. Unchanged means within limits, and the same accesses or equal
    /// exact counts.
    #[must_use]
    pub fn status(&self) -> &'static str {
        let is_equal =
            |metric: &Metric| metric.before.exact().is_some() && metric.before == metric.after;
        let is_same = self.is_same || self.metrics.iter().all(is_equal);
        match (self.base.is_empty(), self.head.is_empty()) {
            (true, _) => "added",
            (_, true) => "removed",
            _ if self.verdict() == Verdict::Within && is_same => "unchanged",
            _ => "changed",
        }
    }
}
