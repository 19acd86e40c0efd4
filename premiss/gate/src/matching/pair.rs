//! Nests that belong together, and how that was found.

/// Nests of a base and what became of them: one each, but several where a changed function has another
/// number of nests than before, which are compared as a whole. Nothing on one side where they are new or gone. A nest
/// of the base may be in two pairs: that of what it became, and that of its copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Places among the kernels of the base.
    pub base: Vec<usize>,
    /// Places among the kernels of the head.
    pub head: Vec<usize>,
    /// How the two were found to belong together.
    pub match_kind: MatchKind,
}

/// How nests of a base and of a head were found to belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MatchKind {
    /// They have one shape.
    Shape,
    /// They are in one function, and changed.
    Name,
    /// One is gone, the other is new, and they look alike: it may have been renamed and changed at once.
    Likeness,
    /// They do not belong together: one side is empty.
    Nothing,
}

impl Pair {
    /// Whether their shape is the same.
    #[must_use]
    pub fn same_shape(&self) -> bool {
        self.match_kind == MatchKind::Shape
    }
}
