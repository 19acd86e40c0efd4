//! Machines as TOML: `name`, `title`, `hierarchy`, then `[[cache]]` with `name`, `size`, `ways`, `line`
//! and perhaps `replacement`, `write`, `allocate`, and `[[tlb]]` with `name`, `entries`, `ways`, `page`
//! and perhaps `replacement`, nearest first. The tables with speeds are described in `speeds.rs`.

use crate::kind::parse_hierarchy;
use crate::quantity::parse_bytes;
use crate::speeds::{CoreTable, MemoryTable, transfer};
use crate::{CacheLevel, CachePolicy, Delay, Machine, MachineError, TlbLevel, Ways};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineFile {
    name: String,
    #[serde(default)]
    title: String,
    hierarchy: Option<String>,
    core: Option<CoreTable>,
    memory: Option<MemoryTable>,
    #[serde(default)]
    cache: Vec<CacheTable>,
    #[serde(default)]
    tlb: Vec<TlbTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheTable {
    name: String,
    size: Figure,
    ways: Figure,
    line: Figure,
    replacement: Option<String>,
    /// `back` or `through`.
    write: Option<String>,
    /// Whether stores allocate.
    allocate: Option<bool>,
    latency: Option<String>,
    bandwidth: Option<String>,
    /// How many cores share it.
    cores: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TlbTable {
    name: String,
    entries: u64,
    ways: Figure,
    page: Figure,
    replacement: Option<String>,
    /// What a miss costs.
    miss: Option<String>,
}

/// A number, or text with a number and a unit.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Figure {
    Number(u64),
    Text(String),
}

impl Machine {
    /// Reads a machine from TOML text.
    ///
    /// # Errors
    ///
    /// [`MachineError::Toml`] for text that is no TOML, or has missing or unknown keys; another [`MachineError`] for
    /// levels, speeds or a hierarchy that cannot be.
    pub fn from_toml(text: &str) -> Result<Self, MachineError> {
        let file: MachineFile = toml::from_str(text)
            .map_err(|error| MachineError::Toml(error.to_string().trim_end().to_owned()))?;
        let caches = file.cache.iter().map(CacheTable::level);
        let tlbs = file.tlb.iter().map(TlbTable::level);
        let machine = Self::new(
            &file.name,
            &file.title,
            caches.collect::<Result<_, _>>()?,
            tlbs.collect::<Result<_, _>>()?,
        )?;
        let core = file.core.as_ref().map(CoreTable::core).transpose()?;
        let memory = file.memory.as_ref().map(MemoryTable::memory).transpose()?;
        let machine = machine.with_speeds(core, memory.unwrap_or_default())?;
        match &file.hierarchy {
            Some(word) => machine.with_hierarchy(parse_hierarchy(word)?),
            None => Ok(machine),
        }
    }
}

impl CacheTable {
    fn level(&self) -> Result<CacheLevel, MachineError> {
        let (size, line) = (self.size.bytes()?, self.line.bytes()?);
        let level = CacheLevel::new(&self.name, size, self.ways.ways()?, line)?;
        let (replacement, write) = (self.replacement.as_deref(), self.write.as_deref());
        let kind = CachePolicy::of_keys(&self.name, replacement, write, self.allocate)?;
        let figures = [&self.latency, &self.bandwidth];
        let transfer = transfer(&self.name, figures.map(Option::as_deref), self.cores)?;
        Ok(level.of_kind(kind)?.with_transfer(transfer))
    }
}

impl TlbTable {
    fn level(&self) -> Result<TlbLevel, MachineError> {
        let page = self.page.bytes()?;
        let level = TlbLevel::new(&self.name, self.entries, self.ways.ways()?, page)?;
        let replacement = self.replacement.as_deref();
        let level = level.of_kind(CachePolicy::of_keys(&self.name, replacement, None, None)?)?;
        Ok(match &self.miss {
            Some(text) => {
                let what = format!("{}: miss", self.name);
                level.with_miss_cost(Delay::parse(&what, text)?)
            }
            None => level,
        })
    }
}

impl Figure {
    pub(crate) fn bytes(&self) -> Result<u64, MachineError> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Text(text) => parse_bytes(text),
        }
    }

    fn ways(&self) -> Result<Ways, MachineError> {
        match self {
            Self::Number(number) => Ok(Ways::Number(*number)),
            Self::Text(text) => Ways::parse(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read() {
        let text = "name = 'm'\n[[cache]]\nname = 'L1'\nsize = 4096\nways = 'full'\nline = '64B'\n\
                    [[tlb]]\nname = 't'\nentries = 8\nways = 2\npage = '4K'\n";
        let machine = Machine::from_toml(text).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=4096,full,64\ntlb t=8,2,4096\n"
        );
    }

    #[test]
    fn kinds_and_the_hierarchy_are_read() {
        let text = "name = 'm'\nhierarchy = 'inclusive'\n[[cache]]\nname = 'L1'\nsize = 4096\nways = 4\n\
                    line = 64\nreplacement = 'tree-plru'\nwrite = 'through'\nallocate = false\n\
                    [[tlb]]\nname = 't'\nentries = 8\nways = 2\npage = '4K'\nreplacement = 'nru'\n";
        let machine = Machine::from_toml(text).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=4096,4,64,tree-plru,write-through,no-allocate\ntlb t=8,2,4096,nru\n\
             hierarchy inclusive\n"
        );
        let message = |from, to| {
            let text = text.replace(from, to);
            Machine::from_toml(&text).unwrap_err().to_string()
        };
        assert!(message("'tree-plru'", "'mru'").contains("`mru`"));
        assert!(message("'through'", "'around'").contains("`around`"));
        assert!(message("'inclusive'", "'both'").contains("exclusive"));
        assert!(message("allocate = false", "allocate = 'no'").contains("boolean"));
        assert!(message("ways = 4", "ways = 'x'").contains("ways"));
        // 48 lines are one set of 48 ways.
        let odd = message("size = 4096\nways = 4", "size = 3072\nways = 48");
        assert!(odd.contains("power of two"), "{odd}");
    }

    #[test]
    fn what_is_no_machine_says_why() {
        let message = |text| Machine::from_toml(text).unwrap_err().to_string();
        assert!(message("name = 'm'\nfoo = 1").contains("foo"));
        assert!(message("[[cache]]\nname = 'L1'").contains("size"));
        assert!(message("name = 'm'").contains("levels"));
        assert!(message("\u{0}").contains("TOML"));
    }
}
