//! Executable statements.

use super::expression::{ActualArgument, Expr};
use super::names::NameKey;
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;

/// An executable statement or construct at a place.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) label: Option<u32>,
    pub(crate) at: TextRange,
    pub(crate) kind: StatementKind,
}

/// What an executable statement is.
#[derive(Debug)]
pub(crate) enum StatementKind {
    Assign(Expr, Expr),
    /// `p => a`
    PointTo(Expr, Expr),
    Call(Expr, Vec<ActualArgument>),
    /// Arms with their conditions; the last may have no condition.
    If(Vec<(Option<Expr>, Vec<Statement>)>),
    Do(Box<DoConstruct>),
    Select(Expr, Vec<CaseBlock>),
    /// `SELECT TYPE`: the blocks, one of which is executed.
    SelectType(Vec<Vec<Statement>>),
    Where(Vec<(Option<Expr>, Vec<Statement>)>),
    Forall(Box<ForallConstruct>),
    Cycle(Option<NameKey>),
    Exit(Option<NameKey>),
    Goto(u32),
    ComputedGoto(Vec<u32>, Expr),
    AssignedGoto,
    ArithmeticIf(Expr, [u32; 3]),
    Return,
    /// `RETURN 1`: returns to a label that the caller passes.
    AlternateReturn,
    /// The program ends.
    Stop,
    Continue,
    Allocate(Vec<Expr>, AllocateOptions),
    /// `DEALLOCATE`, or `NULLIFY`.
    Deallocate(Vec<Expr>, AllocateOptions),
    /// Input and output: the items that are read or written, in order.
    Transfer(Vec<(TransferDirection, Expr)>),
    Block(BlockConstruct),
    Associate(Option<NameKey>, Vec<(NameKey, Expr)>, Vec<Statement>),
    Entry,
    Error(Box<UnparsedStatement>),
}

/// A `BLOCK` construct.
#[derive(Debug)]
pub(crate) struct BlockConstruct {
    pub(crate) name: Option<NameKey>,
    /// The names that it declares.
    pub(crate) declared: Vec<NameKey>,
    pub(crate) body: Vec<Statement>,
}

/// A statement that could not be parsed. It may change every variable that it mentions.
#[derive(Debug)]
pub(crate) struct UnparsedStatement {
    pub(crate) reason: RejectReason,
    /// The words in it.
    pub(crate) names: Vec<NameKey>,
    /// The block that it opens, if its first words say that it opens one. What it means depends on the statement.
    pub(crate) body: Vec<Statement>,
}

/// The options after the objects of `ALLOCATE` and `DEALLOCATE`.
#[derive(Debug, Default)]
pub(crate) struct AllocateOptions {
    /// `STAT=` and `ERRMSG=`: the variables that the statement stores to.
    pub(crate) reports: Vec<Expr>,
    /// `SOURCE=` or `MOLD=`: the shape of objects without bounds, and with `SOURCE=` their values.
    pub(crate) source: Option<(AllocationSource, Expr)>,
}

/// What an allocated object takes from another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AllocationSource {
    /// `SOURCE=`
    Source,
    /// `MOLD=`
    Mold,
}

/// What input and output do with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransferDirection {
    /// The statement stores there.
    In,
    /// The statement loads it.
    Out,
    /// The name of a `NAMELIST` group whose variables the statement stores to.
    GroupIn,
    /// The name of a `NAMELIST` group whose variables the statement loads.
    GroupOut,
}

/// A block of `SELECT CASE` with its values.
#[derive(Debug)]
pub(crate) struct CaseBlock {
    /// Empty for the default.
    pub(crate) ranges: Vec<CaseRange>,
    pub(crate) body: Vec<Statement>,
}

/// A value or range of values of `CASE`.
#[derive(Debug)]
pub(crate) enum CaseRange {
    Value(Expr),
    /// A range with at least one bound.
    Range(Option<Expr>, Option<Expr>),
    /// Values that could not be parsed.
    Unparsed(Expr),
}

/// A `DO` construct.
#[derive(Debug)]
pub(crate) struct DoConstruct {
    pub(crate) name: Option<NameKey>,
    /// The statement that opens it.
    pub(crate) header: TextRange,
    pub(crate) control: LoopControl,
    pub(crate) body: Vec<Statement>,
}

/// The loop control of a `DO` construct.
#[derive(Debug)]
pub(crate) enum LoopControl {
    Counted(LoopCounter),
    While(Expr),
    Forever,
    Concurrent(Vec<LoopCounter>, Option<Expr>),
}

/// A DO variable with its bounds and step.
#[derive(Debug)]
pub(crate) struct LoopCounter {
    pub(crate) variable: Expr,
    pub(crate) first: Expr,
    pub(crate) last: Expr,
    pub(crate) step: Option<Expr>,
}

/// A `FORALL` construct or statement.
#[derive(Debug)]
pub(crate) struct ForallConstruct {
    pub(crate) counters: Vec<LoopCounter>,
    pub(crate) mask: Option<Expr>,
    pub(crate) body: Vec<Statement>,
}
