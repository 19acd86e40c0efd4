//! The least time: how long each resource of a machine needs.
//!
//! This is the hierarchical roofline (Williams, Waterman, Patterson 2009; Ilic, Pratas, Sousa 2014) in seconds: each
//! level moves a number of bytes, and arithmetic takes a number of cycles; whatever overlaps, no run is faster than the
//! slowest of these. It holds for code that does what is written, with the operations and the misses that were counted.
//! It does not cover the way between the first cache and registers, as it is not known what a compiler keeps there.

use crate::compute::{Work, wide};
use premiss_machine::{Bandwidth, Frequency, Machine};

/// Bytes between a cache and the level below it, at least.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LevelTraffic {
    /// To the cache.
    pub bytes_in: f64,
    /// From the cache.
    pub bytes_out: f64,
}

/// A part of a machine that takes time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Resource {
    /// The units for real numbers.
    Arithmetic,
    /// The way between the cache of this index and the level below, which is memory for the last.
    Below(usize),
}

/// The time that one resource needs at least.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ceiling {
    /// The resource.
    pub resource: Resource,
    /// Seconds.
    pub seconds: f64,
}

/// The least time that a part of a program takes on one core.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bound {
    /// The ceilings of the resources whose speed the machine has, arithmetic first.
    pub ceilings: Vec<Ceiling>,
    /// Bytes that cross below each cache at least, by the index of the cache.
    pub traffic: Vec<LevelTraffic>,
    /// Operations on real numbers, at least.
    pub work: Work,
}

impl Bound {
    /// The bound of some work that moves these bytes below each cache of a machine, by the index of the cache; `None`
    /// where the machine has no core, as then nothing has a time.
    #[must_use]
    pub fn new(machine: &Machine, work: &Work, moved: Vec<LevelTraffic>) -> Option<Self> {
        let core = machine.core()?;
        let mut ceilings = Vec::new();
        if core.floating.is_some() {
            ceilings.push(Ceiling {
                resource: Resource::Arithmetic,
                seconds: work.cycles(core) / core.frequency.hertz(),
            });
        }
        for (idx, moved) in moved.iter().enumerate() {
            let seconds = below(machine, idx, *moved, core.frequency);
            ceilings.extend(seconds.map(|seconds| Ceiling {
                resource: Resource::Below(idx),
                seconds,
            }));
        }
        Some(Self {
            ceilings,
            traffic: moved,
            work: work.clone(),
        })
    }

    /// The ceiling that needs longest, the first of equal ones; `None` where no speed is known.
    #[must_use]
    pub fn binding(&self) -> Option<Ceiling> {
        let mut all = self.ceilings.iter().copied();
        let first = all.next()?;
        Some(all.fold(
            first,
            |best, x| if best.seconds < x.seconds { x } else { best },
        ))
    }

    /// Operations for each byte that crosses below a cache; `None` where no byte does.
    #[must_use]
    pub fn intensity(&self, cache: usize) -> Option<f64> {
        let moved = self.traffic.get(cache)?;
        let bytes = moved.bytes_in + moved.bytes_out;
        (0.0 < bytes).then(|| self.work.operations() / bytes)
    }
}

/// How long the way below a cache needs. Both directions of the way between caches may run at once; all
/// that passes to and from memory shares what memory gives, and what a core reads what one core gets.
fn below(machine: &Machine, idx: usize, moved: LevelTraffic, clock: Frequency) -> Option<f64> {
    let seconds = |bytes: f64, way: Bandwidth| bytes / way.bytes_per_second(clock);
    match machine.caches().get(idx + 1) {
        Some(cache) => {
            let way = cache.transfer().bandwidth?;
            Some(seconds(moved.bytes_in.max(moved.bytes_out), way))
        }
        None => {
            let memory = machine.memory();
            let alone = memory
                .core_bandwidth
                .map(|way| seconds(moved.bytes_in, way));
            let all = memory
                .bandwidth
                .map(|way| seconds(moved.bytes_in + moved.bytes_out, way));
            alone.into_iter().chain(all).reduce(f64::max)
        }
    }
}

/// The roofs of one core: for each cache the name of the level below it, and how many bytes that gives in a second,
/// where it is known. Empty where the machine has no core.
#[must_use]
pub fn roofs(machine: &Machine) -> Vec<(String, Option<f64>)> {
    let Some(core) = machine.core() else {
        return Vec::new();
    };
    let all = 0..machine.caches().len();
    let roof = |idx: usize| {
        let lower = machine.caches().get(idx + 1);
        let name = lower.map_or("memory", |cache| cache.name());
        let gigabyte = LevelTraffic {
            bytes_in: wide(1 << 30),
            bytes_out: 0.0,
        };
        let seconds = below(machine, idx, gigabyte, core.frequency);
        (
            name.to_owned(),
            seconds.map(|seconds| gigabyte.bytes_in / seconds),
        )
    };
    all.map(roof).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arithmetic;
    use std::collections::BTreeMap;

    fn machine(memory: &str) -> Machine {
        let cache = |name: &str, size: u64, keys: &str| {
            format!("[[cache]]\nname = '{name}'\nsize = {size}\nways = 4\nline = 64\n{keys}\n")
        };
        let text = format!(
            "name = 'm'\n[core]\nfrequency = '1 GHz'\nfloating = 1\n[memory]\n{memory}\n{}{}",
            cache("L1", 4096, ""),
            cache("L2", 8192, "bandwidth = '16 B/cycle'"),
        );
        Machine::from_toml(&text).unwrap()
    }

    fn work(simple: f64) -> Work {
        let row = Arithmetic {
            simple,
            ..Arithmetic::default()
        };
        Work {
            by_precision: BTreeMap::from([(8, row)]),
        }
    }

    const MOVED: [LevelTraffic; 2] = [
        LevelTraffic {
            bytes_in: 32e9,
            bytes_out: 48e9,
        },
        LevelTraffic {
            bytes_in: 16e9,
            bytes_out: 8e9,
        },
    ];

    #[test]
    fn the_slowest_resource_binds() {
        let both = machine("bandwidth = '8 GB/s'\ncore_bandwidth = '4 GB/s'");
        let bound = |simple| Bound::new(&both, &work(simple), MOVED.to_vec()).unwrap();
        // L2 to L1: 48 GB at 16 GB/s; memory: 16 GB at 4 GB/s, 24 GB at 8 GB/s.
        let seconds: Vec<f64> = bound(1e9).ceilings.iter().map(|x| x.seconds).collect();
        assert_eq!(seconds, [1.0, 3.0, 4.0]);
        let binds = |simple| bound(simple).binding().unwrap().resource;
        assert_eq!(binds(1e9), Resource::Below(1));
        assert_eq!(binds(5e9), Resource::Arithmetic);
        assert_eq!(bound(24e9).intensity(1), Some(1.0));
        let names = roofs(&both).into_iter().map(|(name, _)| name);
        assert_eq!(names.collect::<Vec<_>>(), ["L2", "memory"]);
    }

    #[test]
    fn missing_rates_bind_nothing() {
        let bare = Bound::new(&machine(""), &work(1e9), MOVED.to_vec()).unwrap();
        let resources: Vec<_> = bare.ceilings.iter().map(|x| x.resource).collect();
        assert_eq!(resources, [Resource::Arithmetic, Resource::Below(0)]);
        assert_eq!(roofs(&machine(""))[1], ("memory".to_owned(), None));
        let nothing = LevelTraffic::default();
        let still = Bound::new(&machine(""), &work(0.0), vec![nothing; 2]).unwrap();
        assert_eq!(still.intensity(0), None);
        assert_eq!(still.binding().unwrap().seconds, 0.0);
    }
}
