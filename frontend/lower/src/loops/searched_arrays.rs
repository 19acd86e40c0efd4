//! Loops whose condition reads an array at their iterator and does not compare it: the array's end limits them.
//!
//! ```text
//! int n[4];                              while (d < 4 && n[d] < 2) d++;
//! while (n[d] < 2) d++;
//! ```
//!
//! A program that is defined ends such a loop before its condition reads behind the array. What the condition accesses
//! before it reads the array would be accessed once more: it must access nothing.

use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::slot_type;
use crate::loops::exit_conditions::makes_no_access;
use crate::loops::loop_shape::{TestPosition, conjoin, loop_parts};
use crate::syntax::{
    Binary, Declaration, Expression as Syntax, ExpressionKind as Kind, Name, Notation, Statement,
    StatementKind,
};
use premiss_ast::{InductionStep, induction_step};
use premiss_link::Rewriting;
use premiss_tree::IntegerType;
use std::sync::Arc;

/// The same loop with the end of the array that its condition reads as a test of the iterator; `None` if the condition
/// reads no array of a constant length there.
pub(crate) fn with_end_of_array(
    ctx: &mut Lowering,
    statement: &Statement,
) -> Option<Arc<Statement>> {
    // In Fortran, an argument `x(1)` may have any length.
    if ctx.program.notation(ctx.unit()) == Notation::Fortran {
        return None;
    }
    let parts = loop_parts(statement)?;
    if parts.tested == TestPosition::After {
        return None;
    }
    let [step] = parts.steps[..] else {
        return None;
    };
    let (iterator, InductionStep::Constant(by)) = induction_step(step)? else {
        return None;
    };
    let mut conjuncts = Vec::new();
    conjoin(parts.condition?, &mut conjuncts);
    let reading = conjuncts
        .into_iter()
        .find(|conjunct| !makes_no_access(ctx, conjunct))?;
    if declares_another(statement, iterator) {
        // It may have the name of the array, which is looked up outside the header.
        return None;
    }
    let (length, plus) = array_read_at(ctx, reading, iterator)?;
    let (operator, bound) = match by {
        1.. => (Binary::Less, length.checked_sub(plus)?),
        _ => (Binary::GreaterEqual, plus.checked_neg()?),
    };
    let mut rewrite = || with_test(statement, iterator, operator, bound);
    let kind = Rewriting::WithinArray(bound);
    Some(ctx.program.rewrite_once(statement, kind, &mut rewrite))
}

/// Whether the header of a loop declares another variable than its iterator.
fn declares_another(statement: &Statement, iterator: &Name) -> bool {
    let StatementKind::For(head) = &statement.kind else {
        return false;
    };
    let is_iterator = |x: &Declaration| matches!(x, Declaration::Object(x) if x.name == *iterator);
    match &head.initial.kind {
        StatementKind::Declarations(list) => !list.iter().all(is_iterator),
        _ => false,
    }
}

/// The length of an array that evaluating an expression always reads at the iterator plus a constant, and the constant.
fn array_read_at(ctx: &mut Lowering, syntax: &Syntax, iterator: &Name) -> Option<(i64, i64)> {
    match &syntax.kind {
        Kind::Index(base, subscript) => {
            let plus = difference(subscript, iterator);
            let here = plus.and_then(|plus| Some((length_of(ctx, base)?, plus)));
            here.or_else(|| array_read_at(ctx, base, iterator))
                .or_else(|| array_read_at(ctx, subscript, iterator))
        }
        Kind::Unary(_, x) | Kind::Cast(_, x) | Kind::And(x, _) | Kind::Or(x, _) => {
            array_read_at(ctx, x, iterator)
        }
        Kind::Binary(_, a, b) => {
            array_read_at(ctx, a, iterator).or_else(|| array_read_at(ctx, b, iterator))
        }
        _ => None,
    }
}

/// The constant that a subscript adds to the iterator.
fn difference(subscript: &Syntax, iterator: &Name) -> Option<i64> {
    match &subscript.kind {
        Kind::Name(name) => (name == iterator).then_some(0),
        Kind::Binary(Binary::Add, a, b) => match (&a.kind, &b.kind) {
            (_, Kind::Integer(by, _)) => difference(a, iterator)?.checked_add(*by),
            (Kind::Integer(by, _), _) => difference(b, iterator)?.checked_add(*by),
            _ => None,
        },
        Kind::Binary(Binary::Subtract, a, b) => match &b.kind {
            Kind::Integer(by, _) => difference(a, iterator)?.checked_sub(*by),
            _ => None,
        },
        _ => None,
    }
}

/// The constant length of a declared array, or of a row of one.
fn length_of(ctx: &mut Lowering, array: &Syntax) -> Option<i64> {
    match array_type(ctx, array)? {
        Type::Array(_, Some(length)) => length.as_integer(),
        _ => None,
    }
}

fn array_type(ctx: &mut Lowering, array: &Syntax) -> Option<Type> {
    match &array.kind {
        Kind::Name(name) => ctx.lookup(name).map(|slot| slot_type(&slot)),
        Kind::Index(rows, _) => match array_type(ctx, rows)? {
            Type::Array(row, _) => Some((*row).clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The loop with a test in front of its condition.
fn with_test(statement: &Statement, iterator: &Name, operator: Binary, bound: i64) -> Statement {
    let mut statement = statement.clone();
    let condition = match &mut statement.kind {
        StatementKind::For(head) => head.condition.as_mut(),
        StatementKind::While { condition, .. } => Some(condition),
        _ => None,
    };
    if let Some(condition) = condition {
        let at = condition.at;
        let number = IntegerType {
            bits: 32,
            signed: true,
        };
        let [iterator, bound] = [Kind::Name(iterator.clone()), Kind::Integer(bound, number)]
            .map(|kind| Box::new(Syntax::new(at, kind)));
        let test = Syntax::new(at, Kind::Binary(operator, iterator, bound));
        let both = Kind::And(Box::new(test), Box::new(condition.clone()));
        *condition = Syntax::new(at, both);
    }
    statement
}
