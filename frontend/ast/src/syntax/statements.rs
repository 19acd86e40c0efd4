//! Statements.

use super::{Declaration, Expression, Name, TextRange};
use premiss_tree::RejectReason;

/// A statement.
#[derive(Debug, Clone, Hash)]
pub struct Statement {
    /// Its text.
    pub at: TextRange,
    /// Its form.
    pub kind: StatementKind,
}

/// The forms of statements, after C11 6.8.
#[derive(Debug, Clone, Hash)]
pub enum StatementKind {
    /// A compound statement with its own scope.
    Block(Vec<Statement>),
    /// Declarations.
    Declarations(Vec<Declaration>),
    /// An expression statement; its value is discarded.
    Expression(Expression),
    /// An `if` statement.
    If {
        /// The condition; `then` is executed where it is not 0.
        condition: Expression,
        /// The arm for a condition other than 0.
        then: Box<Statement>,
        /// The `else` arm.
        otherwise: Option<Box<Statement>>,
    },
    /// A `for` statement.
    For(Box<For>),
    /// A `while` loop.
    While {
        /// Tested before each iteration.
        condition: Expression,
        /// The loop body.
        body: Box<Statement>,
    },
    /// A `do` loop.
    DoWhile {
        /// The loop body.
        body: Box<Statement>,
        /// Tested after each iteration.
        condition: Expression,
    },
    /// A `switch` statement.
    Switch {
        /// The controlling expression.
        value: Expression,
        /// The statement that contains the labels.
        body: Box<Statement>,
    },
    /// A `case` label with its value, or `default`, with the labelled statement.
    Case(Option<Expression>, Box<Statement>),
    /// A label with the labelled statement.
    Label(Name, Box<Statement>),
    /// Returns from the function, with its result.
    Return(Option<Expression>),
    /// Leaves the innermost loop or `switch`.
    Break,
    /// Ends the current iteration of the innermost loop.
    Continue,
    /// Jumps to a label; `None` for a computed `goto`.
    Goto(Option<Name>),
    /// Ends the program, as behind a call of `exit`.
    Stop(ProgramEnd),
    /// An empty statement.
    Empty,
    /// A statement that could not be parsed.
    Error(RejectReason),
}

/// What an end of the program stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProgramEnd {
    /// A check, which is assumed to pass where data decide.
    Check,
    /// What an iterator leads to: whatever decides, it may happen.
    Iterator,
}

/// A `for` statement.
#[derive(Debug, Clone, Hash)]
pub struct For {
    /// The keyword and the parenthesized header.
    pub header: TextRange,
    /// Executed before the first iteration.
    pub initial: Statement,
    /// Tested before each iteration; without a condition, the loop does not end by itself.
    pub condition: Option<Expression>,
    /// Evaluated after each iteration.
    pub step: Option<Expression>,
    /// The loop body.
    pub body: Statement,
}
