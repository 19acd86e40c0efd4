//! Library macros: `vec!`, assertions and output. Those of the program are expanded earlier (`macro_expansion.rs`).

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::branches;
use crate::body::library::vectors;
use crate::body::values::{aggregates, places};
use crate::macro_expansion::{COMPARING, LOGGING, PREFIX, macro_limit, macro_name};
use crate::types::Ty;
use crate::value::{Slice, Value};
use premiss_ast::syntax::{ProgramEnd, StatementKind, TextRange, Unary};
use premiss_tree::RejectReason;
use std::sync::Arc;
use syn::{Expr, Macro};

/// An unknown macro.
pub(crate) fn unknown_macro<'a>(ctx: &mut Body<'a, '_>, one: &Macro, at: TextRange) -> Value<'a> {
    let name = macro_name(one);
    if ctx.program.macros.too_long.contains(&name) {
        let limit = macro_limit();
        return ctx.reject(RejectReason::Budget { limit }, at);
    }
    ctx.unsupported(format!("the macro `{name}!`"), at)
}

/// The call that represents a library macro.
pub(crate) fn builtin_macro<'a>(
    ctx: &mut Body<'a, '_>,
    call: &'a syn::ExprCall,
    at: TextRange,
    expected: Option<&Ty>,
) -> Option<Value<'a>> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let name = path.path.get_ident()?.to_string();
    let name = name.strip_prefix(PREFIX)?;
    let list: Vec<&'a Expr> = call.args.iter().collect();
    Some(match (name, list.as_slice()) {
        ("vec_repeat", [value, length]) => vec_repeat(ctx, value, length, at, expected),
        ("vec", list) => vec_literal(ctx, list, at, expected),
        ("dbg", [value]) => ctx.expression(value, expected),
        ("assert", [condition, ..]) if 0 < ctx.n_loops => {
            let condition = ctx.condition(condition);
            let fails = ast_builder::unary(at, Unary::Not, condition);
            let end = ast_builder::statement(at, StatementKind::Stop(ProgramEnd::Check));
            branches::emit_if(ctx, fails, vec![end], Vec::new(), at);
            Value::Unit
        }
        ("cfg", []) => Value::Plain(ctx.unknown_integer(at), Ty::Bool),
        (name, list) if LOGGING.contains(&name) => {
            let (list, ()) = ctx.emit_aside(|ctx| evaluate_all(ctx, list, at));
            if !list.is_empty() {
                let is_logged = ctx.unknown_integer(at);
                branches::emit_if(ctx, is_logged, list, Vec::new(), at);
            }
            Value::Unit
        }
        (name, list) => {
            evaluate_all(ctx, list, at);
            match name {
                name if COMPARING.contains(&name) => {
                    Value::Plain(ctx.unknown_integer(at), Ty::Bool)
                }
                "panic" => end_program(ctx, at),
                "unreachable" | "todo" | "unimplemented" => Value::Never,
                _ => Value::Unknown(Ty::unknown()),
            }
        }
    })
}

/// Reads the operands of a macro in order.
fn evaluate_all<'a>(ctx: &mut Body<'a, '_>, list: &[&'a Expr], at: TextRange) {
    for value in list {
        let value = ctx.expression(value, None);
        evaluate_and_load(ctx, value, at);
    }
}

/// The end of the program: nothing that encloses the place catches it.
pub(crate) fn end_program<'a>(ctx: &mut Body<'a, '_>, at: TextRange) -> Value<'a> {
    ctx.emit(ast_builder::statement(
        at,
        StatementKind::Stop(ProgramEnd::Check),
    ));
    Value::Never
}

/// Reads the operands that are printed or checked.
fn evaluate_and_load<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>, at: TextRange) {
    let value = places::strip_references(ctx, value, at);
    if let Value::Plain(place, kind) = &value
        && !ctx.inference.resolve(kind).is_scalar()
        && ast_builder::is_place(place)
    {
        return;
    }
    ctx.evaluate(value);
}

/// `vec![value; length]`: the initial values make no accesses.
fn vec_repeat<'a>(
    ctx: &mut Body<'a, '_>,
    value: &'a Expr,
    length: &'a Expr,
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let wanted = ctx.target_name.take();
    let inner = expected
        .and_then(Ty::element)
        .filter(|kind| !kind.is_unknown());
    let element = aggregates::repeated_type(ctx, value, inner.as_deref(), at);
    let length = ctx.integer(length);
    let length = ctx.stabilize(length, "length");
    ctx.target_name = wanted;
    let slice = vectors::allocate(ctx, &Arc::new(element), length, at);
    Value::Slice(slice)
}

/// `vec![a, b, c]`
fn vec_literal<'a>(
    ctx: &mut Body<'a, '_>,
    list: &[&'a Expr],
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let wanted = ctx.target_name.take();
    let inner = expected.and_then(Ty::element).map(|kind| (*kind).clone());
    let inner = inner.filter(|kind| !kind.is_unknown());
    let values = ctx.operands(list.iter().map(|x| (*x, inner.clone())).collect());
    let element = match (&inner, values.first()) {
        (Some(kind), _) => kind.clone(),
        (None, Some(first)) => ctx.inference.open_type(first.kind(), at),
        (None, None) => ctx.inference.variable(at),
    };
    let number = |n: usize| ast_builder::integer(at, i64::try_from(n).unwrap_or(i64::MAX));
    ctx.target_name = wanted;
    let slice: Slice = vectors::allocate(ctx, &Arc::new(element.clone()), number(values.len()), at);
    for (idx, value) in values.into_iter().enumerate() {
        let place = ast_builder::index(at, slice.pointer.clone(), number(idx));
        places::store(ctx, place, &element, value, at);
    }
    Value::Slice(slice)
}
