//! From Rust text to NestTree.
//!
//! [`read_linked`] parses files with `syn` and puts their functions into the syntax of imperative programs:
//! a slice becomes a pointer and a length, an iterator the loop that it is. What is not understood is a
//! rejection in the tree of the function that it concerns.
//!
//! What is there for tests alone, under `#[cfg(test)]` or `#[test]`, is not read.
//!
//! # Inside
//!
//! `syn` parses; `index` has the items of all files by name, `context` and `types` what types they have, as far as the text
//! tells; `body` makes functions, one for each choice of generic types. Closures, and functions that take them, are inlined where
//! they are called. Slices are pointers with lengths, iterators the loops that they stand for.

mod ast_builder;
mod body;
mod context;
mod declarative_macros;
mod generic_inference;
mod item_index;
mod macro_expansion;
mod modules;
mod parse;
mod positions;
mod program;
#[cfg(test)]
mod tests;
mod type_resolution;
mod types;
mod value;

pub use modules::add_module_files;

use premiss_ast::FunctionTable;
use premiss_incremental::{TranslationUnit, read_on_own_stack};
use premiss_source::{FileId, SourceMap};
use std::collections::{BTreeMap, BTreeSet};

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Values for constants and sizes of functions, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Constants and sizes of functions that are kept as sizes without a value, whatever the program
    /// says that they are.
    pub symbolic: BTreeSet<String>,
    /// Whether real and complex numbers that only running the program would tell are numbers, and equal none of the
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether operations are left out of the trees: what asks for nests alone needs none.
    pub without_operations: bool,
    /// What is stated of functions, whatever their definitions say.
    pub functions: FunctionTable,
}

/// Reads Rust files that make one program, each with its own options; the sizes given, and what is
/// stated of functions, are those of the first. Modules in other files are read where these are among
/// `mains`: [`add_module_files`] finds them.
///
/// Never fails. `each` gets a unit for each file, in order, with all files that were read.
pub fn read_linked(
    sources: &mut SourceMap,
    mains: &[(FileId, Options)],
    each: &mut dyn FnMut(&SourceMap, TranslationUnit),
) {
    let Some((main, options)) = mains.first() else {
        return;
    };
    let sources = &*sources;
    let list: Vec<FileId> = mains.iter().map(|(file, _)| *file).collect();
    let read = |each: &mut dyn FnMut(TranslationUnit)| {
        program::read(sources, &list, options, each);
    };
    read_on_own_stack(*main, mains.len(), read, &mut |unit| each(sources, unit));
}
