//! Subscripts: elements, subslices by a range, and elements of `ndarray` arrays.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::values::{places, same_element};
use crate::types::Ty;
use crate::value::{NdArray, Range, Slice, Value};
use premiss_ast::syntax::{Binary, Expression, TextRange};
use syn::Expr;

/// An expression that is a place to be changed: its subscripts call `index_mut`.
pub(crate) fn changed_place<'a>(ctx: &mut Body<'a, '_>, place: &'a Expr) -> Value<'a> {
    ctx.is_changed_place = contains_subscript(place);
    let value = ctx.expression(place, None);
    ctx.is_changed_place = false;
    value
}

/// Whether a place is a subscript or a part of one.
pub(crate) fn contains_subscript(place: &Expr) -> bool {
    match place {
        Expr::Index(_) => true,
        Expr::Field(field) => contains_subscript(&field.base),
        Expr::Paren(inner) => contains_subscript(&inner.expr),
        _ => false,
    }
}

pub(crate) fn index_expression<'a>(
    ctx: &mut Body<'a, '_>,
    index: &'a syn::ExprIndex,
    at: TextRange,
) -> Value<'a> {
    let is_changed = std::mem::take(&mut ctx.is_changed_place);
    let base = match is_changed {
        true => changed_place(ctx, &index.expr),
        false => ctx.expression(&index.expr, None),
    };
    let base_at = ctx.at(&index.expr);
    let base = indexable_base(ctx, base, base_at);
    if let Value::NdArray(_) = base {
        return index_ndarray(ctx, base, &index.index, at);
    }
    let (base, place) = ctx.evaluate_in_order(base, |ctx| ctx.expression(&index.index, None));
    let index_at = ctx.at(&index.index);
    index_slice(ctx, base, place, index_at, (at, is_changed))
}

/// The indexed value, after dereferencing.
pub(crate) fn indexable_base<'a>(
    ctx: &mut Body<'a, '_>,
    base: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    match &base {
        Value::Plain(_, kind) => match ctx.inference.resolve(kind) {
            Ty::Pointer(inner) | Ty::Box(inner) => {
                let inner = ctx.inference.resolve(&inner);
                match inner {
                    Ty::Slice(_) | Ty::Str => base,
                    _ => {
                        let inner = places::dereference(ctx, base, at);
                        indexable_base(ctx, inner, at)
                    }
                }
            }
            _ => base,
        },
        Value::Alias(_) => {
            let inner = places::dereference(ctx, base, at);
            indexable_base(ctx, inner, at)
        }
        _ => base,
    }
}

fn index_slice<'a>(
    ctx: &mut Body<'a, '_>,
    base: Value<'a>,
    place: Value<'a>,
    index_at: TextRange,
    (at, is_changed): (TextRange, bool),
) -> Value<'a> {
    if let Value::Range(range) = place {
        return match places::as_slice(ctx, base.clone(), at) {
            Some(slice) => subslice(ctx, slice, range, at),
            None => unknown_index(ctx, &base, at),
        };
    }
    if let Value::Plain(_, kind) = &base
        && let Ty::Record(..) = ctx.inference.resolve(kind)
    {
        return index_of_record(ctx, base, place, (at, is_changed));
    }
    let index = match &place {
        Value::Plain(_, kind) if ctx.inference.resolve(kind).is_scalar() || kind.is_weak() => {
            ctx.integer_of(place, index_at)
        }
        Value::Unknown(_) => ctx.unknown_integer(index_at),
        _ => return unknown_index(ctx, &base, at),
    };
    match base {
        Value::Plain(array, kind) => match ctx.inference.resolve(&kind) {
            Ty::Array(element, _) => {
                let place = ast_builder::index(at, array, index);
                places::value_at(ctx, place, &element)
            }
            _ => unknown_index(ctx, &Value::Plain(array, kind), at),
        },
        Value::Slice(slice) => {
            let place = ast_builder::index(at, slice.pointer, index);
            places::value_at(ctx, place, &slice.element)
        }
        Value::Tuple(list) => {
            // The result of `shape`.
            let idx = ast_builder::as_integer(&index).and_then(|idx| usize::try_from(idx).ok());
            match idx.and_then(|idx| list.get(idx)) {
                Some(part) => part.clone(),
                None => Value::size(ctx.unknown_integer(at)),
            }
        }
        other => unknown_index(ctx, &other, at),
    }
}

/// `s[i]` for a struct `s` that implements `Index`: `index_mut` for a place that is changed, `index` for a number that is
/// read. Of other uses the text does not tell which of them it is.
fn index_of_record<'a>(
    ctx: &mut Body<'a, '_>,
    base: Value<'a>,
    index: Value<'a>,
    (at, is_changed): (TextRange, bool),
) -> Value<'a> {
    let Ty::Record(record, _) = ctx.inference.resolve(&base.kind()) else {
        return unknown_index(ctx, &base, at);
    };
    let name = ctx.program.index.record_name(record);
    let kind = ctx.inference.resolve_deeply(&base.kind());
    let functions = ["index", "index_mut"].map(|one| {
        let function = ctx.program.function_of_type(&kind, one, None);
        function.or_else(|| ctx.program.index.method(&name, one))
    });
    let first = match is_changed {
        true => functions[1].or(functions[0]),
        false => functions[0].or(functions[1]),
    };
    let Some(function) = first else {
        return unknown_index(ctx, &base, at);
    };
    let is_certain = is_changed || yields_number(ctx, function, &kind);
    let own = places::borrow(ctx, base, at);
    let index = ctx.hold(index, "index");
    let arguments = vec![own, index];
    if let [Some(index), Some(index_mut)] = functions
        && !is_certain
        && !same_element::do_the_same(ctx, [index, index_mut], &arguments, at)
    {
        return ctx.unsupported(
            "an element that `index` and `index_mut` find each in its way",
            at,
        );
    }
    let element = ctx.inline_call(function, arguments, at);
    places::dereference(ctx, element, at)
}

/// Whether the function of a type returns a reference to a number.
fn yields_number(ctx: &Body, function: usize, kind: &Ty) -> bool {
    let item = &ctx.program.index.functions[function];
    let scope = match ctx.program.index.implementation_of(function) {
        Some(idx) => ctx.program.scope_of_implementation(idx, kind),
        None => return false,
    };
    let result = ctx
        .program
        .in_text(item.unit, |c| c.result_type(item.sig, &scope));
    result.peeled().is_scalar()
}

fn unknown_index<'a>(ctx: &mut Body<'a, '_>, base: &Value<'a>, at: TextRange) -> Value<'a> {
    let kind = ctx.inference.resolve(&base.kind());
    if kind.peeled().is_rejected() {
        return Value::Unknown(kind);
    }
    let construct = match kind {
        Ty::Unknown(name) if &*name != "_" => format!("an element of a `{name}`"),
        _ => "an element of something of unknown type".to_owned(),
    };
    ctx.unsupported(construct, at)
}

/// The elements of a range.
pub(crate) fn subslice<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    range: Range,
    at: TextRange,
) -> Value<'a> {
    let start = range.start.unwrap_or_else(|| ast_builder::integer(at, 0));
    let start = match ast_builder::is_pure(&start) {
        true => start,
        false => ctx.stabilize(start, "start"),
    };
    let end = range.end.unwrap_or(slice.length);
    let length = ast_builder::binary(at, Binary::Subtract, end, start.clone());
    let pointer = match ast_builder::as_integer(&start) {
        Some(0) => Expression {
            at,
            ..slice.pointer
        },
        _ => ast_builder::address(at, ast_builder::index(at, slice.pointer, start)),
    };
    Value::Slice(Slice {
        pointer,
        length,
        kind: Ty::Slice(slice.element.clone()),
        element: slice.element,
    })
}

/// `a[[i, j]]` and `a[i]` of `ndarray`.
fn index_ndarray<'a>(
    ctx: &mut Body<'a, '_>,
    base: Value<'a>,
    index: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let list: Vec<(&'a Expr, Option<Ty>)> = match index {
        Expr::Array(list) => list.elems.iter().map(|x| (x, None)).collect(),
        Expr::Tuple(list) => list.elems.iter().map(|x| (x, None)).collect(),
        other => vec![(other, None)],
    };
    let (base, places) = ctx.evaluate_in_order(base, |ctx| ctx.operands(list));
    let Value::NdArray(grid) = base else {
        return unknown_index(ctx, &base, at);
    };
    let mut indices = Vec::new();
    for place in places {
        indices.push(ctx.integer_of(place, at));
    }
    if indices.len() != grid.axes.len() {
        return ctx.unsupported("an index of another number of dimensions", at);
    }
    let element = grid.element.clone();
    let place = ndarray_place(&grid, indices, at);
    places::value_at(ctx, place, &element)
}

/// The element of an array of `ndarray`.
pub(crate) fn ndarray_place(grid: &NdArray, indices: Vec<Expression>, at: TextRange) -> Expression {
    let terms = indices.into_iter().zip(&grid.axes);
    let terms = terms
        .map(|(index, (_, step))| ast_builder::binary(at, Binary::Multiply, index, step.clone()));
    let offset = terms.reduce(|a, b| ast_builder::binary(at, Binary::Add, a, b));
    let offset = offset.unwrap_or_else(|| ast_builder::integer(at, 0));
    ast_builder::index(at, grid.pointer.clone(), offset)
}
