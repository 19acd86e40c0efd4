//! `IF`, `SELECT CASE` and `SELECT TYPE` constructs.

use crate::build;
use crate::names::FortranType;
use crate::names::types::LOGICAL;
use crate::syntax::{CaseBlock, CaseRange, Expr, Statement as FortranStatement};
use crate::translate::context::Translator;
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind, Name, Statement, StatementKind};

pub(crate) fn if_construct(
    ctx: &mut Translator,
    arms: &[(Option<Expr>, Vec<FortranStatement>)],
    at: At,
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
            Some(Box::new(if_construct(ctx, rest, At { start, ..at })))
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

/// Blocks of which only running the program tells which one is executed.
pub(crate) fn select_type(
    ctx: &mut Translator,
    arms: &[Vec<FortranStatement>],
    at: At,
) -> Statement {
    let mut whole = build::empty(at);
    for body in arms.iter().rev() {
        let then = ctx.body(body, at);
        whole = build::branch(
            at,
            build::computed(at, LOGICAL.name(), Vec::new()),
            then,
            Some(whole),
        );
    }
    whole
}

pub(crate) fn select_case(
    ctx: &mut Translator,
    value: &Expr,
    cases: &[CaseBlock],
    at: At,
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

fn case_condition(
    ctx: &mut Translator,
    selected: &Name,
    kind: &FortranType,
    ranges: &[CaseRange],
    at: At,
) -> Expression {
    let unknown = || build::computed(at, LOGICAL.name(), Vec::new());
    if !kind.is_counted() {
        return unknown();
    }
    let compare = |op, a, b| build::operation(at, op, a, b);
    let own = || build::name(at, selected);
    let mut whole: Option<Expression> = None;
    for range in ranges {
        let one = match range {
            CaseRange::Value(value) => match (kind, ctx.env.type_of(value)) {
                (FortranType::Character(_), FortranType::Character(Some(1)))
                | (FortranType::Integer(_), FortranType::Integer(_))
                | (FortranType::Logical(_), FortranType::Logical(_)) => {
                    compare(Binary::Equal, own(), ctx.expression(value))
                }
                _ => unknown(),
            },
            CaseRange::Range(first, last) => {
                let mut bounds = Vec::new();
                if let Some(first) = first {
                    bounds.push(compare(Binary::GreaterEqual, own(), ctx.expression(first)));
                }
                if let Some(last) = last {
                    bounds.push(compare(Binary::LessEqual, own(), ctx.expression(last)));
                }
                let both = bounds.into_iter().reduce(|a, b| {
                    Expression::new(at, ExpressionKind::And(Box::new(a), Box::new(b)))
                });
                both.unwrap_or_else(unknown)
            }
        };
        whole = Some(match whole {
            None => one,
            Some(before) => {
                Expression::new(at, ExpressionKind::Or(Box::new(before), Box::new(one)))
            }
        });
    }
    whole.unwrap_or_else(unknown)
}
