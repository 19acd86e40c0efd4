//! The syntax tree of programs: statements and expressions over typed objects, with pointers, structs and calls.
//!
//! It is C's abstract syntax, and the target of the other front ends: a Fortran array is a pointer with its bounds, a
//! Rust slice is a pointer with its length.

mod declarations;
mod expressions;
mod height;
mod statements;
mod types;

pub use declarations::{
    Declaration, Function, Initializer, Item, Lifetime, Linkage, Object, Part, Unit,
};
pub use expressions::{Binary, Designator, Expression, ExpressionKind, Real, Unary};
pub use statements::{For, ProgramEnd, Statement, StatementKind};
pub use types::{
    Alignment, Attributes, Enumeration, Field, Packing, Parameter, Signature, Struct, StructId,
    TypeName,
};

use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An identifier as written; clones share its text.
pub type Name = Arc<str>;

/// Identifies a translation unit: a file with all that it includes. The number is its index in the list of units that
/// are linked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct UnitId(pub u32);

/// A range of bytes in the preprocessed text of a unit.
///
/// Its hash depends on the unit alone, so that the hash of a syntax tree does not change when text moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TextRange {
    /// The unit.
    pub unit: UnitId,
    /// The first byte.
    pub start: u32,
    /// The end, exclusive.
    pub end: u32,
}

impl Hash for TextRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.unit.hash(state);
    }
}

impl TextRange {
    /// The empty range at the start of a unit, for syntax without a place in its text.
    pub fn start_of(unit: UnitId) -> Self {
        Self {
            unit,
            start: 0,
            end: 0,
        }
    }

    /// Whether this range contains all of `other`; false if that is in another unit.
    pub fn covers(self, other: Self) -> bool {
        self.unit == other.unit && self.start <= other.start && other.end <= self.end
    }

    /// The range from the start of this one to the end of `end`.
    pub fn to(self, end: Self) -> Self {
        Self {
            unit: self.unit,
            start: self.start,
            end: end.end.max(self.start),
        }
    }
}

/// A name at file scope, with the unit whose declarations determine its meaning.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GlobalName {
    /// The unit.
    pub unit: UnitId,
    /// The name in that unit.
    pub name: Name,
}

/// How a language writes a part of an object; used to name sizes that are loaded from memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Notation {
    /// `a[2].n`, `p->n`, `*p`.
    #[default]
    C,
    /// `a(3)%n`, `p%n`, `p`; indices count from 1.
    Fortran,
    /// `a[2].n`, `p.n`, `*p`.
    Rust,
}

impl Notation {
    /// The subscript of the element at an index counted from 0: `[2]` or `(3)`.
    #[must_use]
    pub fn element(self, idx: i64) -> String {
        match self {
            Self::C | Self::Rust => format!("[{idx}]"),
            Self::Fortran => format!("({})", idx.saturating_add(1)),
        }
    }

    /// The separator between a struct and its member.
    #[must_use]
    pub fn member(self) -> &'static str {
        match self {
            Self::C | Self::Rust => ".",
            Self::Fortran => "%",
        }
    }

    /// The separator between a pointer and a member of its target.
    #[must_use]
    pub fn pointed_member(self) -> &'static str {
        match self {
            Self::C => "->",
            Self::Rust | Self::Fortran => self.member(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{at, int, set, var};
    use std::hash::DefaultHasher;

    fn digest(of: &impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        of.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn a_tree_hashes_the_same_wherever_it_stands_in_its_unit() {
        let here = set(var("x"), int(1));
        let mut moved = here.clone();
        moved.at = at(500, 506);
        assert_eq!(digest(&here), digest(&moved));
        assert_ne!(digest(&here), digest(&set(var("x"), int(2))));
        assert_ne!(digest(&here), digest(&set(var("y"), int(1))));
        let mut elsewhere = here.clone();
        elsewhere.at.unit = UnitId(1);
        assert_ne!(digest(&here), digest(&elsewhere));
    }

    #[test]
    fn a_range_covers_what_lies_within_it_in_the_same_unit() {
        let whole = at(10, 20);
        assert!(whole.covers(whole) && whole.covers(at(10, 11)) && whole.covers(at(20, 20)));
        assert!(!whole.covers(at(9, 12)) && !whole.covers(at(12, 21)));
        let other = TextRange {
            unit: UnitId(1),
            ..whole
        };
        assert!(!whole.covers(other));
        assert_eq!(at(10, 12).to(at(15, 20)), whole);
    }

    #[test]
    fn parts_are_written_as_in_their_language() {
        let written = |x: Notation| (x.element(2), x.member(), x.pointed_member());
        assert_eq!(written(Notation::C), ("[2]".to_owned(), ".", "->"));
        assert_eq!(written(Notation::Fortran), ("(3)".to_owned(), "%", "%"));
        assert_eq!(written(Notation::Rust), ("[2]".to_owned(), ".", "."));
    }
}
