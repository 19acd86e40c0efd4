//! `ASSOCIATE` and `BLOCK` constructs.
//!
//! An associate name is another name of a variable, whose subscripts have their values on entry to the construct; for
//! an expression, it is a variable with the value on entry.

use crate::build;
use crate::names::Entity;
use crate::names::FortranType;
use crate::syntax::visit::walk;
use crate::syntax::{BlockConstruct, Expr, ExprKind, NameKey, Statement as FortranStatement};
use crate::translate::arrays::contiguity;
use crate::translate::calls::{copy_in_copy_out, hoisting};
use crate::translate::context::Translator;
use crate::translate::entry_values::EntryFrame;
use crate::translate::statements::constructs;
use crate::translate::{objects, rejections, temporaries};
use premiss_ast::syntax::{Statement, TextRange};

/// An `ASSOCIATE` construct.
pub(crate) fn associate_construct(
    ctx: &mut Translator,
    name: Option<&NameKey>,
    list: &[(NameKey, Expr)],
    body: &[FortranStatement],
    at: TextRange,
) -> Statement {
    let translated = temporaries::with_preceding_statements(ctx, at, |ctx, before| {
        let mut selectors = Vec::new();
        for (key, selector) in list {
            // Within the construct, the name would be that of itself.
            if mentions_any(selector, list) {
                return None;
            }
            selectors.push((key.clone(), constant_selector(ctx, selector, before)?));
        }
        ctx.env.push_selectors(&selectors);
        let translated = named_body(ctx, name, body, at);
        ctx.env.pop_selectors();
        Some(translated)
    });
    translated.unwrap_or_else(|| rejections::unsupported("an associate name for this selector", at))
}

/// A `BLOCK` construct: its arrays have the bounds that they have on entry to it.
pub(crate) fn block_construct(
    ctx: &mut Translator,
    block: &BlockConstruct,
    at: TextRange,
) -> Statement {
    let frame = EntryFrame::of_block(ctx, &block.declared);
    ctx.entries.push(frame);
    let translated = named_body(ctx, block.name.as_ref(), &block.body, at);
    let constants = ctx.entries.pop().map(EntryFrame::into_constants);
    let mut list = constants.unwrap_or_default();
    for key in &block.declared {
        let symbol = ctx.env.symbol(key);
        if let Some(symbol) = symbol
            && let Entity::Variable(variable) = &symbol.entity
        {
            let own = objects::local_variable(ctx, key, &symbol, variable);
            list.extend(
                own.into_iter()
                    .map(|object| build::declare(object.at, object)),
            );
        }
    }
    if list.is_empty() {
        return translated;
    }
    list.push(translated);
    build::block(at, list)
}

/// The body of a construct that `EXIT` may leave.
fn named_body(
    ctx: &mut Translator,
    name: Option<&NameKey>,
    body: &[FortranStatement],
    at: TextRange,
) -> Statement {
    constructs::open_block(ctx, name.cloned(), at);
    let translated = ctx.body(body, at);
    constructs::close_construct(ctx, translated, at)
}

/// A selector that keeps its meaning throughout the construct; `None` if it is not modelled.
fn constant_selector(
    ctx: &mut Translator,
    selector: &Expr,
    before: &mut Vec<Statement>,
) -> Option<Expr> {
    let (kind, rank) = ctx.env.type_and_rank(selector);
    let is_text = matches!(kind, FortranType::Character(length) if length != Some(1));
    let is_variable = matches!(
        selector.kind,
        ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Apply(..)
    ) && !ctx.env.is_function_call(selector)
        && selector
            .root()
            .is_some_and(|root| ctx.env.is_variable(root));
    if is_text {
        return Some(selector.clone());
    }
    if is_variable {
        let is_plain = rank == 0 || contiguity::is_regular_section(&ctx.env, selector);
        return is_plain.then(|| copy_in_copy_out::freeze_subscripts(ctx, selector, before));
    }
    let value = hoisting::hoist(ctx, selector, before)?;
    if 0 < rank {
        return Some(hoisting::materialize_array(ctx, &value, before));
    }
    let own = ctx.fresh_name("selector");
    let initial = ctx.expression(&value);
    let declared = build::object(selector.at, &own, kind.name(), Some(initial));
    before.push(build::declare(selector.at, declared));
    Some(temporaries::introduce_variable(
        ctx,
        &own,
        selector.at,
        kind,
        None,
    ))
}

/// Whether an expression mentions one of the names of a construct.
fn mentions_any(expr: &Expr, list: &[(NameKey, Expr)]) -> bool {
    let mut found = false;
    walk(expr, &mut |part| {
        found |= part
            .as_name()
            .is_some_and(|key| list.iter().any(|(own, _)| own == key));
    });
    found
}
