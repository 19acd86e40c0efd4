//! Versions of memory: since when a piece of memory has its contents; and clobbers: what a store with unknown effect
//! may have overwritten.

/// Since when a piece of memory has its contents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) enum MemoryVersion {
    /// Since the entry of the function.
    #[default]
    Entry,
    /// Since its allocation, without a store.
    Allocated,
    /// Since a numbered version.
    TextRange(u32),
    /// Since versions that differ between paths or iterations.
    Varying,
}

impl MemoryVersion {
    pub(crate) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Varying }
    }
}

/// What code with unknown stores may have overwritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clobber {
    /// Everything.
    Everything,
    /// Everything, by a call of a part of the program that is not followed. Pointers that it sets are assumed to lead to
    /// blocks of their own, as no text that was read tells otherwise.
    ByCall,
    /// Everything but pointers that the program itself stored: only integers were stored, or the store was made by a
    /// function outside of the program. Such a function is assumed to fill arrays, not to replace them by others.
    Integers,
}
