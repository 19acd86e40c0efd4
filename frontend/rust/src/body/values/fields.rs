//! Paths and fields: variables, associated constants, members of structs and tuples.

use crate::ast_builder;
use crate::body::calls::paths;
use crate::body::context::Body;
use crate::body::values::{captures, constants, places};
use crate::types::{GenericArg, Ty};
use crate::value::{ClosureCode, Value};
use premiss_ast::syntax::{Expression, ExpressionKind, TextRange};
use std::sync::Arc;
use syn::spanned::Spanned;

impl Value<'_> {
    /// A part of a value that is not modelled.
    fn part(self) -> Self {
        Value::Unknown(Ty::unknown())
    }
}

/// The value of a path.
pub(crate) fn path_value<'a>(
    ctx: &mut Body<'a, '_>,
    path: &'a syn::ExprPath,
    at: TextRange,
) -> Value<'a> {
    let parts = paths::path_parts(ctx, path);
    if let [name] = parts.as_slice()
        && let Some(value) = named_value(ctx, name, at)
    {
        return value;
    }
    if let Some((kind, _)) = paths::owner_of(ctx, path)
        && let Some(last) = parts.last()
    {
        if let Some(constant) = ctx.program.constant_of_type(&kind, last) {
            return constants::constant_value(ctx, constant, at);
        }
        if let Some(value) = variant_of(ctx, &kind, last, at) {
            return value;
        }
    }
    if let Some(value) = associated_value(ctx, &parts, at) {
        return value;
    }
    let seen_from = (ctx.unit, path.span().byte_range().start);
    if ctx.program.index.function_of(seen_from, &parts).is_some() || names_function(&parts) {
        return captures::closure_value(ctx, ClosureCode::Path(path), at);
    }
    match parts.last().map(String::as_str) {
        Some("None") => Value::Option(
            ast_builder::integer(at, 0),
            Box::new(Value::Unknown(Ty::unknown())),
        ),
        Some(name) => match variant_named(ctx, name, at).filter(|_| parts.len() == 1) {
            Some(value) => value,
            None => library_constant(ctx, &parts, name, at),
        },
        None => Value::Unknown(Ty::unknown()),
    }
}

/// A variant of an enumeration: `Size::Small`.
fn variant_of<'a>(
    ctx: &mut Body<'a, '_>,
    kind: &Ty,
    variant: &str,
    at: TextRange,
) -> Option<Value<'a>> {
    let list = &ctx.program.index.enumerations;
    match kind {
        Ty::Enum(idx, _) => {
            let one = &list.list[*idx];
            let value = one.discriminant(variant);
            let has_variant = one.has_variant(variant);
            let value = value.map(|value| ast_builder::integer(at, value));
            let value = value.or_else(|| has_variant.then(|| ctx.unknown_integer(at)))?;
            Some(Value::Plain(value, kind.clone()))
        }
        Ty::Unknown(name) => {
            let one = &list.list[list.of_name(name)?];
            one.has_variant(variant)
                .then(|| Value::Unknown(kind.clone()))
        }
        _ => None,
    }
}

/// A variant that is imported, by its own name.
pub(crate) fn variant_named<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    at: TextRange,
) -> Option<Value<'a>> {
    let idx = ctx.program.index.enumerations.with_variant(name)?;
    let kind = Ty::Enum(
        idx,
        ctx.program.index.enumerations.list[idx].representation?,
    );
    variant_of(ctx, &kind, name, at)
}

/// The value of a single name.
pub(crate) fn named_value<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    at: TextRange,
) -> Option<Value<'a>> {
    if let Some(value) = ctx.environment.get(name) {
        return Some(replaced(value, at));
    }
    if let Some(value) = ctx.substitution.values.get(name) {
        let mut value = (**value).clone();
        value.at = at;
        return Some(Value::size(value));
    }
    let constant = ctx.program.index.constant_of(ctx.unit, name)?;
    Some(constants::constant_value(ctx, constant, at))
}

/// A constant of a type: `Self::N`, `f64::MAX`.
fn associated_value<'a>(
    ctx: &mut Body<'a, '_>,
    parts: &[String],
    at: TextRange,
) -> Option<Value<'a>> {
    let [.., owner, last] = parts else {
        return None;
    };
    let full = format!("{owner}::{last}");
    if let Some(constant) = ctx.program.index.constant_of(ctx.unit, &full) {
        return Some(constants::constant_value(ctx, constant, at));
    }
    let is_type = owner.starts_with(char::is_uppercase) || Ty::primitive(owner).is_some();
    if !is_type && let Some(constant) = ctx.program.index.constant_of(ctx.unit, last) {
        return Some(constants::constant_value(ctx, constant, at));
    }
    None
}

/// A constant of the standard library.
fn library_constant<'a>(
    ctx: &mut Body<'a, '_>,
    parts: &[String],
    name: &str,
    at: TextRange,
) -> Value<'a> {
    let owner = parts.len().checked_sub(2).and_then(|idx| parts.get(idx));
    let kind = owner.and_then(|owner| Ty::primitive(owner));
    match (kind, name) {
        (Some(Ty::Int(kind)), "MAX" | "MIN" | "BITS") => {
            let value = match (name, kind.signed) {
                ("BITS", _) => i64::from(kind.bits),
                ("MIN", false) => 0,
                ("MAX", false) if kind.bits < 64 => (1 << kind.bits) - 1,
                ("MAX", _) => i64::MAX >> (64 - u32::from(kind.bits)),
                _ => i64::MIN >> (64 - u32::from(kind.bits)),
            };
            Value::Plain(ast_builder::integer(at, value), Ty::Int(kind))
        }
        (Some(kind), _) => ctx.unknown_value(&kind, at),
        (None, _) if owner.is_some_and(|owner| is_constant_of_floats(owner, name)) => Value::Plain(
            ast_builder::data(at, premiss_ast::syntax::TypeName::Floating(8)),
            Ty::Float(0),
        ),
        _ => Value::Unknown(Ty::unknown()),
    }
}

/// Whether a path, by its last two names, is a constant of `std::f64::consts`, which the text may import under another
/// name: `f64_consts::PI`.
fn is_constant_of_floats(module: &str, name: &str) -> bool {
    const NAMES: [&str; 20] = [
        "E",
        "EGAMMA",
        "FRAC_1_PI",
        "FRAC_1_SQRT_2",
        "FRAC_2_PI",
        "FRAC_2_SQRT_PI",
        "FRAC_PI_2",
        "FRAC_PI_3",
        "FRAC_PI_4",
        "FRAC_PI_6",
        "FRAC_PI_8",
        "LN_10",
        "LN_2",
        "LOG10_2",
        "LOG10_E",
        "LOG2_10",
        "LOG2_E",
        "PI",
        "SQRT_2",
        "TAU",
    ];
    let is_module = module.starts_with(char::is_lowercase);
    module == "consts" || is_module && NAMES.contains(&name)
}

pub(crate) fn field_expression<'a>(
    ctx: &mut Body<'a, '_>,
    field: &'a syn::ExprField,
    at: TextRange,
) -> Value<'a> {
    let base = ctx.expression(&field.base, None);
    field_of(ctx, base, &member_name(&field.member), at)
}

/// A field of a value.
pub(crate) fn field_of<'a>(
    ctx: &mut Body<'a, '_>,
    base: Value<'a>,
    name: &str,
    at: TextRange,
) -> Value<'a> {
    match base {
        Value::Tuple(parts) => match number_of_part(name)
            .parse::<usize>()
            .ok()
            .and_then(|i| parts.get(i))
        {
            Some(part) => part.clone(),
            None => Value::Unknown(Ty::unknown()),
        },
        Value::Alias(value) => field_of(ctx, *value, name, at),
        Value::Range(range) => match name {
            "start" => range
                .start
                .map_or(Value::Unknown(Ty::unknown()), Value::size),
            _ => range.end.map_or(Value::Unknown(Ty::unknown()), Value::size),
        },
        Value::Plain(place, kind) => match ctx.inference.resolve(&kind) {
            Ty::Pointer(_) | Ty::Box(_) => {
                let base_at = place.at;
                let by_reference = places::dereference(ctx, Value::Plain(place, kind), base_at);
                field_of(ctx, by_reference, name, at)
            }
            Ty::Record(record, arguments) => member_of(ctx, place, record, &arguments, name, at),
            kind => Value::Unknown(kind).part(),
        },
        Value::Unknown(kind) => match ctx.inference.resolve(&kind) {
            Ty::Tuple(kinds) => match number_of_part(name)
                .parse::<usize>()
                .ok()
                .and_then(|i| kinds.get(i))
            {
                Some(kind) => ctx.unknown_value(&kind.clone(), at),
                None => Value::Unknown(Ty::unknown()),
            },
            Ty::Record(record, arguments) => {
                let fields = ctx.program.fields(record, &arguments);
                let field = fields.into_iter().find(|(field, _)| field == name);
                match field {
                    Some((_, kind)) => ctx.unknown_value(&kind, at),
                    None => Value::Unknown(Ty::unknown()),
                }
            }
            _ => Value::Unknown(Ty::unknown()),
        },
        _ => Value::Unknown(Ty::unknown()),
    }
}

/// The number of a part of a tuple, or of a complex number.
fn number_of_part(name: &str) -> &str {
    match name {
        "re" => "0",
        "im" => "1",
        name => name,
    }
}

fn member_of<'a>(
    ctx: &mut Body<'a, '_>,
    place: Expression,
    record: usize,
    arguments: &Arc<[GenericArg]>,
    name: &str,
    at: TextRange,
) -> Value<'a> {
    let fields = ctx.program.fields(record, arguments);
    let Some((_, kind)) = fields.into_iter().find(|(field, _)| field == name) else {
        return Value::Unknown(Ty::unknown());
    };
    let own = ctx
        .inference
        .resolve_deeply(&Ty::Record(record, arguments.clone()));
    // The layout is created on first use.
    ctx.memory_type(&own);
    let member = member_place(ctx, &own, place, name, at);
    places::value_at(ctx, member, &kind)
}

/// The place of a member of a struct; the struct itself where that is laid out as an array.
pub(crate) fn member_place(
    ctx: &Body,
    own: &Ty,
    place: Expression,
    name: &str,
    at: TextRange,
) -> Expression {
    match ctx.program.wrapped_array(own, 0) {
        Some(_) => Expression { at, ..place },
        None => ast_builder::member(at, place, name),
    }
}

/// Whether a path looks like that of a function: `f64::max`, `Some`.
fn names_function(parts: &[String]) -> bool {
    let is_lower = |name: &str| name.starts_with(|c: char| c.is_lowercase() || c == '_');
    match parts {
        [single] => matches!(single.as_str(), "Some" | "Ok" | "Err"),
        [.., last] => is_lower(last),
        [] => false,
    }
}

/// The value of a name, with the place of its use.
fn replaced<'a>(value: &Value<'a>, at: TextRange) -> Value<'a> {
    let mut parts = Vec::new();
    value.parts(&mut parts);
    let mut moved = parts.into_iter().map(|mut part| {
        if let ExpressionKind::Name(_) = part.kind {
            part.at = at;
        }
        part
    });
    value.with_parts(&mut moved)
}

/// The name of a field as written.
pub(crate) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}
