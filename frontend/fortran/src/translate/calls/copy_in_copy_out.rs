//! Array sections that are not contiguous, as arguments of explicit-shape or assumed-size dummies: copy-in
//! and copy-out. `CALL f(p(1:m, :))` becomes
//!
//! ```text
//! argument1 = p(1:m, :)          an array of its own, stored to in array element order
//! call f(argument1)
//! p(1:m, :) = argument1          unless `f` changes none of it
//! ```
//!
//! Where sizes decide whether the section is contiguous, they decide so when the program runs.

use crate::build;
use crate::names::FortranType;
use crate::syntax::{
    AllocateOptions, AllocationSource, Argument, ArgumentValue, Expr, ExprKind, SubscriptTriplet,
};
use crate::translate::arrays::contiguity::Contiguity;
use crate::translate::arrays::{allocation, contiguity, designators};
use crate::translate::calls::argument_list::{ArgumentAccess, ArgumentList};
use crate::translate::context::Translator;
use crate::translate::{invariance, temporaries};
use premiss_ast::syntax::{Expression, Statement};

/// Where the elements of an array argument are, one after the other: those of a copy where they do not
/// lie so.
pub(crate) fn start_or_copy(
    ctx: &mut Translator,
    expr: &Expr,
    (dummy, used): (&FortranType, ArgumentAccess),
    handed: &mut ArgumentList,
) -> Result<Expression, String> {
    match contiguity::start_address(ctx, expr) {
        Ok(start) => Ok(start),
        Err(construct) => {
            let scope = ctx.env.scope.clone();
            let start = copy_section(ctx, expr, (dummy, used), handed);
            ctx.env.scope = scope;
            start.ok_or(construct)
        }
    }
}

fn copy_section(
    ctx: &mut Translator,
    expr: &Expr,
    (dummy, used): (&FortranType, ArgumentAccess),
    handed: &mut ArgumentList,
) -> Option<Expression> {
    let at = expr.at;
    if matches!(ctx.env.type_of(expr), FortranType::Character(_))
        || !contiguity::is_regular_section(&ctx.env, expr)
    {
        return None;
    }
    let mut before = Vec::new();
    let section = freeze_subscripts(ctx, expr, &mut before);
    let rank = ctx.env.rank_of(&section);
    let kind = ctx.env.type_of(&section);
    let variable = temporaries::allocatable_variable(ctx, "argument", kind, rank, at, &mut before);
    let made = AllocateOptions {
        reports: Vec::new(),
        source: Some((AllocationSource::Mold, section.clone())),
    };
    before.push(allocation::allocate(
        ctx,
        std::slice::from_ref(&variable),
        &made,
        at,
    ));
    let fill = match used {
        ArgumentAccess::Write => None,
        ArgumentAccess::Read | ArgumentAccess::ReadWrite => {
            Some(ctx.assign_array(&variable, &section, at)?)
        }
    };
    let keep = match used {
        ArgumentAccess::Read => None,
        ArgumentAccess::Write | ArgumentAccess::ReadWrite => {
            Some(ctx.assign_array(&section, &variable, at)?)
        }
    };
    match contiguity::contiguity(ctx, &section)? {
        Contiguity::Contiguous => return contiguity::first_element(ctx, &section),
        Contiguity::Scattered => {
            before.extend(fill);
            handed.surround(before, keep);
        }
        Contiguity::ContiguousIf(condition) => {
            let place = build::cast(
                at,
                dummy.pointer(),
                contiguity::first_element(ctx, &section)?,
            );
            handed.surround(before, None);
            handed.choose(condition, place, fill, keep)?;
        }
    }
    Some(designators::array_object(ctx, &variable)?.base)
}

/// A section with the values of its subscripts in place of them, as they are before the call.
fn freeze_subscripts(ctx: &mut Translator, expr: &Expr, before: &mut Vec<Statement>) -> Expr {
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
            let own = own.map(|one| freeze_argument(ctx, one, before));
            ExprKind::Apply(base, own.collect())
        }
        other => other.clone(),
    };
    Expr { at: expr.at, kind }
}

fn freeze_argument(
    ctx: &mut Translator,
    argument: &Argument,
    before: &mut Vec<Statement>,
) -> Argument {
    let value = match &argument.value {
        ArgumentValue::Section(section) => {
            let mut settle = |one: &Option<Expr>| {
                let one = one.as_ref();
                one.map(|subscript| freeze_subscript(ctx, subscript, before))
            };
            ArgumentValue::Section(Box::new(SubscriptTriplet {
                at: section.at,
                first: settle(&section.first),
                last: settle(&section.last),
                step: settle(&section.step),
            }))
        }
        ArgumentValue::Expr(subscript) => {
            ArgumentValue::Expr(freeze_subscript(ctx, subscript, before))
        }
        other => other.clone(),
    };
    Argument {
        keyword: argument.keyword.clone(),
        value,
    }
}

/// A subscript, as a variable of its own where calls may change what it yields.
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
