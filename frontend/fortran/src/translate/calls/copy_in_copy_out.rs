//! Array sections that are not contiguous, as actual arguments for explicit-shape or assumed-size dummy arguments:
//! copy-in and copy-out. `CALL f(p(1:m, :))` becomes
//!
//! ```text
//! argument1 = p(1:m, :)          a separate array, stored to in array element order
//! call f(argument1)
//! p(1:m, :) = argument1          unless `f` does not change it
//! ```
//!
//! If contiguity depends on sizes, the choice is made at run time.

use crate::build;
use crate::names::FortranType;
use crate::syntax::{AllocateOptions, AllocationSource, Expr, ExprKind};
use crate::translate::arrays::contiguity::Contiguity;
use crate::translate::arrays::{allocation, array_assignment, contiguity, designators};
use crate::translate::calls::argument_list::{ArgumentAccess, ArgumentList};
use crate::translate::context::Translator;
use crate::translate::{invariance, temporaries};
use premiss_ast::syntax::{Expression, Statement, TextRange};

/// The address of the first of the contiguous elements of an array argument: those of a copy if the argument is not
/// contiguous.
pub(crate) fn start_or_copy(
    ctx: &mut Translator,
    expr: &Expr,
    (dummy, used): (&FortranType, ArgumentAccess),
    passed: &mut ArgumentList,
) -> Result<Expression, String> {
    match contiguity::start_address(ctx, expr) {
        Ok(start) => Ok(start),
        Err(construct) => {
            let scope = ctx.env.scope.clone();
            let start = copy_section(ctx, expr, (dummy, used), passed);
            ctx.env.scope = scope;
            start.ok_or(construct)
        }
    }
}

/// A copy of a section in a separate array, filled before the call and stored back after it, as far as the procedure
/// reads and changes it.
fn copy_section(
    ctx: &mut Translator,
    expr: &Expr,
    (dummy, access): (&FortranType, ArgumentAccess),
    passed: &mut ArgumentList,
) -> Option<Expression> {
    let at = expr.at;
    let is_text = matches!(ctx.env.type_of(expr), FortranType::Character(_));
    if is_text || !contiguity::is_regular_section(&ctx.env, expr) {
        return None;
    }
    let mut before = Vec::new();
    let section = freeze_subscripts(ctx, expr, &mut before);
    let variable = allocate_copy(ctx, &section, at, &mut before);
    let fill = match access {
        ArgumentAccess::Write => None,
        _ => Some(array_assignment::assign_conforming(
            ctx, &variable, &section, at,
        )?),
    };
    let keep = match access {
        ArgumentAccess::Read => None,
        _ => Some(array_assignment::assign_conforming(
            ctx, &section, &variable, at,
        )?),
    };
    match contiguity::contiguity(ctx, &section)? {
        Contiguity::Contiguous => return contiguity::first_element(ctx, &section),
        Contiguity::Scattered => {
            before.extend(fill);
            passed.surround(before, keep);
        }
        Contiguity::ContiguousIf(condition) => {
            let first = contiguity::first_element(ctx, &section)?;
            let place = build::cast(at, dummy.pointer(), first);
            passed.surround(before, None);
            passed.choose(condition, place, fill, keep)?;
        }
    }
    Some(designators::array_object(ctx, &variable)?.base)
}

/// An array with the shape of a section.
fn allocate_copy(
    ctx: &mut Translator,
    section: &Expr,
    at: TextRange,
    before: &mut Vec<Statement>,
) -> Expr {
    let rank = ctx.env.rank_of(section);
    let kind = ctx.env.type_of(section);
    let variable = temporaries::allocatable_variable(ctx, "argument", kind, rank, at, before);
    let options = AllocateOptions {
        reports: Vec::new(),
        source: Some((AllocationSource::Mold, section.clone())),
    };
    let objects = std::slice::from_ref(&variable);
    before.push(allocation::allocate(ctx, objects, &options, at));
    variable
}

/// A section with its subscripts replaced by their values before the call.
pub(crate) fn freeze_subscripts(
    ctx: &mut Translator,
    expr: &Expr,
    before: &mut Vec<Statement>,
) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Name(key) => match ctx.env.selector(key) {
            Some(value) => return freeze_subscripts(ctx, &value, before),
            None => expr.kind.clone(),
        },
        ExprKind::Member(base, key) => {
            ExprKind::Member(Box::new(freeze_subscripts(ctx, base, before)), key.clone())
        }
        ExprKind::Apply(base, arguments) => {
            let base = Box::new(freeze_subscripts(ctx, base, before));
            let own = arguments.iter();
            let own = own.map(|one| one.map_expressions(|x| freeze_subscript(ctx, x, before)));
            ExprKind::Apply(base, own.collect())
        }
        other => other.clone(),
    };
    Expr { at: expr.at, kind }
}

/// A subscript, replaced by a variable if calls may change its value.
fn freeze_subscript(ctx: &mut Translator, subscript: &Expr, before: &mut Vec<Statement>) -> Expr {
    if invariance::is_invariant(ctx, subscript) {
        return subscript.clone();
    }
    let at = subscript.at;
    let own = ctx.fresh_name("bound:");
    let kind = ctx.env.type_of(subscript);
    let value = ctx.expression(subscript);
    before.push(build::constant(at, &own, kind.name(), value));
    temporaries::introduce_variable(ctx, &own, at, kind, None)
}
