//! Values of intrinsic functions of scalars.

use crate::build;
use crate::intrinsics::library_name;
use crate::names::FortranType;
use crate::names::types::LOGICAL;
use crate::syntax::{Argument, Expr, ExprKind, NameKey};
use crate::translate::context::Translator;
use crate::translate::expressions::{characters, inquiries, intrinsic_results};
use crate::translate::invariance;
use premiss_ast::syntax::{At, Binary, Expression, ExpressionKind, Unary};

/// The value of an intrinsic function of scalars.
pub(crate) fn intrinsic_value(
    ctx: &mut Translator,
    key: &NameKey,
    arguments: &[Argument],
    at: At,
) -> Option<Expression> {
    if let Some(value) = inquiries::inquiry(ctx, key, arguments, at) {
        return Some(value);
    }
    let kind = intrinsic_results::result_type(&ctx.env, key, arguments)?;
    let list: Vec<&Expr> = arguments.iter().filter_map(Argument::expr).collect();
    let first = list.first().copied();
    let is_integer = kind.is_integer();
    Some(match (&**key, first) {
        ("max" | "max0", Some(_)) if is_integer => extremum(ctx, Binary::Maximum, &list, at),
        ("min" | "min0", Some(_)) if is_integer => extremum(ctx, Binary::Minimum, &list, at),
        ("mod", Some(a)) if is_integer => {
            let a = ctx.expression(a);
            let b = ctx.expression(list.get(1)?);
            build::operation(at, Binary::Remainder, a, b)
        }
        ("modulo", Some(a)) if is_integer => modulo(ctx, a, list.get(1)?, at),
        ("abs" | "iabs", Some(a)) if is_integer => absolute_value(ctx, a, &kind, at),
        ("sign" | "isign", Some(a))
            if is_integer && invariance::is_simple_arithmetic(&ctx.env, a) =>
        {
            transfer_sign(ctx, a, list.get(1)?, &kind, at)
        }
        ("int" | "ifix" | "idint", Some(a)) => {
            let value = ctx.expression(a);
            build::cast(at, kind.name(), value)
        }
        ("real" | "float" | "dble" | "dfloat" | "sngl", Some(a)) => {
            // A complex number with a value that is known has no imaginary part.
            let value = ctx.expression(a);
            build::cast(at, kind.name(), value)
        }
        ("cmplx" | "dcmplx", Some(a)) if list.len() == 1 => {
            let value = ctx.expression(a);
            build::cast(at, kind.name(), value)
        }
        ("ichar" | "iachar", Some(a)) => {
            let value = characters::first_character(ctx, a);
            build::cast(at, kind.name(), value)
        }
        ("char" | "achar", Some(a)) => {
            let value = ctx.expression(a);
            build::cast(at, kind.name(), value)
        }
        ("iand" | "ior" | "ieor", Some(a)) => {
            let a = ctx.expression(a);
            let b = ctx.expression(list.get(1)?);
            let op = match &**key {
                "iand" => Binary::BitAnd,
                "ior" => Binary::BitOr,
                _ => Binary::BitXor,
            };
            build::operation(at, op, a, b)
        }
        ("merge", Some(a)) => {
            let (b, mask) = (list.get(1)?, list.get(2)?);
            let operands = [ctx.expression(mask), ctx.expression(a), ctx.expression(b)];
            Expression::new(at, ExpressionKind::Conditional(Box::new(operands)))
        }
        ("lsame", Some(a)) => same_letter(ctx, a, list.get(1)?, at),
        ("isnan" | "ieee_is_nan", Some(a)) => {
            let value = ctx.expression(a);
            build::computed_by(at, "isnan", kind.name(), vec![value])
        }
        _ => {
            let operands = list.iter().map(|x| ctx.expression(x)).collect();
            match library_name(key) {
                Some(function) => build::computed_by(at, function, kind.name(), operands),
                None => build::computed(at, kind.name(), operands),
            }
        }
    })
}

/// `LSAME(CA, 'N')` of BLAS: whether two letters are the same, whatever their case.
fn same_letter(ctx: &mut Translator, a: &Expr, b: &Expr, at: At) -> Expression {
    let letter = match &b.kind {
        ExprKind::Text(bytes) => bytes.first().copied(),
        _ => None,
    };
    let Some(letter) = letter else {
        return build::computed(at, LOGICAL.name(), Vec::new());
    };
    let is = |ctx: &mut Translator, byte: u8| {
        let value = characters::first_character(ctx, a);
        let byte = build::integer(at, i64::from(byte));
        build::operation(at, Binary::Equal, value, byte)
    };
    let upper = is(ctx, letter.to_ascii_uppercase());
    let lower = is(ctx, letter.to_ascii_lowercase());
    Expression::new(at, ExpressionKind::Or(Box::new(upper), Box::new(lower)))
}

fn extremum(ctx: &mut Translator, op: Binary, list: &[&Expr], at: At) -> Expression {
    let mut values = list
        .iter()
        .map(|x| ctx.expression(x))
        .collect::<Vec<_>>()
        .into_iter();
    let first = values.next().unwrap_or_else(|| build::integer(at, 0));
    values.fold(first, |a, b| build::binary(at, op, a, b))
}

/// `MODULO(a, b)`: the remainder with the sign of `b`.
fn modulo(ctx: &mut Translator, a: &Expr, b: &Expr, at: At) -> Expression {
    let divisor = |ctx: &mut Translator| Box::new(ctx.expression(b));
    let value = Box::new(ctx.expression(a));
    let rest = ExpressionKind::Binary(Binary::Remainder, value, divisor(ctx));
    let sum = ExpressionKind::Binary(
        Binary::Add,
        Box::new(Expression::new(at, rest)),
        divisor(ctx),
    );
    let rest = ExpressionKind::Binary(
        Binary::Remainder,
        Box::new(Expression::new(at, sum)),
        divisor(ctx),
    );
    Expression::new(at, rest)
}

fn absolute_value(ctx: &mut Translator, a: &Expr, kind: &FortranType, at: At) -> Expression {
    let name = match kind {
        FortranType::Integer(8) => "labs",
        _ => "abs",
    };
    let value = ctx.expression(a);
    build::call(at, name, vec![value])
}

/// `SIGN(a, b)` is `|a|`, and where `b` is negative `-|a|`.
fn transfer_sign(
    ctx: &mut Translator,
    a: &Expr,
    b: &Expr,
    kind: &FortranType,
    at: At,
) -> Expression {
    let sign = Box::new(ctx.expression(b));
    let is_negative = ExpressionKind::Binary(Binary::Less, sign, Box::new(build::integer(at, 0)));
    let negated = ExpressionKind::Unary(Unary::Negate, Box::new(absolute_value(ctx, a, kind, at)));
    let operands = [
        Expression::new(at, is_negative),
        Expression::new(at, negated),
        absolute_value(ctx, a, kind, at),
    ];
    Expression::new(at, ExpressionKind::Conditional(Box::new(operands)))
}
