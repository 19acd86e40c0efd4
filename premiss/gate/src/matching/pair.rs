//! Matched nests, and how they were matched.

/// Nests of a base with their counterparts in the head: one each, or several if the number of nests in a changed
/// function differs, which are compared as a whole. One side is empty if the nests are new or gone. A nest of the base
/// may be in two pairs: that of its counterpart, and that of a copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Indices of kernels of the base.
    pub base: Vec<usize>,
    /// Indices of kernels of the head.
    pub head: Vec<usize>,
    /// How the two sides were matched.
    pub match_kind: MatchKind,
}

/// How nests of a base and of a head were matched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MatchKind {
    /// They have the same shape.
    Shape,
    /// They are in functions of the same name, and changed.
    Name,
    /// One is gone, the other is new, and they look alike: it may have been renamed and changed at once.
    Likeness,
    /// Not at all: one side is empty.
    Nothing,
}

impl Pair {
    /// Whether they were matched by shape.
    #[must_use]
    pub fn same_shape(&self) -> bool {
        self.match_kind == MatchKind::Shape
    }
}
