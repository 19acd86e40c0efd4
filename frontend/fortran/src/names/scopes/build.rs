//! Builds the scope of a program unit from its specification part.
//!
//! Statements are processed in order and attributes accumulate until all statements are read, as the type of a name
//! may follow its shape, and either may follow COMMON. Then each declared name becomes a symbol, and each name that
//! only statements mention becomes one of implicit type.

use super::builder::{EnclosingScope, ScopeBuilder};
use super::references::ReferencedNames;
use super::{attributes, data, define, derived_types, interfaces, use_association};
use crate::names::storage_association::lay_out;
use crate::names::symbols::NameScope;
use crate::syntax::{
    Attribute, Ident, ProgramUnit, Specification, SpecificationKind as Spec, UnitKind,
};
use premiss_ast::syntax::TextRange;
use std::collections::BTreeMap;

/// Builds the symbols of a program unit. COMMON and EQUIVALENCE are laid out by `commons`.
pub(crate) fn build(unit: &ProgramUnit, enclosing: &mut EnclosingScope) -> NameScope {
    let host = enclosing.host.clone();
    let implicit = host.as_ref().map(|host| host.implicit.clone());
    let mut builder = ScopeBuilder {
        scope: NameScope {
            implicit: implicit.unwrap_or_default(),
            host,
            ..NameScope::default()
        },
        attributes: BTreeMap::new(),
        order: Vec::new(),
        saves_all: matches!(unit.kind, UnitKind::Module),
        enclosing,
    };
    define::define_contained(&mut builder, unit);
    builder.specifications(&unit.specifications);
    define::record_dummies(&mut builder, unit);
    let references = ReferencedNames::collect(unit);
    define::define_declared_names(&mut builder, unit, &references);
    define::statement_functions(&mut builder, &unit.specifications);
    define::implicit_names(&mut builder, references);
    lay_out(&unit.specifications, &mut builder.scope);
    builder.scope
}

impl ScopeBuilder<'_, '_> {
    /// Processes specification statements, in order.
    pub(super) fn specifications(&mut self, list: &[Specification]) {
        for spec in list {
            self.specification(spec);
        }
    }

    fn specification(&mut self, spec: &Specification) {
        match &spec.kind {
            Spec::Implicit(rules) => attributes::implicit(self, rules),
            Spec::Use(used) => use_association::use_module(self, used),
            Spec::Parameter(list) => {
                for (name, value) in list {
                    let kind = self.attributes.get(&name.key).and_then(|x| x.kind.clone());
                    attributes::constant(self, name, kind, value);
                }
            }
            Spec::Type {
                kind,
                attributes,
                entities,
            } => attributes::type_declaration(self, kind, attributes, entities),
            Spec::Attribute(attribute, entities) => {
                if matches!(attribute, Attribute::Save) && entities.is_empty() {
                    self.saves_all = true;
                }
                for entity in entities {
                    attributes::record_shape(self, entity);
                    attributes::apply_attribute(self, &entity.name, attribute);
                }
            }
            Spec::Common(blocks) => {
                for entity in blocks.iter().flat_map(|(_, list)| list) {
                    attributes::record_shape(self, entity);
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
                            self.attributes(&Ident {
                                key,
                                at: TextRange { end, ..at },
                            });
                        }
                    }
                }
            }
            Spec::Namelist(groups) => {
                for (group, names) in groups {
                    // A later statement may extend a group.
                    let before = self.scope.groups.get(group).map(|x| x.to_vec());
                    let all = before.into_iter().flatten().chain(names.iter().cloned());
                    self.scope.groups.insert(group.clone(), all.collect());
                }
            }
            Spec::StatementFunction { .. } => {}
        }
    }
}
