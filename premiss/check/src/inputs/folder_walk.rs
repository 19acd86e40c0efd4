//! All files below a folder, through links to folders too, and which of them git ignores.

use super::skipped_file::{SkipReason, SkippedFile};
use crate::error::CheckError;
use crate::git;
use ignore::WalkBuilder;
use premiss_source::{Files, ReadError, read_error};
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file below a folder.
pub(super) struct WalkedFile {
    pub(super) path: PathBuf,
    /// Whether a `.gitignore` of the repository ignores it.
    pub(super) is_ignored: bool,
}

/// What is below a folder.
#[derive(Default)]
pub(super) struct WalkedFolder {
    /// The files, in the order of their paths.
    pub(super) files: Vec<WalkedFile>,
    /// The folders that cannot be read.
    pub(super) skipped: Vec<SkippedFile>,
}

/// The files below a folder. A folder that a link leads to is walked as well, unless it is walked under another path.
///
/// # Errors
///
/// The folder itself cannot be read, or a link leads to one that must not be.
pub(super) fn walk(root: &Path, places: &dyn Files) -> Result<WalkedFolder, CheckError> {
    let mut all = WalkedFolder::default();
    let mut walked = HashSet::new();
    let mut roots = vec![root.to_owned()];
    while let Some(root) = roots.pop() {
        let not_ignored = not_ignored(&root)?;
        let is_ignored = |path: &Path| !not_ignored.contains(path);
        let mut links = Vec::new();
        for path in below(&root, &mut walked, &mut links, &mut all.skipped)? {
            let is_ignored = is_ignored(&path);
            all.files.push(WalkedFile { path, is_ignored });
        }
        links.retain(|link| !is_ignored(link));
        for link in links.iter().map(|link| link.to_string_lossy()) {
            if !places.is_directory(&link) {
                return Err(CheckError::read(&link, &ReadError::Outside));
            }
        }
        // Links come after the folders themselves, whose own paths are shown.
        roots.splice(0..0, links);
    }
    let order = |a: &WalkedFile, b: &WalkedFile| a.path.as_os_str().cmp(b.path.as_os_str());
    all.files.sort_by(order);
    all.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}

/// The files below a folder, without those behind links to folders or in folders that cannot be read.
pub(super) fn files_below(root: &Path) -> Vec<PathBuf> {
    below(root, &mut HashSet::new(), &mut Vec::new(), &mut Vec::new()).unwrap_or_default()
}

/// The files below a folder that was not walked before; `links` gets the links to folders, and `skipped` the folders
/// below that cannot be read.
fn below(
    root: &Path,
    walked: &mut HashSet<PathBuf>,
    links: &mut Vec<PathBuf>,
    skipped: &mut Vec<SkippedFile>,
) -> Result<Vec<PathBuf>, CheckError> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let shown = folder.display().to_string();
        let refuse = |error: io::Error| CheckError::io(&shown, &error);
        if !walked.insert(fs::canonicalize(&folder).map_err(refuse)?) {
            continue;
        }
        let entries = match fs::read_dir(&folder) {
            Err(error) if folder != root => {
                let reason = SkipReason::Unreadable(read_error(&error));
                let path = shown;
                skipped.push(SkippedFile { path, reason });
                continue;
            }
            entries => entries.map_err(refuse)?,
        };
        for entry in entries {
            let entry = entry.map_err(refuse)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(refuse)?);
            if kind.is_dir() {
                if entry.file_name() != ".git" {
                    folders.push(path);
                }
            } else if kind.is_symlink() && path.is_dir() {
                links.push(path);
            } else {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// What is below a folder and not ignored by a file of the repository.
fn not_ignored(root: &Path) -> Result<HashSet<PathBuf>, CheckError> {
    // What a single user ignores must not decide which files a gate checks.
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .git_global(false)
        .git_exclude(false)
        .ignore(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    let refuse = |error: ignore::Error| CheckError::File(format!("`{}`: {error}", root.display()));
    // Folders below that cannot be read are told by `below`.
    let is_of_root = |entry: &Result<_, ignore::Error>| match entry {
        Err(error) => error.depth().is_none_or(|depth| depth == 0),
        Ok(_) => true,
    };
    let entries = walk.filter(is_of_root);
    entries
        .map(|entry| Ok(entry.map_err(refuse)?.into_path()))
        .collect()
}

/// The files below a folder that git tracks; empty outside of a repository.
///
/// # Errors
///
/// There is a repository, and git cannot list its files.
pub(super) fn tracked(root: &Path) -> Result<BTreeSet<PathBuf>, CheckError> {
    let whole = fs::canonicalize(root)
        .map_err(|error| CheckError::io(&root.display().to_string(), &error))?;
    if !whole.ancestors().any(|folder| folder.join(".git").exists()) {
        return Ok(BTreeSet::new());
    }
    let tracked = git::tracked_below(root).map_err(|why| {
        CheckError::File(format!(
            "`{}`: it has source files that a .gitignore ignores, and git cannot tell which of them it tracks: {why}",
            root.display()
        ))
    })?;
    Ok(tracked.into_iter().map(|path| root.join(path)).collect())
}
