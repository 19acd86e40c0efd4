//! The Rust files of a package or workspace: the roots of its targets as given by `cargo metadata`, and the files of
//! the modules that these declare.

use premiss_analyze::add_module_files;
use premiss_source::FileSystem;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The kinds of targets that are not part of the product.
const LEFT_OUT: [&str; 3] = ["test", "bench", "custom-build"];

/// The Cargo package in a folder.
pub(crate) enum CargoPackage {
    /// The folder has no `Cargo.toml`.
    None,
    /// Cargo cannot describe the package, or Cargo is missing.
    Unreadable,
    /// The files of its targets.
    Files(BTreeSet<PathBuf>),
}

/// The files of the targets below a folder that has a `Cargo.toml`.
pub(crate) fn cargo_package(folder: &Path) -> CargoPackage {
    let manifest = folder.join("Cargo.toml");
    if !manifest.is_file() {
        return CargoPackage::None;
    }
    files(folder, &manifest).map_or(CargoPackage::Unreadable, CargoPackage::Files)
}

fn files(folder: &Path, manifest: &Path) -> Option<BTreeSet<PathBuf>> {
    let whole = fs::canonicalize(folder).ok()?;
    let mut files = BTreeSet::new();
    for root in targets(manifest)? {
        // Other members of the workspace are not below the folder.
        if let Ok(rest) = root.strip_prefix(&whole) {
            add_module_files(&FileSystem, &folder.join(rest), &mut files);
        }
    }
    (!files.is_empty()).then_some(files)
}

/// The root file of each target.
fn targets(manifest: &Path) -> Option<Vec<PathBuf>> {
    let output = Command::new("cargo")
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .arg("--manifest-path")
        .arg(manifest)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let found: Value = serde_json::from_slice(&output.stdout).ok()?;
    let packages = found.get("packages")?.as_array()?.iter();
    let targets = packages.filter_map(|package| package.get("targets")?.as_array());
    let is_left_out = |target: &&Value| {
        let kinds = target.get("kind").and_then(Value::as_array);
        let mut kinds = kinds.into_iter().flatten().filter_map(Value::as_str);
        kinds.any(|kind| LEFT_OUT.contains(&kind))
    };
    let targets = targets.flatten().filter(|target| !is_left_out(target));
    let paths = targets.filter_map(|target| target.get("src_path")?.as_str());
    Some(paths.map(PathBuf::from).collect())
}
