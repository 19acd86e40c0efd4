//! One cache or TLB.

use crate::kind::replacement_words;
use crate::{CachePolicy, Delay, MachineError, Transfer, format_bytes};
use premiss_cache::{CacheGeometry, CacheModel};
use std::fmt;

/// The greatest size of a cache, line or page: far beyond any built.
const MAX_BYTES: u64 = 1 << 44;
/// The greatest number of entries of a TLB or ways of a set.
const MAX_ENTRIES: u64 = 1 << 34;

/// How many lines a set holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ways {
    /// This number of lines.
    Number(u64),
    /// All lines of the level: fully associative.
    Full,
}

/// A cache: set = line mod sets; LRU, write-back and write-allocate unless its [`CachePolicy`] says otherwise.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CacheLevel {
    name: String,
    size: u64,
    ways: Ways,
    line_size: u64,
    geometry: CacheGeometry,
    kind: CachePolicy,
    transfer: Transfer,
}

/// A TLB: set = page mod sets; LRU unless its [`CachePolicy`] says otherwise.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TlbLevel {
    name: String,
    entries: u64,
    ways: Ways,
    page_size: u64,
    geometry: CacheGeometry,
    kind: CachePolicy,
    miss_cost: Option<Delay>,
}

impl CacheLevel {
    /// A cache of `size` bytes in lines of `line_size` bytes.
    ///
    /// # Errors
    ///
    /// [`MachineError::Range`] for numbers that are zero or absurd, [`MachineError::Sets`] for a size that does not
    /// divide into whole sets, [`MachineError::Name`] for a bad name.
    pub fn new(name: &str, size: u64, ways: Ways, line_size: u64) -> Result<Self, MachineError> {
        let name = checked_name(name)?;
        in_range(&name, "size", size, MAX_BYTES)?;
        in_range(&name, "line", line_size, MAX_BYTES)?;
        let set = set_size(&name, ways, size, line_size)?;
        if !size.is_multiple_of(set) {
            let lines = match ways {
                Ways::Number(_) => ways.describe(),
                Ways::Full => "whole lines".to_owned(),
            };
            return Err(MachineError::Sets {
                total: format_bytes(size),
                set: format_bytes(set),
                ways: format!("{lines} × {line_size} B"),
                near: nearest(size, set, &format_bytes),
                level: name,
            });
        }
        Ok(Self {
            geometry: geometry(size / line_size, set / line_size, line_size),
            name,
            size,
            ways,
            line_size,
            kind: CachePolicy::USUAL,
            transfer: Transfer::default(),
        })
    }

    /// Its name, such as `L1`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Lines in a set, as given.
    #[must_use]
    pub fn ways(&self) -> Ways {
        self.ways
    }

    /// Bytes in a line.
    #[must_use]
    pub fn line_size(&self) -> u64 {
        self.line_size
    }

    /// Sets, ways and line.
    #[must_use]
    pub fn geometry(&self) -> CacheGeometry {
        self.geometry
    }

    /// The same cache with other policies.
    ///
    /// # Errors
    ///
    /// [`MachineError::TreeWays`] or [`MachineError::Range`] where the replacement policy does not admit its number of
    /// ways.
    pub fn of_kind(self, kind: CachePolicy) -> Result<Self, MachineError> {
        kind.check(&self.name, self.geometry.ways)?;
        Ok(Self { kind, ..self })
    }

    /// Its policies.
    #[must_use]
    pub fn kind(&self) -> CachePolicy {
        self.kind
    }

    /// Its shape and its policies.
    #[must_use]
    pub fn model(&self) -> CacheModel {
        self.kind.model(self.geometry)
    }

    /// The same cache with this latency and bandwidth.
    #[must_use]
    pub fn with_transfer(self, transfer: Transfer) -> Self {
        Self { transfer, ..self }
    }

    /// Its latency and bandwidth, as far as known.
    #[must_use]
    pub fn transfer(&self) -> Transfer {
        self.transfer
    }
}

impl TlbLevel {
    /// A TLB of `entries` entries for pages of `page_size` bytes.
    ///
    /// # Errors
    ///
    /// As for [`CacheLevel::new`].
    pub fn new(name: &str, entries: u64, ways: Ways, page_size: u64) -> Result<Self, MachineError> {
        let name = checked_name(name)?;
        in_range(&name, "entries", entries, MAX_ENTRIES)?;
        in_range(&name, "page", page_size, MAX_BYTES)?;
        let set = set_size(&name, ways, entries, 1)?;
        if !entries.is_multiple_of(set) {
            return Err(MachineError::Sets {
                total: format!("{entries} entries"),
                set: set.to_string(),
                ways: ways.describe(),
                near: nearest(entries, set, &|x| x.to_string()),
                level: name,
            });
        }
        Ok(Self {
            geometry: geometry(entries, set, page_size),
            name,
            entries,
            ways,
            page_size,
            kind: CachePolicy::USUAL,
            miss_cost: None,
        })
    }

    /// Its name, such as `dTLB`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many pages it holds.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Entries in a set, as given.
    #[must_use]
    pub fn ways(&self) -> Ways {
        self.ways
    }

    /// Bytes in a page.
    #[must_use]
    pub fn page_size(&self) -> u64 {
        self.page_size
    }

    /// Sets, ways and page.
    #[must_use]
    pub fn geometry(&self) -> CacheGeometry {
        self.geometry
    }

    /// The same TLB with another replacement policy.
    ///
    /// # Errors
    ///
    /// As for [`CacheLevel::of_kind`]; [`MachineError::Word`] for policies of stores, which a TLB does not see.
    pub fn of_kind(self, kind: CachePolicy) -> Result<Self, MachineError> {
        let of_stores = kind
            .unusual_words()
            .into_iter()
            .skip_while(|word| *word == kind.words()[0]);
        if let Some(word) = of_stores.last() {
            return Err(MachineError::Word {
                level: self.name,
                word: word.to_owned(),
                choices: format!("{}: a TLB is not stored to", replacement_words()),
            });
        }
        kind.check(&self.name, self.geometry.ways)?;
        Ok(Self { kind, ..self })
    }

    /// Its policies.
    #[must_use]
    pub fn kind(&self) -> CachePolicy {
        self.kind
    }

    /// Its shape and its policies.
    #[must_use]
    pub fn model(&self) -> CacheModel {
        self.kind.model(self.geometry)
    }

    /// The same TLB with this cost of a miss.
    #[must_use]
    pub fn with_miss_cost(self, cost: Delay) -> Self {
        Self {
            miss_cost: Some(cost),
            ..self
        }
    }

    /// How much longer an access takes that misses in it, where that is known.
    #[must_use]
    pub fn miss_cost(&self) -> Option<Delay> {
        self.miss_cost
    }
}

impl Ways {
    fn describe(self) -> String {
        match self {
            Self::Number(1) => "1 way".to_owned(),
            Self::Number(ways) => format!("{ways} ways"),
            Self::Full => "fully associative".to_owned(),
        }
    }
}

impl fmt::Display for Ways {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(ways) => write!(f, "{ways}-way"),
            Self::Full => write!(f, "fully associative"),
        }
    }
}

impl fmt::Display for CacheLevel {
    /// `L1 48 KiB 12-way, 64 B lines`, and `, fifo` where it is not as usual
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = format_bytes(self.size);
        let line = format_bytes(self.line_size);
        write!(f, "{} {size} {}, {line} lines", self.name, self.ways)?;
        let words = self.kind.unusual_words();
        words.iter().try_for_each(|word| write!(f, ", {word}"))
    }
}

impl fmt::Display for TlbLevel {
    /// `dTLB 96 entries 6-way, 4 KiB pages`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (entries, page) = (self.entries, format_bytes(self.page_size));
        write!(
            f,
            "{} {entries} entries {}, {page} pages",
            self.name, self.ways
        )?;
        let words = self.kind.unusual_words();
        words.iter().try_for_each(|word| write!(f, ", {word}"))
    }
}

fn geometry(lines: u64, ways: u64, line_size: u64) -> CacheGeometry {
    CacheGeometry {
        line_size,
        sets: lines / ways,
        ways,
    }
}

/// The contents of a set: the whole level where it is fully associative.
fn set_size(name: &str, ways: Ways, total: u64, unit: u64) -> Result<u64, MachineError> {
    match ways {
        Ways::Full if total.is_multiple_of(unit) => Ok(total),
        // No whole number of lines: the caller then reports that the total is no multiple of a line.
        Ways::Full => Ok(unit),
        Ways::Number(ways) => {
            in_range(name, "ways", ways, MAX_ENTRIES)?;
            let range = || MachineError::Range {
                what: format!("{name}: ways"),
                value: ways,
                limit: MAX_BYTES / unit,
            };
            ways.checked_mul(unit)
                .filter(|set| *set <= MAX_BYTES)
                .ok_or_else(range)
        }
    }
}

fn in_range(name: &str, what: &str, value: u64, limit: u64) -> Result<(), MachineError> {
    if (1..=limit).contains(&value) {
        return Ok(());
    }
    let what = format!("{name}: {what}");
    Err(MachineError::Range { what, value, limit })
}

pub(crate) fn checked_name(name: &str) -> Result<String, MachineError> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if (1..=24).contains(&name.len()) && name.chars().all(is_fine) {
        Ok(name.to_owned())
    } else {
        Err(MachineError::Name(name.to_owned()))
    }
}

/// The multiples of a set just below and just above, zero excluded.
fn nearest(total: u64, set: u64, show: &dyn Fn(u64) -> String) -> String {
    let below = total / set * set;
    let above = show(below + set);
    if below == 0 {
        above
    } else {
        format!("{}, {above}", show(below))
    }
}
