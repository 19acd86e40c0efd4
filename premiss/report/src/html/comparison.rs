//! A comparison as a page shows it: what was decided elsewhere, in words and numbers.

use super::derivations::Derivations;
use premiss_analyze::Analysis;
use premiss_histogram::Counted;
use premiss_source::{SourceMap, Span};
use premiss_tree::ReferenceId;

/// Two programs, and what is to be said of what became of the one.
pub struct Comparison<'a> {
    /// What is compared with.
    pub base: Compared<'a>,
    /// What is compared.
    pub head: Compared<'a>,
    /// The functions that are shown, in this order.
    pub functions: Vec<ComparedFunction>,
    /// All nests, in the order of the document.
    pub nests: Vec<ComparedNest>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// The verdict in a few words, then what it means and what it rests on: a paragraph each.
    pub sentences: Vec<String>,
    /// How much is covered, and the machine, as a line.
    pub coverage: String,
    /// The document of the comparison.
    pub json: String,
}

/// One of the programs, and what there is of it.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// What to call it.
    pub name: &'a str,
    /// Its texts.
    pub sources: &'a SourceMap,
    /// Its functions; those that are shown with their times.
    pub analysis: &'a Analysis,
    /// What closed forms say of those that are shown.
    pub derivations: &'a Derivations,
}

/// Accesses, and misses by level.
pub type PlainCounts = (Counted, Vec<Counted>);

/// What a function of the head was.
#[derive(Debug)]
pub struct ComparedFunction {
    /// Its place among the functions of the head.
    pub head: usize,
    /// The function of the base that most of it was, if any.
    pub base: Option<usize>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// What became of it: whole sentences.
    pub sentences: Vec<String>,
    /// What is to be said on lines of it, each with its verdict.
    pub findings: Vec<(Span, &'static str, String)>,
    /// Its references with what they were, accesses and misses by level; nothing where they are new.
    pub references: Vec<(Vec<ReferenceId>, Option<PlainCounts>)>,
    /// References of the base that became nothing: text and place, accesses and misses by level.
    pub gone: Vec<(String, PlainCounts)>,
}

/// What became of a nest.
#[derive(Debug)]
pub struct ComparedNest {
    /// Its function and where it is: now, or before where it is gone.
    pub place: String,
    /// Where it was, if elsewhere or under another name.
    pub moved_from: Option<String>,
    /// `changed`, `unchanged`, `added` or `removed`.
    pub status: &'static str,
    /// How it was found again, in words.
    pub found_by: Option<&'static str>,
    /// The function of the head, if the page shows it.
    pub function: Option<usize>,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// Its metrics, in the order of the document.
    pub metrics: Vec<ComparedMetric>,
}

/// A count before and after.
#[derive(Debug)]
pub struct ComparedMetric {
    /// Its name.
    pub name: String,
    /// In the base.
    pub before: Counted,
    /// In the head.
    pub after: Counted,
    /// By how much it may grow.
    pub limit: String,
    /// `within`, `undecided` or `exceeds`.
    pub verdict: &'static str,
    /// What was proved for all sizes, or why it is open.
    pub remark: Option<String>,
    /// Sizes at which it exceeds its limit, with both counts there.
    pub witness: Option<Witnessed>,
    /// Where it grew most, with what that was and is.
    pub worst: Option<(String, Counted, Counted)>,
}

/// Counts at sizes that closed forms found.
#[derive(Debug)]
pub struct Witnessed {
    /// `n = 1000`
    pub sizes: String,
    /// In the base.
    pub before: u64,
    /// In the head.
    pub after: u64,
}
