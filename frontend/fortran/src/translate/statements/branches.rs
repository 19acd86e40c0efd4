//! `IF`, `SELECT CASE` and `SELECT TYPE` constructs.

use crate::build;
use crate::names::FortranType;
use crate::names::types::LOGICAL;
use crate::syntax::{CaseBlock, CaseRange, Expr, Statement as FortranStatement};
use crate::translate::context::Translator;
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind, Name, Statement, StatementKind, TextRange,
};

/// An `IF` construct with its arms.
pub(crate) fn if_construct(
    ctx: &mut Translator,
    arms: &[(Option<Expr>, Vec<FortranStatement>)],
    at: TextRange,
) -> Statement {
    let Some(((condition, body), rest)) = arms.split_first() else {
        return build::empty(at);
    };
    let then = ctx.body(body, at);
    let Some(condition) = condition else {
        return then;
    };
    let condition = ctx.expression(condition);
    let otherwise = match rest {
        [] => None,
        rest => {
            let start = then.at.end.min(at.end);
            Some(Box::new(if_construct(ctx, rest, TextRange { start, ..at })))
        }
    };
    build::statement(
        at,
        StatementKind::If {
            condition,
            then: Box::new(then),
            otherwise,
        },
    )
}

/// `SELECT TYPE`: data decide which of the blocks is executed.
pub(crate) fn select_type(
    ctx: &mut Translator,
    arms: &[Vec<FortranStatement>],
    at: TextRange,
) -> Statement {
    let mut whole = build::empty(at);
    for body in arms.iter().rev() {
        let then = ctx.body(body, at);
        whole = build::branch(
            at,
            build::opaque_value(at, LOGICAL.name(), Vec::new()),
            then,
            Some(whole),
        );
    }
    whole
}

/// `SELECT CASE`: the value is evaluated once and compared with the ranges of each case.
pub(crate) fn select_case(
    ctx: &mut Translator,
    value: &Expr,
    cases: &[CaseBlock],
    at: TextRange,
) -> Statement {
    let kind = ctx.env.type_of(value);
    let selected = ctx.fresh_name("selected");
    let first = ctx.expression(value);
    let declared = build::constant(value.at, &selected, kind.name(), first);
    let mut otherwise = build::empty(at);
    if let Some(default) = cases.iter().find(|case| case.ranges.is_empty()) {
        otherwise = ctx.body(&default.body, at);
    }
    let mut chain = otherwise;
    for case in cases.iter().rev().filter(|case| !case.ranges.is_empty()) {
        let condition = case_condition(ctx, &selected, &kind, &case.ranges, value.at);
        let then = ctx.body(&case.body, at);
        chain = build::branch(at, condition, then, Some(chain));
    }
    build::block(at, vec![declared, chain])
}

/// Whether the selected value is in one of the ranges of a case.
fn case_condition(
    ctx: &mut Translator,
    selected: &Name,
    kind: &FortranType,
    ranges: &[CaseRange],
    at: TextRange,
) -> Expression {
    let unknown = || build::opaque_value(at, LOGICAL.name(), Vec::new());
    if !kind.is_counted() {
        return unknown();
    }
    let ranges = ranges.iter();
    let conditions = ranges.map(|range| {
        let condition = range_condition(ctx, selected, kind, range, at);
        condition.unwrap_or_else(unknown)
    });
    let any =
        conditions.reduce(|a, b| Expression::new(at, ExpressionKind::Or(Box::new(a), Box::new(b))));
    any.unwrap_or_else(unknown)
}

/// Whether the selected value is in a range; `None` if it depends on data.
fn range_condition(
    ctx: &mut Translator,
    selected: &Name,
    kind: &FortranType,
    range: &CaseRange,
    at: TextRange,
) -> Option<Expression> {
    let selected = || build::name(at, selected);
    match range {
        CaseRange::Value(value) => match (kind, ctx.env.type_of(value)) {
            (FortranType::Character(_), FortranType::Character(Some(1)))
            | (FortranType::Integer(_), FortranType::Integer(_))
            | (FortranType::Logical(_), FortranType::Logical(_)) => {
                let value = ctx.expression(value);
                Some(build::operation(at, Binary::Equal, selected(), value))
            }
            _ => None,
        },
        CaseRange::Unparsed(value) => Some(ctx.expression(value)),
        CaseRange::Range(first, last) => {
            let mut compare = |operator, bound: &Option<Expr>| {
                let bound = ctx.expression(bound.as_ref()?);
                Some(build::operation(at, operator, selected(), bound))
            };
            let lower = compare(Binary::GreaterEqual, first);
            let upper = compare(Binary::LessEqual, last);
            let bounds = lower.into_iter().chain(upper);
            bounds.reduce(|a, b| Expression::new(at, ExpressionKind::And(Box::new(a), Box::new(b))))
        }
    }
}
