//! Closures as values, with what they capture.
//!
//! A closure without `move` sees the variables around it, whenever it is called. One with `move` has the variables that
//! it mentions: copies of those whose type is `Copy`, so that neither sees what is later assigned to the other; what is
//! not `Copy` is gone outside.
//!
//! ```text
//! let mut c = 5;
//! let f = move |x| x + c;
//! c += 10;                  f(1) is 6
//! ```
//!
//! The copies are made where the closure is, and keep their values between its calls.

use crate::body::calls::vector_lengths;
use crate::body::context::Body;
use crate::body::values::patterns;
use crate::free_names::free_names;
use crate::types::Ty;
use crate::value::{Closure, ClosureCode, Value};
use premiss_ast::syntax::{ExpressionKind, TextRange};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// The value of a closure, or of a function that is used as a value.
pub(crate) fn closure_value<'a>(
    ctx: &mut Body<'a, '_>,
    code: ClosureCode<'a>,
    at: TextRange,
) -> Value<'a> {
    let mut closure = Closure {
        syntax: code,
        environment: ctx.environment.clone(),
        substitution: ctx.substitution.clone(),
        unit: ctx.unit,
        copy: ctx.copy,
        inlined_around: ctx.inline_stack.clone(),
        own_state: Vec::new(),
        was_inlined: Cell::new(false),
        expected: OnceCell::new(),
    };
    if let ClosureCode::Closure(syntax) = code
        && syntax.capture.is_some()
    {
        for name in free_names(syntax) {
            capture_by_value(ctx, &mut closure, name, at);
        }
    }
    Value::Closure(Rc::new(closure))
}

/// Another closure with the same code; what it has captured by value is copied.
pub(crate) fn copy_of_closure<'a>(
    ctx: &mut Body<'a, '_>,
    original: &Rc<Closure<'a>>,
    at: TextRange,
) -> Value<'a> {
    if original.own_state.is_empty() {
        return Value::Closure(original.clone());
    }
    let mut copy = Closure {
        syntax: original.syntax,
        environment: original.environment.clone(),
        substitution: original.substitution.clone(),
        unit: original.unit,
        copy: original.copy,
        inlined_around: original.inlined_around.clone(),
        own_state: Vec::new(),
        // The places of its text are those of the original.
        was_inlined: Cell::new(true),
        expected: original.expected.clone(),
    };
    for name in original.own_state.clone() {
        capture_by_value(ctx, &mut copy, name, at);
    }
    Value::Closure(Rc::new(copy))
}

fn capture_by_value<'a>(
    ctx: &mut Body<'a, '_>,
    closure: &mut Closure<'a>,
    name: String,
    at: TextRange,
) {
    let Some(value) = closure.environment.get(&name).cloned() else {
        return;
    };
    let own = match &value {
        Value::Closure(inner) => copy_of_closure(ctx, inner, at),
        // The variables represent the vector itself.
        value if vector_lengths::is_borrowed_vector(ctx, value) => return,
        value if may_change(ctx, value) && is_copy(ctx, value) => {
            let place = ctx.fresh_at(at);
            patterns::own_binding(ctx, &name, value.clone(), true, place)
        }
        _ => return,
    };
    closure.environment.bind(name.clone(), own);
    closure.own_state.push(name);
}

/// Whether a value is copied where it is moved.
fn is_copy<'a>(ctx: &Body<'a, '_>, value: &Value<'a>) -> bool {
    match value {
        Value::Tuple(parts) => parts.iter().all(|part| is_copy(ctx, part)),
        Value::Option(_, inner) => is_copy(ctx, inner),
        Value::NdArray(_) => true,
        Value::Slice(_) | Value::Plain(..) => is_copy_type(ctx, &value.kind()),
        _ => false,
    }
}

/// Whether a type is `Copy`. A mutable reference is not, but who copies one cannot use the original any more.
fn is_copy_type(ctx: &Body, kind: &Ty) -> bool {
    match ctx.inference.resolve(kind) {
        Ty::Array(element, _) => is_copy_type(ctx, &element),
        Ty::Tuple(parts) => parts.iter().all(|part| is_copy_type(ctx, part)),
        Ty::Option(inner) => is_copy_type(ctx, &inner),
        Ty::Record(record, _) => ctx.program.index.records[record].is_copy,
        Ty::Pointer(_) | Ty::Slice(_) | Ty::Str => true,
        Ty::Infer(_) => true,
        kind => kind.is_scalar(),
    }
}

/// Whether a later assignment may change what the variables of a value hold: arrays and structs are changed part by
/// part.
fn may_change<'a>(ctx: &Body<'a, '_>, value: &Value<'a>) -> bool {
    let is_whole = |kind: &Ty| {
        let kind = ctx.inference.resolve(kind);
        matches!(kind, Ty::Array(..) | Ty::Record(..))
    };
    if let Value::Plain(_, kind) = value
        && is_whole(kind)
    {
        return true;
    }
    let mut parts = Vec::new();
    value.parts(&mut parts);
    parts.iter().any(|part| match &part.kind {
        ExpressionKind::Name(name) => ctx.mutable_names.contains(name),
        _ => true,
    })
}
