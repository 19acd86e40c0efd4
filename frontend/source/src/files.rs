//! Access to the contents of files.
//!
//! Front ends open files that a program names: headers, included sources, modules. All of them are read through one
//! interface, [`Files`], so that the same code works for files on disk, in a revision of a repository, and in the
//! memory of an editor or test.
//!
//! Paths are as shown in reports: relative to the current directory if they are relative, with `/` as the separator.
//! No implementation normalizes `.` and `..`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Files by path.
pub trait Files {
    /// The contents of a file.
    ///
    /// # Errors
    ///
    /// There is no such file, or it must not or cannot be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError>;

    /// The first bytes of a file, at most `most`.
    ///
    /// # Errors
    ///
    /// There is no such file, or it must not or cannot be read.
    fn beginning(&self, path: &str, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut bytes = self.read(path)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    /// The names of what is in a directory, in order; `None` if there is no such directory, or it must not or cannot be
    /// read.
    fn names(&self, path: &str) -> Option<Vec<String>>;

    /// Whether the path is that of a file that may be read; symbolic links are followed.
    fn is_file(&self, path: &str) -> bool;

    /// Whether the path is that of a directory that may be read; symbolic links are followed.
    fn is_directory(&self, path: &str) -> bool;
}

/// Why a file is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// There is none with this path.
    Missing,
    /// The path is that of a directory.
    Directory,
    /// It is a device, a pipe or a socket, which may have no end.
    Irregular,
    /// It has more bytes than this.
    TooLarge(u64),
    /// It is outside of the directories that files may be read from.
    Outside,
    /// The system refuses, for this reason.
    System(String),
}

impl ReadError {
    /// Whether there is a file, which must not be read.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Irregular | Self::TooLarge(_) | Self::Outside)
    }
}

impl std::error::Error for ReadError {}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no such file"),
            Self::Directory => f.write_str("it is a folder"),
            Self::Irregular => f.write_str("it is a device, a pipe or a socket, and no regular file"),
            Self::TooLarge(most) => write!(f, "it has more than {} MiB", most >> 20),
            Self::Outside => f.write_str(
                "it is outside of the repository and of the folders named with -I, where --untrusted reads nothing",
            ),
            Self::System(why) => f.write_str(why),
        }
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
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.files.get(path).cloned().ok_or(ReadError::Missing)
    }

    fn names(&self, path: &str) -> Option<Vec<String>> {
        let paths = self.files.keys().map(String::as_str);
        names_below(path, paths)
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

/// The names in a directory, in order, given the paths of all files; `None` if no file is below it. The directory with
/// the empty path contains everything.
#[must_use]
pub fn names_below<'p>(
    directory: &str,
    paths: impl Iterator<Item = &'p str>,
) -> Option<Vec<String>> {
    let directory = directory.trim_end_matches('/');
    let below = |path: &'p str| match directory {
        "" => Some(path),
        _ => path.strip_prefix(directory)?.strip_prefix('/'),
    };
    let first = |path: &'p str| path.split('/').next().unwrap_or(path).to_owned();
    let names: BTreeSet<String> = paths.filter_map(below).map(first).collect();
    (!names.is_empty()).then(|| names.into_iter().collect())
}

/// Observes reads of other files: `observe` is called for each read with the path, and with the contents if the file
/// could be read. `beginning`, `is_file` and `is_directory` are not
/// observed.
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
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let bytes = self.files.read(path);
        (self.observe.borrow_mut())(path, bytes.as_deref().ok());
        bytes
    }

    fn beginning(&self, path: &str, most: usize) -> Result<Vec<u8>, ReadError> {
        self.files.beginning(path, most)
    }

    fn names(&self, path: &str) -> Option<Vec<String>> {
        self.files.names(path)
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
        assert_eq!(files.read("src/a.c"), Ok(b"int a;".to_vec()));
        assert_eq!(files.read("src"), Err(ReadError::Missing));
        assert!(files.is_file("src/a.c") && !files.is_file("src"));
        assert!(files.is_directory("src") && files.is_directory("src/"));
        assert!(!files.is_directory("sr") && !files.is_directory("src/a.c"));
        assert_eq!(
            files.names(""),
            Some(vec!["src".to_owned(), "src-old".to_owned()])
        );
        assert_eq!(files.names("src/"), Some(vec!["a.c".to_owned()]));
        assert_eq!((files.names("src/a.c"), files.names("sr")), (None, None));
    }

    #[test]
    fn reads_are_observed_whether_or_not_the_file_is_there() {
        let files: MemoryFiles = [("a.h", "x")].into_iter().collect();
        let mut log = Vec::new();
        {
            let observed = ObservedFiles::new(&files, |path: &str, bytes: Option<&[u8]>| {
                log.push((path.to_owned(), bytes.is_some()));
            });
            assert!(observed.read("a.h").is_ok());
            assert_eq!(observed.read("b.h"), Err(ReadError::Missing));
        }
        assert_eq!(log, [("a.h".to_owned(), true), ("b.h".to_owned(), false)]);
    }
}
