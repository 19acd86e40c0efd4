//! Strongly connected components of a graph of files (Tarjan, "Depth-first search and linear graph
//! algorithms", SIAM Journal on Computing 1972).

use std::collections::BTreeMap;

use crate::module_graph::ModuleGraph;
use crate::module_tree::FileId;

/// The components of more than one file, each sorted by file, the largest first.
pub(crate) fn cycles(graph: &ModuleGraph) -> Vec<Vec<FileId>> {
    let mut search = Search {
        graph,
        index: BTreeMap::new(),
        stack: Vec::new(),
        components: Vec::new(),
    };
    for file in graph.keys() {
        if !search.index.contains_key(file) {
            search.visit(*file);
        }
    }
    let mut cycles = search.components;
    cycles.retain(|component| component.len() > 1);
    cycles.iter_mut().for_each(|component| component.sort());
    cycles.sort_by_key(|component| (usize::MAX - component.len(), component[0]));
    cycles
}

struct Search<'a> {
    graph: &'a ModuleGraph,
    /// The order in which files are first visited.
    index: BTreeMap<FileId, usize>,
    stack: Vec<FileId>,
    components: Vec<Vec<FileId>>,
}

impl Search<'_> {
    /// Visits a file and all files reachable from it; returns the least index reached.
    fn visit(&mut self, file: FileId) -> usize {
        let index = self.index.len();
        self.index.insert(file, index);
        self.stack.push(file);
        let mut low = index;
        for target in self.graph.get(&file).into_iter().flatten() {
            match self.index.get(target) {
                None => low = low.min(self.visit(*target)),
                Some(visited) if self.stack.contains(target) => low = low.min(*visited),
                Some(_) => {}
            }
        }
        if low == index {
            let start = self.stack.iter().position(|it| *it == file);
            let component = self.stack.split_off(start.unwrap_or(0));
            self.components.push(component);
        }
        low
    }
}
