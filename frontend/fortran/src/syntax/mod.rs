//! Fortran's abstract syntax, as written: names are not looked up, and `a(i)` may be an element or a call.

mod expression;
mod specification;
mod statement;
pub(crate) mod visit;
mod words;

pub(crate) use expression::*;
pub(crate) use specification::*;
pub(crate) use statement::*;
pub(crate) use words::{WordSet, digest};

use premiss_ast::syntax::At;
use premiss_tree::RejectReason;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A name in lower case: Fortran does not tell upper case from lower case.
pub(crate) type NameKey = Arc<str>;

/// A name where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Ident {
    pub(crate) key: NameKey,
    pub(crate) at: At,
}

/// A file.
#[derive(Debug, Default)]
pub(crate) struct FortranFile {
    pub(crate) units: Vec<ProgramUnit>,
    pub(crate) errors: Vec<(RejectReason, At)>,
    pub(crate) words: WordSet,
}

/// What a program unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum UnitKind {
    Program,
    Module,
    BlockData,
    Function,
    Subroutine,
}

/// A main program, module, block of data, function or subroutine.
#[derive(Debug)]
pub(crate) struct ProgramUnit {
    pub(crate) kind: UnitKind,
    pub(crate) name: Ident,
    /// Its first statement.
    pub(crate) at: At,
    /// Its dummy arguments; `None` where a `*` stands for a label.
    pub(crate) dummies: Vec<Option<Ident>>,
    /// The variable that holds a function's result, where it is not the function's name.
    pub(crate) result: Option<Ident>,
    /// The type that stands before `FUNCTION`.
    pub(crate) prefix: Option<TypeSpec>,
    pub(crate) specifications: Vec<Specification>,
    pub(crate) body: Vec<Statement>,
    pub(crate) contained: Vec<ProgramUnit>,
    /// Other names by which it is entered.
    pub(crate) entries: Vec<Ident>,
}
