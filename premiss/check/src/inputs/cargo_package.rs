//! The Rust files of a package or workspace: the roots of its targets, and the files of the modules that these declare.
//!
//! Manifests are read as text. Cargo is not asked: it obeys the `rust-toolchain.toml` and `.cargo/config.toml` of the
//! folder, which say which programs it runs.

mod manifest;
mod members;
mod targets;
mod tree;

use crate::host::Host;
use crate::paths::normalize;
use members::Members;
use premiss_analyze::add_module_files;
use premiss_source::Files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tree::Tree;

/// The Cargo package in a folder.
pub(crate) enum CargoPackage {
    /// The folder has no `Cargo.toml`.
    None,
    /// Which files it has is not known, for this reason.
    Unreadable(String),
    /// The files of its targets.
    Files(PackageFiles),
}

/// The Rust files of the targets of a package or workspace, as far as they are below its folder.
pub(crate) struct PackageFiles(BTreeSet<PathBuf>);

impl PackageFiles {
    /// Whether a target has this file.
    pub(crate) fn contains(&self, file: &str) -> bool {
        self.0.contains(&normalize(Path::new(file)))
    }
}

/// The files of the targets below a folder that has a `Cargo.toml`: those of its package, and of the members of its
/// workspace. Tests, benchmarks and build scripts are no part of the product.
pub(crate) fn cargo_package(folder: &Path, host: &dyn Host) -> CargoPackage {
    let (files, current) = (host.files(), host.current_dir());
    let tree = Tree { files, current };
    let whole = normalize(&current.join(folder));
    if !tree.is_file(&whole.join("Cargo.toml")) {
        return CargoPackage::None;
    }
    let roots = target_roots(tree, &whole);
    let found = roots.map(|roots| module_files(files, &roots, (folder, &whole)));
    match found {
        Ok(found) if found.is_empty() => {
            CargoPackage::Unreadable("no target of the package has a file below it".to_owned())
        }
        Ok(found) => CargoPackage::Files(PackageFiles(found)),
        Err(why) => CargoPackage::Unreadable(why),
    }
}

/// The root file of each target of the package in a folder and of the members of its workspace.
fn target_roots(tree: Tree<'_>, folder: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let mut roots = BTreeSet::new();
    for (folder, manifest) in Members::of(tree, folder)?.manifests() {
        roots.extend(targets::roots(tree, folder, manifest)?);
    }
    Ok(roots)
}

/// The files of the targets with these roots, relative to the current folder. `whole` is the absolute path of the
/// folder; what is not below it is left out.
fn module_files(
    files: &dyn Files,
    roots: &BTreeSet<PathBuf>,
    (folder, whole): (&Path, &Path),
) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    // Other members of the workspace are not below the folder.
    for root in roots.iter().filter(|root| root.starts_with(whole)) {
        add_module_files(files, root, &mut found);
    }
    let below = found.iter().map(|path| normalize(path));
    let below = below.filter_map(|path| Some(folder.join(path.strip_prefix(whole).ok()?)));
    below.map(|path| normalize(&path)).collect()
}

#[cfg(test)]
mod tests;
