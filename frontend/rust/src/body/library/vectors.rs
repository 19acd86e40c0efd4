//! Vectors: allocation, and the methods that change their length.

use crate::ast_builder;
use crate::body::calls::unknown;
use crate::body::context::Body;
use crate::body::iterators::drive::LoopNames;
use crate::body::iterators::{adapters, drive};
use crate::body::library::functions::UNORDERED;
use crate::body::library::method_call::MethodCall;
use crate::body::values::{assignments, places};
use crate::types::{SIZE, Ty};
use crate::value::{Slice, Value};
use premiss_ast::syntax::{Binary, Expression, TextRange};
use std::rc::Rc;
use std::sync::Arc;

/// Elements that are allocated at this place.
pub(crate) fn allocate(
    ctx: &mut Body,
    element: &Arc<Ty>,
    length: Expression,
    at: TextRange,
) -> Slice {
    let size = places::size_of(ctx, element, length.clone(), at);
    let place = ctx.fresh_at(at);
    let call = ast_builder::call(place, "malloc", vec![size]);
    let kind = Ty::Pointer(element.clone());
    let memory = ctx.variable_type(&kind);
    let wanted = ctx
        .target_name
        .take()
        .unwrap_or_else(|| "allocated".to_owned());
    let pointer = ctx.declare(at, &wanted, memory, call);
    Slice {
        pointer,
        length,
        kind: Ty::Vec(element.clone()),
        element: element.clone(),
    }
}

/// An allocation of unknown length.
fn allocate_unknown(ctx: &mut Body, element: &Arc<Ty>, at: TextRange) -> Slice {
    let length = ctx.unknown_integer(at);
    allocate(ctx, element, length, at)
}

/// Methods that change the length of a vector, and those of slices that are not loops over all elements.
pub(crate) fn vector_method<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    match (method.name, method.arguments.as_slice()) {
        ("push", [value]) => push(ctx, &slice, value, at),
        ("clear", []) => {
            set_length(ctx, &slice, ast_builder::integer(at, 0), at);
            Value::Unit
        }
        ("set_len", [length]) => {
            let length = ctx.integer(length);
            set_length(ctx, &slice, length, at);
            Value::Unit
        }
        ("truncate", [length]) => {
            let length = ctx.integer(length);
            let length = ctx.stabilize(length, "length");
            let length = ast_builder::least(at, slice.length.clone(), length);
            set_length(ctx, &slice, length, at);
            Value::Unit
        }
        ("reserve" | "reserve_exact" | "shrink_to_fit", _) => {
            let list = method.arguments.iter().map(|x| (*x, None)).collect();
            ctx.operands(list).into_iter().for_each(|value| {
                ctx.evaluate(value);
            });
            Value::Unit
        }
        ("resize", [length, value]) => resize(ctx, &slice, length, value, at),
        ("extend_from_slice" | "extend" | "append", [from]) => {
            let from_at = ctx.at(*from);
            let from = ctx.expression(from, None);
            match adapters::into_sequence(ctx, from, from_at) {
                Some(sequence) => extend_vector(ctx, &slice, sequence, at),
                None => ctx.unsupported("an iterator of unknown length", at),
            }
        }
        ("pop", []) => pop(ctx, &slice, at),
        (name, _) if UNORDERED.contains(&name) => {
            ctx.unsupported(format!("`{name}` of a slice"), at)
        }
        (_, _) => iterate_or_refuse(ctx, slice, method),
    }
}

/// Stores a value after the last element.
fn push<'a>(
    ctx: &mut Body<'a, '_>,
    slice: &Slice,
    value: &'a syn::Expr,
    at: TextRange,
) -> Value<'a> {
    let element = slice.element.clone();
    // What is pushed cannot change the vector, which is borrowed until then: its length is the one that it has here.
    let value = ctx.expression(value, Some(&element));
    ctx.inference.unify(&slice.element, &value.kind());
    let place = ast_builder::index(at, slice.pointer.clone(), slice.length.clone());
    places::store(ctx, place, &slice.element, value, at);
    let one = ast_builder::integer(at, 1);
    let more = ast_builder::binary(at, Binary::Add, slice.length.clone(), one);
    set_length(ctx, slice, more, at);
    Value::Unit
}

/// Returns the last element, whose index is data.
fn pop<'a>(ctx: &mut Body<'a, '_>, slice: &Slice, at: TextRange) -> Value<'a> {
    let data = ctx.unknown_integer(at);
    let place = ast_builder::index(at, slice.pointer.clone(), data.clone());
    let element = places::value_at(ctx, place, &slice.element.clone());
    set_length(ctx, slice, data.clone(), at);
    Value::Option(data, Box::new(element))
}

/// Changes the length of a vector; the value of new elements is evaluated.
fn resize<'a>(
    ctx: &mut Body<'a, '_>,
    slice: &Slice,
    length: &'a syn::Expr,
    value: &'a syn::Expr,
    at: TextRange,
) -> Value<'a> {
    let length = ctx.integer(length);
    let element = slice.element.clone();
    let value = ctx.expression(value, Some(&element));
    ctx.inference.unify(&slice.element, &value.kind());
    set_length(ctx, slice, length, at);
    Value::Unit
}

/// Methods of iterators that slices also have, such as those of a trait of the program.
fn iterate_or_refuse<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let receiver = Value::Slice(slice);
    unknown::unknown_method(ctx, receiver, method)
}

fn extend_vector<'a>(
    ctx: &mut Body<'a, '_>,
    slice: &Slice,
    sequence: crate::value::ItemSequence<'a>,
    at: TextRange,
) -> Value<'a> {
    let old = ctx.stabilize(slice.length.clone(), "old");
    let is_counted = sequence.is_indexed();
    let count = sequence.count.clone().filter(|_| is_counted);
    let count = count.map(|count| ctx.stabilize(count, "count"));
    let (pointer, element) = (slice.pointer.clone(), slice.element.clone());
    let start = old.clone();
    store_items(ctx, &pointer, &element, &start, sequence, at);
    let length = match count {
        Some(count) => ast_builder::binary(at, Binary::Add, old, count),
        None => ctx.unknown_integer(at),
    };
    set_length(ctx, slice, length, at);
    Value::Unit
}

/// Stores the items of an iterator, from an element on.
pub(crate) fn store_items<'a>(
    ctx: &mut Body<'a, '_>,
    pointer: &Expression,
    element: &Arc<Ty>,
    start: &Expression,
    sequence: crate::value::ItemSequence<'a>,
    at: TextRange,
) {
    let names = LoopNames::nothing();
    // After a filter, the index of an item is unknown.
    let sequence = adapters::enumerated(ctx, sequence, at);
    drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
        let Value::Tuple(pair) = item else { return };
        let [Value::Plain(number, _), value] = pair.as_slice() else {
            return;
        };
        let value = match ctx.inference.resolve(element) {
            Ty::Pointer(_) => value.clone(),
            _ => places::strip_references(ctx, value.clone(), at),
        };
        let idx = ast_builder::binary(at, Binary::Add, start.clone(), number.clone());
        let place = ast_builder::index(at, pointer.clone(), idx);
        places::store(ctx, place, element, value, at);
    });
}

/// Sets the length of a vector.
pub(crate) fn set_length(ctx: &mut Body, slice: &Slice, length: Expression, at: TextRange) {
    if ast_builder::is_place(&slice.length) {
        let change = ast_builder::assign(at, slice.length.clone(), length);
        ctx.emit(ast_builder::evaluated(change));
    } else {
        ctx.unsupported("another length of a vector that is not held here", at);
    }
}

/// The elements of a vector that is created empty.
pub(crate) fn new_element(
    ctx: &mut Body,
    path: &syn::Path,
    expected: Option<&Ty>,
    at: TextRange,
) -> Arc<Ty> {
    let scope = ctx.substitution.clone();
    let mut stated = path
        .segments
        .iter()
        .flat_map(|part| ctx.program.arguments(part, &scope, 0));
    if let Some(crate::types::GenericArg::Type(kind)) = stated.next() {
        return Arc::new(kind);
    }
    match expected.and_then(Ty::element) {
        Some(element) if !element.is_unknown() => element,
        _ => Arc::new(ctx.inference.variable(at)),
    }
}

pub(crate) fn empty_vector<'a>(
    ctx: &mut Body<'a, '_>,
    element: &Arc<Ty>,
    capacity: Option<Expression>,
    at: TextRange,
) -> Value<'a> {
    let slice = match capacity {
        Some(capacity) => allocate(ctx, element, capacity, at),
        None => allocate_unknown(ctx, element, at),
    };
    Value::Slice(Slice {
        length: ast_builder::integer(at, 0),
        ..slice
    })
}

pub(crate) fn from_raw_parts<'a>(
    ctx: &mut Body<'a, '_>,
    pointer: Value<'a>,
    length: Value<'a>,
    at: TextRange,
) -> Option<Value<'a>> {
    let length = ctx.integer_of(length, at);
    let Value::Plain(pointer, kind) = pointer else {
        return None;
    };
    let Ty::Pointer(element) = ctx.inference.resolve(&kind) else {
        return None;
    };
    Some(Value::Slice(Slice {
        pointer,
        length,
        kind: Ty::Slice(element.clone()).pointer(),
        element,
    }))
}

/// A value that a store to its place does not change.
pub(crate) fn load_before_store<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>) -> Value<'a> {
    let mut parts = Vec::new();
    value.parts(&mut parts);
    let kinds = ctx.part_kinds(&value);
    if matches!(value.kind(), Ty::Array(..)) {
        return value;
    }
    let mut own = Vec::new();
    for (part, (_, kind)) in parts.into_iter().zip(kinds) {
        let at = ctx.fresh_at(part.at);
        own.push(ctx.declare(at, "old", kind, part));
    }
    value.with_parts(&mut own.into_iter())
}

/// `std::mem::swap`
pub(crate) fn swap_values<'a>(
    ctx: &mut Body<'a, '_>,
    a: Value<'a>,
    b: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let (a, b) = (
        places::dereference(ctx, a, at),
        places::dereference(ctx, b, at),
    );
    if let (Value::Plain(first, kind), Value::Plain(second, _)) = (&a, &b) {
        let kind = ctx.inference.resolve(kind);
        if matches!(kind, Ty::Array(..)) {
            return ctx.unsupported("an exchange of whole arrays", at);
        }
        places::exchange(ctx, first.clone(), second.clone(), &kind, at);
        return Value::Unit;
    }
    let first = load_before_store(ctx, a.clone());
    let second = load_before_store(ctx, b.clone());
    assignments::assign_parts(ctx, &a, &second, at);
    assignments::assign_parts(ctx, &b, &first, at);
    Value::Unit
}

/// `std::array::from_fn`
pub(crate) fn array_of_calls<'a>(
    ctx: &mut Body<'a, '_>,
    closure: &Rc<crate::value::Closure<'a>>,
    expected: Option<&Ty>,
    at: TextRange,
) -> Option<Value<'a>> {
    let Some(Ty::Array(element, length)) = expected else {
        return None;
    };
    let kind = Ty::Array(element.clone(), length.clone());
    let array = places::destination(ctx, "array", &kind, at);
    let item = crate::value::SequenceItem::Counter {
        start: ast_builder::integer(at, 0),
        step: ast_builder::integer(at, 1),
        end: Some(length.expression()),
        kind: SIZE,
    };
    let sequence = crate::value::ItemSequence::counted(
        length.expression(),
        crate::value::SequenceItem::Mapped(Box::new(item), closure.clone()),
    );
    store_items(
        ctx,
        &array,
        element,
        &ast_builder::integer(at, 0),
        sequence,
        at,
    );
    Some(Value::Plain(array, kind))
}
