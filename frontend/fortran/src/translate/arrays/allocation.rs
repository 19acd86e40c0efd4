//! `ALLOCATE`, `DEALLOCATE`, and assignments that allocate their left side.
//!
//! An allocatable array `a` is a pointer with variables for its bounds: `ALLOCATE (a(0:n))` is `size(a,1) = n + 1;
//! lbound(a,1) = 0; a = malloc(8 * size(a,1))`. Allocations are assumed to succeed.

use crate::build;
use crate::names::{ArraySpec, FortranType, Storage};
use crate::syntax::visit::{statements, walk};
use crate::syntax::{
    ActualArgument, AllocateOptions, AllocationSource, ArgumentValue, Expr, ExprKind, NameKey,
    StatementKind as Fortran,
};
use crate::translate::arrays::descriptors::DimensionBounds;
use crate::translate::arrays::{descriptors, designators, unknown_stores};
use crate::translate::context::Translator;
use crate::translate::environment::NameEnvironment;
use crate::translate::rejections;
use premiss_ast::syntax::{Binary, Statement, TextRange};

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
        list.push(ctx.assign_array(object, value, at)?);
    }
    Some(list)
}

/// `a = b` allocates a local `a` if it is the only statement that may do so: only the first time, as `a` has the shape
/// of `b` from then on. `None` if another statement may allocate it.
pub(crate) fn allocate_on_assignment(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Option<Vec<Statement>> {
    let key = left
        .as_name()
        .filter(|key| ctx.env.selector(key).is_none())?;
    let is_defined_here =
        is_allocated_by_one_assignment(&ctx.env, key) && 0 < ctx.env.rank_of(right);
    if !is_defined_here || mentions(right, key) {
        return None;
    }
    let array = designators::array_object(ctx, left)?;
    let bounds = descriptors::bounds_of(ctx, right)?;
    descriptors::allocate_memory(ctx, array, bounds, at)
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
    let mut n_assignments = 0;
    let mut has_other = !procedure.ast.contained.is_empty();
    statements(&procedure.ast.body, &mut |one| match &one.kind {
        Fortran::Assign(left, _) => n_assignments += usize::from(left.as_name() == Some(key)),
        Fortran::Allocate(objects, _) | Fortran::Deallocate(objects, _) => {
            has_other |= objects.iter().any(|object| object.root() == Some(key));
        }
        Fortran::Call(_, arguments) => {
            let mut list = arguments.iter().filter_map(ActualArgument::expr);
            has_other |= list.any(|expr| expr.as_name() == Some(key));
        }
        _ => {}
    });
    is_local && n_assignments == 1 && !has_other
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
fn mentions(expr: &Expr, key: &NameKey) -> bool {
    let mut found = false;
    walk(expr, &mut |part| found |= part.as_name() == Some(key));
    found
}
