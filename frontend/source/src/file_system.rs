//! The files of this machine.
//!
//! Only regular files are read: a pipe has no end that one could wait for, and `/dev/zero` has none at all. A file
//! system may be confined to some directories. Then a path counts by where it leads: `src/../include/a.h` and absolute
//! paths are fine inside of them, and a link that leads out is refused, whatever its own place is.

#![allow(
    clippy::disallowed_methods,
    reason = "this is where libraries read files"
)]

use crate::files::{Files, ReadError};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The maximum size of a file in bytes: offsets in files have 32 bits.
pub const LARGEST_FILE: u64 = (1 << 32) - 1;

/// The maximum size in bytes of a file that nobody vouches for.
pub const LARGEST_UNTRUSTED_FILE: u64 = 64 << 20;

/// The most memory that is reserved before a file is read: its size is only a hint.
const MOST_ROOM: u64 = 1 << 28;

/// The files of this machine: all of them, or those in some directories.
#[derive(Clone, Debug, Default)]
pub struct FileSystem {
    /// The directories that files may be read from, with links resolved; `None` for all.
    directories: Option<Vec<PathBuf>>,
}

impl FileSystem {
    /// All files, of less than 4 GiB each.
    #[must_use]
    pub const fn unconfined() -> Self {
        Self { directories: None }
    }

    /// The files below some directories, of at most 64 MiB each.
    ///
    /// # Errors
    ///
    /// One of them does not exist.
    pub fn confined<'p>(directories: impl IntoIterator<Item = &'p Path>) -> io::Result<Self> {
        let real = directories.into_iter().map(fs::canonicalize);
        Ok(Self {
            directories: Some(real.collect::<Result<_, _>>()?),
        })
    }

    /// Whether only the files of some directories may be read.
    #[must_use]
    pub fn is_confined(&self) -> bool {
        self.directories.is_some()
    }

    fn largest_file(&self) -> u64 {
        match self.is_confined() {
            true => LARGEST_UNTRUSTED_FILE,
            false => LARGEST_FILE,
        }
    }

    /// The path where a path leads to.
    fn resolve(&self, path: &str) -> Result<PathBuf, ReadError> {
        let Some(directories) = &self.directories else {
            return Ok(PathBuf::from(path));
        };
        let is_inside = |real: &Path| directories.iter().any(|x| real.starts_with(x));
        match fs::canonicalize(path) {
            Ok(real) if is_inside(&real) => Ok(real),
            Ok(_) => Err(ReadError::Outside),
            // Whether a file exists outside is not told either.
            Err(error) => match nearest_real(Path::new(path)) {
                Some(real) if is_inside(&real) => Err(read_error(&error)),
                _ => Err(ReadError::Outside),
            },
        }
    }

    /// The path where a path leads to, and the length of the file there, which is a regular one and not too large.
    fn regular_file(&self, path: &str) -> Result<(PathBuf, u64), ReadError> {
        let path = self.resolve(path)?;
        let most = self.largest_file();
        // Before it is opened: opening a pipe waits for a writer.
        let metadata = fs::metadata(&path).map_err(|error| read_error(&error))?;
        if metadata.is_dir() {
            return Err(ReadError::Directory);
        }
        if !metadata.is_file() {
            return Err(ReadError::Irregular);
        }
        match metadata.len() <= most {
            true => Ok((path, metadata.len())),
            false => Err(ReadError::TooLarge(most)),
        }
    }
}

impl Files for FileSystem {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let (path, length) = self.regular_file(path)?;
        read_at_most(&path, length, self.largest_file())
    }

    fn beginning(&self, path: &str, most: usize) -> Result<Vec<u8>, ReadError> {
        let (path, _) = self.regular_file(path)?;
        let mut bytes = Vec::new();
        let file = File::open(path);
        let read = file.and_then(|file| file.take(most as u64).read_to_end(&mut bytes));
        read.map_err(|error| read_error(&error))?;
        Ok(bytes)
    }

    fn names(&self, path: &str) -> Option<Vec<String>> {
        let here = if path.is_empty() { "." } else { path };
        let entries = fs::read_dir(self.resolve(here).ok()?).ok()?;
        let names =
            entries.map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
        let mut names = names.collect::<Option<Vec<_>>>()?;
        names.sort();
        Some(names)
    }

    fn is_file(&self, path: &str) -> bool {
        self.resolve(path).is_ok_and(|path| path.is_file())
    }

    fn is_directory(&self, path: &str) -> bool {
        self.resolve(path).is_ok_and(|path| path.is_dir())
    }
}

/// Reads a file of about `length` bytes. Files of `/proc` have a length of 0 and some content, and a file may grow.
fn read_at_most(path: &Path, length: u64, most: u64) -> Result<Vec<u8>, ReadError> {
    let read = || {
        // One byte more, so that the end is found without growing the buffer.
        let room = length.min(MOST_ROOM) + 1;
        let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
        File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error: io::Error| read_error(&error))?;
    match bytes.len() as u64 <= most {
        true => Ok(bytes),
        false => Err(ReadError::TooLarge(most)),
    }
}

/// Where the longest beginning of a path leads to that exists.
fn nearest_real(path: &Path) -> Option<PathBuf> {
    let mut beginnings = path.ancestors();
    beginnings.find_map(|path| match path.as_os_str().is_empty() {
        true => fs::canonicalize(".").ok(),
        false => fs::canonicalize(path).ok(),
    })
}

/// Why a file is not read, from the error of the system.
#[must_use]
pub fn read_error(error: &io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::Missing,
        io::ErrorKind::IsADirectory => ReadError::Directory,
        io::ErrorKind::PermissionDenied => {
            ReadError::System("it may not be read or written".to_owned())
        }
        _ => ReadError::System(error.to_string()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    /// A temporary folder that is removed with the test; `inside` is a folder in it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("premiss-files-{name}-{}", std::process::id());
            let folder = Self(std::env::temp_dir().join(name));
            fs::create_dir_all(folder.0.join("inside/src")).expect("a folder");
            fs::write(folder.0.join("secret"), "secret").expect("a file");
            fs::write(folder.0.join("inside/src/a.c"), "int a;").expect("a file");
            folder
        }

        fn path(&self, name: &str) -> String {
            self.0.join(name).to_string_lossy().into_owned()
        }

        fn confined(&self) -> FileSystem {
            FileSystem::confined([self.0.join("inside").as_path()]).expect("it exists")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_leads_out_is_refused_by_whatever_way() {
        let folder = Folder::new("out");
        let files = folder.confined();
        symlink("../secret", folder.0.join("inside/link")).expect("a link");
        symlink("..", folder.0.join("inside/up")).expect("a link");
        for way in [
            "secret",
            "inside/../secret",
            "inside/link",
            "inside/up/secret",
        ] {
            let path = folder.path(way);
            assert_eq!(FileSystem::default().read(&path), Ok(b"secret".to_vec()));
            assert_eq!(files.read(&path), Err(ReadError::Outside), "{way}");
            assert!(!files.is_file(&path), "{way}");
        }
        for way in ["none", "inside/up/none", "inside/../none/a"] {
            let path = folder.path(way);
            assert_eq!(files.read(&path), Err(ReadError::Outside), "{way}");
        }
        assert!(!files.is_directory(&folder.path("inside/up")));
        assert_eq!(files.names(&folder.path("inside/up")), None);
    }

    #[test]
    fn what_leads_back_in_is_read() {
        let folder = Folder::new("in");
        let files = folder.confined();
        symlink("src/a.c", folder.0.join("inside/link")).expect("a link");
        for way in ["inside/src/a.c", "inside/src/../src/a.c", "inside/link"] {
            assert_eq!(
                files.read(&folder.path(way)),
                Ok(b"int a;".to_vec()),
                "{way}"
            );
        }
        let none = files.read(&folder.path("inside/src/none"));
        assert_eq!(none, Err(ReadError::Missing));
        assert_eq!(
            files.read(&folder.path("inside/src")),
            Err(ReadError::Directory)
        );
        let names = files.names(&folder.path("inside"));
        assert_eq!(names, Some(vec!["link".to_owned(), "src".to_owned()]));
    }

    #[test]
    fn devices_and_pipes_are_not_opened() {
        let folder = Folder::new("pipe");
        let pipe = folder.path("inside/pipe.h");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo starts").success());
        symlink("/dev/zero", folder.0.join("inside/zero.h")).expect("a link");
        let (all, files) = (FileSystem::default(), folder.confined());
        assert_eq!(all.read(&pipe), Err(ReadError::Irregular));
        assert_eq!(files.read(&pipe), Err(ReadError::Irregular));
        let zero = folder.path("inside/zero.h");
        assert_eq!(all.read(&zero), Err(ReadError::Irregular));
        assert_eq!(files.read(&zero), Err(ReadError::Outside));
        assert!(!all.is_file(&pipe) && !all.is_file("/dev/zero"));
    }

    #[test]
    fn huge_files_are_not_read() {
        let folder = Folder::new("huge");
        let path = folder.path("inside/huge.c");
        let file = File::create(&path).expect("a file");
        file.set_len(LARGEST_UNTRUSTED_FILE + 1).expect("a length");
        let refused = folder.confined().read(&path);
        assert_eq!(refused, Err(ReadError::TooLarge(LARGEST_UNTRUSTED_FILE)));
        file.set_len(LARGEST_FILE + 1).expect("a length");
        let refused = FileSystem::default().read(&path);
        assert_eq!(refused, Err(ReadError::TooLarge(LARGEST_FILE)));
    }
}
