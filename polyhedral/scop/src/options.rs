//! What is asked of a tree.

use premiss_tree::{ArrayId, ParameterId, SecondaryMap};
use std::collections::BTreeMap;

/// For which lines, sizes and places of arrays a tree is lowered.
#[derive(Clone, Debug)]
pub struct ScopOptions {
    /// Bytes in a line, 1 to 65,536.
    pub line_size: u64,
    /// Where the arrays lie.
    pub layout: ArrayLayout,
    /// The sizes; those that the tree knows itself need not be given.
    pub sizes: BTreeMap<ParameterId, Size>,
}

/// Where arrays lie. Only the place within a line matters.
#[derive(Clone, Debug)]
pub enum ArrayLayout {
    /// Every array starts at a multiple of the line, and no two share one.
    Aligned,
    /// Every array has an address, in bytes.
    Bases(SecondaryMap<ArrayId, u64>),
}

/// What is known of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Its value.
    Fixed(i64),
    /// It is `factor·x + residue` for some integer `x`, not negative.
    Symbolic {
        /// Such as the elements in a line, at least 1.
        factor: i64,
        /// The residue class, `0 <= residue < factor`.
        residue: i64,
    },
}
