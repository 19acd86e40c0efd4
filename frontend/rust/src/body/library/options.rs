//! Methods of `Option`: a value with the condition under which it is present.

use crate::ast_builder;
use crate::body::calls::unknown;
use crate::body::context::Body;
use crate::body::control::branches;
use crate::body::iterators::adapters;
use crate::body::library::method_call::MethodCall;
use crate::body::values::places;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::TextRange;
use syn::Expr;

/// Methods of `Option` and `Result`.
pub(crate) fn option_method<'a>(
    ctx: &mut Body<'a, '_>,
    is_some: premiss_ast::syntax::Expression,
    value: Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Value<'a> {
    let at = method.at;
    let whole = |is_some, value| Value::Option(is_some, Box::new(value));
    match (method.name, method.arguments.as_slice()) {
        ("unwrap" | "unwrap_unchecked", []) | ("expect", [_]) => value,
        ("unwrap_or" | "unwrap_or_default" | "unwrap_or_else" | "map_or" | "map_or_else", rest) => {
            or_else(ctx, is_some, &value, method.name, rest, at)
        }
        ("is_some" | "is_ok", _) => Value::Plain(is_some, Ty::Bool),
        ("is_none" | "is_err", _) => {
            let not = premiss_ast::syntax::Unary::Not;
            Value::Plain(ast_builder::unary(at, not, is_some), Ty::Bool)
        }
        ("copied" | "cloned", []) => {
            let value = places::dereference(ctx, value, at);
            whole(is_some, value)
        }
        ("map", [closure]) => {
            let Value::Closure(closure) = ctx.expression(closure, None) else {
                return ctx.unsupported("`map` with a function that is not here", at);
            };
            let (list, found) =
                ctx.emit_aside_binding(|ctx| ctx.call_closure(&closure, vec![value], at));
            if !list.is_empty() {
                let is_some = ctx.stabilize(is_some, "is_some");
                branches::emit_if(ctx, is_some.clone(), list, Vec::new(), at);
                return whole(is_some, found);
            }
            whole(is_some, found)
        }
        ("iter" | "into_iter" | "iter_mut", []) => {
            let whole = whole(is_some, value);
            match adapters::into_sequence(ctx, whole, at) {
                Some(sequence) => Value::Iterator(Box::new(sequence)),
                None => Value::Unknown(Ty::unknown()),
            }
        }
        (
            "ok" | "ok_or" | "ok_or_else" | "as_ref" | "as_mut" | "map_err" | "context"
            | "as_deref" | "as_deref_mut" | "take",
            rest,
        ) => {
            rest.iter().for_each(|value| possible_call(ctx, value, at));
            whole(is_some, value)
        }
        _ => {
            let receiver = Value::Unknown(Ty::unknown());
            unknown::unknown_method(ctx, receiver, method)
        }
    }
}

/// Evaluates an argument; a closure may be called, with a value that is not known: `ok_or_else`, `map_err`.
fn possible_call<'a>(ctx: &mut Body<'a, '_>, argument: &'a Expr, at: TextRange) {
    let value = ctx.expression(argument, None);
    let Value::Closure(closure) = value else {
        ctx.evaluate(value);
        return;
    };
    let (list, _) = ctx.emit_aside(|ctx| {
        let error = Value::Unknown(Ty::unknown());
        let value = ctx.call_closure(&closure, vec![error], at);
        ctx.evaluate(value)
    });
    if !list.is_empty() {
        let is_none = ctx.unknown_integer(at);
        branches::emit_if(ctx, is_none, list, Vec::new(), at);
    }
}

fn or_else<'a>(
    ctx: &mut Body<'a, '_>,
    is_some: premiss_ast::syntax::Expression,
    value: &Value<'a>,
    name: &str,
    rest: &[&'a Expr],
    at: TextRange,
) -> Value<'a> {
    let is_some = ctx.stabilize(is_some, "is_some");
    let then = ctx.emit_aside(|ctx| match (name, rest) {
        ("map_or" | "map_or_else", [_, closure]) => match ctx.expression(closure, None) {
            Value::Closure(closure) => ctx.call_closure(&closure, vec![value.clone()], at),
            _ => ctx.unsupported(format!("`{name}` with a function that is not here"), at),
        },
        _ => value.clone(),
    });
    let otherwise = ctx.emit_aside(|ctx| match rest.first() {
        Some(default) => match ctx.expression(default, Some(&value.kind())) {
            Value::Closure(closure) => ctx.call_closure(&closure, Vec::new(), at),
            value => value,
        },
        None => Value::Plain(ast_builder::integer(at, 0), value.kind()),
    });
    branches::select_arm(ctx, is_some, then, otherwise, at)
}
