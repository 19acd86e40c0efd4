//! The result of a comparison: nest by nest, each metric with its verdict.

use crate::limits::Limit;
use crate::matching::{KernelPlace, MatchKind};
use crate::verdict::Verdict;
use premiss_histogram::Counted;
use premiss_source::Span;

/// Two programs compared.
#[derive(Clone, Debug)]
pub struct Delta {
    /// Nests in the order of the head, then those that are gone.
    pub kernels: Vec<KernelDelta>,
    /// A file of which one side has places that could not be parsed: what is in them is not compared.
    pub unparsed: Option<String>,
}

/// What became of a nest.
#[derive(Clone, Debug)]
pub struct KernelDelta {
    /// Where it was; nothing where it is new.
    pub base: Vec<KernelPlace>,
    /// Where it is; nothing where it is gone.
    pub head: Vec<KernelPlace>,
    /// How the two were found to belong together.
    pub match_kind: MatchKind,
    /// Whether it makes the same accesses, at the same sizes.
    pub is_same: bool,
    /// Misses by level, then bytes from memory.
    pub metrics: Vec<Metric>,
}

/// A count before and after.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its name, as in limits.
    pub name: String,
    /// In the base.
    pub before: Counted,
    /// In the head.
    pub after: Counted,
    /// MatchKind how much it may grow.
    pub limit: Limit,
    /// Whether it grew beyond that.
    pub verdict: Verdict,
    /// What closed forms say of all sizes, where sizes have no values and that decided.
    pub for_all_sizes: Option<ForAllSizes>,
    /// Where it grew most, unless it is within its limit.
    pub worst: Option<ReferenceDelta>,
}

/// What is true of a metric for all sizes at once, levels being taken as fully associative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForAllSizes {
    /// It grows for no size.
    NeverMore,
    /// It grows beyond its limit, at these sizes for one.
    MoreAt {
        /// The sizes by name.
        sizes: Vec<(String, i64)>,
        /// In the base.
        before: u64,
        /// In the head.
        after: u64,
    },
}

/// References of one text in a nest, before and after.
#[derive(Clone, Debug)]
pub struct ReferenceDelta {
    /// Where it is now.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Its text, such as `a[i][j]`.
    pub text: String,
    /// Its place in the texts of the head.
    pub span: Span,
    /// The loops around it, innermost first.
    pub enclosing: Vec<Span>,
    /// Its part of the count in the base.
    pub before: Counted,
    /// Its part of the count in the head.
    pub after: Counted,
}

impl Delta {
    /// The worst of all.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let all = self.kernels.iter().map(KernelDelta::verdict);
        let open = self.unparsed.iter().map(|_| Verdict::Undecided);
        all.chain(open).max().unwrap_or(Verdict::Within)
    }
}

impl KernelDelta {
    /// The worst of its metrics.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let all = self.metrics.iter().map(|metric| metric.verdict);
        all.max().unwrap_or(Verdict::Within)
    }

    /// What happened to it, in a word.
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
