//! The state of a cache, in the form that suits its ways.

use crate::array_sets::ArraySets;
use crate::lru::{LruSets, Outcome, Picture};
use crate::run::Line;
use crate::{CacheGeometry, TraceError};

/// The lines that a cache holds, and how recently they were accessed.
#[derive(Debug)]
pub(crate) enum CacheState {
    /// Few ways: short arrays.
    Few(ArraySets),
    /// Many ways: linked lists.
    Many(LruSets),
}

impl CacheState {
    /// An empty cache, for the accesses of so many arrays.
    pub(crate) fn new(geometry: CacheGeometry, n_arrays: usize) -> Result<Self, TraceError> {
        geometry.check()?;
        match ArraySets::new(geometry, n_arrays) {
            Some(sets) => Ok(Self::Few(sets)),
            None => Ok(Self::Many(LruSets::new(geometry)?)),
        }
    }

    pub(crate) fn geometry(&self) -> CacheGeometry {
        match self {
            Self::Few(sets) => sets.geometry(),
            Self::Many(sets) => sets.geometry(),
        }
    }

    /// The number of lines in the cache.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Few(sets) => sets.len(),
            Self::Many(sets) => sets.len(),
        }
    }

    /// Accesses a line, on behalf of an array.
    pub(crate) fn access(&mut self, line: Line, owner: u32, dirties: bool) -> Outcome {
        match self {
            Self::Few(sets) => sets.access(line, owner, dirties),
            Self::Many(sets) => sets.access(line, owner, dirties),
        }
    }

    /// Accesses `count` lines in order, from `first` on, each `step` (1 or -1) from the one before, on
    /// behalf of one array that writes to none; no line may be held. Returns how many were not there.
    pub(crate) fn sweep(&mut self, first: Line, step: i64, count: u64, owner: u32) -> u64 {
        match self {
            Self::Few(sets) => sets.sweep(first, step, count, owner),
            Self::Many(sets) => {
                let lines = (0..count).map(|idx| first + step * idx.cast_signed());
                lines
                    .filter(|line| !sets.access(*line, owner, false).hit)
                    .count() as u64
            }
        }
    }

    /// Accesses a line and holds it until it is released as often as held.
    pub(crate) fn hold(&mut self, line: Line, owner: u32, dirties: bool) -> Outcome {
        match self {
            Self::Few(sets) => sets.hold(line, owner, dirties),
            Self::Many(sets) => sets.hold(line, owner, dirties),
        }
    }

    /// Ends a hold: the line was last accessed now.
    pub(crate) fn release(&mut self, line: Line) {
        match self {
            Self::Few(sets) => sets.release(line),
            Self::Many(sets) => sets.release(line),
        }
    }

    /// The state as data. No line may be held.
    pub(crate) fn picture(&self) -> Picture {
        match self {
            Self::Few(sets) => sets.picture(),
            Self::Many(sets) => sets.picture(),
        }
    }

    /// Replaces the state by that of a picture.
    pub(crate) fn restore(&mut self, picture: &Picture) {
        match self {
            Self::Few(sets) => sets.restore(picture),
            Self::Many(sets) => sets.restore(picture),
        }
    }
}
