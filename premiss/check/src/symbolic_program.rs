//! Reading a program with symbolic sizes.
//!
//! A size that decides which lines the preprocessor keeps, as in `#if N > 10`, cannot be symbolic: a program is read
//! with as many symbolic sizes as possible, and the others keep their values.

use crate::error::CheckError;
use crate::host::Host;
use crate::open::{read_merged, read_merged_from};
use crate::profiles::Profiles;
use crate::validate::select;
use premiss_analyze::{Program, ReadOptions};
use premiss_source::{FileId, Files, SourceMap};
use premiss_tree::{Expression, NestTree, Node};
use std::collections::BTreeSet;

/// A program with symbolic sizes, and with the values that the source gives them.
pub struct SymbolicProgram {
    /// The program with the symbolic sizes of the options, or else with all sizes symbolic that can be.
    pub symbolic: Program,
    /// The program with more and more values of the source: of the sizes that steps of loops depend on, then of all.
    /// Empty if options give symbolic sizes.
    with_values: Vec<Program>,
}

impl SymbolicProgram {
    /// Reads files with the symbolic sizes of the options; if these give none, with all sizes symbolic that the options
    /// give no value.
    pub fn read(
        sources: &mut SourceMap,
        files: &[(FileId, ReadOptions)],
        options: &ReadOptions,
        host: &dyn Host,
    ) -> Self {
        let concrete = read_merged(sources, files, host);
        if !options.symbolic.is_empty() {
            return Self {
                symbolic: concrete,
                with_values: Vec::new(),
            };
        }
        let names = concrete.size_names.iter();
        let open: BTreeSet<String> = names
            .filter(|name| !options.sizes.contains_key(*name))
            .cloned()
            .collect();
        let mut all = files.to_vec();
        all.iter_mut()
            .for_each(|(_, x)| x.symbolic.clone_from(&open));
        let mut symbolic = read_merged(sources, &all, host);
        let deciding = &symbolic.sizes_in_conditions;
        if !open.is_disjoint(deciding) {
            for (_, options) in &mut all {
                options.symbolic.retain(|name| !deciding.contains(name));
            }
            symbolic = read_merged(sources, &all, host);
        }
        symbolic
            .unused_sizes
            .retain(|name| options.sizes.contains_key(name));
        let mut with_values = vec![concrete];
        let steps = sizes_in_steps(&symbolic);
        if !open.is_disjoint(&steps) {
            for (_, options) in &mut all {
                options.symbolic.retain(|name| !steps.contains(name));
            }
            with_values.insert(0, read_merged(sources, &all, host));
        }
        Self {
            symbolic,
            with_values,
        }
    }

    /// The same function with values of the source for some of its sizes, then for all; none if options give symbolic
    /// sizes.
    pub fn with_values<'a>(&'a self, tree: &'a NestTree) -> impl Iterator<Item = &'a NestTree> {
        let programs = self.with_values.iter();
        programs.filter_map(|program| {
            let mut functions = program.functions.iter();
            functions.find(|other| other.function == tree.function)
        })
    }
}

/// The sizes that steps of loops depend on: no closed form has a symbolic step.
fn sizes_in_steps(program: &Program) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for tree in &program.functions {
        let mut note = |step: &Expression| {
            step.walk(&mut |part| {
                if let Expression::Parameter(id) = part {
                    names.insert(tree.size_name(*id).to_owned());
                }
            });
        };
        for node in &tree.body {
            node.walk(&mut |node| {
                if let Node::Loop(inner) = node {
                    note(&inner.step);
                }
            });
        }
    }
    names
}

/// A program that was read, to be read again with other sizes.
#[derive(Clone, Copy)]
pub struct ProgramSource<'a> {
    /// The files, with the options that they were read with.
    pub files: &'a [(FileId, ReadOptions)],
    /// Where included files are read from.
    pub included: &'a dyn Files,
    /// The function to select; `None` for all functions.
    pub function: Option<&'a str>,
    /// The execution profiles.
    pub profiles: &'a Profiles,
    /// Receives messages.
    pub host: &'a dyn Host,
}

impl ProgramSource<'_> {
    /// Reads the program with some sizes symbolic, except those that decide which lines the preprocessor keeps.
    ///
    /// # Errors
    ///
    /// A profile is of other files, or the function does not exist.
    pub(crate) fn read(
        &self,
        sources: &mut SourceMap,
        symbolic: &BTreeSet<String>,
    ) -> Result<Program, CheckError> {
        let mut files = self.files.to_vec();
        let mut open = symbolic.clone();
        loop {
            for ((_, options), (_, given)) in files.iter_mut().zip(self.files) {
                options.symbolic.clone_from(&open);
                options.sizes.clone_from(&given.sizes);
                options.sizes.retain(|name, _| !open.contains(name));
            }
            let mut program = read_merged_from(sources, &files, self.included, self.host);
            let n_open = open.len();
            open.retain(|name| !program.sizes_in_conditions.contains(name));
            if open.len() == n_open {
                select(&mut program, self.function)?;
                let files: Vec<FileId> = files.iter().map(|(file, _)| *file).collect();
                self.profiles.apply(sources, &files, &mut program)?;
                return Ok(program);
            }
        }
    }
}
