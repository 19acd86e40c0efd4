//! The packages of a workspace (the Cargo Book, "Workspaces"): those that it names, and those below it that they depend
//! on by a path.

use super::manifest::{Manifest, PathDependency, Workspace};
use super::tree::Tree;
use crate::paths::normalize;
use globset::Glob;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The maximum number of folders that the patterns of a workspace are compared with.
const MOST_FOLDERS: usize = 100_000;

/// The packages of a workspace, by their folders.
pub(super) struct Members(BTreeMap<PathBuf, MemberManifest>);

/// The manifest of a package in a workspace.
pub(super) struct MemberManifest {
    pub(super) manifest: Manifest,
    /// Whether its edition is 2015, its own or that of the workspace.
    pub(super) is_of_2015: bool,
}

impl Members {
    /// The members of the workspace that the package in a folder belongs to; without a workspace, of its own. The folder
    /// is absolute and has a manifest.
    ///
    /// # Errors
    ///
    /// A manifest is malformed, or is not where another one says.
    pub(super) fn of(tree: Tree<'_>, folder: &Path) -> Result<Self, String> {
        if let Some(root) = workspace_around(tree, folder)? {
            let all = Self::of_workspace(tree, &root)?;
            if all.0.contains_key(folder) {
                return Ok(all);
            }
        }
        Self::of_workspace(tree, folder)
    }

    /// The manifests, with their folders.
    pub(super) fn manifests(&self) -> impl Iterator<Item = (&Path, &MemberManifest)> {
        self.0
            .iter()
            .map(|(folder, member)| (folder.as_path(), member))
    }

    /// The members of the workspace in a folder.
    fn of_workspace(tree: Tree<'_>, root: &Path) -> Result<Self, String> {
        let manifest = required(tree, root)?;
        let workspace = manifest.workspace;
        let mut open = vec![root.to_owned()];
        for pattern in workspace.iter().flat_map(|x| &x.members) {
            open.extend(matching(tree, root, pattern)?);
        }
        let mut members = BTreeMap::new();
        while let Some(folder) = open.pop() {
            if members.contains_key(&folder) || is_excluded(workspace.as_ref(), root, &folder) {
                continue;
            }
            let manifest = required(tree, &folder)?;
            let dependencies = dependency_folders(&manifest, &folder, (root, workspace.as_ref()));
            open.extend(dependencies.filter(|path| path.starts_with(root)));
            let package = manifest.package.as_ref();
            let is_of_2015 = package.is_some_and(|x| x.is_of_2015(workspace.as_ref()));
            let member = MemberManifest {
                manifest,
                is_of_2015,
            };
            members.insert(folder, member);
        }
        Ok(Self(members))
    }
}

/// The folder of the workspace that a package says it is in, or else of the nearest one around it that does not exclude
/// it; `None` if it is one itself, or in none.
fn workspace_around(tree: Tree<'_>, folder: &Path) -> Result<Option<PathBuf>, String> {
    let manifest = required(tree, folder)?;
    if manifest.workspace.is_some() {
        return Ok(None);
    }
    if let Some(path) = manifest.package.and_then(|package| package.workspace) {
        return Ok(Some(normalize(&folder.join(path))));
    }
    for around in folder.ancestors().skip(1) {
        let manifest = Manifest::read(tree, around)?;
        if let Some(workspace) = manifest.and_then(|manifest| manifest.workspace) {
            let excludes = is_excluded(Some(&workspace), around, folder);
            return Ok((!excludes).then(|| around.to_owned()));
        }
    }
    Ok(None)
}

fn required(tree: Tree<'_>, folder: &Path) -> Result<Manifest, String> {
    let manifest = Manifest::read(tree, folder)?;
    manifest.ok_or_else(|| format!("`{}` has no Cargo.toml", tree.displayed(folder)))
}

/// Whether a workspace excludes the package in a folder; what it names as a member is none that it excludes.
fn is_excluded(workspace: Option<&Workspace>, root: &Path, folder: &Path) -> bool {
    let is_below = |path: &String| folder.starts_with(normalize(&root.join(path)));
    workspace.is_some_and(|x| x.exclude.iter().any(is_below) && !x.members.iter().any(is_below))
}

/// The folders of the packages that a package depends on by a path.
fn dependency_folders<'a>(
    manifest: &'a Manifest,
    folder: &'a Path,
    (root, workspace): (&'a Path, Option<&'a Workspace>),
) -> impl Iterator<Item = PathBuf> + use<'a> {
    let inherited = move |name: &str| Some(root.join(workspace?.path_of(name)?));
    let folders = manifest.path_dependencies();
    let folders = folders.filter_map(move |dependency| match dependency {
        PathDependency::Own(path) => Some(folder.join(path)),
        PathDependency::Inherited(name) => inherited(name),
    });
    folders.map(|path| normalize(&path))
}

/// The folders that a pattern of members fits: one as it is, or those with a manifest if it has a `*`, `?` or `[`.
fn matching(tree: Tree<'_>, root: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    if !pattern.contains(['*', '?', '[']) {
        return Ok(vec![normalize(&root.join(pattern))]);
    }
    let mut folders = vec![root.to_owned()];
    for part in Path::new(pattern).components() {
        folders = match part {
            Component::Normal(name) if name == "**" => all_below(tree, folders)?,
            Component::Normal(name) => one_below(tree, &folders, &name.to_string_lossy())?,
            other => folders.iter().map(|x| normalize(&x.join(other))).collect(),
        };
        if MOST_FOLDERS < folders.len() {
            return Err(too_many(pattern));
        }
    }
    folders.retain(|folder| tree.is_file(&folder.join("Cargo.toml")));
    Ok(folders)
}

fn too_many(pattern: &str) -> String {
    format!("members = [\"{pattern}\"] fits more than {MOST_FOLDERS} folders")
}

/// The folders in some folders whose names fit a pattern.
fn one_below(tree: Tree<'_>, folders: &[PathBuf], name: &str) -> Result<Vec<PathBuf>, String> {
    let glob = Glob::new(name).map_err(|why| format!("members: {why}"))?;
    let matcher = glob.compile_matcher();
    let below = folders.iter().flat_map(|folder| inner(tree, folder));
    let fits = |path: &PathBuf| path.file_name().is_some_and(|name| matcher.is_match(name));
    Ok(below.filter(fits).collect())
}

/// These folders, and all in them.
fn all_below(tree: Tree<'_>, folders: Vec<PathBuf>) -> Result<Vec<PathBuf>, String> {
    let (mut all, mut open) = (Vec::new(), folders);
    while let Some(folder) = open.pop() {
        open.extend(inner(tree, &folder));
        all.push(folder);
        if MOST_FOLDERS < all.len() {
            return Err(too_many("**"));
        }
    }
    Ok(all)
}

/// The folders in a folder.
fn inner<'t>(tree: Tree<'t>, folder: &Path) -> impl Iterator<Item = PathBuf> + use<'t> {
    let names = tree.names(folder);
    let folder = folder.to_owned();
    let paths = names.into_iter().map(move |name| folder.join(name));
    paths.filter(move |path| tree.is_directory(path))
}
