//! Methods of integers and floating-point numbers.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::iterators::adapters;
use crate::body::library::method_call::{MethodCall, ORDERING};
use crate::body::values::{aggregates, casts, places};
use crate::inherent_methods::is_inherent;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Binary, Expression, TextRange, TypeName, Unary};
use premiss_tree::{IntegerType, RejectReason};

/// Methods of floating-point numbers that return a truth value or an integer.
const TESTS: [&str; 9] = [
    "is_finite",
    "is_infinite",
    "is_sign_negative",
    "is_sign_positive",
    "is_normal",
    "eq",
    "lt",
    "gt",
    "le",
];

pub(crate) fn number_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let expected = receiver.kind();
    let list = method
        .arguments
        .iter()
        .map(|x| (*x, Some(expected.clone())))
        .collect();
    let (receiver, values) = ctx.evaluate_in_order(receiver, |ctx| ctx.operands(list));
    number_with(ctx, receiver, method.name, values, method.at)
}

/// A method of a number with evaluated arguments.
pub(crate) fn number_with<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    name: &str,
    values: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    let kind = ctx.inference.resolve(&receiver.kind());
    if let ("to_le_bytes" | "to_be_bytes" | "to_ne_bytes", Some(bytes)) =
        (name, kind.bytes_of_number())
    {
        return aggregates::array_of_bytes(ctx, receiver, bytes, at);
    }
    match kind {
        Ty::Int(_) | Ty::Char | Ty::Enum(..) => {
            integer_method(ctx, receiver, &kind, name, values, at)
        }
        kind => float_method(ctx, receiver, kind, name, values, at),
    }
}

/// Methods of floating-point numbers read their operands and return data; constants are kept.
fn float_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    kind: Ty,
    name: &str,
    values: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    if matches!(kind, Ty::Float(_)) && !is_method_of_floats(name) {
        for value in values {
            ctx.evaluate(value);
        }
        let callee = name.to_owned();
        return ctx.reject(RejectReason::UnknownCall { callee }, at);
    }
    if let Some(to) = name.strip_prefix("to_").and_then(Ty::primitive) {
        return casts::convert(ctx, receiver, to, at);
    }
    let mut operands = float_operands(ctx, receiver, values, at);
    if name == "is_nan"
        && let Some(number) = operands.pop()
    {
        return Value::Plain(ast_builder::is_nan(at, number), Ty::Bool);
    }
    if TESTS.contains(&name) || kind == Ty::Bool {
        load_all(ctx, operands);
        let kind = if TESTS.contains(&name) {
            Ty::Bool
        } else {
            kind
        };
        return Value::Plain(ctx.unknown_integer(at), kind);
    }
    if name == "sin_cos" {
        load_all(ctx, operands);
        let one = ctx.unknown_value(&kind, at);
        return Value::Tuple(vec![one.clone(), one]);
    }
    if matches!(
        name,
        "clone" | "to_owned" | "into" | "unwrap" | "as_f64" | "cast" | "get" | "into_inner"
    ) && operands.len() == 1
    {
        let first = operands.pop().unwrap_or_else(|| ctx.unknown_integer(at));
        return Value::Plain(first, kind);
    }
    let call = ast_builder::call(at, &math_function(name, &kind), operands);
    match name {
        "to_bits" | "to_int_unchecked" | "partial_cmp" | "total_cmp" | "cmp" | "then" => {
            ctx.emit(ast_builder::evaluated(call));
            let order = Value::Unknown(Ty::Unknown(ORDERING.into()));
            match name {
                "to_bits" => ctx.unknown_value(&Ty::primitive("u64").unwrap_or(kind), at),
                "partial_cmp" => Value::Option(ctx.unknown_integer(at), Box::new(order)),
                _ => order,
            }
        }
        _ => Value::Plain(call, kind),
    }
}

/// Whether a floating-point number has this method, by its type or by a trait of numbers.
fn is_method_of_floats(name: &str) -> bool {
    const OF_TRAITS: [&str; 36] = [
        "get",
        "into_inner",
        "clone",
        "to_owned",
        "into",
        "unwrap",
        "as_f64",
        "cast",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "partial_cmp",
        "cmp",
        "add",
        "sub",
        "mul",
        "div",
        "rem",
        "neg",
        "is_zero",
        "is_one",
        "is_positive",
        "is_negative",
        "to_f64",
        "to_f32",
        "to_i32",
        "to_u8",
        "to_usize",
        "to_i64",
        "abs_sub",
        "to_string",
        "then",
        "hypot",
    ];
    let to_number = name.strip_prefix("to_").and_then(Ty::primitive);
    is_inherent("f64", name) || OF_TRAITS.contains(&name) || to_number.is_some()
}

/// The operands of a method of a floating-point number, loaded from left to right.
fn float_operands<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    values: Vec<Value<'a>>,
    at: TextRange,
) -> Vec<Expression> {
    let mut operands = Vec::new();
    for value in [receiver].into_iter().chain(values) {
        match places::strip_references(ctx, value, at) {
            Value::Plain(expression, found) => operands.push(places::load(ctx, expression, &found)),
            other => {
                ctx.evaluate(other);
            }
        }
    }
    operands
}

/// The function of C's `math.h` for a method of floating-point numbers.
fn math_function(name: &str, kind: &Ty) -> String {
    let suffix = if *kind == Ty::Float(4) { "f" } else { "" };
    let function = match name {
        "abs" => "fabs",
        "sqrt" => "sqrt",
        "floor" => "floor",
        "ceil" => "ceil",
        "trunc" => "trunc",
        "round" => "round",
        "min" => "fmin",
        "max" => "fmax",
        name => library_name(name),
    };
    format!("{function}{suffix}")
}

fn load_all(ctx: &mut Body, operands: Vec<Expression>) {
    for operand in operands {
        if !ast_builder::is_pure(&operand) {
            ctx.emit(ast_builder::evaluated(operand));
        }
    }
}

fn integer_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: Value<'a>,
    kind: &Ty,
    name: &str,
    values: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    let receiver = ctx.integer_of(receiver, at);
    let mut operands = Vec::new();
    for value in values {
        operands.push(ctx.integer_of(value, at));
    }
    let mut rest = operands.into_iter();
    let found = match (rest.next(), rest.next()) {
        (None, _) => integer_unary(ctx, receiver, kind, name, at),
        (Some(other), None) => integer_with(ctx, receiver, other, kind, name, at),
        (Some(low), Some(high)) if name == "clamp" => {
            let clamped = clamp(ctx, receiver, low, high);
            Some(Value::Plain(clamped, kind.clone()))
        }
        _ => None,
    };
    found.unwrap_or_else(|| unknown_integer_result(ctx, kind, name, at))
}

/// `clamp`: the nearest number within an interval.
fn clamp(ctx: &mut Body, value: Expression, low: Expression, high: Expression) -> Expression {
    let at = value.at;
    let value = ctx.stabilize(value, "clamped");
    let low = ctx.stabilize(low, "low");
    let high = ctx.stabilize(high, "high");
    let inner = ast_builder::greatest(at, value, low);
    let inner = ctx.stabilize(inner, "clamped");
    ast_builder::least(at, inner, high)
}

/// The result of an integer method that is not modelled: data of the type that its name implies.
fn unknown_integer_result<'a>(
    ctx: &mut Body<'a, '_>,
    kind: &Ty,
    name: &str,
    at: TextRange,
) -> Value<'a> {
    match ctx.unknown_value(kind, at) {
        _ if name == "cmp" => Value::Unknown(Ty::Unknown(ORDERING.into())),
        _ if name == "partial_cmp" => {
            let order = Value::Unknown(Ty::Unknown(ORDERING.into()));
            Value::Option(ctx.unknown_integer(at), Box::new(order))
        }
        value if name.starts_with("checked_") => {
            Value::Option(ctx.unknown_integer(at), Box::new(value))
        }
        value if name.starts_with("overflowing_") => {
            let is_over = Value::Plain(ctx.unknown_integer(at), Ty::Bool);
            Value::Tuple(vec![value, is_over])
        }
        _ if name.starts_with("is_") || name == "eq" => {
            Value::Plain(ctx.unknown_integer(at), Ty::Bool)
        }
        value if is_library_function(name) => value,
        _ => {
            let callee = name.to_owned();
            ctx.reject(RejectReason::UnknownCall { callee }, at)
        }
    }
}

fn integer_unary<'a>(
    ctx: &mut Body<'a, '_>,
    x: Expression,
    kind: &Ty,
    name: &str,
    at: TextRange,
) -> Option<Value<'a>> {
    let zero = || ast_builder::integer(at, 0);
    let value = match name {
        "clone" | "to_owned" | "into" | "get" | "to_usize" | "as_usize" | "cast_signed"
        | "cast_unsigned" | "index" => x,
        "unwrap" => x,
        "abs" | "unsigned_abs" => {
            let x = ctx.stabilize(x, "operand");
            let negated = ast_builder::unary(at, Unary::Negate, x.clone());
            let is_negative = ast_builder::binary(at, Binary::Less, x.clone(), zero());
            ast_builder::conditional(at, [is_negative, negated, x])
        }
        "wrapping_neg" => wrap(ctx, ast_builder::unary(at, Unary::Negate, x), kind),
        "is_power_of_two" | "is_positive" | "is_negative" => {
            let truth = match name {
                "is_positive" => ast_builder::binary(at, Binary::Greater, x, zero()),
                "is_negative" => ast_builder::binary(at, Binary::Less, x, zero()),
                _ => ctx.unknown_integer(at),
            };
            return Some(Value::Plain(truth, Ty::Bool));
        }
        _ => return None,
    };
    Some(Value::Plain(value, kind.clone()))
}

/// A method of an integer with another operand.
fn integer_with<'a>(
    ctx: &mut Body<'a, '_>,
    a: Expression,
    b: Expression,
    kind: &Ty,
    name: &str,
    at: TextRange,
) -> Option<Value<'a>> {
    let operation = |operator, a, b| ast_builder::binary(at, operator, a, b);
    let plain = |value| Some(Value::Plain(value, kind.clone()));
    let is_unsigned = is_unsigned(kind);
    if let Some(operator) = wrapping_operator(name) {
        let value = operation(operator, a, b);
        return plain(match name.starts_with("wrapping_") {
            true => wrap(ctx, value, kind),
            false => value,
        });
    }
    match name {
        "min" | "max" | "abs_diff" | "saturating_sub" | "div_ceil" | "next_multiple_of" => {
            plain(of_stable_operands(ctx, a, b, kind, name, at))
        }
        "saturating_add" | "saturating_mul" => {
            let operator = match name {
                "saturating_add" => Binary::Add,
                _ => Binary::Multiply,
            };
            let value = operation(operator, a, b);
            plain(saturate(ctx, value, kind))
        }
        "div_euclid" if is_unsigned => plain(operation(Binary::Divide, a, b)),
        "rem_euclid" if is_unsigned => plain(operation(Binary::Remainder, a, b)),
        "rem_euclid" => plain(euclidean_remainder(ctx, a, b, at)),
        "checked_sub" if is_unsigned => {
            let (a, b) = (ctx.stabilize(a, "operand"), ctx.stabilize(b, "operand"));
            let is_some = operation(Binary::GreaterEqual, a.clone(), b.clone());
            let value = plain(operation(Binary::Subtract, a, b))?;
            Some(Value::Option(is_some, Box::new(value)))
        }
        "checked_div" | "checked_rem" if is_unsigned => {
            let b = ctx.stabilize(b, "operand");
            let operator = match name {
                "checked_div" => Binary::Divide,
                _ => Binary::Remainder,
            };
            let is_some = operation(Binary::NotEqual, b.clone(), ast_builder::integer(at, 0));
            let value = plain(operation(operator, a, b))?;
            Some(Value::Option(is_some, Box::new(value)))
        }
        "checked_add" | "checked_mul" | "checked_sub" => {
            let (value, is_some) = checked(ctx, a, b, kind, name, at);
            Some(Value::Option(is_some, Box::new(plain(value)?)))
        }
        "pow" => plain(power(ctx, a, b, at)?),
        "is_multiple_of" => {
            let rest = operation(Binary::Remainder, a, b);
            let truth = operation(Binary::Equal, rest, ast_builder::integer(at, 0));
            Some(Value::Plain(truth, Ty::Bool))
        }
        _ => None,
    }
}

fn is_unsigned(kind: &Ty) -> bool {
    matches!(kind, Ty::Int(kind) if !kind.signed)
}

/// The operator for a method that may wrap.
fn wrapping_operator(name: &str) -> Option<Binary> {
    match name
        .trim_start_matches("wrapping_")
        .trim_start_matches("unchecked_")
    {
        "add" | "strict_add" => Some(Binary::Add),
        "sub" => Some(Binary::Subtract),
        "mul" => Some(Binary::Multiply),
        "div" => Some(Binary::Divide),
        "rem" => Some(Binary::Remainder),
        _ => None,
    }
}

/// Methods that use their operands several times.
fn of_stable_operands(
    ctx: &mut Body,
    a: Expression,
    b: Expression,
    kind: &Ty,
    name: &str,
    at: TextRange,
) -> Expression {
    let operation = |operator, a, b| ast_builder::binary(at, operator, a, b);
    let (a, b) = (ctx.stabilize(a, "operand"), ctx.stabilize(b, "operand"));
    match name {
        "min" => ast_builder::least(at, a, b),
        "max" => ast_builder::greatest(at, a, b),
        "abs_diff" => {
            let test = operation(Binary::Less, a.clone(), b.clone());
            let up = operation(Binary::Subtract, b.clone(), a.clone());
            let down = operation(Binary::Subtract, a, b);
            ast_builder::conditional(at, [test, up, down])
        }
        "saturating_sub" if is_unsigned(kind) => {
            let difference = operation(Binary::Subtract, a, b);
            let difference = ctx.stabilize(difference, "difference");
            ast_builder::greatest(at, difference, ast_builder::integer(at, 0))
        }
        "saturating_sub" => {
            let difference = operation(Binary::Subtract, a, b);
            saturate(ctx, difference, kind)
        }
        "div_ceil" => adapters::rounded_up(at, a, b),
        _ => {
            let n_steps = adapters::rounded_up(at, a, b.clone());
            operation(Binary::Multiply, n_steps, b)
        }
    }
}

/// `(a % |b| + |b|) % |b|`
fn euclidean_remainder(ctx: &mut Body, a: Expression, b: Expression, at: TextRange) -> Expression {
    let operation = |operator, a, b| ast_builder::binary(at, operator, a, b);
    let b = match ast_builder::as_integer(&b) {
        Some(1..) => b,
        _ => {
            let b = ctx.stabilize(b, "operand");
            let minus = operation(Binary::Subtract, ast_builder::integer(at, 0), b.clone());
            let size = operation(Binary::Maximum, b, minus);
            ctx.stabilize(size, "size")
        }
    };
    let rest = operation(Binary::Remainder, a, b.clone());
    let above = operation(Binary::Add, rest, b.clone());
    operation(Binary::Remainder, above, b)
}

/// A sum, difference or product, and whether it is in the range of its type.
fn checked(
    ctx: &mut Body,
    a: Expression,
    b: Expression,
    kind: &Ty,
    name: &str,
    at: TextRange,
) -> (Expression, Expression) {
    let operation = |operator, a, b| ast_builder::binary(at, operator, a, b);
    let operator = match name {
        "checked_add" => Binary::Add,
        "checked_mul" => Binary::Multiply,
        _ => Binary::Subtract,
    };
    let value = ctx.stabilize(operation(operator, a, b), "value");
    let is_in_range = match bounds(kind) {
        Some((least, greatest)) => {
            let (least, greatest) = (
                ast_builder::integer(at, least),
                ast_builder::integer(at, greatest),
            );
            let above = operation(Binary::GreaterEqual, value.clone(), least);
            let below = operation(Binary::LessEqual, value.clone(), greatest);
            ast_builder::and(at, above, below)
        }
        // Overflow of 64 bits is not modelled.
        None => ctx.unknown_integer(at),
    };
    (value, is_in_range)
}

/// A power with a small exponent, or of 2.
fn power(ctx: &mut Body, a: Expression, b: Expression, at: TextRange) -> Option<Expression> {
    let operation = |operator, a, b| ast_builder::binary(at, operator, a, b);
    match ast_builder::as_integer(&b) {
        Some(exponent @ 0..=8) => {
            let a = ctx.stabilize(a, "operand");
            let mut product = ast_builder::integer(at, 1);
            for _ in 0..exponent {
                product = operation(Binary::Multiply, product, a.clone());
            }
            Some(product)
        }
        _ if ast_builder::as_integer(&a) == Some(2) => {
            Some(operation(Binary::ShiftLeft, ast_builder::integer(at, 1), b))
        }
        _ => None,
    }
}

/// A result saturated to the range of its type, up to 64 bits.
fn saturate(ctx: &mut Body, value: Expression, kind: &Ty) -> Expression {
    let at = value.at;
    match bounds(kind) {
        Some((least, greatest)) => {
            let value = ctx.stabilize(value, "value");
            let value = ast_builder::greatest(at, value, ast_builder::integer(at, least));
            let value = ctx.stabilize(value, "value");
            ast_builder::least(at, value, ast_builder::integer(at, greatest))
        }
        None if matches!(kind, Ty::Int(kind) if kind.bits == 64 && !kind.signed) => value,
        None => ctx.unknown_integer(at),
    }
}

/// A result wrapped to the range of its type.
fn wrap(_ctx: &mut Body, value: Expression, kind: &Ty) -> Expression {
    match kind {
        Ty::Int(kind) if (1..64).contains(&kind.bits) => {
            let narrow = ast_builder::cast(value.at, TypeName::Integer(*kind), value);
            ast_builder::cast(narrow.at, ast_builder::wide(), narrow)
        }
        Ty::Int(IntegerType {
            bits: 64,
            signed: false,
        }) => casts::natural(value.at, value),
        _ => value,
    }
}

/// The C function for a method of floating-point numbers; `nan`, which stands for an unknown function of its operands,
/// if there is none.
fn library_name(name: &str) -> &str {
    match name {
        "powf" => "pow",
        "powi" => "powi",
        "mul_add" => "fma",
        "ln" => "log",
        "ln_1p" => "log1p",
        "exp_m1" => "expm1",
        "exp" | "exp2" | "log2" | "log10" | "cbrt" | "hypot" | "copysign" | "sin" | "cos"
        | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "asinh"
        | "acosh" | "atanh" => name,
        _ => "nan",
    }
}

/// The minimum and maximum of a type of less than 64 bits.
fn bounds(kind: &Ty) -> Option<(i64, i64)> {
    match kind {
        Ty::Int(IntegerType { bits, signed }) if (1..64).contains(bits) => Some(match signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        }),
        _ => None,
    }
}

/// Whether an integer method accesses nothing: its result is data.
fn is_library_function(name: &str) -> bool {
    const KNOWN: [&str; 28] = [
        "pow",
        "count_ones",
        "count_zeros",
        "leading_zeros",
        "trailing_zeros",
        "ilog2",
        "ilog10",
        "ilog",
        "isqrt",
        "swap_bytes",
        "reverse_bits",
        "rotate_left",
        "rotate_right",
        "signum",
        "div_euclid",
        "rem_euclid",
        "next_power_of_two",
        "wrapping_shl",
        "wrapping_shr",
        "to_le_bytes",
        "to_be_bytes",
        "is_ascii_digit",
        "is_ascii_alphabetic",
        "to_ascii_lowercase",
        "is_alphanumeric",
        "cmp",
        "partial_cmp",
        "to_string",
    ];
    KNOWN.contains(&name) || name.starts_with("to_")
}
