//! What a core does: its clock, and how many instructions of each kind it executes in a cycle.

use super::kernels::{self, Arithmetic, LINE};
use super::trials::{NoisyTrials, as_f64, best};
use super::{hundredths, memory, rounded, spread};
use crate::machine_file::TomlTable;
use premiss_machine::Frequency;

/// The clock in hertz, from additions that need each other and so take a cycle each; `None` where no kernel is in
/// assembly.
pub(super) fn clock(core: &mut TomlTable, noisy: &mut NoisyTrials) -> Option<f64> {
    const ADDS: f64 = 16.0;
    if !kernels::adds(1) {
        return None;
    }
    let trial = best(|times| {
        kernels::adds(times);
    });
    noisy.note("the clock", trial);
    let hertz = ADDS / trial.seconds;
    // In whole MHz: more is noise.
    let megahertz = rounded(hertz / 1e6)?;
    let frequency = Frequency(megahertz.checked_mul(1_000_000)?);
    let source = format!("measured: additions that need each other{}", spread(trial));
    core.figure("frequency", frequency, &source);
    Some(hertz)
}

/// What a core does in a cycle, with data in half of its first cache.
pub(super) fn core(core: &mut TomlTable, clock: f64, bytes: usize, noisy: &mut NoisyTrials) {
    let Some(width) = kernels::width() else {
        return;
    };
    let vector = as_f64(width);
    let mut rate = |key: &'static str, what: &str, each: f64, run: &mut dyn FnMut(usize)| {
        let trial = best(run);
        noisy.note(what, trial);
        let per_cycle = each / trial.seconds / clock;
        core.rate(
            key,
            hundredths(per_cycle),
            &format!("measured: {what}{}", spread(trial)),
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
    floating(core, clock, noisy);
}

/// Sums, products and fused pairs in a cycle: the most of what a mix of them reaches.
fn floating(core: &mut TomlTable, clock: f64, noisy: &mut NoisyTrials) {
    let mut reached = |what| {
        kernels::arithmetic(what, 1).then(|| {
            let trial = best(|times| {
                kernels::arithmetic(what, times);
            });
            noisy.note(name(what), trial);
            12.0 / trial.seconds / clock
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
