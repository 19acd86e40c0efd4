//! Single statements, before constructs and program units are assembled.

use super::cursor::ParseFailure;
use crate::syntax::{
    CaseRange, Expr, Ident, LoopControl, LoopCounter, NameKey, ProcedureBinding,
    SpecificationKind as Spec, StatementKind as Exec, TypeSpec, UnitKind,
};
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;

/// A single statement with its label and place.
pub(super) struct ParsedStatement {
    pub(super) label: Option<u32>,
    /// The name of the construct that it opens.
    pub(super) name: Option<NameKey>,
    pub(super) at: TextRange,
    /// The words in it, if it could not be parsed.
    pub(super) names: Vec<NameKey>,
    /// A syntax error in its header, if the rest of it could be parsed.
    pub(super) failure: Option<ParseFailure>,
    pub(super) flat: Result<FlatStatement, ParseFailure>,
}

/// The forms of single statements, before blocks are assembled.
#[derive(Debug)]
pub(super) enum FlatStatement {
    Specification(Box<Spec>),
    /// An executable statement that does not open, divide or close a block.
    Executable(Exec),
    /// `a(i) = x`, which may define a statement function.
    Assignment(Expr, Expr),
    Unit(Box<UnitHeader>),
    Contains,
    /// `END`, with the keyword of the ended construct if there is one.
    End(Option<NameKey>),
    IfThen(Expr),
    ElseIf(Expr),
    Else,
    Do(Option<u32>, Box<LoopControl>),
    Select(Expr),
    SelectType,
    Case(Vec<CaseRange>),
    /// An arm of `SELECT TYPE`.
    TypeCase,
    Where(Expr),
    ElseWhere(Option<Expr>),
    Forall(Vec<LoopCounter>, Option<Expr>),
    Block,
    Associate(Vec<(NameKey, Expr)>),
    DerivedType(Ident, Option<NameKey>),
    /// `PROCEDURE :: name => target` in a derived type, or in an interface.
    Procedures(Vec<ProcedureBinding>),
    /// `GENERIC :: OPERATOR(+) => add, add_scalar`
    Generic(NameKey, Vec<NameKey>),
    /// A statement that could not be parsed and opens a block of unknown meaning.
    UnparsedBlock(UnparsedBlock),
    Interface(Option<NameKey>),
    Entry(Ident),
    /// A statement without effect.
    Nothing,
}

/// A header that could not be parsed, with the word that ends its block.
#[derive(Debug)]
pub(super) struct UnparsedBlock {
    pub(super) reason: RejectReason,
    pub(super) ended_by: &'static str,
}

/// The first statement of a program unit.
#[derive(Debug)]
pub(super) struct UnitHeader {
    pub(super) kind: UnitKind,
    pub(super) name: Ident,
    pub(super) dummies: Vec<Option<Ident>>,
    pub(super) result: Option<Ident>,
    pub(super) prefix: Option<TypeSpec>,
    pub(super) is_elemental: bool,
}

/// Whether a word may occur before or in the first statement of a procedure.
pub(super) fn is_procedure_word(word: &str) -> bool {
    matches!(
        word,
        "function" | "subroutine" | "pure" | "elemental" | "recursive" | "impure"
    ) || is_type_word(word)
}

/// Whether a word starts a type specification of an intrinsic type.
pub(super) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "integer"
            | "real"
            | "complex"
            | "logical"
            | "character"
            | "byte"
            | "double"
            | "doubleprecision"
            | "doublecomplex"
    )
}
