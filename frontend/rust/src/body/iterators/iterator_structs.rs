//! Structs whose `next` takes from an iterator in a field: their items are those of that iterator.
//!
//! ```text
//! impl Iterator for Entries<'_> {
//!     fn next(&mut self) -> Option<(usize, f64)> { self.inner.next().map(|(i, x)| (*i, *x)) }
//! }
//! Entries { inner: a.iter().zip(b) }         a.iter().zip(b).map(|(i, x)| (*i, *x))
//! ```

use crate::body::context::Body;
use crate::body::iterators::adapters;
use crate::body::values::fields::member_name;
use crate::types::Ty;
use crate::value::{Closure, ClosureCode, Environment, InlinedCode, ItemSequence, Value};
use premiss_ast::syntax::TextRange;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Arc;
use syn::{Expr, Stmt};

/// A struct with these values of its fields as an iterator, if it is one by the iterator in a field.
pub(crate) fn iterator_of_struct<'a>(
    ctx: &mut Body<'a, '_>,
    kind: &Ty,
    fields: &[(&str, &Value<'a>)],
    at: TextRange,
) -> Option<Value<'a>> {
    let is_iterator = |(_, value): &(&str, &Value<'a>)| matches!(value, Value::Iterator(_));
    if !fields.iter().any(is_iterator) {
        return None;
    }
    let next = ctx
        .program
        .function_of_type(kind, "next", Some("Iterator"))?;
    let [Stmt::Expr(body, None)] = ctx.program.index.functions[next].block.stmts.as_slice() else {
        return None;
    };
    let (field, stages) = item_of_field(body)?;
    let (_, value) = fields.iter().find(|(name, _)| *name == field)?;
    let Value::Iterator(sequence) = value else {
        return None;
    };
    for (name, value) in fields {
        if *name != field {
            ctx.evaluate((*value).clone());
        }
    }
    let mut sequence = (**sequence).clone();
    for stage in stages {
        sequence = match stage {
            Stage::Copied => adapters::copied(sequence),
            Stage::Map(code) => mapped(ctx, sequence, (next, kind), code, at)?,
        };
    }
    Some(Value::Iterator(Box::new(sequence)))
}

/// What is done with the item of the iterator in a field.
enum Stage<'a> {
    Copied,
    Map(ClosureCode<'a>),
}

/// The field of `self.field.next()`, and the stages that follow.
fn item_of_field(body: &Expr) -> Option<(String, Vec<Stage<'_>>)> {
    let Expr::MethodCall(call) = body else {
        return None;
    };
    let arguments: Vec<&Expr> = call.args.iter().collect();
    match (call.method.to_string().as_str(), arguments.as_slice()) {
        ("next", []) => match &*call.receiver {
            Expr::Field(field) if is_self(&field.base) => {
                Some((member_name(&field.member), Vec::new()))
            }
            _ => None,
        },
        ("copied" | "cloned", []) => {
            let (field, mut stages) = item_of_field(&call.receiver)?;
            stages.push(Stage::Copied);
            Some((field, stages))
        }
        ("map", [code]) if !mentions_self(code.to_token_stream()) => {
            let (field, mut stages) = item_of_field(&call.receiver)?;
            stages.push(Stage::Map(match code {
                Expr::Closure(closure) => ClosureCode::Closure(closure),
                Expr::Path(path) => ClosureCode::Path(path),
                _ => return None,
            }));
            Some((field, stages))
        }
        _ => None,
    }
}

fn is_self(value: &Expr) -> bool {
    matches!(value, Expr::Path(path) if path.path.is_ident("self"))
}

fn mentions_self(text: TokenStream) -> bool {
    text.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "self",
        TokenTree::Group(group) => mentions_self(group.stream()),
        _ => false,
    })
}

/// The items after a closure that is written in a function of a type.
fn mapped<'a>(
    ctx: &mut Body<'a, '_>,
    sequence: ItemSequence<'a>,
    (function, kind): (usize, &Ty),
    syntax: ClosureCode<'a>,
    at: TextRange,
) -> Option<ItemSequence<'a>> {
    let idx = ctx.program.index.implementation_of(function)?;
    let unit = ctx.program.index.functions[function].unit;
    let scope = ctx.program.scope_of_implementation(idx, kind);
    let text = &ctx.program.positions[unit];
    let copy = ctx.copies.next(at, InlinedCode::Function(function), text)?;
    ctx.program.inlined.insert(function);
    let closure = Closure {
        syntax,
        environment: Environment::default(),
        substitution: Arc::new(scope),
        unit,
        copy,
        inlined_around: ctx.inline_stack.clone(),
        own_state: Vec::new(),
        was_inlined: Cell::new(false),
        expected: OnceCell::new(),
    };
    Some(adapters::mapped(sequence, Rc::new(closure)))
}
