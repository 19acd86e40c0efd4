//! Iterator consumers: methods that drive a sequence to its end and return a value (`sum`, `fold`, `max_by`,
//! `collect`).

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::branches;
use crate::body::iterators::drive::LoopNames;
use crate::body::iterators::{adapters, drive, held_iterators, positions};
use crate::body::library::method_call::MethodCall;
use crate::body::library::vectors;
use crate::body::values::{assignments, patterns, places};
use crate::types::Ty;
use crate::value::{Adapter, Closure, ItemSequence, Position, SequenceItem, Slice, Value};
use premiss_ast::syntax::{Binary, Expression, ExpressionKind as Kind, TextRange};
use std::sync::Arc;
use syn::Expr;

pub(crate) fn iterator_method<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let sequence = match held_iterators::held_method(ctx, sequence, method) {
        Ok(value) => return value,
        Err(sequence) => *sequence,
    };
    let sequence = match adapters::adapter(ctx, sequence, method.name, &method.arguments, at) {
        Ok(value) => return value,
        Err(sequence) => *sequence,
    };
    match (method.name, method.arguments.as_slice()) {
        ("sum" | "product", []) => sum_or_product(ctx, sequence, method),
        ("count", []) => count_items(ctx, sequence, at),
        ("len", []) => match (sequence.is_indexed(), sequence.count) {
            (true, Some(count)) => Value::size(count),
            _ => Value::size(ctx.unknown_integer(at)),
        },
        ("fold", [start, closure]) => fold_items(ctx, sequence, start, closure, at),
        ("reduce", [closure]) => reduce_items(ctx, sequence, closure, at),
        ("for_each" | "try_for_each", [closure]) => {
            let sequence = match method.name {
                "try_for_each" => positions::partial(sequence),
                _ => sequence,
            };
            let closure = ctx.expression(closure, None);
            for_each_item(ctx, sequence, closure, at)
        }
        (name @ ("min_by" | "max_by"), [closure]) => {
            extreme_by_comparison(ctx, sequence, name, closure, at)
        }
        (name @ ("min" | "max" | "min_by_key" | "max_by_key" | "last"), rest) => {
            extreme(ctx, sequence, name, rest.first().copied(), at)
        }
        ("any" | "all" | "find" | "position" | "find_map" | "rposition", [closure]) => {
            let closure = ctx.expression(closure, None);
            search_items(ctx, sequence, method.name, closure, at)
        }
        ("nth", [number]) => {
            let number = ctx.integer(number);
            nth_item(ctx, sequence, number, at)
        }
        ("collect" | "to_vec", []) => collect_items(ctx, sequence, method),
        ("remainder" | "into_remainder", []) => match sequence.remainder {
            Some(rest) => Value::Slice(*rest),
            None => Value::Unknown(Ty::unknown()),
        },
        (name, _) => {
            positions::lost(ctx, sequence, at);
            ctx.unsupported(format!("`{name}` of an iterator"), at)
        }
    }
}

fn nth_item<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    number: Expression,
    at: TextRange,
) -> Value<'a> {
    let is_indexed = sequence.is_indexed() && matches!(sequence.position, Position::Start);
    match (is_indexed, &sequence.count) {
        (true, Some(count)) => {
            let count = count.clone();
            let number = ctx.stabilize(number, "number");
            let is_some = ast_builder::binary(at, Binary::Less, number.clone(), count);
            let value = drive::item_at(ctx, &sequence.item, number, at);
            Value::Option(is_some, Box::new(value))
        }
        _ => {
            positions::lost(ctx, sequence, at);
            ctx.unsupported("`nth` of a filtered iterator", at)
        }
    }
}

/// The names of the items, from the first closure that takes them.
fn item_names<'a>(sequence: &ItemSequence<'a>, last: Option<&Closure<'a>>) -> LoopNames {
    fn first<'i, 'a>(item: &'i SequenceItem<'a>) -> Option<&'i Closure<'a>> {
        match item {
            SequenceItem::Mapped(inner, closure) => first(inner).or(Some(closure)),
            SequenceItem::Reversed(inner, _)
            | SequenceItem::Skipped(inner, _)
            | SequenceItem::Stepped(inner, _) => first(inner),
            _ => None,
        }
    }
    let staged = sequence.adapters.first().and_then(|stage| match stage {
        Adapter::Map(closure)
        | Adapter::Filter(closure)
        | Adapter::FilterMap(closure)
        | Adapter::FlatMap(Some(closure)) => Some(&**closure),
        _ => None,
    });
    LoopNames::of_closure(first(&sequence.item).or(staged).or(last))
}

fn sum_or_product<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let expected = method.expected.clone().filter(Ty::is_scalar);
    let is_integer = expected.as_ref().is_some_and(Ty::is_integer);
    let start = i64::from(method.name == "product");
    let total = ctx.fresh_name("total");
    ctx.mutable_names.insert(total.clone());
    let place = ctx.fresh_at(at);
    let (kind, first) = match is_integer {
        true => (ast_builder::wide(), ast_builder::integer(at, start)),
        false => (
            premiss_ast::syntax::TypeName::Floating(4),
            ast_builder::floating(at, 0.0, 4),
        ),
    };
    ctx.emit(ast_builder::declaration(place, &total, kind, Some(first)));
    let total = ast_builder::name(at, &total);
    let operator = match method.name {
        "product" => Binary::Multiply,
        _ => Binary::Add,
    };
    let mut found = expected;
    let names = item_names(&sequence, None);
    drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
        let item = places::strip_references(ctx, item, at);
        match item {
            Value::Plain(value, kind) if ctx.inference.resolve(&kind).is_scalar() => {
                let value = places::load(ctx, value, &kind);
                found.get_or_insert(kind);
                let change = Kind::Assign(Some(operator), Box::new(total.clone()), Box::new(value));
                ctx.emit(ast_builder::evaluated(Expression::new(at, change)));
            }
            other => places::load_whole(ctx, &other, at),
        }
    });
    let kind = found.unwrap_or_else(Ty::unknown);
    match kind.is_integer() && !is_integer {
        true => Value::Plain(ctx.unknown_integer(at), kind),
        false => Value::Plain(total, kind),
    }
}

fn count_items<'a>(ctx: &mut Body<'a, '_>, sequence: ItemSequence<'a>, at: TextRange) -> Value<'a> {
    if let (true, Some(count)) = (sequence.is_indexed(), &sequence.count) {
        return Value::size(count.clone());
    }
    let names = item_names(&sequence, None);
    drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
        ctx.evaluate(item);
    });
    Value::size(ctx.unknown_integer(at))
}

fn fold_items<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    start: &'a Expr,
    closure: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let start = ctx.expression(start, None);
    let start = ctx.inference.open_literal(start, at);
    let Value::Closure(closure) = ctx.expression(closure, None) else {
        return ctx.unsupported("`fold` with a function that is not here", at);
    };
    let slot = assignments::slot_for(ctx, &start, "folded", at);
    assignments::assign_parts(ctx, &slot, &start, at);
    let names = LoopNames::nothing();
    drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
        let value = ctx.call_closure(&closure, vec![slot.clone(), item], at);
        let value = match &slot {
            Value::Plain(_, kind) if ctx.inference.resolve(kind).is_scalar() => {
                places::strip_references(ctx, value, at)
            }
            _ => value,
        };
        assignments::assign(ctx, slot.clone(), value, at);
    });
    slot
}

fn reduce_items<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    closure: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let Value::Closure(closure) = ctx.expression(closure, None) else {
        return ctx.unsupported("`reduce` with a function that is not here", at);
    };
    let found = compare_sequences(ctx, sequence, at, "reduce", &mut |ctx, before, item| {
        let value = ctx.call_closure(&closure, vec![before, item], at);
        ctx.evaluate(value);
    });
    Value::Option(ctx.unknown_integer(at), Box::new(found))
}

/// Visits items, each but the first together with a previous one, which is data.
fn compare_sequences<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    sequence: ItemSequence<'a>,
    at: TextRange,
    name: &str,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>, Value<'a>),
) -> Value<'a> {
    let names = item_names(&sequence, None);
    let some = arbitrary_item(ctx, &sequence.item, at);
    let some = some.filter(|_| sequence.is_indexed());
    let mut found = None;
    let sequence = adapters::enumerated(ctx, sequence, at);
    drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
        let Value::Tuple(pair) = item else { return };
        let [Value::Plain(number, _), item] = pair.as_slice() else {
            return;
        };
        let item = ctx.hold(item.clone(), "item");
        let Some(before) = arbitrary_like(ctx, &item, some.as_ref(), at) else {
            ctx.unsupported(
                format!("`{name}` of what is not a number and no element"),
                at,
            );
            return;
        };
        found = Some(before.clone());
        let is_second = ast_builder::binary(
            at,
            Binary::Less,
            ast_builder::integer(at, 0),
            number.clone(),
        );
        let (list, ()) = ctx.emit_aside(|ctx| each(ctx, before, item));
        branches::emit_if(ctx, is_second, list, Vec::new(), at);
    });
    found.unwrap_or_else(|| Value::Unknown(Ty::unknown()))
}

/// An arbitrary item, if items are references to elements: which one is data.
fn arbitrary_item<'a>(
    ctx: &mut Body<'a, '_>,
    item: &SequenceItem<'a>,
    at: TextRange,
) -> Option<Value<'a>> {
    fn is_reference(item: &SequenceItem) -> bool {
        match item {
            SequenceItem::Element { .. } | SequenceItem::Counter { .. } => true,
            SequenceItem::Enumerated(inner)
            | SequenceItem::Reversed(inner, _)
            | SequenceItem::Skipped(inner, _)
            | SequenceItem::Stepped(inner, _) => is_reference(inner),
            SequenceItem::Zipped(a, b) => is_reference(a) && is_reference(b),
            _ => false,
        }
    }
    is_reference(item)
        .then(|| drive::item_at(ctx, item, ast_builder::data(at, ast_builder::wide()), at))
}

/// An unknown value of the same kind as an item.
fn arbitrary_like<'a>(
    ctx: &mut Body<'a, '_>,
    item: &Value<'a>,
    some: Option<&Value<'a>>,
    at: TextRange,
) -> Option<Value<'a>> {
    match item {
        _ if some.is_some() => some.cloned(),
        Value::Plain(_, kind) if ctx.inference.resolve(kind).is_scalar() => {
            Some(ctx.unknown_value(&kind.clone(), at))
        }
        Value::Tuple(parts) => {
            let parts = parts.iter().map(|part| arbitrary_like(ctx, part, None, at));
            Some(Value::Tuple(parts.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

fn for_each_item<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    closure: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let Value::Closure(closure) = closure else {
        return ctx.unsupported("`for_each` with a function that is not here", at);
    };
    let names = item_names(&sequence, Some(&closure));
    drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
        let value = ctx.call_closure(&closure, vec![item], at);
        ctx.evaluate(value);
    });
    Value::Unit
}

/// The minimum or maximum item in the order given by a closure.
fn extreme_by_comparison<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    name: &str,
    closure: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let Value::Closure(closure) = ctx.expression(closure, None) else {
        return ctx.unsupported(format!("`{name}` with a function that is not here"), at);
    };
    let found = compare_sequences(ctx, sequence, at, name, &mut |ctx, before, item| {
        let before = places::borrow(ctx, before, at);
        let item = places::borrow(ctx, item, at);
        let value = ctx.call_closure(&closure, vec![before, item], at);
        ctx.evaluate(value);
    });
    Value::Option(ctx.unknown_integer(at), Box::new(found))
}

/// The minimum or maximum item, or the last: each item is visited once, and the result is data.
fn extreme<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    name: &str,
    key: Option<&'a Expr>,
    at: TextRange,
) -> Value<'a> {
    let key = match key.map(|key| ctx.expression(key, None)) {
        Some(Value::Closure(key)) => Some(key),
        Some(_) => {
            return ctx.unsupported(format!("`{name}` with a function that is not here"), at);
        }
        None => None,
    };
    let names = item_names(&sequence, key.as_deref());
    let some = arbitrary_item(ctx, &sequence.item, at);
    let some = some.filter(|_| sequence.is_indexed());
    let mut found = None;
    drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
        let item = ctx.hold(item, "item");
        found = arbitrary_like(ctx, &item, some.as_ref(), at);
        let value = match &key {
            Some(key) => {
                let seen = places::borrow(ctx, item, at);
                ctx.call_closure(key, vec![seen], at)
            }
            None => item,
        };
        let value = places::strip_references(ctx, value, at);
        ctx.evaluate(value);
    });
    let value = found.unwrap_or_else(|| Value::Unknown(Ty::unknown()));
    Value::Option(ctx.unknown_integer(at), Box::new(value))
}

/// Visits items until one is found.
fn search_items<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    name: &str,
    closure: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let Value::Closure(closure) = closure else {
        return ctx.unsupported(format!("`{name}` with a function that is not here"), at);
    };
    let sequence = positions::partial(sequence);
    let names = item_names(&sequence, Some(&closure));
    let mut kind = Ty::unknown();
    drive::drive_until_exit(ctx, sequence, at, &names, &mut |ctx, item, exit| {
        kind = ctx.inference.resolve(&item.kind());
        let seen = match name {
            "find" => places::borrow(ctx, item, at),
            _ => item,
        };
        let truth = ctx.call_closure(&closure, vec![seen], at);
        let truth = match name {
            "find_map" => patterns::is_some_test(ctx, &truth, at, 1),
            _ => ctx.integer_of(truth, at),
        };
        let truth = match name {
            "all" => ast_builder::unary(at, premiss_ast::syntax::Unary::Not, truth),
            _ => truth,
        };
        let jump = drive::leave(ctx, exit, at);
        branches::emit_if(ctx, truth, vec![jump], Vec::new(), at);
    });
    match name {
        "any" | "all" => Value::Plain(ctx.unknown_integer(at), Ty::Bool),
        "position" | "rposition" => {
            let place = Value::size(ctx.unknown_integer(at));
            Value::Option(ctx.unknown_integer(at), Box::new(place))
        }
        _ => {
            let value = ctx.unknown_value(&kind, at);
            Value::Option(ctx.unknown_integer(at), Box::new(value))
        }
    }
}

fn collect_items<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let is_vector = match &method.expected {
        Some(Ty::Vec(_) | Ty::Box(_)) | None => true,
        Some(kind) => kind.is_unknown() && !matches!(kind, Ty::Unknown(name) if &**name != "_"),
    };
    if !is_vector {
        let names = item_names(&sequence, None);
        drive::drive(ctx, sequence, at, &names, &mut |ctx, item| {
            ctx.evaluate(item);
        });
        return ctx.unsupported("`collect` into something that is no vector", at);
    }
    let wanted = ctx.target_name.take();
    let element = match method.expected.as_ref().and_then(Ty::element) {
        Some(element) if !element.is_unknown() => element,
        _ => Arc::new(ctx.inference.variable(at)),
    };
    expect_items(ctx, &sequence, &element);
    let count = match sequence.is_indexed() {
        true => sequence.count.clone(),
        false => None,
    };
    let count = match count {
        Some(count) => ctx.stabilize(count, "count"),
        None => ctx.unknown_integer(at),
    };
    ctx.target_name = wanted;
    let slice: Slice = vectors::allocate(ctx, &element, count, at);
    let first = ast_builder::integer(at, 0);
    vectors::store_items(ctx, &slice.pointer, &element, &first, sequence, at);
    Value::Slice(slice)
}

/// Tells the closure that makes the items of a sequence the type of what they are collected into:
/// `rows.map(|row| row.dot(v)).collect()` calls the `dot` that yields a number if that is a vector of numbers.
fn expect_items(ctx: &Body, sequence: &ItemSequence, element: &Ty) {
    let ((Some(Adapter::Map(last)), _) | (None, SequenceItem::Mapped(_, last))) =
        (sequence.adapters.last(), &sequence.item)
    else {
        return;
    };
    let element = ctx.inference.resolve_deeply(element);
    // The bytes of a text are collected from characters and texts.
    let is_byte = Some(&element) == Ty::primitive("u8").as_ref();
    if !element.is_weak() && !is_byte {
        last.expected.get_or_init(|| element);
    }
}

/// Methods of ranges.
pub(crate) fn range_method<'a>(
    ctx: &mut Body<'a, '_>,
    range: crate::value::Range,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    match (method.name, method.arguments.as_slice()) {
        ("contains", [value]) => {
            let value = ctx.integer(value);
            let value = ctx.stabilize(value, "value");
            let start = range
                .start
                .map(|start| ast_builder::binary(at, Binary::GreaterEqual, value.clone(), start));
            let end = range
                .end
                .map(|end| ast_builder::binary(at, Binary::Less, value, end));
            let truth = match (start, end) {
                (Some(a), Some(b)) => ast_builder::and(at, a, b),
                (a, b) => a.or(b).unwrap_or_else(|| ast_builder::integer(at, 1)),
            };
            Value::Plain(truth, Ty::Bool)
        }
        ("clone", []) => Value::Range(range),
        ("is_empty", []) => Value::Plain(ctx.unknown_integer(at), Ty::Bool),
        _ => match adapters::into_sequence(ctx, Value::Range(range), at) {
            Some(sequence) => iterator_method(ctx, sequence, method),
            None => Value::Unknown(Ty::unknown()),
        },
    }
}
