//! Bounds of a whole array: declared ones from the text, others from the variables or components that hold them at run
//! time.

use crate::array_descriptors::{extent_name, lower_bound_name};
use crate::build;
use crate::names::{ArgumentPassing, ArraySpec, Variable, constants};
use crate::syntax::visit::walk;
use crate::syntax::{Expr, ExprKind, NameKey};
use crate::translate::arrays::array_types;
use crate::translate::context::Translator;
use crate::translate::entry_values;
use premiss_ast::syntax::{Binary, Expression, Name, TextRange};
use std::sync::Arc;

/// An array: the object that holds its elements, and its bounds.
pub(crate) struct ArrayObject {
    pub(crate) variable: Arc<Variable>,
    /// The start of its elements.
    pub(crate) base: Expression,
    /// The storage of its run-time bounds: those of `a` are `size(a,1)` and `lbound(a,1)`.
    pub(crate) bounds: BoundStorage,
}

/// The storage of run-time bounds.
#[derive(Clone)]
pub(crate) enum BoundStorage {
    /// In variables, named after the array.
    Variables(Name),
    /// In the struct of which the array is a component.
    Members(Arc<Expr>, Name),
}

/// The offset of a subscript from the lower bound of its dimension.
pub(crate) fn offset_from_lower(
    ctx: &mut Translator,
    array: &ArrayObject,
    dimension: usize,
    subscript: Expression,
    at: TextRange,
) -> Expression {
    let lower = lower_bound(ctx, array, dimension, at);
    build::binary(at, Binary::Subtract, subscript, lower)
}

/// The lower bound of a dimension.
pub(crate) fn lower_bound(
    ctx: &mut Translator,
    array: &ArrayObject,
    dimension: usize,
    at: TextRange,
) -> Expression {
    match &array.variable.shape {
        Some(ArraySpec::Explicit(bounds)) => match bounds.get(dimension) {
            Some((Some(lower), _)) => {
                let lower = lower.clone();
                declared_lower_bound(ctx, array, dimension, &lower)
            }
            _ => build::integer(at, 1),
        },
        Some(ArraySpec::Assumed(lower)) => match lower.get(dimension) {
            Some(Some(lower)) => {
                let lower = lower.clone();
                declared_lower_bound(ctx, array, dimension, &lower)
            }
            _ => build::integer(at, 1),
        },
        _ => run_time_lower(ctx, &array.bounds, dimension, at),
    }
}

/// The extent of a dimension; `None` if it is `*`.
pub(crate) fn extent(
    ctx: &mut Translator,
    array: &ArrayObject,
    dimension: usize,
    at: TextRange,
) -> Option<Expression> {
    match &array.variable.shape {
        Some(ArraySpec::Explicit(bounds)) => {
            let (lower, upper) = bounds.get(dimension)?.clone();
            let upper = upper?;
            let mut declared = lower.iter().chain([&upper]);
            let is_kept = declared.all(|bound| entry_values::keeps_entry_value(ctx, bound));
            let between = |ctx: &mut Translator| {
                array_types::extent_between(ctx, lower.as_ref(), Some(&upper))
            };
            match own_name(array) {
                Some(name) if !is_kept => {
                    let (key, own) = (array_key(name), extent_name(name, dimension));
                    entry_values::entry_value(ctx, &key, &own, at, between)
                }
                _ => between(ctx),
            }
        }
        _ => Some(run_time_extent(ctx, &array.bounds, dimension, at)),
    }
}

/// The name of an array that has its bounds on entry to its procedure.
fn own_name(array: &ArrayObject) -> Option<&Name> {
    match &array.bounds {
        BoundStorage::Variables(name) => Some(name),
        BoundStorage::Members(..) => None,
    }
}

/// The key of an array in its scope, which has no module before it.
fn array_key(name: &Name) -> NameKey {
    let own = name.rsplit("::").next().unwrap_or(name);
    NameKey::from(own.to_ascii_lowercase())
}

/// A declared lower bound: that on entry.
fn declared_lower_bound(
    ctx: &mut Translator,
    array: &ArrayObject,
    dimension: usize,
    lower: &Expr,
) -> Expression {
    match own_name(array) {
        Some(name) if !entry_values::keeps_entry_value(ctx, lower) => {
            let (key, own) = (array_key(name), lower_bound_name(name, dimension));
            let evaluate = |ctx: &mut Translator| Some(ctx.expression(lower));
            let value = entry_values::entry_value(ctx, &key, &own, lower.at, evaluate);
            value.unwrap_or_else(|| ctx.expression(lower))
        }
        _ => declared_bound(ctx, lower),
    }
}

/// A declared bound, as an integer if it is constant.
fn declared_bound(ctx: &mut Translator, expr: &Expr) -> Expression {
    match constants::integer(expr, &ctx.env.scope) {
        Some(value) if !names_constant(expr) => build::integer(expr.at, value),
        _ => ctx.expression(expr),
    }
}

/// Whether an expression mentions a named constant, to which the user may give another value.
fn names_constant(expr: &Expr) -> bool {
    let mut has_name = false;
    walk(expr, &mut |part| {
        has_name |= matches!(part.kind, ExprKind::Name(_));
    });
    has_name
}

/// The extent at run time.
pub(crate) fn run_time_extent(
    ctx: &mut Translator,
    bounds: &BoundStorage,
    dimension: usize,
    at: TextRange,
) -> Expression {
    run_time_bound(ctx, bounds, &extent_name, dimension, at)
}

/// The lower bound at run time: 1 unless some statement of the program may give an array of that name another lower
/// bound.
pub(crate) fn run_time_lower(
    ctx: &mut Translator,
    bounds: &BoundStorage,
    dimension: usize,
    at: TextRange,
) -> Expression {
    let (BoundStorage::Variables(array) | BoundStorage::Members(_, array)) = bounds;
    if !ctx
        .env
        .index
        .run_time_lower_bounds
        .contains(&array_key(array))
    {
        return build::integer(at, 1);
    }
    run_time_bound(ctx, bounds, &lower_bound_name, dimension, at)
}

/// The variable or component that holds a bound.
fn run_time_bound(
    ctx: &mut Translator,
    bounds: &BoundStorage,
    named: &dyn Fn(&Name, usize) -> Name,
    dimension: usize,
    at: TextRange,
) -> Expression {
    match bounds {
        BoundStorage::Variables(array) => {
            let own = build::name(at, &named(array, dimension));
            match ctx.env.passing_of(&array_key(array)) {
                Some(ArgumentPassing::Descriptor(_)) => build::dereference(at, own),
                _ => own,
            }
        }
        BoundStorage::Members(base, member) => match ctx.designator(base) {
            Some(inner) => build::member(at, inner, named(member, dimension)),
            None => build::opaque_value(at, build::long_name(), Vec::new()),
        },
    }
}
