//! Numbers by functions of traits, whose type the context tells: those of num-traits, of simba, and of nalgebra.
//!
//! ```text
//! let mut sum = T::zero();         0.0 where T is f64
//! let half: f64 = na::convert(0.5) the number
//! Real::pi() * r                   data
//! ```
//!
//! None of them accesses an array, whatever the type is.

use crate::ast_builder;
use crate::body::calls::paths;
use crate::body::context::Body;
use crate::body::values::{casts, places};
use crate::types::{GenericArg, SOME_FLOAT, Ty};
use crate::value::Value;
use premiss_ast::syntax::TextRange;

/// Numbers without operands.
const CONSTANTS: &str = "zero one max_value min_value epsilon default_epsilon default_max_relative infinity \
                         neg_infinity nan min_positive_value neg_zero pi two_pi e frac_1_pi frac_2_pi frac_2_sqrt_pi \
                         frac_pi_2 frac_pi_3 frac_pi_4 frac_pi_6 frac_pi_8 ln_2 ln_10 log2_e log10_e sqrt_2 \
                         frac_1_sqrt_2 PI TAU E FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 \
                         FRAC_PI_6 FRAC_PI_8 LN_2 LN_10 LOG2_E LOG10_E SQRT_2 FRAC_1_SQRT_2";

/// The crates whose functions convert numbers.
const CRATES: [&str; 6] = ["na", "nalgebra", "num", "num_traits", "simba", "NumCast"];

/// A call of one of these functions.
pub(crate) fn call<'a>(
    ctx: &mut Body<'a, '_>,
    names: &[&str],
    path: &syn::Path,
    arguments: &[Value<'a>],
    (at, expected): (TextRange, Option<&Ty>),
) -> Option<Value<'a>> {
    let [.., owner, name] = names else {
        return None;
    };
    let is_of_crate = CRATES.contains(owner);
    match arguments {
        [] if CONSTANTS.split_ascii_whitespace().any(|one| one == *name) => {
            let owned = paths::owner_of_path(ctx, path);
            let has_own = !is_of_crate && !ctx.program.index.functions_named(name).is_empty();
            let stated = stated_type(ctx, path).or(owned).filter(Ty::is_scalar);
            let expected = expected.map(|kind| ctx.inference.resolve(kind));
            match stated.or(expected.clone().filter(Ty::is_scalar)) {
                Some(kind) => number_of_type(ctx, kind, name, at),
                None if has_own || matches!(expected, Some(Ty::Tuple(_))) => None,
                None => Some(Value::Unknown(Ty::unknown())),
            }
        }
        [number] if is_of_crate && matches!(*name, "convert" | "convert_unchecked") => {
            converted(ctx, number.clone(), path, (at, expected))
        }
        [number] if is_of_crate && matches!(*name, "cast" | "try_convert") => {
            let inner = match expected {
                Some(Ty::Option(inner)) => Some((**inner).clone()),
                _ => None,
            };
            let number = converted(ctx, number.clone(), path, (at, inner.as_ref()))?;
            Some(Value::Option(ctx.unknown_integer(at), Box::new(number)))
        }
        _ => None,
    }
}

/// The last type that a path states in angle brackets: the result of `cast::<usize, f64>`.
fn stated_type(ctx: &Body, path: &syn::Path) -> Option<Ty> {
    let arguments = ctx
        .program
        .arguments(path.segments.last()?, &ctx.substitution, 0);
    match arguments.into_iter().next_back()? {
        GenericArg::Type(kind) => Some(kind),
        GenericArg::Value(_) => None,
    }
}

/// A number as one of another type, which the path or the context tells.
fn converted<'a>(
    ctx: &mut Body<'a, '_>,
    number: Value<'a>,
    path: &syn::Path,
    (at, expected): (TextRange, Option<&Ty>),
) -> Option<Value<'a>> {
    let number = places::strip_references(ctx, number, at);
    let kind = ctx.inference.resolve(&number.kind());
    let stated = stated_type(ctx, path).or_else(|| expected.cloned());
    let stated = stated.map(|kind| ctx.inference.resolve(&kind));
    match stated.filter(Ty::is_scalar) {
        Some(to) if kind.is_scalar() => Some(casts::convert(ctx, number, to, at)),
        None if matches!(kind, Ty::Float(_)) => Some(casts::convert(ctx, number, SOME_FLOAT, at)),
        _ if kind.is_scalar() => {
            ctx.evaluate(number);
            Some(Value::Unknown(Ty::unknown()))
        }
        _ => None,
    }
}

/// A number of a type by its name.
pub(crate) fn number_of_type<'a>(
    ctx: &mut Body<'a, '_>,
    kind: Ty,
    name: &str,
    at: TextRange,
) -> Option<Value<'a>> {
    if !kind.is_scalar() {
        return None;
    }
    Some(match (name, &kind) {
        ("zero" | "one" | "default", Ty::Float(size)) => {
            let value = if name == "one" { 1.0 } else { 0.0 };
            Value::Plain(ast_builder::floating(at, value, *size), kind)
        }
        ("zero" | "one" | "default", _) if kind.is_integer() => {
            Value::Plain(ast_builder::integer(at, (name == "one").into()), kind)
        }
        _ if CONSTANTS.split_ascii_whitespace().any(|one| one == name) => {
            ctx.unknown_value(&kind, at)
        }
        _ => return None,
    })
}
