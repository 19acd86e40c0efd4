//! Input and output: items that are written are loaded, items that are read are stored to.

use crate::build;
use crate::names::FortranType;
use crate::names::types::LOGICAL;
use crate::syntax::{Expr, ExprKind, ImpliedDo, LoopCounter, TransferDirection};
use crate::translate::arrays::{element_loops, elements, unknown_stores};
use crate::translate::context::Translator;
use crate::translate::statements::do_loops;
use premiss_ast::syntax::{Statement, TextRange};

/// An input or output statement: loads what is written, and stores to what is read.
pub(crate) fn transfer(
    ctx: &mut Translator,
    items: &[(TransferDirection, Expr)],
    at: TextRange,
) -> Statement {
    let mut list = Vec::new();
    for (direction, item) in items {
        match direction {
            TransferDirection::GroupIn => {
                list.push(transfer_group(ctx, TransferDirection::In, item));
            }
            TransferDirection::GroupOut => {
                list.push(transfer_group(ctx, TransferDirection::Out, item));
            }
            _ => list.extend(transfer_item(ctx, *direction, item)),
        }
    }
    build::block(at, list)
}

/// The variables of a `NAMELIST` group: whether each is read depends on the input, which is data.
fn transfer_group(ctx: &mut Translator, direction: TransferDirection, name: &Expr) -> Statement {
    let group = name.as_name().and_then(|key| ctx.env.scope.group(key));
    let mut list = Vec::new();
    for key in group.iter().flat_map(|group| group.iter()) {
        let item = Expr {
            at: name.at,
            kind: ExprKind::Name(key.clone()),
        };
        let Some(one) = transfer_item(ctx, direction, &item) else {
            continue;
        };
        list.push(match direction {
            TransferDirection::In => possibly(one),
            _ => one,
        });
    }
    build::block(name.at, list)
}

/// The items of an implied DO.
fn transfer_implied_do(
    ctx: &mut Translator,
    direction: TransferDirection,
    inner: &ImpliedDo,
    at: TextRange,
) -> Statement {
    let body = inner.items.iter();
    let body = body.filter_map(|item| transfer_item(ctx, direction, item));
    let body = build::block(at, body.collect());
    let counter = LoopCounter {
        variable: Expr {
            at,
            kind: ExprKind::Name(inner.variable.clone()),
        },
        first: inner.first.clone(),
        last: inner.last.clone(),
        step: inner.step.clone(),
    };
    do_loops::do_loop(ctx, &counter, at, body, &[])
}

/// An item that is read or written, whole arrays element by element.
fn transfer_item(
    ctx: &mut Translator,
    direction: TransferDirection,
    item: &Expr,
) -> Option<Statement> {
    if let ExprKind::ImpliedDo(inner) = &item.kind {
        return Some(transfer_implied_do(ctx, direction, inner, item.at));
    }
    // The values of texts are not tracked, those of single characters are.
    if matches!(ctx.env.type_of(item), FortranType::Character(length) if length != Some(1)) {
        return None;
    }
    match direction {
        TransferDirection::In | TransferDirection::GroupIn => {
            unknown_stores::store_unknown(ctx, item)
        }
        TransferDirection::Out | TransferDirection::GroupOut => match ctx.env.rank_of(item) {
            0 => {
                let value = ctx.expression(item);
                Some(build::evaluate(value))
            }
            rank => {
                let names = element_loops::position_names(ctx, rank);
                let value = elements::element_of(ctx, item, &names)?;
                element_loops::over_elements(ctx, item, &names, build::evaluate(value), item.at)
            }
        },
    }
}

/// A statement that is possibly executed: the condition is data.
fn possibly(one: Statement) -> Statement {
    let at = one.at;
    build::branch(
        at,
        build::opaque_value(at, LOGICAL.name(), Vec::new()),
        one,
        None,
    )
}
