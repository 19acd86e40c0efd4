//! Branches: emitting `if`, joining the values of arms, and `let … else`.
//!
//! If the arms of a branch have values, they are stored to a variable that is declared before the branch.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::values::scrutinees::{self, Scrutinee};
use crate::body::values::{assignments, patterns, places};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Expression, Statement, StatementKind, TextRange};
use syn::{Expr, Pat};

pub(crate) fn emit_if(
    ctx: &mut Body,
    condition: Expression,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
    at: TextRange,
) {
    let otherwise = (!otherwise.is_empty()).then(|| Box::new(ast_builder::block(at, otherwise)));
    let kind = StatementKind::If {
        condition,
        then: Box::new(ast_builder::block(at, then)),
        otherwise,
    };
    ctx.emit(ast_builder::statement(at, kind));
}

/// The value of one of two arms.
pub(crate) fn select_arm<'a>(
    ctx: &mut Body<'a, '_>,
    condition: Expression,
    then: (Vec<Statement>, Value<'a>),
    otherwise: (Vec<Statement>, Value<'a>),
    at: TextRange,
) -> Value<'a> {
    let is_bare = then.0.is_empty() && otherwise.0.is_empty();
    if let (true, Value::Plain(a, a_kind), Value::Plain(b, b_kind)) =
        (is_bare, &then.1, &otherwise.1)
    {
        let (a_kind, b_kind) = (ctx.inference.resolve(a_kind), ctx.inference.resolve(b_kind));
        let is_value = |kind: &Ty| kind.is_scalar() || matches!(kind, Ty::Pointer(_));
        if is_value(&a_kind) && is_value(&b_kind) {
            ctx.inference.unify(&then.1.kind(), &otherwise.1.kind());
            let kind = if a_kind.is_weak() {
                b_kind.clone()
            } else {
                a_kind.clone()
            };
            let a = places::load(ctx, a.clone(), &a_kind);
            let b = places::load(ctx, b.clone(), &b_kind);
            return Value::Plain(ast_builder::conditional(at, [condition, a, b]), kind);
        }
    }
    let mut arms = vec![then, otherwise];
    let result = join_arms(ctx, &mut arms, at);
    let otherwise = arms.pop().map(|arm| arm.0).unwrap_or_default();
    let then = arms.pop().map(|arm| arm.0).unwrap_or_default();
    emit_if(ctx, condition, then, otherwise, at);
    result
}

/// Adds statements to each arm that store its value to the same variables.
pub(crate) fn join_arms<'a>(
    ctx: &mut Body<'a, '_>,
    arms: &mut [(Vec<Statement>, Value<'a>)],
    at: TextRange,
) -> Value<'a> {
    let yields = |value: &Value| !matches!(value, Value::Never);
    let mut shape: Option<Value<'a>> = None;
    for (_, value) in arms.iter().filter(|arm| yields(&arm.1)) {
        let is_better = match &shape {
            None => true,
            Some(shape) => known_parts(shape) < known_parts(value),
        };
        if is_better {
            shape = Some(value.clone());
        }
    }
    let Some(shape) = shape else {
        return Value::Never;
    };
    for (_, value) in arms.iter() {
        ctx.inference.unify(&shape.kind(), &value.kind());
    }
    let n_arms = arms.iter().filter(|arm| yields(&arm.1)).count();
    if n_arms == 1 && matches!(shape, Value::Iterator(_) | Value::Closure(_)) {
        return shape;
    }
    let slot = match shape {
        Value::Unit => Value::Unit,
        Value::Iterator(_) | Value::Closure(_) => {
            return ctx.unsupported("an iterator or closure that a branch chooses", at);
        }
        Value::Unknown(kind) => Value::Unknown(kind),
        shape => assignments::slot_for(ctx, &shape, "chosen", at),
    };
    for (statements, value) in arms {
        let mut list = std::mem::take(statements);
        std::mem::swap(&mut ctx.block, &mut list);
        match &slot {
            _ if !yields(value) => {}
            Value::Unit | Value::Unknown(_) => {
                ctx.evaluate(value.clone());
            }
            slot => {
                let value = places::coerce(ctx, value.clone(), &slot.kind());
                assignments::assign_parts(ctx, slot, &value, at);
            }
        }
        std::mem::swap(&mut ctx.block, &mut list);
        *statements = list;
    }
    slot
}

/// `let pattern = value` in a condition.
pub(crate) fn let_condition<'a>(ctx: &mut Body<'a, '_>, condition: &'a syn::ExprLet) -> Expression {
    let at = ctx.at(condition);
    let value = scrutinees::scrutinee(ctx, &condition.expr, None, &[&*condition.pat]);
    let source = Scrutinee::of(&condition.expr);
    let value = scrutinees::hold_scrutinee(ctx, value, source, &[&*condition.pat]);
    let truth = patterns::pattern_test(ctx, &condition.pat, &value);
    ctx.let_bindings.push((&condition.pat, value));
    truth.unwrap_or_else(|| ast_builder::integer(at, 1))
}

/// `let pattern = value else { … };`
pub(crate) fn let_else<'a>(
    ctx: &mut Body<'a, '_>,
    pattern: &'a Pat,
    (value, source): (Value<'a>, Scrutinee),
    otherwise: &'a Expr,
) -> Value<'a> {
    let at = ctx.at(otherwise);
    let value = scrutinees::hold_scrutinee(ctx, value, source, &[pattern]);
    if let Some(truth) = patterns::pattern_test(ctx, pattern, &value) {
        let is_other = ast_builder::unary(at, premiss_ast::syntax::Unary::Not, truth);
        let (list, _) = ctx.emit_aside(|ctx| ctx.expression(otherwise, None));
        emit_if(ctx, is_other, list, Vec::new(), at);
    }
    patterns::bind(ctx, pattern, value);
    Value::Unit
}

/// The number of known parts of a value.
fn known_parts(value: &Value) -> usize {
    match value {
        Value::Unknown(_) | Value::Unit | Value::Never => 0,
        Value::Option(_, inner) => 1 + known_parts(inner),
        Value::Tuple(parts) => 1 + parts.iter().map(known_parts).sum::<usize>(),
        _ => 2,
    }
}
