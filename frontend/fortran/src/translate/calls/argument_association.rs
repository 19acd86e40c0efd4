//! Argument association: how each actual argument is passed to the dummy argument of a procedure that is
//! there.
//!
//! A scalar that nobody changes is passed as its value; one that the procedure changes, or may, by
//! reference; an array as the place of its first element (sequence association), with its extents where
//! the dummy has assumed shape, and with a descriptor where the dummy may be allocated.

use crate::build;
use crate::names::{
    ArgumentPassing, ArraySpec, DummyArgument, FortranType, Procedure, ProcedureId,
};
use crate::syntax::{Argument, ArgumentValue, Expr, ExprKind, Intent, NameKey};
use crate::translate::arrays::{bounds, contiguity, designators, extents};
use crate::translate::calls::argument_list::{ArgumentAccess, ArgumentList};
use crate::translate::calls::copy_in_copy_out;
use crate::translate::context::Translator;
use crate::translate::expressions::characters;
use crate::translate::resolution;
use premiss_ast::syntax::{At, Declaration, Expression, Statement, StatementKind, TypeName};
use std::sync::Arc;

/// The arguments of a procedure that is there.
pub(crate) fn associate_arguments(
    ctx: &mut Translator,
    id: ProcedureId,
    arguments: &[Argument],
    at: At,
) -> Result<ArgumentList, String> {
    let index = ctx.env.index;
    let callee = index.procedure(id);
    let interface = &callee.summary.interface;
    let n_dummies = callee.passing.len();
    let mut actual: Vec<Option<&Expr>> = vec![None; n_dummies];
    let mut n_labels = 0;
    for (idx, argument) in arguments.iter().enumerate() {
        match &argument.value {
            ArgumentValue::Label => n_labels += 1,
            ArgumentValue::Expr(expr) => {
                let idx = idx - n_labels;
                let position = interface.position(idx, argument.keyword.as_ref());
                if let Some(slot) = actual.get_mut(position) {
                    *slot = Some(expr);
                }
            }
            _ => {}
        }
    }
    if 0 < n_labels {
        return Err("an alternate return".to_owned());
    }
    let externals = index.externals.get(&interface.key);
    let has_interface = externals.is_none_or(|ids| !ids.contains(&id));
    let mut handed = ArgumentList::default();
    let dummies = interface.dummies.iter().flatten();
    for ((passing, expr), dummy) in callee.passing.iter().zip(actual).zip(dummies) {
        let kind = match &dummy.variable {
            Some(variable) => variable.kind.clone(),
            None => FortranType::Unknown,
        };
        let is_scalar = matches!(passing, ArgumentPassing::Value | ArgumentPassing::Reference);
        if is_scalar && has_interface && expr.is_some_and(|expr| 0 < ctx.env.rank_of(expr)) {
            // An elemental procedure, which is called for each element.
            return Err("an array for an argument that is no array".to_owned());
        }
        let used = access_of(callee, dummy);
        associate(ctx, *passing, expr, (&kind, used), at, &mut handed)?;
    }
    for (key, passing) in &callee.host_associated {
        let expr = Expr {
            at,
            kind: ExprKind::Name(key.clone()),
        };
        let kind = ctx.env.type_of(&expr);
        associate(
            ctx,
            *passing,
            Some(&expr),
            (&kind, ArgumentAccess::ReadWrite),
            at,
            &mut handed,
        )?;
    }
    Ok(handed)
}

fn associate(
    ctx: &mut Translator,
    passing: ArgumentPassing,
    expr: Option<&Expr>,
    (kind, used): (&FortranType, ArgumentAccess),
    at: At,
    handed: &mut ArgumentList,
) -> Result<(), String> {
    let null = || build::cast(at, kind.pointer(), build::integer(at, 0));
    match (passing, expr) {
        (ArgumentPassing::Value, Some(expr)) => {
            let value = match kind {
                FortranType::Character(Some(1)) => characters::first_character(ctx, expr),
                FortranType::Character(_) => build::computed(at, kind.name(), Vec::new()),
                _ => ctx.expression(expr),
            };
            handed.scalars.push(value);
        }
        (ArgumentPassing::Value, None) => {
            handed
                .scalars
                .push(build::computed(at, kind.name(), Vec::new()))
        }
        (ArgumentPassing::Procedure, expr) => {
            let value = match expr.and_then(Expr::as_name) {
                Some(key) => procedure_value(ctx, key, at),
                None => build::computed(at, FortranType::Unknown.name(), Vec::new()),
            };
            handed.scalars.push(value);
        }
        (ArgumentPassing::Reference, Some(expr)) => {
            let reference = pass_by_reference(ctx, expr, kind, handed);
            handed.scalars.push(reference);
        }
        (ArgumentPassing::Reference, None) => handed.scalars.push(null()),
        (ArgumentPassing::Array, Some(expr)) => {
            let start = copy_in_copy_out::start_or_copy(ctx, expr, (kind, used), handed)?;
            handed.arrays.push(build::cast(at, kind.pointer(), start));
        }
        (ArgumentPassing::Shaped(rank), Some(expr)) => {
            let start = contiguity::start_of_assumed_shape(ctx, expr)?;
            handed.arrays.push(build::cast(at, kind.pointer(), start));
            for dimension in 0..rank {
                let extent = extents::extent_of(ctx, expr, dimension);
                let extent = extent.ok_or("an array whose extents are not known")?;
                handed
                    .extents
                    .push(build::cast(at, build::long_name(), extent));
            }
        }
        (ArgumentPassing::Descriptor(rank), Some(expr)) => {
            associate_descriptor(ctx, rank, expr, kind, handed)?;
        }
        (ArgumentPassing::Descriptor(rank), None) => {
            let null = |kind: Arc<TypeName>| {
                build::cast(at, Arc::new(TypeName::Pointer(kind)), build::integer(at, 0))
            };
            handed.arrays.push(null(kind.pointer()));
            handed
                .extents
                .extend((0..2 * rank).map(|_| null(build::long_name())));
        }
        (ArgumentPassing::Array, None) => handed.arrays.push(null()),
        (ArgumentPassing::Shaped(rank), None) => {
            handed.arrays.push(null());
            handed
                .extents
                .extend((0..rank).map(|_| build::integer(at, 0)));
        }
    }
    Ok(())
}

/// Where an array has its pointer and its bounds; of one that is not allocated, where copies are.
fn associate_descriptor(
    ctx: &mut Translator,
    rank: usize,
    expr: &Expr,
    kind: &FortranType,
    handed: &mut ArgumentList,
) -> Result<(), String> {
    let at = expr.at;
    let array = designators::array_object(ctx, expr).filter(
        |array| matches!(array.variable.shape, Some(ArraySpec::Deferred(own)) if own == rank),
    );
    for dimension in 0..rank {
        let (extent, lower) = match &array {
            Some(array) => (
                bounds::run_time_extent(ctx, &array.bounds, dimension, at),
                bounds::run_time_lower(ctx, &array.bounds, dimension, at),
            ),
            None => {
                let extent = extents::extent_of(ctx, expr, dimension);
                let extent = extent.ok_or("an array whose extents are not known")?;
                (extent, build::integer(at, 1))
            }
        };
        for bound in [extent, lower] {
            let place = match build::is_addressable(&bound) {
                true => bound,
                false => materialize(ctx, bound, build::long_name(), handed),
            };
            handed.extents.push(build::address_of(at, place));
        }
    }
    let start = match array {
        Some(array) => array.base,
        None => {
            let start = contiguity::start_address(ctx, expr)?;
            materialize(
                ctx,
                build::cast(at, kind.pointer(), start),
                kind.pointer(),
                handed,
            )
        }
    };
    handed.arrays.push(build::address_of(at, start));
    Ok(())
}

/// Where the bounds of an array are that is allocated, and the pointer to it.
pub(crate) fn descriptor_of(
    ctx: &mut Translator,
    expr: &Expr,
    list: &mut Vec<Statement>,
) -> Option<Vec<Expression>> {
    let kind = ctx.env.type_of(expr);
    let mut handed = ArgumentList::default();
    let rank = ctx.env.rank_of(expr);
    associate_descriptor(ctx, rank, expr, &kind, &mut handed).ok()?;
    let (before, values) = handed.list()?;
    list.extend(before);
    Some(values)
}

/// A variable that has a value while the call lasts.
fn materialize(
    ctx: &mut Translator,
    value: Expression,
    kind: Arc<TypeName>,
    handed: &mut ArgumentList,
) -> Expression {
    let at = value.at;
    let temporary = ctx.fresh_name("argument");
    let declared = build::object(at, &temporary, kind, Some(value));
    handed.before.push(build::statement(
        at,
        StatementKind::Declarations(vec![Declaration::Object(declared)]),
    ));
    build::name(at, &temporary)
}

pub(crate) fn procedure_value(ctx: &mut Translator, key: &NameKey, at: At) -> Expression {
    let ids = ctx.env.callees(key);
    match resolution::resolve_specific(&ctx.env, &ids, &[]) {
        Some(id) => build::name(at, &ctx.env.index.procedure(id).name.clone()),
        None => build::name(at, &ctx.env.callee_name(key)),
    }
}

/// Where a scalar is; a value that is nowhere is put somewhere, and so is that of a DO variable while its
/// loop runs: no procedure may change that.
pub(crate) fn pass_by_reference(
    ctx: &mut Translator,
    expr: &Expr,
    kind: &FortranType,
    handed: &mut ArgumentList,
) -> Expression {
    let at = expr.at;
    let is_text =
        matches!(ctx.env.type_of(expr), FortranType::Character(length) if length != Some(1));
    let is_counting = expr
        .as_name()
        .is_some_and(|key| ctx.is_active_do_variable(key));
    let place = match is_text || is_counting || 0 < ctx.env.rank_of(expr) {
        true => None,
        false => ctx.designator(expr).filter(build::is_addressable),
    };
    let place = match place {
        Some(place) => place,
        None => {
            let value = match kind {
                FortranType::Character(_) => characters::first_character(ctx, expr),
                _ => ctx.expression(expr),
            };
            materialize(ctx, value, kind.name(), handed)
        }
    };
    build::cast(at, kind.pointer(), build::address_of(at, place))
}

/// What a procedure does with an array that it takes.
fn access_of(callee: &Procedure, dummy: &DummyArgument) -> ArgumentAccess {
    match dummy.variable.as_ref().and_then(|variable| variable.intent) {
        Some(Intent::Out) => ArgumentAccess::Write,
        Some(Intent::In) => ArgumentAccess::Read,
        _ if callee.modified.contains(&dummy.key) => ArgumentAccess::ReadWrite,
        _ => ArgumentAccess::Read,
    }
}
