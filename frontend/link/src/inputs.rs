//! What linking is given: the units, and what the user says of sizes, of functions and of how far calls are followed.

use crate::lazy_unit::LazyUnit;
use premiss_ast::syntax::UnitId;
use premiss_ast::{FunctionTable, OriginMap};
use premiss_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A file with all that it includes, to be linked.
pub struct LinkUnit<'a> {
    /// Its syntax.
    pub syntax: LazyUnit<'a>,
    /// Where each part of its text was written.
    pub origins: &'a OriginMap,
    /// Macros that stayed in the text as sizes without a value, with where they are defined.
    pub size_macros: &'a BTreeMap<String, Option<Span>>,
    /// The unit that stands before it: what that declares holds here too. It defines nothing.
    pub prelude: Option<UnitId>,
}

/// What the user says about sizes, and what trees are to hold.
#[derive(Clone, Copy)]
pub struct SizeOptions<'a> {
    /// Values by name.
    pub values: &'a BTreeMap<String, i64>,
    /// The names that are kept without a value.
    pub symbolic: &'a BTreeSet<String>,
    /// Whether real and complex numbers that only running the program would tell are numbers, and equal none of the
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether operations are left out of the trees: what asks for nests alone needs none.
    pub without_operations: bool,
}

/// Models of functions apart from the definitions in the files.
#[derive(Clone, Copy)]
pub struct FunctionModels<'a> {
    /// What the user states, which counts before all definitions.
    pub stated: &'a FunctionTable,
    /// The unit of built-in definitions, which count where the files have none.
    pub builtin: UnitId,
}

/// How far calls are followed, in steps of the abstract interpreter; the first three limits are of calls into other
/// files.
#[derive(Clone, Copy)]
pub struct InlineBudget {
    /// For one function.
    pub per_function: u64,
    /// What functions with a loop share evenly where that is more for each of them: programs of few
    /// functions are followed further.
    pub shared: u64,
    /// For all functions together.
    pub total: u64,
    /// How many steps the files of a program may take together in bodies of their own; [`u64::MAX`] where each file
    /// has a budget of its own.
    pub own_bodies: u64,
}

impl InlineBudget {
    /// Why a call into another file is not followed any further.
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
