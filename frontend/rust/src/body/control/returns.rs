//! `return`, `?`, and the result of a function.

use crate::ast_builder;
use crate::body::calls::signatures;
use crate::body::context::{Body, ReturnTarget};
use crate::body::control::branches;
use crate::body::values::{assignments, patterns, places};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Expression, StatementKind, TextRange, TypeName};

pub(crate) fn return_expression<'a>(
    ctx: &mut Body<'a, '_>,
    jump: &'a syn::ExprReturn,
    at: TextRange,
) -> Value<'a> {
    let expected = ctx.return_type.clone();
    let value = match &jump.expr {
        Some(value) => ctx.expression(value, Some(&expected)),
        None => Value::Unit,
    };
    if !matches!(value, Value::Never) {
        return_value(ctx, value, at);
    }
    Value::Never
}

/// Returns from the function with a value.
pub(crate) fn return_value<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>, at: TextRange) {
    match ctx.return_target.clone() {
        ReturnTarget::Function => return_from_function(ctx, value, at),
        ReturnTarget::Inlined { result, label } => {
            let value = places::coerce(ctx, value, &result.kind());
            assignments::assign_parts(ctx, &result, &value, at);
            let jump = StatementKind::Goto(Some(label));
            ctx.emit(ast_builder::statement(at, jump));
        }
    }
}

/// `value?`
pub(crate) fn try_expression<'a>(
    ctx: &mut Body<'a, '_>,
    tried: &'a syn::ExprTry,
    at: TextRange,
) -> Value<'a> {
    let value = ctx.expression(&tried.expr, None);
    let value = ctx.hold(value, "tried");
    let is_some = patterns::is_some_test(ctx, &value, at, 1);
    if ast_builder::as_integer(&is_some) != Some(1) {
        let is_none = ast_builder::unary(at, premiss_ast::syntax::Unary::Not, is_some);
        let (list, ()) = ctx.emit_aside(|ctx| {
            let nothing = Value::Unknown(ctx.return_type.clone());
            return_value(ctx, nothing, at);
        });
        branches::emit_if(ctx, is_none, list, Vec::new(), at);
    }
    patterns::payload(ctx, value)
}

/// The end of the function, with its result.
fn return_from_function<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>, at: TextRange) {
    let kind = ctx.return_type.clone();
    let value = places::coerce(ctx, value, &kind);
    let result = match (signatures::result_type_name(ctx, &kind), value) {
        (TypeName::Void, value) => {
            ctx.evaluate(value);
            None
        }
        (name, value) => Some(result_expression(ctx, name, &kind, value, at)),
    };
    ctx.emit(ast_builder::statement(at, StatementKind::Return(result)));
}

fn result_expression<'a>(
    ctx: &mut Body<'a, '_>,
    name: TypeName,
    kind: &Ty,
    value: Value<'a>,
    at: TextRange,
) -> Expression {
    match value {
        Value::Plain(expression, _) => expression,
        Value::Unknown(_) => ast_builder::data(at, name),
        value => {
            let place = ctx.fresh_at(at);
            let variable = ctx.fresh_name("result");
            ctx.emit(ast_builder::declaration(place, &variable, name, None));
            let variable = ast_builder::name(at, &variable);
            let inner = match kind {
                Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => (**inner).clone(),
                kind => kind.clone(),
            };
            places::store(ctx, variable.clone(), &inner, value, at);
            variable
        }
    }
}
