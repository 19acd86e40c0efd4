//! Aggregates: literals of arrays, structs and tuple structs, stored field by field to their destination.

use crate::ast_builder;
use crate::body::calls::{paths, vector_lengths};
use crate::body::context::Body;
use crate::body::iterators::iterator_structs;
use crate::body::library::complex;
use crate::body::values::{fields, places};
use crate::types::{ArrayLength, GenericArg, Ty};
use crate::value::Value;
use premiss_ast::syntax::{Expression, TextRange};
use std::sync::Arc;

/// The maximum number of elements of an array that are stored one by one.
const MAX_ELEMENTS: usize = 4_096;

/// `[a, b, c]`
pub(crate) fn array_literal<'a>(
    ctx: &mut Body<'a, '_>,
    array: &'a syn::ExprArray,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let wanted = ctx.target_name.take();
    let inner = expected.and_then(Ty::element).map(|kind| (*kind).clone());
    let inner = inner.filter(|kind| !kind.is_unknown());
    let n_elements = array.elems.len();
    if MAX_ELEMENTS < n_elements {
        return ctx.unsupported("an array of more than 4096 written elements", at);
    }
    let list = array.elems.iter().map(|x| (x, inner.clone())).collect();
    let values = ctx.operands(list);
    let element = match (&inner, values.first()) {
        (Some(kind), _) => kind.clone(),
        (None, Some(first)) => ctx.inference.open_type(first.kind(), at),
        (None, None) => ctx.inference.variable(at),
    };
    let length = ast_builder::integer(at, i64::try_from(n_elements).unwrap_or(i64::MAX));
    let kind = Ty::Array(Arc::new(element.clone()), ArrayLength(Arc::new(length)));
    ctx.target_name = wanted;
    let place = places::destination(ctx, "array", &kind, at);
    for (idx, value) in values.into_iter().enumerate() {
        let idx = ast_builder::integer(at, i64::try_from(idx).unwrap_or(i64::MAX));
        let element_place = ast_builder::index(at, place.clone(), idx);
        places::store(ctx, element_place, &element, value, at);
    }
    Value::Plain(place, kind)
}

/// `x.to_be_bytes()`: an array of the bytes of a number.
pub(crate) fn array_of_bytes<'a>(
    ctx: &mut Body<'a, '_>,
    number: Value<'a>,
    bytes: i64,
    at: TextRange,
) -> Value<'a> {
    ctx.evaluate(number);
    let element = Ty::primitive("u8").unwrap_or_else(Ty::unknown);
    let length = ArrayLength(Arc::new(ast_builder::integer(at, bytes)));
    let kind = Ty::Array(Arc::new(element.clone()), length);
    let place = places::destination(ctx, "bytes", &kind, at);
    for idx in 0..bytes {
        let byte = ast_builder::index(at, place.clone(), ast_builder::integer(at, idx));
        let value = ctx.unknown_value(&element, at);
        places::store(ctx, byte, &element, value, at);
    }
    Value::Plain(place, kind)
}

/// `[x; n]`: the initial values make no accesses.
pub(crate) fn repeat_literal<'a>(
    ctx: &mut Body<'a, '_>,
    array: &'a syn::ExprRepeat,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let wanted = ctx.target_name.take();
    let inner = expected
        .and_then(Ty::element)
        .filter(|kind| !kind.is_unknown());
    let element = repeated_type(ctx, &array.expr, inner.as_deref(), at);
    let scope = ctx.substitution.clone();
    let length = crate::type_resolution::constant(&array.len, &scope);
    let kind = Ty::Array(Arc::new(element), ArrayLength(Arc::new(length)));
    ctx.target_name = wanted;
    let place = places::destination(ctx, "array", &kind, at);
    Value::Plain(place, kind)
}

/// The type of an element that is evaluated once for all.
pub(crate) fn repeated_type<'a>(
    ctx: &mut Body<'a, '_>,
    value: &'a syn::Expr,
    expected: Option<&Ty>,
    at: TextRange,
) -> Ty {
    let n_marks = ctx.marks.len();
    let (list, found) = ctx.emit_aside(|ctx| {
        let found = ctx.expression(value, expected);
        if ctx.inference.resolve(&found.kind()).is_scalar() {
            ctx.evaluate(found.clone());
        }
        found
    });
    ctx.fresh_variables.clear();
    // The allocation of a single element is none of the whole.
    let is_scalar = ctx.inference.resolve(&found.kind()).is_scalar();
    if n_marks < ctx.marks.len() || (is_scalar && !list.is_empty()) {
        ctx.emit(ast_builder::block(at, list));
    }
    match expected {
        Some(kind) => {
            ctx.inference.unify(kind, &found.kind());
            kind.clone()
        }
        None => ctx.inference.open_type(found.kind(), at),
    }
}

pub(crate) fn struct_literal<'a>(
    ctx: &mut Body<'a, '_>,
    literal: &'a syn::ExprStruct,
    at: TextRange,
) -> Value<'a> {
    let wanted = ctx.target_name.take();
    let path = syn::ExprPath {
        attrs: Vec::new(),
        qself: literal.qself.clone(),
        path: literal.path.clone(),
    };
    let parts = paths::path_parts(ctx, &path);
    let record = parts
        .last()
        .and_then(|name| ctx.program.index.record_from(ctx.unit, name));
    let is_complex = parts.last().is_some_and(|name| complex::is_named(name));
    let Some(record) = record else {
        if is_complex && literal.fields.len() == 2 && literal.rest.is_none() {
            return complex_literal(ctx, literal);
        }
        for field in &literal.fields {
            let value = ctx.expression(&field.expr, None);
            ctx.evaluate(value);
        }
        let name = parts.last().cloned().unwrap_or_default();
        return Value::Unknown(Ty::Unknown(name.into()));
    };
    let arguments = record_arguments(ctx, record, &literal.path);
    let kinds = ctx.program.fields(record, &arguments);
    let kind_of = |name: &str| {
        let kind = kinds.iter().find(|(field, _)| field == name);
        kind.map(|(_, kind)| kind.clone())
    };
    let names: Vec<String> = literal
        .fields
        .iter()
        .map(|f| fields::member_name(&f.member))
        .collect();
    let mut values = Vec::new();
    for (field, name) in literal.fields.iter().zip(&names) {
        let own = wanted.as_ref().map(|wanted| format!("{wanted}.{name}"));
        let before = Value::Tuple(std::mem::take(&mut values));
        let expected = kind_of(name);
        let (before, value) = ctx.evaluate_in_order(before, |ctx| {
            ctx.target_name = own;
            ctx.expression(&field.expr, expected.as_ref())
        });
        if let Value::Tuple(before) = before {
            values = before;
        }
        let is_lent =
            matches!(&field.expr, syn::Expr::Reference(lent) if lent.mutability.is_some());
        if is_lent && vector_lengths::is_borrowed_vector(ctx, &value) {
            let at = ctx.at(&field.expr);
            ctx.unsupported("a vector that a struct may make longer", at);
        }
        values.push(value);
    }
    ctx.target_name = None;
    let rest = literal.rest.as_ref().map(|rest| ctx.expression(rest, None));
    let mut learned = arguments.clone();
    infer_arguments(ctx, record, &names, &values, &mut learned);
    ctx.target_name = wanted;
    let kind = Ty::Record(record, learned.into());
    let parts: Vec<(&str, &Value<'a>)> = names.iter().map(String::as_str).zip(&values).collect();
    if let Some(value) = iterator_structs::iterator_of_struct(ctx, &kind, &parts, at) {
        return value;
    }
    let place = places::destination(ctx, "value", &kind, at);
    if let Some(rest) = rest {
        places::store(ctx, place.clone(), &kind, rest, at);
    }
    store_fields(ctx, &place, &kind, names.into_iter().zip(values), at);
    Value::Plain(place, kind)
}

/// `Complex { re, im }`
fn complex_literal<'a>(ctx: &mut Body<'a, '_>, literal: &'a syn::ExprStruct) -> Value<'a> {
    let list = literal.fields.iter().map(|field| (&field.expr, None));
    let mut parts = ctx.operands(list.collect());
    let first = literal.fields.first();
    if first.is_some_and(|field| fields::member_name(&field.member) == "im") {
        parts.reverse();
    }
    Value::Tuple(parts)
}

fn store_fields<'a>(
    ctx: &mut Body<'a, '_>,
    place: &Expression,
    own: &Ty,
    fields: impl Iterator<Item = (String, Value<'a>)>,
    at: TextRange,
) {
    let Ty::Record(record, arguments) = own else {
        return;
    };
    let kinds = ctx.program.fields(*record, arguments);
    for (name, value) in fields {
        if let Some((_, kind)) = kinds.iter().find(|(field, _)| *field == name) {
            let own = ctx.inference.resolve_deeply(own);
            let member = fields::member_place(ctx, &own, place.clone(), &name, at);
            places::store(ctx, member, kind, value, at);
        }
    }
}

/// `Struct(a, b)`
pub(crate) fn tuple_struct_literal<'a>(
    ctx: &mut Body<'a, '_>,
    record: usize,
    values: Vec<Value<'a>>,
    at: TextRange,
) -> Value<'a> {
    let names: Vec<String> = (0..values.len()).map(|idx| idx.to_string()).collect();
    let mut arguments = no_arguments(ctx, record);
    infer_arguments(ctx, record, &names, &values, &mut arguments);
    let kind = Ty::Record(record, arguments.into());
    let parts: Vec<(&str, &Value<'a>)> = names.iter().map(String::as_str).zip(&values).collect();
    if let Some(value) = iterator_structs::iterator_of_struct(ctx, &kind, &parts, at) {
        return value;
    }
    let place = places::destination(ctx, "value", &kind, at);
    store_fields(ctx, &place, &kind, names.into_iter().zip(values), at);
    Value::Plain(place, kind)
}

/// `T::default()`: zeros. Those of arrays make no accesses, as in `[0; n]`.
pub(crate) fn default_value<'a>(ctx: &mut Body<'a, '_>, kind: &Ty, at: TextRange) -> Value<'a> {
    let kind = ctx.inference.resolve_deeply(kind);
    if !is_of_zeros(ctx, &kind, 0) {
        return ctx.unknown_value(&kind, at);
    }
    if let Some(zero) = zero(&kind, at) {
        return zero;
    }
    let place = places::destination(ctx, "value", &kind, at);
    store_zeros(ctx, &place, &kind, at);
    Value::Plain(place, kind)
}

/// Whether a type consists of numbers and arrays alone.
fn is_of_zeros(ctx: &Body, kind: &Ty, depth: usize) -> bool {
    const MAX_DEPTH: usize = 8;
    match kind {
        _ if MAX_DEPTH < depth => false,
        Ty::Int(_) | Ty::Float(_) | Ty::Bool => true,
        Ty::Array(element, _) => is_of_zeros(ctx, element, depth + 1),
        Ty::Record(record, arguments) => {
            let fields = ctx.program.fields(*record, arguments);
            let is_foreign = ctx.program.index.records[*record].is_foreign;
            let mut kinds = fields.iter().map(|(_, kind)| kind);
            !is_foreign && kinds.all(|kind| is_of_zeros(ctx, kind, depth + 1))
        }
        _ => false,
    }
}

/// The zero of a type of numbers.
fn zero<'a>(kind: &Ty, at: TextRange) -> Option<Value<'a>> {
    let zero = match kind {
        Ty::Int(_) | Ty::Bool => ast_builder::integer(at, 0),
        Ty::Float(size) => ast_builder::floating(at, 0.0, *size),
        _ => return None,
    };
    Some(Value::Plain(zero, kind.clone()))
}

fn store_zeros(ctx: &mut Body, place: &Expression, own: &Ty, at: TextRange) {
    let Ty::Record(record, arguments) = own else {
        return;
    };
    for (name, kind) in ctx.program.fields(*record, arguments) {
        let member = fields::member_place(ctx, own, place.clone(), &name, at);
        match zero(&kind, at) {
            Some(zero) => places::store(ctx, member, &kind, zero, at),
            None => store_zeros(ctx, &member, &kind, at),
        }
    }
}

fn record_arguments(ctx: &mut Body, record: usize, path: &syn::Path) -> Vec<GenericArg> {
    if let Some(Ty::Record(own, arguments)) = &ctx.substitution.self_type
        && *own == record
    {
        return arguments.to_vec();
    }
    let scope = ctx.substitution.clone();
    let stated = match path.segments.last() {
        Some(last) => ctx.program.arguments(last, &scope, 0),
        None => Vec::new(),
    };
    match stated.is_empty() {
        true => no_arguments(ctx, record),
        false => stated,
    }
}

/// Generic arguments, all of them unknown.
fn no_arguments(ctx: &Body, record: usize) -> Vec<GenericArg> {
    let generics = ctx.program.index.records[record].generics;
    let parameters = generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Type(_) => Some(GenericArg::Type(Ty::unknown())),
            syn::GenericParam::Const(parameter) => {
                let name = crate::type_resolution::named_constant(&parameter.ident.to_string());
                Some(GenericArg::Value(ArrayLength(Arc::new(name))))
            }
            syn::GenericParam::Lifetime(_) => None,
        });
    parameters.collect()
}

/// Infers the generic arguments of a struct from the values of its fields.
fn infer_arguments<'a>(
    ctx: &mut Body<'a, '_>,
    record: usize,
    names: &[String],
    values: &[Value<'a>],
    arguments: &mut [GenericArg],
) {
    let kinds: Vec<Ty> = values
        .iter()
        .map(|value| ctx.inference.resolve_deeply(&value.kind()))
        .collect();
    let item = &ctx.program.index.records[record];
    let mut bound = crate::generic_inference::GenericBindings::new([item.generics].into_iter());
    for (name, kind) in names.iter().zip(&kinds) {
        if let Some((_, written)) = item.fields.iter().find(|(field, _)| field == name) {
            bound.learn(ctx.program, written, kind);
        }
    }
    let is_lifetime = |p: &&syn::GenericParam| matches!(p, syn::GenericParam::Lifetime(_));
    let parameters = item.generics.params.iter().filter(|p| !is_lifetime(p));
    for (parameter, argument) in parameters.zip(arguments) {
        match (parameter, &argument) {
            (syn::GenericParam::Type(parameter), GenericArg::Type(kind)) if kind.is_unknown() => {
                if let Some(found) = bound.scope.types.get(&parameter.ident.to_string()) {
                    *argument = GenericArg::Type(found.clone());
                }
            }
            (syn::GenericParam::Const(parameter), GenericArg::Value(_)) => {
                let name = parameter.ident.to_string();
                let found = bound.constants.iter().find(|(known, _)| *known == name);
                if let Some((_, value)) = found {
                    *argument = GenericArg::Value(ArrayLength(Arc::new(value.clone())));
                }
            }
            _ => {}
        }
    }
}
