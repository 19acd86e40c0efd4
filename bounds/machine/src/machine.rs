//! A machine: its levels, its name, and a fingerprint of both.

use crate::level::checked_name;
use crate::{CacheLevel, MachineError, TlbLevel, Ways};
use premiss_trace::CacheGeometry;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most levels that a machine can have.
pub(crate) const MAX_LEVELS: usize = 32;

/// The caches and TLBs that one core sees, nearest first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Machine {
    name: String,
    title: String,
    caches: Vec<CacheLevel>,
    tlbs: Vec<TlbLevel>,
}

impl Machine {
    /// A machine of these levels, each chain nearest first. The title says in words which it is.
    ///
    /// # Errors
    ///
    /// No level or too many, two of one name, a bad name.
    pub fn new(
        name: &str,
        title: &str,
        caches: Vec<CacheLevel>,
        tlbs: Vec<TlbLevel>,
    ) -> Result<Self, MachineError> {
        let machine = Self {
            name: checked_name(name)?,
            title: title.to_owned(),
            caches,
            tlbs,
        };
        let n_levels = machine.caches.len() + machine.tlbs.len();
        if !(1..=MAX_LEVELS).contains(&n_levels) {
            return Err(MachineError::Levels(n_levels));
        }
        let mut names = BTreeSet::new();
        for (name, _) in machine.levels() {
            if !names.insert(name) {
                return Err(MachineError::Duplicate(name.to_owned()));
            }
        }
        Ok(machine)
    }

    /// Its name, such as `spr`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in words; may be empty.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its caches, nearest first.
    #[must_use]
    pub fn caches(&self) -> &[CacheLevel] {
        &self.caches
    }

    /// Its TLBs, nearest first.
    #[must_use]
    pub fn tlbs(&self) -> &[TlbLevel] {
        &self.tlbs
    }

    /// All levels by name: the caches, then the TLBs.
    pub fn levels(&self) -> impl Iterator<Item = (&str, CacheGeometry)> {
        let caches = self.caches.iter().map(|x| (x.name(), x.geometry()));
        let tlbs = self.tlbs.iter().map(|x| (x.name(), x.geometry()));
        caches.chain(tlbs)
    }

    /// A fingerprint of the levels (64-bit FNV-1a of [`Machine::canonical`]), the same on every
    /// computer and in every version: the title and the layout of the file have no part in it.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.canonical()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
    }

    /// Name and short fingerprint, such as `spr@4f1c`.
    #[must_use]
    pub fn id(&self) -> String {
        let hash = self.hash();
        let folded = (hash ^ (hash >> 16) ^ (hash >> 32) ^ (hash >> 48)) & 0xffff;
        format!("{}@{folded:04x}", self.name)
    }

    /// The levels, one a line, as options would give them.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        let ways = |ways| match ways {
            Ways::Number(ways) => format!("{ways}"),
            Ways::Full => "full".to_owned(),
        };
        for cache in &self.caches {
            let (name, size, line) = (cache.name(), cache.size(), cache.line_size());
            let ways = ways(cache.ways());
            let _ = writeln!(text, "cache {name}={size},{ways},{line}");
        }
        for tlb in &self.tlbs {
            let (name, entries, page) = (tlb.name(), tlb.entries(), tlb.page_size());
            let ways = ways(tlb.ways());
            let _ = writeln!(text, "tlb {name}={entries},{ways},{page}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(texts: &[&str]) -> Vec<CacheLevel> {
        let parse = |text: &&str| CacheLevel::parse(text).unwrap();
        texts.iter().map(parse).collect()
    }

    #[test]
    fn names_are_unique_and_levels_there() {
        let same = Machine::new("m", "", levels(&["L1=4K,1,64", "L1=8K,1,64"]), Vec::new());
        assert_eq!(same, Err(MachineError::Duplicate("L1".to_owned())));
        let none = Machine::new("m", "", Vec::new(), Vec::new());
        assert_eq!(none, Err(MachineError::Levels(0)));
        let many: Vec<_> = (0..99).map(|i| format!("L{i}=4K,1,64")).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        assert!(Machine::new("m", "", levels(&many), Vec::new()).is_err());
    }

    #[test]
    fn the_fingerprint_is_of_the_levels_alone() {
        let machine = |title, text| Machine::new("m", title, levels(&[text]), Vec::new()).unwrap();
        let hash = |title, text| machine(title, text).hash();
        assert_eq!(hash("a", "L1=4K,1,64"), hash("b", "L1=4096,1,64"));
        assert_ne!(hash("a", "L1=4K,1,64"), hash("a", "L1=4K,2,64"));
        assert_eq!(
            machine("", "L1=4K,1,64").canonical(),
            "cache L1=4096,1,64\n"
        );
    }
}
