//! The state of building one scope: the attributes declared so far, in any order.

use crate::names::symbols::{ArraySpec, Entity, NameScope, ProcedureId, Storage, Symbol, Variable};
use crate::names::types::FortranType;
use crate::names::{constants, types};
use crate::syntax::{CharacterLength, Expr, Ident, Intent, KindSelector, NameKey, TypeSpec};
use premiss_ast::syntax::{Name, Struct, TextRange, UnitId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names of variables and constants that are qualified by their module.
#[derive(Clone, Copy)]
pub(crate) struct QualifiedNames<'a> {
    pub(crate) module: &'a NameKey,
    pub(crate) names: &'a BTreeSet<NameKey>,
}

/// The context of a program unit: its file, its host, the modules that it may use.
pub(crate) struct EnclosingScope<'a> {
    pub(crate) unit: UnitId,
    pub(crate) text: &'a str,
    pub(crate) host: Option<Arc<NameScope>>,
    /// The scope of a used module; `None` if no file defines it.
    pub(crate) module: &'a mut dyn FnMut(&NameKey) -> Option<Arc<NameScope>>,
    /// For a module, the names that are qualified by it.
    pub(crate) qualified: Option<QualifiedNames<'a>>,
    /// The structs of the unit so far.
    pub(crate) structs: &'a mut Vec<Struct>,
    /// The procedures that the program unit contains.
    pub(crate) contained: Vec<(NameKey, ProcedureId)>,
}

/// A name without the blanks that it may have in fixed form.
pub(crate) fn without_blanks(name: &str) -> Name {
    match name.contains(char::is_whitespace) {
        true => Name::from(name.split_whitespace().collect::<String>()),
        false => Name::from(name),
    }
}

/// The attributes declared for a name, in any order.
#[derive(Default)]
pub(super) struct DeclaredAttributes {
    pub(super) kind: Option<FortranType>,
    /// Its kind, if that is not known.
    pub(super) unknown_kind: Option<Name>,
    pub(super) shape: Option<ArraySpec>,
    pub(super) at: Option<TextRange>,
    pub(super) is_allocatable: bool,
    pub(super) is_pointer: bool,
    pub(super) is_saved: bool,
    pub(super) is_external: bool,
    pub(super) is_optional: bool,
    pub(super) intent: Option<Intent>,
    pub(super) initial: Option<Arc<Expr>>,
    pub(super) has_data: bool,
}

/// A scope that is being built.
pub(super) struct ScopeBuilder<'a, 'b> {
    pub(super) enclosing: &'a mut EnclosingScope<'b>,
    pub(super) scope: NameScope,
    pub(super) attributes: BTreeMap<NameKey, DeclaredAttributes>,
    /// Names in the order of their declaration.
    pub(super) order: Vec<NameKey>,
    pub(super) saves_all: bool,
}

impl ScopeBuilder<'_, '_> {
    /// The name at a place as spelled there.
    pub(super) fn source_name(&self, at: TextRange) -> Name {
        let text = self.enclosing.text;
        let range = at.start as usize..at.end as usize;
        without_blanks(text.get(range).unwrap_or("?"))
    }

    /// The attributes of a name declared so far.
    pub(super) fn attributes(&mut self, name: &Ident) -> &mut DeclaredAttributes {
        if !self.attributes.contains_key(&name.key) {
            self.order.push(name.key.clone());
        }
        let facts = self.attributes.entry(name.key.clone()).or_default();
        facts.at.get_or_insert(name.at);
        facts
    }

    /// Binds the name at a place to an entity.
    pub(super) fn define(&mut self, key: NameKey, at: TextRange, entity: Entity) {
        let written = self.source_name(at);
        // The place of a name with blanks in it may be shorter than the name.
        let name = match written.eq_ignore_ascii_case(&key) {
            true => written,
            false => key.clone(),
        };
        let is_object = matches!(entity, Entity::Variable(_) | Entity::Constant { .. });
        let symbol = Symbol {
            name: match self.enclosing.qualified {
                Some(QualifiedNames { module, names }) if is_object && names.contains(&key) => {
                    Name::from(format!("{module}::{name}"))
                }
                _ => name,
            },
            at,
            entity,
            is_imported: false,
            is_undeclared: false,
        };
        self.scope.symbols.insert(key, symbol);
    }

    /// The variable that the attributes of a name describe.
    pub(super) fn variable(
        &mut self,
        key: &NameKey,
        facts: DeclaredAttributes,
        storage: Storage,
    ) -> Variable {
        let is_dummy = storage == Storage::Dummy;
        let shape = match facts.shape {
            // `a(:)` has assumed shape, unless it is allocatable or a pointer.
            Some(ArraySpec::Assumed(lower))
                if facts.is_allocatable || facts.is_pointer || !is_dummy =>
            {
                Some(ArraySpec::Deferred(lower.len()))
            }
            other => other,
        };
        let kind = facts.kind;
        let mut kind = kind.unwrap_or_else(|| self.scope.implicit.type_for(key));
        // The elements of an array, and the components of a type, lie as far apart as they are long.
        if let Some(name) = facts.unknown_kind
            && (shape.is_some() || storage == Storage::Member)
        {
            kind = kind.of_assumed_size();
            self.scope.assumed_kinds.insert(name);
        }
        Variable {
            kind,
            shape,
            storage,
            is_allocatable: facts.is_allocatable,
            is_pointer: facts.is_pointer,
            is_optional: facts.is_optional,
            intent: facts.intent,
            initial: facts.initial,
        }
    }

    /// The type that a type specification denotes here.
    pub(super) fn type_of(&self, spec: &TypeSpec) -> FortranType {
        match spec {
            TypeSpec::Integer(kind) => FortranType::Integer(self.kind_bytes(kind, 4, 1)),
            TypeSpec::Real(kind) => FortranType::Real(self.kind_bytes(kind, 4, 1)),
            TypeSpec::Logical(kind) => FortranType::Logical(self.kind_bytes(kind, 4, 1)),
            TypeSpec::Complex(kind) => FortranType::Complex(self.kind_bytes(kind, 4, 2)),
            TypeSpec::DoublePrecision => types::DOUBLE,
            TypeSpec::DoubleComplex => FortranType::Complex(8),
            TypeSpec::Character(length) => FortranType::Character(self.length(length.as_ref())),
            TypeSpec::Derived(key) | TypeSpec::Class(Some(key)) => {
                let id = self
                    .scope
                    .lookup(key)
                    .and_then(|symbol| match &symbol.entity {
                        Entity::DerivedType(found) => Some(found.id),
                        _ => None,
                    });
                FortranType::Derived(key.clone(), id)
            }
            TypeSpec::Class(None) | TypeSpec::Procedure => FortranType::Unknown,
        }
    }

    /// The kind of a type specification whose value is not known: a constant of a module that is not there, or one that
    /// is computed in a way that is not modelled.
    pub(super) fn unknown_kind(&self, spec: &TypeSpec) -> Option<Name> {
        match spec {
            TypeSpec::Integer(KindSelector::Expr(kind))
            | TypeSpec::Real(KindSelector::Expr(kind))
            | TypeSpec::Logical(KindSelector::Expr(kind))
            | TypeSpec::Complex(KindSelector::Expr(kind)) => {
                let name = kind.as_name().map_or("kind", |name| &**name);
                let is_unknown = constants::integer(kind, &self.scope).is_none();
                is_unknown.then(|| Name::from(name))
            }
            _ => None,
        }
    }

    /// The size in bytes that a kind selector denotes, or the default where that is not known: of each part, for a
    /// value with several parts.
    fn kind_bytes(&self, kind: &KindSelector, default: u8, parts: i64) -> u8 {
        match kind {
            KindSelector::Default => default,
            KindSelector::Bytes(bytes) => u8::try_from(bytes / parts).unwrap_or(default),
            KindSelector::Expr(expr) => {
                let value = constants::integer(expr, &self.scope);
                value
                    .and_then(|value| u8::try_from(value).ok())
                    .filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8 | 10 | 16))
                    .unwrap_or(default)
            }
        }
    }

    /// The length of a `CHARACTER`, if it is constant.
    pub(super) fn length(&self, length: Option<&CharacterLength>) -> Option<i64> {
        match length {
            None => Some(1),
            Some(CharacterLength::Expr(expr)) => constants::integer(expr, &self.scope),
            Some(CharacterLength::Assumed | CharacterLength::Deferred) => None,
        }
    }
}
