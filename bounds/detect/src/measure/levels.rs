//! How fast the levels of memory are: the latency and the bandwidth of each cache, and those of main memory.

use super::kernels::{self, LINE};
use super::trials::{NoisyTrials, as_f64, best};
use super::{MeasurementPlan, memory, spread, to_u64, to_usize};
use crate::machine_file::TomlTable;
use premiss_machine::format_bytes;

/// Memory is read in chunks of this many bytes, one for each trial.
const CHUNK: usize = 16 << 20;

/// The latency of a cache, and the bandwidth with which one core reads it.
pub(super) fn cache(
    table: &mut TomlTable,
    (name, span): (&str, usize),
    clock: Option<f64>,
    noisy: &mut NoisyTrials,
) {
    let size = format_bytes(to_u64(span));
    let trial = memory::latency(span);
    noisy.note(&format!("the latency of {name}"), trial);
    let source = format!(
        "measured: loads that need each other, in {size}{}",
        spread(trial)
    );
    let nanoseconds = || format!("{:.1} ns", trial.seconds * 1e9);
    let delay = clock.map_or_else(nanoseconds, |clock| {
        format!("{:.1} cycles", trial.seconds * clock)
    });
    table.figure("latency", delay, &source);
    let flow = memory::bandwidth(span, span);
    noisy.note(&format!("the bandwidth of {name}"), flow.trial);
    let source = format!("measured: streams, in {size}{}", spread(flow.trial));
    let per_second = || format!("{:.1} GB/s", flow.read / 1e9);
    let per_cycle = |clock| format!("{:.1} B/cycle", flow.read / clock);
    let amount = clock.map_or_else(per_second, per_cycle);
    table.figure("bandwidth", amount, &source);
}

/// The first cache has its greatest bandwidth where a third of what passes is stored.
pub(super) fn mixed_bandwidth(table: &mut TomlTable, span: usize, clock: f64) {
    let mut lines = memory::lines(span);
    if !kernels::loads_and_stores(&mut lines) {
        return;
    }
    let loads = memory::bandwidth(span, span).read;
    let trial = best(|times| {
        for _ in 0..times {
            kernels::loads_and_stores(&mut lines);
        }
    });
    let both = as_f64(lines.len() * LINE) / trial.seconds;
    if loads < both {
        let source = format!("measured: two loads and a store{}", spread(trial));
        table.figure(
            "bandwidth",
            format_args!("{:.1} B/cycle", both / clock),
            &source,
        );
    }
}

pub(super) fn main_memory(
    table: &mut TomlTable,
    plan: &MeasurementPlan,
    noisy: &mut NoisyTrials,
) -> Option<String> {
    let last = plan.caches.iter().copied().max().unwrap_or(0);
    let bytes = last.saturating_mul(4).max(64 << 20);
    if plan
        .available
        .is_some_and(|available| available / 2 < bytes)
    {
        let need = format_bytes(bytes);
        return Some(format!(
            "memory is not measured: that takes twice {need}, which are not free"
        ));
    }
    let size = format_bytes(bytes);
    let bytes = to_usize(bytes);
    let trial = memory::latency(bytes);
    noisy.note("the latency of memory", trial);
    let source = format!(
        "measured: loads that need each other, in {size}{}",
        spread(trial)
    );
    table.figure(
        "latency",
        format_args!("{:.1} ns", trial.seconds * 1e9),
        &source,
    );
    let gigabytes = |per_second: f64| format!("{:.1} GB/s", per_second / 1e9);
    let one = memory::bandwidth(bytes, CHUNK);
    noisy.note("the bandwidth of memory for one core", one.trial);
    let source = format!(
        "measured: what one core reads, in {size}{}",
        spread(one.trial)
    );
    table.figure("core_bandwidth", gigabytes(one.read), &source);
    let threads = plan.threads.max(1);
    let all = memory::bandwidth_of_all((bytes / threads).max(CHUNK), CHUNK, threads);
    noisy.note("the bandwidth of memory for all cores", all.trial);
    let source = format!(
        "measured: what {threads} threads read and write{}",
        spread(all.trial)
    );
    table.figure("bandwidth", gigabytes(all.both.max(one.both)), &source);
    None
}
