//! Scalar expressions.

use crate::build;
use crate::names::types::LOGICAL;
use crate::names::{Entity, FortranType, constants};
use crate::syntax::{ActualArgument, BinaryOperator as Op, Expr, ExprKind, UnaryOperator};
use crate::translate::context::Translator;
use crate::translate::expressions::{characters, references};
use crate::translate::operations::Operation;
use crate::translate::{rejections, unknown_effects};
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind, Real, StatementKind, TextRange, Unary,
};
use premiss_tree::IntegerType;

/// The value of a scalar expression.
pub(crate) fn expression(ctx: &mut Translator, expr: &Expr) -> Expression {
    let at = expr.at;
    let operation = ctx.env.operation(expr);
    if operation != Operation::Intrinsic {
        return references::defined_operation(ctx, expr, operation);
    }
    match &expr.kind {
        ExprKind::Integer(value, _) => {
            let bits = match ctx.env.type_of(expr) {
                FortranType::Integer(bytes) => bytes * 8,
                _ => 32,
            };
            Expression::new(
                at,
                ExpressionKind::Integer(*value, IntegerType { bits, signed: true }),
            )
        }
        ExprKind::Real(value, ..) => match ctx.env.type_of(expr) {
            FortranType::Real(bytes) => {
                Expression::new(at, ExpressionKind::Floating(Real(*value), bytes.into()))
            }
            _ => Expression::new(at, ExpressionKind::Floating(Real(*value), 8)),
        },
        ExprKind::Text(bytes) => match bytes[..] {
            [byte] => characters::character_value(at, byte),
            _ => build::opaque_value(at, FortranType::Character(None).name(), Vec::new()),
        },
        ExprKind::Logical(truth) => truth_value(at, *truth),
        ExprKind::Name(_) | ExprKind::Member(..) => load(ctx, expr),
        ExprKind::Apply(base, arguments) => apply(ctx, expr, base, arguments),
        ExprKind::Unary(operator, x) => {
            let operand = ctx.expression(x);
            let operator = match operator {
                UnaryOperator::Plus => return operand,
                UnaryOperator::Minus => Unary::Negate,
                UnaryOperator::Not => Unary::Not,
            };
            if let (Unary::Negate, ExpressionKind::Integer(value, kind)) = (operator, &operand.kind)
            {
                return Expression::new(at, ExpressionKind::Integer(value.wrapping_neg(), *kind));
            }
            Expression::new(at, ExpressionKind::Unary(operator, Box::new(operand)))
        }
        ExprKind::Parentheses(x) => ctx.expression(x),
        ExprKind::Binary(op, a, b) => binary_operation(ctx, *op, a, b, at),
        // A complex number without an imaginary part is a real number.
        ExprKind::Complex(a, b) if is_zero(b) => {
            let value = ctx.expression(a);
            build::cast(at, ctx.env.type_of(expr).name(), value)
        }
        ExprKind::Complex(a, b) => {
            let operands = vec![ctx.expression(a), ctx.expression(b)];
            build::opaque_value(at, ctx.env.type_of(expr).name(), operands)
        }
        ExprKind::Constructor(items) | ExprKind::Defined(_, items) => {
            let operands = items.iter().map(|x| ctx.expression(x)).collect();
            build::opaque_value(at, ctx.env.type_of(expr).name(), operands)
        }
        ExprKind::ImpliedDo(_) => build::opaque_value(at, ctx.env.type_of(expr).name(), Vec::new()),
        ExprKind::Unparsed(reason, words) => {
            let mut list = vec![build::statement(at, StatementKind::Error(reason.clone()))];
            let words = words.iter().cloned().collect();
            list.extend(unknown_effects::store_unknown_values(ctx, words, at));
            let unknown = build::opaque_value(at, LOGICAL.name(), Vec::new());
            list.push(build::evaluate(unknown));
            let body = build::block(at, list);
            Expression::new(at, ExpressionKind::StatementExpression(Box::new(body)))
        }
    }
}

/// The value of a variable, element or component.
fn load(ctx: &mut Translator, expr: &Expr) -> Expression {
    let kind = ctx.env.type_of(expr);
    if let Some(name) = expr.as_name()
        && let Some(Entity::Constant { kind, value, .. }) =
            ctx.env.symbol(name).map(|symbol| symbol.entity)
        && !kind.is_integer()
        && ctx.env.statement_argument(name).is_none()
    {
        let Some(value) = ctx.expand(&value, |ctx| ctx.expression(&value)) else {
            // The whole statement is rejected.
            return build::opaque_value(expr.at, kind.name(), Vec::new());
        };
        return match kind {
            FortranType::Real(_) | FortranType::Complex(_) => {
                build::cast(expr.at, kind.name(), value)
            }
            _ => value,
        };
    }
    let is_text = matches!(kind, FortranType::Character(length) if length != Some(1));
    if is_text {
        return build::opaque_value(expr.at, kind.name(), Vec::new());
    }
    if 0 < ctx.env.rank_of(expr) {
        let construct = "an array where a scalar is expected".to_owned();
        return rejections::unsupported_value(&ctx.env, construct, expr);
    }
    match ctx.designator(expr) {
        Some(place) => place,
        None if matches!(expr.kind, ExprKind::Member(..)) => {
            let construct = "a component of a type that is not known".to_owned();
            rejections::unsupported_value(&ctx.env, construct, expr)
        }
        None => build::opaque_value(expr.at, kind.name(), Vec::new()),
    }
}

/// The value of a name with parentheses: a function reference or a load.
fn apply(
    ctx: &mut Translator,
    expr: &Expr,
    base: &Expr,
    arguments: &[ActualArgument],
) -> Expression {
    if let Some(key) = base.as_name()
        && ctx.env.selector(key).is_none()
        && !ctx.env.is_array_object(base)
        && !matches!(
            ctx.env.scope.lookup(key).map(|symbol| &symbol.entity),
            Some(Entity::Variable(variable)) if matches!(variable.kind, FortranType::Character(_))
        )
    {
        return references::function_reference(ctx, expr, key, arguments);
    }
    if let (ExprKind::Member(object, key), false) = (&base.kind, ctx.env.is_array_object(base))
        && !matches!(ctx.env.type_of(base), FortranType::Character(_))
    {
        return references::type_bound_reference(ctx, expr, object, key, arguments);
    }
    load(ctx, expr)
}

/// The value of a binary operator.
fn binary_operation(ctx: &mut Translator, op: Op, a: &Expr, b: &Expr, at: TextRange) -> Expression {
    let (a_kind, b_kind) = (ctx.env.type_of(a), ctx.env.type_of(b));
    let is_text = |kind: &FortranType| matches!(kind, FortranType::Character(_));
    if is_text(&a_kind) || is_text(&b_kind) {
        return characters::character_operation(ctx, op, a, b, at);
    }
    if op == Op::Power {
        return exponentiation(ctx, a, b, at);
    }
    let (left, right) = (ctx.expression(a), ctx.expression(b));
    let op = match op {
        Op::Multiply => Binary::Multiply,
        Op::Divide => Binary::Divide,
        Op::Add => Binary::Add,
        Op::Subtract => Binary::Subtract,
        Op::Equal | Op::Equivalent => Binary::Equal,
        Op::NotEqual | Op::NotEquivalent => Binary::NotEqual,
        Op::Less => Binary::Less,
        Op::LessEqual => Binary::LessEqual,
        Op::Greater => Binary::Greater,
        Op::GreaterEqual => Binary::GreaterEqual,
        Op::And => {
            return Expression::new(at, ExpressionKind::And(Box::new(left), Box::new(right)));
        }
        Op::Or => return Expression::new(at, ExpressionKind::Or(Box::new(left), Box::new(right))),
        Op::Power | Op::Concatenate => {
            return build::opaque_value(at, a_kind.name(), vec![left, right]);
        }
    };
    let both_integers = a_kind.is_integer() && b_kind.is_integer();
    match op {
        Binary::Add | Binary::Subtract | Binary::Multiply if both_integers => {
            build::binary(at, op, left, right)
        }
        _ => build::operation(at, op, left, right),
    }
}

/// `a**b`: a product for small constant exponents, a shift for powers of 2.
fn exponentiation(ctx: &mut Translator, a: &Expr, b: &Expr, at: TextRange) -> Expression {
    let kind = ctx.env.type_of(a);
    let exponent = constants::integer(b, &ctx.env.scope);
    let a = a.without_parentheses();
    let is_plain = matches!(a.kind, ExprKind::Name(_) | ExprKind::Integer(..));
    match (kind.is_integer(), exponent) {
        (true, Some(exponent @ 1..=MAX_EXPONENT)) if is_plain => {
            let mut product = ctx.expression(a);
            for _ in 1..exponent {
                let factor = ctx.expression(a);
                product = build::binary(at, Binary::Multiply, product, factor);
            }
            product
        }
        (true, None) if matches!(a.kind, ExprKind::Integer(2, _)) => {
            let shift = ctx.expression(b);
            let one = build::integer(at, 1);
            let shifted = ExpressionKind::Binary(Binary::ShiftLeft, Box::new(one), Box::new(shift));
            build::cast(at, kind.name(), Expression::new(at, shifted))
        }
        _ => {
            let kind = match ctx.env.type_of(b) {
                FortranType::Integer(_) => kind,
                other => kind.common(&other),
            };
            let operands = vec![ctx.expression(a), ctx.expression(b)];
            build::power(at, kind.name(), operands)
        }
    }
}

/// Whether an expression is the constant 0.
fn is_zero(expr: &Expr) -> bool {
    match expr.without_parentheses().kind {
        ExprKind::Real(value, ..) => value == 0.0,
        ExprKind::Integer(value, _) => value == 0,
        _ => false,
    }
}

/// The maximum exponent that is expanded to a product.
const MAX_EXPONENT: i64 = 8;

/// `.TRUE.` and `.FALSE.` as a number.
pub(crate) fn truth_value(at: TextRange, truth: bool) -> Expression {
    let kind = IntegerType {
        bits: 32,
        signed: true,
    };
    Expression::new(at, ExpressionKind::Integer(i64::from(truth), kind))
}
