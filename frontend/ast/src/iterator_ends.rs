//! Ends of the program that a variable leads to which the loop around them steps: whatever decides, they may be reached.
//!
//! ```text
//! while (lo < hi) {
//!     if (hi < m) exit(1);        may be reached, though `hi` is not the iterator of the loop
//!     if (x[lo] < 0) exit(1);     a check of data
//!     lo++;
//!     hi--;
//! }
//! ```

use crate::induction_step::induction_step;
use crate::returns_behind_loops::{end_by_iterator, is_plain, is_straight_end};
use crate::syntax::{Expression, ExpressionKind, Name, Statement, StatementKind};
use crate::syntax_facts::SyntaxFacts;
use crate::visit::{children, children_mut};
use std::collections::BTreeSet;

/// Marks such ends in a function's body.
pub(crate) fn with_iterator_ends(mut body: Statement) -> Statement {
    in_statement(&mut body, &BTreeSet::new());
    body
}

fn in_statement(statement: &mut Statement, around: &BTreeSet<Name>) {
    let mut stepped = around.clone();
    let is_loop = match &statement.kind {
        StatementKind::For(head) => {
            head.step.iter().for_each(|step| steps(step, &mut stepped));
            true
        }
        StatementKind::While { .. } | StatementKind::DoWhile { .. } => true,
        _ => false,
    };
    if is_loop {
        stepped_within(statement, &mut stepped);
    }
    if let StatementKind::If {
        condition, then, ..
    } = &mut statement.kind
        && is_straight_end(then)
        && is_plain(condition)
    {
        let used = SyntaxFacts::of_expression(condition).mentioned;
        if used.intersection(&stepped).next().is_some() {
            end_by_iterator(then);
        }
    }
    for child in children_mut(statement) {
        in_statement(child, &stepped);
    }
}

/// Adds the variables that statements step.
fn stepped_within(statement: &Statement, names: &mut BTreeSet<Name>) {
    if let StatementKind::Expression(step) = &statement.kind {
        steps(step, names);
    }
    for child in children(statement) {
        stepped_within(child, names);
    }
}

/// Adds the variables that an expression steps.
fn steps(expression: &Expression, names: &mut BTreeSet<Name>) {
    match &expression.kind {
        ExpressionKind::Comma(a, b) => {
            steps(a, names);
            steps(b, names);
        }
        _ => names.extend(induction_step(expression).map(|(name, ..)| name.clone())),
    }
}
