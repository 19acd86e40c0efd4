//! Symbols: what a name of a program unit stands for, and the scopes that hold them.
//!
//! A [`NameScope`] has the names of one program unit, the names that it takes by use association among them; its
//! host has the names that it sees by host association.

use super::storage_areas::StorageArea;
use super::types::{self, FortranType};
use crate::syntax::{Expr, Ident, NameKey};
use premiss_ast::syntax::{At, Name, StructId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A procedure or main program that the files define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ProcedureId(pub(crate) usize);

/// A name with what it stands for.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    /// As written where it is declared, or another name where that one is taken.
    pub(crate) name: Name,
    pub(crate) at: At,
    pub(crate) entity: Entity,
    /// Whether it comes from a module that is used.
    pub(crate) is_imported: bool,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub(crate) enum Entity {
    Variable(Arc<Variable>),
    /// A named constant.
    Constant {
        kind: FortranType,
        value: Arc<Expr>,
        is_array: bool,
    },
    /// A procedure that the files define.
    Procedure(ProcedureId),
    /// Several procedures of one name.
    Generic(Arc<[ProcedureId]>),
    /// A procedure of another file, or none that is there, with the type that it is declared to yield.
    External(Option<FortranType>),
    /// A procedure that the caller passes.
    DummyProcedure(Option<FortranType>),
    StatementFunction(Arc<StatementFunction>),
    DerivedType(Arc<DerivedType>),
}

/// A function that is defined by one expression.
#[derive(Debug)]
pub(crate) struct StatementFunction {
    pub(crate) kind: FortranType,
    pub(crate) dummies: Vec<(Ident, FortranType)>,
    pub(crate) value: Expr,
}

/// A derived type with its components, inherited ones first.
#[derive(Debug)]
pub(crate) struct DerivedType {
    pub(crate) id: StructId,
    pub(crate) members: Vec<(NameKey, Name, Arc<Variable>)>,
    /// What its procedures are called, and what they are.
    pub(crate) bindings: Vec<(NameKey, NameKey)>,
}

/// An object that can change.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) kind: FortranType,
    pub(crate) shape: Option<ArraySpec>,
    pub(crate) storage: Storage,
    pub(crate) is_allocatable: bool,
    pub(crate) is_pointer: bool,
    pub(crate) is_optional: bool,
    /// The declared intent of a dummy argument.
    pub(crate) intent: Option<crate::syntax::Intent>,
    pub(crate) initial: Option<Arc<Expr>>,
}

/// How an array is laid out.
#[derive(Debug, Clone)]
pub(crate) enum ArraySpec {
    /// Lower bounds (1 where there is none) and upper ones; the last may be `*`.
    Explicit(Vec<(Option<Expr>, Option<Expr>)>),
    /// Of so many dimensions, with lower bounds, as the caller passes it.
    Assumed(Vec<Option<Expr>>),
    /// Of so many dimensions, allocated or pointed to.
    Deferred(usize),
}

impl ArraySpec {
    /// The number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        match self {
            Self::Explicit(bounds) => bounds.len(),
            Self::Assumed(lower) => lower.len(),
            Self::Deferred(rank) => *rank,
        }
    }
}

/// Where an object lies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Storage {
    Dummy,
    Local,
    /// It keeps its value from call to call.
    Saved,
    /// A variable of a module.
    Module,
    /// Part of an area of memory, at an offset.
    Area(Name, i64),
    Result,
    Member,
}

/// The implicit types of letters.
#[derive(Debug, Clone)]
pub(crate) struct Implicit(pub(crate) Arc<[FortranType; 26]>);

impl Implicit {
    /// The implicit type of a name, by its first letter.
    pub(crate) fn type_for(&self, key: &str) -> FortranType {
        let letter = key.bytes().next().unwrap_or(b'a').to_ascii_lowercase();
        let idx = usize::from(letter.wrapping_sub(b'a'));
        self.0.get(idx).cloned().unwrap_or(types::REAL)
    }
}

impl Default for Implicit {
    fn default() -> Self {
        let kind = |idx: usize| types::of_letter(b'a' + u8::try_from(idx).unwrap_or(0));
        Self(Arc::new(std::array::from_fn(kind)))
    }
}

/// The names of a program unit, and its host.
#[derive(Debug, Default)]
pub(crate) struct NameScope {
    pub(crate) symbols: FxHashMap<NameKey, Symbol>,
    pub(crate) implicit: Implicit,
    pub(crate) host: Option<Arc<NameScope>>,
    /// The areas of memory that variables share, by name.
    pub(crate) areas: BTreeMap<Name, Arc<StorageArea>>,
    /// The variables of `NAMELIST` groups.
    pub(crate) groups: BTreeMap<NameKey, Arc<[NameKey]>>,
}

impl NameScope {
    /// The symbol of a name, here or by host association.
    pub(crate) fn lookup(&self, key: &str) -> Option<&Symbol> {
        match self.symbols.get(key) {
            Some(symbol) => Some(symbol),
            None => self.host.as_ref()?.lookup(key),
        }
    }

    /// The symbols that are not from a module, in the order of their declarations.
    pub(crate) fn own_symbols(&self) -> Vec<(&NameKey, &Symbol)> {
        let mut symbols: Vec<(&NameKey, &Symbol)> = self.symbols.iter().collect();
        symbols.retain(|(_, symbol)| !symbol.is_imported);
        symbols.sort_by_key(|(key, symbol)| (symbol.at, *key));
        symbols
    }

    /// The variables of the `NAMELIST` group of that name.
    pub(crate) fn group(&self, key: &str) -> Option<Arc<[NameKey]>> {
        match self.groups.get(key) {
            Some(names) => Some(names.clone()),
            None => self.host.as_ref()?.group(key),
        }
    }

    /// The variable of that name.
    pub(crate) fn variable(&self, key: &str) -> Option<&Arc<Variable>> {
        match &self.lookup(key)?.entity {
            Entity::Variable(variable) => Some(variable),
            _ => None,
        }
    }
}

impl Symbol {
    /// The type of its value.
    pub(crate) fn kind(&self) -> Option<&FortranType> {
        match &self.entity {
            Entity::Variable(variable) => Some(&variable.kind),
            Entity::Constant { kind, .. } => Some(kind),
            Entity::External(kind) | Entity::DummyProcedure(kind) => kind.as_ref(),
            Entity::StatementFunction(function) => Some(&function.kind),
            Entity::Procedure(_) | Entity::Generic(_) | Entity::DerivedType(_) => None,
        }
    }
}
