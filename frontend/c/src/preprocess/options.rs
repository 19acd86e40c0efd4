//! Options of the command line for preprocessing.

use super::nearby::NearbyFiles;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How to preprocess: what a compiler is given on its command line.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// Folders in which headers are looked for, in order (`-I`).
    pub include_dirs: Vec<String>,
    /// Folders in which headers in quotes are looked for before those (`-iquote`).
    pub quote_dirs: Vec<String>,
    /// Files that are read before the file itself (`-include`).
    pub forced_includes: Vec<String>,
    /// Macros defined and undefined before the file is read, in order (`-D`, `-U`).
    pub macros: Vec<MacroFlag>,
    /// Values that object-like macros of the program get, however it defines them (`-P`).
    pub overrides: BTreeMap<String, i64>,
    /// Object-like macros of the program that stay names in the text wherever they stand for an
    /// integer; conditions take the value that they are defined with.
    pub symbolic: BTreeSet<String>,
    /// Where headers are looked for by their names that no folder has.
    pub nearby: Arc<NearbyFiles>,
}

/// A `-D` or `-U` of the command line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MacroFlag {
    /// `-D name=value`; `name` may have parameters, as in `f(x)`.
    Define {
        /// The macro, with its parameters if it has some.
        name: String,
        /// Its replacement list.
        value: String,
    },
    /// `-U name`.
    Undefine {
        /// The macro.
        name: String,
    },
}
