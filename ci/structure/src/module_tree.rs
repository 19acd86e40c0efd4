//! The module tree of a crate, by its `mod` declarations from each root (`lib.rs`, `main.rs`, the build script, every
//! integration test and benchmark).
//!
//! Modules under `#[cfg(test)]` are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::references::{self, Import};
use crate::workspace::{Package, Workspace};

/// Index of a module in [`ModuleTree::modules`]; the root is the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ModuleId(pub(crate) usize);

/// Index of a file in [`Workspace`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileId(pub(crate) usize);

/// One module: a file, or an inline module within one.
pub(crate) struct Module {
    pub(crate) file: FileId,
    pub(crate) parent: Option<ModuleId>,
    pub(crate) children: BTreeMap<String, ModuleId>,
    /// Names of the items defined in the module itself.
    pub(crate) definitions: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    /// Paths in bodies and signatures of the module's items, as lists of segments.
    pub(crate) references: Vec<Vec<String>>,
}

/// The modules below one root of a crate.
pub(crate) struct ModuleTree {
    pub(crate) modules: Vec<Module>,
}

/// The trees of a package, one for each root among its files.
pub(crate) fn module_trees(workspace: &Workspace, package_idx: usize) -> Vec<ModuleTree> {
    let package = &workspace.packages[package_idx];
    let files: BTreeMap<&Path, FileId> = (workspace.files.iter().enumerate())
        .filter(|(_, file)| file.package == Some(package_idx))
        .map(|(idx, file)| (file.path.as_path(), FileId(idx)))
        .collect();
    let roots = files.iter().filter(|(path, _)| is_root(package, path));
    let tree = |(path, file): (&&Path, &FileId)| {
        let mut builder = TreeBuilder {
            workspace,
            files: &files,
            modules: Vec::new(),
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        builder.add_file(*file, None, &folder);
        ModuleTree {
            modules: builder.modules,
        }
    };
    roots.map(tree).collect()
}

/// Whether Cargo detects a file as the root of a target by its path.
fn is_root(package: &Package, path: &Path) -> bool {
    let Ok(inner) = path.strip_prefix(&package.folder) else {
        return false;
    };
    let parts: Vec<&str> = inner.iter().filter_map(|part| part.to_str()).collect();
    match parts.as_slice() {
        ["build.rs"] | ["src", "lib.rs" | "main.rs"] | ["src", "bin", _] => true,
        ["tests" | "benches" | "examples", rest @ ..] => {
            rest.len() == 1 || matches!(rest, [_, "main.rs"])
        }
        _ => false,
    }
}

struct TreeBuilder<'a> {
    workspace: &'a Workspace,
    files: &'a BTreeMap<&'a Path, FileId>,
    modules: Vec<Module>,
}

impl TreeBuilder<'_> {
    /// Adds a file as a module; the files of its child modules are in `folder`.
    fn add_file(&mut self, file: FileId, parent: Option<ModuleId>, folder: &Path) -> ModuleId {
        let workspace = self.workspace;
        let items = &workspace.files[file.0].syntax.items;
        self.add_module(file, parent, folder, items)
    }

    fn add_module(
        &mut self,
        file: FileId,
        parent: Option<ModuleId>,
        folder: &Path,
        items: &[syn::Item],
    ) -> ModuleId {
        let id = ModuleId(self.modules.len());
        let contents = references::contents(items);
        self.modules.push(Module {
            file,
            parent,
            children: BTreeMap::new(),
            definitions: contents.definitions,
            imports: contents.imports,
            references: contents.references,
        });
        for item in items {
            if let syn::Item::Mod(item) = item
                && !references::is_for_tests(&item.attrs)
                && let Some(child) = self.add_child(file, id, folder, item)
            {
                let name = references::name_of(&item.ident);
                self.modules[id.0].children.insert(name, child);
            }
        }
        id
    }

    fn add_child(
        &mut self,
        file: FileId,
        parent: ModuleId,
        folder: &Path,
        item: &syn::ItemMod,
    ) -> Option<ModuleId> {
        let name = references::name_of(&item.ident);
        if let Some((_, items)) = &item.content {
            return Some(self.add_module(file, Some(parent), &folder.join(name), items));
        }
        let here = self.workspace.files[file.0].path.parent()?;
        let (path, inner) = if let Some(path) = path_attribute(&item.attrs) {
            let path = normalized(&here.join(path));
            let inner = path.parent()?.to_owned();
            (path, inner)
        } else {
            let beside = folder.join(format!("{name}.rs"));
            let inner = folder.join(&name);
            let is_beside = self.files.contains_key(beside.as_path());
            let path = if is_beside {
                beside
            } else {
                inner.join("mod.rs")
            };
            (path, inner)
        };
        let child = *self.files.get(path.as_path())?;
        Some(self.add_file(child, Some(parent), &inner))
    }
}

/// The value of a `#[path = "…"]` attribute.
fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    attributes
        .iter()
        .find_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(meta) if meta.path.is_ident("path") => match &meta.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(path),
                    ..
                }) => Some(path.value()),
                _ => None,
            },
            _ => None,
        })
}

/// A path without `..`, by its text alone.
fn normalized(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for part in path {
        if part == ".." {
            normalized.pop();
        } else {
            normalized.push(part);
        }
    }
    normalized
}
