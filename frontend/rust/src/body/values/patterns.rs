//! Patterns: their bindings, and tests whether a value matches.

use crate::ast_builder;
use crate::body::calls::vector_lengths;
use crate::body::context::Body;
use crate::body::iterators::positions;
use crate::body::values::scrutinees::{self, Scrutinee};
use crate::body::values::{fields, places};
use crate::types::Ty;
use crate::value::{Slice, Value};
use premiss_ast::syntax::{Binary, Expression, TextRange, Unary};
use syn::{Expr, Pat};

/// Binds the names of a pattern to the parts of a value that was computed.
pub(crate) fn bind<'a>(ctx: &mut Body<'a, '_>, pattern: &'a Pat, value: Value<'a>) {
    bind_from(ctx, pattern, value, Scrutinee::Value);
}

/// Binds the names of a pattern to the parts of a value.
pub(crate) fn bind_from<'a>(
    ctx: &mut Body<'a, '_>,
    pattern: &'a Pat,
    value: Value<'a>,
    source: Scrutinee,
) {
    match pattern {
        Pat::Ident(ident) => bind_identifier(ctx, ident, value, source),
        Pat::Reference(reference) => {
            let at = ctx.at(pattern);
            let value = places::dereference(ctx, value, at);
            bind_from(ctx, &reference.pat, value, Scrutinee::Place);
        }
        Pat::Tuple(tuple) => bind_parts(ctx, &tuple.elems, &value, source),
        Pat::TupleStruct(tuple) => bind_tuple_struct(ctx, tuple, value, source),
        Pat::Struct(fields) => bind_fields(ctx, fields, &value, source),
        Pat::Slice(list) => bind_elements(ctx, list, value, source),
        Pat::Paren(inner) => bind_from(ctx, &inner.pat, value, source),
        Pat::Type(typed) => bind_from(ctx, &typed.pat, value, source),
        Pat::Guard(guard) => bind_from(ctx, &guard.pat, value, source),
        Pat::Or(or) => {
            if let Some(first) = or.cases.first() {
                let unknown = Value::Unknown(value.kind());
                bind(ctx, first, unknown);
            }
        }
        _ if source == Scrutinee::Value => {
            ctx.evaluate(value);
        }
        _ => scrutinees::discard(ctx, &value),
    }
}

fn bind_identifier<'a>(
    ctx: &mut Body<'a, '_>,
    ident: &'a syn::PatIdent,
    value: Value<'a>,
    source: Scrutinee,
) {
    let name = ident.ident.to_string();
    let at = ctx.at(&ident.ident);
    if let Some((_, inner)) = &ident.subpat {
        bind_from(ctx, inner, value.clone(), source);
    }
    let value = match ident.by_ref.is_some() || source == Scrutinee::Target {
        true => places::borrow(ctx, value, at),
        false => value,
    };
    bind_name(ctx, &name, value, ident.mutability.is_some(), at);
}

fn bind_tuple_struct<'a>(
    ctx: &mut Body<'a, '_>,
    tuple: &'a syn::PatTupleStruct,
    value: Value<'a>,
    source: Scrutinee,
) {
    let value = match ctx.inference.resolve(&value.kind()).peeled() {
        Ty::Record(..) => value,
        _ => payload(ctx, value),
    };
    if tuple.elems.len() == 1 && !is_record(ctx, &value) {
        bind_from(ctx, &tuple.elems[0], value, source);
    } else {
        bind_parts(ctx, &tuple.elems, &value, source);
    }
}

fn bind_fields<'a>(
    ctx: &mut Body<'a, '_>,
    fields: &'a syn::PatStruct,
    value: &Value<'a>,
    source: Scrutinee,
) {
    let source = source.of_parts(ctx, value);
    for field in &fields.fields {
        let at = ctx.at(field);
        let name = fields::member_name(&field.member);
        let part = fields::field_of(ctx, value.clone(), &name, at);
        bind_from(ctx, &field.pat, part, source);
    }
}

fn is_record<'a>(ctx: &mut Body<'a, '_>, value: &Value<'a>) -> bool {
    matches!(
        ctx.inference.resolve(&value.kind()).peeled(),
        Ty::Record(..)
    )
}

/// The content of a `Some` or `Ok`.
pub(crate) fn payload<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Option(_, inner) => *inner,
        other => match ctx.inference.resolve(&other.kind()).peeled() {
            Ty::Option(inner) => Value::Unknown((**inner).clone()),
            _ => Value::Unknown(Ty::unknown()),
        },
    }
}

fn bind_parts<'a>(
    ctx: &mut Body<'a, '_>,
    patterns: &'a syn::punctuated::Punctuated<Pat, syn::Token![,]>,
    value: &Value<'a>,
    source: Scrutinee,
) {
    let source = source.of_parts(ctx, value);
    let is_rest = |pattern: &&Pat| matches!(pattern, Pat::Rest(_));
    let n_patterns = patterns.iter().filter(|p| !is_rest(p)).count();
    let n_parts = match value {
        Value::Tuple(parts) => parts.len(),
        _ => n_patterns,
    };
    let mut idx = 0;
    for pattern in patterns {
        if is_rest(&pattern) {
            idx += n_parts.saturating_sub(n_patterns);
            continue;
        }
        let at = ctx.at(pattern);
        let part = fields::field_of(ctx, value.clone(), &idx.to_string(), at);
        bind_from(ctx, pattern, part, source);
        idx += 1;
    }
}

fn bind_elements<'a>(
    ctx: &mut Body<'a, '_>,
    list: &'a syn::PatSlice,
    value: Value<'a>,
    source: Scrutinee,
) {
    let at = ctx.at(list);
    let is_slice = matches!(value, Value::Slice(_));
    let source = match is_slice {
        true => Scrutinee::Target,
        false => source.of_parts(ctx, &value),
    };
    let Some(slice) = places::as_slice(ctx, value, at) else {
        list.elems
            .iter()
            .for_each(|p| bind(ctx, p, Value::Unknown(Ty::unknown())));
        return;
    };
    let n_patterns = list.elems.len();
    let rest = list.elems.iter().position(is_rest);
    for (idx, pattern) in list.elems.iter().enumerate() {
        let number = |n: usize| ast_builder::integer(at, i64::try_from(n).unwrap_or(i64::MAX));
        let place = match rest {
            Some(rest) if rest == idx => {
                let left = ast_builder::binary(
                    at,
                    Binary::Subtract,
                    slice.length.clone(),
                    number(n_patterns - 1),
                );
                let start = ast_builder::index(at, slice.pointer.clone(), number(idx));
                let part = Value::Slice(Slice {
                    pointer: ast_builder::address(at, start),
                    length: left,
                    ..slice.clone()
                });
                bind(ctx, pattern, part);
                continue;
            }
            Some(rest) if rest < idx => {
                let behind = number(n_patterns - idx);
                ast_builder::binary(at, Binary::Subtract, slice.length.clone(), behind)
            }
            _ => number(idx),
        };
        let element = ast_builder::index(ctx.at(pattern), slice.pointer.clone(), place);
        let element = places::value_at(ctx, element, &slice.element.clone());
        let element = match pattern {
            Pat::Reference(_) => places::borrow(ctx, element, at),
            _ => element,
        };
        bind_from(ctx, pattern, element, source);
    }
}

/// Binds a name to a value, in new variables if the value is not in variables already.
pub(crate) fn bind_name<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    value: Value<'a>,
    is_mutable: bool,
    at: TextRange,
) {
    let value = match value {
        Value::Iterator(sequence) if is_mutable => {
            let held = positions::hold(ctx, *sequence, name, at);
            Value::Iterator(Box::new(held))
        }
        value => own_binding(ctx, name, value, is_mutable, at),
    };
    ctx.environment.bind(name.to_owned(), value);
}

/// Copies a value to new variables.
pub(crate) fn own_binding<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    value: Value<'a>,
    is_mutable: bool,
    at: TextRange,
) -> Value<'a> {
    if let Some(made) = places::take_fresh(ctx, &value) {
        return made;
    }
    let is_borrowed = vector_lengths::is_borrowed_vector(ctx, &value);
    if !is_mutable && is_borrowed {
        return value;
    }
    let value = ctx.inference.open_literal(value, at);
    if let Value::Plain(place, kind) = &value
        && places::is_array(ctx, kind)
    {
        let kind = ctx.inference.resolve(kind);
        return places::copy_of_array(ctx, name, place.clone(), &kind, at);
    }
    let mut parts = Vec::new();
    value.parts(&mut parts);
    let kinds = ctx.part_kinds(&value);
    let mut own = Vec::new();
    for (idx, (part, (suffix, kind))) in parts.into_iter().zip(kinds).enumerate() {
        let name = ctx.fresh_name(&format!("{name}{suffix}"));
        if is_mutable {
            ctx.mutable_names.insert(name.clone());
        }
        let place = if idx == 0 { at } else { ctx.fresh_at(at) };
        ctx.emit(ast_builder::declaration(place, &name, kind, Some(part)));
        own.push(ast_builder::name(at, &name));
    }
    let own = value.with_parts(&mut own.into_iter());
    match own {
        // If its length changes, its address would have to change, too.
        Value::Slice(slice) if is_borrowed => Value::Slice(Slice {
            length: ast_builder::unary(at, Unary::Plus, slice.length),
            ..slice
        }),
        own => own,
    }
}

/// The condition under which a pattern matches; `None` if it always does.
pub(crate) fn pattern_test<'a>(
    ctx: &mut Body<'a, '_>,
    pattern: &'a Pat,
    value: &Value<'a>,
) -> Option<Expression> {
    let at = ctx.at(pattern);
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => None,
        Pat::Ident(ident) => match &ident.subpat {
            Some((_, inner)) => pattern_test(ctx, inner, value),
            None => matches_name(ctx, &ident.ident.to_string(), value, at),
        },
        Pat::Lit(literal) => {
            let value = scalar_of(ctx, value, at);
            let literal = ctx.literal(&literal.lit, at, None);
            match literal {
                Value::Plain(literal, kind) if kind.is_integer() || kind == Ty::Bool => {
                    Some(ast_builder::binary(at, Binary::Equal, value, literal))
                }
                _ => Some(ctx.unknown_integer(at)),
            }
        }
        Pat::Range(range) => Some(matches_range(ctx, range, value, at)),
        Pat::Or(or) => {
            let mut any: Option<Expression> = None;
            for case in &or.cases {
                let one = pattern_test(ctx, case, value)?;
                any = Some(match any {
                    Some(before) => {
                        let kind = premiss_ast::syntax::ExpressionKind::Or(
                            Box::new(before),
                            Box::new(one),
                        );
                        Expression::new(at, kind)
                    }
                    None => one,
                });
            }
            any
        }
        Pat::Paren(inner) => pattern_test(ctx, &inner.pat, value),
        Pat::Type(inner) => pattern_test(ctx, &inner.pat, value),
        Pat::Reference(inner) => {
            let value = places::dereference(ctx, value.clone(), at);
            pattern_test(ctx, &inner.pat, &value)
        }
        Pat::Tuple(tuple) => {
            let mut all = None;
            for (idx, part) in tuple.elems.iter().enumerate() {
                let inner = fields::field_of(ctx, value.clone(), &idx.to_string(), at);
                all = conjunction(ctx, all, part, &inner, at);
            }
            all
        }
        Pat::TupleStruct(tuple) => matches_variant(ctx, tuple, value, at),
        Pat::Path(path) => matches_path(ctx, path, value, at),
        Pat::Struct(fields) if is_record(ctx, value) && fields.fields.is_empty() => None,
        _ => Some(ctx.unknown_integer(at)),
    }
}

fn conjunction<'a>(
    ctx: &mut Body<'a, '_>,
    all: Option<Expression>,
    pattern: &'a Pat,
    value: &Value<'a>,
    at: TextRange,
) -> Option<Expression> {
    match (all, pattern_test(ctx, pattern, value)) {
        (Some(a), Some(b)) => Some(ast_builder::and(at, a, b)),
        (a, b) => a.or(b),
    }
}

fn matches_name<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    value: &Value<'a>,
    at: TextRange,
) -> Option<Expression> {
    if name == "None" {
        return Some(is_some_test(ctx, value, at, 0));
    }
    let is_constant = name
        .chars()
        .all(|c| c.is_uppercase() || c == '_' || c.is_numeric())
        && name.starts_with(char::is_uppercase)
        || fields::variant_named(ctx, name, at).is_some();
    if !is_constant {
        return None;
    }
    let value = scalar_of(ctx, value, at);
    let constant = fields::named_value(ctx, name, at);
    Some(
        match constant.or_else(|| fields::variant_named(ctx, name, at)) {
            Some(Value::Plain(constant, _)) => {
                ast_builder::binary(at, Binary::Equal, value, constant)
            }
            _ => ctx.unknown_integer(at),
        },
    )
}

fn matches_path<'a>(
    ctx: &mut Body<'a, '_>,
    path: &'a syn::ExprPath,
    value: &Value<'a>,
    at: TextRange,
) -> Option<Expression> {
    match path.path.segments.last() {
        Some(last) if last.ident == "None" => return Some(is_some_test(ctx, value, at, 0)),
        _ => {}
    }
    let number = scalar_of(ctx, value, at);
    Some(match fields::path_value(ctx, path, at) {
        Value::Plain(constant, kind) if kind.is_integer() || kind == Ty::Bool => {
            ast_builder::binary(at, Binary::Equal, number, constant)
        }
        _ => ctx.unknown_integer(at),
    })
}

fn matches_variant<'a>(
    ctx: &mut Body<'a, '_>,
    tuple: &'a syn::PatTupleStruct,
    value: &Value<'a>,
    at: TextRange,
) -> Option<Expression> {
    if is_record(ctx, value) {
        return None;
    }
    let last = tuple
        .path
        .segments
        .last()
        .map(|part| part.ident.to_string());
    let wanted = match last.as_deref() {
        Some("Some" | "Ok") => 1,
        Some("Err") => 0,
        _ => return Some(ctx.unknown_integer(at)),
    };
    let here = is_some_test(ctx, value, at, wanted);
    let inner = payload(ctx, value.clone());
    match tuple.elems.first() {
        Some(pattern) if wanted == 1 => conjunction(ctx, Some(here), pattern, &inner, at),
        _ => Some(here),
    }
}

/// The condition that a value is `Some`, or that it is not.
pub(crate) fn is_some_test<'a>(
    ctx: &mut Body<'a, '_>,
    value: &Value<'a>,
    at: TextRange,
    wanted: i64,
) -> Expression {
    match (value, wanted) {
        (Value::Option(is_some, _), 1) => is_some.clone(),
        (Value::Option(is_some, _), _) => ast_builder::unary(at, Unary::Not, is_some.clone()),
        _ => ctx.unknown_integer(at),
    }
}

fn matches_range<'a>(
    ctx: &mut Body<'a, '_>,
    range: &'a syn::ExprRange,
    value: &Value<'a>,
    at: TextRange,
) -> Expression {
    let value = scalar_of(ctx, value, at);
    let bound = |ctx: &mut Body<'a, '_>, end: &'a Option<Box<Expr>>, operator| {
        let end = end.as_ref()?;
        let end = ctx.integer(end);
        Some(ast_builder::binary(at, operator, value.clone(), end))
    };
    let start = bound(ctx, &range.start, Binary::GreaterEqual);
    let operator = match range.limits {
        syn::RangeLimits::HalfOpen(_) => Binary::Less,
        syn::RangeLimits::Closed(_) => Binary::LessEqual,
    };
    let end = bound(ctx, &range.end, operator);
    match (start, end) {
        (Some(a), Some(b)) => ast_builder::and(at, a, b),
        (Some(a), None) | (None, Some(a)) => a,
        (None, None) => ast_builder::integer(at, 1),
    }
}

/// A scalar for comparison with patterns.
fn scalar_of<'a>(ctx: &mut Body<'a, '_>, value: &Value<'a>, at: TextRange) -> Expression {
    let value = places::strip_references(ctx, value.clone(), at);
    match value {
        Value::Plain(expression, kind) if kind.is_integer() || kind == Ty::Bool => {
            places::load(ctx, expression, &kind)
        }
        _ => ctx.unknown_integer(at),
    }
}

fn is_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Rest(_) => true,
        Pat::Ident(ident) => matches!(&ident.subpat, Some((_, inner)) if is_rest(inner)),
        _ => false,
    }
}
