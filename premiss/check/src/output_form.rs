//! The forms in which results are written.

/// An output form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputForm {
    /// Text for a terminal.
    Text,
    /// JSON, as described by `premiss schema`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub's workflows.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// JUnit XML.
    Junit,
    /// Markdown for comments on a pull request.
    Markdown,
    /// Callgrind's profile format; only for checks.
    Callgrind,
    /// A self-contained HTML page; only for comparisons.
    Html,
}
