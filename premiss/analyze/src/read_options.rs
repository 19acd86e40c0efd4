//! The options for reading files: of all languages, and of those with a preprocessor.

use premiss_ast::FunctionTable;
use premiss_c::{MacroFlag, NearbyFiles};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The options for reading a file, whatever its language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// Values for macros, constants, and sizes of functions, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Macros, constants and sizes of functions that stay symbolic (without a value), even where the program defines
    /// them.
    pub symbolic: BTreeSet<String>,
    /// Whether to assume that real and complex numbers in data are not NaN and differ from the constants that they are
    /// compared with (`--dense`).
    pub dense: bool,
    /// Whether to leave operations out of the trees, for callers that need only the nests.
    pub without_operations: bool,
    /// What the user states of functions, overriding their definitions.
    pub functions: FunctionTable,
    /// The types of generic parameters of Rust that no call determines, by their names, `T` or `scale::T`.
    pub types: BTreeMap<String, String>,
    /// The preprocessor options of C and Fortran.
    pub preprocessor: PreprocessorOptions,
}

/// The preprocessor's command-line options. Fortran uses only `include_dirs`, `macros` and `nearby`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreprocessorOptions {
    /// Folders to search for includes, in order (`-I`).
    pub include_dirs: Vec<String>,
    /// Folders to search first for includes in quotes, in order (`-iquote`).
    pub quote_dirs: Vec<String>,
    /// Files to read before the file itself (`-include`).
    pub forced_includes: Vec<String>,
    /// Macro definitions of the command line, in order (`-D`, `-U`).
    pub macros: Vec<MacroFlag>,
    /// Where to look for headers, by name, that are in none of the folders.
    pub nearby: Arc<NearbyFiles>,
}

impl ReadOptions {
    /// The same options, with `nearby` for headers that are in no include folder.
    #[must_use]
    pub fn with_nearby(&self, nearby: Arc<NearbyFiles>) -> Self {
        let mut options = self.clone();
        options.preprocessor.nearby = nearby;
        options
    }

    /// The options in the form of the C front end.
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

    /// The options in the form of the Fortran front end.
    pub(crate) fn for_fortran(&self) -> premiss_fortran::Options {
        let definition = |flag: &MacroFlag| match flag {
            MacroFlag::Define { name, value } => (name.clone(), Some(value.clone())),
            MacroFlag::Undefine { name } => (name.clone(), None),
        };
        premiss_fortran::Options {
            include_dirs: self.preprocessor.include_dirs.clone(),
            nearby: self.preprocessor.nearby.clone(),
            macros: self.preprocessor.macros.iter().map(definition).collect(),
            sizes: self.sizes.clone(),
            symbolic: self.symbolic.clone(),
            dense: self.dense,
            without_operations: self.without_operations,
            functions: self.functions.clone(),
        }
    }

    /// The options in the form of the Rust front end.
    pub(crate) fn for_rust(&self) -> premiss_rust::Options {
        premiss_rust::Options {
            sizes: self.sizes.clone(),
            symbolic: self.symbolic.clone(),
            dense: self.dense,
            without_operations: self.without_operations,
            types: self.types.clone(),
            functions: self.functions.clone(),
        }
    }
}
