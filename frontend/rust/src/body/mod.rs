//! The body of a function, desugared into the imperative syntax.
//!
//! [`lower`] takes a function of the program with the types that it is called for (a monomorphic instance), and
//! yields a function of the imperative syntax. [`context::Body`] is the state; each pass is a module:
//!
//! | room | turns |
//! | --- | --- |
//! | `function` | a signature and a block into a function |
//! | `expressions` | an expression into a value, by its kind |
//! | `values` | literals, fields, subscripts, patterns, operators and assignments into places and expressions |
//! | `control` | blocks, branches, loops and jumps into statements |
//! | `iterators` | chains of adapters into the loops that consume them |
//! | `calls` | calls of functions, closures, methods and macros into calls, or their bodies |
//! | `library` | methods and functions of `std` and `ndarray` into the loops and operations that they stand for |
//! | `inference` | types that the text leaves open into those that the rest of the function gives them |
//!
//! A new construct of the language is an arm in `expressions` and a function in the room of its kind; a new
//! method of the library an arm in the file of its receiver in `library`.

mod calls;
mod context;
mod control;
mod expressions;
mod function;
mod inference;
mod iterators;
mod library;
mod recursion;
mod values;

pub(crate) use function::{constant, lower};
