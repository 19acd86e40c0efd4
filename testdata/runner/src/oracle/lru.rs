//! A chain of LRU caches, each set a list (rules 7 to 9 of the access model).
//!
//! In a filtered chain a level that misses a line first asks the next level for that line (a read),
//! then, where a dirty line had to go, writes that one back. A write-back allocates below and makes
//! dirty, but is no access: a level that does not hold the line does not ask for it, and what it
//! misses is counted apart.

use super::lines;
use premiss_trace::CacheGeometry;
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

/// What an access, with all that it caused, did to one level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Missed {
    /// Whether something that the access needed was not there.
    pub(super) fetch: bool,
    /// How many write-backs did not find their line.
    pub(super) write_backs: u64,
}

/// Why lines are touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    Load,
    Store,
    WriteBack,
}

/// Touches the lines of `size` bytes in the first level of a chain, and what follows in those below.
pub(super) fn touch(
    chain: &mut [Cache],
    missed: &mut [Missed],
    address: u64,
    size: u64,
    cause: Cause,
) {
    let (Some((cache, below)), Some((missed, missed_below))) =
        (chain.split_first_mut(), missed.split_first_mut())
    else {
        return;
    };
    let line_size = cache.geometry.line_size;
    for line in lines(address, size, line_size) {
        let touched = cache.touch(line, cause != Cause::Load);
        if !touched.hit && cause == Cause::WriteBack {
            missed.write_backs += 1;
        } else if !touched.hit {
            missed.fetch = true;
            touch(
                below,
                missed_below,
                line * line_size,
                line_size,
                Cause::Load,
            );
        }
        if let Some((victim, true)) = touched.victim {
            touch(
                below,
                missed_below,
                victim * line_size,
                line_size,
                Cause::WriteBack,
            );
        }
    }
}
