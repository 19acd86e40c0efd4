//! The state of a cache, in the form that suits its ways.

use crate::TraceError;
use crate::array_sets::ArraySets;
use crate::lru::{AccessOutcome, LruSets, Picture};
use crate::policy_sets::PolicySets;
use crate::run::LineNumber;
use crate::sweep::Ranges;
use crate::tag_sets::TagSets;
use premiss_cache::{AllocationPolicy, CacheGeometry, CacheModel, ReplacementPolicy, WritePolicy};

/// The lines that a cache holds, and how recently they were accessed.
#[derive(Debug)]
pub(crate) enum CacheState {
    /// Few ways and nothing to write back: short arrays of tags, side by side.
    Tags(TagSets),
    /// Few ways: short arrays.
    Few(ArraySets),
    /// Many ways: linked lists.
    Many(LruSets),
    /// Few ways, not LRU.
    Policy(PolicySets),
}

impl CacheState {
    /// An empty cache of a chain, for the accesses of `n_arrays` arrays; `None` where no state here is for such a
    /// model.
    pub(crate) fn in_chain(model: &CacheModel, n_arrays: usize) -> Option<Self> {
        if model.writing != WritePolicy::WriteBack
            || model.allocation != AllocationPolicy::WriteAllocate
        {
            return None;
        }
        let geometry = model.geometry;
        if model.replacement != ReplacementPolicy::Lru {
            return PolicySets::new(geometry, model.replacement).map(Self::Policy);
        }
        match ArraySets::new(geometry, n_arrays) {
            Some(sets) => Some(Self::Few(sets)),
            None => LruSets::new(geometry).ok().map(Self::Many),
        }
    }

    /// An empty cache that need not know what it would write back.
    pub(crate) fn alone(geometry: CacheGeometry) -> Result<Self, TraceError> {
        geometry.check()?;
        match TagSets::new(geometry) {
            Some(sets) => Ok(Self::Tags(sets)),
            None => Ok(Self::Many(LruSets::new(geometry)?)),
        }
    }

    /// Whether it can take accesses from one line to another, both included.
    pub(crate) fn admits(&self, first: LineNumber, last: LineNumber) -> bool {
        !matches!(self, Self::Tags(_)) || TagSets::has_tag(first) && TagSets::has_tag(last)
    }

    /// Makes it take accesses to all lines; `touched` is what has been accessed so far. No line may be
    /// held.
    pub(crate) fn admit_all(&mut self, touched: &Ranges) {
        *self = Self::linked(self.geometry(), &self.picture(touched));
    }

    /// A state for any lines, from its picture.
    fn linked(geometry: CacheGeometry, picture: &Picture) -> Self {
        let mut sets = LruSets::new(geometry).expect("the geometry was checked");
        sets.restore(picture);
        Self::Many(sets)
    }

    pub(crate) fn geometry(&self) -> CacheGeometry {
        match self {
            Self::Tags(sets) => sets.geometry(),
            Self::Few(sets) => sets.geometry(),
            Self::Many(sets) => sets.geometry(),
            Self::Policy(sets) => sets.geometry(),
        }
    }

    /// Whether it is LRU.
    pub(crate) fn is_lru(&self) -> bool {
        !matches!(self, Self::Policy(_))
    }

    /// The number of lines in the cache.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Tags(sets) => sets.len(),
            Self::Few(sets) => sets.len(),
            Self::Many(sets) => sets.len(),
            Self::Policy(sets) => sets.len(),
        }
    }

    /// The memory that its state takes, in bytes, where that grows.
    pub(crate) fn n_bytes(&self) -> u64 {
        match self {
            Self::Tags(_) | Self::Few(_) | Self::Policy(_) => 0,
            Self::Many(sets) => sets.n_bytes(),
        }
    }

    /// Accesses a line, on behalf of an array.
    pub(crate) fn access(&mut self, line: LineNumber, owner: u32, dirties: bool) -> AccessOutcome {
        match self {
            Self::Tags(sets) => sets.access(line),
            Self::Few(sets) => sets.access(line, owner, dirties),
            Self::Many(sets) => sets.access(line, owner, dirties),
            Self::Policy(sets) => sets.access(line, dirties),
        }
    }

    /// Accesses `count` lines, at most one of a set, that follow one another from `first` on, on
    /// behalf of one array that writes to none; no line may be held. Returns how many were not there.
    pub(crate) fn sweep(&mut self, first: LineNumber, count: u64, owner: u32) -> u64 {
        if let Self::Tags(sets) = self {
            return sets.sweep(first, count);
        }
        let lines = (0..count).map(|idx| first + idx.cast_signed());
        let missed = lines.filter(|line| !self.access(*line, owner, false).hit);
        missed.count() as u64
    }

    /// Accesses a line and holds it until it is released as often as held.
    pub(crate) fn hold(&mut self, line: LineNumber, owner: u32, dirties: bool) -> AccessOutcome {
        match self {
            Self::Tags(sets) => sets.hold(line),
            Self::Few(sets) => sets.hold(line, owner, dirties),
            Self::Many(sets) => sets.hold(line, owner, dirties),
            Self::Policy(_) => unreachable!("only hits of LRU may wait until a line is released"),
        }
    }

    /// Ends a hold: the line was last accessed now.
    pub(crate) fn release(&mut self, line: LineNumber) {
        match self {
            Self::Tags(sets) => sets.release(line),
            Self::Few(sets) => sets.release(line),
            Self::Many(sets) => sets.release(line),
            Self::Policy(_) => unreachable!("only hits of LRU may wait until a line is released"),
        }
    }

    /// The state as data; `touched` is what has been accessed so far. No line may be held.
    pub(crate) fn picture(&self, touched: &Ranges) -> Picture {
        match self {
            Self::Tags(sets) => sets.picture(touched),
            Self::Few(sets) => sets.picture(),
            Self::Many(sets) => sets.picture(),
            Self::Policy(sets) => sets.picture(touched),
        }
    }

    /// The state as words, which are the same only where it is. No line may be held.
    pub(crate) fn words(&self) -> Vec<u64> {
        match self {
            Self::Tags(sets) => sets.words(),
            Self::Few(sets) => sets.words(),
            Self::Many(sets) => sets.words(),
            Self::Policy(sets) => sets.words(),
        }
    }

    /// Replaces the state by that of a picture.
    pub(crate) fn restore(&mut self, picture: &Picture) {
        let all_have_tags = || {
            let mut lines = picture.lines.iter();
            lines.all(|resident| TagSets::has_tag(resident.line))
        };
        match self {
            Self::Tags(sets) if all_have_tags() => sets.restore(picture),
            Self::Tags(sets) => *self = Self::linked(sets.geometry(), picture),
            Self::Few(sets) => sets.restore(picture),
            Self::Many(sets) => sets.restore(picture),
            Self::Policy(sets) => sets.restore(picture),
        }
    }
}
