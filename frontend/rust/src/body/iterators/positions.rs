//! The position in an iterator that a variable holds: how many of its items have been taken.
//!
//! ```text
//! let mut it = a.iter();                  it.taken = 0
//! for x in it.by_ref().take(n) { … }      items from `it.taken` on, which then grows by their number
//! for x in it { … }                       those that are left
//! ```

use crate::ast_builder;
use crate::body::context::Body;
use crate::types::Ty;
use crate::value::{Adapter, ItemSequence, Position, SequenceItem};
use premiss_ast::syntax::{Binary, Expression, ExpressionKind as Kind, TextRange, TypeName};
use std::sync::Arc;

/// Methods that borrow the iterator, as far as they are followed.
pub(crate) const BORROWING: [&str; 13] = [
    "next",
    "nth",
    "peek",
    "by_ref",
    "len",
    "clone",
    "any",
    "all",
    "find",
    "find_map",
    "position",
    "remainder",
    "try_for_each",
];

/// Methods that change an iterator in a way that is not followed.
pub(crate) const UNFOLLOWED: [&str; 11] = [
    "next_back",
    "nth_back",
    "next_if",
    "next_if_eq",
    "next_chunk",
    "peek_mut",
    "advance_by",
    "try_fold",
    "rfind",
    "rposition",
    "as_slice",
];

/// An iterator in a variable of this name, none of whose items has been taken.
pub(crate) fn hold<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    name: &str,
    at: TextRange,
) -> ItemSequence<'a> {
    let sequence = taken_over(ctx, sequence);
    if !sequence.is_indexed() {
        return sequence;
    }
    let item = stable_item(ctx, sequence.item);
    let count = sequence.count.map(|count| ctx.stabilize(count, "count"));
    let variable = ctx.fresh_name(&format!("{name}.taken"));
    ctx.mutable_names.insert(variable.clone());
    let zero = ast_builder::integer(at, 0);
    let place = ctx.fresh_at(at);
    ctx.emit(ast_builder::declaration(
        place,
        &variable,
        ast_builder::wide(),
        Some(zero),
    ));
    ItemSequence {
        position: Position::Held(ast_builder::name(at, &variable)),
        remainder: sequence.remainder,
        ..ItemSequence::new(count, item)
    }
}

/// The items that are left of an iterator that is moved.
pub(crate) fn taken_over<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
) -> ItemSequence<'a> {
    let Position::Held(taken) = &sequence.position else {
        return sequence;
    };
    let first = ctx.stabilize(taken.clone(), "first");
    rest_from(sequence, first)
}

/// The items that are left of an iterator that is borrowed: taking them advances it.
pub(crate) fn borrowed<'a>(ctx: &mut Body<'a, '_>, sequence: ItemSequence<'a>) -> ItemSequence<'a> {
    let Position::Held(taken) = sequence.position.clone() else {
        return sequence;
    };
    let first = ctx.stabilize(taken.clone(), "first");
    ItemSequence {
        position: Position::Borrowed {
            variable: taken,
            first: first.clone(),
            is_partial: false,
        },
        ..rest_from(sequence, first)
    }
}

/// An iterator that is used through a reference by the method of this name.
pub(crate) fn through_reference<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    method: &str,
) -> ItemSequence<'a> {
    match BORROWING.contains(&method) || UNFOLLOWED.contains(&method) {
        true => sequence,
        false => borrowed(ctx, sequence),
    }
}

/// The same items, of which perhaps not all are taken.
pub(crate) fn partial(mut sequence: ItemSequence) -> ItemSequence {
    if let Position::Borrowed { is_partial, .. } = &mut sequence.position {
        *is_partial = true;
    }
    sequence
}

/// The same items, after which the position of the iterator that they are taken from is unknown.
pub(crate) fn lost<'a>(
    ctx: &mut Body<'a, '_>,
    mut sequence: ItemSequence<'a>,
    at: TextRange,
) -> ItemSequence<'a> {
    if let Position::Held(variable) | Position::Borrowed { variable, .. } = &sequence.position {
        let change = ast_builder::assign(at, variable.clone(), ctx.unknown_integer(at));
        ctx.emit(ast_builder::evaluated(change));
        sequence.position = Position::Start;
    }
    sequence
}

/// Before the items of a sequence are taken: the sequence, which counts them if not all may be taken, and otherwise the
/// position of its iterator with the value that this has behind them.
pub(crate) fn before_taking<'a>(
    ctx: &mut Body<'a, '_>,
    mut sequence: ItemSequence<'a>,
) -> (ItemSequence<'a>, Option<(Expression, Expression)>) {
    let Position::Borrowed {
        variable: taken,
        first,
        is_partial,
    } = std::mem::take(&mut sequence.position)
    else {
        return (sequence, None);
    };
    let is_exit = |stage: &Adapter| {
        matches!(
            stage,
            Adapter::TakeWhile(_)
                | Adapter::MapWhile(_)
                | Adapter::Scan(..)
                | Adapter::Zip(_)
                | Adapter::Limit(..)
        )
    };
    match sequence.count.take() {
        Some(count) if !is_partial && !sequence.adapters.iter().any(is_exit) => {
            let count = ctx.stabilize(count, "count");
            let end = ast_builder::binary(count.at, Binary::Add, first, count.clone());
            sequence.count = Some(count);
            (sequence, Some((taken, end)))
        }
        count => {
            sequence.count = count;
            sequence.adapters.insert(0, Adapter::Advance(taken, first));
            sequence.item = SequenceItem::Enumerated(Box::new(sequence.item));
            (sequence, None)
        }
    }
}

/// The items from an index on.
pub(crate) fn rest_from(sequence: ItemSequence, first: Expression) -> ItemSequence {
    let at = first.at;
    let left = |count| ast_builder::binary(at, Binary::Subtract, count, first.clone());
    let count = sequence.count.map(left);
    ItemSequence {
        remainder: sequence.remainder,
        ..ItemSequence::new(count, skipped(sequence.item, first, at))
    }
}

/// The items from an index on.
pub(crate) fn skipped(item: SequenceItem<'_>, by: Expression, at: TextRange) -> SequenceItem<'_> {
    match item {
        SequenceItem::Counter {
            start,
            step,
            end,
            kind,
        } => SequenceItem::Counter {
            start: counter_after(at, start, by, &step),
            step,
            end,
            kind,
        },
        item => SequenceItem::Skipped(Box::new(item), by),
    }
}

/// The value of a counter after so many steps.
pub(crate) fn counter_after(
    at: TextRange,
    start: Expression,
    number: Expression,
    step: &Expression,
) -> Expression {
    let distance = ast_builder::binary(at, Binary::Multiply, number, step.clone());
    ast_builder::binary(at, Binary::Add, start, distance)
}

/// Whether code computes an item.
pub(crate) fn runs_code(item: &SequenceItem) -> bool {
    has_part(item, |part| {
        matches!(part, SequenceItem::Mapped(..) | SequenceItem::Repeated(_))
    })
}

/// Whether an item is a value that is loaded.
pub(crate) fn is_loaded(item: &SequenceItem) -> bool {
    has_part(item, |part| matches!(part, SequenceItem::Copied(_)))
}

/// Whether an item is one for which a test holds, or is made of one.
pub(crate) fn has_part(item: &SequenceItem, test: fn(&SequenceItem) -> bool) -> bool {
    test(item)
        || match item {
            SequenceItem::Zipped(a, b) => has_part(a, test) || has_part(b, test),
            SequenceItem::Copied(item)
            | SequenceItem::Enumerated(item)
            | SequenceItem::Mapped(item, _)
            | SequenceItem::Reversed(item, _)
            | SequenceItem::Skipped(item, _)
            | SequenceItem::Stepped(item, _) => has_part(item, test),
            SequenceItem::Counter { .. }
            | SequenceItem::Element { .. }
            | SequenceItem::Chunk { .. }
            | SequenceItem::Lane(_)
            | SequenceItem::Repeated(_) => false,
        }
}

/// An item whose expressions are loop-invariant.
pub(crate) fn stable_item<'a>(ctx: &mut Body<'a, '_>, item: SequenceItem<'a>) -> SequenceItem<'a> {
    match item {
        SequenceItem::Counter {
            start,
            step,
            end,
            kind,
        } => SequenceItem::Counter {
            start: ctx.stabilize(start, "start"),
            step: ctx.stabilize(step, "step"),
            end,
            kind,
        },
        SequenceItem::Element { pointer, element } => SequenceItem::Element {
            pointer: stable_pointer(ctx, pointer, &element),
            element,
        },
        SequenceItem::Chunk {
            pointer,
            element,
            step,
            size,
            length,
        } => SequenceItem::Chunk {
            pointer: stable_pointer(ctx, pointer, &element),
            step: ctx.stabilize(step, "step"),
            size: ctx.stabilize(size, "size"),
            length: length.map(|length| ctx.stabilize(length, "length")),
            element,
        },
        SequenceItem::Lane(grid) => SequenceItem::Lane(grid),
        SequenceItem::Copied(inner) => SequenceItem::Copied(Box::new(stable_item(ctx, *inner))),
        SequenceItem::Enumerated(inner) => {
            SequenceItem::Enumerated(Box::new(stable_item(ctx, *inner)))
        }
        SequenceItem::Zipped(a, b) => {
            let a = stable_item(ctx, *a);
            SequenceItem::Zipped(Box::new(a), Box::new(stable_item(ctx, *b)))
        }
        SequenceItem::Mapped(inner, closure) => {
            SequenceItem::Mapped(Box::new(stable_item(ctx, *inner)), closure)
        }
        SequenceItem::Reversed(inner, count) => {
            let count = ctx.stabilize(count, "count");
            SequenceItem::Reversed(Box::new(stable_item(ctx, *inner)), count)
        }
        SequenceItem::Skipped(inner, by) => {
            let by = ctx.stabilize(by, "skipped");
            SequenceItem::Skipped(Box::new(stable_item(ctx, *inner)), by)
        }
        SequenceItem::Stepped(inner, by) => {
            let by = ctx.stabilize(by, "step");
            SequenceItem::Stepped(Box::new(stable_item(ctx, *inner)), by)
        }
        SequenceItem::Repeated(value) => SequenceItem::Repeated(Box::new(ctx.hold(*value, "same"))),
    }
}

/// A pointer in a form that keeps its value.
fn stable_pointer(ctx: &mut Body, pointer: Expression, element: &Ty) -> Expression {
    if ctx.is_stable(&pointer) || matches!(pointer.kind, Kind::Text(_)) {
        return pointer;
    }
    let element = ctx.memory_type(element);
    let memory = TypeName::Pointer(Arc::new(element));
    let at = pointer.at;
    ctx.declare(at, "elements", memory, pointer)
}
