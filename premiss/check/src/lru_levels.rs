//! The levels of a machine whose misses reuse distances determine.

use premiss_analyze::{CacheGeometry, CacheModel};
use premiss_machine::Machine;

/// The names and geometries of the levels with lines of `line_size` bytes whose misses follow from reuse distances if
/// they see all accesses: LRU levels that allocate on stores.
pub fn lru_levels(
    machine: &Machine,
    line_size: u64,
) -> impl Iterator<Item = (String, CacheGeometry)> {
    let fits = move |(_, model): &(&str, CacheModel)| {
        model.follows_reuse_distance() && model.geometry.line_size == line_size
    };
    let levels = machine.models().filter(fits);
    levels.map(|(name, model)| (name.to_owned(), model.geometry))
}
