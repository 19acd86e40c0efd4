//! Interfaces of procedures: their dummy arguments and results, by their own text.

use super::scopes::without_blanks;
use super::symbols::{ArraySpec, Entity, NameScope, Variable};
use super::types::FortranType;
use crate::syntax::{Intent, NameKey, ProgramUnit, UnitKind};
use premiss_ast::syntax::Name;
use serde::{Deserialize, Serialize};

/// The interface of a procedure, by its own text.
#[derive(Debug, Hash, Serialize, Deserialize)]
pub(crate) struct ProcedureInterface {
    pub(crate) key: NameKey,
    /// Its name as written; empty for an unnamed main program.
    pub(crate) source_name: Name,
    pub(crate) kind: UnitKind,
    /// `None` for a `*`, an alternate return.
    pub(crate) dummies: Vec<Option<DummyArgument>>,
    /// The type and rank of its result.
    pub(crate) result: (FortranType, usize),
    pub(crate) is_elemental: bool,
}

/// A dummy argument.
#[derive(Debug, Hash, Serialize, Deserialize)]
pub(crate) struct DummyArgument {
    pub(crate) key: NameKey,
    /// `None` for a procedure.
    pub(crate) variable: Option<DeclaredVariable>,
}

/// The declaration of a variable.
#[derive(Debug, Hash, Serialize, Deserialize)]
pub(crate) struct DeclaredVariable {
    pub(crate) kind: FortranType,
    /// `None` for a scalar.
    pub(crate) layout: Option<ArrayLayout>,
    pub(super) is_pointer: bool,
    pub(crate) is_optional: bool,
    pub(crate) intent: Option<Intent>,
    /// For a variable of a host, the names in its bounds if their values decide its extents.
    pub(super) bounds: BoundsOfHost,
}

/// What the extents of an array of a host depend on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) enum BoundsOfHost {
    /// Constants alone.
    #[default]
    Constant,
    /// Variables of the host.
    Variables(Vec<NameKey>),
    /// Names that mean something else in the contained procedure, variables that others may change, or functions.
    Other,
}

/// The kind of an array's shape, with its rank.
#[derive(Debug, Clone, Copy, Hash, Serialize, Deserialize)]
pub(crate) enum ArrayLayout {
    Explicit(usize),
    /// Assumed shape.
    Assumed(usize),
    /// Deferred shape.
    Deferred(usize),
}

impl ProcedureInterface {
    /// The interface of a procedure with this scope.
    pub(super) fn from_unit(ast: &ProgramUnit, scope: &NameScope, text: &str) -> Self {
        let at = ast.name.at;
        let source_name = text.get(at.start as usize..at.end as usize).unwrap_or("");
        let dummy = |key: &NameKey| DummyArgument {
            key: key.clone(),
            variable: DeclaredVariable::lookup(key, scope),
        };
        let dummies = ast.dummies.iter();
        let result = &ast.result.as_ref().unwrap_or(&ast.name).key;
        let result = match DeclaredVariable::lookup(result, scope) {
            Some(declared) => {
                let rank = declared.rank();
                (declared.kind, rank)
            }
            None => (scope.implicit.type_for(result), 0),
        };
        Self {
            key: ast.name.key.clone(),
            source_name: without_blanks(source_name),
            kind: ast.kind,
            dummies: dummies
                .map(|one| one.as_ref().map(|one| dummy(&one.key)))
                .collect(),
            result,
            is_elemental: ast.is_elemental,
        }
    }

    /// Whether it is a function.
    pub(crate) fn is_function(&self) -> bool {
        self.kind == UnitKind::Function
    }

    /// The dummy argument at a position.
    pub(crate) fn dummy(&self, position: usize) -> Option<&DummyArgument> {
        self.dummies.get(position)?.as_ref()
    }

    /// The position of the dummy argument for an actual argument.
    pub(crate) fn position(&self, idx: usize, keyword: Option<&NameKey>) -> usize {
        let Some(keyword) = keyword else { return idx };
        let mut dummies = self.dummies.iter();
        let found = dummies.position(|dummy| dummy.as_ref().is_some_and(|x| x.key == *keyword));
        found.unwrap_or(idx)
    }
}

impl DeclaredVariable {
    /// The declaration of the variable of that name.
    pub(super) fn lookup(key: &NameKey, scope: &NameScope) -> Option<Self> {
        match &scope.lookup(key)?.entity {
            Entity::Variable(variable) => Some(Self::from_variable(variable)),
            _ => None,
        }
    }

    fn from_variable(variable: &Variable) -> Self {
        Self {
            kind: variable.kind.clone(),
            layout: variable.shape.as_ref().map(|shape| match shape {
                ArraySpec::Explicit(bounds) => ArrayLayout::Explicit(bounds.len()),
                ArraySpec::Assumed(lower) => ArrayLayout::Assumed(lower.len()),
                ArraySpec::Deferred(rank) => ArrayLayout::Deferred(*rank),
            }),
            is_pointer: variable.is_pointer,
            is_optional: variable.is_optional,
            intent: variable.intent,
            bounds: BoundsOfHost::default(),
        }
    }

    /// The number of dimensions, 0 for a scalar.
    pub(crate) fn rank(&self) -> usize {
        match self.layout {
            None => 0,
            Some(
                ArrayLayout::Explicit(rank)
                | ArrayLayout::Assumed(rank)
                | ArrayLayout::Deferred(rank),
            ) => rank,
        }
    }
}
