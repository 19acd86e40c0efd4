//! What a change is held to: findings, each by a rule that has a page of its own.
//!
//! [`findings()`] looks at an [`Analysis`](premiss_analyze::Analysis) with every rule. A rule counts only
//! what is certain (exact numbers and lower bounds): what may be is no finding. Findings come ranked by
//! the bytes that they are about, most first.
//!
//! [`Delta`] compares two analyses: nests are matched by what they do ([`matching()`]), and each metric of each is held
//! to its limit ([`verdict()`]).

mod baseline;
mod delta;
mod finding;
pub mod formats;
mod limits;
mod matching;
mod rule;
mod rules;
mod saved;
mod schemas;
mod shape;
mod subject;
mod suppression;
mod verdict;

pub use baseline::{Baseline, Pruned, Standing, hold_back};
pub use delta::{
    Delta, ForAllSizes, FunctionPair, KernelDelta, Metric, Moved, Page, REGRESSION, Side,
    UNDECIDED, delta_html, delta_json, delta_markdown, delta_text, functions_of_page, metric_names,
};
pub use finding::{Finding, findings, wants_operations};
pub use limits::{GlobError, KernelLimits, Limit, LimitError, Limits};
pub use matching::{By, Kernel, Pair, kernels, matching, share_saved_sizes, share_sizes};
pub use rule::{RULES, Rule, rule, rule_json};
pub use saved::{SavedBase, SavedConditions, SavedError, digest};
pub use schemas::SCHEMAS;
pub use shape::{Nest, Shape, nests};
pub use suppression::{Kept, suppress};
pub use verdict::{Verdict, verdict};
