//! Why premiss could not do its job.

use premiss_check::CheckError;
use premiss_detect::DetectError;
use std::io;

/// A message for standard error; the exit code is 2 unless a variant says otherwise.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Options that are inconsistent, or do not fit the file.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read or written.
    #[error("{0}")]
    File(String),
    /// A file that cannot be read, with rendered diagnostics.
    #[error("{0}")]
    Rendered(String),
    /// There is nothing to compare with: the exit code is 3.
    #[error("{0}")]
    Inconclusive(String),
}

impl Failure {
    /// The failure for a file that cannot be read or written.
    pub(crate) fn file(path: &str, error: &io::Error) -> Self {
        CheckError::io(path, error).into()
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Usage(message) => Self::Usage(message),
            CheckError::File(message) => Self::File(message),
            CheckError::Inconclusive(message) => Self::Inconclusive(message),
        }
    }
}

impl From<DetectError> for Failure {
    fn from(error: DetectError) -> Self {
        match error {
            DetectError::Usage(message) => Self::Usage(message),
            DetectError::File(message) => Self::File(message),
            DetectError::Io { path, error } => Self::file(&path, &error),
        }
    }
}
