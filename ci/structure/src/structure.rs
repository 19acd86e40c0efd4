//! The measures of a workspace, and the targets that it misses.

use std::collections::BTreeMap;
use std::fmt;

use crate::banned_names::is_banned;
use crate::cycles::cycles;
use crate::declarations::{Declaration, declarations};
use crate::functions::function_sizes;
use crate::methods::methods_by_type;
use crate::module_graph::module_graph;
use crate::module_tree::module_trees;
use crate::shared_names::{SharedName, shared_names};
use crate::sizes::Sizes;
use crate::targets;
use crate::workspace::Workspace;

/// Files that depend on each other cyclically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The name of the crate.
    pub package: String,
    /// Its files, relative to the root of the workspace.
    pub files: Vec<String>,
}

/// The measures of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// The lines of files.
    pub files: Sizes,
    /// The lines of functions.
    pub functions: Sizes,
    /// The number of methods of types.
    pub methods: Sizes,
    /// The cycles of modules, in each crate the largest first.
    pub cycles: Vec<Cycle>,
    /// The declarations with banned names.
    pub banned: Vec<Declaration>,
    /// Names that stand for more types than one name should.
    pub shared: Vec<SharedName>,
}

/// A target that is missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The measure, in words.
    pub measure: &'static str,
    /// The value reached.
    pub reached: usize,
    /// The value that should not be exceeded.
    pub limit: usize,
    /// The files, functions, types or names that miss it.
    pub offenders: Vec<String>,
}

impl Structure {
    /// Measures all files of a workspace.
    pub fn measure(workspace: &Workspace) -> Self {
        let files = workspace.files.iter();
        let file_sizes = files.map(|file| (file.n_lines, file.path.display().to_string()));
        let file_sizes = Sizes::new(file_sizes.collect());
        let functions = Sizes::new(workspace.files.iter().flat_map(function_sizes).collect());
        let declared: Vec<Declaration> = workspace.files.iter().flat_map(declarations).collect();
        let (methods, cycles) = measure_crates(workspace);
        let shared = shared_names(&declared, targets::MAX_SHARED_NAMES);
        let banned = declared.into_iter().filter(is_banned).collect();
        Self {
            files: file_sizes,
            functions,
            methods,
            cycles,
            banned,
            shared,
        }
    }

    /// The targets that are missed, with everything that misses them.
    pub fn violations(&self) -> Vec<Violation> {
        let largest = |sizes: &Sizes, limit: usize| -> Vec<String> {
            let over = sizes.descending.iter().take_while(|it| limit < it.0);
            over.map(|(size, name)| format!("{size:6}  {name}"))
                .collect()
        };
        let is_long = |it: &&Cycle| targets::MAX_CYCLE_FILES < it.files.len();
        let long_cycles = self.cycles.iter().filter(is_long);
        let checks = [
            missed(
                "median lines of files",
                self.files.median,
                targets::MEDIAN_FILE_LINES,
                vec![],
            ),
            missed(
                "lines of the largest file",
                self.files.max,
                targets::MAX_FILE_LINES,
                largest(&self.files, targets::MAX_FILE_LINES),
            ),
            missed(
                "p90 of lines of functions",
                self.functions.p90,
                targets::P90_FUNCTION_LINES,
                vec![],
            ),
            missed(
                "methods of the largest type",
                self.methods.max,
                targets::MAX_METHODS,
                largest(&self.methods, targets::MAX_METHODS),
            ),
            missed(
                "files of the largest cycle",
                self.cycles
                    .iter()
                    .map(|it| it.files.len())
                    .max()
                    .unwrap_or(0),
                targets::MAX_CYCLE_FILES,
                long_cycles
                    .map(|it| format!("{}: {}", it.package, it.files.join(" ")))
                    .collect(),
            ),
            missed(
                "banned names",
                self.banned.len(),
                0,
                self.banned
                    .iter()
                    .map(|it| format!("{} {} {}", it.location, it.kind, it.name))
                    .collect(),
            ),
            missed(
                "names of more than three types",
                self.shared.len(),
                0,
                self.shared
                    .iter()
                    .map(|it| format!("{}: {}", it.name, it.locations.join(" ")))
                    .collect(),
            ),
        ];
        checks.into_iter().flatten().collect()
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}, at most {}",
            self.measure, self.reached, self.limit
        )
    }
}

fn missed(
    measure: &'static str,
    reached: usize,
    limit: usize,
    offenders: Vec<String>,
) -> Option<Violation> {
    (limit < reached).then_some(Violation {
        measure,
        reached,
        limit,
        offenders,
    })
}

/// The methods of types and the cycles of modules, crate by crate.
fn measure_crates(workspace: &Workspace) -> (Sizes, Vec<Cycle>) {
    let mut methods = Vec::new();
    let mut all_cycles = Vec::new();
    for (idx, package) in workspace.packages.iter().enumerate() {
        let mut by_type = BTreeMap::new();
        for tree in module_trees(workspace, idx) {
            let path = |file: usize| workspace.files[file].path.display().to_string();
            for component in cycles(&module_graph(&tree)) {
                all_cycles.push(Cycle {
                    package: package.name.clone(),
                    files: component.iter().map(|file| path(file.0)).collect(),
                });
            }
            by_type.extend(methods_by_type(workspace, &tree));
        }
        let named = by_type
            .into_iter()
            .map(|((_, name), n)| (n, format!("{}::{name}", package.name)));
        methods.extend(named);
    }
    (Sizes::new(methods), all_cycles)
}
