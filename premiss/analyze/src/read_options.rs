//! How files are read: options of every language, and what those add that have a preprocessor.

use premiss_ast::FunctionTable;
use premiss_c::{MacroFlag, NearbyFiles};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How to read a file, whatever its language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// Values for macros, constants, and sizes of functions, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Macros, constants and sizes of functions that are kept as sizes without a value, whatever the
    /// program says that they are.
    pub symbolic: BTreeSet<String>,
    /// Whether real and complex numbers that only running the program would tell are numbers, and equal none of the
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether operations are left out of the trees: what asks for nests alone needs none.
    pub without_operations: bool,
    /// What is stated of functions, whatever their definitions say.
    pub functions: FunctionTable,
    /// What C and preprocessed Fortran have besides.
    pub preprocessor: PreprocessorOptions,
}

/// What the preprocessor of a language is told on the command line. Fortran takes folders and macros of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreprocessorOptions {
    /// Folders in which includes are looked for, in order (`-I`).
    pub include_dirs: Vec<String>,
    /// Folders in which includes in quotes are looked for before those (`-iquote`).
    pub quote_dirs: Vec<String>,
    /// Files that are read before the file itself (`-include`).
    pub forced_includes: Vec<String>,
    /// Macros of the command line, in order (`-D`, `-U`).
    pub macros: Vec<MacroFlag>,
    /// Where headers are looked for by their names that no folder has.
    pub nearby: Arc<NearbyFiles>,
}

impl ReadOptions {
    /// The same, where headers are looked for by their names among these files.
    #[must_use]
    pub fn with_nearby(&self, nearby: Arc<NearbyFiles>) -> Self {
        let mut options = self.clone();
        options.preprocessor.nearby = nearby;
        options
    }

    /// The options of C.
    pub(crate) fn for_c(&self) -> premiss_c::Options {
        let preprocessor = &self.preprocessor;
        premiss_c::Options {
            include_dirs: preprocessor.include_dirs.clone(),
            quote_dirs: preprocessor.quote_dirs.clone(),
            forced_includes: preprocessor.forced_includes.clone(),
            macros: preprocessor.macros.clone(),
            nearby: preprocessor.nearby.clone(),
            sizes: self.sizes.clone(),
            symbolic: self.symbolic.clone(),
            dense: self.dense,
            without_operations: self.without_operations,
            functions: self.functions.clone(),
        }
    }

    /// The options of Fortran.
    pub(crate) fn for_fortran(&self) -> premiss_fortran::Options {
        let definition = |flag: &MacroFlag| match flag {
            MacroFlag::Define { name, value } => (name.clone(), Some(value.clone())),
            MacroFlag::Undefine { name } => (name.clone(), None),
        };
        premiss_fortran::Options {
            include_dirs: self.preprocessor.include_dirs.clone(),
            macros: self.preprocessor.macros.iter().map(definition).collect(),
            sizes: self.sizes.clone(),
            symbolic: self.symbolic.clone(),
            dense: self.dense,
            without_operations: self.without_operations,
            functions: self.functions.clone(),
        }
    }

    /// The options of Rust.
    pub(crate) fn for_rust(&self) -> premiss_rust::Options {
        premiss_rust::Options {
            sizes: self.sizes.clone(),
            symbolic: self.symbolic.clone(),
            dense: self.dense,
            without_operations: self.without_operations,
            functions: self.functions.clone(),
        }
    }
}
