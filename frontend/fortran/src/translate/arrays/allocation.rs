//! `ALLOCATE`, `DEALLOCATE`, and assignments that allocate their left side.
//!
//! An allocatable array `a` is a pointer with variables for its bounds: `ALLOCATE (a(0:n))` is `size(a,1) = n + 1;
//! lbound(a,1) = 0; a = malloc(8 * size(a,1))`. Allocations are assumed to succeed.

use crate::build;
use crate::names::{ArraySpec, FortranType, Storage, Variable};
use crate::syntax::visit::walk;
use crate::syntax::{
    ActualArgument, AllocateOptions, AllocationSource, ArgumentValue, Expr, ExprKind, NameKey,
};
use crate::translate::arrays::descriptors::DimensionBounds;
use crate::translate::arrays::possible_allocations::{AllocatingStatement, possible_allocations};
use crate::translate::arrays::{
    array_assignment, bounds, descriptors, designators, overlap, scalar_operands,
    unknown_allocations, unknown_stores,
};
use crate::translate::context::Translator;
use crate::translate::environment::NameEnvironment;
use crate::translate::operations::Operation;
use crate::translate::rejections;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, Statement, TextRange};

/// `ALLOCATE (a(n, 0:m), STAT = ierr)`: it succeeds, so that the status is 0.
pub(crate) fn allocate(
    ctx: &mut Translator,
    objects: &[Expr],
    options: &AllocateOptions,
    at: TextRange,
) -> Statement {
    let mut list = Vec::new();
    for object in objects {
        match allocate_object(ctx, object, options.source.as_ref()) {
            Some(mut one) => list.append(&mut one),
            None => {
                let construct = "an allocation of this object".to_owned();
                list.push(rejections::unsupported(construct, object.at));
            }
        }
    }
    for report in &options.reports {
        if let (FortranType::Integer(_), Some(place)) =
            (ctx.env.type_of(report), ctx.designator(report))
        {
            list.push(build::evaluate(build::assign(
                report.at,
                place,
                build::integer(report.at, 0),
            )));
        }
    }
    build::block(at, list)
}

/// `DEALLOCATE (a, STAT = ierr)`: whether `a` was allocated is unknown, and so is the status.
pub(crate) fn deallocate(
    ctx: &mut Translator,
    options: &AllocateOptions,
    at: TextRange,
) -> Statement {
    let reports = options.reports.iter();
    let numbers = reports.filter(|x| !matches!(ctx.env.type_of(x), FortranType::Character(_)));
    let numbers: Vec<&Expr> = numbers.collect();
    let list = numbers
        .into_iter()
        .filter_map(|x| unknown_stores::store_unknown(ctx, x));
    build::block(at, list.collect())
}

/// Allocates one object; `None` if it is not modelled.
fn allocate_object(
    ctx: &mut Translator,
    object: &Expr,
    source: Option<&(AllocationSource, Expr)>,
) -> Option<Vec<Statement>> {
    let at = object.at;
    let (object, arguments) = match &object.kind {
        ExprKind::Apply(base, arguments) => (&**base, Some(arguments)),
        _ => (object, None),
    };
    if ctx.env.rank_of(object) == 0 || matches!(ctx.env.type_of(object), FortranType::Character(_))
    {
        return Some(Vec::new());
    }
    let array = designators::array_object(ctx, object)?;
    let bounds = match (arguments, source) {
        (Some(arguments), _) => arguments
            .iter()
            .map(|one| bounds_of_allocation(ctx, one, at))
            .collect::<Option<Vec<DimensionBounds>>>()?,
        (None, Some((_, source))) => descriptors::bounds_of(ctx, source)?,
        (None, None) => return None,
    };
    let mut list = descriptors::allocate_memory(ctx, array, bounds, at)?;
    if let Some((AllocationSource::Source, value)) = source {
        list.push(array_assignment::assign_conforming(ctx, object, value, at)?);
    }
    Some(list)
}

/// The extent of an array that is not allocated: no array has it.
const NOT_ALLOCATED: i64 = -(1 << 40);

/// How an assignment allocates its left side (Fortran 2018, 10.2.1.3).
pub(crate) enum AllocationOnAssignment {
    /// It keeps its allocation: it is not allocatable, or has the shape of the right side.
    Kept,
    /// It is allocated by these statements: no other statement may do so, and it has the shape of the right side from
    /// then on.
    First(Vec<Statement>),
    /// It is allocated again if its shape differs.
    IfShapeDiffers,
}

/// How `a = b` allocates `a`; `None` if it may, and the shape of `b` is not known.
pub(crate) fn allocation_on_assignment(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<AllocationOnAssignment> {
    let key = left.as_name();
    if ctx.env.rank_of(right) == 0 {
        // A scalar needs an array that is allocated, so that what allocates one is no scalar.
        let first = key.and_then(|key| unknown_allocations::first_allocation(ctx, key, at));
        return Some(first.map_or(AllocationOnAssignment::Kept, AllocationOnAssignment::First));
    }
    if !is_whole_allocatable(&ctx.env, left) || is_operand(&ctx.env, left, right) {
        return Some(AllocationOnAssignment::Kept);
    }
    let is_first = key
        .is_some_and(|key| is_allocated_by_one_assignment(&ctx.env, key) && !mentions(right, key));
    if !is_first {
        return Some(AllocationOnAssignment::IfShapeDiffers);
    }
    let array = designators::array_object(ctx, left)?;
    let bounds = descriptors::bounds_of(ctx, right)?;
    let list = descriptors::allocate_memory(ctx, array, bounds, at)?;
    Some(AllocationOnAssignment::First(list))
}

/// Whether an expression is a whole allocatable array: a variable or component.
fn is_whole_allocatable(env: &NameEnvironment, expr: &Expr) -> bool {
    let variable = match &expr.kind {
        ExprKind::Name(key) if env.selector(key).is_none() => env.scope.variable(key).cloned(),
        ExprKind::Member(base, _) if env.rank_of(base) == 0 => env.component(expr),
        _ => None,
    };
    variable.is_some_and(|variable| {
        variable.is_allocatable && matches!(variable.shape, Some(ArraySpec::Deferred(_)))
    })
}

/// Whether an array is an operand of an element-wise expression, which has its shape then.
fn is_operand(env: &NameEnvironment, array: &Expr, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(_, x) | ExprKind::Parentheses(x) => is_operand(env, array, x),
        ExprKind::Binary(_, a, b) if env.operation(expr) == Operation::Intrinsic => {
            is_operand(env, array, a) || is_operand(env, array, b)
        }
        ExprKind::Apply(base, arguments) if scalar_operands::is_elementwise(env, base) => {
            let mut list = arguments.iter().filter_map(ActualArgument::expr);
            list.any(|x| is_operand(env, array, x))
        }
        _ => overlap::are_equal(array, expr),
    }
}

/// Allocates an array again if its shape differs from these extents, which it has then. The elements stay where they
/// are, as by `realloc`, and have no values.
pub(crate) fn reallocate(
    ctx: &mut Translator,
    left: &Expr,
    bounds: Vec<DimensionBounds>,
    at: TextRange,
) -> Option<Vec<Statement>> {
    let array = designators::array_object(ctx, left)?;
    let mut differs: Option<Expression> = None;
    let mut length = build::integer(at, 1);
    let mut lower_bounds = Vec::new();
    let mut extents = Vec::new();
    for (dimension, (lower, extent)) in bounds.into_iter().enumerate() {
        let own = bounds::run_time_extent(ctx, &array.bounds, dimension, at);
        let is_other = build::operation(at, Binary::NotEqual, own.clone(), extent.clone());
        differs = Some(match differs {
            Some(before) => {
                let either = ExpressionKind::Or(Box::new(before), Box::new(is_other));
                Expression::new(at, either)
            }
            None => is_other,
        });
        length = build::binary(at, Binary::Multiply, length, extent.clone());
        extents.push(build::evaluate(build::assign(at, own, extent)));
        let own = bounds::run_time_lower(ctx, &array.bounds, dimension, at);
        match (&own.kind, &lower.kind) {
            (ExpressionKind::Integer(own, _), ExpressionKind::Integer(lower, _))
                if own == lower => {}
            (ExpressionKind::Integer(..), _) => return None,
            _ => lower_bounds.push(build::evaluate(build::assign(at, own, lower))),
        }
    }
    let kind = array.variable.kind.clone();
    let size = Expression::new(at, ExpressionKind::SizeofType(kind.name()));
    let bytes = build::binary(at, Binary::Multiply, length, size);
    let memory = build::call(at, "realloc", vec![array.base.clone(), bytes]);
    let memory = build::cast(at, kind.pointer(), memory);
    let mut then = lower_bounds;
    then.push(build::evaluate(build::assign(at, array.base, memory)));
    let mut list = vec![build::branch(at, differs?, build::block(at, then), None)];
    list.append(&mut extents);
    Some(list)
}

/// The extents with which an allocatable array of this procedure begins, which no array has: it is not allocated. Only
/// an assignment that may allocate it compares them.
pub(crate) fn initial_extent(
    env: &NameEnvironment,
    key: &NameKey,
    variable: &Variable,
) -> Option<i64> {
    let procedure = env.procedure?;
    let is_own = matches!(variable.storage, Storage::Local | Storage::Result);
    let is_deferred = matches!(variable.shape, Some(ArraySpec::Deferred(_)));
    if !variable.is_allocatable || !is_own || !is_deferred {
        return None;
    }
    let all = possible_allocations(procedure, key);
    let is_assigned = all
        .iter()
        .any(|(kind, _)| *kind == AllocatingStatement::Assignment);
    (is_assigned && !is_allocated_by_one_assignment(env, key)).then_some(NOT_ALLOCATED)
}

/// Whether a single whole-array assignment is the only statement that allocates a local array or changes its bounds.
fn is_allocated_by_one_assignment(env: &NameEnvironment, key: &NameKey) -> bool {
    let Some(procedure) = env.procedure else {
        return false;
    };
    let is_local = env.scope.variable(key).is_some_and(|variable| {
        variable.is_allocatable
            && variable.storage == Storage::Local
            && matches!(variable.shape, Some(ArraySpec::Deferred(_)))
    });
    let all = possible_allocations(procedure, key);
    is_local
        && procedure.ast.contained.is_empty()
        && matches!(all[..], [(AllocatingStatement::Assignment, _)])
}

/// `n` or `0:n` in an allocation.
fn bounds_of_allocation(
    ctx: &mut Translator,
    argument: &ActualArgument,
    at: TextRange,
) -> Option<DimensionBounds> {
    match &argument.value {
        ArgumentValue::Expr(upper) => Some((build::integer(at, 1), ctx.expression(upper))),
        ArgumentValue::Section(section) => {
            let (first, last) = (section.first.as_ref()?, section.last.as_ref()?);
            let upper = ctx.expression(last);
            let below = ctx.expression(first);
            let distance = build::binary(at, Binary::Subtract, upper, below);
            let extent = build::binary(at, Binary::Add, distance, build::integer(at, 1));
            Some((ctx.expression(first), extent))
        }
        _ => None,
    }
}

/// Whether a name occurs in an expression.
pub(crate) fn mentions(expr: &Expr, key: &NameKey) -> bool {
    let mut found = false;
    walk(expr, &mut |part| found |= part.as_name() == Some(key));
    found
}
