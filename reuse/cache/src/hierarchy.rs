//! How levels of caches form a hierarchy.

/// What the levels of a hierarchy see (rule 9 of the access model).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hierarchy {
    /// Every level sees every access.
    Independent,
    /// A level sees the misses of the one before it, and takes its write-backs. Lines come and go in
    /// each level by themselves (neither inclusive nor exclusive).
    Filtered,
    /// As filtered, and what a level holds, those below it hold too: a line that leaves a level leaves
    /// those above.
    Inclusive,
    /// A line is in one level at most: victims go to the level below, and lines that are found below
    /// move up.
    Exclusive,
}

impl Hierarchy {
    /// Its name, as options and reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Filtered => "filtered",
            Self::Inclusive => "inclusive",
            Self::Exclusive => "exclusive",
        }
    }

    /// Whether a level with lines of `above` bytes can stand directly above one with lines of `below` bytes.
    #[must_use]
    pub fn admits_lines(self, above: u64, below: u64) -> bool {
        match self {
            Self::Independent | Self::Filtered => true,
            Self::Inclusive => below.is_multiple_of(above),
            Self::Exclusive => below == above,
        }
    }
}
