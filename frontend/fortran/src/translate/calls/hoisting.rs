//! Array-valued function references and array expressions as arguments, hoisted into variables before their statement:
//! `a = b + f(c * d)` becomes
//!
//! ```text
//! argument1 = c * d              a separate array
//! call f(argument1, result2)     allocates result2
//! a = b + result2
//! ```

use crate::build;
use crate::names::{FortranType, ProcedureId};
use crate::syntax::{
    ActualArgument, AllocateOptions, AllocationSource, ArgumentValue, Expr, ExprKind,
};
use crate::translate::arrays::allocation;
use crate::translate::calls::argument_association;
use crate::translate::context::Translator;
use crate::translate::operations::{self, Operation};
use crate::translate::{resolution, temporaries};
use premiss_ast::syntax::{Statement, TextRange};

/// Hoists the results of array-valued functions and arguments that are array expressions into variables: adds the
/// statements for that to the list, and returns the expression with the variables substituted.
pub(crate) fn hoist(ctx: &mut Translator, expr: &Expr, list: &mut Vec<Statement>) -> Option<Expr> {
    let kind = match &expr.kind {
        ExprKind::Parentheses(x) => ExprKind::Parentheses(Box::new(hoist(ctx, x, list)?)),
        ExprKind::Unary(operator, x) => {
            ExprKind::Unary(*operator, Box::new(hoist_operand(ctx, x, list)?))
        }
        ExprKind::Binary(operator, a, b) => {
            let left = hoist_operand(ctx, a, list)?;
            let right = hoist_operand(ctx, b, list)?;
            ExprKind::Binary(*operator, Box::new(left), Box::new(right))
        }
        ExprKind::Defined(operator, operands) => {
            let own = operands.iter().map(|x| hoist(ctx, x, list));
            ExprKind::Defined(operator.clone(), own.collect::<Option<_>>()?)
        }
        ExprKind::Apply(base, arguments) if !ctx.env.is_array_object(base) => {
            let mut own = Vec::new();
            for argument in arguments {
                own.push(hoist_argument(ctx, argument, list)?);
            }
            let key = base.as_name();
            let id = key.and_then(|key| resolution::resolve_reference(&ctx.env, key, &own));
            if let Some(id) = id.filter(|id| 0 < resolution::result_rank(&ctx.env, *id)) {
                return hoist_call(ctx, id, &own, expr.at, list);
            }
            if id.is_some() {
                let computed = own.iter().map(|one| materialize_argument(ctx, one, list));
                own = computed.collect::<Option<_>>()?;
            }
            ExprKind::Apply(base.clone(), own)
        }
        other => other.clone(),
    };
    hoist_operation(ctx, Expr { at: expr.at, kind }, list)
}

/// Hoists from an operand; products of matrices and rearranged arrays become variables of their own.
fn hoist_operand(ctx: &mut Translator, expr: &Expr, list: &mut Vec<Statement>) -> Option<Expr> {
    let own = hoist(ctx, expr, list)?;
    let is_separate = match &own.without_parentheses().kind {
        ExprKind::Apply(base, _) => base.as_name().is_some_and(|key| {
            matches!(&**key, "matmul" | "reshape") && ctx.env.names_intrinsic(key)
        }),
        _ => false,
    };
    match is_separate {
        true => Some(materialize_array(ctx, own.without_parentheses(), list)),
        false => Some(own),
    }
}

/// Hoists the result of an operation that an array-valued function defines; its operands are hoisted.
fn hoist_operation(ctx: &mut Translator, expr: Expr, list: &mut Vec<Statement>) -> Option<Expr> {
    match ctx.env.operation(&expr) {
        Operation::Intrinsic => Some(expr),
        Operation::Defined(id) if 0 < resolution::result_rank(&ctx.env, id) => {
            let operands = operations::operand_arguments(&expr);
            hoist_call(ctx, id, &operands, expr.at, list)
        }
        Operation::Unknown if 0 < ctx.env.rank_of(&expr) => None,
        _ => Some(expr),
    }
}

/// Hoists from an argument.
fn hoist_argument(
    ctx: &mut Translator,
    argument: &ActualArgument,
    list: &mut Vec<Statement>,
) -> Option<ActualArgument> {
    let value = match &argument.value {
        ArgumentValue::Expr(inner) => ArgumentValue::Expr(hoist_operand(ctx, inner, list)?),
        other => other.clone(),
    };
    Some(ActualArgument {
        keyword: argument.keyword.clone(),
        value,
    })
}

/// Calls an array-valued function; returns the variable with its result.
fn hoist_call(
    ctx: &mut Translator,
    id: ProcedureId,
    arguments: &[ActualArgument],
    at: TextRange,
    list: &mut Vec<Statement>,
) -> Option<Expr> {
    let mut own = Vec::new();
    for argument in arguments {
        own.push(materialize_argument(ctx, argument, list)?);
    }
    let rank = resolution::result_rank(&ctx.env, id);
    let result = temporaries::allocatable_variable(
        ctx,
        "result",
        resolution::result_type(&ctx.env, id),
        rank,
        at,
        list,
    );
    let passed = argument_association::associate_arguments(ctx, id, &own, at).ok()?;
    let descriptor = argument_association::descriptor_of(ctx, &result, list)?;
    let callee = &ctx.env.index.procedure(id).name;
    list.extend(passed.surround_call(at, &|mut values| {
        values.extend(descriptor.clone());
        build::call(at, callee, values)
    }));
    Some(result)
}

/// Stores an argument that is an array expression to a variable.
fn materialize_argument(
    ctx: &mut Translator,
    argument: &ActualArgument,
    list: &mut Vec<Statement>,
) -> Option<ActualArgument> {
    let ArgumentValue::Expr(expr) = &argument.value else {
        return Some(argument.clone());
    };
    let is_computed = match &expr.kind {
        ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Defined(..)
        | ExprKind::Parentheses(_) => true,
        ExprKind::Apply(base, _) => !ctx.env.is_array_object(base),
        _ => false,
    };
    let rank = ctx.env.rank_of(expr);
    if rank == 0 || !is_computed || matches!(ctx.env.type_of(expr), FortranType::Character(_)) {
        return Some(argument.clone());
    }
    let variable = materialize_array(ctx, expr, list);
    Some(ActualArgument {
        keyword: argument.keyword.clone(),
        value: ArgumentValue::Expr(variable),
    })
}

/// A variable with the elements of an array expression.
pub(crate) fn materialize_array(
    ctx: &mut Translator,
    expr: &Expr,
    list: &mut Vec<Statement>,
) -> Expr {
    let (kind, rank) = ctx.env.type_and_rank(expr);
    let at = expr.at;
    let variable = temporaries::allocatable_variable(ctx, "argument", kind, rank, at, list);
    let options = AllocateOptions {
        reports: Vec::new(),
        source: Some((AllocationSource::Source, expr.clone())),
    };
    let objects = std::slice::from_ref(&variable);
    list.push(allocation::allocate(ctx, objects, &options, at));
    variable
}

/// The arguments of a `CALL` with variables substituted for array expressions.
pub(crate) fn hoist_arguments(
    ctx: &mut Translator,
    arguments: &[ActualArgument],
    list: &mut Vec<Statement>,
) -> Option<Vec<ActualArgument>> {
    let mut own = Vec::new();
    for argument in arguments {
        let inner = hoist_argument(ctx, argument, list)?;
        own.push(materialize_argument(ctx, &inner, list)?);
    }
    Some(own)
}
