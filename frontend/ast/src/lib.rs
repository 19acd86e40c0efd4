//! The imperative syntax that C, Fortran and Rust are translated into, and what its text alone tells.
//!
//! [`syntax`] is C's abstract syntax with the typedef names resolved: a Fortran array is a pointer with its bounds, a
//! slice of Rust a pointer with its length. A front end builds one [`syntax::Unit`] of each file; every node says by an
//! [`At`](syntax::At) where in the unit's text it stands, and an [`OriginMap`] leads from there to the files as written.
//!
//! What needs no types and no other file is decided here: which names a function changes and calls ([`SyntaxFacts`]),
//! which loops its backward jumps are ([`structured_loops`]), where members of structs lie ([`layout`]), and what is
//! stated of functions that have no body ([`FunctionTable`]). There are no symbols, no values and no calls that are
//! followed: the first are `premiss-link`'s, the rest `premiss-lower`'s.
//!
//! # Why one syntax for three languages
//!
//! What an integer is at some place, what a pointer leads to, what a call does, which jumps end a loop: that is the same question in
//! every language, and most of the work of a front end. Three answers would differ somewhere. So a language is put into one syntax
//! first, and its own front end holds only what is its own: Fortran's column-major arrays are rows with their subscripts in reverse,
//! its dummy arguments values or references, its COMMON blocks arrays of bytes; Rust's slices are pointers with lengths, its
//! iterators the loops that they stand for. The syntax can say what C cannot: a value that is computed, the lesser of two, a
//! reference to a variable of the caller, how parts of objects are written.

mod effects;
mod induction_step;
mod latch_normalization;
pub mod layout;
mod loop_recovery;
mod names;
mod origins;
pub mod syntax;
mod syntax_facts;
pub mod visit;

pub use effects::{FunctionEffect, FunctionTable, ResultKind, is_handler, is_matrix_function};
pub use induction_step::{InductionStep, constant_step, induction_step, variable_name};
pub use loop_recovery::structured_loops;
pub use names::Names;
pub use origins::{OriginMap, Run};
pub use syntax_facts::{AccessStep, NameUses, PartLoad, SyntaxFacts};
