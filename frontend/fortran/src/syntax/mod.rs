//! Fortran's abstract syntax, as written: names are not looked up, and `a(i)` may be an element or a call.

mod expression;
mod file;
mod names;
mod specification;
mod statement;
pub(crate) mod visit;
mod words;

pub(crate) use expression::*;
pub(crate) use file::FortranFile;
pub(crate) use names::{Ident, NameKey};
pub(crate) use specification::*;
pub(crate) use statement::*;
pub(crate) use words::{WordSet, digest};
