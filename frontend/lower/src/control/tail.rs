//! Tail positions: the constructs that end where a statement ends, which determine whether a jump is structured.

use crate::syntax::{Name, Statement, StatementKind};
use premiss_ast::visit::{breaks, continues, is_run_once};

/// The constructs that end where a statement ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tail<'s> {
    /// The body of the innermost loop.
    pub(crate) of_loop: bool,
    /// The body of the function.
    pub(crate) of_function: bool,
    /// Whether a `return` leaves that construct.
    pub(crate) returns: bool,
    /// The statement that follows, with its labels.
    pub(crate) label: Option<&'s Statement>,
}

impl Tail<'_> {
    pub(crate) const NONE: Self = Self {
        of_loop: false,
        of_function: false,
        returns: false,
        label: None,
    };
    pub(crate) const LOOP: Self = Self {
        of_loop: true,
        of_function: false,
        returns: true,
        label: None,
    };
    pub(crate) const FUNCTION: Self = Self {
        of_loop: false,
        of_function: true,
        returns: true,
        label: None,
    };

    /// The tail within `do … while (0)`, whose jumps do not belong to the loop.
    pub(crate) fn in_block(self) -> Self {
        Self {
            of_loop: false,
            ..self
        }
    }
}

/// Whether a statement always ends in a jump that is structured in this tail.
pub(crate) fn always_jumps(statement: &Statement, tail: Tail) -> bool {
    match &statement.kind {
        StatementKind::Continue | StatementKind::Break => tail.of_loop,
        StatementKind::Return(_) | StatementKind::Stop(_) => tail.returns,
        StatementKind::Goto(Some(label)) => tail.label.is_some_and(|s| has_label(s, label)),
        StatementKind::Block(list) => list.last().is_some_and(|last| always_jumps(last, tail)),
        StatementKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => always_jumps(then, tail) && always_jumps(otherwise, tail),
        StatementKind::DoWhile { body, .. } => {
            is_run_once(statement) && !leads_to_end(body) && always_jumps(body, tail.in_block())
        }
        _ => false,
    }
}

/// Whether a jump in the body of a `do … while (0)` leads to its end.
pub(crate) fn leads_to_end(body: &Statement) -> bool {
    breaks(body) || continues(body)
}

/// Whether a statement has this label.
pub(crate) fn has_label(statement: &Statement, label: &Name) -> bool {
    match &statement.kind {
        StatementKind::Label(own, inner) => own == label || has_label(inner, label),
        _ => false,
    }
}

/// A statement without its labels.
pub(crate) fn strip_labels(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Label(_, inner) => strip_labels(inner),
        _ => statement,
    }
}

/// The only statement of a block, or the statement itself.
pub(crate) fn single_statement(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Block(list) if list.len() == 1 => single_statement(&list[0]),
        _ => statement,
    }
}
