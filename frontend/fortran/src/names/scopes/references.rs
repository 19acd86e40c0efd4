//! The names that the statements of a program unit mention.

use crate::syntax::visit::{expressions, statements, walk};
use crate::syntax::{
    Expr, ExprKind, NameKey, ProgramUnit, SpecificationKind as Spec, StatementKind,
};
use premiss_ast::syntax::TextRange;
use rustc_hash::FxHashSet;

/// The names in the statements of a program unit.
#[derive(Default)]
pub(super) struct ReferencedNames<'a> {
    /// Each with its first place.
    pub(super) names: Vec<(&'a NameKey, TextRange)>,
    distinct: FxHashSet<&'a NameKey>,
    /// The names with parentheses after them, and the names that `CALL` calls.
    pub(super) with_arguments: FxHashSet<&'a NameKey>,
}

impl<'a> ReferencedNames<'a> {
    /// The names in the statements and statement functions of a program unit.
    pub(super) fn collect(unit: &'a ProgramUnit) -> Self {
        let mut references = Self::default();
        statements(&unit.body, &mut |statement| {
            let mut list = expressions(statement).into_iter();
            if let StatementKind::Call(callee, _) = &statement.kind {
                references.with_arguments.extend(callee.as_name());
                list.next();
            }
            list.for_each(|expr| references.add(expr));
        });
        for spec in &unit.specifications {
            if let Spec::StatementFunction { value, .. } = &spec.kind {
                references.add(value);
            }
        }
        references
    }

    fn add(&mut self, expr: &'a Expr) {
        walk(expr, &mut |part| match &part.kind {
            ExprKind::Name(key) => self.name(key, part.at),
            ExprKind::Apply(base, _) => self.with_arguments.extend(base.as_name()),
            ExprKind::ImpliedDo(inner) => self.name(&inner.variable, part.at),
            _ => {}
        });
    }

    fn name(&mut self, key: &'a NameKey, at: TextRange) {
        if self.distinct.insert(key) {
            self.names.push((key, at));
        }
    }
}
