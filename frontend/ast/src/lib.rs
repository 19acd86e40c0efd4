//! The common syntax tree that C, Fortran and Rust are translated to, and analyses that need nothing but this tree.
//!
//! [`syntax`] is C's abstract syntax with typedef names resolved: a Fortran array is a pointer with its bounds, a Rust
//! slice a pointer with its length. A front end builds one [`syntax::Unit`] per file. Every node has a
//! [`TextRange`](syntax::TextRange), its place in the unit's preprocessed text, and an [`OriginMap`] maps such places
//! to the source files.
//!
//! The analyses here need neither types nor other files: which names a function changes and calls ([`SyntaxFacts`]),
//! which loops its backward jumps form ([`structured_loops`]), the layout of structs ([`layout`]), and the effects
//! stated for functions without a body ([`FunctionTable`]). Symbols are resolved in `premiss-link`; values and calls
//! are interpreted in `premiss-lower`.
//!
//! # Why one syntax for three languages
//!
//! What an integer is at some place, what a pointer points to, what a call does, which jumps end a loop: these
//! questions are the same in every language, and answering them is most of the work of a front end. Three
//! implementations would differ somewhere. So each language is translated to one syntax first, and its front end
//! contains only what is specific to the language: Fortran's column-major arrays become row-major ones with reversed
//! subscripts, its dummy arguments values or references, its COMMON blocks arrays of bytes; Rust's slices become
//! pointers with lengths, its iterators loops. The syntax can express what C cannot: a data-dependent value, minimum
//! and maximum, a reference to a variable of the caller, and how parts of objects are written.

mod effects;
mod embedded_steps;
mod exits_as_conditions;
mod geometric_step;
mod induction_step;
mod iterator_ends;
mod latch_normalization;
pub mod layout;
mod loop_recovery;
mod names;
mod origins;
mod program_ends;
mod returns_behind_loops;
pub mod syntax;
mod syntax_facts;
#[cfg(test)]
mod test_syntax;
mod undeclared_types;
pub mod visit;

pub use effects::{
    FunctionEffect, FunctionTable, ResultKind, is_error_handler, is_matrix_function,
};
pub use exits_as_conditions::leaving_condition;
pub use geometric_step::{GeometricStep, geometric_step};
pub use induction_step::{InductionStep, constant_step, induction_step, variable_name};
pub use loop_recovery::structured_loops;
pub use names::Names;
pub use origins::{OriginMap, Run};
pub use program_ends::{always_ends_program, is_program_end, with_program_ends};
pub use syntax_facts::{AccessStep, NameUses, PartLoad, SyntaxFacts};
pub use undeclared_types::type_of_name;
