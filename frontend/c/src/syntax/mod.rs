//! C syntax: from preprocessed text to a tree of statements and expressions.
//!
//! The parser keeps the table of typedef names that C's grammar needs, so `(a) - b * c` and
//! `T * x;` mean what a compiler takes them to mean. A statement that cannot be read becomes a
//! [`StatementKind::Error`]; what surrounds it is kept.

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

pub(crate) use parser::{Scope, SyntaxError};
pub(crate) use premiss_ast::Names;
pub(crate) use premiss_ast::syntax::*;
pub(crate) use translation_unit::{Parse, parse};
