//! From paths, which may be folders, to source files.

use super::cargo_package::{CargoPackage, cargo_package};
use super::settings::FileSettings;
use crate::error::CheckError;
use crate::host::Host;
use ignore::WalkBuilder;
use premiss_analyze::{Language, NearbyFiles};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;

/// The source files at the given paths, and all files in the folders among them.
pub(crate) struct ExpandedPaths {
    /// Files as given, and folders replaced by the sources in C, Fortran and Rust below them, in order.
    pub(crate) paths: Vec<String>,
    /// All files below the folders.
    pub(crate) nearby: NearbyFiles,
}

/// Replaces folders by the source files below them, except those that are hidden, that a `.gitignore` of the repository
/// ignores, that settings exclude, or that belong to no target of a Cargo package. Headers are found even where they
/// are ignored, because builds generate some.
///
/// # Errors
///
/// A folder cannot be read, or has no source file.
pub(crate) fn expand(
    paths: &[String],
    settings: &FileSettings,
    host: &dyn Host,
) -> Result<ExpandedPaths, CheckError> {
    let mut expanded = Vec::new();
    let mut nearby = Vec::new();
    for path in paths {
        if !Path::new(path).is_dir() {
            expanded.push(path.clone());
            continue;
        }
        let mut files = below(Path::new(path))?;
        files.sort();
        let n_before = expanded.len();
        let package = cargo_package(Path::new(path));
        if let CargoPackage::Unreadable = package {
            host.message(&format!(
                "note: `{path}`: Cargo does not say which files belong to the package: all *.rs are read\n"
            ));
        }
        let is_chosen = |file: &&String| match &package {
            CargoPackage::Files(files) if Language::of_path(file) == Some(Language::Rust) => {
                files.contains(Path::new(file))
            }
            CargoPackage::Files(_) | CargoPackage::Unreadable => {
                is_source(file) && !is_build_output(path, file)
            }
            CargoPackage::None => is_source(file),
        };
        let tracked = not_ignored(Path::new(path))?;
        let is_included =
            |file: &&String| tracked.contains(OsStr::new(file)) && !settings.excludes(file);
        let chosen = files.iter().filter(is_chosen);
        expanded.extend(chosen.filter(is_included).cloned());
        if expanded.len() == n_before {
            return Err(CheckError::File(format!(
                "`{path}`: it has no files in C, Fortran or Rust"
            )));
        }
        nearby.append(&mut files);
    }
    Ok(ExpandedPaths {
        paths: expanded,
        nearby: nearby.into_iter().collect(),
    })
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

/// The files below a folder that are neither hidden nor ignored by a file of the repository.
fn not_ignored(root: &Path) -> Result<HashSet<OsString>, CheckError> {
    // What a single user ignores must not decide which files a gate checks.
    let walk = WalkBuilder::new(root)
        .git_global(false)
        .git_exclude(false)
        .ignore(false)
        .build();
    let refuse = |error: ignore::Error| CheckError::File(format!("`{}`: {error}", root.display()));
    walk.map(|entry| Ok(entry.map_err(refuse)?.into_path().into_os_string()))
        .collect()
}

/// The files below a folder, without following links to folders, which may be cyclic.
fn below(root: &Path) -> Result<Vec<String>, CheckError> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let shown = folder.display().to_string();
        let refuse = |error: io::Error| CheckError::io(&shown, &error);
        for entry in fs::read_dir(&folder).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            match entry.file_type().map_err(refuse)?.is_dir() {
                true if entry.file_name() == ".git" => {}
                true => folders.push(entry.path()),
                false => files.push(entry.path().display().to_string()),
            }
        }
    }
    Ok(files)
}
