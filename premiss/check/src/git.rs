//! Files as they were at a revision, read from git's objects without a checkout.

use crate::error::CheckError;
use crate::git_command::{git, git_bytes, git_output};
use crate::paths::normalize;
use premiss_source::{Files, LARGEST_UNTRUSTED_FILE, ReadError, names_below};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// Chains of links are followed up to this length.
const MOST_LINKS: usize = 16;

/// The files of a revision of the repository that contains the current folder. All paths are relative to the current
/// folder.
pub struct Revision {
    /// The root of the repository, absolute.
    root: String,
    /// The current folder relative to the root: `` or `src/`.
    prefix: String,
    /// Objects of files by path from the root.
    files: BTreeMap<String, Object>,
    batch: RefCell<Batch>,
}

struct Object {
    id: String,
    is_link: bool,
}

impl Revision {
    /// Opens a revision, by any name that git knows.
    ///
    /// # Errors
    ///
    /// Git or a repository is missing, or there is no revision with this name.
    pub fn open(name: &str) -> Result<Self, CheckError> {
        let root = git_output(&["rev-parse", "--show-toplevel"]).map_err(|why| {
            CheckError::usage(format!(
                "--base {name}: git finds no repository here: {why}"
            ))
        })?;
        let prefix = git_output(&["rev-parse", "--show-prefix"]).map_err(CheckError::File)?;
        let commit = format!("{name}^{{commit}}");
        let wanted = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        let commit = git_output(&wanted).map_err(|_| {
            CheckError::usage(format!(
                "--base {name}: the repository has no such revision (a shallow clone has few: \
                 `git fetch --unshallow` gets all)"
            ))
        })?;
        let (root, prefix, commit) = (line(&root), line(&prefix), line(&commit));
        let list = git_output(&["ls-tree", "-r", "-z", "--full-tree", &commit])
            .map_err(CheckError::File)?;
        Ok(Self {
            files: list.split('\0').filter_map(parse_entry).collect(),
            batch: RefCell::new(Batch::start().map_err(|error| CheckError::io("git", &error))?),
            root,
            prefix,
        })
    }

    /// All files, relative to the current folder.
    pub(crate) fn paths(&self) -> impl Iterator<Item = String> {
        self.files.keys().map(|path| self.relative(path))
    }

    /// All files, by their paths from the root of the repository.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        self.files.keys()
    }

    /// The path from the root of the repository; `None` if it is outside. A folder that a link leads to counts as the
    /// folder itself.
    pub(crate) fn key(&self, path: &str) -> Option<String> {
        let own = self.plain_key(path)?;
        let root = Path::new(&self.root);
        let (folder, name) = own.rsplit_once('/').unwrap_or(("", &own));
        let through_links = || {
            let (folder, root) = (
                root.join(folder).canonicalize().ok()?,
                root.canonicalize().ok()?,
            );
            normal_path(&folder.strip_prefix(root).ok()?.join(name))
        };
        through_links().or(Some(own))
    }

    /// The same by the text of the path alone.
    fn plain_key(&self, path: &str) -> Option<String> {
        let whole = match Path::new(path).is_absolute() {
            true => normal_path(Path::new(path).strip_prefix(&self.root).ok()?),
            false => normal_path(&Path::new(&self.prefix).join(path)),
        };
        whole.filter(|path| !path.is_empty())
    }

    /// The object of a file, following links: the object of a link contains the path of its target.
    fn object(&self, path: &str) -> Option<&Object> {
        let mut key = self.key(path)?;
        for _ in 0..MOST_LINKS {
            let object = self.files.get(&key)?;
            if !object.is_link {
                return Some(object);
            }
            let target = self.batch.borrow_mut().read(&object.id).ok()?;
            let folder = Path::new(&key).parent().unwrap_or(Path::new(""));
            key = normal_path(&folder.join(String::from_utf8(target).ok()?))?;
        }
        None
    }

    /// Whether a file is ignored by the repository or outside of it: no revision has it then, and its current content
    /// is used.
    #[must_use]
    pub fn is_outside(&self, path: &str) -> bool {
        let Some(key) = self.key(path) else {
            return true;
        };
        let whole = Path::new(&self.root).join(&key);
        let whole = whole.to_string_lossy();
        git_output(&["check-ignore", "--quiet", "--", &whole]).is_ok()
    }

    /// A path from the root as a path from the current folder: `../a.c` for `a.c` in `src/`.
    fn relative(&self, path: &str) -> String {
        let (mut folder, mut rest) = (self.prefix.as_str(), path);
        while let Some((first, inner)) = folder.split_once('/') {
            let Some(below) = rest.strip_prefix(first).and_then(|x| x.strip_prefix('/')) else {
                break;
            };
            (folder, rest) = (inner, below);
        }
        format!("{}{rest}", "../".repeat(folder.matches('/').count()))
    }
}

impl Files for Revision {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let object = self.object(path).ok_or(ReadError::Missing)?;
        self.batch.borrow_mut().read(&object.id)
    }

    fn names(&self, path: &str) -> Option<Vec<String>> {
        let key = match path {
            "" => self.prefix.clone(),
            _ => normal_path(&Path::new(&self.prefix).join(path))?,
        };
        names_below(&key, self.files.keys().map(String::as_str))
    }

    fn is_file(&self, path: &str) -> bool {
        self.object(path).is_some()
    }

    fn is_directory(&self, path: &str) -> bool {
        let Some(below) = self.key(path).map(|key| format!("{key}/")) else {
            return false;
        };
        let first = self.files.range(below.clone()..).next();
        first.is_some_and(|(path, _)| path.starts_with(&below))
    }
}

/// The files of a revision, and the current content of files that its repository ignores, such as generated ones.
pub(crate) struct RevisionOrIgnored<'a> {
    pub(crate) revision: &'a Revision,
    /// The files as they are now.
    pub(crate) files: &'a dyn Files,
}

impl RevisionOrIgnored<'_> {
    /// Whether the current file is used if the revision has none.
    fn is_current(&self, path: &str) -> bool {
        self.files.is_file(path) && self.revision.is_outside(path)
    }
}

impl Files for RevisionOrIgnored<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.revision.read(path) {
            Err(ReadError::Missing) if self.is_current(path) => self.files.read(path),
            other => other,
        }
    }

    fn names(&self, path: &str) -> Option<Vec<String>> {
        self.revision.names(path)
    }

    fn is_file(&self, path: &str) -> bool {
        self.revision.is_file(path) || self.is_current(path)
    }

    fn is_directory(&self, path: &str) -> bool {
        let is_current = || self.files.is_directory(path) && self.revision.is_outside(path);
        self.revision.is_directory(path) || is_current()
    }
}

/// A path without `.` and `..`, with `/` between its parts; `None` if it leads out of the repository.
fn normal_path(path: &Path) -> Option<String> {
    let path = normalize(path);
    let parts = path.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}

/// Parses `100644 blob ID\tPATH`; submodules are no files.
fn parse_entry(entry: &str) -> Option<(String, Object)> {
    let (about, path) = entry.split_once('\t')?;
    let mut words = about.split(' ');
    let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
    let object = Object {
        id: id.to_owned(),
        is_link: mode == "120000",
    };
    (kind == "blob").then(|| (path.to_owned(), object))
}

fn line(text: &str) -> String {
    text.trim_end_matches(['\r', '\n']).to_owned()
}

/// The files that git tracks below a folder of a repository, submodules included, relative to the folder.
///
/// # Errors
///
/// Git is missing or fails: what it says.
pub(crate) fn tracked_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = folder.to_string_lossy();
    let list = ["ls-files", "-z", "--cached", "--recurse-submodules"];
    let list = git_bytes(&[&["-C", &folder][..], &list].concat())?;
    let names = list
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    Ok(names.map(path_of_bytes).collect())
}

#[cfg(unix)]
fn path_of_bytes(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path_of_bytes(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

/// `git cat-file --batch`: a process that answers one request after another.
struct Batch {
    child: Child,
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Batch {
    fn start() -> io::Result<Self> {
        let mut child = git(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let requests = child.stdin.take();
        let replies = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self {
            child,
            requests,
            replies: BufReader::new(replies),
        })
    }

    /// The content of an object of at most 64 MiB: a small pack may have large ones.
    fn read(&mut self, id: &str) -> Result<Vec<u8>, ReadError> {
        let size = self.request(id).map_err(|error| system(&error))?;
        let size = size.ok_or_else(|| {
            let why = "the repository lacks the object; a partial clone does: `git fetch --refetch --no-filter` gets all";
            ReadError::System(why.to_owned())
        })?;
        self.content(size)
            .map_err(|error| system(&error))?
            .ok_or(ReadError::TooLarge(LARGEST_UNTRUSTED_FILE))
    }

    /// Requests an object: the reply is `ID blob SIZE`, or `ID missing`, for which there is no size.
    fn request(&mut self, id: &str) -> io::Result<Option<u64>> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(requests, "{id}")?;
        requests.flush()?;
        let mut head = String::new();
        self.replies.read_line(&mut head)?;
        let size = head.trim_end().rsplit(' ').next();
        Ok(size.and_then(|size| size.parse().ok()))
    }

    /// That many bytes of a reply, and the end of a line behind; `None` if there are too many to keep.
    fn content(&mut self, size: u64) -> io::Result<Option<Vec<u8>>> {
        let mut reply = self.replies.by_ref().take(size + 1);
        if LARGEST_UNTRUSTED_FILE < size {
            io::copy(&mut reply, &mut io::sink())?;
            return Ok(None);
        }
        let mut bytes = Vec::new();
        reply.read_to_end(&mut bytes)?;
        bytes.pop();
        match bytes.len() as u64 == size {
            true => Ok(Some(bytes)),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

fn system(error: &io::Error) -> ReadError {
    ReadError::System(error.to_string())
}

impl Drop for Batch {
    /// The process ends when its standard input is closed.
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_brought_to_their_simplest_form() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(normal_path(Path::new(path)).as_deref(), expected, "{path}");
        };
        check("src/./a.c", Some("src/a.c"));
        check("src/../inc/a.h", Some("inc/a.h"));
        check("src/../../a.h", None);
        check("/a.h", None);
        check("", Some(""));
    }
}
