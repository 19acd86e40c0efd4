//! What a change is held to: findings, each by a rule that has a page of its own.
//!
//! [`findings()`] looks at an [`Analysis`](premiss_analyze::Analysis) with every rule. A rule counts only
//! what is certain (exact numbers and lower bounds): what may be is no finding. Findings come ranked by
//! the bytes that they are about, most first.

mod finding;
mod rule;
mod rules;
mod subject;
mod suppression;

pub use finding::{Finding, findings};
pub use rule::{RULES, Rule, rule, rule_json};
pub use suppression::{Kept, suppress};
