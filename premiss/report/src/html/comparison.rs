//! The content of a comparison page: verdicts and sentences that were decided elsewhere, and numbers.

use super::derivations::Derivations;
use premiss_analyze::Analysis;
use premiss_histogram::Counted;
use premiss_source::{SourceMap, Span};
use premiss_tree::ReferenceId;

/// Two programs, with everything that the page says of their differences.
pub struct Comparison<'a> {
    /// The base.
    pub base: Compared<'a>,
    /// The head.
    pub head: Compared<'a>,
    /// The functions that are shown in full, in this order.
    pub functions: Vec<ComparedFunction>,
    /// All nests, in the order of the JSON document.
    pub nests: Vec<ComparedNest>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// The verdict in a few words, then its meaning and its basis; one paragraph each.
    pub sentences: Vec<String>,
    /// The coverage and the machine, as a line.
    pub coverage: String,
    /// The JSON document of the comparison.
    pub json: String,
}

/// One of the two programs.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its source texts.
    pub sources: &'a SourceMap,
    /// Its functions with their counts; those that are shown have times.
    pub analysis: &'a Analysis,
    /// The closed forms of the functions that are shown.
    pub derivations: &'a Derivations,
}

/// Accesses, and misses of each level.
pub type PlainCounts = (Counted, Vec<Counted>);

/// The comparison of a function of the head.
#[derive(Debug)]
pub struct ComparedFunction {
    /// The index of the function in the head.
    pub head: usize,
    /// The index of the function in the base from which most of its nests come, if any.
    pub base: Option<usize>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// A description of the change, in whole sentences.
    pub sentences: Vec<String>,
    /// Messages on its lines: the place, the verdict, and the text.
    pub findings: Vec<(Span, &'static str, String)>,
    /// Its references, grouped, with the earlier counts of each group; `None` if they are new.
    pub references: Vec<(Vec<ReferenceId>, Option<PlainCounts>)>,
    /// The references of the base without counterpart: text and place, and their counts.
    pub gone: Vec<(String, PlainCounts)>,
}

/// The comparison of a nest.
#[derive(Debug)]
pub struct ComparedNest {
    /// Its function and place in the head, or in the base if it is gone.
    pub place: String,
    /// Its place in the base, if it was elsewhere or had another name.
    pub moved_from: Option<String>,
    /// `changed`, `unchanged`, `added` or `removed`.
    pub status: &'static str,
    /// How it was matched, in words.
    pub found_by: Option<&'static str>,
    /// The index of its function in the head, if the page shows it.
    pub function: Option<usize>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// Its metrics, in the order of the JSON document.
    pub metrics: Vec<ComparedMetric>,
}

/// A count before and after.
#[derive(Debug)]
pub struct ComparedMetric {
    /// Its name.
    pub name: String,
    /// The count in the base.
    pub before: Counted,
    /// The count in the head.
    pub after: Counted,
    /// The allowed growth, as text.
    pub limit: String,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// What was proved for all sizes, or why the verdict is undecided.
    pub remark: Option<String>,
    /// Sizes at which it exceeds its limit, with both counts at these.
    pub witness: Option<Witnessed>,
    /// The references that grew most, with their counts in base and head.
    pub worst: Option<(String, Counted, Counted)>,
}

/// Counts at the sizes of a witness that closed forms found.
#[derive(Debug)]
pub struct Witnessed {
    /// The sizes: `n = 1000`.
    pub sizes: String,
    /// The count in the base.
    pub before: u64,
    /// The count in the head.
    pub after: u64,
}
