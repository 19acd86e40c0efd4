//! What became of the misses of a program: nest by nest, each metric with its verdict.

mod count;
mod findings;
mod json;
mod judge;
mod markdown;
mod page;
mod save;
mod symbolic;
mod text;
mod worst;

pub use findings::{REGRESSION, UNDECIDED};
pub(crate) use json::Comparison;
pub use json::delta_json;
pub use markdown::delta_markdown;
pub use page::{FunctionPair, Page, delta_html, functions_of_page};
pub use text::delta_text;

use self::judge::Judge;
use crate::limits::{KernelLimits, Limit};
use crate::matching::{By, Kernel, Pair};
use crate::saved::SavedBase;
use crate::verdict::Verdict;
use premiss_analyze::{FunctionAnalysis, SymbolicOptions};
use premiss_histogram::Counted;
use premiss_machine::Machine;
use premiss_source::{SourceMap, Span};

/// One of the two programs that are compared.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its texts.
    pub sources: &'a SourceMap,
    /// Its functions, counted.
    pub functions: &'a [FunctionAnalysis],
    /// Their nests.
    pub kernels: &'a [Kernel],
    /// What was kept of them, where that is all there is: then there are no texts and no functions.
    pub saved: Option<&'a SavedBase>,
}

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
    pub base: Vec<Place>,
    /// Where it is; nothing where it is gone.
    pub head: Vec<Place>,
    /// How the two were found to belong together.
    pub by: By,
    /// Whether it makes the same accesses, at the same sizes.
    pub is_same: bool,
    /// Misses by level, then bytes from memory.
    pub metrics: Vec<Metric>,
}

/// Where a nest is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The function that was entered.
    pub function: String,
    /// The file.
    pub path: String,
    /// The line of the outermost loop, from 1.
    pub line: u32,
    /// The header of the outermost loop, or the name of the function, in the texts of its side, where there are any.
    pub span: Option<Span>,
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
    /// By how much it may grow.
    pub limit: Limit,
    /// Whether it grew beyond that.
    pub verdict: Verdict,
    /// What closed forms say of all sizes, where sizes have no values and that decided.
    pub for_all_sizes: Option<ForAllSizes>,
    /// Where it grew most, unless it is within its limit.
    pub worst: Option<Moved>,
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
pub struct Moved {
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
    pub around: Vec<Span>,
    /// Its part of the count in the base.
    pub before: Counted,
    /// Its part of the count in the head.
    pub after: Counted,
}

/// What can be limited on a machine: `l1_miss`, …, `mem_bytes`.
#[must_use]
pub fn metric_names(machine: &Machine) -> Vec<String> {
    let levels = machine.models().map(|(name, _)| metric_name(name));
    levels.chain([MEMORY.to_owned()]).collect()
}

const MEMORY: &str = "mem_bytes";

fn metric_name(level: &str) -> String {
    format!("{}_miss", level.to_lowercase())
}

impl Delta {
    /// Compares what was matched; where sizes have no values, the closed forms that can be derived with these options.
    #[must_use]
    pub fn new(
        pairs: &[Pair],
        (base, head): (Side<'_>, Side<'_>),
        limits: &KernelLimits,
        options: SymbolicOptions<'_>,
        unparsed: Option<String>,
    ) -> Self {
        let judge = Judge::new(pairs, (base, head), limits, options);
        let of_one = |pair: &Pair| KernelDelta {
            base: base.places(&pair.base),
            head: head.places(&pair.head),
            by: pair.by,
            is_same: judge.is_same(pair),
            metrics: judge.metrics(pair),
        };
        Self {
            kernels: pairs.iter().map(of_one).collect(),
            unparsed,
        }
    }

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
