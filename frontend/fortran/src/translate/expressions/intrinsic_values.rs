//! Values of intrinsic functions of scalars.

use crate::build;
use crate::intrinsics::library_name;
use crate::names::FortranType;
use crate::names::types::LOGICAL;
use crate::syntax::{ActualArgument, Expr, ExprKind, NameKey};
use crate::translate::context::Translator;
use crate::translate::expressions::{characters, inquiries, intrinsic_results};
use crate::translate::invariance;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TextRange, Unary};

/// The value of an intrinsic function with scalar arguments.
pub(crate) fn intrinsic_value(
    ctx: &mut Translator,
    key: &NameKey,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Expression> {
    if let Some(value) = inquiries::inquiry(ctx, key, arguments, at) {
        return Some(value);
    }
    let kind = intrinsic_results::result_type(&ctx.env, key, arguments)?;
    let list: Vec<&Expr> = arguments.iter().filter_map(ActualArgument::expr).collect();
    let Some((first, rest)) = list.split_first() else {
        return Some(computed_value(ctx, key, &kind, &list, at));
    };
    if kind.is_integer()
        && let Some(value) = integer_value(ctx, key, &kind, &list, at)
    {
        return value;
    }
    Some(match &**key {
        "cmplx" | "dcmplx" if list.len() != 1 => computed_value(ctx, key, &kind, &list, at),
        // A complex number with a known value has no imaginary part.
        "int" | "ifix" | "idint" | "real" | "float" | "dble" | "dfloat" | "sngl" | "cmplx"
        | "dcmplx" | "char" | "achar" => {
            let value = ctx.expression(first);
            build::cast(at, kind.name(), value)
        }
        "ichar" | "iachar" => {
            let value = characters::first_character(ctx, first);
            build::cast(at, kind.name(), value)
        }
        "iand" | "ior" | "ieor" => {
            let a = ctx.expression(first);
            let b = ctx.expression(rest.first()?);
            build::operation(at, bit_operator(key), a, b)
        }
        "merge" => {
            let (b, mask) = (rest.first()?, rest.get(1)?);
            let operands = [
                ctx.expression(mask),
                ctx.expression(first),
                ctx.expression(b),
            ];
            Expression::new(at, ExpressionKind::Conditional(Box::new(operands)))
        }
        "lsame" => same_letter(ctx, first, rest.first()?, at),
        "isnan" | "ieee_is_nan" => {
            let value = ctx.expression(first);
            build::library_value(at, "isnan", kind.name(), vec![value])
        }
        _ => computed_value(ctx, key, &kind, &list, at),
    })
}

/// The value of an integer function in terms of integer arithmetic; the outer `None` for other functions, the inner
/// one if an argument is missing.
fn integer_value(
    ctx: &mut Translator,
    key: &NameKey,
    kind: &FortranType,
    list: &[&Expr],
    at: TextRange,
) -> Option<Option<Expression>> {
    let (a, b) = (list.first()?, list.get(1).copied());
    Some(match &**key {
        "max" | "max0" => Some(extremum(ctx, Binary::Maximum, list, at)),
        "min" | "min0" => Some(extremum(ctx, Binary::Minimum, list, at)),
        "mod" => {
            let a = ctx.expression(a);
            b.map(|b| build::operation(at, Binary::Remainder, a, ctx.expression(b)))
        }
        "modulo" => b.map(|b| modulo(ctx, a, b, at)),
        "abs" | "iabs" => Some(absolute_value(ctx, a, kind, at)),
        "sign" | "isign" if invariance::is_simple_arithmetic(&ctx.env, a) => {
            b.map(|b| transfer_sign(ctx, a, b, kind, at))
        }
        _ => return None,
    })
}

/// A value computed from all arguments, by a function of the C library if there is one.
fn computed_value(
    ctx: &mut Translator,
    key: &NameKey,
    kind: &FortranType,
    list: &[&Expr],
    at: TextRange,
) -> Expression {
    let list: &[&Expr] = match is_inquiry(key) {
        true => &[],
        false => list,
    };
    let operands = list.iter().map(|x| ctx.expression(x)).collect();
    match library_name(key) {
        Some(function) => build::library_value(at, function, kind.name(), operands),
        None => build::opaque_value(at, kind.name(), operands),
    }
}

/// Whether a function depends on properties of its argument alone, which is not evaluated.
fn is_inquiry(key: &str) -> bool {
    const INQUIRIES: &str = "present allocated associated epsilon tiny huge digits maxexponent minexponent radix \
        precision range kind bit_size rank storage_size size lbound ubound len same_type_as c_loc";
    INQUIRIES.split_whitespace().any(|name| name == key)
}

fn bit_operator(key: &str) -> Binary {
    match key {
        "iand" => Binary::BitAnd,
        "ior" => Binary::BitOr,
        _ => Binary::BitXor,
    }
}

/// `LSAME(CA, 'N')` of BLAS: compares two letters regardless of case.
fn same_letter(ctx: &mut Translator, a: &Expr, b: &Expr, at: TextRange) -> Expression {
    let letter = match &b.kind {
        ExprKind::Text(bytes) => bytes.first().copied(),
        _ => None,
    };
    let Some(letter) = letter else {
        return build::opaque_value(at, LOGICAL.name(), Vec::new());
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

/// `MAX` and `MIN` of integers.
fn extremum(ctx: &mut Translator, op: Binary, list: &[&Expr], at: TextRange) -> Expression {
    let mut values = list
        .iter()
        .map(|x| ctx.expression(x))
        .collect::<Vec<_>>()
        .into_iter();
    let first = values.next().unwrap_or_else(|| build::integer(at, 0));
    values.fold(first, |a, b| build::binary(at, op, a, b))
}

/// `MODULO(a, b)`: the remainder with the sign of `b`.
fn modulo(ctx: &mut Translator, a: &Expr, b: &Expr, at: TextRange) -> Expression {
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

/// `ABS` of an integer.
fn absolute_value(ctx: &mut Translator, a: &Expr, kind: &FortranType, at: TextRange) -> Expression {
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
    at: TextRange,
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
