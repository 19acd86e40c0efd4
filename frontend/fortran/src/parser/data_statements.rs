//! `DATA` statements.

use super::cursor::{Cursor, ParseResult};
use super::expressions;
use crate::syntax::{DataSet, Expr, ExprKind, SpecificationKind as Spec};

/// `DATA A, B /1.0, 2*3.0/, C /4/`
pub(super) fn data_statement(cursor: &mut Cursor) -> ParseResult<Spec> {
    let mut sets = Vec::new();
    while !cursor.is_at_end() {
        let objects = cursor.list(|c| match c.is_mark("(") {
            true => expressions::constant(c),
            false => expressions::designator(c),
        })?;
        cursor.expect("/")?;
        let values = cursor.list(data_value)?;
        cursor.expect("/")?;
        cursor.eat(",");
        sets.push(DataSet { objects, values });
    }
    Ok(Spec::Data(sets))
}

fn data_value(cursor: &mut Cursor) -> ParseResult<(Option<Expr>, Expr)> {
    let first = data_constant(cursor)?;
    if !cursor.eat("*") {
        return Ok((None, first));
    }
    Ok((Some(first), data_constant(cursor)?))
}

/// A constant with its sign: the slash after it ends the list.
fn data_constant(cursor: &mut Cursor) -> ParseResult<Expr> {
    let start = cursor.here();
    cursor.eat("+");
    if !cursor.eat("-") {
        return expressions::constant(cursor);
    }
    let kind = match data_constant(cursor)?.kind {
        ExprKind::Integer(x, kind) => ExprKind::Integer(x.wrapping_neg(), kind),
        ExprKind::Real(x, double, kind) => ExprKind::Real(-x, double, kind),
        other => other,
    };
    Ok(Expr {
        at: cursor.since(start),
        kind,
    })
}
