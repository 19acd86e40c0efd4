//! Portable paths of files in reports: relative to the root of the repository, with `/` between their parts, and never
//! absolute.

use crate::paths::{joined, normalize};
use std::path::{Path, PathBuf};

/// A repository, and the current folder in it, which paths on the command line are relative to.
#[derive(Clone, Debug)]
pub struct Repository {
    root: PathBuf,
    current: PathBuf,
}

impl Repository {
    /// The repository that contains a folder: the nearest enclosing folder with a `.git`, or else the folder itself.
    #[must_use]
    pub fn enclosing(current: &Path) -> Self {
        let root = current
            .ancestors()
            .find(|folder| folder.join(".git").exists());
        Self {
            root: root.unwrap_or(current).to_owned(),
            current: current.to_owned(),
        }
    }

    /// The folder of the repository, absolute.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a file exists, given by its path from the root.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }

    /// The path from the root, with `/` between its parts. A file outside of the repository has no such path, and its
    /// location is specific to this computer: only its name is returned.
    #[must_use]
    pub fn path_of(&self, path: &str) -> String {
        let full = normalize(&self.current.join(path));
        let inside = full.strip_prefix(&self.root).map(Path::to_owned);
        let through_links = || {
            let (full, root) = (full.canonicalize().ok()?, self.root.canonicalize().ok()?);
            full.strip_prefix(root).map(Path::to_owned).ok()
        };
        match inside.ok().or_else(through_links) {
            Some(path) => joined(&path),
            None => joined(full.file_name().unwrap_or_default().as_ref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_root_and_are_never_absolute() {
        let inside = Repository {
            root: "/no/such/repo".into(),
            current: "/no/such/repo/src".into(),
        };
        assert_eq!(inside.path_of("mm.c"), "src/mm.c");
        assert_eq!(inside.path_of("./a/../mm.c"), "src/mm.c");
        assert_eq!(inside.path_of("../include/x.h"), "include/x.h");
        assert_eq!(inside.path_of("/no/such/repo/a b.c"), "a b.c");
        assert_eq!(inside.path_of("/usr/include/x.h"), "x.h");
        assert_eq!(inside.path_of("../../other/x.h"), "x.h");
    }
}
