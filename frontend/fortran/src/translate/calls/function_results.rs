//! Results of functions. A function with an array result gets a descriptor of the result from the caller, after the
//! other arguments.

use crate::array_descriptors::{extent_name, lower_bound_name};
use crate::build;
use crate::names::{ArraySpec, Symbol, Variable};
use crate::syntax::{Expr, ExprKind, NameKey, UnitKind};
use crate::translate::arrays::{allocation, array_types, designators, extents};
use crate::translate::context::Translator;
use crate::translate::environment::{ArrayResult, NameEnvironment};
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind, Name, Parameter, Statement, TextRange, TypeName,
};
use std::sync::Arc;

/// The name for the parameters of the result: that of the variable itself if the result is allocated.
fn result_parameter(symbol: &Symbol, variable: &Variable) -> Name {
    match variable.shape {
        Some(ArraySpec::Deferred(_)) => symbol.name.clone(),
        _ => Name::from(format!("result({})", symbol.name)),
    }
}

/// The parameters for the result: its bounds and the pointer to it.
pub(crate) fn result_parameters(env: &NameEnvironment) -> Vec<Parameter> {
    let Some(ArrayResult {
        symbol,
        variable,
        rank,
    }) = env.array_result()
    else {
        return Vec::new();
    };
    let own = result_parameter(&symbol, &variable);
    let parameter = |name: Name, kind| Parameter {
        name: Some(name),
        at: symbol.at,
        kind: Arc::new(TypeName::Reference(kind)),
    };
    let mut list = Vec::new();
    for dimension in 0..rank {
        list.push(parameter(extent_name(&own, dimension), build::long_name()));
        list.push(parameter(
            lower_bound_name(&own, dimension),
            build::long_name(),
        ));
    }
    list.push(parameter(own, variable.kind.pointer()));
    list
}

/// Allocates the result if it is an explicit-shape array, and stores its descriptor for the caller.
pub(crate) fn allocate_result(ctx: &mut Translator) -> Option<Vec<Statement>> {
    let ArrayResult {
        symbol,
        variable,
        rank,
    } = ctx.env.array_result()?;
    let key = NameKey::from(symbol.name.to_ascii_lowercase());
    if let Some(extent) = allocation::initial_extent(&ctx.env, &key, &variable) {
        return Some(unallocated_result(&symbol, rank, extent));
    }
    let shape = variable
        .shape
        .clone()
        .filter(|x| matches!(x, ArraySpec::Explicit(_)))?;
    let at = symbol.at;
    let own = result_parameter(&symbol, &variable);
    let whole = Expr {
        at,
        kind: ExprKind::Name(key),
    };
    let mut list = Vec::new();
    let mut length = build::integer(at, 1);
    let store = |bound: Expression, value| build::evaluate(build::assign(at, bound, value));
    let parameter = |name: &Name| build::dereference(at, build::name(at, name));
    for dimension in 0..rank {
        let extent = extents::extent_of(ctx, &whole, dimension)?;
        let own_extent = parameter(&extent_name(&own, dimension));
        list.push(store(own_extent.clone(), extent));
        let lower = parameter(&lower_bound_name(&own, dimension));
        list.push(store(lower, build::integer(at, 1)));
        length = build::binary(at, Binary::Multiply, length, own_extent);
    }
    let size = Expression::new(at, ExpressionKind::SizeofType(variable.kind.name()));
    let bytes = build::binary(at, Binary::Multiply, length, size);
    let memory = build::call(at, "malloc", vec![bytes]);
    let row = array_types::row_type(ctx, &variable.kind, &shape)?;
    let kind = Arc::new(TypeName::Pointer(row));
    let memory = build::cast(at, kind.clone(), memory);
    let array = build::object(at, &symbol.name, kind, Some(memory));
    list.push(build::declare(at, array));
    let start = build::cast(at, variable.kind.pointer(), build::name(at, &symbol.name));
    list.push(store(parameter(&own), start));
    Some(list)
}

/// An allocatable result begins with extents that no array has.
fn unallocated_result(symbol: &Symbol, rank: usize, extent: i64) -> Vec<Statement> {
    let at = symbol.at;
    let store = |dimension| {
        let own = build::name(at, &extent_name(&symbol.name, dimension));
        let place = build::dereference(at, own);
        build::evaluate(build::assign(at, place, build::integer(at, extent)))
    };
    (0..rank).map(store).collect()
}

/// The value that the procedure returns.
pub(crate) fn result_value(ctx: &mut Translator, at: TextRange) -> Option<Expression> {
    let ast = ctx.env.procedure?.ast;
    if ast.kind != UnitKind::Function {
        return None;
    }
    let result = ast.result.as_ref().unwrap_or(&ast.name);
    let variable = ctx.env.scope.variable(&result.key)?;
    if variable.shape.is_some() {
        return None;
    }
    designators::variable_object(ctx, &result.key, at)
}
