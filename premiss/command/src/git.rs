//! Files as they were at a revision, read from git's objects: nothing is checked out.

use crate::failure::Failure;
use crate::repository::plain;
use premiss_source::{FileSystem, Files};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Component, Path};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Links that lead to links are followed so often.
const MOST_LINKS: usize = 16;

/// The files of a revision of the repository that the current folder is in. Paths that others see are
/// relative to the current folder, as those of files that are there are.
pub(crate) struct Revision {
    /// The folder that the repository begins in, absolute.
    root: String,
    /// The current folder from there: `` or `src/`.
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
    /// # Errors
    ///
    /// There is no git, no repository here, or no revision of that name.
    pub(crate) fn open(name: &str) -> Result<Self, Failure> {
        let root = asked(&["rev-parse", "--show-toplevel"]).map_err(|why| {
            Failure::usage(format!(
                "--base {name}: git finds no repository here: {why}"
            ))
        })?;
        let prefix = asked(&["rev-parse", "--show-prefix"]).map_err(Failure::File)?;
        let commit = format!("{name}^{{commit}}");
        let wanted = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ];
        let commit = asked(&wanted).map_err(|_| {
            Failure::usage(format!(
                "--base {name}: the repository has no such revision (a shallow clone has few: \
                 `git fetch --unshallow` gets all)"
            ))
        })?;
        let (root, prefix, commit) = (line(&root), line(&prefix), line(&commit));
        let list =
            asked(&["ls-tree", "-r", "-z", "--full-tree", &commit]).map_err(Failure::File)?;
        Ok(Self {
            files: list.split('\0').filter_map(listed).collect(),
            batch: RefCell::new(Batch::start().map_err(|error| Failure::file("git", &error))?),
            root,
            prefix,
        })
    }

    /// All files, as seen from the current folder.
    pub(crate) fn paths(&self) -> impl Iterator<Item = String> {
        self.files.keys().map(|path| self.seen(path))
    }

    /// What a path is called from the root of the repository; none where it is outside.
    pub(crate) fn key(&self, path: &str) -> Option<String> {
        let whole = match Path::new(path).is_absolute() {
            true => normal(Path::new(path).strip_prefix(&self.root).ok()?),
            false => normal(&Path::new(&self.prefix).join(path)),
        };
        whole.filter(|path| !path.is_empty())
    }

    /// The object of a file, links followed: what a link leads to is the text of its object.
    fn object(&self, path: &str) -> Option<&Object> {
        let mut key = self.key(path)?;
        for _ in 0..MOST_LINKS {
            let object = self.files.get(&key)?;
            if !object.is_link {
                return Some(object);
            }
            let target = self.batch.borrow_mut().read(&object.id).ok()?;
            let folder = Path::new(&key).parent().unwrap_or(Path::new(""));
            key = normal(&folder.join(String::from_utf8(target).ok()?))?;
        }
        None
    }

    /// Whether the repository is told to leave a file alone: no revision has it, and it is what it was made to be.
    pub(crate) fn is_outside(&self, path: &str) -> bool {
        let Some(key) = self.key(path) else {
            return true;
        };
        let whole = Path::new(&self.root).join(&key);
        let whole = whole.to_string_lossy();
        asked(&["check-ignore", "--quiet", "--", &whole]).is_ok()
    }

    /// A path from the root as seen from the current folder: `../a.c` for `a.c` in `src/`.
    fn seen(&self, path: &str) -> String {
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
    /// `None`, too, where git cannot say.
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let object = self.object(path)?;
        self.batch.borrow_mut().read(&object.id).ok()
    }

    fn is_file(&self, path: &str) -> bool {
        self.object(path).is_some()
    }

    fn is_folder(&self, path: &str) -> bool {
        let Some(below) = self.key(path).map(|key| format!("{key}/")) else {
            return false;
        };
        let first = self.files.range(below.clone()..).next();
        first.is_some_and(|(path, _)| path.starts_with(&below))
    }
}

/// The files of a revision, and as they are now those that its repository ignores: what a build made is in no
/// revision.
pub(crate) struct RevisionOrIgnored<'a>(pub(crate) &'a Revision);

impl Files for RevisionOrIgnored<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let found = self.0.read(path);
        let is_ignored = || FileSystem.is_file(path) && self.0.is_outside(path);
        found.or_else(|| is_ignored().then(|| FileSystem.read(path))?)
    }

    fn is_file(&self, path: &str) -> bool {
        self.0.is_file(path) || FileSystem.is_file(path) && self.0.is_outside(path)
    }

    fn is_folder(&self, path: &str) -> bool {
        self.0.is_folder(path) || FileSystem.is_folder(path) && self.0.is_outside(path)
    }
}

/// A path without `.` and `..`, with `/` between its parts; none where it leads out.
fn normal(path: &Path) -> Option<String> {
    let plain = plain(path);
    let parts = plain.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}

/// `100644 blob ID\tPATH`; other repositories inside are no files.
fn listed(entry: &str) -> Option<(String, Object)> {
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

/// What git answers; what it complains of where it fails.
fn asked(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("git cannot be started: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// `git cat-file --batch`, which answers as long as it is asked.
struct Batch {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    fn start() -> io::Result<Self> {
        let mut child = Command::new("git")
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let questions = child.stdin.take();
        let answers = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self {
            child,
            questions,
            answers: BufReader::new(answers),
        })
    }

    /// The answer to `ID` is `ID blob SIZE`, so many bytes, and the end of a line.
    fn read(&mut self, id: &str) -> io::Result<Vec<u8>> {
        let questions = self.questions.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(questions, "{id}")?;
        questions.flush()?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let size = head
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|x| x.parse().ok());
        let size: usize = size.ok_or(io::ErrorKind::InvalidData)?;
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes)?;
        bytes.truncate(size);
        Ok(bytes)
    }
}

impl Drop for Batch {
    /// It ends when nothing more can be asked.
    fn drop(&mut self) {
        drop(self.questions.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_brought_to_their_simplest_form() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(normal(Path::new(path)).as_deref(), expected, "{path}");
        };
        check("src/./a.c", Some("src/a.c"));
        check("src/../inc/a.h", Some("inc/a.h"));
        check("src/../../a.h", None);
        check("/a.h", None);
        check("", Some(""));
    }
}
