//! `for` over an iterator that the program defines: a loop that ends with the first call of `next` that yields nothing.

use crate::body::calls::methods;
use crate::body::context::Body;
use crate::body::control::loops::loop_body;
use crate::body::control::{blocks, jumps, loop_statements};
use crate::body::iterators::adapters;
use crate::body::values::{assignments, patterns};
use crate::value::{ItemSequence, Value};
use premiss_ast::syntax::{Expression, TextRange};

/// What `IntoIterator` yields for a value of a type of the program.
pub(crate) enum ProgramItems<'a> {
    Sequence(Box<ItemSequence<'a>>),
    /// An iterator, and its `next`.
    Next(Value<'a>, usize),
}

/// The iterator that a value is, or that its `into_iter` returns; `None` if the program defines neither for its type.
pub(crate) fn program_items<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    at: TextRange,
) -> Option<ProgramItems<'a>> {
    if let Some(next) = methods::resolve_method(ctx, &value, "next") {
        return Some(ProgramItems::Next(value, next));
    }
    let function = methods::resolve_method(ctx, &value, "into_iter")?;
    let value = methods::call_without_arguments(ctx, function, value, at);
    if let Some(sequence) = adapters::into_sequence(ctx, value.clone(), at) {
        return Some(ProgramItems::Sequence(Box::new(sequence)));
    }
    let next = methods::resolve_method(ctx, &value, "next")?;
    Some(ProgramItems::Next(value, next))
}

/// `while let Some(pattern) = iterator.next() { … }`
pub(crate) fn next_loop<'a>(
    ctx: &mut Body<'a, '_>,
    one: &'a syn::ExprForLoop,
    (iterator, next): (Value<'a>, usize),
    header: TextRange,
) -> Value<'a> {
    let at = ctx.at(&one.expr);
    let slot = assignments::slot_for(ctx, &iterator, "iterator", at);
    assignments::assign_parts(ctx, &slot, &iterator, at);
    jumps::enter(ctx, one.label.as_ref().map(|label| &label.name), true);
    let environment = ctx.environment.clone();
    let (statements, (is_some, item)) = ctx.emit_aside_binding(|ctx| {
        let item = methods::call_without_arguments(ctx, next, slot, at);
        let item = ctx.hold(item, "item");
        let is_some = patterns::is_some_test(ctx, &item, at, 1);
        (Expression { at, ..is_some }, item)
    });
    let condition = ctx.with_statements(statements, is_some);
    let body = loop_body(ctx, at, |ctx| {
        let item = patterns::payload(ctx, item);
        patterns::bind(ctx, &one.pat, item);
        blocks::scoped_block(ctx, &one.body)
    });
    ctx.environment = environment;
    loop_statements::emit_while(ctx, header, condition, body);
    loop_statements::finish_loop(ctx, at)
}
