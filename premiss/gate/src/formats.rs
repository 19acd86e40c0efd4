//! Results in the forms that other tools read: SARIF, annotations of GitHub, code quality of GitLab, JUnit and
//! Markdown. Each form is a function of [`Results`] alone: same results, same bytes.

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
