//! Jumps: `GO TO`, computed `GO TO`, arithmetic `IF`, `RETURN`.

use crate::build;
use crate::syntax::Expr;
use crate::translate::calls::function_results;
use crate::translate::context::Translator;
use crate::translate::statements::constructs;
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind, Name, Statement, StatementKind, TextRange,
};

/// `GO TO`; a jump to the end of the innermost loop is a `CYCLE`.
pub(crate) fn goto(ctx: &mut Translator, label: u32, at: TextRange) -> Statement {
    match constructs::ends_iteration(ctx, label) {
        true => build::statement(at, StatementKind::Continue),
        false => build::statement(at, StatementKind::Goto(Some(label_name(label)))),
    }
}

/// `GO TO (10, 20, 30), i`
pub(crate) fn computed_goto(
    ctx: &mut Translator,
    labels: &[u32],
    value: &Expr,
    at: TextRange,
) -> Statement {
    let selected = ctx.fresh_name("selected");
    let first = ctx.expression(value);
    let mut list = vec![build::constant(
        value.at,
        &selected,
        ctx.env.type_of(value).name(),
        first,
    )];
    for (idx, label) in (1..).zip(labels) {
        let is_it = ExpressionKind::Binary(
            Binary::Equal,
            Box::new(build::name(at, &selected)),
            Box::new(build::integer(at, idx)),
        );
        let then = goto(ctx, *label, at);
        list.push(build::branch(at, Expression::new(at, is_it), then, None));
    }
    build::block(at, list)
}

/// `IF (x) 10, 20, 30`: jumps by the sign of `x`: negative, zero, positive.
pub(crate) fn arithmetic_if(
    ctx: &mut Translator,
    value: &Expr,
    labels: [u32; 3],
    at: TextRange,
) -> Statement {
    let kind = ctx.env.type_of(value);
    let selected = ctx.fresh_name("selected");
    let first = ctx.expression(value);
    let declared = build::constant(value.at, &selected, kind.name(), first);
    let compare = |op| {
        let zero = build::cast(at, kind.name(), build::integer(at, 0));
        let own = build::name(at, &selected);
        build::operation(at, op, own, zero)
    };
    let [negative, zero, positive] = labels;
    let mut list = vec![declared];
    let mut jump_if = |ctx: &mut Translator, condition: Expression, label: u32| {
        let then = goto(ctx, label, at);
        list.push(build::branch(at, condition, then, None));
    };
    match (negative == zero, zero == positive) {
        (true, true) => {}
        (true, false) => jump_if(ctx, compare(Binary::LessEqual), negative),
        (false, true) => jump_if(ctx, compare(Binary::Less), negative),
        (false, false) => {
            jump_if(ctx, compare(Binary::Less), negative);
            jump_if(ctx, compare(Binary::Equal), zero);
        }
    }
    list.push(goto(ctx, positive, at));
    build::block(at, list)
}

/// `RETURN`, with the result of a function.
pub(crate) fn return_statement(ctx: &mut Translator, at: TextRange) -> Statement {
    let result = function_results::result_value(ctx, at);
    build::statement(at, StatementKind::Return(result))
}

/// A label as a name.
pub(crate) fn label_name(label: u32) -> Name {
    Name::from(label.to_string())
}
