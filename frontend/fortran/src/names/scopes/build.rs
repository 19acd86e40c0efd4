//! From the specification part of a program unit to its scope.
//!
//! Statements are taken in order; what they declare of a name adds up until all are read, as a type may stand
//! behind a shape, and either behind COMMON. Then each declared name becomes a symbol, and each name that only
//! statements mention one of implicit type.

use super::builder::{EnclosingScope, ScopeBuilder};
use super::references::ReferencedNames;
use super::{attributes, data, define, derived_types, interfaces, use_association};
use crate::names::storage_association::lay_out;
use crate::names::symbols::Scope;
use crate::syntax::{
    Attribute, Ident, ProgramUnit, Specification, SpecificationKind as Spec, UnitKind,
};
use premiss_ast::syntax::At;
use std::collections::BTreeMap;

/// The symbols of a program unit. Blocks of COMMON and EQUIVALENCE are laid out by `commons`.
pub(crate) fn build(unit: &ProgramUnit, around: &mut EnclosingScope) -> Scope {
    let host = around.host.clone();
    let implicit = host.as_ref().map(|host| host.implicit.clone());
    let mut builder = ScopeBuilder {
        scope: Scope {
            implicit: implicit.unwrap_or_default(),
            host,
            ..Scope::default()
        },
        facts: BTreeMap::new(),
        order: Vec::new(),
        saves_all: matches!(unit.kind, UnitKind::Module),
        around,
    };
    define::contained(&mut builder, unit);
    builder.specifications(&unit.specifications);
    define::dummies(&mut builder, unit);
    let mentioned = ReferencedNames::of(unit);
    define::declared(&mut builder, unit, &mentioned);
    define::statement_functions(&mut builder, &unit.specifications);
    define::implicit_names(&mut builder, mentioned);
    lay_out(&unit.specifications, &mut builder.scope);
    builder.scope
}

impl ScopeBuilder<'_, '_> {
    pub(super) fn specifications(&mut self, list: &[Specification]) {
        for spec in list {
            self.specification(spec);
        }
    }

    fn specification(&mut self, spec: &Specification) {
        match &spec.kind {
            Spec::Implicit(rules) => attributes::implicit(self, rules),
            Spec::Use(used) => use_association::import(self, used),
            Spec::Parameter(list) => {
                for (name, value) in list {
                    let kind = self.facts.get(&name.key).and_then(|x| x.kind.clone());
                    attributes::constant(self, name, kind, value);
                }
            }
            Spec::Type {
                kind,
                attributes,
                entities,
            } => attributes::typed(self, kind, attributes, entities),
            Spec::Attribute(attribute, entities) => {
                if matches!(attribute, Attribute::Save) && entities.is_empty() {
                    self.saves_all = true;
                }
                for entity in entities {
                    attributes::shaped(self, entity);
                    attributes::apply_attribute(self, &entity.name, attribute);
                }
            }
            Spec::Common(blocks) => {
                for entity in blocks.iter().flat_map(|(_, list)| list) {
                    attributes::shaped(self, entity);
                }
            }
            Spec::Data(sets) => data::data(self, sets),
            Spec::DerivedType(found) => derived_types::derived_type(self, found),
            Spec::Interface {
                generic,
                bodies,
                procedures,
            } => interfaces::interface(self, generic.as_ref(), bodies, procedures),
            Spec::Equivalence(sets) => {
                for expr in sets.iter().flatten() {
                    if let Some(key) = expr.root() {
                        let (key, at) = (key.clone(), expr.at);
                        if self.scope.lookup(&key).is_none() {
                            let end = at.start + u32::try_from(key.len()).unwrap_or(0);
                            self.facts(&Ident {
                                key,
                                at: At { end, ..at },
                            });
                        }
                    }
                }
            }
            Spec::Namelist(groups) => {
                for (group, names) in groups {
                    // A group may be continued by another statement.
                    let before = self.scope.groups.get(group).map(|x| x.to_vec());
                    let all = before.into_iter().flatten().chain(names.iter().cloned());
                    self.scope.groups.insert(group.clone(), all.collect());
                }
            }
            Spec::StatementFunction { .. } => {}
        }
    }
}
