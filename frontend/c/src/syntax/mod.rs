//! C syntax: parses preprocessed text to a tree of statements and expressions.
//!
//! The parser keeps the table of typedef names that C's grammar needs, so `(a) - b * c` and `T * x;` have the same
//! meaning as for a compiler. A statement that cannot be parsed becomes a [`StatementKind::Error`]; the surrounding
//! ones are kept.

mod attributes;
mod declarations;
mod declarators;
mod expressions;
mod keywords;
mod literals;
mod packing;
mod parser;
mod records;
mod recursion;
mod specifier_set;
mod specifiers;
mod statements;
mod token;
mod translation_unit;
mod unknown_macros;

pub(crate) use parser::{Scope, SyntaxError};
pub(crate) use premiss_ast::Names;
pub(crate) use premiss_ast::syntax::*;
pub(crate) use translation_unit::{Parse, parse};
