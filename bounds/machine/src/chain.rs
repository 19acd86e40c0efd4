//! The levels of a machine as chains: its caches, and its TLBs.
//!
//! A chain is what an engine simulates at once: levels of one hierarchy.

use crate::{CacheLevel, Machine, TlbLevel};
use premiss_cache::{CacheModel, Hierarchy};

/// Levels of a cache hierarchy or of a chain of TLBs, nearest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CacheChain {
    /// The models of the levels.
    pub levels: Vec<CacheModel>,
    /// How the levels are combined; a single level is independent.
    pub hierarchy: Hierarchy,
    /// Whether the levels are caches, and not TLBs.
    pub has_data: bool,
}

impl CacheChain {
    fn new(levels: Vec<CacheModel>, hierarchy: Hierarchy, has_data: bool) -> Self {
        let hierarchy = match levels.len() {
            1 => Hierarchy::Independent,
            _ => hierarchy,
        };
        Self {
            levels,
            hierarchy,
            has_data,
        }
    }

    /// Whether a level sees every access and no other level removes its lines.
    #[must_use]
    pub fn sees_all(&self, idx: usize) -> bool {
        match self.hierarchy {
            Hierarchy::Independent => true,
            Hierarchy::Filtered | Hierarchy::Exclusive => idx == 0,
            Hierarchy::Inclusive => false,
        }
    }

    /// Whether some level has lines of `line_size` bytes.
    #[must_use]
    pub fn has_lines(&self, line_size: u64) -> bool {
        let mut levels = self.levels.iter();
        levels.any(|level| level.geometry.line_size == line_size)
    }

    /// Whether reuse distances determine the misses of level `idx`, which is that of a level of the chain.
    #[must_use]
    pub fn heeds_distance(&self, idx: usize) -> bool {
        self.sees_all(idx) && self.levels[idx].follows_reuse_distance()
    }

    /// Whether it is a filtered chain of levels of the access model: LRU, write-back, write-allocate.
    #[must_use]
    pub fn is_filtered_lru(&self) -> bool {
        self.hierarchy == Hierarchy::Filtered
            && self.levels.iter().all(CacheModel::is_lru_write_back)
    }

    /// The chain up to level `idx`, which is replaced by a fully associative level of the same size.
    ///
    /// # Panics
    ///
    /// `idx` is not that of a level.
    #[must_use]
    pub fn fully_associative_at(&self, idx: usize) -> Self {
        let mut levels = self.levels[..=idx].to_vec();
        if let Some(last) = levels.last_mut() {
            last.geometry.ways = last.geometry.ways.saturating_mul(last.geometry.sets);
            last.geometry.sets = 1;
        }
        Self {
            levels,
            ..self.clone()
        }
    }
}

/// The chain of the caches and that of the TLBs, without empty ones. `hierarchy` is that of the caches; TLBs are
/// independent where the caches are, and otherwise each sees the misses of the one before.
#[must_use]
pub fn chains(machine: &Machine, hierarchy: Hierarchy) -> Vec<CacheChain> {
    let caches: Vec<_> = machine.caches().iter().map(CacheLevel::model).collect();
    let tlbs: Vec<_> = machine.tlbs().iter().map(TlbLevel::model).collect();
    let of_tlbs = match hierarchy {
        Hierarchy::Independent => Hierarchy::Independent,
        _ => Hierarchy::Filtered,
    };
    let chains = [
        CacheChain::new(caches, hierarchy, true),
        CacheChain::new(tlbs, of_tlbs, false),
    ];
    let chains = chains.into_iter();
    chains.filter(|chain| !chain.levels.is_empty()).collect()
}

/// The distinct line and page sizes of a machine in bytes, in the order of its levels.
#[must_use]
pub fn line_sizes(machine: &Machine) -> Vec<u64> {
    let mut sizes = Vec::new();
    for (_, geometry) in machine.levels() {
        if !sizes.contains(&geometry.line_size) {
            sizes.push(geometry.line_size);
        }
    }
    sizes
}
