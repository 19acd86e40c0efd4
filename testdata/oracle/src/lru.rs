//! A chain of LRU caches, each set a list (rules 7 to 9 of the access model).
//!
//! In a filtered chain a level that misses a line first asks the next level for that line (a read),
//! then, where a dirty line had to go, writes that one back. A write-back is a store to the level
//! below in everything but this: it is no access. It allocates there, makes dirty, and where the
//! level below does not hold the line, that level misses.

use super::lines;
use premiss_cache::CacheGeometry;
use std::collections::BTreeMap;

/// An LRU cache.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    geometry: CacheGeometry,
    /// Lines of each set with whether they are dirty, the most recent last.
    sets: BTreeMap<u64, Vec<(u64, bool)>>,
}

/// What the touch of a line did.
struct Touch {
    hit: bool,
    /// The line that had to go, with whether it was dirty.
    victim: Option<(u64, bool)>,
}

impl Cache {
    pub(super) fn new(geometry: CacheGeometry) -> Self {
        let sets = BTreeMap::new();
        Self { geometry, sets }
    }

    fn touch(&mut self, line: u64, store: bool) -> Touch {
        let set = self.sets.entry(line % self.geometry.sets).or_default();
        let found = set.iter().position(|(other, _)| *other == line);
        let was_dirty = found.is_some_and(|idx| set.remove(idx).1);
        set.push((line, was_dirty || store));
        let full = self.geometry.ways < set.len() as u64;
        Touch {
            hit: found.is_some(),
            victim: full.then(|| set.remove(0)),
        }
    }
}

/// A request to the first level of a chain. Adds to `misses` for each level how many of the requests
/// that reached it missed; one that touches two lines misses, once, where either is not there.
pub(super) fn access(
    chain: &mut [Cache],
    address: u64,
    size: u64,
    store: bool,
    misses: &mut [u64],
) {
    let Some((cache, below)) = chain.split_first_mut() else {
        return;
    };
    let Some((missed, missed_below)) = misses.split_first_mut() else {
        return;
    };
    let line_size = cache.geometry.line_size;
    let mut hit = true;
    for line in lines(address, size, line_size) {
        let touch = cache.touch(line, store);
        hit &= touch.hit;
        if !touch.hit {
            access(below, line * line_size, line_size, false, missed_below);
        }
        if let Some((victim, true)) = touch.victim {
            access(below, victim * line_size, line_size, true, missed_below);
        }
    }
    *missed += u64::from(!hit);
}
