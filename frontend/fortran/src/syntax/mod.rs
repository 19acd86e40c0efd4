//! Fortran's abstract syntax, as written: names are not looked up, and `a(i)` may be an element or a call.

mod expression;
mod specification;
mod statement;

pub(crate) use expression::*;
pub(crate) use specification::*;
pub(crate) use statement::*;

use premiss_imperative::Names;
use premiss_imperative::syntax::At;
use premiss_tree::RejectReason;
use std::sync::Arc;

/// A name in lower case: Fortran does not tell upper case from lower case.
pub(crate) type Key = Arc<str>;

/// A name where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Ident {
    pub(crate) key: Key,
    pub(crate) at: At,
}

/// A file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) units: Vec<ProgramUnit>,
    pub(crate) errors: Vec<(RejectReason, At)>,
    /// All words in it that are no numbers or texts, keywords among them.
    pub(crate) names: Names,
}

/// What a program unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
