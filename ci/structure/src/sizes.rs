//! Order statistics of sizes, with the largest things by name.

/// The sizes of all things of one kind, in lines or in numbers of methods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// The number of things.
    pub count: usize,
    /// The median: the least size that half of them do not exceed.
    pub median: usize,
    /// The 90th percentile: the least size that nine in ten of them do not exceed.
    pub p90: usize,
    /// The largest size.
    pub max: usize,
    /// All sizes with names, the largest first.
    pub descending: Vec<(usize, String)>,
}

impl Sizes {
    /// Sorts things by size, and by name for equal sizes.
    pub(crate) fn new(mut sizes: Vec<(usize, String)>) -> Self {
        sizes.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        // The nearest rank: the least size that this share of things does not exceed.
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
