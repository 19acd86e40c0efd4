//! Iterators that variables hold: a variable counts how many of their items have been taken.
//!
//! ```text
//! let mut it = a.chunks_exact(4);     it.taken = 0
//! let first = it.next();              item 0 if 0 < a.len() / 4; it.taken = 1
//! for x in it.by_ref().take(n) { … }  items from 1 on, min(a.len() / 4 - 1, n) of them; it.taken grows by as much
//! for x in it { … }                   those from `it.taken` on
//! ```

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::branches;
use crate::body::iterators::drive;
use crate::body::iterators::positions::{
    BORROWING, UNFOLLOWED, borrowed, is_loaded, lost, runs_code, taken_over,
};
use crate::body::library::method_call::MethodCall;
use crate::body::values::places;
use crate::value::{ItemSequence, Position, Value};
use premiss_ast::syntax::{Binary, Expression, TextRange};
use syn::{Expr, Pat};

/// A method of an iterator that a variable holds; for others, the sequence that the method is called on.
pub(crate) fn held_method<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    method: &MethodCall<'a, '_>,
) -> Result<Value<'a>, Box<ItemSequence<'a>>> {
    let Position::Held(taken) = sequence.position.clone() else {
        return Err(Box::new(sequence));
    };
    let at = method.at;
    Ok(match (method.name, method.arguments.as_slice()) {
        ("by_ref", []) => Value::Iterator(Box::new(borrowed(ctx, sequence))),
        ("next", []) => next_item(ctx, &sequence, taken.clone(), &taken, at),
        ("nth", [number]) => {
            let number = ctx.integer(number);
            let index = ast_builder::binary(at, Binary::Add, taken.clone(), number);
            next_item(ctx, &sequence, index, &taken, at)
        }
        ("peek", []) if runs_code(&sequence.item) || is_loaded(&sequence.item) => {
            ctx.unsupported("`peek` of an iterator that computes its items", at)
        }
        ("peek", []) => {
            let index = ctx.stabilize(taken, "index");
            let is_some = is_left(&sequence, &index, at);
            let value = drive::item_at(ctx, &sequence.item, index, at);
            let value = places::borrow(ctx, value, at);
            Value::Option(is_some, Box::new(value))
        }
        ("len", []) => match sequence.count {
            Some(count) => Value::size(ast_builder::binary(at, Binary::Subtract, count, taken)),
            None => Value::size(ctx.unknown_integer(at)),
        },
        ("clone", []) if !runs_code(&sequence.item) => {
            Value::Iterator(Box::new(taken_over(ctx, sequence)))
        }
        ("remainder", []) => return Err(Box::new(sequence)),
        (name, _) if UNFOLLOWED.contains(&name) => {
            return Err(Box::new(lost(ctx, sequence, at)));
        }
        (name, _) if BORROWING.contains(&name) => {
            return Err(Box::new(borrowed(ctx, sequence)));
        }
        _ => return Err(Box::new(taken_over(ctx, sequence))),
    })
}

/// The iterator, the pattern of the items, and the name of a loop condition `let Some(pattern) = iterator.next()`, for
/// a pattern that each item matches.
pub(crate) fn next_of_held<'a>(
    ctx: &mut Body<'a, '_>,
    pattern: &'a Pat,
    value: &'a Expr,
) -> Option<(ItemSequence<'a>, &'a Pat, String)> {
    let (Pat::TupleStruct(some), Expr::MethodCall(call)) = (pattern, value) else {
        return None;
    };
    let is_next = call.method == "next" && call.args.is_empty();
    let Expr::Path(path) = &*call.receiver else {
        return None;
    };
    let name = path.path.get_ident()?.to_string();
    if !some.path.is_ident("Some") || some.elems.len() != 1 || !is_next {
        return None;
    }
    let item = some.elems.first().filter(|item| matches_all(item))?;
    let held = match ctx.environment.get(&name)?.clone() {
        Value::Iterator(held) => held,
        Value::Alias(value) => match *value {
            Value::Iterator(held) => held,
            _ => return None,
        },
        _ => return None,
    };
    matches!(held.position, Position::Held(_)).then_some((*held, item, name))
}

/// Whether a pattern matches each value, as far as its form tells.
fn matches_all(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => {
            let is_lower = |name: &str| !name.starts_with(char::is_uppercase);
            ident.subpat.is_none() && is_lower(&ident.ident.to_string())
        }
        Pat::Reference(inner) => matches_all(&inner.pat),
        Pat::Paren(inner) => matches_all(&inner.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(matches_all),
        _ => false,
    }
}

/// Takes the item at an index, up to which all are taken with it.
fn next_item<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: &ItemSequence<'a>,
    index: Expression,
    taken: &Expression,
    at: TextRange,
) -> Value<'a> {
    let index = ctx.stabilize(index, "index");
    let one = ast_builder::integer(at, 1);
    let next = ast_builder::binary(at, Binary::Add, index.clone(), one);
    let change = ast_builder::assign(at, taken.clone(), next);
    ctx.emit(ast_builder::evaluated(change));
    let is_some = is_left(sequence, &index, at);
    let (list, value) =
        ctx.emit_aside_binding(|ctx| drive::item_at(ctx, &sequence.item, index, at));
    if list.is_empty() {
        return Value::Option(is_some, Box::new(value));
    }
    // What computes the item runs if there is one.
    let mut arms = [(list, value)];
    let value = branches::join_arms(ctx, &mut arms, at);
    let [(list, _)] = arms;
    branches::emit_if(ctx, is_some.clone(), list, Vec::new(), at);
    Value::Option(is_some, Box::new(value))
}

/// Whether there is an item at an index.
fn is_left(sequence: &ItemSequence, index: &Expression, at: TextRange) -> Expression {
    match &sequence.count {
        Some(count) => ast_builder::binary(at, Binary::Less, index.clone(), count.clone()),
        None => ast_builder::integer(at, 1),
    }
}
