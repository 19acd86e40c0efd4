//! What callers ask of a procedure.

use super::types::Type;
use super::{Entity, Scope, Shape, Variable};
use crate::syntax::{Intent, Key, ProgramUnit, UnitKind};
use premiss_imperative::syntax::Name;
use serde::{Deserialize, Serialize};

/// How a procedure is called, by its own text.
#[derive(Debug, Hash, Serialize, Deserialize)]
pub(crate) struct Face {
    pub(crate) key: Key,
    /// Its name as written; empty for a main program that has none.
    pub(crate) spelled: Name,
    pub(crate) kind: UnitKind,
    /// `None` where a `*` stands for a label.
    pub(crate) dummies: Vec<Option<Dummy>>,
    /// The type and the rank of what it yields.
    pub(crate) result: (Type, usize),
}

/// A dummy argument.
#[derive(Debug, Hash, Serialize, Deserialize)]
pub(crate) struct Dummy {
    pub(crate) key: Key,
    /// `None` for a procedure.
    pub(crate) variable: Option<Declared>,
}

/// What is declared of a variable.
#[derive(Debug, Hash, Serialize, Deserialize)]
pub(crate) struct Declared {
    pub(crate) kind: Type,
    /// `None` for a scalar.
    pub(crate) layout: Option<Layout>,
    is_pointer: bool,
    pub(crate) is_optional: bool,
    pub(crate) intent: Option<Intent>,
}

/// Where an array has its bounds, with its rank.
#[derive(Debug, Clone, Copy, Hash, Serialize, Deserialize)]
pub(crate) enum Layout {
    Explicit(usize),
    /// As the caller passes it.
    Assumed(usize),
    /// As it is allocated or pointed to.
    Deferred(usize),
}

/// How an argument is handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Passing {
    /// Nobody changes it: its value.
    Value,
    /// Where it is.
    Reference,
    /// Where its first element is.
    Array,
    /// The same, with the extents of so many dimensions.
    Shaped(usize),
    /// Where the pointer to its first element and the bounds of so many dimensions are: it may be
    /// allocated, or let point elsewhere.
    Descriptor(usize),
    /// A procedure.
    Procedure,
}

impl Face {
    /// That of a procedure in a text, whose names mean what the scope says.
    pub(super) fn of(ast: &ProgramUnit, scope: &Scope, text: &str) -> Self {
        let at = ast.name.at;
        let spelled = text.get(at.start as usize..at.end as usize).unwrap_or("");
        let dummy = |key: &Key| Dummy {
            key: key.clone(),
            variable: Declared::of_name(key, scope),
        };
        let dummies = ast.dummies.iter();
        let result = &ast.result.as_ref().unwrap_or(&ast.name).key;
        let result = match Declared::of_name(result, scope) {
            Some(declared) => {
                let rank = declared.rank();
                (declared.kind, rank)
            }
            None => (scope.implicit.of(result), 0),
        };
        Self {
            key: ast.name.key.clone(),
            spelled: Name::from(spelled),
            kind: ast.kind,
            dummies: dummies
                .map(|one| one.as_ref().map(|one| dummy(&one.key)))
                .collect(),
            result,
        }
    }

    pub(crate) fn is_function(&self) -> bool {
        self.kind == UnitKind::Function
    }

    /// The dummy argument at a position.
    pub(crate) fn dummy(&self, position: usize) -> Option<&Dummy> {
        self.dummies.get(position)?.as_ref()
    }

    /// Which dummy argument an actual one is for.
    pub(crate) fn position(&self, idx: usize, keyword: Option<&Key>) -> usize {
        let Some(keyword) = keyword else { return idx };
        let mut dummies = self.dummies.iter();
        let found = dummies.position(|dummy| dummy.as_ref().is_some_and(|x| x.key == *keyword));
        found.unwrap_or(idx)
    }
}

impl Declared {
    /// What is declared of the variable of that name.
    pub(super) fn of_name(key: &Key, scope: &Scope) -> Option<Self> {
        match &scope.lookup(key)?.entity {
            Entity::Variable(variable) => Some(Self::of(variable)),
            _ => None,
        }
    }

    fn of(variable: &Variable) -> Self {
        Self {
            kind: variable.kind.clone(),
            layout: variable.shape.as_ref().map(|shape| match shape {
                Shape::Explicit(bounds) => Layout::Explicit(bounds.len()),
                Shape::Assumed(lower) => Layout::Assumed(lower.len()),
                Shape::Deferred(rank) => Layout::Deferred(*rank),
            }),
            is_pointer: variable.is_pointer,
            is_optional: variable.is_optional,
            intent: variable.intent,
        }
    }

    pub(crate) fn rank(&self) -> usize {
        match self.layout {
            None => 0,
            Some(Layout::Explicit(rank) | Layout::Assumed(rank) | Layout::Deferred(rank)) => rank,
        }
    }
}

impl Passing {
    /// Whether it is that of an array, which procedures get behind their scalars.
    pub(crate) fn is_array(self) -> bool {
        matches!(self, Self::Array | Self::Shaped(_) | Self::Descriptor(_))
    }

    /// How an argument, or a variable of the host, is handed over, where nothing is declared of a procedure;
    /// `is_lowered` tells whether it may get other lower bounds than 1.
    pub(super) fn of(declared: Option<&Declared>, is_changed: bool, is_lowered: bool) -> Self {
        let Some(declared) = declared else {
            return Self::Procedure;
        };
        match declared.layout {
            Some(Layout::Explicit(_)) => Self::Array,
            Some(Layout::Deferred(rank)) if is_changed || is_lowered => Self::Descriptor(rank),
            Some(Layout::Deferred(rank) | Layout::Assumed(rank)) => Self::Shaped(rank),
            None if matches!(declared.kind, Type::Derived(..)) || declared.is_pointer => {
                Self::Reference
            }
            None if is_changed && declared.intent != Some(Intent::In) => Self::Reference,
            None => Self::Value,
        }
    }
}
