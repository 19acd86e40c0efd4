//! Drives a sequence: the loop over its indices, with the adapters applied to each item in its body.

use crate::ast_builder;
use crate::body::context::{Body, ItemExit};
use crate::body::control::loop_statements::ForHeader;
use crate::body::control::{branches, jumps, loop_statements};
use crate::body::iterators::{adapters, positions};
use crate::body::library::ndarray;
use crate::body::values::{patterns, places};
use crate::types::{Ty, text_of};
use crate::value::{Adapter, Closure, ItemSequence, OtherItems, SequenceItem, Slice, Value};
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind as Kind, Statement, StatementKind, TextRange, Unary,
};
use std::rc::Rc;
use syn::Pat;

/// The names for the items of an iterator.
pub(crate) struct LoopNames {
    /// The name of an item or its index.
    name: Option<String>,
    /// The name of the first component of a pair.
    first: Option<String>,
}

impl LoopNames {
    /// The names in a pattern. A mutable binding is not used as the name of a counter.
    pub(crate) fn of(pattern: &Pat) -> Self {
        let name = |pattern: &Pat| match pattern {
            Pat::Ident(ident) if ident.mutability.is_none() && ident.by_ref.is_none() => {
                Some(ident.ident.to_string())
            }
            _ => None,
        };
        match pattern {
            Pat::Tuple(tuple) => Self {
                name: None,
                first: tuple.elems.first().and_then(name),
            },
            pattern => Self {
                name: name(pattern),
                first: None,
            },
        }
    }

    /// The names of a closure's parameters.
    pub(crate) fn of_closure(closure: Option<&Closure>) -> Self {
        match closure.map(|closure| closure.syntax) {
            Some(crate::value::ClosureCode::Closure(closure)) => match closure.inputs.first() {
                Some(Pat::Type(typed)) => Self::of(&typed.pat),
                Some(pattern) => Self::of(pattern),
                None => Self::nothing(),
            },
            _ => Self::nothing(),
        }
    }

    /// No names.
    pub(crate) fn nothing() -> Self {
        Self {
            name: None,
            first: None,
        }
    }
}

/// Emits the loops over a sequence, with a body for each item.
pub(crate) fn drive<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    sequence: ItemSequence<'a>,
    header: TextRange,
    names: &LoopNames,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    drive_until_exit(ctx, sequence, header, names, &mut |ctx, item, _| {
        each(ctx, item);
    });
}

/// As [`drive`]; the body also gets the number of the exit behind the loops, for [`leave`].
pub(crate) fn drive_until_exit<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    sequence: ItemSequence<'a>,
    header: TextRange,
    names: &LoopNames,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>, usize),
) {
    ctx.n_labels += 1;
    let exit = ctx.item_exits.len();
    ctx.item_exits.push(ItemExit {
        n_loops: ctx.n_loops,
        has_next: sequence.chained.is_some(),
        label: format!("last'{}", ctx.n_labels).into(),
        is_used: false,
    });
    drive_each(ctx, sequence, (header, exit), names, &mut |ctx, item| {
        each(ctx, item, exit);
    });
    if let Some(exit) = ctx.item_exits.pop()
        && exit.is_used
    {
        jumps::emit_label(ctx, &exit.label, header);
    }
}

/// A jump behind all loops over the items of an iterator, from the body of the innermost one.
pub(crate) fn leave(ctx: &mut Body, exit: usize, at: TextRange) -> Statement {
    let n_loops = ctx.n_loops;
    let kind = match ctx.item_exits.get_mut(exit) {
        Some(exit) if exit.has_next || exit.n_loops + 1 != n_loops => {
            exit.is_used = true;
            StatementKind::Goto(Some(exit.label.clone()))
        }
        _ => StatementKind::Break,
    };
    ast_builder::statement(at, kind)
}

/// The loops up to the exit of this number.
fn drive_each<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    sequence: ItemSequence<'a>,
    (header, exit): (TextRange, usize),
    names: &LoopNames,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    let (sequence, end) = positions::before_taking(ctx, sequence);
    let ItemSequence {
        count,
        item,
        adapters,
        chained,
        ..
    } = sequence;
    let stages = Stages {
        list: &adapters,
        exit,
        at: header,
    };
    match (&item, count) {
        (SequenceItem::Counter { .. }, count) => {
            drive_numbers(ctx, &item, count, stages, names, each);
        }
        (SequenceItem::Reversed(inner, _), Some(count)) if matches!(**inner, SequenceItem::Counter { ref step, .. } if ast_builder::as_integer(step) == Some(1)) =>
        {
            drive_down(ctx, inner, count, stages, names, each);
        }
        (_, count) => drive_counted(ctx, item, count, stages, names, each),
    }
    if let Some(chained) = chained {
        // The body occurs twice.
        let copy = ctx.copy;
        if let Some(other) = ctx.program.positions[ctx.unit].copy() {
            ctx.copy = other;
            drive_each(ctx, *chained, (header, exit), names, each);
        } else {
            ctx.unsupported("a chain of so many iterators", header);
        }
        ctx.copy = copy;
    }
    if let Some((taken, end)) = end {
        let change = ast_builder::assign(header, taken, end);
        ctx.emit(ast_builder::evaluated(change));
    }
}

fn drive_numbers<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    item: &SequenceItem<'a>,
    count: Option<Expression>,
    stages: Stages<'_, 'a>,
    names: &LoopNames,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    let header = stages.at;
    let SequenceItem::Counter {
        start,
        step,
        end,
        kind,
    } = item
    else {
        return;
    };
    let start = ctx.stabilize(start.clone(), "start");
    let step = ctx.stabilize(step.clone(), "step");
    let known = end.clone();
    let end = known.or_else(|| count.map(|count| end_of(&start, &step, count)));
    let end = end.map(|end| ctx.stabilize(end, "end"));
    let iterator = ctx.fresh_name(names.name.as_deref().unwrap_or("i@"));
    let at = start.at;
    let name = ast_builder::name(at, &iterator);
    let condition = end.map(|end| {
        let place = end.at;
        ast_builder::binary(place, Binary::Less, name.clone(), end)
    });
    let step = add_to(header, name.clone(), step);
    ctx.fresh_variables.insert(iterator.clone());
    let item = Value::Plain(name, kind.clone());
    let list = loop_iteration(ctx, stages, item, each);
    let head = ForHeader {
        at: header,
        iterator,
        first: start,
        condition,
        step,
    };
    emit_loop(ctx, head, list);
}

fn drive_down<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    inner: &SequenceItem<'a>,
    count: Expression,
    stages: Stages<'_, 'a>,
    names: &LoopNames,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    let header = stages.at;
    let SequenceItem::Counter {
        start, step, kind, ..
    } = inner
    else {
        return;
    };
    let start = ctx.stabilize(start.clone(), "start");
    let end = end_of(&start, step, count);
    let end = ctx.stabilize(end, "end");
    let at = end.at;
    let first = ast_builder::binary(at, Binary::Subtract, end, ast_builder::integer(at, 1));
    let iterator = ctx.fresh_name(names.name.as_deref().unwrap_or("i@"));
    let name = ast_builder::name(header, &iterator);
    let place = start.at;
    let condition = ast_builder::binary(place, Binary::GreaterEqual, name.clone(), start);
    let step = Kind::Increment {
        step: -1,
        is_prefix: false,
        operand: Box::new(name.clone()),
    };
    let step = Expression::new(header, step);
    ctx.fresh_variables.insert(iterator.clone());
    let item = Value::Plain(name, kind.clone());
    let list = loop_iteration(ctx, stages, item, each);
    let head = ForHeader {
        at: header,
        iterator,
        first,
        condition: Some(condition),
        step,
    };
    emit_loop(ctx, head, list);
}

/// A loop whose iterator is the index of the item.
fn drive_counted<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    item: SequenceItem<'a>,
    count: Option<Expression>,
    stages: Stages<'_, 'a>,
    names: &LoopNames,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    let header = stages.at;
    let item = positions::stable_item(ctx, item);
    let count = count.map(|count| ctx.stabilize(count, "count"));
    let wanted = match (&item, &names.first, &names.name) {
        (SequenceItem::Enumerated(_), Some(name), _) => name.clone(),
        (_, Some(name), _) | (_, None, Some(name)) => format!("{name}@"),
        _ => "i@".to_owned(),
    };
    let iterator = ctx.fresh_name(&wanted);
    let name = ast_builder::name(header, &iterator);
    let condition = count.map(|count| {
        let place = count.at;
        ast_builder::binary(place, Binary::Less, name.clone(), count)
    });
    let step = add_to(header, name.clone(), ast_builder::integer(header, 1));
    ctx.fresh_variables.insert(iterator.clone());
    ctx.n_loops += 1;
    let (mut list, ()) = ctx.emit_aside(|ctx| {
        let value = item_at(ctx, &item, name, header);
        apply_adapters(ctx, stages, value, each);
    });
    ctx.n_loops -= 1;
    loop_statements::end_iteration(ctx, &mut list, header);
    ctx.fresh_variables.remove(&iterator);
    let first = ast_builder::integer(header, 0);
    let head = ForHeader {
        at: header,
        iterator,
        first,
        condition,
        step,
    };
    emit_loop(ctx, head, list);
}

fn emit_loop(ctx: &mut Body, head: ForHeader, list: Vec<Statement>) {
    // The name of the iterator is not visible after the loop.
    ctx.fresh_variables.remove(&head.iterator);
    loop_statements::hoist_declarations(ctx);
    let iterator = head.iterator.clone();
    loop_statements::emit_for(ctx, head, list);
    if let Some(block) = ctx.block_names.last_mut() {
        block.remove(&iterator);
    }
}

fn loop_iteration<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    stages: Stages<'_, 'a>,
    value: Value<'a>,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) -> Vec<Statement> {
    ctx.n_loops += 1;
    let (mut list, ()) = ctx.emit_aside(|ctx| apply_adapters(ctx, stages, value, each));
    ctx.n_loops -= 1;
    loop_statements::end_iteration(ctx, &mut list, stages.at);
    list
}

/// The stages of an iterator that follow.
#[derive(Clone, Copy)]
struct Stages<'s, 'a> {
    list: &'s [Adapter<'a>],
    /// The exit behind the loops over its items.
    exit: usize,
    at: TextRange,
}

/// Applies adapters to an item.
fn apply_adapters<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    stages: Stages<'_, 'a>,
    value: Value<'a>,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    let Some((first, list)) = stages.list.split_first() else {
        return each(ctx, value);
    };
    let rest = Stages { list, ..stages };
    let at = stages.at;
    match first {
        Adapter::Map(closure) => {
            let value = ctx.call_closure(closure, vec![value], at);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Copied => {
            let value = places::dereference(ctx, value, at);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Advance(taken, first) => {
            let value = advance(ctx, taken, first, value, at);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Inspect(closure) => {
            let value = ctx.hold(value, "item");
            let seen = places::borrow(ctx, value.clone(), at);
            ctx.call_closure(closure, vec![seen], at);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Filter(closure) => {
            let value = ctx.hold(value, "item");
            let truth = predicate(ctx, closure, &value, at);
            emit_guarded(ctx, truth, rest, value, each);
        }
        Adapter::FilterMap(closure) => {
            let found = ctx.call_closure(closure, vec![value], at);
            let found = ctx.hold(found, "item");
            let truth = patterns::is_some_test(ctx, &found, at, 1);
            let value = patterns::payload(ctx, found);
            emit_guarded(ctx, truth, rest, value, each);
        }
        Adapter::SkipWhile => {
            let value = ctx.hold(value, "item");
            let truth = ctx.unknown_integer(at);
            emit_guarded(ctx, truth, rest, value, each);
        }
        Adapter::Enumerate(counter) => {
            let number = Value::size(next_number(ctx, counter, at));
            apply_adapters(ctx, rest, Value::Tuple(vec![number, value]), each);
        }
        Adapter::Limit(counter, count) => {
            let is_left = ast_builder::binary(at, Binary::Less, counter.clone(), count.clone());
            leave_unless(ctx, is_left, stages);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Count(counter) => {
            next_number(ctx, counter, at);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Skip(counter, count) => {
            let value = ctx.hold(value, "item");
            let number = next_number(ctx, counter, at);
            let truth = ast_builder::binary(at, Binary::LessEqual, count.clone(), number);
            emit_guarded(ctx, truth, rest, value, each);
        }
        Adapter::TakeWhile(closure) => {
            let value = ctx.hold(value, "item");
            let truth = predicate(ctx, closure, &value, at);
            leave_unless(ctx, truth, stages);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::MapWhile(closure) => {
            let found = ctx.call_closure(closure, vec![value], at);
            let value = payload_or_leave(ctx, found, stages);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Scan(closure, state) => {
            let state = places::borrow(ctx, (**state).clone(), at);
            let found = ctx.call_closure(closure, vec![state, value], at);
            let value = payload_or_leave(ctx, found, stages);
            apply_adapters(ctx, rest, value, each);
        }
        Adapter::Zip(other) => {
            let pair = pair_or_leave(ctx, other, value, stages);
            apply_adapters(ctx, rest, pair, each);
        }
        Adapter::FlatMap(closure) => {
            let inner = match closure {
                Some(closure) => ctx.call_closure(closure, vec![value], at),
                None => value,
            };
            drive_inner(ctx, inner, rest, each);
        }
    }
}

/// Ends the iterator unless a condition holds.
fn leave_unless(ctx: &mut Body, truth: Expression, stages: Stages<'_, '_>) {
    let at = stages.at;
    let is_over = ast_builder::unary(at, Unary::Not, truth);
    let jump = leave(ctx, stages.exit, at);
    branches::emit_if(ctx, is_over, vec![jump], Vec::new(), at);
}

/// The value in an `Option`; nothing in it ends the iterator.
fn payload_or_leave<'a>(
    ctx: &mut Body<'a, '_>,
    option: Value<'a>,
    stages: Stages<'_, 'a>,
) -> Value<'a> {
    let option = ctx.hold(option, "item");
    let truth = patterns::is_some_test(ctx, &option, stages.at, 1);
    leave_unless(ctx, truth, stages);
    patterns::payload(ctx, option)
}

/// An item with the next one of another iterator, whose end ends both.
fn pair_or_leave<'a>(
    ctx: &mut Body<'a, '_>,
    other: &OtherItems<'a>,
    value: Value<'a>,
    stages: Stages<'_, 'a>,
) -> Value<'a> {
    let at = stages.at;
    let value = ctx.hold(value, "item");
    if let Some(count) = &other.count {
        let is_left = ast_builder::binary(at, Binary::Less, other.counter.clone(), count.clone());
        leave_unless(ctx, is_left, stages);
    }
    let number = next_number(ctx, &other.counter, at);
    let beside = item_at(ctx, &other.item, number, at);
    match other.is_first {
        true => Value::Tuple(vec![beside, value]),
        false => Value::Tuple(vec![value, beside]),
    }
}

/// The value of a counter, which then grows by one.
fn next_number(ctx: &mut Body, counter: &Expression, at: TextRange) -> Expression {
    let number = ctx.declare(at, "number", ast_builder::wide(), counter.clone());
    let step = add_to(at, counter.clone(), ast_builder::integer(at, 1));
    ctx.emit(ast_builder::evaluated(step));
    number
}

/// Sets the position of an iterator behind a numbered item; returns the item.
fn advance<'a>(
    ctx: &mut Body<'a, '_>,
    taken: &Expression,
    first: &Expression,
    value: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let Value::Tuple(pair) = value else {
        return value;
    };
    let mut pair = pair.into_iter();
    let (Some(Value::Plain(number, _)), Some(item)) = (pair.next(), pair.next()) else {
        return Value::Unknown(Ty::unknown());
    };
    let index = ast_builder::binary(at, Binary::Add, first.clone(), number);
    let next = ast_builder::binary(at, Binary::Add, index, ast_builder::integer(at, 1));
    let change = ast_builder::assign(at, taken.clone(), next);
    ctx.emit(ast_builder::evaluated(change));
    item
}

/// Drives the sequence that an item is, with the adapters after it.
fn drive_inner<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    inner: Value<'a>,
    rest: Stages<'_, 'a>,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    let at = rest.at;
    match adapters::into_sequence(ctx, inner, at) {
        Some(inner) => {
            drive(ctx, inner, at, &LoopNames::nothing(), &mut |ctx, item| {
                apply_adapters(ctx, rest, item, each);
            });
        }
        None => {
            ctx.unsupported("an iterator over something of unknown length", at);
        }
    }
}

/// The truth value of a predicate for a reference to an item.
fn predicate<'a>(
    ctx: &mut Body<'a, '_>,
    closure: &Rc<Closure<'a>>,
    value: &Value<'a>,
    at: TextRange,
) -> Expression {
    let reference = places::borrow(ctx, value.clone(), at);
    let truth = ctx.call_closure(closure, vec![reference], at);
    ctx.integer_of(truth, at)
}

fn emit_guarded<'a, 'c>(
    ctx: &mut Body<'a, 'c>,
    truth: Expression,
    stages: Stages<'_, 'a>,
    value: Value<'a>,
    each: &mut dyn FnMut(&mut Body<'a, 'c>, Value<'a>),
) {
    let (list, ()) = ctx.emit_aside(|ctx| apply_adapters(ctx, stages, value, each));
    branches::emit_if(ctx, truth, list, Vec::new(), stages.at);
}

/// The size of a chunk that the end of its slice may truncate.
fn last_chunk(
    at: TextRange,
    size: &Expression,
    length: &Expression,
    start: &Expression,
) -> Expression {
    let left = ast_builder::binary(at, Binary::Subtract, length.clone(), start.clone());
    ast_builder::least(at, size.clone(), left)
}

/// The item at an index.
pub(crate) fn item_at<'a>(
    ctx: &mut Body<'a, '_>,
    item: &SequenceItem<'a>,
    number: Expression,
    at: TextRange,
) -> Value<'a> {
    match item {
        SequenceItem::Counter {
            start, step, kind, ..
        } => {
            let value = positions::counter_after(at, start.clone(), number, step);
            Value::Plain(value, kind.clone())
        }
        SequenceItem::Element { pointer, element } => {
            let place = ast_builder::index(at, pointer.clone(), number);
            let place = places::value_at(ctx, place, element);
            places::borrow(ctx, place, at)
        }
        SequenceItem::Chunk {
            pointer,
            element,
            step,
            size,
            length,
        } => {
            let start = ast_builder::binary(at, Binary::Multiply, number, step.clone());
            let size = match length {
                Some(length) => last_chunk(at, size, length, &start),
                None => size.clone(),
            };
            let first = ast_builder::index(at, pointer.clone(), start);
            Value::Slice(Slice {
                pointer: ast_builder::address(at, first),
                length: size,
                kind: Ty::Slice(element.clone()).pointer(),
                element: element.clone(),
            })
        }
        SequenceItem::Lane(grid) => ndarray::cut(grid, 0, number, at),
        SequenceItem::Copied(inner) => {
            let value = item_at(ctx, inner, number, at);
            places::dereference(ctx, value, at)
        }
        SequenceItem::Enumerated(inner) => {
            let first = Value::size(number.clone());
            let (first, second) =
                ctx.evaluate_in_order(first, |ctx| item_at(ctx, inner, number, at));
            Value::Tuple(vec![first, second])
        }
        SequenceItem::Zipped(a, b) => {
            let first = item_at(ctx, a, number.clone(), at);
            let (first, second) = ctx.evaluate_in_order(first, |ctx| item_at(ctx, b, number, at));
            Value::Tuple(vec![first, second])
        }
        SequenceItem::Mapped(inner, closure) => {
            let value = item_at(ctx, inner, number, at);
            ctx.call_closure(closure, vec![value], at)
        }
        SequenceItem::Reversed(inner, count) => {
            let last = ast_builder::binary(
                at,
                Binary::Subtract,
                count.clone(),
                ast_builder::integer(at, 1),
            );
            let number = ast_builder::binary(at, Binary::Subtract, last, number);
            item_at(ctx, inner, number, at)
        }
        SequenceItem::Skipped(inner, by) => {
            let number = ast_builder::binary(at, Binary::Add, number, by.clone());
            item_at(ctx, inner, number, at)
        }
        SequenceItem::Stepped(inner, by) => {
            let number = ast_builder::binary(at, Binary::Multiply, number, by.clone());
            item_at(ctx, inner, number, at)
        }
        SequenceItem::Repeated(value) => (**value).clone(),
    }
}

fn add_to(at: TextRange, name: Expression, step: Expression) -> Expression {
    let kind = match ast_builder::as_integer(&step) {
        Some(by) => Kind::Increment {
            step: by,
            is_prefix: false,
            operand: Box::new(name),
        },
        None => Kind::Assign(Some(Binary::Add), Box::new(name), Box::new(step)),
    };
    Expression::new(at, kind)
}

/// The value after the last one: `n` for `n - m` steps of one from `m`.
fn end_of(start: &Expression, step: &Expression, count: Expression) -> Expression {
    if let (Kind::Binary(Binary::Subtract, end, from), Some(1)) =
        (&count.kind, ast_builder::as_integer(step))
        && text_of(from) == text_of(start)
    {
        return (**end).clone();
    }
    let at = count.at;
    let distance = ast_builder::binary(at, Binary::Multiply, count, step.clone());
    ast_builder::binary(at, Binary::Add, start.clone(), distance)
}
