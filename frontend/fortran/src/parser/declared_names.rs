//! The names that a specification part has declared: `f(x) = e` among declarations is a statement function, unless `f`
//! is an array.

use crate::syntax::{
    Attribute, EntityDeclaration, Expr, ExprKind, Ident, NameKey, SpecificationKind as Spec,
};
use std::collections::BTreeSet;

/// The names that a program unit has declared so far.
#[derive(Default)]
pub(super) struct DeclaredNames {
    arrays: BTreeSet<NameKey>,
    scalars: BTreeSet<NameKey>,
    has_use: bool,
}

impl DeclaredNames {
    /// Records the names that a specification declares.
    pub(super) fn record(&mut self, spec: &Spec) {
        match spec {
            Spec::Type {
                attributes,
                entities,
                ..
            } => {
                let is_array = |entity: &EntityDeclaration| {
                    entity.shape.is_some()
                        || attributes
                            .iter()
                            .any(|one| matches!(one, Attribute::Dimension(_)))
                };
                for entity in entities {
                    let set = match is_array(entity) {
                        true => &mut self.arrays,
                        false => &mut self.scalars,
                    };
                    set.insert(entity.name.key.clone());
                }
            }
            Spec::Attribute(_, entities) => self.record_shapes(entities),
            Spec::Common(blocks) => blocks.iter().for_each(|(_, list)| self.record_shapes(list)),
            Spec::Use(_) => self.has_use = true,
            _ => {}
        }
    }

    fn record_shapes(&mut self, entities: &[EntityDeclaration]) {
        let shaped = entities.iter().filter(|entity| entity.shape.is_some());
        self.arrays
            .extend(shaped.map(|entity| entity.name.key.clone()));
    }

    /// Whether `name(…) = e` among declarations defines a function.
    pub(super) fn is_statement_function(&self, name: &NameKey, is_contained: bool) -> bool {
        let may_be_foreign = self.has_use || is_contained;
        !self.arrays.contains(name) && (self.scalars.contains(name) || !may_be_foreign)
    }
}

/// The names of the variables that a specification declares.
pub(super) fn declared_names(spec: &Spec) -> Vec<NameKey> {
    match spec {
        Spec::Type { entities, .. } | Spec::Attribute(_, entities) => {
            let names = entities.iter().map(|entity| entity.name.key.clone());
            names.collect()
        }
        _ => Vec::new(),
    }
}

/// The name of `f(x, y)` if all arguments are names.
pub(super) fn defined_function(left: &Expr) -> Option<&NameKey> {
    let ExprKind::Apply(base, arguments) = &left.kind else {
        return None;
    };
    let are_names = arguments
        .iter()
        .all(|one| one.keyword.is_none() && one.expr().is_some_and(|x| x.as_name().is_some()));
    base.as_name().filter(|_| are_names)
}

/// `f(x) = e` as a specification.
pub(super) fn statement_function(left: Expr, value: Expr) -> Option<Spec> {
    let ExprKind::Apply(base, arguments) = left.kind else {
        return None;
    };
    let ident = |expr: &Expr| {
        Some(Ident {
            key: expr.as_name()?.clone(),
            at: expr.at,
        })
    };
    let dummies = arguments.iter().filter_map(|one| ident(one.expr()?));
    Some(Spec::StatementFunction {
        name: ident(&base)?,
        dummies: dummies.collect(),
        value,
    })
}
