//! The speeds of a machine, in a few lines of comment.

use premiss_machine::{Core, Delay, Machine, Transfer, format_bytes};
use std::fmt::Write as _;

/// A line for the core and one for memory, if they are described.
pub(super) fn lines(machine: &Machine) -> String {
    let mut text = String::new();
    if let Some(core) = machine.core() {
        text.push_str(&of_core(core));
        if let Some(peak) = peak(core) {
            let _ = writeln!(text, "# peak of one core: {peak}");
        }
    }
    let memory = machine.memory();
    let figures = [
        memory.latency.map(|x| x.to_string()),
        memory.bandwidth.map(|x| format!("{x} for all cores")),
        memory.core_bandwidth.map(|x| format!("{x} for one")),
    ];
    let figures: Vec<String> = figures.into_iter().flatten().collect();
    if !figures.is_empty() {
        let _ = writeln!(text, "# memory: {}", figures.join(", "));
    }
    text
}

/// The end of the line of a cache: `, 5 cycles, 192 B/cycle, shared by 8 cores`.
pub(super) fn of_transfer(transfer: Transfer) -> String {
    let shared = |cores: &u32| 1 < *cores;
    let figures = [
        transfer.latency.map(|x| x.to_string()),
        transfer.bandwidth.map(|x| x.to_string()),
        transfer
            .cores
            .filter(shared)
            .map(|cores| format!("shared by {cores} cores")),
    ];
    let figures = figures.into_iter().flatten();
    figures.map(|figure| format!(", {figure}")).collect()
}

/// The end of the line of a TLB.
pub(super) fn of_miss(cost: Option<Delay>) -> String {
    cost.map_or_else(String::new, |cost| format!(", {cost} for a miss"))
}

/// Clock and vectors, then the rates under the names of their keys.
fn of_core(core: &Core) -> String {
    let vectors = match (core.vector_single, core.vector_double) {
        (single, double) if single == double => format_bytes(single),
        (single, double) => format!("{single} B single, {double} B double"),
    };
    let buffers = core.fill_buffers.map_or_else(String::new, |lines| {
        format!(", waits for {lines} lines at a time")
    });
    let rates = [
        ("issue", core.issue),
        ("floating", core.floating),
        ("fused", core.floating.map(|_| core.fused)),
        ("divide", core.divide),
        ("square_root", core.square_root),
        ("loads", core.loads),
        ("stores", core.stores),
    ];
    let rates = rates
        .into_iter()
        .filter_map(|(key, rate)| rate.map(|rate| format!("{key} {rate}")));
    let rates: Vec<String> = rates.collect();
    let mut text = format!(
        "# core: {} at {}, vectors of {vectors}{buffers}\n",
        core.cores, core.frequency
    );
    if !rates.is_empty() {
        let _ = writeln!(text, "# per cycle: {}", rates.join(", "));
    }
    text
}

/// The most operations per cycle of one core; a fused pair is two operations.
///
/// Two vectors of 8 numbers in a cycle, both fused: 32.
fn peak(core: &Core) -> Option<String> {
    let floating = core.floating?;
    let fused = core.fused.min(floating);
    let operations = floating.per_cycle() + fused.per_cycle();
    let of = |bytes: u64, name: &str| {
        let lanes = u32::try_from(core.lanes(bytes)).unwrap_or(u32::MAX);
        let each = operations * f64::from(lanes);
        let rate = each * core.frequency.hertz() / 1e9;
        format!("{each} flop/cycle, {rate:.1} Gflop/s in {name} precision")
    };
    Some(format!("{}; {}", of(8, "double"), of(4, "single")))
}
