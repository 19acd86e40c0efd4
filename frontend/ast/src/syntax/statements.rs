//! Statements.

use super::{At, Declaration, Expression, Name};
use premiss_tree::RejectReason;

/// A statement.
#[derive(Debug, Clone, Hash)]
pub struct Statement {
    /// Where it stands.
    pub at: At,
    /// What it does.
    pub kind: StatementKind,
}

/// What a statement does.
#[derive(Debug, Clone, Hash)]
pub enum StatementKind {
    /// Statements in a scope of their own.
    Block(Vec<Statement>),
    /// Declarations.
    Declarations(Vec<Declaration>),
    /// An expression whose value is not used.
    Expression(Expression),
    /// A choice.
    If {
        /// Which arm is taken: the first where it is not 0.
        condition: Expression,
        /// The first arm.
        then: Box<Statement>,
        /// The second arm.
        otherwise: Option<Box<Statement>>,
    },
    /// A `for` statement.
    For(Box<For>),
    /// A loop that tests before each iteration.
    While {
        /// Whether there is another iteration.
        condition: Expression,
        /// What an iteration does.
        body: Box<Statement>,
    },
    /// A loop that tests after each iteration.
    DoWhile {
        /// What an iteration does.
        body: Box<Statement>,
        /// Whether there is another iteration.
        condition: Expression,
    },
    /// A jump to one of several places of a statement.
    Switch {
        /// What decides where to.
        value: Expression,
        /// The statement.
        body: Box<Statement>,
    },
    /// `case` or `default`, with the statement that follows.
    Case(Option<Expression>, Box<Statement>),
    /// A label, with the statement that follows.
    Label(Name, Box<Statement>),
    /// The end of the function, with its result.
    Return(Option<Expression>),
    /// The end of the innermost loop or `switch`.
    Break,
    /// The end of an iteration of the innermost loop.
    Continue,
    /// To a label; `None` where the program computes where to.
    Goto(Option<Name>),
    /// Nothing.
    Empty,
    /// A statement that could not be read.
    Error(RejectReason),
}

/// A `for` statement.
#[derive(Debug, Clone, Hash)]
pub struct For {
    /// The keyword and what stands in the parentheses.
    pub header: At,
    /// What is done before the first iteration.
    pub initial: Statement,
    /// Whether there is another iteration; always where there is none.
    pub condition: Option<Expression>,
    /// What is done after each iteration.
    pub step: Option<Expression>,
    /// What an iteration does.
    pub body: Statement,
}
