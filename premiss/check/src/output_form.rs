//! The forms in which results are written.

/// A form of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputForm {
    /// For people at a terminal.
    Text,
    /// What `premiss schema` describes.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub's workflows.
    Github,
    /// The code quality report of GitLab.
    Gitlab,
    /// JUnit's XML.
    Junit,
    /// For comments on a pull request.
    Markdown,
    /// The profile format of Callgrind: of a check alone.
    Callgrind,
    /// A page: of a comparison alone.
    Html,
}
