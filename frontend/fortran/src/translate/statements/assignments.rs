//! Assignment statements.

use crate::build;
use crate::names::FortranType;
use crate::syntax::{ASSIGNMENT, Expr, ExprKind, NameKey, visit};
use crate::translate::calls::call_statements;
use crate::translate::context::Translator;
use crate::translate::expressions::characters;
use crate::translate::operations::{self, Operation};
use crate::translate::rejections;
use premiss_ast::syntax::{Statement, TextRange};

/// An assignment of a scalar or an array.
pub(crate) fn assignment(
    ctx: &mut Translator,
    left: &Expr,
    right: &Expr,
    at: TextRange,
) -> Statement {
    let unsupported = match ctx.env.assignment(left, right) {
        Operation::Defined(id) => {
            let value = Expr {
                at: right.at,
                kind: ExprKind::Parentheses(Box::new(right.clone())),
            };
            let arguments = [left, &value].map(operations::value_argument);
            return call_statements::call_procedure(ctx, id, &arguments, at);
        }
        Operation::Unknown => {
            Some("an assignment of these types, for which no procedure is known,")
        }
        Operation::Intrinsic => needs_deep_copy(ctx, left).then_some(
            "an assignment of a type with allocatable components or an assignment of its own",
        ),
    };
    if let Some(name) = undeclared_name(ctx, left, right) {
        // It may be an array.
        let construct = format!("an assignment with `{name}`, which no given text declares,");
        return rejections::unsupported_loop(construct, at);
    }
    let is_array = 0 < ctx.env.rank_of(left);
    if let Some(construct) = unsupported {
        return match is_array {
            true => rejections::unsupported_loop(construct, at),
            false => rejections::unsupported(construct, at),
        };
    }
    if is_array {
        let translated = ctx.assign_array(left, right, at);
        return translated.unwrap_or_else(|| {
            rejections::unsupported_loop("an assignment of this array expression", at)
        });
    }
    if matches!(ctx.env.type_of(left), FortranType::Character(length) if length != Some(1)) {
        if is_element(ctx, left) {
            let construct = "an assignment to an element of an array of texts".to_owned();
            return rejections::unsupported(construct, at);
        }
        // Texts are not modelled, but calls on the right side are.
        let value = ctx.expression(right);
        return build::evaluate(value);
    }
    let value = match ctx.env.type_of(left) {
        FortranType::Character(_) => characters::first_character(ctx, right),
        _ => ctx.expression(right),
    };
    match ctx.designator(left) {
        Some(place) => build::evaluate(build::assign(at, place, value)),
        None => {
            let object = ctx.env.source_text(left.at);
            let is_declared = |root| ctx.env.symbol(root).is_some();
            let construct = match left.root().is_none_or(is_declared) {
                true => format!("an assignment to `{object}`"),
                false => format!("an assignment to `{object}`, which no given text declares,"),
            };
            rejections::unsupported(construct, at)
        }
    }
}

/// A name that may be that of an array and that no given text declares, where that matters: it is assigned to, or to an
/// array. What is assigned to a scalar is a scalar.
fn undeclared_name(ctx: &Translator, left: &Expr, right: &Expr) -> Option<NameKey> {
    let names = match ctx.env.rank_of(left) {
        0 => left.root().into_iter().collect(),
        _ => [visit::names(left), visit::names(right)].concat(),
    };
    let mut names = names.into_iter();
    names.find(|name| is_undeclared(ctx, name)).cloned()
}

/// Whether a missing module may declare a name, or the one that it is associated with. The variable of a loop is a
/// scalar wherever it is declared.
fn is_undeclared(ctx: &Translator, name: &NameKey) -> bool {
    let selector = ctx.env.selector(name);
    let Some(name) = selector.as_deref().map_or(Some(name), Expr::root) else {
        return false;
    };
    let symbol = ctx.env.symbol(name);
    symbol.is_some_and(|symbol| symbol.is_undeclared) && !ctx.is_active_do_variable(name)
}

/// Whether an object is an element of an array, or a part of one.
fn is_element(ctx: &Translator, object: &Expr) -> bool {
    match &object.kind {
        ExprKind::Apply(base, _) => ctx.env.is_array_object(base) || is_element(ctx, base),
        ExprKind::Member(base, _) => is_element(ctx, base),
        _ => false,
    }
}

/// Whether an intrinsic assignment of a derived type does more than copy its components: it allocates allocatable ones,
/// and calls the procedures that types of components define for assignments.
fn needs_deep_copy(ctx: &Translator, left: &Expr) -> bool {
    match ctx.env.type_of(left) {
        FortranType::Derived(key, _) => has_deep_components(ctx, &key, 0),
        _ => false,
    }
}

/// The maximum depth of types in types.
const MAX_DEPTH: usize = 32;

fn has_deep_components(ctx: &Translator, key: &NameKey, depth: usize) -> bool {
    let Some(found) = ctx.env.derived_type(key) else {
        return false;
    };
    found.members.iter().any(|(_, _, variable)| {
        let of_type = match &variable.kind {
            FortranType::Derived(inner, _) if !variable.is_pointer => {
                let inner_type = ctx.env.derived_type(inner);
                let is_defined = inner_type.is_some_and(|inner| {
                    inner
                        .generics
                        .iter()
                        .any(|(generic, _)| **generic == *ASSIGNMENT)
                });
                is_defined || MAX_DEPTH < depth || has_deep_components(ctx, inner, depth + 1)
            }
            _ => false,
        };
        variable.is_allocatable || of_type
    })
}
