//! Symbols: the meanings of the names of a program unit, and the scopes that hold them.
//!
//! A [`NameScope`] has the names of one program unit, including those of used modules; its host has the names
//! accessible by host association.

use super::storage_areas::StorageArea;
use super::types::{self, FortranType};
use crate::syntax::{Expr, Ident, NameKey, PassedObject};
use premiss_ast::syntax::{Name, StructId, TextRange};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A procedure or main program defined in the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ProcedureId(pub(crate) usize);

/// A name with its meaning.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    /// The name as written in its declaration, or a different one if that is already used.
    pub(crate) name: Name,
    pub(crate) at: TextRange,
    pub(crate) entity: Entity,
    /// Whether it is imported from a used module.
    pub(crate) is_imported: bool,
    /// Whether no given text declares it and a missing module may, also as an array.
    pub(crate) is_undeclared: bool,
}

/// The meaning of a name.
#[derive(Debug, Clone)]
pub(crate) enum Entity {
    Variable(Arc<Variable>),
    /// A named constant.
    Constant {
        kind: FortranType,
        value: Arc<Expr>,
        is_array: bool,
        /// Its value, if that is an integer; names in `value` mean what they mean at its definition.
        integer: Option<i64>,
    },
    /// A procedure defined in the files.
    Procedure(ProcedureId),
    /// A generic name of several procedures.
    Generic(Arc<GenericProcedures>),
    /// A procedure of another file or without a definition, with the declared type of its result.
    External(Option<FortranType>),
    /// A dummy procedure, with the declared type of its result.
    DummyProcedure(Option<FortranType>),
    StatementFunction(Arc<StatementFunction>),
    DerivedType(Arc<DerivedType>),
}

/// The specific procedures of a generic name, operator or assignment.
#[derive(Debug, Default, Clone)]
pub(crate) struct GenericProcedures {
    pub(crate) ids: Vec<ProcedureId>,
    /// External procedures, of which interface bodies give the names.
    pub(crate) externals: Vec<NameKey>,
}

/// The key of the functions that replace the structure constructor of a type: an interface block has its name.
pub(crate) fn constructor_key(key: &str) -> NameKey {
    NameKey::from(format!("constructor({key})"))
}

impl GenericProcedures {
    /// The procedures of both.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let mut all = self.clone();
        all.ids.extend(&other.ids);
        all.externals.extend(other.externals.iter().cloned());
        all.ids.sort_unstable();
        all.ids.dedup();
        all.externals.sort_unstable();
        all.externals.dedup();
        all
    }
}

/// A statement function.
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
    /// Its type-bound procedures, inherited ones first.
    pub(crate) bindings: Vec<BoundProcedure>,
    /// Generic names and operators of the type, with the names of the bindings that they stand for.
    pub(crate) generics: Vec<(NameKey, Vec<NameKey>)>,
    /// The type that it extends.
    pub(crate) parent: Option<NameKey>,
}

/// A type-bound procedure.
#[derive(Debug, Clone)]
pub(crate) struct BoundProcedure {
    pub(crate) name: NameKey,
    /// `None` if it is deferred or not defined in the files.
    pub(crate) procedure: Option<ProcedureId>,
    /// The external procedure that it is, if it is one.
    pub(crate) target: NameKey,
    pub(crate) passed: PassedObject,
}

impl DerivedType {
    /// The type-bound procedure of that name: an overriding one is after the one that it overrides.
    pub(crate) fn binding(&self, key: &str) -> Option<&BoundProcedure> {
        self.bindings.iter().rfind(|one| *one.name == *key)
    }
}

/// A variable.
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

/// The shape of an array.
#[derive(Debug, Clone)]
pub(crate) enum ArraySpec {
    /// Explicit shape: lower bounds (1 if absent) and upper bounds; the last may be `*`.
    Explicit(Vec<(Option<Expr>, Option<Expr>)>),
    /// Assumed shape: the lower bound of each dimension.
    Assumed(Vec<Option<Expr>>),
    /// Deferred shape with this many dimensions: allocatable or a pointer.
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

/// The storage of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Storage {
    Dummy,
    Local,
    /// Saved: it keeps its value between calls.
    Saved,
    /// A variable of a module.
    Module,
    /// In a storage area, at this offset in bytes.
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

/// The names of a program unit, with its host.
#[derive(Debug, Default)]
pub(crate) struct NameScope {
    pub(crate) symbols: FxHashMap<NameKey, Symbol>,
    pub(crate) implicit: Implicit,
    pub(crate) host: Option<Arc<NameScope>>,
    /// The storage areas that variables share, by name.
    pub(crate) areas: BTreeMap<Name, Arc<StorageArea>>,
    /// The variables of `NAMELIST` groups.
    pub(crate) groups: BTreeMap<NameKey, Arc<[NameKey]>>,
    /// The modules that it uses and that no given file defines.
    pub(crate) missing: Vec<MissingModule>,
    /// The kinds that no given text defines, of which arrays and components have an assumed size, here or in a module
    /// that it uses.
    pub(crate) assumed_kinds: BTreeSet<Name>,
}

/// A module that no given file defines.
#[derive(Debug)]
pub(crate) struct MissingModule {
    /// The local names of what is used of it; `None` for everything.
    pub(crate) only: Option<Vec<NameKey>>,
}

impl NameScope {
    /// The symbol of a name, in this scope or by host association.
    pub(crate) fn lookup(&self, key: &str) -> Option<&Symbol> {
        match self.symbols.get(key) {
            Some(symbol) => Some(symbol),
            None => self.host.as_ref()?.lookup(key),
        }
    }

    /// The kinds of assumed size, in this scope and its hosts.
    pub(crate) fn all_assumed_kinds(&self) -> Vec<Name> {
        let mut all = self.assumed_kinds.clone();
        let mut host = self.host.as_ref();
        while let Some(scope) = host {
            all.extend(scope.assumed_kinds.iter().cloned());
            host = scope.host.as_ref();
        }
        all.into_iter().collect()
    }

    /// Whether a missing module may declare a name, in this scope or that of a host.
    pub(crate) fn may_be_missing(&self, key: &NameKey) -> bool {
        let may_declare = |module: &MissingModule| match &module.only {
            Some(names) => names.contains(key),
            None => true,
        };
        let host = self.host.as_ref();
        self.missing.iter().any(may_declare) || host.is_some_and(|host| host.may_be_missing(key))
    }

    /// The symbols that are not imported, in the order of their declarations.
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
