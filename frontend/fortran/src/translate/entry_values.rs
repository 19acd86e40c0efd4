//! Bounds of explicit-shape arrays, which are those on entry to the procedure or block that declares the array (Fortran
//! 2018, 8.5.8.2), whatever happens to the variables in them later.
//!
//! A bound that may change its value is evaluated into a constant on entry:
//!
//! ```text
//! subroutine s(n, a)                    const size(a,1) = n
//! real :: a(n)                          n = n - 3
//! n = n - 3; a = 0                      for k: a[k] = 0    over size(a,1)
//! ```

use crate::build;
use crate::names::{ArraySpec, Entity, NameScope, Storage};
use crate::syntax::visit::walk;
use crate::syntax::{Expr, ExprKind, NameKey};
use crate::translate::context::Translator;
use crate::translate::control::DoVariable;
use crate::translate::environment::Selectors;
use premiss_ast::syntax::{Expression, Name, Statement, TextRange};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What holds on entry to a procedure or block, and the bounds that were needed of its arrays.
pub(crate) struct EntryFrame {
    /// The names that it declares; `None` for the procedure, which has all others.
    declared: Option<BTreeSet<NameKey>>,
    scope: Arc<NameScope>,
    n_selectors: usize,
    n_do_variables: usize,
    names: BTreeSet<Name>,
    constants: Vec<Statement>,
}

impl EntryFrame {
    /// The frame of a procedure with this scope.
    pub(crate) fn of_procedure(scope: Arc<NameScope>) -> Self {
        Self {
            declared: None,
            scope,
            n_selectors: 0,
            n_do_variables: 0,
            names: BTreeSet::new(),
            constants: Vec::new(),
        }
    }

    /// The frame of a block that begins at the current statement.
    pub(crate) fn of_block(ctx: &Translator, declared: &[NameKey]) -> Self {
        Self {
            declared: Some(declared.iter().cloned().collect()),
            n_selectors: ctx.env.n_selectors(),
            n_do_variables: ctx.control.do_variables.len(),
            ..Self::of_procedure(ctx.env.scope.clone())
        }
    }

    /// The constants, in an order in which each is declared before its uses.
    pub(crate) fn into_constants(self) -> Vec<Statement> {
        self.constants
    }
}

/// What was replaced while a bound is evaluated.
struct Outer {
    scope: Arc<NameScope>,
    selectors: Selectors,
    do_variables: Vec<DoVariable>,
    arguments: Vec<(NameKey, Name)>,
}

/// A bound of the array of that name, evaluated on entry by `evaluate` into a constant.
pub(crate) fn entry_value(
    ctx: &mut Translator,
    array: &NameKey,
    own: &Name,
    at: TextRange,
    evaluate: impl FnOnce(&mut Translator) -> Option<Expression>,
) -> Option<Expression> {
    let declares = |frame: &EntryFrame| match &frame.declared {
        Some(names) => names.contains(array),
        None => true,
    };
    let idx = ctx.entries.iter().rposition(declares)?;
    if ctx.entries[idx].names.insert(own.clone()) {
        let outer = enter(ctx, idx);
        let value = evaluate(ctx);
        leave(ctx, outer);
        let constant = build::constant(at, own, build::long_name(), value?);
        ctx.entries[idx].constants.push(constant);
    }
    Some(build::name(at, own))
}

/// Makes names mean what they mean on entry.
fn enter(ctx: &mut Translator, idx: usize) -> Outer {
    let frame = &ctx.entries[idx];
    let (n_selectors, n_do_variables) = (frame.n_selectors, frame.n_do_variables);
    let scope = std::mem::replace(&mut ctx.env.scope, frame.scope.clone());
    Outer {
        scope,
        selectors: ctx.env.hide_selectors(n_selectors),
        do_variables: ctx.control.do_variables.split_off(n_do_variables),
        arguments: std::mem::take(&mut ctx.env.statement_arguments),
    }
}

fn leave(ctx: &mut Translator, outer: Outer) {
    ctx.env.scope = outer.scope;
    ctx.env.show_selectors(outer.selectors);
    ctx.control.do_variables.extend(outer.do_variables);
    ctx.env.statement_arguments = outer.arguments;
}

/// Whether a bound has its value on entry throughout the procedure, and evaluating it makes no access.
pub(crate) fn keeps_entry_value(ctx: &Translator, bound: &Expr) -> bool {
    let mut is_kept = true;
    walk(bound, &mut |part| match &part.kind {
        ExprKind::Name(key) => is_kept &= name_keeps_value(ctx, key),
        ExprKind::Apply(base, _) => {
            let key = base.as_name();
            is_kept &= key.is_some_and(|key| ctx.env.names_intrinsic(key));
        }
        ExprKind::Member(..) | ExprKind::Defined(..) | ExprKind::Unparsed(..) => is_kept = false,
        _ => {}
    });
    is_kept
}

/// Whether a variable in a bound is not changed in the procedure. Only the shape of an array is used there.
fn name_keeps_value(ctx: &Translator, key: &NameKey) -> bool {
    match ctx.env.entity(key) {
        Some(Entity::Variable(variable)) => {
            let has_fixed_shape = matches!(
                variable.shape,
                Some(ArraySpec::Explicit(_) | ArraySpec::Assumed(_))
            );
            let is_own = matches!(
                variable.storage,
                Storage::Dummy | Storage::Local | Storage::Saved | Storage::Result
            );
            let procedure = ctx.env.procedure;
            let is_changed = procedure.is_none_or(|one| one.interface.mod_set.contains(key));
            has_fixed_shape || (is_own && !is_changed)
        }
        Some(Entity::Constant { .. } | Entity::DerivedType(_)) | None => true,
        Some(_) => ctx.env.names_intrinsic(key),
    }
}
