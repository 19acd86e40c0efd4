//! Why a machine could not be described.

use std::io;

/// What kept a description from becoming a machine file.
#[derive(Debug, thiserror::Error)]
pub enum DetectError {
    /// Options that make no sense, such as a level that is given twice.
    #[error("{0}")]
    Usage(String),
    /// A text that is not of its format, or describes no machine that can be.
    #[error("{0}")]
    File(String),
    /// A file or folder that cannot be read.
    #[error("`{path}`: {error}")]
    Io {
        /// The file or folder.
        path: String,
        /// The error of the system.
        error: io::Error,
    },
}

impl DetectError {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub(crate) fn io(path: &str, error: io::Error) -> Self {
        let path = path.to_owned();
        Self::Io { path, error }
    }
}
