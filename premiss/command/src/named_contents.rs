//! The contents of files that settings name.

use crate::failure::Failure;
use premiss_check::read_path;
use std::collections::BTreeMap;

/// The contents by path of files as they were where the settings are from; all others are as they are now.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedContents(pub(crate) BTreeMap<String, Vec<u8>>);

impl NamedContents {
    /// The content of a file.
    ///
    /// # Errors
    ///
    /// It has no content of its own, and cannot be read now.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Failure> {
        match self.0.get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None => Ok(read_path(path)?),
        }
    }
}
