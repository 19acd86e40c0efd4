//! How fast a machine is: its core, the way to each cache, and memory.
//!
//! None of this affects misses, and none of it has to be known: a figure that is missing stays out of every bound, and
//! estimates name what they lack.

use crate::{Bandwidth, Delay, Frequency, Rate};

/// The rates and sizes of a core. A rate that is `None` is not known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Core {
    /// The clock that it sustains.
    pub frequency: Frequency,
    /// How many such cores there are.
    pub cores: u32,
    /// Instructions begun in a cycle.
    pub issue: Option<Rate>,
    /// Additions, multiplications and fused pairs of real numbers begun in a cycle, together; each a
    /// whole vector.
    pub floating: Option<Rate>,
    /// How many of these can be fused pairs; [`Rate::NONE`] where a machine has no such instruction.
    pub fused: Rate,
    /// Divisions begun in a cycle, each of one number in double precision: a vector counts its numbers.
    pub divide: Option<Rate>,
    /// Square roots, likewise.
    pub square_root: Option<Rate>,
    /// Loads begun in a cycle, each of a whole vector.
    pub loads: Option<Rate>,
    /// Stores, likewise.
    pub stores: Option<Rate>,
    /// Bytes of a vector of numbers in single precision.
    pub vector_single: u64,
    /// Bytes of a vector of numbers in double precision.
    pub vector_double: u64,
    /// Lines that the first cache can be waiting for at a time.
    pub fill_buffers: Option<u32>,
}

/// The way from a cache to the core, or to the cache above.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Transfer {
    /// The time from a request that hits to the data.
    pub latency: Option<Delay>,
    /// The bandwidth that one core gets from it; of the first cache, what the core's loads and stores get together.
    pub bandwidth: Option<Bandwidth>,
    /// How many cores share it.
    pub cores: Option<u32>,
}

/// Main memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Memory {
    /// The time from a request to the data, with nothing else under way.
    pub latency: Option<Delay>,
    /// The bandwidth that all cores get together.
    pub bandwidth: Option<Bandwidth>,
    /// The greatest bandwidth that one core gets.
    pub core_bandwidth: Option<Bandwidth>,
}

impl Core {
    /// How many numbers of `bytes` bytes one vector instruction works on, at least 1.
    #[must_use]
    pub fn lanes(&self, bytes: u64) -> u64 {
        let vector = match bytes {
            0..=4 => self.vector_single,
            _ => self.vector_double,
        };
        (vector / bytes.max(1)).max(1)
    }
}
