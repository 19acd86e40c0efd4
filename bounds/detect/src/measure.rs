//! How fast this computer is, as far as short loops can tell.
//!
//! Everything is timed at least 31 times for half a millisecond, and the best time counts: whatever else runs on a
//! computer only makes loops slower. Results go into the file with `# measured`, and where trials differ by more than a
//! fifth a warning says so.

mod core_rates;
mod kernels;
mod levels;
mod memory;
mod trials;

use crate::machine_file::MachineDescription;
use trials::{BestTrial, NoisyTrials};

/// What is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct MeasurementPlan {
    /// Bytes of the caches for data, nearest first.
    pub(crate) caches: Vec<u64>,
    /// Threads that read memory together.
    pub(crate) threads: usize,
    /// Bytes that may be taken; `None` where that is not known.
    pub(crate) available: Option<u64>,
}

/// Measures, and writes the results into the file; returns warnings about doubtful figures.
pub(crate) fn measure(description: &mut MachineDescription, plan: &MeasurementPlan) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut noisy = NoisyTrials::default();
    let clock = core_rates::clock(&mut description.core, &mut noisy);
    match (clock, plan.caches.first()) {
        (Some(clock), Some(first)) => {
            core_rates::core(
                &mut description.core,
                clock,
                to_usize(*first) / 2,
                &mut noisy,
            );
        }
        _ => warnings.push(
            "the clock and what a core does in a cycle are measured on x86-64 alone".to_owned(),
        ),
    }
    let spans = spans(&plan.caches);
    for (idx, (table, span)) in description.caches.iter_mut().zip(&spans).enumerate() {
        let name = format!("L{}", idx + 1);
        levels::cache(table, (&name, *span), clock, &mut noisy);
        if let (0, Some(clock)) = (idx, clock) {
            levels::mixed_bandwidth(table, *span, clock);
        }
    }
    warnings.extend(levels::main_memory(
        &mut description.memory,
        plan,
        &mut noisy,
    ));
    warnings.extend(noisy.warning());
    warnings
}

/// Bytes that fit a cache and are too many for the one before: half of the first, then the geometric
/// mean of both.
///
/// 32 KiB and 2 MiB: 16 KiB and 256 KiB.
fn spans(caches: &[u64]) -> Vec<usize> {
    let mut above: Option<u64> = None;
    let mut spans = Vec::new();
    for size in caches {
        let span = match above {
            None => size / 2,
            Some(above) => above.saturating_mul(*size).isqrt(),
        };
        spans.push(to_usize(span));
        above = Some(*size);
    }
    spans
}

/// ` (trials within 3 %)`
fn spread(trial: BestTrial) -> String {
    format!(" (trials within {:.0} %)", (100.0 * trial.spread).ceil())
}

/// Two decimals.
fn hundredths(number: f64) -> f64 {
    (number * 100.0).round().max(1.0) / 100.0
}

fn rounded(number: f64) -> Option<u64> {
    let text = format!("{number:.0}");
    text.parse().ok()
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn to_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine_file::TomlTable;

    #[test]
    fn spans_lie_between_caches() {
        let caches = [32 << 10, 2 << 20, 105 << 20];
        let spans = spans(&caches);
        assert_eq!(spans[..2], [16 << 10, 256 << 10]);
        for (span, pair) in spans[1..].iter().zip(caches.windows(2)) {
            assert!(to_usize(pair[0]) < *span && *span < to_usize(pair[1]));
        }
    }

    #[test]
    fn what_is_measured_is_a_machine() {
        let mut description = MachineDescription {
            name: "m".to_owned(),
            caches: vec![
                TomlTable::cache("L1", 32 << 10, Some(8), 64),
                TomlTable::cache("L2", 256 << 10, Some(8), 64),
            ],
            ..MachineDescription::default()
        };
        let plan = MeasurementPlan {
            caches: vec![32 << 10, 256 << 10],
            threads: 2,
            available: None,
        };
        measure(&mut description, &plan);
        let toml = description.toml("this computer").unwrap();
        let machine = premiss_machine::Machine::from_toml(&toml).unwrap();
        for cache in machine.caches() {
            let transfer = cache.transfer();
            assert!(
                transfer.latency.is_some() && transfer.bandwidth.is_some(),
                "{toml}"
            );
        }
        let memory = machine.memory();
        assert!(
            memory.latency.is_some() && memory.bandwidth.is_some(),
            "{toml}"
        );
        assert_eq!(
            machine.core().is_some(),
            cfg!(target_arch = "x86_64"),
            "{toml}"
        );
        if let Some(core) = machine.core() {
            assert!(core.floating.is_some() && core.divide.is_some(), "{toml}");
            assert!(core.fused <= core.floating.unwrap(), "{toml}");
        }
    }

    #[test]
    fn memory_that_is_not_there_is_not_taken() {
        let mut table = TomlTable::default();
        let plan = MeasurementPlan {
            caches: vec![1 << 40],
            threads: 1,
            available: Some(1 << 30),
        };
        let warning = levels::main_memory(&mut table, &plan, &mut NoisyTrials::default()).unwrap();
        assert!(warning.contains("4 TiB"), "{warning}");
        assert!(!table.has("latency"));
    }
}
