//! Why a cache or a hierarchy cannot be simulated.

use crate::{CacheGeometry, Hierarchy};

/// Why a cache or a hierarchy of caches cannot be simulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CacheError {
    /// It has no sets, ways or bytes, or more than can be counted or stored.
    #[error("a cache of {sets} sets of {ways} lines of {line_size} bytes cannot be simulated", sets = .0.sets, ways = .0.ways, line_size = .0.line_size)]
    Geometry(CacheGeometry),
    /// Tree-PLRU over this number of ways, which is no power of two.
    #[error("tree-plru needs a power of two of ways, not {0}")]
    TreeWays(u64),
    /// Lines of neighbouring levels do not fit each other as the hierarchy needs.
    #[error("{}", rule_of_lines(*.0))]
    Lines(Hierarchy),
}

fn rule_of_lines(hierarchy: Hierarchy) -> &'static str {
    match hierarchy {
        Hierarchy::Exclusive => "levels of an exclusive hierarchy have lines of one size",
        _ => "lines of an inclusive level are multiples of those of the level above",
    }
}
