//! Declarations of variables and named constants, as objects.

use crate::array_descriptors::{extent_name, lower_bound_name};
use crate::build;
use crate::names::{ArraySpec, FortranType, Storage, Symbol, Variable};
use crate::syntax::{Expr, ExprKind, NameKey};
use crate::translate::arrays::{allocation, array_types};
use crate::translate::context::Translator;
use crate::translate::expressions::characters;
use crate::translate::invariance;
use premiss_ast::syntax::{Initializer, Lifetime, Object, Part, TypeName};
use std::sync::Arc;

/// A named constant: an integer or an array of integers.
pub(crate) fn named_constant(
    ctx: &mut Translator,
    symbol: &Symbol,
    kind: &FortranType,
    value: &Expr,
    is_array: bool,
) -> Option<Object> {
    let at = symbol.at;
    let (kind, initializer, lifetime) = match (is_array, &value.kind) {
        (false, _) if kind.is_counted() => {
            let value = match kind {
                FortranType::Character(_) => characters::first_character(ctx, value),
                _ => ctx.expression(value),
            };
            let initial = Initializer::Expression(value);
            (kind.name(), initial, Lifetime::Automatic)
        }
        (true, ExprKind::Constructor(items)) => {
            let list = initializer_list(ctx, items);
            let length = i64::try_from(items.len()).ok()?;
            let length = Some(Arc::new(build::integer(at, length)));
            let kind = Arc::new(TypeName::Array(kind.name(), length));
            (kind, list, Lifetime::Static)
        }
        _ => return None,
    };
    Some(Object {
        name: symbol.name.clone(),
        at,
        kind,
        lifetime,
        is_const: true,
        is_volatile: false,
        initializer: Some(initializer),
    })
}

/// The objects of a variable of this procedure; none for a dummy argument, or a variable of a module or area.
pub(crate) fn local_variable(
    ctx: &mut Translator,
    key: &NameKey,
    symbol: &Symbol,
    variable: &Variable,
) -> Vec<Object> {
    let is_saved = match variable.storage {
        Storage::Local | Storage::Result => false,
        Storage::Saved => true,
        Storage::Dummy | Storage::Module | Storage::Area(..) | Storage::Member => {
            return Vec::new();
        }
    };
    // An array result is allocated by the function (see `function_results`).
    let is_handed_back = variable.storage == Storage::Result && variable.shape.is_some();
    if is_handed_back
        || matches!(variable.kind, FortranType::Character(length) if length != Some(1))
    {
        return Vec::new();
    }
    let is_constant = is_saved && variable.kind.is_integer() && invariance::is_unchanged(ctx, key);
    let mut objects = objects(ctx, symbol, variable);
    for object in &mut objects {
        object.lifetime = match is_saved && !(is_constant && variable.shape.is_none()) {
            true => Lifetime::Static,
            false => Lifetime::Automatic,
        };
    }
    if let Some(extent) = allocation::initial_extent(&ctx.env, key, variable) {
        for object in objects
            .iter_mut()
            .filter(|one| one.name.starts_with("size("))
        {
            let initial = build::integer(symbol.at, extent);
            object.initializer = Some(Initializer::Expression(initial));
        }
    }
    let is_list = |initial: &Expr| matches!(initial.kind, ExprKind::Constructor(_));
    if let (true, Some(initial), [object]) = (is_constant, &variable.initial, &mut objects[..])
        && (variable.shape.is_none() || is_list(initial))
    {
        object.is_const = true;
        let initial = initial.clone();
        object.initializer = Some(match (&initial.kind, &variable.shape) {
            (ExprKind::Constructor(items), Some(_)) => initializer_list(ctx, items),
            _ => Initializer::Expression(ctx.expression(&initial)),
        });
    }
    objects
}

/// The objects that represent a variable: an allocatable array or array pointer has variables for its bounds.
pub(crate) fn objects(ctx: &mut Translator, symbol: &Symbol, variable: &Variable) -> Vec<Object> {
    let (name, at) = (&symbol.name, symbol.at);
    let one = |kind| vec![build::object(at, name, kind, None)];
    match &variable.shape {
        None if variable.is_pointer || variable.is_allocatable => one(variable.kind.pointer()),
        None => one(variable.kind.name()),
        Some(shape @ ArraySpec::Explicit(_)) => {
            match array_types::array_type(ctx, &variable.kind, shape) {
                Some(kind) => one(kind),
                None => one(variable.kind.pointer()),
            }
        }
        Some(shape) => {
            let mut list = one(variable.kind.pointer());
            for dimension in 0..shape.rank() {
                for bound in [
                    extent_name(name, dimension),
                    lower_bound_name(name, dimension),
                ] {
                    list.push(build::object(at, &bound, build::long_name(), None));
                }
            }
            list
        }
    }
}

/// The initial values of the elements of an array, in array element order.
fn initializer_list(ctx: &mut Translator, items: &[Expr]) -> Initializer {
    let part = |item: &Expr, ctx: &mut Translator| Part {
        designators: Vec::new(),
        value: Initializer::Expression(ctx.expression(item)),
    };
    let parts = items.iter().map(|item| part(item, ctx)).collect();
    Initializer::List(parts)
}
