//! From Rust text to NestTree.
//!
//! # The road of a file
//!
//! ```text
//! text ──parse──▶ items ──macro_expansion──▶ items ──item_index──▶ Index ──body──▶ Unit ──▶ NestTrees
//!                 (syn)   (macro_rules!, vec!, …)    (names)       (per instance)  (imperative syntax)
//! ```
//!
//! 1. `parse` reads a file with `syn`; what is malformed is a syntax error, and the items around it are kept.
//! 2. `macro_expansion` expands the macros of the program and those of the library that are items or expressions.
//! 3. `item_index` finds functions, structs and constants of all files by their paths; `type_resolution` gives
//!    written types their meaning.
//! 4. `context` monomorphizes: each function is an instance for each list of generic arguments that it is
//!    called with; `generic_inference` finds these from the types of arguments.
//! 5. `body` desugars an instance into the imperative syntax: a slice becomes a pointer and a length, an iterator
//!    the loop that it is, a closure its body in the place of its call. Types that the text leaves open are
//!    inferred on the way.
//! 6. `program` links the units and lowers each function with a loop to one NestTree.
//!
//! What is not understood is a rejection in the tree of the function that it concerns. What is there for tests
//! alone, under `#[cfg(test)]` or `#[test]`, is not read.
//!
//! # Where a new construct goes
//!
//! A new expression is an arm in `body/expressions` and a function in the room of its kind (`body/control`,
//! `body/values`, `body/calls`); a method of the library an arm in the file of its receiver in `body/library`, an
//! iterator adapter one in `body/iterators/adapters`. Its tree is shown by a kernel in `testdata/` or in `tests`.

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
use premiss_incremental::{FileOutcome, TranslationUnit, read_on_own_stack};
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
/// Never fails. `each` gets what comes of each file, in order, with all files that were read.
pub fn read_linked(
    sources: &mut SourceMap,
    mains: &[(FileId, Options)],
    each: &mut dyn FnMut(&SourceMap, FileOutcome<TranslationUnit>),
) {
    let Some((main, options)) = mains.first() else {
        return;
    };
    let sources = &*sources;
    let list: Vec<FileId> = mains.iter().map(|(file, _)| *file).collect();
    let read = |each: &mut dyn FnMut(FileOutcome<TranslationUnit>)| {
        program::read(sources, &list, options, each);
    };
    read_on_own_stack(*main, mains.len(), read, &mut |outcome| {
        each(sources, outcome)
    });
}
