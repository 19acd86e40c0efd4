//! Judging counts: findings of rules, baselines, and limits on how much misses may grow.
//!
//! [`findings()`] applies every rule to an [`Analysis`](premiss_analyze::Analysis). A rule uses only certain counts
//! (exact numbers and lower bounds): possible accesses are no finding. Of counts from samples it uses the interval, and what is
//! a finding at one end of it alone is a note that it is undecided. Findings are sorted by the bytes at stake, most
//! first. A [`Baseline`] has those that are accepted.
//!
//! [`Delta`] compares two analyses, a base and a head: nests are matched by what they do ([`matching()`]), and each
//! metric of each nest is compared with its limit ([`verdict()`]). An unknown count leaves a limit undecided and never
//! passes:
//!
//! ```
//! use premiss_gate::{Limits, Verdict, verdict};
//! use premiss_histogram::Counted;
//!
//! let limits = Limits::parse("l1_miss=5%", &["l1_miss".to_owned()]).expect("limits");
//! let limit = limits.of("l1_miss");
//! let before = Counted::Exact(100);
//! assert_eq!(verdict(before, Counted::Exact(105), &limit), Verdict::Within);
//! assert_eq!(verdict(before, Counted::Exact(106), &limit), Verdict::Exceeds);
//! assert_eq!(verdict(before, Counted::Unknown, &limit), Verdict::Undecided);
//! ```
//!
//! [`formats`] writes results as SARIF, JUnit, Markdown and the annotations of GitHub and GitLab. This crate does not
//! measure, read files or decide exit codes.
//!
//! # Inside
//!
//! A rule is a file in `rules`, a page in `pages/` and a row of [`RULES`]; it gets a function as a `Subject`.
//!
//! To compare two analyses, `shape` digests what a nest does without its names (every integer as a polynomial in sizes
//! and iterations), `matching` finds the nests of a base in a head (by shape, by name, by likeness), and `limits` and
//! `verdict` compare growth with limits. Where sizes have no values, the sign of the difference of closed forms
//! decides. `program_text` digests the text of what was not understood. `saved` is a base in a file.
//!
//! Each file in `formats` is a function from results (findings and diagnostics, each with a place on one line and a
//! fingerprint that does not depend on lines) to the text that another tool reads. `baseline` stores the findings of a
//! run by fingerprint, with the coverage of each file.

mod baseline;
mod check_rules;
mod delta;
mod finding;
pub mod formats;
mod limits;
mod matching;
mod program_text;
mod results;
mod rule;
mod rules;
mod saved;
mod schemas;
mod shape;
mod subject;
mod suppression;
mod verdict;

pub use baseline::{Baseline, BaselineStatus, PruneCounts, hold_back};
pub use check_rules::{findings, wants_operations};
pub use delta::{
    ComparedProgram, Delta, ForAllSizes, FunctionPair, KernelDelta, Metric, Page, ReferenceDelta,
    delta_html, delta_json, delta_markdown, delta_text, functions_of_page, metric_names,
};
pub use finding::Finding;
pub use limits::{GlobError, KernelLimits, Limit, LimitError, Limits};
pub use matching::{
    Kernel, KernelPlace, MatchKind, Pair, kernels, matching, share_saved_sizes, share_sizes,
};
pub use rule::{RULES, Rule, open_rule, rule, rule_json};
pub use saved::{SavedBase, SavedConditions, SavedError, digest};
pub use schemas::SCHEMAS;
pub use shape::{Nest, NestShape, nests};
pub use suppression::{SuppressionResult, suppress};
pub use verdict::{POLICY, REGRESSION, UNDECIDED, Verdict, verdict};
