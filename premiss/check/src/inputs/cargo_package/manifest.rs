//! `Cargo.toml`, as far as it decides which files a package has (the Cargo Book, "The Manifest Format").

use super::tree::Tree;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A manifest: of a package, a workspace, or both.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Manifest {
    #[serde(alias = "project")]
    pub(super) package: Option<Package>,
    pub(super) workspace: Option<Workspace>,
    pub(super) lib: Option<TargetTable>,
    #[serde(default)]
    pub(super) bin: Vec<TargetTable>,
    #[serde(default)]
    pub(super) example: Vec<TargetTable>,
    #[serde(flatten)]
    dependencies: DependencyTables,
    /// Dependencies on some platforms.
    #[serde(default)]
    target: BTreeMap<String, DependencyTables>,
}

#[derive(Deserialize, Debug)]
pub(super) struct Package {
    pub(super) name: String,
    edition: Option<Edition>,
    /// The folder of the workspace.
    pub(super) workspace: Option<String>,
    pub(super) autolib: Option<bool>,
    pub(super) autobins: Option<bool>,
    pub(super) autoexamples: Option<bool>,
}

/// `"2024"`, or `{ workspace = true }`.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Edition {
    Own(String),
    Inherited {},
}

#[derive(Deserialize, Debug)]
pub(super) struct Workspace {
    #[serde(default)]
    pub(super) members: Vec<String>,
    #[serde(default)]
    pub(super) exclude: Vec<String>,
    #[serde(default)]
    pub(super) dependencies: BTreeMap<String, Dependency>,
    #[serde(default)]
    package: WorkspacePackage,
}

/// What members inherit.
#[derive(Deserialize, Debug, Default)]
struct WorkspacePackage {
    edition: Option<String>,
}

/// A library, program or example.
#[derive(Deserialize, Debug)]
pub(super) struct TargetTable {
    pub(super) name: Option<String>,
    pub(super) path: Option<String>,
}

#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "kebab-case")]
struct DependencyTables {
    #[serde(default)]
    dependencies: BTreeMap<String, Dependency>,
    #[serde(default, alias = "dev_dependencies")]
    dev_dependencies: BTreeMap<String, Dependency>,
    #[serde(default, alias = "build_dependencies")]
    build_dependencies: BTreeMap<String, Dependency>,
}

/// A dependency: a version, or a table.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub(super) enum Dependency {
    Version(#[allow(dead_code, reason = "only tables have paths")] String),
    Table {
        path: Option<String>,
        #[serde(default)]
        workspace: bool,
    },
}

impl Manifest {
    /// The manifest in a folder; `None` if it has none.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is malformed.
    pub(super) fn read(tree: Tree<'_>, folder: &Path) -> Result<Option<Self>, String> {
        let path = folder.join("Cargo.toml");
        if !tree.is_file(&path) {
            return Ok(None);
        }
        let refuse = |why: String| format!("`{}`: {why}", tree.displayed(&path));
        let bytes = tree.read(&path).map_err(|why| refuse(why.to_string()))?;
        let content = String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8".to_owned()))?;
        let manifest = toml::from_str(&content);
        manifest
            .map(Some)
            .map_err(|why| refuse(why.message().to_owned()))
    }

    /// The folders of the packages that it depends on, relative to its own or to that of its workspace.
    pub(super) fn path_dependencies(&self) -> impl Iterator<Item = PathDependency<'_>> {
        let tables = std::iter::once(&self.dependencies).chain(self.target.values());
        let all = tables.flat_map(|tables| {
            let DependencyTables {
                dependencies,
                dev_dependencies,
                build_dependencies,
            } = tables;
            [dependencies, dev_dependencies, build_dependencies]
        });
        all.flatten()
            .filter_map(|(name, dependency)| match dependency {
                Dependency::Table {
                    path: Some(path), ..
                } => Some(PathDependency::Own(path)),
                Dependency::Table {
                    workspace: true, ..
                } => Some(PathDependency::Inherited(name)),
                _ => None,
            })
    }
}

/// Where the folder of a dependency is stated.
pub(super) enum PathDependency<'a> {
    /// In the manifest: the path.
    Own(&'a str),
    /// In that of the workspace, under this name, if it has a path there.
    Inherited(&'a str),
}

impl Workspace {
    /// The folder of a dependency that members inherit, relative to that of the workspace.
    pub(super) fn path_of(&self, dependency: &str) -> Option<&str> {
        match self.dependencies.get(dependency)? {
            Dependency::Table { path, .. } => path.as_deref(),
            Dependency::Version(_) => None,
        }
    }
}

impl Package {
    /// Whether it is of edition 2015, which finds targets in another way; a package without an edition is.
    pub(super) fn is_of_2015(&self, workspace: Option<&Workspace>) -> bool {
        let edition = match &self.edition {
            Some(Edition::Own(edition)) => Some(edition),
            Some(Edition::Inherited {}) => workspace.and_then(|x| x.package.edition.as_ref()),
            None => None,
        };
        edition.is_none_or(|edition| edition == "2015")
    }
}
