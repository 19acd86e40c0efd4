//! Options of lowering: lines, sizes, and the layout of arrays.

use premiss_tree::{ArrayId, ParameterId, SecondaryMap};
use std::collections::BTreeMap;

/// The line size, the sizes and the layout of arrays for which a tree is lowered.
#[derive(Clone, Debug)]
pub struct ScopOptions {
    /// Bytes in a line, 1 to 65,536.
    pub line_size: u64,
    /// Where the arrays start.
    pub layout: ArrayLayout,
    /// What is known of each size. Sizes that have a value in the tree, which takes precedence, or that it does not use
    /// may be left out.
    pub sizes: BTreeMap<ParameterId, Size>,
}

/// Where arrays start in memory. Only the place within a line matters.
#[derive(Clone, Debug)]
pub enum ArrayLayout {
    /// Every array starts at a multiple of the line, and no two share one.
    Aligned,
    /// The address of each array's first byte.
    Bases(SecondaryMap<ArrayId, u64>),
}

/// What is known of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Its value.
    Fixed(i64),
    /// It is `factor·x + residue` for some integer `x`, not negative.
    Symbolic {
        /// At least 1; such as the number of elements in a line.
        factor: i64,
        /// The residue class, `0 <= residue < factor`.
        residue: i64,
    },
}
