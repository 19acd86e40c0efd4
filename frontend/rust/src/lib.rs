//! The Rust front end: lowers Rust files to `NestTree`s.
//!
//! # The stages
//!
//! ```text
//! text ──parse──▶ items ──macro_expansion──▶ items ──item_index──▶ Index ──body──▶ Unit ──▶ NestTrees
//!                 (syn)   (macro_rules!, vec!, …)    (names)       (per instance)  (imperative syntax)
//! ```
//!
//! 1. `parse` parses a file with `syn`; malformed items are syntax errors, and the other items are kept.
//! 2. `macro_expansion` expands the macros of the program and those of the library that are items or expressions.
//! 3. `item_index` finds functions, structs and constants of all files by their paths; `type_resolution` resolves
//!    types as written, `imports` which of several a file means, and `implementations` what a type has by its `impl`s
//!    and traits.
//! 4. `context` monomorphizes: each function has one instance for each list of generic arguments that it is called
//!    with; `generic_inference` infers these from the types of arguments, and `assumed_types` says what they are where
//!    nothing calls it.
//! 5. `body` desugars an instance to the common syntax: a slice becomes a pointer and a length, an iterator a loop, a
//!    call of a closure its body. Types that the text leaves open are inferred in the process.
//! 6. `program` links the units and lowers each function with a loop to one `NestTree`.
//!
//! What is not understood is a rejection in the tree of the function that contains it. `loop_accounting` compares the loops of
//! the text (`text_loops`) with those that were emitted: a loop that no body reaches becomes a nest of which nothing is
//! known, or a note if it never runs; `missing_text` names files and macros that were not read. Code for tests, under
//! `#[cfg(test)]` or `#[test]`, is skipped.
//!
//! # How to add a construct
//!
//! A new expression is an arm in `body/expressions` and a function in the module of its kind (`body/control`,
//! `body/values`, `body/calls`); a library method is an arm in the file of its receiver in `body/library`, an iterator
//! adapter one in `body/iterators/adapters`. A kernel in `testdata/` or in `tests` shows its tree.

mod assumed_types;
mod ast_builder;
mod body;
mod context;
mod declarative_macros;
mod enumerations;
mod free_names;
mod generic_inference;
mod implementations;
mod imports;
mod inherent_methods;
mod item_index;
mod loop_accounting;
mod macro_expansion;
mod missing_text;
mod modules;
mod parse;
mod positions;
mod program;
#[cfg(test)]
mod tests;
mod text_loops;
mod type_resolution;
mod type_shapes;
mod types;
mod value;
mod visible_items;

pub use modules::add_module_files;

use premiss_ast::FunctionTable;
use premiss_incremental::{FileOutcome, TranslationUnit, read_on_own_stack};
use premiss_source::{FileId, Files, SourceMap};
use std::collections::{BTreeMap, BTreeSet};

/// How to read a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Values for constants and sizes of functions, by name.
    pub sizes: BTreeMap<String, i64>,
    /// Names of constants and sizes of functions that stay sizes without a value, regardless of their values in the
    /// program.
    pub symbolic: BTreeSet<String>,
    /// Whether floating-point and complex numbers that depend on data are assumed to be no NaN and to differ from all
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether trees are built without operations, for analyses that only need loop nests.
    pub without_operations: bool,
    /// The types of generic parameters that no call determines, by the name of the parameter, `T`, or with that of its
    /// function, `scale::T`.
    pub types: BTreeMap<String, String>,
    /// The effects that the user states for functions; they take precedence over definitions.
    pub functions: FunctionTable,
}

/// Whether a text is a type as Rust writes it.
///
/// ```
/// assert!(premiss_rust::is_type("[f32; 3]") && !premiss_rust::is_type("f32,"));
/// ```
#[must_use]
pub fn is_type(text: &str) -> bool {
    syn::parse_str::<syn::Type>(text).is_ok()
}

/// Reads Rust files that form one program, each with its own options; sizes and stated functions are those of the
/// first file's options. Modules in other files are read if these are among `mains`: [`add_module_files`] finds them.
/// `files` tells whether there is a file for a module that is not.
///
/// Never fails: problems are diagnostics and rejections. `each` is called once per file of `mains`, in order, with the
/// outcome and all texts that were read.
pub fn read_linked(
    sources: &mut SourceMap,
    mains: &[(FileId, Options)],
    files: &dyn Files,
    each: &mut dyn FnMut(&SourceMap, FileOutcome<TranslationUnit>),
) {
    let Some((main, options)) = mains.first() else {
        return;
    };
    let sources = &*sources;
    let list: Vec<FileId> = mains.iter().map(|(file, _)| *file).collect();
    let others = modules::other_module_files(files, sources, &list);
    let read = |each: &mut dyn FnMut(FileOutcome<TranslationUnit>)| {
        program::read(sources, &list, options, &others, each);
    };
    read_on_own_stack(*main, mains.len(), read, &mut |outcome| {
        each(sources, outcome);
    });
}
