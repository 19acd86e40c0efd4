//! About how long accesses take: Byna, Sun, Gropp and Thakur (2004), equation (4.1), with the overlap
//! that (4.2) calls α written out.
//!
//! ```text
//! cost = accesses · t_1 + Σ_k misses_k · p_k + TLB misses · p_TLB − overlap
//! ```
//!
//! `t_1` is the latency of the first cache, and `p_k` how much longer the level below takes: with 5, 14
//! and 70 cycles for L1, L2 and L3, a miss in L1 costs 14, one in L2 another 56. (The paper counts hits
//! instead of accesses, and its penalties as a whole: the same sum.) The translation of an address that
//! hits in the TLB is part of the latency of the first cache.
//!
//! Three things overlap: accesses that hit follow one another as fast as they begin; lines that follow
//! one another at a small stride come ahead of their use, as fast as the level below gives them; other
//! misses wait side by side, as many as there are fill buffers.

use crate::compute::wide;
use premiss_machine::{Core, Delay, Machine};
use std::fmt;

/// The accesses of a part of a program and their misses; exact or estimated numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Events {
    /// The number of accesses.
    pub accesses: f64,
    /// Misses in each cache, nearest first.
    pub caches: Vec<LevelEvents>,
    /// Misses in each TLB, nearest first.
    pub tlbs: Vec<f64>,
}

/// The misses in one cache.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LevelEvents {
    /// Misses that hardware prefetchers foresee: the reference moves by a small stride.
    pub regular: f64,
    /// All other misses.
    pub irregular: f64,
}

/// The estimated time of accesses in seconds, in parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// Accesses, each with the latency of the first cache.
    pub accesses: f64,
    /// Misses in each cache.
    pub caches: Vec<f64>,
    /// Misses in all TLBs.
    pub tlbs: f64,
    /// The part of all this that overlaps with something else.
    pub overlap: f64,
}

/// Figures that an estimate needs and a machine does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing(pub Vec<String>);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the machine description lacks {}", self.0.join(", "))
    }
}

impl Cost {
    /// The estimated time of events on a machine: equation (4.1) of Byna et al. (2004).
    ///
    /// # Errors
    /// [`Missing`] where the machine has no core, no latency of a cache or of memory, or no cost of a miss in a TLB
    /// that misses.
    pub fn new(machine: &Machine, events: &Events) -> Result<Self, Missing> {
        let Some(core) = machine.core() else {
            return Err(Missing(vec!["the frequency of its core".to_owned()]));
        };
        let latencies = latencies(machine, core)?;
        let own = latencies[0];
        let mut cost = Self {
            accesses: events.accesses * own,
            caches: Vec::new(),
            tlbs: tlbs(machine, core, events)?,
            overlap: events.accesses * (own - access(core)).max(0.0),
        };
        let side_by_side = f64::from(core.fill_buffers.unwrap_or(1));
        for (idx, misses) in events.caches.iter().enumerate() {
            let above = if idx == 0 { 0.0 } else { latencies[idx] };
            let penalty = (latencies[idx + 1] - above).max(0.0);
            let line = wide(machine.caches()[idx].line_size());
            let streamed = stream(machine, idx, line, core).map_or(penalty, |x| x.min(penalty));
            cost.caches
                .push((misses.regular + misses.irregular) * penalty);
            cost.overlap += misses.regular * (penalty - streamed);
            cost.overlap += misses.irregular * (penalty - penalty / side_by_side);
        }
        Ok(cost)
    }

    /// The total in seconds, at least 0.
    #[must_use]
    pub fn total(&self) -> f64 {
        let all = self.accesses + self.caches.iter().sum::<f64>() + self.tlbs;
        (all - self.overlap).max(0.0)
    }
}

/// The latency of each cache, then of memory, in seconds.
fn latencies(machine: &Machine, core: &Core) -> Result<Vec<f64>, Missing> {
    let caches = machine.caches().iter();
    let caches = caches.map(|x| (format!("the latency of {}", x.name()), x.transfer().latency));
    let memory = ("the latency of memory".to_owned(), machine.memory().latency);
    let all: Vec<(String, Option<Delay>)> = caches.chain([memory]).collect();
    let missing = all.iter().filter(|(_, latency)| latency.is_none());
    let missing: Vec<String> = missing.map(|(name, _)| name.clone()).collect();
    match missing.is_empty() {
        false => Err(Missing(missing)),
        true => {
            let known = all.iter().filter_map(|(_, latency)| *latency);
            Ok(known.map(|x| x.seconds(core.frequency)).collect())
        }
    }
}

fn tlbs(machine: &Machine, core: &Core, events: &Events) -> Result<f64, Missing> {
    let mut seconds = 0.0;
    let mut missing = Vec::new();
    for (tlb, misses) in machine.tlbs().iter().zip(&events.tlbs) {
        match tlb.miss_cost() {
            Some(cost) => seconds += misses * cost.seconds(core.frequency),
            None if *misses == 0.0 => {}
            None => missing.push(format!("what a miss in {} costs", tlb.name())),
        }
    }
    match missing.is_empty() {
        true => Ok(seconds),
        false => Err(Missing(missing)),
    }
}

/// Seconds from the beginning of one access that hits to that of the next: one access in each cycle, unless the core
/// has a rate.
fn access(core: &Core) -> f64 {
    let rate = core.loads.map_or(1.0, premiss_machine::Rate::per_cycle);
    1.0 / rate / core.frequency.hertz()
}

/// Seconds in which the level below a cache gives a line.
fn stream(machine: &Machine, cache: usize, line: f64, core: &Core) -> Option<f64> {
    let lower = machine.caches().get(cache + 1);
    let memory = machine.memory();
    let way = match lower {
        Some(lower) => lower.transfer().bandwidth,
        None => memory.core_bandwidth.or(memory.bandwidth),
    };
    way.map(|way| line / way.bytes_per_second(core.frequency))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(from: &str, to: &str) -> Machine {
        let text = "name = 'm'\n[core]\nfrequency = '1 GHz'\nloads = 2\nfill_buffers = 10\n\
            [memory]\nlatency = '100 ns'\ncore_bandwidth = '8 GB/s'\n\
            [[cache]]\nname = 'L1'\nsize = 4096\nways = 4\nline = 64\nlatency = '4 cycles'\n\
            [[cache]]\nname = 'L2'\nsize = 8192\nways = 4\nline = 64\nlatency = '14 cycles'\n\
            bandwidth = '32 B/cycle'\n\
            [[tlb]]\nname = 'T'\nentries = 8\nways = 4\npage = 4096\nmiss = '20 cycles'\n";
        assert!(text.contains(from));
        Machine::from_toml(&text.replace(from, to)).unwrap()
    }

    fn events() -> Events {
        let level = |regular, irregular| LevelEvents { regular, irregular };
        Events {
            accesses: 1000.0,
            caches: vec![level(100.0, 50.0), level(10.0, 20.0)],
            tlbs: vec![5.0],
        }
    }

    /// In nanoseconds, which are cycles here.
    fn close(seconds: f64, expected: f64) {
        assert!((seconds * 1e9 - expected).abs() < 1e-6, "{seconds}");
    }

    #[test]
    fn the_sum_is_worked_by_hand() {
        let cost = Cost::new(&machine("", ""), &events()).unwrap();
        close(cost.accesses, 4000.0);
        // 150 * 14; 30 * (100 - 14).
        close(cost.caches[0], 2100.0);
        close(cost.caches[1], 2580.0);
        close(cost.tlbs, 100.0);
        // Accesses 1000 * (4 - 1/2); L2 gives a line in 2, memory in 8:
        // 100 * (14 - 2), 50 * 14 * 9/10, 10 * (86 - 8), 20 * 86 * 9/10.
        close(cost.overlap, 3500.0 + 1200.0 + 630.0 + 780.0 + 1548.0);
        close(cost.total(), 4000.0 + 2100.0 + 2580.0 + 100.0 - 7658.0);
    }

    #[test]
    fn nothing_overlaps_where_the_machine_tells_nothing_of_it() {
        let plain = machine("fill_buffers = 10\n", "");
        let cost = Cost::new(&plain, &events()).unwrap();
        close(cost.overlap, 3500.0 + 1200.0 + 780.0);
    }

    #[test]
    fn figures_that_are_missing_are_named() {
        let missing = |from, to| {
            Cost::new(&machine(from, to), &events())
                .unwrap_err()
                .to_string()
        };
        assert!(missing("latency = '14 cycles'\n", "").contains("latency of L2"));
        assert!(missing("latency = '100 ns'\n", "").contains("latency of memory"));
        assert!(missing("miss = '20 cycles'\n", "").contains("miss in T"));
        let bare = Machine::from_toml(
            "name = 'm'\n[[cache]]\nname = 'L1'\nsize = 4096\nways = 4\nline = 64\n",
        );
        let missing = Cost::new(&bare.unwrap(), &events()).unwrap_err();
        assert!(missing.to_string().contains("core"));
    }
}
