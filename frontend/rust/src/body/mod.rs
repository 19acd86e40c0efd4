//! Desugars the body of a function to the common syntax.
//!
//! [`lower`] takes a function of the program with its generic arguments (a monomorphic instance) and returns a
//! function of the common syntax. [`context::Body`] is the state; each pass is a module:
//!
//! | module | translates |
//! | --- | --- |
//! | `function` | a signature and a block into a function |
//! | `expressions` | an expression into a value, by its kind |
//! | `values` | literals, fields, subscripts, patterns, operators and assignments into places and expressions |
//! | `control` | blocks, branches, loops and jumps into statements |
//! | `iterators` | chains of adapters into the loops that consume them |
//! | `calls` | calls of functions, closures, methods and macros into calls, or their bodies |
//! | `library` | methods and functions of `std` and `ndarray` into loops and operations |
//! | `inlined_copies` | calls that are inlined into copies of texts |
//! | `inference` | types that the text leaves open into those determined by the rest of the function |
//!
//! A new construct of the language is an arm in `expressions` and a function in the module of its kind; a new library
//! method is an arm in the file of its receiver in `library`.

mod calls;
mod context;
mod control;
mod expressions;
mod function;
mod inference;
mod inlined_copies;
mod iterators;
mod library;
mod recursion;
mod values;

pub(crate) use function::{constant, lower};
