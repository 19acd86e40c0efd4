//! Errors of checks and comparisons.

use premiss_report::visible_name;
use premiss_source::ReadError;
use std::io;

/// Why a run has no result, as a message for the user.
///
/// A program outside of the model is no error: its result says so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// Options that are inconsistent, or do not fit the files.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read, or has unexpected content.
    #[error("{0}")]
    File(String),
    /// There is nothing to compare with, so that there is no verdict.
    #[error("{0}")]
    Inconclusive(String),
}

impl CheckError {
    /// The error for a file or folder that cannot be read or written.
    #[must_use]
    pub fn io(path: &str, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::PermissionDenied => "it may not be read or written".to_owned(),
            io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        let path = visible_name(path);
        Self::File(format!("`{path}`: {why}"))
    }

    /// The error for a file that is not read.
    #[must_use]
    pub fn read(path: &str, error: &ReadError) -> Self {
        let way_out = match error {
            ReadError::Directory => "; `premiss check` and `premiss coverage` take folders",
            _ => "",
        };
        Self::File(format!("`{}`: {error}{way_out}", visible_name(path)))
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}
