//! Order statistics of sizes in lines, with the largest by name.

/// The sizes of many things of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// How many things there are.
    pub count: usize,
    /// The size that half of them do not exceed.
    pub median: usize,
    /// The size that nine in ten of them do not exceed.
    pub p90: usize,
    /// The size of the largest.
    pub max: usize,
    /// All of them, the largest first.
    pub descending: Vec<(usize, String)>,
}

impl Sizes {
    /// Orders things by size, and by name where sizes are equal.
    pub(crate) fn new(mut sizes: Vec<(usize, String)>) -> Self {
        sizes.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        // The nearest rank: the smallest size that a share of all do not exceed.
        let rank = |percent: usize| {
            let n_below = (sizes.len() * percent).div_ceil(100).max(1);
            sizes.iter().rev().nth(n_below - 1).map_or(0, |it| it.0)
        };
        Self {
            count: sizes.len(),
            median: rank(50),
            p90: rank(90),
            max: rank(100),
            descending: sizes,
        }
    }
}
