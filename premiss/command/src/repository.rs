//! What files are called in reports that others keep: paths from the root of the repository.

use crate::failure::Failure;
use std::path::{Component, Path, PathBuf};

/// A repository, and the folder in it that paths on the command line start from.
pub(crate) struct Repository {
    root: PathBuf,
    current: PathBuf,
}

impl Repository {
    /// The nearest folder around the current one that has a `.git`; the current one where none has.
    pub(crate) fn around(current: &Path) -> Self {
        let root = current
            .ancestors()
            .find(|folder| folder.join(".git").exists());
        Self {
            root: root.unwrap_or(current).to_owned(),
            current: current.to_owned(),
        }
    }

    /// That around the folder that the command runs in.
    ///
    /// # Errors
    ///
    /// There is no such folder any more.
    pub(crate) fn here() -> Result<Self, Failure> {
        let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
        Ok(Self::around(&current))
    }

    /// Whether a file is there, by its path from the root.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).is_file()
    }

    /// The path from the root, with `/` between its parts. A file outside of the repository has no such path: it
    /// is called by its name alone, as where it lies is a matter of this computer.
    pub(crate) fn path_of(&self, path: &str) -> String {
        let full = plain(&self.current.join(path));
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

fn joined(path: &Path) -> String {
    let parts = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// A path without `.` and `..`, as far as its text tells.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// An absolute path as seen from a folder: `../include` from `/a/src` for `/a/include`.
pub(crate) fn relative(path: &Path, from: &Path) -> String {
    let shared = path.components().zip(from.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".as_ref());
    let down = path.components().skip(shared).map(Component::as_os_str);
    let relative: PathBuf = up.chain(down).collect();
    match relative.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => joined(&relative),
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

    #[test]
    fn paths_are_seen_from_a_folder() {
        let seen = |path: &str| relative(Path::new(path), Path::new("/a/src"));
        assert_eq!(seen("/a/include"), "../include");
        assert_eq!(seen("/a/src/b/c.h"), "b/c.h");
        assert_eq!(seen("/a/src"), ".");
        assert_eq!(seen("/b"), "../../b");
    }
}
