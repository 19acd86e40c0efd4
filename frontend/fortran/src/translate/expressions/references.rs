//! Function references: intrinsic functions, statement functions, external, module and type-bound functions.

use crate::build;
use crate::intrinsics::is_intrinsic;
use crate::names::{Entity, ProcedureId, StatementFunction, constructor_key};
use crate::syntax::{ActualArgument, Expr, NameKey};
use crate::translate::arrays::reductions;
use crate::translate::calls::argument_list::ArgumentList;
use crate::translate::calls::{argument_association, implicit_interface};
use crate::translate::context::Translator;
use crate::translate::expressions::intrinsic_values;
use crate::translate::operations::{self, Operation};
use crate::translate::{rejections, resolution};
use premiss_ast::syntax::{Expression, ExpressionKind, TextRange, TypeName};
use std::sync::Arc;

/// `f(…)`
pub(crate) fn function_reference(
    ctx: &mut Translator,
    expr: &Expr,
    key: &NameKey,
    arguments: &[ActualArgument],
) -> Expression {
    let at = expr.at;
    match ctx.env.symbol(key).map(|symbol| symbol.entity) {
        Some(Entity::StatementFunction(function)) => {
            let expanded = ctx.expand(&function.value, |ctx| {
                statement_function(ctx, &function, arguments, at)
            });
            return expanded.unwrap_or_else(|| {
                // The whole statement is rejected.
                build::opaque_value(at, function.kind.name(), Vec::new())
            });
        }
        Some(Entity::DerivedType(_)) => {
            let own = constructor_key(key);
            if let Some(id) = resolution::resolve_constructor(&ctx.env, &own, arguments) {
                return call_function(ctx, id, expr, arguments);
            }
            let operands = arguments.iter().filter_map(ActualArgument::expr);
            let operands: Vec<Expression> = operands.map(|x| ctx.expression(x)).collect();
            return build::opaque_value(at, ctx.env.type_of(expr).name(), operands);
        }
        _ => {}
    }
    let is_letter_test = &**key == "lsame" && arguments.len() == 2;
    let ids = ctx.env.callees(key);
    if (is_letter_test || ids.is_empty()) && is_intrinsic(key) {
        let is_reduction = matches!(
            &**key,
            "sum"
                | "product"
                | "maxval"
                | "minval"
                | "count"
                | "any"
                | "all"
                | "dot_product"
                | "norm2"
                | "maxloc"
                | "minloc"
        );
        let value = match is_reduction {
            true => reductions::reduction(ctx, expr, key, arguments),
            false => intrinsic_values::intrinsic_value(ctx, key, arguments, at),
        };
        return value.unwrap_or_else(|| {
            let construct = format!("{} of these arguments", key.to_ascii_uppercase());
            rejections::unsupported_value(&ctx.env, construct, expr)
        });
    }
    match resolution::resolve_reference(&ctx.env, key, arguments) {
        Some(id) => call_function(ctx, id, expr, arguments),
        None => {
            let name = ctx.env.callee_name(key);
            let passed = implicit_interface::implicit_arguments(ctx, Some(key), arguments, at);
            let kind = ctx.env.type_of(expr).name();
            value_of_call(ctx, passed, at, &kind, &|values| {
                build::cast(at, kind.clone(), build::call(at, &name, values))
            })
        }
    }
}

/// `object%build::name(…)`
pub(crate) fn type_bound_reference(
    ctx: &mut Translator,
    expr: &Expr,
    object: &Expr,
    key: &NameKey,
    arguments: &[ActualArgument],
) -> Expression {
    let (ids, arguments) = resolution::type_bound(&ctx.env, object, key, arguments);
    match resolution::resolve_specific(&ctx.env, &ids, &arguments) {
        Some(id) => call_function(ctx, id, expr, &arguments),
        None => {
            let construct = format!("`%{key}`, whose declaration or procedure is not known,");
            rejections::unsupported_value(&ctx.env, construct, expr)
        }
    }
}

/// An operation that a procedure defines, or of which no procedure is known.
pub(crate) fn defined_operation(
    ctx: &mut Translator,
    expr: &Expr,
    operation: Operation,
) -> Expression {
    match operation {
        Operation::Defined(id) => {
            let arguments = operations::operand_arguments(expr);
            call_function(ctx, id, expr, &arguments)
        }
        Operation::Intrinsic | Operation::Unknown => {
            let construct = operations::operator_text(expr);
            rejections::unsupported_value(&ctx.env, construct, expr)
        }
    }
}

/// A reference to a function with a known definition.
fn call_function(
    ctx: &mut Translator,
    id: ProcedureId,
    expr: &Expr,
    arguments: &[ActualArgument],
) -> Expression {
    let is_function = ctx.env.index.procedure(id).summary.interface.is_function();
    if !is_function || 0 < resolution::result_rank(&ctx.env, id) {
        return rejections::unsupported_value(
            &ctx.env,
            "a function that yields an array".to_owned(),
            expr,
        );
    }
    match argument_association::associate_arguments(ctx, id, arguments, expr.at) {
        Ok(passed) => {
            let name = &ctx.env.index.procedure(id).name;
            let kind = resolution::result_type(&ctx.env, id).name();
            value_of_call(ctx, passed, expr.at, &kind, &|values| {
                build::call(expr.at, name, values)
            })
        }
        Err(construct) => rejections::unsupported_value(&ctx.env, construct, expr),
    }
}

/// The value of a call with the statements before and after it.
fn value_of_call(
    ctx: &mut Translator,
    mut passed: ArgumentList,
    at: TextRange,
    kind: &Arc<TypeName>,
    call: &dyn Fn(Vec<Expression>) -> Expression,
) -> Expression {
    if passed.is_plain() {
        return call(passed.values());
    }
    let mut list = std::mem::take(&mut passed.prologue);
    if passed.is_plain() {
        list.push(build::evaluate(call(passed.values())));
    } else {
        let kept = ctx.fresh_name("value");
        list.push(build::declare(
            at,
            build::object(at, &kept, kind.clone(), None),
        ));
        let keeping = |values| build::assign(at, build::name(at, &kept), call(values));
        list.extend(passed.surround_call(at, &keeping));
        list.push(build::evaluate(build::name(at, &kept)));
    }
    Expression::new(
        at,
        ExpressionKind::StatementExpression(Box::new(build::block(at, list))),
    )
}

/// A statement function: its arguments are evaluated once.
fn statement_function(
    ctx: &mut Translator,
    function: &StatementFunction,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Expression {
    let mut list = Vec::new();
    let mut bound = Vec::new();
    for ((dummy, kind), argument) in function.dummies.iter().zip(arguments) {
        let Some(value) = argument.expr() else {
            continue;
        };
        let value = ctx.expression(value);
        let local = ctx.fresh_name(&dummy.key);
        let declared = build::object(at, &local, kind.name(), Some(value));
        list.push(build::declare(at, declared));
        bound.push((dummy.key.clone(), local));
    }
    let value = ctx.with_statement_arguments(bound, |ctx| ctx.expression(&function.value));
    list.push(build::evaluate(build::cast(
        at,
        function.kind.name(),
        value,
    )));
    Expression::new(
        at,
        ExpressionKind::StatementExpression(Box::new(build::block(at, list))),
    )
}
