//! Why a check or a comparison could not be made.

use std::io;
use std::path::Path;

/// What kept a run from its result, as a message for its user.
///
/// A program outside of the model is no error, but a part of the result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// Options that do not fit together, or do not fit the files.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read, or is not what it should be.
    #[error("{0}")]
    File(String),
    /// There is nothing to compare with, so that there is no verdict.
    #[error("{0}")]
    Inconclusive(String),
}

impl CheckError {
    /// A file or folder that cannot be read or written.
    #[must_use]
    pub fn io(path: &str, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::PermissionDenied => "it may not be read or written".to_owned(),
            io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        let path = Path::new(path).display();
        Self::File(format!("`{path}`: {why}"))
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}
