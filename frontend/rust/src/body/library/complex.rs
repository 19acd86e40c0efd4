//! Complex numbers of num-complex: pairs of a real and an imaginary part.
//!
//! Each operation reads the parts of its operands once, from left to right. Sums, products and negations have the
//! operations of num-complex; the results of others are data.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::library::method_call::MethodCall;
use crate::body::values::places;
use crate::types::{SOME_FLOAT, Ty};
use crate::value::Value;
use premiss_ast::syntax::{Binary, Expression, TextRange, Unary};

/// Methods whose result is a real number.
const REAL: [&str; 7] = [
    "norm",
    "arg",
    "l1_norm",
    "abs",
    "is_nan",
    "is_finite",
    "is_zero",
];

/// Methods whose result is a complex number.
const COMPLEX: [&str; 24] = [
    "conj", "scale", "unscale", "inv", "finv", "exp", "ln", "sqrt", "sin", "cos", "tan", "sinh",
    "cosh", "tanh", "powi", "powu", "powf", "powc", "add", "sub", "mul", "div", "neg", "mul_add",
];

/// Whether a name is that of a complex type.
pub(crate) fn is_named(name: &str) -> bool {
    Ty::complex(name, None).is_some()
}

/// The type of the parts of a complex number.
pub(crate) fn part_type(ctx: &Body, kind: &Ty) -> Option<Ty> {
    let Ty::Tuple(parts) = kind else { return None };
    let [re, im] = parts.as_slice() else {
        return None;
    };
    let (re, im) = (ctx.inference.resolve(re), ctx.inference.resolve(im));
    let is_number = |kind: &Ty| matches!(kind, Ty::Float(_) | Ty::Int(_));
    (is_number(&re) && is_number(&im)).then_some(if re.is_weak() { im } else { re })
}

/// A complex number of data.
pub(crate) fn of_data<'a>(ctx: &mut Body<'a, '_>, part: &Ty, at: TextRange) -> Value<'a> {
    let re = ctx.unknown_value(part, at);
    let im = ctx.unknown_value(part, at);
    Value::Tuple(vec![re, im])
}

/// A complex number by a function of its type: `Complex::new(re, im)`.
pub(crate) fn complex_number<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    arguments: &[Value<'a>],
    kind: Option<&Ty>,
    at: TextRange,
) -> Option<Value<'a>> {
    let part = kind.and_then(|kind| part_type(ctx, kind));
    let part = part.unwrap_or(SOME_FLOAT);
    let number = |value: f64| {
        let size = match part {
            Ty::Float(4) => 4,
            _ => 8,
        };
        Value::Plain(ast_builder::floating(at, value, size), part.clone())
    };
    Some(match (name, arguments) {
        ("new", [re, im]) => Value::Tuple(vec![re.clone(), im.clone()]),
        ("zero" | "default", []) => Value::Tuple(vec![number(0.0), number(0.0)]),
        ("one", []) => Value::Tuple(vec![number(1.0), number(0.0)]),
        ("i", []) => Value::Tuple(vec![number(0.0), number(1.0)]),
        ("from", [re]) => Value::Tuple(vec![re.clone(), number(0.0)]),
        ("from_polar" | "cis", list) => {
            for value in list {
                places::load_whole(ctx, value, at);
            }
            of_data(ctx, &part, at)
        }
        _ => return None,
    })
}

/// An operation on two numbers of which one is complex; `None` for one whose operations are not modelled.
pub(crate) fn arithmetic<'a>(
    ctx: &mut Body<'a, '_>,
    operator: Binary,
    left: &Value<'a>,
    right: &Value<'a>,
    at: TextRange,
) -> Option<Value<'a>> {
    let (a, a_part) = held_parts(ctx, left, at)?;
    let (b, b_part) = held_parts(ctx, right, at)?;
    let part = if a_part.is_weak() { b_part } else { a_part };
    let apply = |operator, a: &Expression, b: &Expression| {
        ast_builder::binary(at, operator, a.clone(), b.clone())
    };
    let (re, im) = match (operator, a.as_slice(), b.as_slice()) {
        (Binary::Add | Binary::Subtract, [a, b], [c, d]) => {
            (apply(operator, a, c), apply(operator, b, d))
        }
        (Binary::Add | Binary::Subtract, [a, b], [c]) => (apply(operator, a, c), b.clone()),
        (Binary::Multiply | Binary::Divide, [a, b], [c]) => {
            (apply(operator, a, c), apply(operator, b, c))
        }
        (Binary::Multiply, [c], [a, b]) => (apply(operator, c, a), apply(operator, c, b)),
        (Binary::Multiply, [a, b], [c, d]) => {
            let product = |a, b| apply(Binary::Multiply, a, b);
            let re = apply(Binary::Subtract, &product(a, c), &product(b, d));
            (re, apply(Binary::Add, &product(a, d), &product(b, c)))
        }
        (Binary::Divide, [a, b], [c, d]) => {
            let product = |a, b| apply(Binary::Multiply, a, b);
            let norm = apply(Binary::Add, &product(c, c), &product(d, d));
            let memory = ctx.variable_type(&part);
            let norm = ctx.declare(ctx.fresh_at(at), "norm", memory, norm);
            let re = apply(Binary::Add, &product(a, c), &product(b, d));
            let im = apply(Binary::Subtract, &product(b, c), &product(a, d));
            (
                apply(Binary::Divide, &re, &norm),
                apply(Binary::Divide, &im, &norm),
            )
        }
        _ => return None,
    };
    Some(Value::Tuple(vec![
        Value::Plain(re, part.clone()),
        Value::Plain(im, part),
    ]))
}

/// The number with both parts negated.
pub(crate) fn negated<'a>(
    ctx: &mut Body<'a, '_>,
    value: &Value<'a>,
    at: TextRange,
) -> Option<Value<'a>> {
    let (parts, part) = held_parts(ctx, value, at)?;
    let parts = parts.into_iter().map(|x| {
        let negated = ast_builder::unary(at, Unary::Negate, x);
        Value::Plain(negated, part.clone())
    });
    Some(Value::Tuple(parts.collect()))
}

/// The parts of a number, which are read once, and their type: two of a complex number, one of another.
fn held_parts<'a>(
    ctx: &mut Body<'a, '_>,
    value: &Value<'a>,
    at: TextRange,
) -> Option<(Vec<Expression>, Ty)> {
    let parts = match value {
        Value::Tuple(parts) => parts.clone(),
        value @ Value::Plain(..) => vec![value.clone()],
        _ => return None,
    };
    let mut held = Vec::new();
    let mut known = SOME_FLOAT;
    for part in parts {
        let Value::Plain(place, kind) = part else {
            return None;
        };
        let kind = ctx.inference.resolve(&kind);
        if !matches!(kind, Ty::Float(_) | Ty::Int(_)) {
            return None;
        }
        let value = places::load(ctx, place, &kind);
        let memory = ctx.variable_type(&kind);
        held.push(match ctx.is_stable(&value) {
            true => value,
            false => ctx.declare(ctx.fresh_at(at), "part", memory, value),
        });
        if !kind.is_weak() {
            known = kind;
        }
    }
    Some((held, known))
}

/// A method of a complex number; `None` for one that is not known.
pub(crate) fn complex_method<'a>(
    ctx: &mut Body<'a, '_>,
    value: &Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Option<Value<'a>> {
    let at = method.at;
    let part = part_type(ctx, &value.kind())?;
    if matches!(method.name, "clone" | "to_owned" | "into") {
        return Some(value.clone());
    }
    if method.name == "norm_sqr" {
        let (parts, part) = held_parts(ctx, value, at)?;
        let squares = parts
            .into_iter()
            .map(|x| ast_builder::binary(at, Binary::Multiply, x.clone(), x));
        let sum = squares.reduce(|a, b| ast_builder::binary(at, Binary::Add, a, b))?;
        return Some(Value::Plain(sum, part));
    }
    let is_real = REAL.contains(&method.name);
    if !is_real && !COMPLEX.contains(&method.name) {
        return None;
    }
    let list = method.arguments.iter().map(|x| (*x, None)).collect();
    let (value, arguments) = ctx.evaluate_in_order(value.clone(), |ctx| ctx.operands(list));
    places::load_whole(ctx, &value, at);
    for argument in arguments {
        let argument = places::strip_references(ctx, argument, at);
        places::load_whole(ctx, &argument, at);
    }
    Some(match (is_real, method.name.starts_with("is_")) {
        (true, true) => Value::Plain(ctx.unknown_integer(at), Ty::Bool),
        (true, false) => ctx.unknown_value(&part, at),
        (false, _) => of_data(ctx, &part, at),
    })
}

/// Stores data to the parts of a complex number.
pub(crate) fn store_data<'a>(ctx: &mut Body<'a, '_>, place: &Value<'a>, at: TextRange) {
    let Value::Tuple(parts) = place else { return };
    for part in parts {
        if let Value::Plain(place, kind) = part {
            let data = ctx.unknown_value(kind, at);
            places::store(ctx, place.clone(), kind, data, at);
        }
    }
}
