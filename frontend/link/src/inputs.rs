//! The inputs of linking: units, and what the user states about sizes, functions and limits of inlining.

use crate::lazy_unit::LazyUnit;
use premiss_ast::syntax::UnitId;
use premiss_ast::{FunctionTable, OriginMap};
use premiss_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A translation unit to be linked.
pub struct LinkUnit<'a> {
    /// Its syntax.
    pub syntax: LazyUnit<'a>,
    /// Maps its preprocessed text to the source files.
    pub origins: &'a OriginMap,
    /// Macros that are left unexpanded in the text as sizes without a value, with the place of their definition if
    /// there is one.
    pub size_macros: &'a BTreeMap<String, Option<Span>>,
    /// The unit whose declarations are in scope at the start of this one, such as a common preamble of headers. It
    /// defines nothing.
    pub prelude: Option<UnitId>,
}

/// What the user states about sizes, and whether trees contain operations.
#[derive(Clone, Copy)]
pub struct SizeOptions<'a> {
    /// Values of sizes, by name.
    pub values: &'a BTreeMap<String, i64>,
    /// The names of sizes that stay without a value.
    pub symbolic: &'a BTreeSet<String>,
    /// Whether floating-point and complex numbers that depend on data are assumed to be no NaN and to differ from all
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether trees are built without operations, for analyses that only need loop nests.
    pub without_operations: bool,
}

/// Models of functions besides the definitions in the files.
#[derive(Clone, Copy)]
pub struct FunctionModels<'a> {
    /// Effects that the user states; they take precedence over all definitions.
    pub stated: &'a FunctionTable,
    /// The unit of built-in definitions, which apply to functions that no file defines.
    pub builtin: UnitId,
}

/// Limits of inlining, in steps of the abstract interpreter. The first three limit calls into other files.
#[derive(Clone, Copy)]
pub struct InlineBudget {
    /// For calls from one function.
    pub per_function: u64,
    /// The total that all functions with a loop share evenly; it raises `per_function` in programs with few functions.
    pub shared: u64,
    /// For calls from the loops of one function beyond `per_function`, so that its last loops are understood as its
    /// first ones are.
    pub for_loops: u64,
    /// For all functions together.
    pub total: u64,
    /// The total for all files in bodies of their own; [`u64::MAX`] if each file has its own budget.
    pub own_bodies: u64,
    /// For one function in bodies of its own file, its own among them; `own_bodies` raises it in programs with few
    /// functions. [`u64::MAX`] if the budget of the file alone limits it.
    pub own_body: u64,
}

impl InlineBudget {
    /// The most steps for calls from one function.
    #[must_use]
    pub fn most_of_function(self) -> u64 {
        self.per_function.saturating_add(self.for_loops)
    }

    /// The limits as text, for the rejection of a call into another file.
    #[must_use]
    pub fn describe(self) -> String {
        let Self {
            per_function,
            total,
            ..
        } = self;
        format!(
            "{per_function} steps for calls into other files from one function, {total} for all \
             functions together"
        )
    }
}
