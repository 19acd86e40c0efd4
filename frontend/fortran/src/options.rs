//! Options of reading Fortran files.

use premiss_ast::FunctionTable;
use premiss_link::InlineBudget;
use std::collections::{BTreeMap, BTreeSet};

/// How far calls into other files are followed: libraries such as LAPACK are made of them.
pub(crate) const INLINE_BUDGET: InlineBudget = InlineBudget {
    per_function: 24_000,
    shared: 50_000_000,
    total: 1_000_000_000,
    own_bodies: u64::MAX,
};

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Folders in which includes are looked for, in order.
    pub include_dirs: Vec<String>,
    /// Macros of the command line in order: a name, and its text or `None` where it is undefined.
    pub macros: Vec<(String, Option<String>)>,
    /// Values for constants and sizes of procedures, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Constants and sizes of procedures that are kept as sizes without a value, whatever the program
    /// says that they are.
    pub symbolic: BTreeSet<String>,
    /// Whether real and complex numbers that only running the program would tell are numbers, and equal none of the
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether operations are left out of the trees, for analyses that need the nests alone.
    pub without_operations: bool,
    /// What is stated of procedures, whatever their definitions say.
    pub functions: FunctionTable,
}
