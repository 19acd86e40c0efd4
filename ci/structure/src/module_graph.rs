//! From a tree of modules to the graph of its files: a file depends on another if it names an item of it.
//!
//! Declaring a module and re-exporting its items (`pub use`) is not a dependency; naming a re-exported item is one, on
//! the file that defines it. A private `use` counts whether or not the name is used.

use std::collections::{BTreeMap, BTreeSet};

use crate::module_tree::{FileId, ModuleId, ModuleTree};

/// The files that each file depends on.
pub(crate) type ModuleGraph = BTreeMap<FileId, BTreeSet<FileId>>;

/// The graph of all files of a tree.
pub(crate) fn module_graph(tree: &ModuleTree) -> ModuleGraph {
    let mut graph = ModuleGraph::new();
    for idx in 0..tree.modules.len() {
        let id = ModuleId(idx);
        let module = tree.module(id);
        let targets = graph.entry(module.file).or_default();
        let private = module.imports.iter().filter(|it| !it.is_reexport);
        let imports = private.map(|it| &it.segments);
        for path in imports.chain(&module.references) {
            let target = tree.file_of_item(id, path);
            targets.extend(target.filter(|file| *file != module.file));
        }
    }
    graph
}
