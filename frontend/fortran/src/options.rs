//! Options for reading Fortran files.

use premiss_ast::FunctionTable;
use premiss_link::InlineBudget;
use premiss_source::NearbyFiles;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The limits of inlining for calls into other files, of which libraries such as LAPACK consist.
pub(crate) const INLINE_BUDGET: InlineBudget = InlineBudget {
    per_function: 24_000,
    shared: 50_000_000,
    for_loops: 0,
    total: 1_000_000_000,
    own_bodies: u64::MAX,
    own_body: u64::MAX,
};

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The directories that are searched for includes, in order.
    pub include_dirs: Vec<String>,
    /// Where to look for included files, by name, that are in none of the directories.
    pub nearby: Arc<NearbyFiles>,
    /// Macros of the command line, in order: a name with its text, or `None` if it is undefined.
    pub macros: Vec<(String, Option<String>)>,
    /// Values for constants and sizes of procedures, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Names of constants and sizes of procedures that stay sizes without a value, regardless of their values in the
    /// program.
    pub symbolic: BTreeSet<String>,
    /// Whether floating-point and complex numbers that depend on data are assumed to be no NaN and to differ from all
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether trees are built without operations, for analyses that only need loop nests.
    pub without_operations: bool,
    /// The effects that the user states for procedures; they take precedence over definitions.
    pub functions: FunctionTable,
}
