//! `if` and `match`: conditions and patterns become tests, arms become branches.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::{blocks, branches};
use crate::body::values::scrutinees::{self, Scrutinee};
use crate::body::values::{patterns, places};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Expression, Statement, TextRange};
use syn::{Arm, Pat};

/// A desugared arm: its condition, its statements and its value.
type LoweredArm<'a> = (Option<Expression>, (Vec<Statement>, Value<'a>));

pub(crate) fn if_expression<'a>(
    ctx: &mut Body<'a, '_>,
    branch: &'a syn::ExprIf,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let environment = ctx.environment.clone();
    let condition = ctx.condition(&branch.cond);
    let lets = std::mem::take(&mut ctx.let_bindings);
    let then = ctx.emit_aside(|ctx| {
        for (pattern, value) in lets {
            patterns::bind(ctx, pattern, value);
        }
        blocks::typed_block(ctx, &branch.then_branch, expected)
    });
    ctx.environment = environment;
    let otherwise = match &branch.else_branch {
        Some((_, otherwise)) => ctx.emit_aside(|ctx| ctx.expression(otherwise, expected)),
        None => (Vec::new(), Value::Unit),
    };
    branches::select_arm(ctx, condition, then, otherwise, at)
}

pub(crate) fn match_expression<'a>(
    ctx: &mut Body<'a, '_>,
    choice: &'a syn::ExprMatch,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let source = Scrutinee::of(&choice.expr);
    let patterns: Vec<&'a Pat> = choice.arms.iter().map(|arm| &arm.pat).collect();
    let value = scrutinees::scrutinee(ctx, &choice.expr, None, &patterns);
    let value = match value {
        Value::Plain(place, kind)
            if source == Scrutinee::Value && ctx.inference.resolve(&kind).is_scalar() =>
        {
            let number = places::load(ctx, place, &kind);
            ctx.hold(Value::Plain(number, kind), "matched")
        }
        value => scrutinees::hold_scrutinee(ctx, value, source, &patterns),
    };
    let mut made: Vec<LoweredArm<'a>> = Vec::new();
    for arm in &choice.arms {
        let condition = arm_condition(ctx, arm, &value);
        let is_last = condition.is_none();
        let body = ctx.emit_aside(|ctx| {
            patterns::bind(ctx, &arm.pat, value.clone());
            ctx.expression(&arm.body, expected)
        });
        made.push((condition, body));
        if is_last {
            break;
        }
    }
    arm_chain(ctx, made, at)
}

fn arm_condition<'a>(
    ctx: &mut Body<'a, '_>,
    arm: &'a Arm,
    value: &Value<'a>,
) -> Option<Expression> {
    let Pat::Guard(guarded) = &arm.pat else {
        return patterns::pattern_test(ctx, &arm.pat, value);
    };
    let guard = &guarded.guard;
    let condition = patterns::pattern_test(ctx, &guarded.pat, value);
    let (statements, truth) = ctx.emit_aside(|ctx| {
        patterns::bind(ctx, &arm.pat, value.clone());
        ctx.condition(guard)
    });
    let truth = ctx.with_statements(statements, truth);
    Some(match condition {
        Some(condition) => ast_builder::and(truth.at, condition, truth),
        None => truth,
    })
}

/// Selects the first arm whose condition holds.
fn arm_chain<'a>(ctx: &mut Body<'a, '_>, made: Vec<LoweredArm<'a>>, at: TextRange) -> Value<'a> {
    let (conditions, mut arms): (Vec<_>, Vec<_>) = made.into_iter().unzip();
    if let ([Some(condition), None] | [None, Some(condition)], 2) =
        (conditions.as_slice(), arms.len())
        && let (Some(otherwise), Some(then)) = (arms.pop(), arms.pop())
    {
        return branches::select_arm(ctx, condition.clone(), then, otherwise, at);
    }
    let result = branches::join_arms(ctx, &mut arms, at);
    let mut rest: Vec<Statement> = Vec::new();
    let mut is_behind = true;
    for (condition, (list, _)) in conditions.into_iter().zip(arms).rev() {
        // Some arm is always taken: the last one if no other is.
        rest = match (condition, is_behind) {
            (None, _) | (_, true) => list,
            (Some(condition), false) => {
                let (branch, ()) = ctx.emit_aside_binding(|ctx| {
                    branches::emit_if(ctx, condition, list, rest, at);
                });
                branch
            }
        };
        is_behind = false;
    }
    for statement in rest {
        ctx.emit(statement);
    }
    result
}
