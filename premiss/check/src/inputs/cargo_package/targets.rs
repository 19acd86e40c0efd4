//! The targets of a package: those that its manifest has, and those that its folder shows (the Cargo Book, "Target
//! auto-discovery").

use super::manifest::TargetTable;
use super::members::MemberManifest;
use super::tree::Tree;
use crate::paths::normalize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The root files of the library, the programs and the examples of a package, absolute.
///
/// # Errors
///
/// There is no file for a target of the manifest.
pub(super) fn roots(
    tree: Tree<'_>,
    folder: &Path,
    member: &MemberManifest,
) -> Result<BTreeSet<PathBuf>, String> {
    let manifest = &member.manifest;
    let Some(package) = &manifest.package else {
        return Ok(BTreeSet::new());
    };
    let has = |path: &str| tree.is_file(&folder.join(path));
    let is_discovered = |wanted: Option<bool>, stated: &[TargetTable]| {
        wanted.unwrap_or(stated.is_empty() || !member.is_of_2015)
    };
    let mut programs = in_folder(tree, folder, "src/bin");
    if has("src/main.rs") {
        programs.insert(package.name.clone(), "src/main.rs".to_owned());
    }
    let finds_programs = is_discovered(package.autobins, &manifest.bin);
    let examples = in_folder(tree, folder, "examples");
    let finds_examples = is_discovered(package.autoexamples, &manifest.example);
    let library = match &manifest.lib {
        Some(TargetTable {
            path: Some(path), ..
        }) => Some(path.clone()),
        None if package.autolib == Some(false) => None,
        None => has("src/lib.rs").then(|| "src/lib.rs".to_owned()),
        Some(_) => Some("src/lib.rs".to_owned()),
    };
    let paths = library.into_iter();
    let paths = paths.chain(chosen(&manifest.bin, programs, finds_programs)?);
    let paths = paths.chain(chosen(&manifest.example, examples, finds_examples)?);
    let existing = paths.map(|path| match has(&path) {
        true => Ok(normalize(&folder.join(path))),
        false => Err(format!("package `{}`: `{path}` is not there", package.name)),
    });
    existing.collect()
}

/// The paths of the targets that a manifest states, and of those that the folder shows, by name, if these count.
fn chosen(
    stated: &[TargetTable],
    mut shown: BTreeMap<String, String>,
    is_discovered: bool,
) -> Result<Vec<String>, String> {
    let mut paths = Vec::new();
    for target in stated {
        let name = target.name.as_deref().unwrap_or_default();
        let conventional = shown.remove(name);
        let path = target.path.clone().or(conventional);
        paths.push(path.ok_or_else(|| format!("there is no file for the target `{name}`"))?);
    }
    if is_discovered {
        paths.extend(shown.into_values());
    }
    Ok(paths)
}

/// The targets that a folder shows, by name: `name.rs` and `name/main.rs`.
fn in_folder(tree: Tree<'_>, package: &Path, folder: &str) -> BTreeMap<String, String> {
    let whole = package.join(folder);
    let visible = tree
        .names(&whole)
        .into_iter()
        .filter(|name| !name.starts_with('.'));
    let target = |name: String| {
        let path = format!("{folder}/{name}");
        if let Some(stem) = name.strip_suffix(".rs")
            && tree.is_file(&whole.join(&name))
        {
            return Some((stem.to_owned(), path));
        }
        let main = whole.join(&name).join("main.rs");
        let is_target = tree.is_file(&main);
        is_target.then(|| (name, format!("{path}/main.rs")))
    };
    visible.filter_map(target).collect()
}
