//! Compares the trace engine with the oracle on one tree.

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::{Counted, Distance, ReuseDistanceHistogram};
use premiss_oracle as oracle;
use premiss_trace::{Execution, PerReference, Placement};
use premiss_tree::NestTree;
use std::collections::{BTreeMap, BTreeSet};
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
    /// The same without chains, for trees that depend on data: below the first level the engine has
    /// bounds there even where what is not certain never happens.
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
    compare(expected, &engine, depth).err()
}

fn compare(
    expected: oracle::Execution<'_>,
    engine: &Execution,
    depth: Depth,
) -> Result<(), String> {
    same("bases", &expected.bases(), engine.bases())?;
    let accesses = answer("accesses", engine.accesses())?;
    same("accesses", &expected.accesses(), &accesses)?;
    compare_addresses(&expected, engine)?;
    let line_sizes: &[u64] = match depth {
        Depth::Everything | Depth::Bounds => &[1, 8, 24, 64, 4096],
        Depth::UsualLines => &[24, 64, 4096],
    };
    let expected = Sandwich::new(expected);
    for &line_size in line_sizes {
        let what = format!("histograms in lines of {line_size}");
        let histograms = answer(&what, engine.histograms(line_size))?;
        expected.holds_histograms(&what, line_size, &histograms)?;
    }
    let misses = answer("misses", engine.misses(&CACHES, Hierarchy::Independent))?;
    expected.holds_misses("misses", &CACHES, Hierarchy::Independent, &misses)?;
    let chains: &[&[CacheGeometry]] = match depth {
        Depth::Everything | Depth::UsualLines => &CHAINS,
        Depth::Bounds => &[],
    };
    for chain in chains {
        let what = format!("misses in the chain {chain:?}");
        let misses = answer(&what, engine.misses(chain, Hierarchy::Filtered))?;
        expected.holds_misses(&what, chain, Hierarchy::Filtered, &misses)?;
    }
    Ok(())
}

/// The oracle's bounds, tight and loose. Where nothing depends on data they are the same, and the
/// engine must give them. Elsewhere it may know less of which accesses happen together than the
/// oracle does, but not less than nothing: its lower bounds are the oracle's, its upper bounds lie
/// between those that see arms as a whole and those that do not.
struct Sandwich<'tree> {
    inner: oracle::Execution<'tree>,
    outer: oracle::Execution<'tree>,
}

impl<'tree> Sandwich<'tree> {
    fn new(inner: oracle::Execution<'tree>) -> Self {
        let outer = inner.clone().taking_each_access_by_itself();
        Self { inner, outer }
    }

    fn holds_histograms(
        &self,
        what: &str,
        line_size: u64,
        found: &PerReference<ReuseDistanceHistogram>,
    ) -> Result<(), String> {
        let inner = self.inner.histograms(line_size);
        let outer = self.outer.histograms(line_size);
        if inner == outer {
            return same(what, &inner, found);
        }
        for reference in inner.keys() {
            let histograms = [&inner[reference], &found[reference], &outer[reference]];
            let distances: BTreeSet<Distance> = histograms
                .iter()
                .flat_map(|histogram| histogram.bins())
                .flat_map(|bin| [bin.lower, bin.upper])
                .collect();
            for distance in distances {
                let capacity = match distance {
                    Distance::Finite(distance) => distance + 1,
                    Distance::Infinite => u64::MAX,
                };
                let what = format!("{what}: {reference} in {capacity} lines");
                lies_between(
                    &what,
                    histograms.map(|histogram| histogram.misses(capacity)),
                )?;
            }
        }
        Ok(())
    }

    /// A level of which the oracle knows nothing is not compared.
    fn holds_misses(
        &self,
        what: &str,
        levels: &[CacheGeometry],
        hierarchy: Hierarchy,
        found: &[PerReference<Counted>],
    ) -> Result<(), String> {
        let inner = self.inner.misses(levels, hierarchy);
        let outer = self.outer.misses(levels, hierarchy);
        for (idx, level) in levels.iter().enumerate() {
            let counts = [&inner[idx], &found[idx], &outer[idx]];
            if 0 < idx && counts[0].values().any(|count| *count == Counted::Unknown) {
                continue;
            }
            for reference in inner[idx].keys() {
                let what = format!("{what}, {reference} in {level:?}");
                lies_between(&what, counts.map(|counts| counts[reference]))?;
            }
        }
        Ok(())
    }
}

fn lies_between(what: &str, [inner, found, outer]: [Counted; 3]) -> Result<(), String> {
    let holds = match [inner, found, outer].map(Counted::bounds) {
        [Some(inner), Some(found), Some(outer)] => {
            inner.0 == found.0 && (inner.1..=outer.1).contains(&found.1)
        }
        _ => inner == found,
    };
    if holds {
        return Ok(());
    }
    Err(format!(
        "{what}\n  oracle: {inner:?} to {outer:?}\n  engine: {found:?}"
    ))
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
