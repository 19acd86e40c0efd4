//! The amount of a quantity in nests.

use super::program::ComparedProgram;
use crate::matching::Kernel;
use premiss_analyze::{FunctionAnalysis, LevelCounts};
use premiss_histogram::Counted;
use premiss_machine::Machine;
use premiss_tree::{EntityRef, ReferenceId};

/// The names of the metrics on a machine: the misses of each level, `l1_miss` and so on, then `mem_bytes`, the bytes
/// that the last cache reads from memory.
#[must_use]
pub fn metric_names(machine: &Machine) -> Vec<String> {
    let levels = machine.models().map(|(name, _)| metric_name(name));
    levels.chain([MEMORY.to_owned()]).collect()
}

const MEMORY: &str = "mem_bytes";

fn metric_name(level: &str) -> String {
    format!("{}_miss", level.to_lowercase())
}

/// What a metric counts.
#[derive(Clone, Copy)]
pub(super) struct Quantity {
    /// Its index among the metrics.
    pub(super) index: usize,
    pub(super) level: usize,
    /// The bytes that each miss counts for; 1 where misses themselves are counted.
    pub(super) weight: u64,
}

/// The misses of every level, and the bytes that the last cache reads from memory.
pub(super) fn quantities(levels: &[LevelCounts]) -> Vec<(String, Quantity)> {
    let misses = levels.iter().enumerate().map(|(level, counts)| {
        let quantity = Quantity {
            index: level,
            level,
            weight: 1,
        };
        (metric_name(&counts.name), quantity)
    });
    let last = levels.iter().rposition(|level| level.traffic.is_some());
    let memory = last.map(|level| {
        let weight = levels[level].geometry.line_size;
        let quantity = Quantity {
            index: levels.len(),
            level,
            weight,
        };
        (MEMORY.to_owned(), quantity)
    });
    misses.chain(memory).collect()
}

impl ComparedProgram<'_> {
    /// The sum of a quantity over kernels.
    pub(super) fn sum(self, all: &[usize], quantity: Quantity) -> Counted {
        match self.saved {
            Some(saved) => {
                let of_one = |idx: &usize| saved.kernels[*idx].counts.get(quantity.index).copied();
                all.iter()
                    .map(|idx| of_one(idx).unwrap_or(Counted::Unknown))
                    .sum()
            }
            None => self.kernels_of(all).map(|x| self.count(x, quantity)).sum(),
        }
    }

    /// A quantity in one kernel.
    pub(super) fn count(self, kernel: &Kernel, quantity: Quantity) -> Counted {
        let function = self.function(kernel);
        let of_loop = kernel.nest.outermost.and_then(|id| {
            let mut loops = function.loops.iter();
            loops.find(|counts| counts.id == id)
        });
        let misses = match of_loop {
            Some(counts) => counts.misses[quantity.level],
            None if kernel.nest.is_opaque => Counted::Unknown,
            None => {
                let misses = kernel.nest.references.iter();
                misses.map(|id| misses_of(function, *id, quantity)).sum()
            }
        };
        times(misses, quantity.weight)
    }
}

pub(super) fn misses_of(
    function: &FunctionAnalysis,
    id: ReferenceId,
    quantity: Quantity,
) -> Counted {
    // References are in the order of the tree.
    let counts = function.references.get(id.index());
    counts.map_or(Counted::Unknown, |counts| counts.misses[quantity.level])
}

/// A count times a weight; unknown on overflow.
#[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
pub(super) fn times(count: Counted, weight: u64) -> Counted {
    match (count, count.bounds()) {
        (_, Some((lower, upper))) => match (lower.checked_mul(weight), upper.checked_mul(weight)) {
            (Some(lower), Some(upper)) => Counted::between(lower, upper),
            _ => Counted::Unknown,
        },
        (Counted::Estimate(estimate), _) => Counted::Estimate(estimate.times(weight as f64)),
        _ => Counted::Unknown,
    }
}
