//! How fast this computer is, as far as short loops can tell.
//!
//! Everything is timed some thirty times for half a millisecond, and the best counts: what else runs on a computer
//! only makes loops slower. What is found goes into the file with `# measured`, and where trials differ by
//! more than a fifth a warning says so.

mod kernels;
mod memory;
mod trials;

use crate::sheet::{Sheet, Table};
use kernels::{Arithmetic, LINE};
use premiss_machine::{Frequency, format_bytes};
use trials::{Best, Doubts, as_f64, best};

/// Memory is read in chunks of so many bytes, one a trial.
const CHUNK: usize = 16 << 20;

/// What is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Bytes of the caches for data, nearest first.
    pub(crate) caches: Vec<u64>,
    /// Threads that read memory together.
    pub(crate) threads: usize,
    /// Bytes that may be taken; `None` where that is not known.
    pub(crate) available: Option<u64>,
}

/// Measures, and writes it into the file; what is doubtful comes back.
pub(crate) fn measure(sheet: &mut Sheet, plan: &Plan) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut doubts = Doubts::default();
    let clock = clock(&mut sheet.core, &mut doubts);
    match (clock, plan.caches.first()) {
        (Some(clock), Some(first)) => {
            core(&mut sheet.core, clock, to_usize(*first) / 2, &mut doubts);
        }
        _ => warnings.push(
            "the clock and what a core does in a cycle are measured on x86-64 alone".to_owned(),
        ),
    }
    let spans = spans(&plan.caches);
    for (idx, (table, span)) in sheet.caches.iter_mut().zip(&spans).enumerate() {
        let name = format!("L{}", idx + 1);
        level(table, (&name, *span), clock, &mut doubts);
        if let (0, Some(clock)) = (idx, clock) {
            mixed_bandwidth(table, *span, clock);
        }
    }
    warnings.extend(main_memory(&mut sheet.memory, plan, &mut doubts));
    warnings.extend(doubts.warning());
    warnings
}

/// Additions that need each other take a cycle each.
fn clock(core: &mut Table, doubts: &mut Doubts) -> Option<f64> {
    const ADDS: f64 = 16.0;
    if !kernels::adds(1) {
        return None;
    }
    let once = best(|times| {
        kernels::adds(times);
    });
    doubts.note("the clock", once);
    let hertz = ADDS / once.seconds;
    // In whole MHz: more is noise.
    let megahertz = rounded(hertz / 1e6)?;
    let frequency = Frequency(megahertz.checked_mul(1_000_000)?);
    let source = format!("measured: additions that need each other{}", spread(once));
    core.figure("frequency", frequency, &source);
    Some(hertz)
}

/// What a core does in a cycle, with data in half of its first cache.
fn core(core: &mut Table, clock: f64, bytes: usize, doubts: &mut Doubts) {
    let Some(width) = kernels::width() else {
        return;
    };
    let vector = as_f64(width);
    let mut rate = |key: &'static str, what: &str, each: f64, run: &mut dyn FnMut(usize)| {
        let once = best(run);
        doubts.note(what, once);
        let per_cycle = each / once.seconds / clock;
        core.rate(
            key,
            hundredths(per_cycle),
            &format!("measured: {what}{}", spread(once)),
        );
    };
    rate(
        "issue",
        "instructions that do nothing",
        64.0,
        &mut |times| {
            kernels::nops(times);
        },
    );
    let mut lines = memory::lines(bytes);
    let vectors = as_f64(lines.len() * LINE) / vector;
    rate("loads", "loads of vectors", vectors, &mut |times| {
        for _ in 0..times {
            kernels::read(&lines);
        }
    });
    rate("stores", "stores of vectors", vectors, &mut |times| {
        for _ in 0..times {
            kernels::stores(&mut lines);
        }
    });
    let numbers = 12.0 * vector / 8.0;
    rate("divide", "divisions in vectors", numbers, &mut |times| {
        kernels::arithmetic(Arithmetic::Divide, times);
    });
    rate(
        "square_root",
        "square roots in vectors",
        numbers,
        &mut |times| {
            kernels::arithmetic(Arithmetic::SquareRoot, times);
        },
    );
    core.figure(
        "vector",
        format_args!("{width} B"),
        "CPUID: the longest of SSE2, AVX and AVX-512F",
    );
    floating(core, clock, doubts);
}

/// Sums, products and fused pairs in a cycle: the most of what a mix of them reaches.
fn floating(core: &mut Table, clock: f64, doubts: &mut Doubts) {
    let mut reached = |what| {
        kernels::arithmetic(what, 1).then(|| {
            let once = best(|times| {
                kernels::arithmetic(what, times);
            });
            doubts.note(name(what), once);
            12.0 / once.seconds / clock
        })
    };
    let fused = reached(Arithmetic::Fused);
    let mixes = [
        Arithmetic::Add,
        Arithmetic::AddAndMultiply,
        Arithmetic::AddAndFused,
    ];
    let most = mixes.map(&mut reached).into_iter().flatten();
    let most = most.chain(fused).fold(0.0, f64::max);
    core.rate(
        "floating",
        hundredths(most),
        "measured: the most of sums, sums with products, sums with fused pairs",
    );
    match fused {
        Some(fused) => core.rate("fused", hundredths(fused), "measured: fused pairs"),
        None => core.rate("fused", 0, "CPUID: there is no FMA"),
    }
}

fn name(what: Arithmetic) -> &'static str {
    match what {
        Arithmetic::Add => "sums",
        Arithmetic::Fused => "fused pairs",
        Arithmetic::AddAndFused => "sums with fused pairs",
        Arithmetic::AddAndMultiply => "sums with products",
        Arithmetic::Divide => "divisions",
        Arithmetic::SquareRoot => "square roots",
    }
}

/// How long a cache takes to answer, and what one core reads of it.
fn level(table: &mut Table, (name, span): (&str, usize), clock: Option<f64>, doubts: &mut Doubts) {
    let size = format_bytes(to_u64(span));
    let once = memory::latency(span);
    doubts.note(&format!("the latency of {name}"), once);
    let source = format!(
        "measured: loads that need each other, in {size}{}",
        spread(once)
    );
    let nanoseconds = || format!("{:.1} ns", once.seconds * 1e9);
    let delay = clock.map_or_else(nanoseconds, |clock| {
        format!("{:.1} cycles", once.seconds * clock)
    });
    table.figure("latency", delay, &source);
    let flow = memory::bandwidth(span, span);
    doubts.note(&format!("the bandwidth of {name}"), flow.once);
    let source = format!("measured: streams, in {size}{}", spread(flow.once));
    let per_second = || format!("{:.1} GB/s", flow.read / 1e9);
    let per_cycle = |clock| format!("{:.1} B/cycle", flow.read / clock);
    let amount = clock.map_or_else(per_second, per_cycle);
    table.figure("bandwidth", amount, &source);
}

/// The first cache gives most where a third of what passes is stored.
fn mixed_bandwidth(table: &mut Table, span: usize, clock: f64) {
    let mut lines = memory::lines(span);
    if !kernels::loads_and_stores(&mut lines) {
        return;
    }
    let loads = memory::bandwidth(span, span).read;
    let once = best(|times| {
        for _ in 0..times {
            kernels::loads_and_stores(&mut lines);
        }
    });
    let both = as_f64(lines.len() * LINE) / once.seconds;
    if loads < both {
        let source = format!("measured: two loads and a store{}", spread(once));
        table.figure(
            "bandwidth",
            format_args!("{:.1} B/cycle", both / clock),
            &source,
        );
    }
}

fn main_memory(table: &mut Table, plan: &Plan, doubts: &mut Doubts) -> Option<String> {
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
    let once = memory::latency(bytes);
    doubts.note("the latency of memory", once);
    let source = format!(
        "measured: loads that need each other, in {size}{}",
        spread(once)
    );
    table.figure(
        "latency",
        format_args!("{:.1} ns", once.seconds * 1e9),
        &source,
    );
    let gigabytes = |per_second: f64| format!("{:.1} GB/s", per_second / 1e9);
    let one = memory::bandwidth(bytes, CHUNK);
    doubts.note("the bandwidth of memory for one core", one.once);
    let source = format!(
        "measured: what one core reads, in {size}{}",
        spread(one.once)
    );
    table.figure("core_bandwidth", gigabytes(one.read), &source);
    let threads = plan.threads.max(1);
    let all = memory::bandwidth_of_all((bytes / threads).max(CHUNK), CHUNK, threads);
    doubts.note("the bandwidth of memory for all cores", all.once);
    let source = format!(
        "measured: what {threads} threads read and write{}",
        spread(all.once)
    );
    table.figure("bandwidth", gigabytes(all.both.max(one.both)), &source);
    None
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
fn spread(once: Best) -> String {
    format!(" (trials within {:.0} %)", (100.0 * once.spread).ceil())
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
        let mut sheet = Sheet {
            name: "m".to_owned(),
            caches: vec![
                Table::cache("L1", 32 << 10, Some(8), 64),
                Table::cache("L2", 256 << 10, Some(8), 64),
            ],
            ..Sheet::default()
        };
        let plan = Plan {
            caches: vec![32 << 10, 256 << 10],
            threads: 2,
            available: None,
        };
        measure(&mut sheet, &plan);
        let toml = sheet.toml("this computer").unwrap();
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
        let mut table = Table::default();
        let plan = Plan {
            caches: vec![1 << 40],
            threads: 1,
            available: Some(1 << 30),
        };
        let warning = main_memory(&mut table, &plan, &mut Doubts::default()).unwrap();
        assert!(warning.contains("4 TiB"), "{warning}");
        assert!(!table.has("latency"));
    }
}
