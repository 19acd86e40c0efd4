//! Iterator adapters: methods that take a sequence and return one (`zip`, `rev`, `map`, `chunks`).
//!
//! As long as an item is a function of its index, an adapter changes that function; otherwise it is an operation that
//! is applied to each item.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::iterators::positions;
use crate::body::values::{assignments, places};
use crate::types::Ty;
use crate::value::{
    Adapter, Closure, ItemSequence, OtherItems, Position, SequenceItem, Slice, Value,
};
use premiss_ast::syntax::{Binary, Expression, TextRange};
use std::rc::Rc;
use syn::Expr;

/// The result of `IntoIterator` for a value; `None` if it is unknown.
pub(crate) fn into_sequence<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    at: TextRange,
) -> Option<ItemSequence<'a>> {
    match value {
        Value::Iterator(sequence) => Some(positions::taken_over(ctx, *sequence)),
        Value::Alias(value) => match *value {
            Value::Iterator(sequence) => Some(positions::borrowed(ctx, *sequence)),
            value => into_sequence(ctx, value, at),
        },
        Value::Range(range) => Some(range_sequence(ctx, range, at)),
        Value::NdArray(grid) => {
            let value = Value::NdArray(grid);
            let slice = places::as_slice(ctx, value, at)?;
            Some(elements(slice))
        }
        Value::Slice(slice) => {
            let is_owned = matches!(slice.kind, Ty::Vec(_) | Ty::Box(_));
            Some(match is_owned {
                true => copied(elements(slice)),
                false => elements(slice),
            })
        }
        Value::Option(is_some, inner) => Some(ItemSequence::counted(
            is_some,
            SequenceItem::Repeated(inner),
        )),
        Value::Plain(place, kind) => {
            let kind = ctx.inference.resolve(&kind);
            let is_owned = matches!(kind, Ty::Array(..));
            let slice = places::as_slice(ctx, Value::Plain(place, kind), at)?;
            Some(match is_owned {
                true => copied(elements(slice)),
                false => elements(slice),
            })
        }
        _ => None,
    }
}

fn range_sequence<'a>(
    ctx: &mut Body<'a, '_>,
    range: crate::value::Range,
    at: TextRange,
) -> ItemSequence<'a> {
    let start = range.start.unwrap_or_else(|| ast_builder::integer(at, 0));
    let start = match &range.end {
        Some(_) => ctx.stabilize(start, "start"),
        None => start,
    };
    let end = range.end.map(|end| ctx.stabilize(end, "end"));
    let count = end.clone().map(|end| {
        let place = end.at;
        ast_builder::binary(place, Binary::Subtract, end, start.clone())
    });
    let item = SequenceItem::Counter {
        start,
        step: ast_builder::integer(at, 1),
        end,
        kind: range.kind,
    };
    ItemSequence::new(count, item)
}

/// A method that turns an iterator into another one; `None` for other methods.
pub(crate) fn adapter<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    name: &str,
    arguments: &[&'a Expr],
    at: TextRange,
) -> Result<Value<'a>, Box<ItemSequence<'a>>> {
    let made = match (name, arguments) {
        (
            "iter" | "iter_mut" | "into_iter" | "by_ref" | "peekable" | "fuse" | "into_par_iter",
            [],
        ) => sequence,
        ("rev" | "skip" | "step_by" | "zip" | "chain" | "take", _)
            if matches!(sequence.position, Position::Borrowed { .. })
                && (name != "take" || !sequence.is_indexed()) =>
        {
            // How many items are taken depends on more than on those that come out.
            let sequence = positions::lost(ctx, sequence, at);
            return adapter(ctx, sequence, name, arguments, at);
        }
        ("copied" | "cloned", []) => copied(sequence),
        ("enumerate", []) => enumerated(ctx, sequence, at),
        ("rev", []) => match reversed(sequence) {
            Some(sequence) => sequence,
            None => return Ok(ctx.unsupported("a filtered iterator backwards", at)),
        },
        ("skip" | "take" | "step_by", [by]) => {
            let by = ctx.integer(by);
            let by = ctx.stabilize(by, name);
            if !sequence.is_indexed() && name != "step_by" && !is_flattened(&sequence) {
                return Ok(Value::Iterator(Box::new(cut_stages(
                    ctx, sequence, name, by, at,
                ))));
            }
            return Ok(match cut_adapter(sequence, name, by, at) {
                Some(sequence) => Value::Iterator(Box::new(sequence)),
                None => ctx.unsupported("a part of a filtered iterator", at),
            });
        }
        ("zip", [other]) => {
            let other_at = ctx.at(*other);
            let other = ctx.expression(other, None);
            let other = into_sequence(ctx, other, other_at);
            let other = other.map(|other| positions::lost(ctx, other, at));
            return Ok(
                match other.and_then(|other| zipped(ctx, sequence, other, at)) {
                    Some(sequence) => Value::Iterator(Box::new(sequence)),
                    None => ctx.unsupported("iterators side by side that are both filtered", at),
                },
            );
        }
        ("chain", [other]) => {
            let other_at = ctx.at(*other);
            let other = ctx.expression(other, None);
            match into_sequence(ctx, other, other_at) {
                Some(other) => chained(sequence, positions::lost(ctx, other, at)),
                None => return Ok(ctx.unsupported("an iterator of unknown length", at)),
            }
        }
        ("flatten", []) => with_stage(sequence, Adapter::FlatMap(None)),
        (
            "map" | "filter" | "filter_map" | "flat_map" | "take_while" | "skip_while" | "inspect"
            | "map_while",
            [closure],
        ) => return Ok(closure_adapter(ctx, sequence, name, closure, at)),
        ("scan", [state, closure]) => {
            let state = ctx.expression(state, None);
            let state = ctx.inference.open_literal(state, at);
            let Value::Closure(closure) = ctx.expression(closure, None) else {
                return Ok(ctx.unsupported("`scan` with a function that is not here", at));
            };
            let slot = assignments::slot_for(ctx, &state, "state", at);
            assignments::assign_parts(ctx, &slot, &state, at);
            with_stage(sequence, Adapter::Scan(closure, Box::new(slot)))
        }
        _ => return Err(Box::new(sequence)),
    };
    Ok(Value::Iterator(Box::new(made)))
}

fn closure_adapter<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    name: &str,
    closure: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let Value::Closure(closure) = ctx.expression(closure, None) else {
        return ctx.unsupported(format!("`{name}` with a function that is not here"), at);
    };
    let made = match name {
        "map" => mapped(sequence, closure),
        "filter" => with_stage(sequence, Adapter::Filter(closure)),
        "filter_map" => with_stage(sequence, Adapter::FilterMap(closure)),
        "flat_map" => with_stage(sequence, Adapter::FlatMap(Some(closure))),
        "inspect" => with_stage(sequence, Adapter::Inspect(closure)),
        "take_while" => with_stage(sequence, Adapter::TakeWhile(closure)),
        "map_while" => with_stage(sequence, Adapter::MapWhile(closure)),
        "skip_while" => with_stage(sequence, Adapter::SkipWhile),
        _ => return ctx.unsupported(format!("`{name}`"), at),
    };
    Value::Iterator(Box::new(made))
}

/// The results of a closure for all items.
pub(crate) fn mapped<'a>(sequence: ItemSequence<'a>, closure: Rc<Closure<'a>>) -> ItemSequence<'a> {
    match sequence.is_indexed() {
        true => ItemSequence {
            item: SequenceItem::Mapped(Box::new(sequence.item), closure),
            ..sequence
        },
        false => with_stage(sequence, Adapter::Map(closure)),
    }
}

/// `skip`, `take` and `step_by` of a sequence whose items are functions of their index.
fn cut_adapter<'a>(
    sequence: ItemSequence<'a>,
    name: &str,
    by: Expression,
    at: TextRange,
) -> Option<ItemSequence<'a>> {
    if !sequence.is_indexed() {
        return None;
    }
    let (count, item) = (sequence.count, sequence.item);
    let (count, item) = match name {
        "take" => {
            let count = match count {
                Some(count) => ast_builder::least(at, count, by),
                None => by,
            };
            (Some(count), without_end(item))
        }
        "skip" => {
            let left = |count| ast_builder::binary(at, Binary::Subtract, count, by.clone());
            (count.map(left), positions::skipped(item, by, at))
        }
        _ => {
            let count = count.map(|count| rounded_up(at, count, by.clone()));
            (count, stepped(item, by, at))
        }
    };
    Some(ItemSequence {
        position: sequence.position,
        ..ItemSequence::new(count, item)
    })
}

/// `skip` and `take` of a sequence whose items alone tell how many it has: they are counted. The last one that is taken
/// ends the loops before the next item is computed.
fn cut_stages<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    name: &str,
    by: Expression,
    at: TextRange,
) -> ItemSequence<'a> {
    let counter = counter(ctx, at);
    match name {
        "take" => {
            let limited = with_first_stage(sequence, Adapter::Limit(counter.clone(), by));
            with_stage(limited, Adapter::Count(counter))
        }
        _ => with_stage(sequence, Adapter::Skip(counter, by)),
    }
}

/// Whether an item may become several.
fn is_flattened(sequence: &ItemSequence) -> bool {
    let is_it = |stage: &Adapter| matches!(stage, Adapter::FlatMap(_));
    sequence.adapters.iter().any(is_it) || sequence.chained.as_deref().is_some_and(is_flattened)
}

/// Every `n`-th item.
fn stepped(item: SequenceItem<'_>, by: Expression, at: TextRange) -> SequenceItem<'_> {
    match item {
        SequenceItem::Counter {
            start,
            step,
            end,
            kind,
        } => SequenceItem::Counter {
            start,
            step: ast_builder::binary(at, Binary::Multiply, step, by),
            end,
            kind,
        },
        item => SequenceItem::Stepped(Box::new(item), by),
    }
}

/// The subslices of `chunks`, `windows` and similar.
pub(crate) fn chunk_adapter<'a>(
    ctx: &mut Body<'a, '_>,
    slice: Slice,
    name: &str,
    size: Expression,
    at: TextRange,
) -> ItemSequence<'a> {
    let size = ctx.stabilize(size, "size");
    let length = slice.length.clone();
    let is_exact = name.starts_with("chunks_exact");
    let (count, step, bound) = match name {
        "windows" => {
            let left = ast_builder::binary(at, Binary::Subtract, length, size.clone());
            let count = ast_builder::binary(at, Binary::Add, left, ast_builder::integer(at, 1));
            (count, ast_builder::integer(at, 1), None)
        }
        "chunks_exact" | "chunks_exact_mut" => {
            let count = ast_builder::binary(at, Binary::Divide, length, size.clone());
            (count, size.clone(), None)
        }
        _ => {
            let length = ctx.stabilize(length, "length");
            let count = rounded_up(at, length.clone(), size.clone());
            (count, size.clone(), Some(length))
        }
    };
    let item = SequenceItem::Chunk {
        pointer: slice.pointer.clone(),
        element: slice.element.clone(),
        step,
        size: size.clone(),
        length: bound,
    };
    let remainder = is_exact.then(|| Box::new(rest_of_chunks(slice, &count, size, at)));
    ItemSequence {
        remainder,
        ..ItemSequence::counted(count, item)
    }
}

/// The elements behind a number of chunks.
fn rest_of_chunks(slice: Slice, count: &Expression, size: Expression, at: TextRange) -> Slice {
    let start = ast_builder::binary(at, Binary::Multiply, count.clone(), size);
    let first = ast_builder::index(at, slice.pointer, start.clone());
    Slice {
        pointer: ast_builder::address(at, first),
        length: ast_builder::binary(at, Binary::Subtract, slice.length, start),
        kind: Ty::Slice(slice.element.clone()).pointer(),
        element: slice.element,
    }
}

/// References to the elements of a slice.
pub(crate) fn elements<'a>(slice: Slice) -> ItemSequence<'a> {
    ItemSequence::counted(
        slice.length,
        SequenceItem::Element {
            pointer: slice.pointer,
            element: slice.element,
        },
    )
}

/// The values that the items refer to.
pub(crate) fn copied(sequence: ItemSequence) -> ItemSequence {
    match sequence.is_indexed() {
        true => ItemSequence {
            item: SequenceItem::Copied(Box::new(sequence.item)),
            ..sequence
        },
        false => with_stage(sequence, Adapter::Copied),
    }
}

pub(crate) fn enumerated<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    at: TextRange,
) -> ItemSequence<'a> {
    match sequence.is_indexed() {
        true => ItemSequence {
            item: SequenceItem::Enumerated(Box::new(without_end(sequence.item))),
            ..sequence
        },
        false => {
            let counter = counter(ctx, at);
            with_stage(sequence, Adapter::Enumerate(counter))
        }
    }
}

/// A variable that counts items.
fn counter(ctx: &mut Body, at: TextRange) -> Expression {
    let name = ctx.fresh_name("counted");
    ctx.mutable_names.insert(name.clone());
    let zero = ast_builder::integer(at, 0);
    let place = ctx.fresh_at(at);
    let made = ast_builder::declaration(place, &name, ast_builder::wide(), Some(zero));
    ctx.emit(made);
    ast_builder::name(at, &name)
}

fn reversed(sequence: ItemSequence) -> Option<ItemSequence> {
    match (&sequence.count, sequence.chained.is_none()) {
        (Some(count), true) => {
            let item = SequenceItem::Reversed(Box::new(sequence.item), count.clone());
            // The operation on an item does not depend on its index.
            Some(ItemSequence { item, ..sequence })
        }
        _ => None,
    }
}

/// Two iterators side by side. Where the items of one alone tell how many it has, its loops also count those of the
/// other; `None` if that would exchange what computes the items, or of two such iterators.
fn zipped<'a>(
    ctx: &mut Body<'a, '_>,
    a: ItemSequence<'a>,
    b: ItemSequence<'a>,
    at: TextRange,
) -> Option<ItemSequence<'a>> {
    match (a.is_indexed(), b.is_indexed()) {
        (true, true) => {}
        (false, true) => return Some(zipped_beside(ctx, a, b, false, at)),
        (true, false)
            if !positions::runs_code(&a.item)
                && !positions::is_loaded(&a.item)
                && !is_flattened(&b) =>
        {
            return Some(zipped_beside(ctx, b, a, true, at));
        }
        _ => return None,
    }
    let count = match (a.count, b.count) {
        (Some(a), Some(b)) if crate::types::text_of(&a) == crate::types::text_of(&b) => Some(a),
        (Some(a), Some(b)) => Some(ast_builder::least(at, a, b)),
        (a, b) => a.or(b),
    };
    let item = SequenceItem::Zipped(Box::new(a.item), Box::new(b.item));
    Some(ItemSequence::new(count, item))
}

/// An iterator with the items of another one, of which `is_first` tells whether they come first.
fn zipped_beside<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    other: ItemSequence<'a>,
    is_first: bool,
    at: TextRange,
) -> ItemSequence<'a> {
    let item = positions::stable_item(ctx, other.item);
    let count = other.count.map(|count| ctx.stabilize(count, "count"));
    let counter = counter(ctx, at);
    let (first, count) = match is_first {
        true => (count, None),
        false => (None, count),
    };
    let sequence = match first {
        // It is asked for its next item before the other one is.
        Some(count) => with_first_stage(sequence, Adapter::Limit(counter.clone(), count)),
        None => sequence,
    };
    let other = OtherItems {
        item,
        count,
        counter,
        is_first,
    };
    with_stage(sequence, Adapter::Zip(Box::new(other)))
}

/// A stage before all others.
fn with_first_stage<'a>(mut sequence: ItemSequence<'a>, stage: Adapter<'a>) -> ItemSequence<'a> {
    if let Some(then) = sequence.chained.take() {
        sequence.chained = Some(Box::new(with_first_stage(*then, stage.clone())));
    }
    sequence.adapters.insert(0, stage);
    sequence
}

fn chained<'a>(mut first: ItemSequence<'a>, then: ItemSequence<'a>) -> ItemSequence<'a> {
    first.chained = Some(Box::new(match first.chained.take() {
        Some(next) => chained(*next, then),
        None => then,
    }));
    first
}

pub(crate) fn with_stage<'a>(
    mut sequence: ItemSequence<'a>,
    stage: Adapter<'a>,
) -> ItemSequence<'a> {
    if let Some(then) = sequence.chained.take() {
        sequence.chained = Some(Box::new(with_stage(*then, stage.clone())));
    }
    sequence.adapters.push(stage);
    sequence
}

/// An item without an end: the number of items is known otherwise.
fn without_end(item: SequenceItem) -> SequenceItem {
    match item {
        SequenceItem::Counter {
            start, step, kind, ..
        } => SequenceItem::Counter {
            start,
            step,
            end: None,
            kind,
        },
        other => other,
    }
}

/// The quotient of a count and a size, rounded up.
pub(crate) fn rounded_up(at: TextRange, count: Expression, size: Expression) -> Expression {
    let less = ast_builder::binary(
        at,
        Binary::Subtract,
        size.clone(),
        ast_builder::integer(at, 1),
    );
    let most = ast_builder::binary(at, Binary::Add, count, less);
    ast_builder::binary(at, Binary::Divide, most, size)
}
