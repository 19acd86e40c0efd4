//! Argument association: how each actual argument is passed to the dummy argument of a procedure with a known
//! definition.
//!
//! A scalar that is never changed is passed by value; one that the procedure may change is passed by reference; an
//! array is passed as the address of its first element (sequence association), with its extents if the dummy has
//! assumed shape, and with a descriptor if the dummy may be allocated.

use crate::build;
use crate::names::{
    ArgumentPassing, ArraySpec, DummyArgument, FortranType, Procedure, ProcedureId,
};
use crate::syntax::{ActualArgument, ArgumentValue, Expr, ExprKind, Intent, NameKey};
use crate::translate::arrays::{bounds, contiguity, designators, extents};
use crate::translate::calls::argument_list::{ArgumentAccess, ArgumentList};
use crate::translate::calls::copy_in_copy_out;
use crate::translate::context::Translator;
use crate::translate::expressions::characters;
use crate::translate::resolution;
use premiss_ast::syntax::{Expression, Statement, TextRange, TypeName};
use std::sync::Arc;

/// The arguments of a call of a procedure with a known definition.
pub(crate) fn associate_arguments(
    ctx: &mut Translator,
    id: ProcedureId,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Result<ArgumentList, String> {
    let index = ctx.env.index;
    let callee = index.procedure(id);
    let interface = &callee.summary.interface;
    let actual = match_dummies(callee, arguments)?;
    let externals = index.externals.get(&interface.key);
    let has_interface = externals.is_none_or(|ids| !ids.contains(&id));
    let mut list = ArgumentList::default();
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
        let access = access_of(callee, dummy);
        associate(ctx, *passing, expr, (&kind, access), at, &mut list)?;
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
            &mut list,
        )?;
    }
    Ok(list)
}

/// The actual argument of each dummy argument, by position and keyword.
fn match_dummies<'e>(
    callee: &Procedure,
    arguments: &'e [ActualArgument],
) -> Result<Vec<Option<&'e Expr>>, String> {
    let interface = &callee.summary.interface;
    let mut actual: Vec<Option<&Expr>> = vec![None; callee.passing.len()];
    for (idx, argument) in arguments.iter().enumerate() {
        match &argument.value {
            ArgumentValue::Label => return Err("an alternate return".to_owned()),
            ArgumentValue::Expr(expr) => {
                let position = interface.position(idx, argument.keyword.as_ref());
                if let Some(slot) = actual.get_mut(position) {
                    *slot = Some(expr);
                }
            }
            ArgumentValue::Section(_) | ArgumentValue::Star => {}
        }
    }
    Ok(actual)
}

/// Adds an actual argument to the list in the form in which it is passed; `None` for an absent optional argument.
fn associate(
    ctx: &mut Translator,
    passing: ArgumentPassing,
    expr: Option<&Expr>,
    (kind, access): (&FortranType, ArgumentAccess),
    at: TextRange,
    list: &mut ArgumentList,
) -> Result<(), String> {
    match (passing, expr) {
        (ArgumentPassing::Procedure, expr) => {
            let value = match expr.and_then(Expr::as_name) {
                Some(key) => procedure_value(ctx, key, at),
                None => build::opaque_value(at, FortranType::Unknown.name(), Vec::new()),
            };
            list.scalars.push(value);
        }
        (passing, None) => associate_absent(passing, kind, at, list),
        (ArgumentPassing::Value, Some(expr)) => {
            let value = match kind {
                FortranType::Character(Some(1)) => characters::first_character(ctx, expr),
                FortranType::Character(_) => build::opaque_value(at, kind.name(), Vec::new()),
                _ => ctx.expression(expr),
            };
            list.scalars.push(value);
        }
        (ArgumentPassing::Reference, Some(expr)) => {
            let reference = pass_by_reference(ctx, expr, kind, list);
            list.scalars.push(reference);
        }
        (ArgumentPassing::Array, Some(expr)) => {
            let start = copy_in_copy_out::start_or_copy(ctx, expr, (kind, access), list)?;
            list.arrays.push(build::cast(at, kind.pointer(), start));
        }
        (ArgumentPassing::Shaped(rank), Some(expr)) => {
            associate_assumed_shape(ctx, rank, expr, kind, at, list)?;
        }
        (ArgumentPassing::Descriptor(rank), Some(expr)) => {
            associate_descriptor(ctx, rank, expr, kind, list)?;
        }
    }
    Ok(())
}

/// An absent optional argument: its value is unknown, and its address and bounds are null pointers.
fn associate_absent(
    passing: ArgumentPassing,
    kind: &FortranType,
    at: TextRange,
    list: &mut ArgumentList,
) {
    let null = |kind: Arc<TypeName>| build::cast(at, kind, build::integer(at, 0));
    match passing {
        ArgumentPassing::Value | ArgumentPassing::Procedure => {
            let unknown = build::opaque_value(at, kind.name(), Vec::new());
            list.scalars.push(unknown);
        }
        ArgumentPassing::Reference => list.scalars.push(null(kind.pointer())),
        ArgumentPassing::Array => list.arrays.push(null(kind.pointer())),
        ArgumentPassing::Shaped(rank) => {
            list.arrays.push(null(kind.pointer()));
            list.extents
                .extend((0..rank).map(|_| build::integer(at, 0)));
        }
        ArgumentPassing::Descriptor(rank) => {
            let null = |kind| null(Arc::new(TypeName::Pointer(kind)));
            list.arrays.push(null(kind.pointer()));
            list.extents
                .extend((0..2 * rank).map(|_| null(build::long_name())));
        }
    }
}

/// An array argument for an assumed-shape dummy: its first element and its extents.
fn associate_assumed_shape(
    ctx: &mut Translator,
    rank: usize,
    expr: &Expr,
    kind: &FortranType,
    at: TextRange,
    list: &mut ArgumentList,
) -> Result<(), String> {
    let start = contiguity::start_of_assumed_shape(ctx, expr)?;
    list.arrays.push(build::cast(at, kind.pointer(), start));
    for dimension in 0..rank {
        let extent = extents::extent_of(ctx, expr, dimension);
        let extent = extent.ok_or("an array whose extents are not known")?;
        list.extents
            .push(build::cast(at, build::long_name(), extent));
    }
    Ok(())
}

/// The addresses of the pointer to an array and of its bounds; for an array without a descriptor, those of copies.
fn associate_descriptor(
    ctx: &mut Translator,
    rank: usize,
    expr: &Expr,
    kind: &FortranType,
    list: &mut ArgumentList,
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
                false => materialize(ctx, bound, build::long_name(), list),
            };
            list.extents.push(build::address_of(at, place));
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
                list,
            )
        }
    };
    list.arrays.push(build::address_of(at, start));
    Ok(())
}

/// The addresses of the bounds of an allocated array and of the pointer to it.
pub(crate) fn descriptor_of(
    ctx: &mut Translator,
    expr: &Expr,
    list: &mut Vec<Statement>,
) -> Option<Vec<Expression>> {
    let kind = ctx.env.type_of(expr);
    let mut arguments = ArgumentList::default();
    let rank = ctx.env.rank_of(expr);
    associate_descriptor(ctx, rank, expr, &kind, &mut arguments).ok()?;
    let (prologue, values) = arguments.into_values()?;
    list.extend(prologue);
    Some(values)
}

/// A variable that holds a value during the call.
fn materialize(
    ctx: &mut Translator,
    value: Expression,
    kind: Arc<TypeName>,
    list: &mut ArgumentList,
) -> Expression {
    let at = value.at;
    let temporary = ctx.fresh_name("argument");
    let declared = build::object(at, &temporary, kind, Some(value));
    list.prologue.push(build::declare(at, declared));
    build::name(at, &temporary)
}

/// A procedure as a value.
pub(crate) fn procedure_value(ctx: &mut Translator, key: &NameKey, at: TextRange) -> Expression {
    let ids = ctx.env.callees(key);
    match resolution::resolve_specific(&ctx.env, &ids, &[]) {
        Some(id) => build::name(at, &ctx.env.index.procedure(id).name.clone()),
        None => build::name(at, &ctx.env.callee_name(key)),
    }
}

/// The address of a scalar. A value that is not an object is stored to a variable first, and so is a DO variable
/// during its loop, as no procedure may change it.
pub(crate) fn pass_by_reference(
    ctx: &mut Translator,
    expr: &Expr,
    kind: &FortranType,
    list: &mut ArgumentList,
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
            materialize(ctx, value, kind.name(), list)
        }
    };
    build::cast(at, kind.pointer(), build::address_of(at, place))
}

/// What a procedure does with an array argument.
fn access_of(callee: &Procedure, dummy: &DummyArgument) -> ArgumentAccess {
    match dummy.variable.as_ref().and_then(|variable| variable.intent) {
        Some(Intent::Out) => ArgumentAccess::Write,
        Some(Intent::In) => ArgumentAccess::Read,
        _ if callee.mod_set.contains(&dummy.key) => ArgumentAccess::ReadWrite,
        _ => ArgumentAccess::Read,
    }
}
