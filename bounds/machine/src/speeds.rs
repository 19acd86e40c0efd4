//! The keys of a machine file that say how fast it is.
//!
//! ```toml
//! [core]
//! frequency = "2.0 GHz"
//! cores = 56
//! issue = 6                  # instructions in a cycle
//! floating = 2               # vectors of sums, products or fused pairs in a cycle
//! fused = 2                  # of these, fused pairs; 0 where there is no such instruction
//! divide = 0.25              # numbers divided in a cycle, in vectors if need be; square_root likewise
//! loads = 2                  # vectors in a cycle; stores likewise
//! vector = "64 B"            # or { single = "16 B", double = "8 B" }
//! fill_buffers = 16          # lines that the first cache waits for at a time
//!
//! [[cache]]
//! latency = "5 cycles"       # or in ns
//! bandwidth = "64 B/cycle"   # to the cache above, or the core; or in GB/s
//! cores = 1                  # that share it
//!
//! [[tlb]]
//! miss = "7 cycles"          # what a miss costs
//!
//! [memory]
//! latency = "110 ns"
//! bandwidth = "307 GB/s"     # of all cores
//! core_bandwidth = "14 GB/s" # of one
//! ```

use crate::file::Figure;
use crate::{Bandwidth, Core, Delay, Frequency, MachineError, Memory, Rate, Transfer};
use serde::Deserialize;

/// The longest vector believed, in bytes.
const LONGEST_VECTOR: u64 = 1 << 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoreTable {
    frequency: String,
    cores: Option<u32>,
    issue: Option<f64>,
    floating: Option<f64>,
    fused: Option<f64>,
    divide: Option<f64>,
    square_root: Option<f64>,
    loads: Option<f64>,
    stores: Option<f64>,
    vector: Option<Vector>,
    fill_buffers: Option<u32>,
}

/// The length of a vector, if it is not the same for both precisions, of each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Vector {
    Both(Figure),
    Each { single: Figure, double: Figure },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryTable {
    latency: Option<String>,
    bandwidth: Option<String>,
    core_bandwidth: Option<String>,
}

impl CoreTable {
    pub(crate) fn core(&self) -> Result<Core, MachineError> {
        let (vector_single, vector_double) = match &self.vector {
            None => (4, 8),
            Some(Vector::Both(length)) => (vector(length)?, vector(length)?),
            Some(Vector::Each { single, double }) => (vector(single)?, vector(double)?),
        };
        let fused = match self.fused {
            Some(0.0) | None => Rate::NONE,
            Some(number) => rate("fused", Some(number))?.unwrap_or(Rate::NONE),
        };
        let floating = rate("floating", self.floating)?;
        if floating.is_some_and(|floating| floating < fused) {
            return Err(MachineError::Absurd(
                "core: fused beyond floating".to_owned(),
            ));
        }
        Ok(Core {
            frequency: Frequency::parse(&self.frequency)?,
            cores: some(self.cores, "cores")?.unwrap_or(1),
            issue: rate("issue", self.issue)?,
            floating,
            fused,
            divide: rate("divide", self.divide)?,
            square_root: rate("square_root", self.square_root)?,
            loads: rate("loads", self.loads)?,
            stores: rate("stores", self.stores)?,
            vector_single,
            vector_double,
            fill_buffers: some(self.fill_buffers, "fill_buffers")?,
        })
    }
}

impl MemoryTable {
    pub(crate) fn memory(&self) -> Result<Memory, MachineError> {
        let bandwidth = |key: &str, text: &Option<String>| {
            let text = text.as_deref();
            text.map(|text| Bandwidth::parse(&format!("memory: {key}"), text))
                .transpose()
        };
        let latency = self.latency.as_deref();
        Ok(Memory {
            latency: latency
                .map(|text| Delay::parse("memory: latency", text))
                .transpose()?,
            bandwidth: bandwidth("bandwidth", &self.bandwidth)?,
            core_bandwidth: bandwidth("core_bandwidth", &self.core_bandwidth)?,
        })
    }
}

/// How fast a cache is.
pub(crate) fn transfer(
    name: &str,
    [latency, bandwidth]: [Option<&str>; 2],
    cores: Option<u32>,
) -> Result<Transfer, MachineError> {
    let latency = latency.map(|text| Delay::parse(&format!("{name}: latency"), text));
    let bandwidth = bandwidth.map(|text| Bandwidth::parse(&format!("{name}: bandwidth"), text));
    Ok(Transfer {
        latency: latency.transpose()?,
        bandwidth: bandwidth.transpose()?,
        cores: some(cores, &format!("{name}: cores"))?,
    })
}

/// Checks that a number is not zero.
fn some(number: Option<u32>, what: &str) -> Result<Option<u32>, MachineError> {
    match number {
        Some(0) => Err(MachineError::Absurd(what.to_owned())),
        number => Ok(number),
    }
}

fn rate(key: &str, number: Option<f64>) -> Result<Option<Rate>, MachineError> {
    let what = format!("core: {key}");
    let of_one = |number: f64| {
        let absurd = |_| MachineError::Absurd(what.clone());
        Rate::parse(&what, &number.to_string()).map_err(absurd)
    };
    number.map(of_one).transpose()
}

fn vector(length: &Figure) -> Result<u64, MachineError> {
    match length.bytes()? {
        bytes if (1..=LONGEST_VECTOR).contains(&bytes) => Ok(bytes),
        _ => Err(MachineError::Absurd("core: vector".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bandwidth, Delay, Frequency, Machine, Rate};

    const FILE: &str = "name = 'm'\n\
        [core]\nfrequency = '2.5 GHz'\ncores = 8\nissue = 6\nfloating = 2\nfused = 2\n\
        divide = 0.25\nvector = { single = 16, double = '8 B' }\nfill_buffers = 10\n\
        [memory]\nlatency = '90 ns'\nbandwidth = '100 GB/s'\n\
        [[cache]]\nname = 'L1'\nsize = 4096\nways = 4\nline = 64\nlatency = '4 cycles'\n\
        bandwidth = '32 B/cycle'\ncores = 1\n\
        [[tlb]]\nname = 't'\nentries = 8\nways = 2\npage = '4K'\nmiss = '30 cycles'\n";

    #[test]
    fn speeds_are_read() {
        let machine = Machine::from_toml(FILE).unwrap();
        let core = machine.core().unwrap();
        assert_eq!(core.frequency, Frequency(2_500_000_000));
        assert_eq!(core.divide, Some(Rate(250)));
        assert_eq!((core.lanes(4), core.lanes(8), core.lanes(16)), (4, 1, 1));
        assert_eq!((core.cores, core.fill_buffers), (8, Some(10)));
        assert_eq!(core.loads, None);
        let transfer = machine.caches()[0].transfer();
        assert_eq!(transfer.latency, Some(Delay::Cycles(4000)));
        assert_eq!(transfer.bandwidth, Some(Bandwidth::PerCycle(32_000)));
        assert_eq!(machine.tlbs()[0].miss_cost(), Some(Delay::Cycles(30_000)));
        let memory = machine.memory();
        assert_eq!(memory.latency, Some(Delay::Picoseconds(90_000)));
        assert_eq!(memory.core_bandwidth, None);
    }

    #[test]
    fn speeds_leave_the_fingerprint_alone() {
        let (_, levels) = FILE.split_once("[[cache]]").unwrap();
        let levels = levels
            .replace(
                "latency = '4 cycles'\nbandwidth = '32 B/cycle'\ncores = 1\n",
                "",
            )
            .replace("miss = '30 cycles'\n", "");
        let plain = Machine::from_toml(&format!("name = 'm'\n[[cache]]{levels}")).unwrap();
        assert_eq!(plain.id(), Machine::from_toml(FILE).unwrap().id());
        assert!(plain.core().is_none());
    }

    #[test]
    fn zero_and_absurd_figures_are_refused_by_name() {
        for (from, to, what) in [
            ("issue = 6", "issue = 0", "issue"),
            ("issue = 6", "issue = -1", "issue"),
            ("issue = 6", "issue = nan", "issue"),
            ("divide = 0.25", "divide = 1e30", "divide"),
            ("floating = 2", "floating = 1", "fused beyond floating"),
            ("cores = 8", "cores = 0", "cores"),
            ("fill_buffers = 10", "fill_buffers = 0", "fill_buffers"),
            ("single = 16", "single = 0", "vector"),
            ("'8 B'", "'9T'", "vector"),
            ("'2.5 GHz'", "'0 GHz'", "frequency"),
            ("'2.5 GHz'", "'fast'", "fast"),
            ("'90 ns'", "'0 ns'", "memory: latency"),
            ("'100 GB/s'", "'0 GB/s'", "memory: bandwidth"),
            ("'4 cycles'", "'0 cycles'", "L1: latency"),
            ("'32 B/cycle'", "'32 B'", "32 B"),
            ("'30 cycles'", "'0 cycles'", "t: miss"),
        ] {
            let text = FILE.replace(from, to);
            let message = Machine::from_toml(&text).unwrap_err().to_string();
            assert!(message.contains(what), "{to}: {message}");
        }
    }

    #[test]
    fn cycles_need_a_clock() {
        let (head, tail) = FILE.split_once("[core]").unwrap();
        let (_, tail) = tail.split_once("[memory]").unwrap();
        let message = |text: &str| Machine::from_toml(text).unwrap_err().to_string();
        let text = format!("{head}[memory]{tail}");
        assert!(message(&text).contains("L1"), "{}", message(&text));
        let text = text
            .replace("4 cycles", "4 ns")
            .replace("32 B/cycle", "3 GB/s");
        assert!(message(&text).contains('t'));
        assert!(Machine::from_toml(&text.replace("30 cycles", "3 ns")).is_ok());
    }
}
