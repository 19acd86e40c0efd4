//! Scalar operands of array expressions, which are evaluated once, before the loop over the elements:
//!
//! ```text
//! a(1:i, i) / b(i)           operand1 = b(i)
//!                            for k: a(k, i) / operand1
//! ```
//!
//! In `WHERE` they are not: whether an element is computed depends on the mask.

use crate::build;
use crate::names::FortranType;
use crate::syntax::visit::walk;
use crate::syntax::{ActualArgument, ArgumentValue, Expr, ExprKind, NameKey};
use crate::translate::context::Translator;
use crate::translate::environment::NameEnvironment;
use crate::translate::operations::Operation;
use crate::translate::temporaries;
use premiss_ast::syntax::Statement;

/// Intrinsic functions whose result is no element-wise function of the arguments, or that do not evaluate them.
const NOT_ELEMENTWISE: [&str; 29] = [
    "sum",
    "product",
    "maxval",
    "minval",
    "count",
    "any",
    "all",
    "dot_product",
    "norm2",
    "maxloc",
    "minloc",
    "matmul",
    "transpose",
    "reshape",
    "spread",
    "cshift",
    "eoshift",
    "pack",
    "unpack",
    "size",
    "lbound",
    "ubound",
    "findloc",
    "shape",
    "transfer",
    "present",
    "allocated",
    "associated",
    "kind",
];

/// The same array expression with variables for its scalar operands; the statements that compute them are added to the
/// list.
pub(crate) fn evaluate_scalars(
    ctx: &mut Translator,
    expr: &Expr,
    list: &mut Vec<Statement>,
) -> Expr {
    if ctx.env.rank_of(expr) == 0 {
        return evaluate_operand(ctx, expr, list);
    }
    if ctx.env.operation(expr) != Operation::Intrinsic {
        return expr.clone();
    }
    let mut inner = |x: &Expr| Box::new(evaluate_scalars(ctx, x, list));
    let kind = match &expr.kind {
        ExprKind::Unary(op, x) => ExprKind::Unary(*op, inner(x)),
        ExprKind::Parentheses(x) => ExprKind::Parentheses(inner(x)),
        ExprKind::Binary(op, a, b) => {
            let left = inner(a);
            ExprKind::Binary(*op, left, inner(b))
        }
        ExprKind::Apply(base, arguments) if is_elementwise(&ctx.env, base) => {
            let own = arguments.iter().map(|argument| match argument.expr() {
                Some(x) => ActualArgument {
                    keyword: argument.keyword.clone(),
                    value: ArgumentValue::Expr(evaluate_scalars(ctx, x, list)),
                },
                None => argument.clone(),
            });
            ExprKind::Apply(base.clone(), own.collect())
        }
        _ => return evaluate_subscripts(ctx, expr, list),
    };
    Expr { at: expr.at, kind }
}

/// The same part of an array with variables for subscripts and section bounds that make accesses.
pub(crate) fn evaluate_subscripts(
    ctx: &mut Translator,
    expr: &Expr,
    list: &mut Vec<Statement>,
) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Member(base, key) => {
            ExprKind::Member(Box::new(evaluate_subscripts(ctx, base, list)), key.clone())
        }
        ExprKind::Apply(base, arguments) if ctx.env.is_array_object(base) => {
            let base = Box::new(evaluate_subscripts(ctx, base, list));
            let own = arguments.iter();
            let own = own.map(|one| one.map_expressions(|x| evaluate_subscript(ctx, x, list)));
            ExprKind::Apply(base, own.collect())
        }
        other => other.clone(),
    };
    Expr { at: expr.at, kind }
}

fn evaluate_subscript(ctx: &mut Translator, expr: &Expr, list: &mut Vec<Statement>) -> Expr {
    match makes_accesses(expr) && ctx.env.rank_of(expr) == 0 {
        true => evaluate_operand(ctx, expr, list),
        false => expr.clone(),
    }
}

/// A variable with the value of a scalar expression; variables and constants stay.
fn evaluate_operand(ctx: &mut Translator, expr: &Expr, list: &mut Vec<Statement>) -> Expr {
    let kind = ctx.env.type_of(expr);
    let is_number = matches!(
        kind,
        FortranType::Integer(_)
            | FortranType::Real(_)
            | FortranType::Complex(_)
            | FortranType::Logical(_)
    );
    let is_computed = matches!(
        expr.without_parentheses().kind,
        ExprKind::Apply(..)
            | ExprKind::Member(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Defined(..)
    );
    if !is_number || !is_computed || is_negative_literal(expr) {
        return expr.clone();
    }
    let own = ctx.fresh_name("operand");
    let value = ctx.expression(expr);
    list.push(build::constant(expr.at, &own, kind.name(), value));
    temporaries::introduce_variable(ctx, &own, expr.at, kind, None)
}

fn is_negative_literal(expr: &Expr) -> bool {
    match &expr.without_parentheses().kind {
        ExprKind::Unary(_, x) => matches!(x.kind, ExprKind::Integer(..) | ExprKind::Real(..)),
        _ => false,
    }
}

/// Whether evaluating an expression may make accesses.
fn makes_accesses(expr: &Expr) -> bool {
    let mut found = false;
    walk(expr, &mut |part| {
        found |= match &part.kind {
            ExprKind::Apply(base, _) => !base.as_name().is_some_and(is_inquiry),
            ExprKind::Member(..) | ExprKind::Defined(..) => true,
            _ => false,
        };
    });
    found
}

fn is_inquiry(key: &NameKey) -> bool {
    matches!(
        &**key,
        "size" | "lbound" | "ubound" | "min" | "max" | "mod" | "int"
    )
}

/// Whether a reference is one of an intrinsic function that is applied to each element.
pub(crate) fn is_elementwise(env: &NameEnvironment, base: &Expr) -> bool {
    base.as_name()
        .is_some_and(|key| env.names_intrinsic(key) && !NOT_ELEMENTWISE.contains(&&**key))
}
