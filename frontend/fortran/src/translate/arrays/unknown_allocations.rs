//! Allocations of which the text does not tell the shape: by procedures that are not known, and by statements that are not
//! modelled.
//!
//! An allocatable array has memory of its own. If the first statement that may allocate a local one is
//! `CALL read_field(x)`, or `x = field(n)` with a function that is not known, then that procedure allocates it, with extents
//! that are sizes behind it: `size(x,1)`. If it was allocated before, it stays where it is, as by `realloc`.

use crate::build;
use crate::names::{ArraySpec, Storage};
use crate::syntax::{ActualArgument, Expr, ExprKind, Intent, NameKey};
use crate::translate::arrays::possible_allocations::{AllocatingStatement, possible_allocations};
use crate::translate::arrays::{bounds, descriptors, designators};
use crate::translate::context::Translator;
use crate::translate::environment::NameEnvironment;
use premiss_ast::syntax::{ExpressionKind, Statement, TextRange};

/// The allocation of an array by a statement at `at`, if it is an allocatable array that is not allocated on entry to the
/// procedure, and no statement before this one may allocate it.
pub(crate) fn first_allocation(
    ctx: &mut Translator,
    key: &NameKey,
    at: TextRange,
) -> Option<Vec<Statement>> {
    let variable = ctx.env.scope.variable(key)?;
    let Some(ArraySpec::Deferred(rank)) = variable.shape else {
        return None;
    };
    let is_unallocated_on_entry = match variable.storage {
        Storage::Local | Storage::Result => true,
        Storage::Dummy => variable.intent == Some(Intent::Out),
        _ => false,
    };
    if !variable.is_allocatable || !is_unallocated_on_entry || may_be_allocated(&ctx.env, key, at) {
        return None;
    }
    let whole = Expr {
        at,
        kind: ExprKind::Name(key.clone()),
    };
    let array = designators::array_object(ctx, &whole)?;
    let unknown = || build::opaque_value(at, build::long_name(), Vec::new());
    let mut all = Vec::new();
    for dimension in 0..rank {
        let lower = bounds::run_time_lower(ctx, &array.bounds, dimension, at);
        let lower = match lower.kind {
            ExpressionKind::Integer(..) => lower,
            _ => unknown(),
        };
        all.push((lower, unknown()));
    }
    descriptors::allocate_memory(ctx, array, all, at)
}

/// The allocations of arrays among the arguments of a procedure that is not known.
pub(crate) fn by_unknown_procedure(
    ctx: &mut Translator,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Vec<Statement> {
    let names = arguments.iter().filter_map(ActualArgument::expr);
    let names = names.filter_map(Expr::as_name);
    let lists = names.filter_map(|key| first_allocation(ctx, key, at));
    lists.flatten().collect()
}

/// Whether a statement before this one may allocate an array, an `ALLOCATE` anywhere, as in a loop around both, or a
/// contained procedure.
fn may_be_allocated(env: &NameEnvironment, key: &NameKey, at: TextRange) -> bool {
    let Some(procedure) = env.procedure else {
        return true;
    };
    let is_before = |(kind, place): (AllocatingStatement, TextRange)| match kind {
        AllocatingStatement::Allocate => true,
        AllocatingStatement::Assignment | AllocatingStatement::Call => place.start < at.start,
        AllocatingStatement::Deallocate => false,
    };
    !procedure.ast.contained.is_empty()
        || possible_allocations(procedure, key)
            .into_iter()
            .any(is_before)
}
