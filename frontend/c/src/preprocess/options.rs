//! Options of the preprocessor.

use premiss_source::NearbyFiles;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How to preprocess a file, as on the command line of a compiler.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// The directories that are searched for headers, in order (`-I`).
    pub include_dirs: Vec<String>,
    /// The directories that are searched before those for headers in quotes (`-iquote`).
    pub quote_dirs: Vec<String>,
    /// Files that are read before the file itself (`-include`).
    pub forced_includes: Vec<String>,
    /// Macros defined and undefined before the file is read, in order (`-D`, `-U`).
    pub macros: Vec<MacroFlag>,
    /// Values that replace those of object-like macros of the program (`-P`).
    pub overrides: BTreeMap<String, i64>,
    /// Object-like macros of the program that are left unexpanded if they are integers; conditions use their defined
    /// values.
    pub symbolic: BTreeSet<String>,
    /// Where headers are searched by name if no directory has them.
    pub nearby: Arc<NearbyFiles>,
}

/// A `-D` or `-U` of the command line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MacroFlag {
    /// `-D name=value`; `name` may have parameters, as in `f(x)`.
    Define {
        /// The macro, with its parameters if it has some.
        name: String,
        /// The replacement list.
        value: String,
    },
    /// `-U name`.
    Undefine {
        /// The macro.
        name: String,
    },
}
