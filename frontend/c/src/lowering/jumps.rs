//! Jumps that are structure: a `continue` or `return` at the end of an arm.
//!
//! `if (c) continue; rest` is `if (!c) { rest }`, and `if (c) return; rest` likewise, where what
//! follows `rest` is the end of the loop's body, or of the function's.

use super::Level;
use crate::syntax::{Statement, StatementKind};

/// What the end of a statement is the end of, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tail {
    /// The body of the innermost loop.
    pub(super) of_loop: bool,
    /// The body of the function.
    pub(super) of_function: bool,
}

impl Tail {
    pub(super) const NONE: Self = Self {
        of_loop: false,
        of_function: false,
    };
    pub(super) const LOOP: Self = Self {
        of_loop: true,
        of_function: false,
    };
    pub(super) const FUNCTION: Self = Self {
        of_loop: false,
        of_function: true,
    };
}

/// Whether a statement surely ends in a jump that the tail makes structure.
pub(super) fn always_leaves(statement: &Statement, tail: Tail) -> bool {
    match &statement.kind {
        StatementKind::Continue => tail.of_loop,
        StatementKind::Return(_) => tail.of_function,
        StatementKind::Block(list) => list.last().is_some_and(|last| always_leaves(last, tail)),
        StatementKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => always_leaves(then, tail) && always_leaves(otherwise, tail),
        _ => false,
    }
}

/// A jump that is no structure where it stands: its keyword and what it spoils.
pub(super) fn escape_of(kind: &StatementKind) -> (&'static str, Level) {
    match kind {
        StatementKind::Break => ("break", Level::Loop),
        StatementKind::Continue => ("continue", Level::Loop),
        StatementKind::Goto => ("goto", Level::Function),
        _ => ("return", Level::Function),
    }
}
