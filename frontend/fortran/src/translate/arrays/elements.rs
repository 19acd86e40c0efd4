//! One element of an array expression, at positions counted from 0 in each dimension.

use crate::build;
use crate::intrinsics::library_name;
use crate::names::{ArraySpec, FortranType};
use crate::syntax::{
    ActualArgument, ArgumentValue, BinaryOperator as Op, Expr, ExprKind, NameKey, SubscriptTriplet,
    UnaryOperator,
};
use crate::translate::arrays::bounds::{ArrayObject, BoundStorage};
use crate::translate::arrays::{
    accumulation, bounds, designators, element_loops, extents, section_bounds,
};
use crate::translate::context::Translator;
use crate::translate::operations::Operation;
use crate::translate::{rejections, resolution};
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, Name, TextRange, Unary};
use std::sync::Arc;

/// The element of an array expression at positions counted from 0; `None` if it is not modelled.
pub(crate) fn element_of(
    ctx: &mut Translator,
    expr: &Expr,
    positions: &[Name],
) -> Option<Expression> {
    let at = expr.at;
    match ctx.env.operation(expr) {
        Operation::Intrinsic => {}
        Operation::Defined(id) if ctx.env.index.procedure(id).summary.interface.is_elemental => {
            return Some(elemental_call(ctx, expr));
        }
        Operation::Defined(_) | Operation::Unknown => return None,
    }
    match &expr.kind {
        ExprKind::Parentheses(x) => element_or_scalar(ctx, x, positions),
        ExprKind::Name(key) => {
            if let Some(value) = ctx.env.selector(key) {
                return element_of(ctx, &value, positions);
            }
            if let Some((key, _)) = ctx.env.named_constant_array(expr) {
                let symbol = ctx.env.symbol(&key)?;
                let position = build::name(at, positions.first()?);
                return Some(build::index(at, build::name(at, &symbol.name), position));
            }
            whole_array_element(ctx, expr, positions)
        }
        ExprKind::Member(base, key) => {
            if 0 < ctx.env.rank_of(base) {
                let inner = element_of(ctx, base, positions)?;
                let name = ctx.env.component_name(base, key)?;
                return Some(build::member(at, inner, name));
            }
            whole_array_element(ctx, expr, positions)
        }
        ExprKind::Apply(base, arguments) if ctx.env.is_array_object(base) => {
            element_of_section(ctx, expr, base, arguments, positions)
        }
        ExprKind::Apply(base, arguments) => element_of_call(ctx, expr, base, arguments, positions),
        ExprKind::Unary(operator, x) => {
            let value = element_or_scalar(ctx, x, positions)?;
            Some(match operator {
                UnaryOperator::Plus => value,
                UnaryOperator::Minus => build::unary(at, Unary::Negate, value),
                UnaryOperator::Not => build::unary(at, Unary::Not, value),
            })
        }
        ExprKind::Binary(op, a, b) => {
            let left = element_or_scalar(ctx, a, positions)?;
            let right = element_or_scalar(ctx, b, positions)?;
            Some(elementwise_operation(ctx, expr, *op, left, right))
        }
        ExprKind::Constructor(items) => {
            let kind = ctx.env.type_of(expr).name();
            let without_accesses = items.iter().all(|item| makes_no_access(ctx, item));
            without_accesses.then(|| build::opaque_value(at, kind, Vec::new()))
        }
        _ => None,
    }
}

/// Whether all items of a constructor are literal numbers.
pub(crate) fn are_literals(items: &[Expr]) -> bool {
    items.iter().all(is_literal)
}

/// Whether the value of an item is made of literals and scalar variables.
fn makes_no_access(ctx: &Translator, item: &Expr) -> bool {
    match &item.without_parentheses().kind {
        ExprKind::Name(key) => {
            ctx.env.rank_of(item) == 0
                && ctx.env.selector(key).is_none()
                && !matches!(
                    ctx.env.type_of(item),
                    FortranType::Derived(..) | FortranType::Character(_) | FortranType::Unknown
                )
        }
        ExprKind::Unary(_, x) => makes_no_access(ctx, x),
        ExprKind::Binary(_, a, b) => makes_no_access(ctx, a) && makes_no_access(ctx, b),
        ExprKind::ImpliedDo(inner) => inner.items.iter().all(|item| makes_no_access(ctx, item)),
        _ => is_literal(item),
    }
}

fn is_literal(item: &Expr) -> bool {
    matches!(
        item.without_parentheses().kind,
        ExprKind::Integer(..) | ExprKind::Real(..) | ExprKind::Logical(_)
    )
}

/// The value of a scalar expression, or the element of an array expression whose rank is the number of positions.
pub(crate) fn element_or_scalar(
    ctx: &mut Translator,
    expr: &Expr,
    positions: &[Name],
) -> Option<Expression> {
    match ctx.env.rank_of(expr) {
        0 => Some(ctx.expression(expr)),
        rank if rank == positions.len() => element_of(ctx, expr, positions),
        _ => None,
    }
}

/// The element of a whole array.
fn whole_array_element(
    ctx: &mut Translator,
    expr: &Expr,
    positions: &[Name],
) -> Option<Expression> {
    let array = designators::array_object(ctx, expr)?;
    let positions = positions
        .iter()
        .map(|one| build::name(expr.at, one))
        .collect();
    array_element(ctx, expr, array, positions)
}

/// An element of an array at offsets from its lower bounds; elements that are longer texts make no accesses.
fn array_element(
    ctx: &mut Translator,
    expr: &Expr,
    array: ArrayObject,
    positions: Vec<Expression>,
) -> Option<Expression> {
    match ctx.env.type_of(expr) {
        FortranType::Character(length) if length != Some(1) => Some(build::opaque_value(
            expr.at,
            FortranType::Character(None).name(),
            Vec::new(),
        )),
        _ => designators::element_object(ctx, array, positions, expr.at),
    }
}

/// An operation on two elements; the values of array elements are not tracked.
fn elementwise_operation(
    ctx: &mut Translator,
    expr: &Expr,
    op: Op,
    left: Expression,
    right: Expression,
) -> Expression {
    let at = expr.at;
    match op {
        Op::And => Expression::new(at, ExpressionKind::And(Box::new(left), Box::new(right))),
        Op::Or => Expression::new(at, ExpressionKind::Or(Box::new(left), Box::new(right))),
        Op::Power => build::power(at, ctx.env.type_of(expr).name(), vec![left, right]),
        _ => match arithmetic_operator(op) {
            Some(op)
                if matches!(
                    ctx.env.type_of(expr),
                    FortranType::Real(_) | FortranType::Complex(_)
                ) =>
            {
                build::operation(at, op, left, right)
            }
            _ => build::opaque_value(at, ctx.env.type_of(expr).name(), vec![left, right]),
        },
    }
}

/// The element of a section: each vector subscript and triplet consumes a position.
fn element_of_section(
    ctx: &mut Translator,
    expr: &Expr,
    base: &Expr,
    arguments: &[ActualArgument],
    positions: &[Name],
) -> Option<Expression> {
    if 0 < ctx.env.rank_of_parts_before(base) {
        return element_of_component(ctx, expr, (base, arguments), positions);
    }
    let array = designators::array_object(ctx, base)?;
    let mut rest = positions.iter();
    let mut distances = Vec::new();
    for (dimension, argument) in arguments.iter().enumerate() {
        let at = expr.at;
        let distance = match &argument.value {
            ArgumentValue::Section(section) => {
                let position = build::name(at, rest.next()?);
                triplet_distance(ctx, (base, &array, dimension), section, position, at)?
            }
            ArgumentValue::Expr(subscript) => {
                let value = match ctx.env.rank_of(subscript) {
                    0 => ctx.expression(subscript),
                    _ => {
                        let position = rest.next()?.clone();
                        element_of(ctx, subscript, &[position])?
                    }
                };
                bounds::offset_from_lower(ctx, &array, dimension, value, at)
            }
            ArgumentValue::Label | ArgumentValue::Star => return None,
        };
        distances.push(distance);
    }
    array_element(ctx, expr, array, distances)
}

/// An element of an array component, in each element of the array before it: `a(2:n)%y(2)`.
fn element_of_component(
    ctx: &mut Translator,
    expr: &Expr,
    (base, arguments): (&Expr, &[ActualArgument]),
    positions: &[Name],
) -> Option<Expression> {
    let variable = ctx.env.component(base)?;
    let object = element_of(ctx, base, positions)?;
    let array = ArrayObject {
        variable,
        base: object,
        bounds: BoundStorage::Members(Arc::new(base.clone()), Name::from("")),
    };
    // Components after a part of nonzero rank have constant bounds.
    if !matches!(array.variable.shape, Some(ArraySpec::Explicit(_))) {
        return None;
    }
    let mut distances = Vec::new();
    for (dimension, argument) in arguments.iter().enumerate() {
        let subscript = argument.expr().filter(|x| ctx.env.rank_of(x) == 0)?;
        let value = ctx.expression(subscript);
        distances.push(bounds::offset_from_lower(
            ctx, &array, dimension, value, expr.at,
        ));
    }
    array_element(ctx, expr, array, distances)
}

/// The offset of the element of a triplet at a position from the lower bound of its dimension.
fn triplet_distance(
    ctx: &mut Translator,
    (base, array, dimension): (&Expr, &ArrayObject, usize),
    section: &SubscriptTriplet,
    position: Expression,
    at: TextRange,
) -> Option<Expression> {
    let step = section.step.as_ref().map(|step| ctx.expression(step));
    let moved = match step {
        Some(step) => build::binary(at, Binary::Multiply, position, step),
        None => position,
    };
    match &section.first {
        None if !section_bounds::is_backwards(&ctx.env, section) => Some(moved),
        _ => {
            let first = section_bounds::first_subscript(ctx, base, dimension, section)?;
            let start = bounds::offset_from_lower(ctx, array, dimension, first, at);
            Some(build::binary(at, Binary::Add, start, moved))
        }
    }
}

/// The element of the result of an intrinsic array function.
fn element_of_call(
    ctx: &mut Translator,
    expr: &Expr,
    base: &Expr,
    arguments: &[ActualArgument],
    positions: &[Name],
) -> Option<Expression> {
    let key = base.as_name()?.clone();
    if !ctx.env.names_intrinsic(&key) {
        let id = resolution::resolve_reference(&ctx.env, &key, arguments)?;
        let is_elemental = ctx.env.index.procedure(id).summary.interface.is_elemental;
        return is_elemental.then(|| elemental_call(ctx, expr));
    }
    let first = arguments.first().and_then(ActualArgument::expr);
    match (&*key, first) {
        ("transpose", Some(x)) => {
            let [row, column] = positions else {
                return None;
            };
            element_of(ctx, x, &[column.clone(), row.clone()])
        }
        ("spread", Some(x)) => {
            let dimension = extents::reduced_dimension(&ctx.env, arguments)?;
            let mut inner = positions.to_vec();
            (dimension < inner.len()).then(|| inner.remove(dimension))?;
            element_or_scalar(ctx, x, &inner)
        }
        ("sum" | "product" | "maxval" | "minval" | "count" | "any" | "all", Some(x)) => {
            reduced_element(ctx, expr, (&key, x), arguments, positions)
        }
        ("matmul" | "reshape" | "pack" | "unpack" | "cshift" | "eoshift", _) => None,
        _ => {
            let mut operands = Vec::new();
            for argument in arguments.iter().filter_map(ActualArgument::expr) {
                operands.push(element_or_scalar(ctx, argument, positions)?);
            }
            let kind = ctx.env.type_of(expr).name();
            Some(match library_name(&key) {
                Some(function) => build::library_value(expr.at, function, kind, operands),
                None => build::opaque_value(expr.at, kind, operands),
            })
        }
    }
}

/// A call of an elemental function for one element, which is not modelled.
fn elemental_call(ctx: &Translator, expr: &Expr) -> Expression {
    let construct = "an array for an argument that is no array".to_owned();
    rejections::unsupported_value(&ctx.env, construct, expr)
}

/// The operator that computes a number.
fn arithmetic_operator(op: Op) -> Option<Binary> {
    match op {
        Op::Multiply => Some(Binary::Multiply),
        Op::Divide => Some(Binary::Divide),
        Op::Add => Some(Binary::Add),
        Op::Subtract => Some(Binary::Subtract),
        _ => None,
    }
}

/// The element of a reduction along one dimension: a loop over that dimension.
fn reduced_element(
    ctx: &mut Translator,
    expr: &Expr,
    (key, x): (&NameKey, &Expr),
    arguments: &[ActualArgument],
    positions: &[Name],
) -> Option<Expression> {
    let dimension = extents::reduced_dimension(&ctx.env, arguments)?;
    let along = ctx.fresh_name(":");
    let mut inner = positions.to_vec();
    (dimension <= inner.len()).then(|| inner.insert(dimension, along.clone()))?;
    let value = element_of(ctx, x, &inner)?;
    let value = accumulation::accumulate(expr.at, key, ctx.env.type_of(expr).name(), value);
    let extent = extents::extent_of(ctx, x, dimension)?;
    let sum = element_loops::counted_loop(expr.at, &along, extent, build::evaluate(value));
    Some(rejections::value_after(&ctx.env, sum, expr))
}
