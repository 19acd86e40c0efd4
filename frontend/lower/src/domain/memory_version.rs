//! Versions of memory: since when a piece of it holds what it holds; and clobbers, what a store of unknown
//! effect may have overwritten.

/// Since when a piece of memory holds what it holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) enum MemoryVersion {
    /// Since the function was entered.
    #[default]
    Entry,
    /// Nothing was stored since it was allocated.
    Allocated,
    /// Since a version with a number.
    At(u32),
    /// Since versions that differ from path to path, or from iteration to iteration.
    Varying,
}

impl MemoryVersion {
    pub(crate) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Varying }
    }
}

/// What memory may not hold any more after something whose stores are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clobber {
    /// Anything may have been stored.
    Everything,
    /// Pointers that the program stored itself are still there: integers alone were stored, or a
    /// function did it that is not part of the program. Such a function is taken to fill arrays, and
    /// not to put others into their place.
    Integers,
}
