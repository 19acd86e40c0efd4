//! The files around a package, by absolute paths.

use crate::paths::displayed;
use premiss_source::{Files, ReadError};
use std::path::Path;

/// The files around a package, by absolute paths.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    pub(super) files: &'a dyn Files,
    /// The folder that paths in messages start from.
    pub(super) current: &'a Path,
}

impl Tree<'_> {
    pub(super) fn is_file(&self, path: &Path) -> bool {
        self.files.is_file(&path.to_string_lossy())
    }

    pub(super) fn is_directory(&self, path: &Path) -> bool {
        self.files.is_directory(&path.to_string_lossy())
    }

    pub(super) fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.files.read(&path.to_string_lossy())
    }

    /// The names of what is in a folder, in order; none if there is no such folder.
    pub(super) fn names(&self, folder: &Path) -> Vec<String> {
        self.files
            .names(&folder.to_string_lossy())
            .unwrap_or_default()
    }

    /// A path as messages show it.
    pub(super) fn displayed(&self, path: &Path) -> String {
        displayed(path, self.current)
    }
}
