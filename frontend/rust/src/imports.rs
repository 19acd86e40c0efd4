//! Which of several definitions of one name, in as many files, a file means: the one that it imports.
//!
//! ```text
//! use super::sse_utils::*;          Rotate: that of the file `sse_utils.rs`
//! use crate::neon::{Rotate};        Rotate: that of `neon.rs`, or of `neon/mod.rs`
//! ```
//!
//! Modules are compared by their last names. An import by name goes before those of all names of a module.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::UseTree;

/// What the files of a program import.
#[derive(Default)]
pub(crate) struct Imports {
    /// The name of each file's module.
    modules: Vec<String>,
    /// The modules from which each file imports a name.
    by_name: BTreeMap<(usize, String), BTreeSet<String>>,
    /// The modules from which each file imports all names.
    of_all: BTreeMap<usize, BTreeSet<String>>,
}

impl Imports {
    /// No imports, of files with these paths.
    pub(crate) fn new(paths: &[&str]) -> Self {
        Self {
            modules: paths.iter().map(|path| module_of(path)).collect(),
            ..Self::default()
        }
    }

    /// Adds a `use` of a file.
    pub(crate) fn add(&mut self, unit: usize, tree: &UseTree) {
        for_each_leaf("", tree, &mut |module, leaf| match leaf {
            UseTree::Name(name) => {
                let of_name = self.by_name.entry((unit, name.ident.to_string()));
                of_name.or_default().insert(module.to_owned());
            }
            UseTree::Glob(_) => {
                let of_all = self.of_all.entry(unit).or_default();
                of_all.insert(module.to_owned());
            }
            _ => {}
        });
    }

    /// The name of the module that a file is.
    pub(crate) fn module(&self, unit: usize) -> Option<&str> {
        self.modules.get(unit).map(String::as_str)
    }

    /// Whether a file imports a name from another one.
    pub(crate) fn has(&self, unit: usize, name: &str, from: usize) -> bool {
        let by_name = self.by_name.get(&(unit, name.to_owned()));
        let modules = by_name.or_else(|| self.of_all.get(&unit));
        match (modules, self.modules.get(from)) {
            (Some(modules), Some(module)) => modules.contains(module),
            _ => false,
        }
    }
}

/// Adds the names that a `use` imports, by their names before `as`.
pub(crate) fn add_imported(tree: &UseTree, names: &mut BTreeSet<String>) {
    for_each_leaf("", tree, &mut |_, leaf| {
        let name = match leaf {
            UseTree::Name(name) => &name.ident,
            UseTree::Rename(name) => &name.ident,
            _ => return,
        };
        names.insert(name.to_string());
    });
}

/// Visits each name and `*` of a `use` that stands in a module, with the last name of its own module.
fn for_each_leaf(module: &str, tree: &UseTree, visit: &mut dyn FnMut(&str, &UseTree)) {
    match tree {
        UseTree::Path(path) => for_each_leaf(&path.ident.to_string(), &path.tree, visit),
        UseTree::Group(group) => {
            let all = group.items.iter();
            all.for_each(|tree| for_each_leaf(module, tree, visit));
        }
        leaf => visit(module, leaf),
    }
}

/// The name of the module that a file is: its own, or that of its folder.
fn module_of(path: &str) -> String {
    let path = Path::new(path);
    let name = |part: Option<&std::ffi::OsStr>| {
        let part = part.and_then(std::ffi::OsStr::to_str);
        part.unwrap_or_default().to_owned()
    };
    match name(path.file_stem()).as_str() {
        "mod" => name(path.parent().and_then(Path::file_name)),
        "lib" | "main" => "crate".to_owned(),
        stem => stem.to_owned(),
    }
}
