//! The options of `premiss formula` for deriving formulas: line size, levels and residue classes.

use crate::arguments::FormulaArguments;
use crate::failure::Failure;
use crate::flags;
use premiss_analyze::{
    CacheGeometry, FunctionFormulas, MeasureOptions, NoClosedForm, Program, SymbolicOptions,
    bounded_formulas, class_formulas,
};
use premiss_check::{lru_levels, suggest};
use premiss_tree::{NestTree, Parameter, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

/// The request for the formulas of each function.
pub(super) struct FormulaRequest<'a> {
    pub(super) levels: Vec<(String, CacheGeometry)>,
    pub(super) options: SymbolicOptions<'a>,
    classes: BTreeMap<String, i64>,
    measuring: &'a MeasureOptions,
}

impl<'a> FormulaRequest<'a> {
    pub(super) fn new(
        arguments: &FormulaArguments,
        measuring: &'a MeasureOptions,
        classes: BTreeMap<String, i64>,
    ) -> Result<Self, Failure> {
        let first = flags::first_line_size(&measuring.machine);
        let line_size = arguments.line.unwrap_or(first);
        if !(1..=1 << 16).contains(&line_size) {
            return Err(Failure::usage(format!(
                "--line {line_size}: a line has 1 to 65536 bytes"
            )));
        }
        let levels = lru_levels(&measuring.machine, line_size);
        Ok(Self {
            levels: levels.collect(),
            options: SymbolicOptions {
                line_size,
                alignment: measuring.alignment(),
                bound: None,
                effort: measuring.effort,
                store: measuring.store.as_deref(),
            },
            classes,
            measuring,
        })
    }

    pub(super) fn formulas(&self, tree: &NestTree) -> Result<FunctionFormulas, NoClosedForm> {
        let sizes = self.residues(tree);
        let mut found = bounded_formulas(tree, &self.levels, &sizes, self.options)?;
        // In sets there are no bounds.
        if !sizes.is_empty() && found.lower.is_none() {
            for level in found.levels.iter_mut().filter(|x| 1 < x.geometry.sets) {
                let geometry = level.geometry;
                let form = class_formulas(tree, geometry, &sizes, self.options, self.measuring);
                level.sets = Some(form);
            }
        }
        Ok(found)
    }

    /// The residue class of the request, by the ids of a function's sizes.
    pub(super) fn residues(&self, tree: &NestTree) -> BTreeMap<ParameterId, i64> {
        let residue = |(id, parameter): (ParameterId, &Parameter)| {
            let is_open = parameter.value.is_none();
            let residue = self.classes.get(&parameter.name).filter(|_| is_open);
            residue.map(|residue| (id, *residue))
        };
        tree.parameters.iter().filter_map(residue).collect()
    }
}

/// Refuses a residue class of a size that is symbolic in no function.
///
/// # Errors
///
/// There is such a residue class.
pub(super) fn check_classes(
    program: &Program,
    classes: &BTreeMap<String, i64>,
) -> Result<(), Failure> {
    let trees = program.functions.iter();
    let open: BTreeSet<&str> = trees
        .flat_map(|tree| tree.parameters.values())
        .filter(|parameter| parameter.value.is_none())
        .map(|parameter| parameter.name.as_str())
        .collect();
    match classes.keys().find(|name| !open.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let suggestion = suggest(name, open);
            Err(Failure::usage(format!(
                "--class {name}: no function has a symbolic size of that name{suggestion}"
            )))
        }
    }
}
