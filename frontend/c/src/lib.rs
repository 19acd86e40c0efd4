//! From C text to NestTree.

use std::collections::{BTreeMap, BTreeSet};

use premiss_source::{Diagnostic, FileId, SourceMap};
use premiss_tree::NestTree;

mod preprocess;

pub use preprocess::{
    MacroFlag, ObjectMacro, OriginMap, Pragma, PreprocessOptions, Preprocessed, preprocess,
};

/// How to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Folders to look for includes in.
    pub include_dirs: Vec<String>,
    /// Macros, in order.
    pub macros: Vec<MacroFlag>,
    /// Values of sizes.
    pub sizes: BTreeMap<String, i64>,
}

/// What a file says.
#[derive(Debug)]
pub struct TranslationUnit {
    /// Functions with loops.
    pub functions: Vec<NestTree>,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// Which of the sizes given were used.
    pub used_sizes: BTreeSet<String>,
    /// Which sizes can be given.
    pub size_names: BTreeSet<String>,
}

/// Reads a file.
pub fn read(
    sources: &mut SourceMap,
    main: FileId,
    options: &Options,
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> TranslationUnit {
    let options = PreprocessOptions {
        include_dirs: options.include_dirs.clone(),
        macros: options.macros.clone(),
        overrides: options.sizes.clone(),
    };
    let preprocessed = preprocess(sources, main, &options, load);
    TranslationUnit {
        functions: Vec::new(),
        diagnostics: preprocessed.diagnostics,
        used_sizes: preprocessed.overridden,
        size_names: preprocessed.object_macros.into_keys().collect(),
    }
}
