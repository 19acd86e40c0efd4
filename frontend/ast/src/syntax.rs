//! Programs as syntax: statements and expressions over typed objects, with pointers, structs and calls.
//!
//! It is C's abstract syntax, and what other languages are put into: a Fortran array is a pointer with its
//! bounds, a slice of Rust a pointer with its length.

mod declarations;
mod expressions;
mod height;
mod statements;
mod types;

pub use declarations::{
    Declaration, Function, Initializer, Item, Lifetime, Linkage, Object, Part, Unit,
};
pub use expressions::{Binary, Designator, Expression, ExpressionKind, Real, Unary};
pub use statements::{For, Statement, StatementKind};
pub use types::{
    Alignment, Attributes, Enumeration, Field, Packing, Parameter, Signature, Struct, StructId,
    TypeName,
};

use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A name as written.
pub type Name = Arc<str>;

/// One of the files that are read together, with all that it includes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct UnitId(pub u32);

/// The bytes of a unit's preprocessed text from `start` to `end`.
///
/// Its hash says nothing of where: that of a tree is the same however lines are shifted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct At {
    /// Which unit.
    pub unit: UnitId,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Hash for At {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.unit.hash(state);
    }
}

impl At {
    /// The start of a unit, for what stands nowhere in its text.
    pub fn start_of(unit: UnitId) -> Self {
        Self {
            unit,
            start: 0,
            end: 0,
        }
    }

    /// Whether it covers all of the other.
    pub fn covers(self, other: Self) -> bool {
        self.unit == other.unit && self.start <= other.start && other.end <= self.end
    }

    /// From the start of one to the end of the other.
    pub fn to(self, end: Self) -> Self {
        Self {
            unit: self.unit,
            start: self.start,
            end: end.end.max(self.start),
        }
    }
}

/// A name at file scope, with the unit whose text says what it means.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GlobalName {
    /// Which unit.
    pub unit: UnitId,
    /// The name in it.
    pub name: Name,
}

/// How a language writes a part of an object, for the names of sizes that are found in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Notation {
    /// `a[2].n`, `p->n`, `*p`.
    #[default]
    C,
    /// `a(3)%n`, `p%n`, `p`: counted from 1.
    Fortran,
    /// `a[2].n`, `p.n`, `*p`.
    Rust,
}

impl Notation {
    /// What follows an array for its element of a number, counted from 0.
    #[must_use]
    pub fn element(self, idx: i64) -> String {
        match self {
            Self::C | Self::Rust => format!("[{idx}]"),
            Self::Fortran => format!("({})", idx.saturating_add(1)),
        }
    }

    /// What stands between a struct and its member.
    #[must_use]
    pub fn member(self) -> &'static str {
        match self {
            Self::C | Self::Rust => ".",
            Self::Fortran => "%",
        }
    }

    /// What stands between a pointer and a member of what it points to.
    #[must_use]
    pub fn pointed_member(self) -> &'static str {
        match self {
            Self::C => "->",
            Self::Rust | Self::Fortran => self.member(),
        }
    }
}
