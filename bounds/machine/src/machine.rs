//! A machine: its levels, its name, and a fingerprint of both.

use crate::level::checked_name;
use crate::{
    Bandwidth, CacheLevel, CachePolicy, Core, Delay, MachineError, Memory, TlbLevel, Ways,
};
use premiss_cache::{CacheGeometry, CacheModel, Hierarchy};
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
    hierarchy: Hierarchy,
    core: Option<Core>,
    memory: Memory,
}

impl Machine {
    /// A machine of these levels, each chain nearest first, with independent caches and without speeds. The title
    /// describes it in words.
    ///
    /// # Errors
    ///
    /// [`MachineError::Levels`] for no level or too many, [`MachineError::Duplicate`] for two of one name,
    /// [`MachineError::Name`] for a bad name.
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
            hierarchy: Hierarchy::Independent,
            core: None,
            memory: Memory::default(),
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

    /// The same machine with its caches in another hierarchy. TLBs are a chain of their own: in an inclusive or
    /// exclusive hierarchy, too, each sees the misses of the one before.
    ///
    /// # Errors
    ///
    /// [`MachineError::Lines`] where the lines of two caches do not fit each other as an inclusive or exclusive
    /// hierarchy needs.
    pub fn with_hierarchy(self, hierarchy: Hierarchy) -> Result<Self, MachineError> {
        self.admits(hierarchy)?;
        Ok(Self { hierarchy, ..self })
    }

    /// Checks that its caches can be such a hierarchy.
    ///
    /// # Errors
    ///
    /// As for [`Machine::with_hierarchy`].
    pub fn admits(&self, hierarchy: Hierarchy) -> Result<(), MachineError> {
        for pair in self.caches.windows(2) {
            let [above, below] = pair else { continue };
            let (size_above, size) = (above.line_size(), below.line_size());
            if !hierarchy.admits_lines(size_above, size) {
                let need = match hierarchy {
                    Hierarchy::Exclusive => "lines of one size",
                    _ => "multiples of the lines above",
                };
                return Err(MachineError::Lines {
                    hierarchy: hierarchy.name(),
                    above: above.name().to_owned(),
                    size_above,
                    below: below.name().to_owned(),
                    size,
                    need,
                });
            }
        }
        Ok(())
    }

    /// How its caches are combined; independent by default.
    #[must_use]
    pub fn hierarchy(&self) -> Hierarchy {
        self.hierarchy
    }

    /// The same machine with a core and a memory of these speeds.
    ///
    /// # Errors
    ///
    /// [`MachineError::NoClock`] where a figure is in cycles and there is no core.
    pub fn with_speeds(self, core: Option<Core>, memory: Memory) -> Result<Self, MachineError> {
        let machine = Self {
            core,
            memory,
            ..self
        };
        match machine.first_in_cycles() {
            Some(what) if machine.core.is_none() => Err(MachineError::NoClock(what)),
            _ => Ok(machine),
        }
    }

    /// The same machine without TLBs.
    ///
    /// # Errors
    ///
    /// [`MachineError::Levels`] where it has no caches.
    pub fn without_tlbs(self) -> Result<Self, MachineError> {
        match self.caches.is_empty() {
            true => Err(MachineError::Levels(0)),
            false => Ok(Self {
                tlbs: Vec::new(),
                ..self
            }),
        }
    }

    /// The first figure that is given in cycles.
    fn first_in_cycles(&self) -> Option<String> {
        let is_cycles = |delay: Option<Delay>| matches!(delay, Some(Delay::Cycles(_)));
        let per_cycle = |x: Option<Bandwidth>| matches!(x, Some(Bandwidth::PerCycle(_)));
        for cache in &self.caches {
            let transfer = cache.transfer();
            if is_cycles(transfer.latency) || per_cycle(transfer.bandwidth) {
                return Some(format!("{}: a latency or bandwidth", cache.name()));
            }
        }
        let tlb = self.tlbs.iter().find(|tlb| is_cycles(tlb.miss_cost()));
        if let Some(tlb) = tlb {
            return Some(format!("{}: what a miss costs", tlb.name()));
        }
        let memory = self.memory;
        let is_some = is_cycles(memory.latency)
            || per_cycle(memory.bandwidth)
            || per_cycle(memory.core_bandwidth);
        is_some.then(|| "memory: a latency or bandwidth".to_owned())
    }

    /// Its core, if its speed is described.
    #[must_use]
    pub fn core(&self) -> Option<&Core> {
        self.core.as_ref()
    }

    /// Its memory, as far as it is described.
    #[must_use]
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// All levels by name with their shapes and policies: the caches, then the TLBs.
    pub fn models(&self) -> impl Iterator<Item = (&str, CacheModel)> {
        let caches = self.caches.iter().map(|x| (x.name(), x.model()));
        let tlbs = self.tlbs.iter().map(|x| (x.name(), x.model()));
        caches.chain(tlbs)
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

    /// All levels by name with their shapes: the caches, then the TLBs.
    pub fn levels(&self) -> impl Iterator<Item = (&str, CacheGeometry)> {
        let caches = self.caches.iter().map(|x| (x.name(), x.geometry()));
        let tlbs = self.tlbs.iter().map(|x| (x.name(), x.geometry()));
        caches.chain(tlbs)
    }

    /// A fingerprint of the levels (64-bit FNV-1a of [`Machine::canonical`]), the same on every
    /// computer and in every version: the title, the layout of the file and speeds have no part in it, as
    /// misses do not depend on them.
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

    /// The levels, one in each line, in the form of the options; then the hierarchy, unless it is independent.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        let ways = |ways| match ways {
            Ways::Number(ways) => format!("{ways}"),
            Ways::Full => "full".to_owned(),
        };
        let words = |kind: CachePolicy| -> String {
            let words = kind.unusual_words().into_iter();
            words.map(|word| format!(",{word}")).collect()
        };
        for cache in &self.caches {
            let (name, size, line) = (cache.name(), cache.size(), cache.line_size());
            let ways = ways(cache.ways());
            let words = words(cache.kind());
            let _ = writeln!(text, "cache {name}={size},{ways},{line}{words}");
        }
        for tlb in &self.tlbs {
            let (name, entries, page) = (tlb.name(), tlb.entries(), tlb.page_size());
            let ways = ways(tlb.ways());
            let words = words(tlb.kind());
            let _ = writeln!(text, "tlb {name}={entries},{ways},{page}{words}");
        }
        if self.hierarchy != Hierarchy::Independent {
            let _ = writeln!(text, "hierarchy {}", self.hierarchy.name());
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
    fn lines_fit_the_hierarchy() {
        let machine = |texts: &[&str]| Machine::new("m", "", levels(texts), Vec::new()).unwrap();
        let nested = ["L1=4K,1,64", "L2=8K,1,128"];
        let with = |hierarchy| machine(&nested).with_hierarchy(hierarchy);
        assert!(with(Hierarchy::Filtered).is_ok() && with(Hierarchy::Inclusive).is_ok());
        let message = with(Hierarchy::Exclusive).unwrap_err().to_string();
        assert!(
            message.contains("L2 has lines of 128 B below L1"),
            "{message}"
        );
        let shrinking = machine(&["L1=4K,1,64", "L2=8K,1,32"]);
        assert!(shrinking.with_hierarchy(Hierarchy::Inclusive).is_err());
    }

    #[test]
    fn kinds_and_hierarchies_are_in_the_fingerprint() {
        let machine = |text| Machine::new("m", "", levels(&[text]), Vec::new()).unwrap();
        let fifo = machine("L1=4K,1,64,fifo");
        assert_eq!(fifo.canonical(), "cache L1=4096,1,64,fifo\n");
        let exclusive = fifo.clone().with_hierarchy(Hierarchy::Exclusive).unwrap();
        assert_eq!(
            exclusive.canonical(),
            "cache L1=4096,1,64,fifo\nhierarchy exclusive\n"
        );
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
