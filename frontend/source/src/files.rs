//! Access to the contents of files.
//!
//! Front ends open files that a program names: headers, included sources, modules. All of them are read through one
//! interface, [`Files`], so that the same code works for files on disk, in a revision of a repository, and in the
//! memory of an editor or test.
//!
//! Paths are as shown in reports: relative to the current directory if they are relative, with `/` as the separator.
//! No implementation normalizes `.` and `..`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The maximum size of a file in bytes.
const LARGEST_FILE: u64 = 1 << 28;

/// Files by path.
pub trait Files {
    /// The contents of a file; `None` if there is no such file or it cannot be read.
    fn read(&self, path: &str) -> Option<Vec<u8>>;

    /// Whether the path is that of a file; symbolic links are followed.
    fn is_file(&self, path: &str) -> bool;

    /// Whether the path is that of a directory; symbolic links are followed.
    fn is_directory(&self, path: &str) -> bool;
}

/// The files of this machine. Files of more than 256 MiB count as unreadable.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystem;

#[allow(
    clippy::disallowed_methods,
    reason = "this is where libraries read files"
)]
impl Files for FileSystem {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let metadata = fs::metadata(path).ok()?;
        let fits = metadata.is_file() && metadata.len() <= LARGEST_FILE;
        fits.then(|| fs::read(path).ok())?
    }

    fn is_file(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn is_directory(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }
}

/// Files in memory, for example those of a test or an editor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// An empty set of files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; replaces one with the same path.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }
}

impl<P: Into<String>, B: Into<Vec<u8>>> FromIterator<(P, B)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Self {
        let files = files.into_iter();
        Self {
            files: files
                .map(|(path, bytes)| (path.into(), bytes.into()))
                .collect(),
        }
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.files.get(path).cloned()
    }

    fn is_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    fn is_directory(&self, path: &str) -> bool {
        let below = format!("{}/", path.trim_end_matches('/'));
        let first = self.files.range(below.clone()..).next();
        first.is_some_and(|(path, _)| path.starts_with(&below))
    }
}

/// Observes reads of other files: `observe` is called for each read with the path, and with the contents if the file
/// could be read. `is_file` and `is_directory` are not observed.
pub struct ObservedFiles<'f, F> {
    files: &'f dyn Files,
    observe: RefCell<F>,
}

impl<'f, F: FnMut(&str, Option<&[u8]>)> ObservedFiles<'f, F> {
    /// Observes the reads of `files`.
    pub fn new(files: &'f dyn Files, observe: F) -> Self {
        Self {
            files,
            observe: RefCell::new(observe),
        }
    }
}

impl<F: FnMut(&str, Option<&[u8]>)> Files for ObservedFiles<'_, F> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let bytes = self.files.read(path);
        (self.observe.borrow_mut())(path, bytes.as_deref());
        bytes
    }

    fn is_file(&self, path: &str) -> bool {
        self.files.is_file(path)
    }

    fn is_directory(&self, path: &str) -> bool {
        self.files.is_directory(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_have_the_folders_of_their_paths() {
        let files: MemoryFiles = [("src/a.c", "int a;"), ("src-old/b.c", "")]
            .into_iter()
            .collect();
        assert_eq!(files.read("src/a.c"), Some(b"int a;".to_vec()));
        assert_eq!(files.read("src"), None);
        assert!(files.is_file("src/a.c") && !files.is_file("src"));
        assert!(files.is_directory("src") && files.is_directory("src/"));
        assert!(!files.is_directory("sr") && !files.is_directory("src/a.c"));
    }

    #[test]
    fn reads_are_observed_whether_or_not_the_file_is_there() {
        let files: MemoryFiles = [("a.h", "x")].into_iter().collect();
        let mut log = Vec::new();
        {
            let observed = ObservedFiles::new(&files, |path: &str, bytes: Option<&[u8]>| {
                log.push((path.to_owned(), bytes.is_some()));
            });
            observed.read("a.h");
            observed.read("b.h");
        }
        assert_eq!(log, [("a.h".to_owned(), true), ("b.h".to_owned(), false)]);
    }
}
