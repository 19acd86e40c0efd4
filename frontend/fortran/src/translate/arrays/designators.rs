//! Data objects denoted by designators: variables, array elements, components, and objects in COMMON or EQUIVALENCE.

use crate::build;
use crate::names::{ArgumentPassing, ArraySpec, Entity, FortranType, Storage, Variable, constants};
use crate::syntax::{ActualArgument, ArgumentValue, Expr, ExprKind, NameKey};
use crate::translate::arrays::bounds::{ArrayObject, BoundStorage};
use crate::translate::arrays::{array_types, bounds};
use crate::translate::context::Translator;
use premiss_ast::syntax::{Binary, Expression, Name, TextRange, TypeName};
use premiss_tree::RejectReason;
use std::sync::Arc;

/// The object that an expression denotes; `None` if it denotes none.
pub(crate) fn designator(ctx: &mut Translator, expr: &Expr) -> Option<Expression> {
    match &expr.kind {
        ExprKind::Name(key) => {
            if let Some(value) = ctx.env.selector(key) {
                return ctx.designator(&value);
            }
            variable_object(ctx, key, expr.at)
        }
        ExprKind::Apply(base, arguments) if ctx.env.is_array_object(base) => {
            if 0 < ctx.env.rank_of(expr) {
                return None;
            }
            element_of_designator(ctx, base, arguments, expr.at)
        }
        // A substring is treated as the whole string.
        ExprKind::Apply(base, _) if matches!(ctx.env.type_of(base), FortranType::Character(_)) => {
            ctx.designator(base)
        }
        ExprKind::Member(base, key) => component_object(ctx, expr, base, key),
        _ => None,
    }
}

/// A component `x%name`, dereferenced if it is a pointer.
fn component_object(
    ctx: &mut Translator,
    expr: &Expr,
    base: &Expr,
    key: &NameKey,
) -> Option<Expression> {
    let variable = ctx.env.component(expr)?;
    let name = ctx.env.component_name(base, key)?;
    let inner = ctx.designator(base)?;
    let member = build::member(expr.at, inner, name);
    let is_pointer = variable.shape.is_none() && (variable.is_pointer || variable.is_allocatable);
    Some(match is_pointer {
        true => build::dereference(expr.at, member),
        false => member,
    })
}

/// A variable by its name; for an array, a pointer to its first element or row.
pub(crate) fn variable_object(
    ctx: &mut Translator,
    key: &NameKey,
    at: TextRange,
) -> Option<Expression> {
    if let Some(bound) = ctx.env.statement_argument(key) {
        return Some(build::name(at, &bound));
    }
    if let Some(own) = ctx.control.substitute(key) {
        return Some(build::name(at, &own));
    }
    let symbol = ctx.env.symbol(key)?;
    let Entity::Variable(variable) = &symbol.entity else {
        return match symbol.entity {
            Entity::Constant { .. } => Some(build::name(at, &symbol.name)),
            _ => None,
        };
    };
    if let Storage::Area(area, offset) = &variable.storage {
        return storage_object(ctx, variable, area, *offset, at);
    }
    let own = build::name(at, &symbol.name);
    let is_indirect = variable.shape.is_none()
        && (variable.is_pointer || variable.is_allocatable)
        && !matches!(variable.kind, FortranType::Character(_));
    Some(match ctx.env.passing_of(key) {
        Some(ArgumentPassing::Reference | ArgumentPassing::Descriptor(_)) => {
            build::dereference(at, own)
        }
        None if is_indirect => build::dereference(at, own),
        _ => own,
    })
}

/// An object in COMMON or EQUIVALENCE.
fn storage_object(
    ctx: &mut Translator,
    variable: &Variable,
    area: &Name,
    offset: i64,
    at: TextRange,
) -> Option<Expression> {
    if variable.shape.is_none()
        && let Some(layout) = ctx.env.storage_area(area)
        && let Some(item) = ctx.env.index.areas.scalar(&layout, offset)
    {
        return Some(build::name(at, &item.name));
    }
    let start = build::address_of(
        at,
        build::index(at, build::name(at, area), build::integer(at, offset)),
    );
    let kind = match &variable.shape {
        Some(shape) => array_types::row_type(ctx, &variable.kind, shape)?,
        None => variable.kind.name(),
    };
    let pointer = build::cast(at, Arc::new(TypeName::Pointer(kind)), start);
    Some(match variable.shape {
        Some(_) => pointer,
        None => build::dereference(at, pointer),
    })
}

/// The whole array that an expression denotes.
pub(crate) fn array_object(ctx: &mut Translator, expr: &Expr) -> Option<ArrayObject> {
    match &expr.kind {
        ExprKind::Name(key) => {
            if let Some(value) = ctx.env.selector(key) {
                return array_object(ctx, &value);
            }
            let symbol = ctx.env.symbol(key)?;
            match &symbol.entity {
                Entity::Variable(variable) => {
                    variable.shape.as_ref()?;
                    Some(ArrayObject {
                        variable: with_passed_shape(ctx, key, variable),
                        base: variable_object(ctx, key, expr.at)?,
                        bounds: BoundStorage::Variables(symbol.name.clone()),
                    })
                }
                _ => None,
            }
        }
        ExprKind::Member(base, key) => {
            let variable = ctx.env.component(expr)?;
            variable.shape.as_ref()?;
            let name = ctx.env.component_name(base, key)?;
            let inner = ctx.designator(base)?;
            let base_place = build::member(expr.at, inner, name.clone());
            Some(ArrayObject {
                variable,
                base: base_place,
                bounds: BoundStorage::Members(Arc::new((**base).clone()), name),
            })
        }
        _ => None,
    }
}

/// A variable of the host whose extents the host passes: those on its entry.
fn with_passed_shape(ctx: &Translator, key: &NameKey, variable: &Arc<Variable>) -> Arc<Variable> {
    match (&variable.shape, ctx.env.passing_of(key)) {
        (Some(ArraySpec::Explicit(bounds)), Some(ArgumentPassing::Shaped(_))) => {
            let lower = bounds
                .iter()
                .map(|(lower, _)| lower_bound_of_host(ctx, lower.as_ref()));
            let lower = lower.collect();
            Arc::new(Variable {
                shape: Some(ArraySpec::Assumed(lower)),
                ..Variable::clone(variable)
            })
        }
        _ => variable.clone(),
    }
}

/// A lower bound of an array of the host whose bounds may have changed since entry to it: only a constant is known.
fn lower_bound_of_host(ctx: &Translator, lower: Option<&Expr>) -> Option<Expr> {
    let lower = lower?;
    if constants::integer(lower, &ctx.env.scope).is_some() {
        return Some(lower.clone());
    }
    let construct = "a lower bound of the host that may have changed since its entry".to_owned();
    let reason = RejectReason::Unsupported { construct };
    Some(Expr {
        at: lower.at,
        kind: ExprKind::Unparsed(reason, Vec::new()),
    })
}

/// The element that subscripts select.
fn element_of_designator(
    ctx: &mut Translator,
    base: &Expr,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Expression> {
    if let Some((key, _)) = ctx.env.named_constant_array(base) {
        let symbol = ctx.env.symbol(&key)?;
        let first = arguments.first()?.expr()?;
        let subscript = ctx.expression(first);
        let position = build::binary(at, Binary::Subtract, subscript, build::integer(at, 1));
        return Some(build::index(at, build::name(at, &symbol.name), position));
    }
    let array = array_object(ctx, base)?;
    let mut positions = Vec::new();
    for (dimension, argument) in arguments.iter().enumerate() {
        let ArgumentValue::Expr(subscript) = &argument.value else {
            return None;
        };
        let value = ctx.expression(subscript);
        positions.push(bounds::offset_from_lower(ctx, &array, dimension, value, at));
    }
    element_object(ctx, array, positions, at)
}

/// The element at offsets from the lower bounds.
pub(crate) fn element_object(
    ctx: &mut Translator,
    array: ArrayObject,
    positions: Vec<Expression>,
    at: TextRange,
) -> Option<Expression> {
    let rank = array.variable.shape.as_ref()?.rank();
    if positions.len() != rank {
        return None;
    }
    if matches!(array.variable.shape, Some(ArraySpec::Explicit(_))) {
        let positions = positions.into_iter().rev();
        return Some(positions.fold(array.base, |base, one| build::index(at, base, one)));
    }
    let mut distance = build::integer(at, 0);
    for (dimension, position) in positions.into_iter().enumerate().rev() {
        if dimension + 1 < rank {
            let extent = bounds::run_time_extent(ctx, &array.bounds, dimension, at);
            distance = build::binary(at, Binary::Multiply, distance, extent);
        }
        distance = build::binary(at, Binary::Add, position, distance);
    }
    Some(build::index(at, array.base, distance))
}
