//! From paths, which may be folders, to source files.

use super::cargo_package::{CargoPackage, cargo_package};
use super::folder_walk::{WalkedFile, WalkedFolder, files_below, tracked, walk};
use super::settings::FileSettings;
use super::skipped_file::{
    SkipReason, SkippedFile, other_language, unreadable, unsupported_language,
};
use crate::error::CheckError;
use crate::host::Host;
use crate::repository::Repository;
use ignore::WalkBuilder;
use premiss_analyze::{Language, NearbyFiles};
use premiss_source::Files;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The source files at the given paths, and all files in the folders among them.
#[derive(Default)]
pub(crate) struct ExpandedPaths {
    /// Files as given, and folders replaced by the sources in C, Fortran and Rust below them, in order.
    pub(crate) paths: Vec<String>,
    /// The source files below the folders that are not read.
    pub(crate) skipped: Vec<SkippedFile>,
    /// All files below the folders, and those of their repositories whose names none of them has.
    pub(crate) nearby: NearbyFiles,
}

/// Replaces folders by the source files below them: those that git tracks, and those that no `.gitignore` of the
/// repository ignores. Left out are those that settings exclude, that are in another language, or that belong to no
/// target of a Cargo package. Headers are found even where they are ignored, because builds generate some.
///
/// # Errors
///
/// A folder cannot be read, or has no source file; or the name of one is no UTF-8 text.
pub(crate) fn expand(
    paths: &[String],
    settings: &FileSettings,
    host: &dyn Host,
) -> Result<ExpandedPaths, CheckError> {
    let mut expanded = ExpandedPaths::default();
    let mut nearby = Vec::new();
    let mut folders = Vec::new();
    for path in paths {
        if !Path::new(path).is_dir() {
            expanded.paths.push(path.clone());
            continue;
        }
        let WalkedFolder { files, skipped } = walk(Path::new(path), host.files())?;
        let n_before = (expanded.paths.len(), expanded.skipped.len());
        let is_of_concern = |file: &SkippedFile| !settings.excludes(&file.path);
        let skipped = skipped.into_iter().filter(is_of_concern);
        expanded.skipped.extend(skipped);
        let package = cargo_package(Path::new(path), host);
        if let CargoPackage::Unreadable(why) = &package {
            host.message(&format!(
                "note: `{path}`: which files belong to the package is not known, and all *.rs are read: {why}\n"
            ));
        }
        let place = (path.as_str(), host.files());
        for (file, reason) in sources(place, &files, &package, settings)? {
            match reason {
                None => expanded.paths.push(file),
                Some(reason) => expanded.skipped.push(SkippedFile { path: file, reason }),
            }
        }
        if expanded.paths.len() == n_before.0 {
            return Err(no_sources(path, &expanded.skipped[n_before.1..]));
        }
        let all = files.iter().filter_map(|file| file.path.to_str());
        nearby.extend(all.map(str::to_owned));
        folders.extend(fs::canonicalize(path));
    }
    let names: BTreeSet<String> = nearby.iter().map(|path| file_name(path)).collect();
    let mut elsewhere = rest_of_repositories(&folders, host.current_dir());
    elsewhere.retain(|path| !names.contains(&file_name(path)));
    nearby.extend(elsewhere);
    nearby.sort();
    nearby.dedup();
    expanded.nearby = nearby.into_iter().collect();
    Ok(expanded)
}

/// The files of the repositories that folders are parts of, without those below the folders: `include/types.h` for `src`.
/// They are relative to the working directory if that is in the repository.
fn rest_of_repositories(folders: &[PathBuf], current: &Path) -> Vec<String> {
    let repositories = folders.iter().map(|folder| Repository::enclosing(folder));
    let roots: BTreeSet<PathBuf> = repositories.map(|it| it.root().to_owned()).collect();
    let mut paths = Vec::new();
    for root in roots.iter().filter(|root| !folders.contains(root)) {
        let prefix = match current.strip_prefix(root) {
            Ok(below) => below.components().map(|_| "..").collect::<PathBuf>(),
            Err(_) => root.clone(),
        };
        let is_outside = |file: &PathBuf| !folders.iter().any(|folder| file.starts_with(folder));
        for file in files_below(root).into_iter().filter(is_outside) {
            let relative = file.strip_prefix(root).map(|file| prefix.join(file));
            paths.extend(
                relative
                    .ok()
                    .and_then(|file| file.to_str().map(str::to_owned)),
            );
        }
    }
    paths
}

fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// The error for a folder without a file to read; one that cannot be read is named.
fn no_sources(folder: &str, skipped: &[SkippedFile]) -> CheckError {
    let mut omitted = skipped.iter().filter(|file| file.reason.is_omission());
    let omitted = omitted.next().map_or_else(String::new, |file| {
        format!(" that can be read; `{}`: {}", file.path, file.reason)
    });
    CheckError::File(format!(
        "`{folder}`: it has no files in C, Fortran or Rust{omitted}"
    ))
}

/// The source files below a folder, each with the reason for which it is not read, if there is one.
fn sources(
    (folder, contents): (&str, &dyn Files),
    files: &[WalkedFile],
    package: &CargoPackage,
    settings: &FileSettings,
) -> Result<Vec<(String, Option<SkipReason>)>, CheckError> {
    let is_code = |file: &&WalkedFile| {
        is_source(&file.path.to_string_lossy())
            || unsupported_language(&file.path).is_some()
            || other_language(&file.path).is_some()
    };
    let mut of_git = None;
    let mut sources = Vec::new();
    for file in files.iter().filter(is_code) {
        let is_ignored = file.is_ignored && {
            let of_git = match &mut of_git {
                Some(of_git) => of_git,
                none => none.insert(tracked(Path::new(folder))?),
            };
            !of_git.contains(&file.path)
        };
        let shown = file.path.display().to_string();
        let reason = match () {
            () if is_ignored => Some(SkipReason::Ignored),
            () if settings.excludes(&shown) => Some(SkipReason::Excluded),
            () if file.path.to_str().is_none() => return Err(no_text(&shown)),
            () => skip_reason((folder, contents), &shown, package),
        };
        sources.push((shown, reason));
    }
    Ok(sources)
}

/// Why a file that is neither ignored nor excluded is not read, if it is not.
fn skip_reason(
    (folder, contents): (&str, &dyn Files),
    file: &str,
    package: &CargoPackage,
) -> Option<SkipReason> {
    if let Some(language) = other_language(Path::new(file)) {
        return Some(SkipReason::OtherLanguage(language));
    }
    if let Some(language) = unsupported_language(Path::new(file)) {
        return Some(SkipReason::Language(language));
    }
    let is_chosen = match package {
        CargoPackage::Files(files) if Language::of_path(file) == Some(Language::Rust) => {
            files.contains(file)
        }
        CargoPackage::Files(_) | CargoPackage::Unreadable(_) => !is_build_output(folder, file),
        CargoPackage::None => true,
    };
    match is_chosen {
        true => unreadable(file, contents),
        false => Some(SkipReason::NoTarget),
    }
}

fn no_text(path: &str) -> CheckError {
    CheckError::File(format!(
        "`{path}`: its name is not UTF-8 text, so that it cannot be read; rename it, or name a pattern for it under \
         `exclude` in the settings"
    ))
}

/// The first source files below a folder, by path, at most `most`: those that are neither hidden nor ignored. What
/// cannot be read is left out.
#[must_use]
pub fn first_sources(folder: &Path, most: usize) -> Vec<String> {
    let walk = WalkBuilder::new(folder)
        .sort_by_file_path(Path::cmp)
        .build();
    let files = walk
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    let paths = files.map(|entry| entry.path().display().to_string());
    let paths = paths.map(|path| path.strip_prefix("./").map_or(path.clone(), str::to_owned));
    paths.filter(|path| is_source(path)).take(most).collect()
}

/// Whether Cargo generated a file.
fn is_build_output(package: &str, file: &str) -> bool {
    Path::new(file).starts_with(Path::new(package).join("target"))
}

/// Whether a file in a folder is to be analysed: headers are read with the files that include them.
pub(crate) fn is_source(path: &str) -> bool {
    match Language::of_path(path) {
        Some(Language::C) => path.ends_with(".c"),
        Some(Language::Fortran | Language::Rust) => true,
        None => false,
    }
}
