//! What is matched against patterns: a place is read only where a pattern reads it.
//!
//! ```text
//! let _ = a[i];               reads nothing, but its subscripts are evaluated
//! let (_, y) = pairs[i];      reads `pairs[i].1`
//! let _ = a[i] + 1.0;         reads `a[i]`: a computed value
//! ```
//!
//! The Rust Reference, "Place Expressions and Value Expressions".

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::values::places;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Statement, StatementKind};
use syn::{Expr, Pat};

/// The source of a value that is matched against a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scrutinee {
    /// A value that was computed.
    Value,
    /// A place: what the pattern does not bind is not read.
    Place,
    /// The target of a reference that the pattern does not mention: names are bound to references to its parts.
    Target,
}

impl Scrutinee {
    /// Of an expression: whether it is a place.
    pub(crate) fn of(value: &Expr) -> Self {
        match value {
            Expr::Paren(inner) => Self::of(&inner.expr),
            Expr::Group(inner) => Self::of(&inner.expr),
            Expr::Path(_) | Expr::Index(_) | Expr::Field(_) => Self::Place,
            Expr::Unary(operation) if matches!(operation.op, syn::UnOp::Deref(_)) => Self::Place,
            _ => Self::Value,
        }
    }

    /// Of the parts of a value that a pattern takes apart.
    pub(crate) fn of_parts<'a>(self, ctx: &Body<'a, '_>, value: &Value<'a>) -> Self {
        match ctx.inference.resolve(&value.kind()) {
            Ty::Pointer(_) if !matches!(value, Value::Slice(_)) => Self::Target,
            _ => self,
        }
    }
}

/// The value of a scrutinee, which is not read if none of the patterns reads it.
pub(crate) fn scrutinee<'a>(
    ctx: &mut Body<'a, '_>,
    value: &'a Expr,
    expected: Option<&Ty>,
    patterns: &[&'a Pat],
) -> Value<'a> {
    let n_before = ctx.block.len();
    let found = ctx.expression(value, expected);
    let is_read = Scrutinee::of(value) == Scrutinee::Value || patterns.iter().any(|p| reads(p));
    if is_read || ctx.block.len() == n_before || !matches!(found, Value::Unknown(Ty::Option(_))) {
        return found;
    }
    // The read of an option, which comes last.
    if let Some(Statement {
        kind: StatementKind::Expression(place),
        ..
    }) = ctx.block.last()
        && ast_builder::is_place(place)
    {
        let place = place.clone();
        ctx.block.pop();
        discard(ctx, &Value::Plain(place, found.kind()));
    }
    found
}

/// Evaluates a place without reading it: subscripts are evaluated, and pointers to it are loaded.
pub(crate) fn discard<'a>(ctx: &mut Body<'a, '_>, value: &Value<'a>) {
    let mut parts = Vec::new();
    value.parts(&mut parts);
    for part in parts {
        let at = part.at;
        let evaluated = match ast_builder::is_place(&part) {
            true => ast_builder::address(at, part),
            false => part,
        };
        if !ast_builder::is_pure(&evaluated) {
            ctx.emit(ast_builder::evaluated(evaluated));
        }
    }
}

/// The value of a scrutinee in a form that patterns can test and bind several times. What none of them reads is
/// discarded.
pub(crate) fn hold_scrutinee<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    source: Scrutinee,
    patterns: &[&'a Pat],
) -> Value<'a> {
    if source == Scrutinee::Value {
        return ctx.hold(value, "matched");
    }
    if !patterns.iter().any(|pattern| reads(pattern)) {
        discard(ctx, &value);
        return Value::Unknown(value.kind());
    }
    let parts = match value {
        Value::Tuple(parts) => parts,
        Value::Plain(place, kind) if ctx.inference.resolve(&kind).is_scalar() => {
            let number = places::load(ctx, place, &kind);
            return ctx.hold(Value::Plain(number, kind), "matched");
        }
        value => return ctx.hold(value, "matched"),
    };
    let parts = parts.into_iter().enumerate().map(|(idx, part)| {
        let inner: Option<Vec<&Pat>> = patterns.iter().map(|p| element(p, idx)).collect();
        match inner {
            Some(inner) => hold_scrutinee(ctx, part, source, &inner),
            None => ctx.hold(part, "matched"),
        }
    });
    Value::Tuple(parts.collect())
}

/// The pattern of an element of a tuple; `None` if the pattern is no plain list of elements.
fn element(pattern: &Pat, idx: usize) -> Option<&Pat> {
    match pattern {
        Pat::Paren(inner) => element(&inner.pat, idx),
        Pat::Type(inner) => element(&inner.pat, idx),
        Pat::Guard(inner) => element(&inner.pat, idx),
        Pat::Wild(_) => Some(pattern),
        Pat::Tuple(tuple) if !tuple.elems.iter().any(|p| matches!(p, Pat::Rest(_))) => {
            tuple.elems.get(idx)
        }
        _ => None,
    }
}

/// Whether matching a pattern reads the value of a place or a part of it. A name that is no binding but a constant
/// does; one that is bound by reference does not.
fn reads(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) | Pat::Rest(_) => false,
        Pat::Ident(ident) => match &ident.subpat {
            None => ident.by_ref.is_none(),
            Some((_, inner)) => ident.by_ref.is_none() || reads(inner),
        },
        Pat::Paren(inner) => reads(&inner.pat),
        Pat::Type(inner) => reads(&inner.pat),
        Pat::Guard(inner) => reads(&inner.pat),
        Pat::Or(or) => or.cases.iter().any(reads),
        Pat::Tuple(tuple) => tuple.elems.iter().any(reads),
        _ => true,
    }
}
