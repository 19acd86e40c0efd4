//! Results in the formats of other tools: SARIF, annotations of GitHub, code quality of GitLab, JUnit and Markdown.
//! Each is a function of [`Results`] only: same results, same bytes.

mod github;
mod gitlab;
mod junit;
mod markdown;
mod sarif;

pub use crate::results::{Conditions, Results};
pub use github::{github, without_annotation};
pub use gitlab::gitlab;
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;

#[cfg(test)]
mod tests;
