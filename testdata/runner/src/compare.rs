//! Compares the trace engine with the oracle on one tree.

use crate::oracle;
use premiss_histogram::Counted;
use premiss_trace::{CacheGeometry, Execution, Hierarchy, Placement};
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Accesses that the oracle may list.
const ACCESSES: u64 = 20_000;
/// Steps that the engine may take.
const STEPS: u64 = 10_000_000;

/// A cache.
#[must_use]
pub const fn cache(line_size: u64, sets: u64, ways: u64) -> CacheGeometry {
    CacheGeometry {
        line_size,
        sets,
        ways,
    }
}

/// Fully associative, direct-mapped, associative; sets that are no power of two; lines that no
/// element size divides; pages.
pub const CACHES: [CacheGeometry; 12] = [
    cache(64, 1, 1),
    cache(64, 1, 2),
    cache(64, 1, 8),
    cache(64, 1, 64),
    cache(64, 8, 1),
    cache(64, 64, 8),
    cache(64, 4, 2),
    cache(64, 3, 4),
    cache(24, 5, 2),
    cache(8, 16, 2),
    cache(4096, 1, 4),
    cache(4096, 2, 2),
];

/// Chains, nearest level first: growing, with other lines below, shrinking.
pub const CHAINS: [&[CacheGeometry]; 5] = [
    &[cache(64, 1, 4), cache(64, 1, 16)],
    &[cache(64, 2, 2), cache(64, 4, 4), cache(64, 16, 4)],
    &[cache(64, 8, 1), cache(128, 4, 2)],
    &[cache(64, 3, 2), cache(64, 5, 3)],
    &[cache(64, 1, 8), cache(64, 1, 2), cache(64, 1, 32)],
];

/// What to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Everything, every line size.
    Everything,
    /// Where something is not certain: that the engine's bounds contain the oracle's.
    Bounds,
    /// Without lines of a few bytes, of which long sweeps touch too many for the oracle.
    UsualLines,
}

/// Where the engine and the oracle differ on a tree, or `None`. A tree that the oracle cannot
/// execute (it is too long, an address does not fit) need only leave the engine alive.
#[must_use]
pub fn difference(tree: &NestTree, alignment: u64, depth: Depth) -> Option<String> {
    let placement = Placement {
        alignment,
        bases: BTreeMap::new(),
    };
    let sizes = BTreeMap::new();
    let expected = oracle::Execution::new(tree, &sizes, &placement, ACCESSES);
    let engine = Execution::new(tree, &sizes, &placement, STEPS);
    let Ok(expected) = expected else {
        if let Ok(engine) = engine {
            let _ = engine.accesses();
        }
        return None;
    };
    let engine = match engine {
        Ok(engine) => engine,
        Err(error) => return Some(format!("the engine refuses: {error}")),
    };
    compare(&expected, &engine, depth).err()
}

fn compare(expected: &oracle::Execution, engine: &Execution, depth: Depth) -> Result<(), String> {
    same("bases", &expected.bases(), engine.bases())?;
    let accesses = answer("accesses", engine.accesses())?;
    same("accesses", &expected.accesses(), &accesses)?;
    compare_addresses(expected, engine)?;
    let line_sizes: &[u64] = match depth {
        Depth::Everything => &[1, 8, 24, 64, 4096],
        Depth::UsualLines => &[24, 64, 4096],
        Depth::Bounds => return compare_bounds(expected, engine),
    };
    for &line_size in line_sizes {
        let what = format!("histograms in lines of {line_size}");
        let histograms = answer(&what, engine.histograms(line_size))?;
        same(&what, &expected.histograms(line_size), &histograms)?;
    }
    let independent = Hierarchy::Independent;
    let misses = answer("misses", engine.misses(&CACHES, independent))?;
    let all = expected.misses(&CACHES, independent);
    for ((cache, expected), misses) in CACHES.iter().zip(&all).zip(&misses) {
        same(&format!("misses in {cache:?}"), expected, misses)?;
    }
    CHAINS
        .iter()
        .try_for_each(|chain| compare_chain(expected, engine, chain))
}

/// Where something is not certain, the engine's bounds must contain the oracle's. Lines that an array
/// with accesses of unknown address shares with another are left out, see
/// `tests/known_differences.rs`.
fn compare_bounds(expected: &oracle::Execution, engine: &Execution) -> Result<(), String> {
    let is_shared = |line_size: u64| {
        let mut bases = expected.bases();
        expected.has_unknown_address() && bases.values_mut().any(|base| *base % line_size != 0)
    };
    for line_size in [1, 8, 24, 64, 4096]
        .into_iter()
        .filter(|size| !is_shared(*size))
    {
        let what = format!("histograms in lines of {line_size}");
        let histograms = answer(&what, engine.histograms(line_size))?;
        for (reference, expected) in expected.histograms(line_size).iter() {
            for capacity in 0..50 {
                let found = histograms[reference].misses(capacity);
                let what = format!("{what}: {reference} with {capacity}");
                contains(&what, expected.misses(capacity), found)?;
            }
        }
    }
    let misses = answer("misses", engine.misses(&CACHES, Hierarchy::Independent))?;
    let all = expected.misses(&CACHES, Hierarchy::Independent);
    for ((cache, expected), misses) in CACHES.iter().zip(&all).zip(&misses) {
        if is_shared(cache.line_size) {
            continue;
        }
        for (reference, expected) in expected.iter() {
            let what = format!("misses of {reference} in {cache:?}");
            contains(&what, *expected, misses[reference])?;
        }
    }
    Ok(())
}

fn contains(what: &str, expected: Counted, found: Counted) -> Result<(), String> {
    let is_contained = match (expected.bounds(), found.bounds()) {
        (Some((lower, upper)), Some((least, greatest))) => least <= lower && upper <= greatest,
        (_, found) => found.is_none(),
    };
    if is_contained {
        return Ok(());
    }
    Err(format!("{what}: {found:?} does not contain {expected:?}"))
}

fn compare_chain(
    expected: &oracle::Execution,
    engine: &Execution,
    chain: &[CacheGeometry],
) -> Result<(), String> {
    let what = format!("misses in the chain {chain:?}");
    let misses = answer(&what, engine.misses(chain, Hierarchy::Filtered))?;
    let all = expected.misses(chain, Hierarchy::Filtered);
    for (idx, (expected, misses)) in all.iter().zip(&misses).enumerate() {
        same(&format!("{what}, level {idx}"), expected, misses)?;
    }
    Ok(())
}

fn compare_addresses(expected: &oracle::Execution, engine: &Execution) -> Result<(), String> {
    let mut all = Vec::new();
    expected.for_each_access(&mut |access| {
        all.push(access);
        ControlFlow::Continue(())
    });
    let mut idx = 0;
    let mut result = Ok(());
    let shown = engine.for_each_access(&mut |access| {
        if all.get(idx) == Some(&access) {
            idx += 1;
            return ControlFlow::Continue(());
        }
        result = same(&format!("access {idx}"), &all.get(idx), &Some(&access));
        ControlFlow::Break(())
    });
    answer("addresses", shown)?;
    result?;
    same("the number of accesses", &all.len(), &idx)
}

fn answer<T, E: Debug>(what: &str, answer: Result<T, E>) -> Result<T, String> {
    answer.map_err(|error| format!("{what}: the engine fails: {error:?}"))
}

fn same<T: PartialEq + Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!(
        "{what}\n  oracle: {expected:?}\n  engine: {found:?}"
    ))
}
