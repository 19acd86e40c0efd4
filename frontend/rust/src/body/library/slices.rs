//! Methods of slices and pointers.

use crate::ast_builder;
use crate::body::calls::unknown;
use crate::body::context::Body;
use crate::body::iterators::drive::LoopNames;
use crate::body::iterators::{adapters, drive};
use crate::body::library::method_call::MethodCall;
use crate::body::library::vectors;
use crate::body::values::{assignments, indexing, places};
use crate::types::{ArrayLength, SIZE, Ty};
use crate::value::{Range, Slice, Value};
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TextRange, TypeName};
use std::sync::Arc;
use syn::Expr;

pub(crate) fn slice_method<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let arguments = method.arguments.as_slice();
    match (method.name, arguments) {
        ("len" | "capacity", []) => Value::size(Expression { at, ..slice.length }),
        ("is_empty", []) => {
            let zero = ast_builder::integer(at, 0);
            Value::Plain(
                ast_builder::binary(at, Binary::Equal, slice.length, zero),
                Ty::Bool,
            )
        }
        (
            "as_slice" | "as_mut_slice" | "as_ref" | "as_mut" | "as_bytes" | "as_str" | "borrow"
            | "borrow_mut" | "deref" | "as_deref" | "into_boxed_slice" | "as_mut_str"
            | "into_bytes" | "as_bytes_mut" | "leak",
            [],
        ) => places::borrow(ctx, Value::Slice(slice), at),
        (
            "iter" | "iter_mut" | "into_iter" | "par_iter" | "par_iter_mut" | "drain" | "bytes",
            _,
        ) => slice_iterator(ctx, slice, method),
        (
            "chunks"
            | "chunks_mut"
            | "chunks_exact"
            | "chunks_exact_mut"
            | "windows"
            | "par_chunks"
            | "par_chunks_mut"
            | "par_chunks_exact"
            | "par_chunks_exact_mut"
            | "par_windows",
            [size],
        ) => {
            let name = method.name.trim_start_matches("par_");
            let (value, size) = ctx.evaluate_in_order(Value::Slice(slice), |ctx| ctx.integer(size));
            match value {
                Value::Slice(slice) => Value::Iterator(Box::new(adapters::chunk_adapter(
                    ctx, slice, name, size, at,
                ))),
                other => other,
            }
        }
        (
            "get" | "get_mut" | "get_unchecked" | "get_unchecked_mut" | "first" | "last"
            | "first_mut" | "last_mut",
            _,
        ) => get_element(ctx, slice, method),
        (
            "split_at" | "split_at_mut" | "split_first" | "split_last" | "split_first_mut"
            | "split_last_mut",
            _,
        ) => split_slice(ctx, slice, method),
        ("as_chunks" | "as_chunks_mut", []) => match &method.stated_number {
            Some(size) => as_chunks(ctx, slice, size.clone(), at),
            None => ctx.unsupported("chunks whose length another place tells", at),
        },
        // Whoever holds the array copies it.
        ("try_into", []) => Value::Option(ctx.unknown_integer(at), Box::new(Value::Slice(slice))),
        ("into", []) if matches!(slice.kind, Ty::Vec(_) | Ty::Box(_)) => Value::Slice(slice),
        ("into", []) if method.expected.as_ref().is_some_and(owns_elements) => {
            to_vector(ctx, slice, at)
        }
        ("swap", [a, b]) => swap_elements(ctx, slice, a, b, at),
        ("fill", [value]) => fill_slice(ctx, slice, value, at),
        ("copy_from_slice" | "clone_from_slice", [from]) => copy_slice(ctx, slice, from, at),
        ("copy_within", [range, to]) => copy_range_within(ctx, slice, range, to, at),
        ("add" | "offset" | "sub", _) => unknown::unknown_method(ctx, Value::Slice(slice), method),
        ("clone" | "to_vec" | "to_owned" | "into_vec", []) => to_vector(ctx, slice, at),
        _ => vectors::vector_method(ctx, slice, method),
    }
}

/// Whether a type is a vector or a box of elements.
fn owns_elements(kind: &Ty) -> bool {
    match kind {
        Ty::Vec(_) => true,
        Ty::Box(inner) => matches!(**inner, Ty::Slice(_) | Ty::Str),
        _ => false,
    }
}

/// `as_chunks::<N>()`: the chunks as arrays, and the elements after the last one.
fn as_chunks<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    size: Expression,
    at: TextRange,
) -> Value<'a> {
    let element = Arc::new(Ty::Array(
        slice.element.clone(),
        ArrayLength(Arc::new(size.clone())),
    ));
    let Value::Slice(slice) = ctx.hold(Value::Slice(slice), "chunked") else {
        return Value::Unknown(Ty::unknown());
    };
    let count = ast_builder::binary(at, Binary::Divide, slice.length.clone(), size.clone());
    let count = ctx.stabilize(count, "count");
    let n_chunked = ast_builder::binary(at, Binary::Multiply, count.clone(), size);
    let rest = Range {
        start: Some(n_chunked),
        end: None,
        kind: SIZE,
    };
    let rest = indexing::subslice(ctx, slice.clone(), rest, at);
    let memory = ctx.memory_type(&element);
    let chunks = Slice {
        pointer: ast_builder::cast(at, TypeName::Pointer(Arc::new(memory)), slice.pointer),
        length: count,
        kind: Ty::Slice(element.clone()).pointer(),
        element,
    };
    Value::Tuple(vec![Value::Slice(chunks), rest])
}

fn slice_iterator<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let is_owned =
        matches!(method.name, "into_iter") && matches!(slice.kind, Ty::Vec(_) | Ty::Array(..));
    let range = match method.arguments.first() {
        Some(range) => ctx.expression(range, None),
        None => Value::Unit,
    };
    if method.name == "drain" {
        return match range {
            Value::Range(range) if range.start.is_none() && range.end.is_none() => {
                let Value::Slice(all) = ctx.hold(Value::Slice(slice.clone()), "drained") else {
                    return Value::Unit;
                };
                vectors::set_length(ctx, &slice, ast_builder::integer(at, 0), at);
                let sequence = adapters::copied(adapters::elements(all));
                Value::Iterator(Box::new(sequence))
            }
            _ => ctx.unsupported("`drain` of a part of a vector", at),
        };
    }
    let slice = match range {
        Value::Range(range) => match indexing::subslice(ctx, slice.clone(), range, at) {
            Value::Slice(part) => part,
            _ => slice,
        },
        _ => slice,
    };
    let sequence = adapters::elements(slice);
    Value::Iterator(Box::new(match is_owned || method.name == "bytes" {
        true => adapters::copied(sequence),
        false => sequence,
    }))
}

/// `get`, `first` and `last`, checked or unchecked.
fn get_element<'a>(ctx: &mut Body<'a, '_>, slice: Slice, method: &MethodCall<'a, '_>) -> Value<'a> {
    let at = method.at;
    let is_sure = method.name.contains("unchecked");
    let (value, place) = ctx.evaluate_in_order(Value::Slice(slice), |ctx| {
        method
            .arguments
            .first()
            .map(|place| ctx.expression(place, Some(&SIZE)))
    });
    let Value::Slice(slice) = value else {
        return value;
    };
    let place = match (method.name, place) {
        (_, Some(place)) => place,
        ("last" | "last_mut", None) => {
            let one = ast_builder::integer(at, 1);
            Value::size(ast_builder::binary(
                at,
                Binary::Subtract,
                slice.length.clone(),
                one,
            ))
        }
        _ => Value::size(ast_builder::integer(at, 0)),
    };
    if let Value::Range(range) = place {
        let part = indexing::subslice(ctx, slice, range, at);
        let part = places::borrow(ctx, part, at);
        return match is_sure {
            true => part,
            false => Value::Option(ctx.unknown_integer(at), Box::new(part)),
        };
    }
    let index = ctx.integer_of(place, at);
    let index = match is_sure {
        true => index,
        false => ctx.stabilize(index, "index"),
    };
    let element = ast_builder::index(at, slice.pointer, index.clone());
    let element = places::value_at(ctx, element, &slice.element);
    let element = places::borrow(ctx, element, at);
    if is_sure {
        return element;
    }
    let is_some = match method.name {
        "get" | "get_mut" => ast_builder::binary(at, Binary::Less, index, slice.length),
        _ => ast_builder::binary(at, Binary::Less, ast_builder::integer(at, 0), slice.length),
    };
    Value::Option(is_some, Box::new(element))
}

fn split_slice<'a>(ctx: &mut Body<'a, '_>, slice: Slice, method: &MethodCall<'a, '_>) -> Value<'a> {
    let at = method.at;
    let Value::Slice(slice) = ctx.hold(Value::Slice(slice), "held") else {
        return Value::Unit;
    };
    let one = ast_builder::integer(at, 1);
    let last = || ast_builder::binary(at, Binary::Subtract, slice.length.clone(), one.clone());
    let place = match (method.name, method.arguments.first()) {
        (_, Some(place)) => ctx.integer(place),
        ("split_last" | "split_last_mut", None) => last(),
        _ => one.clone(),
    };
    let place = ctx.stabilize(place, "place");
    let range = |start, end| Range {
        start,
        end,
        kind: SIZE,
    };
    let before = indexing::subslice(ctx, slice.clone(), range(None, Some(place.clone())), at);
    let behind = indexing::subslice(ctx, slice.clone(), range(Some(place.clone()), None), at);
    let before = places::borrow(ctx, before, at);
    let behind = places::borrow(ctx, behind, at);
    let is_some = ast_builder::binary(
        at,
        Binary::Less,
        ast_builder::integer(at, 0),
        slice.length.clone(),
    );
    let mut element = |index| {
        let element = ast_builder::index(at, slice.pointer.clone(), index);
        let element = places::value_at(ctx, element, &slice.element);
        places::borrow(ctx, element, at)
    };
    match method.name {
        "split_first" | "split_first_mut" => {
            let first = element(ast_builder::integer(at, 0));
            Value::Option(is_some, Box::new(Value::Tuple(vec![first, behind])))
        }
        "split_last" | "split_last_mut" => {
            let last = element(place);
            Value::Option(is_some, Box::new(Value::Tuple(vec![last, before])))
        }
        _ => Value::Tuple(vec![before, behind]),
    }
}

/// Two elements, loaded and stored crosswise.
fn swap_elements<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    a: &'a Expr,
    b: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let (a, b) = (ctx.integer(a), ctx.integer(b));
    let (a, b) = (ctx.stabilize(a, "index"), ctx.stabilize(b, "index"));
    let Value::Slice(slice) = ctx.hold(Value::Slice(slice), "held") else {
        return Value::Unit;
    };
    let first = ast_builder::index(at, slice.pointer.clone(), a);
    let second = ast_builder::index(at, slice.pointer, b);
    places::exchange(ctx, first, second, &slice.element, at);
    Value::Unit
}

fn fill_slice<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    value: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let element = slice.element.clone();
    let value = ctx.expression(value, Some(&element));
    let value = ctx.hold(value, "value");
    let sequence = adapters::elements(slice);
    drive::drive(
        ctx,
        sequence,
        at,
        &LoopNames::nothing(),
        &mut |ctx, place| {
            let place = places::dereference(ctx, place, at);
            assignments::assign(ctx, place, value.clone(), at);
        },
    );
    Value::Unit
}

fn copy_slice<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    from: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let from_at = ctx.at(from);
    let from = ctx.expression(from, None);
    let Some(from) = places::as_slice(ctx, from, from_at) else {
        return ctx.unsupported("a copy of something of unknown length", at);
    };
    ctx.inference.unify(&slice.element, &from.element);
    let size = places::size_of(ctx, &slice.element, slice.length, at);
    let call = ast_builder::call(at, "memcpy", vec![slice.pointer, from.pointer, size]);
    ctx.emit(ast_builder::evaluated(call));
    Value::Unit
}

fn copy_range_within<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    range: &'a Expr,
    to: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let range = ctx.expression(range, None);
    let to = ctx.integer(to);
    let Value::Range(range) = range else {
        return ctx.unsupported("a copy of something of unknown length", at);
    };
    let Value::Slice(from) = indexing::subslice(ctx, slice.clone(), range, at) else {
        return Value::Unit;
    };
    let size = places::size_of(ctx, &slice.element, from.length, at);
    let to = ast_builder::address(at, ast_builder::index(at, slice.pointer, to));
    let call = ast_builder::call(at, "memmove", vec![to, from.pointer, size]);
    ctx.emit(ast_builder::evaluated(call));
    Value::Unit
}

/// A vector with the same elements.
fn to_vector<'a>(ctx: &mut Body<'a, '_>, slice: Slice, at: TextRange) -> Value<'a> {
    let Value::Slice(slice) = ctx.hold(Value::Slice(slice), "held") else {
        return Value::Unit;
    };
    let copy = vectors::allocate(ctx, &slice.element, slice.length.clone(), at);
    let size = places::size_of(ctx, &slice.element, slice.length, at);
    let call = ast_builder::call(
        at,
        "memcpy",
        vec![copy.pointer.clone(), slice.pointer, size],
    );
    ctx.emit(ast_builder::evaluated(call));
    Value::Slice(copy)
}

/// Methods of pointers.
pub(crate) fn pointer_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: &Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Option<Value<'a>> {
    let at = method.at;
    let Value::Plain(pointer, kind) = receiver else {
        return None;
    };
    let Ty::Pointer(inner) = ctx.inference.resolve(kind) else {
        return None;
    };
    let kind = Ty::Pointer(inner.clone());
    match (method.name, method.arguments.as_slice()) {
        ("add" | "offset" | "sub" | "wrapping_add" | "wrapping_sub" | "wrapping_offset", [by])
            if !inner.is_integer() && !matches!(*inner, Ty::Float(_)) || is_place_like(pointer) =>
        {
            let pointer = pointer.clone();
            let (first, by) =
                ctx.evaluate_in_order(Value::Plain(pointer, kind.clone()), |ctx| ctx.integer(by));
            let Value::Plain(pointer, _) = first else {
                return None;
            };
            let by = match method.name.ends_with("sub") {
                true => ast_builder::unary(at, premiss_ast::syntax::Unary::Negate, by),
                false => by,
            };
            let place = ast_builder::index(at, pointer, by);
            Some(Value::Plain(ast_builder::address(at, place), kind))
        }
        ("is_null", []) => {
            ctx.evaluate(receiver.clone());
            Some(Value::Plain(ctx.unknown_integer(at), Ty::Bool))
        }
        ("read" | "read_unaligned" | "read_volatile", []) => {
            let place = ast_builder::dereference(at, pointer.clone());
            Some(places::value_at(ctx, place, &inner))
        }
        ("write" | "write_unaligned" | "write_volatile", [value]) => {
            let place = ast_builder::dereference(at, pointer.clone());
            let value = ctx.expression(value, Some(&inner));
            places::store(ctx, place, &inner, value, at);
            Some(Value::Unit)
        }
        (
            "as_ptr" | "as_mut_ptr" | "cast" | "cast_mut" | "cast_const" | "as_ref" | "as_mut",
            [],
        ) if !matches!(*inner, Ty::Array(..) | Ty::Record(..) | Ty::NdArray(..)) => {
            Some(Value::Plain(pointer.clone(), kind))
        }
        _ => None,
    }
}

/// Whether an expression is a stored pointer rather than a newly created reference.
fn is_place_like(pointer: &Expression) -> bool {
    matches!(
        pointer.kind,
        ExpressionKind::Name(_)
            | ExpressionKind::AddressOf(_)
            | ExpressionKind::Member { .. }
            | ExpressionKind::Cast(..)
            | ExpressionKind::Index(..)
    )
}
