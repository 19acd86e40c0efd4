//! The oracle against itself: its two cache models, and its bounds against runs in which chance
//! decides what data decide; and the engine's bounds on caches of every kind against such runs.

use premiss_cache::{AllocationPolicy, CacheModel, Hierarchy, ReplacementPolicy, WritePolicy};
use premiss_histogram::Counted;
use premiss_oracle::{Event, Execution};
use premiss_testdata::compare::{CACHES, cache};
use premiss_testdata::random::{Knowledge, shapeless, sweeps};
use premiss_testdata::sketch::Sketch;
use premiss_trace::{PerReference, Placement};
use premiss_tree::{EntityRef, NestTree};
use proptest::prelude::*;
use proptest::test_runner::Config;
use std::collections::{BTreeMap, BTreeSet};

const BUDGET: u64 = 4000;

fn placement() -> Placement {
    Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    }
}

fn config() -> Config {
    Config {
        failure_persistence: None,
        ..Config::default()
    }
}

/// Distances and simulation give the same misses where all is certain.
fn check_models(sketch: &Sketch) {
    let tree = sketch.tree();
    let Ok(execution) = Execution::new(&tree, &BTreeMap::new(), &placement(), BUDGET) else {
        return;
    };
    assert!(execution.is_certain());
    for level in CACHES {
        let by_distance = execution.misses(&[level], Hierarchy::Independent);
        let by_simulation = execution.misses(&[level], Hierarchy::Filtered);
        assert_eq!(by_distance, by_simulation, "{level:?}");
    }
}

/// A tree with what data decide left open, and as one run of it might be.
fn open_and_decided(tree: &NestTree, seed: u64) -> Option<(Execution<'_>, Execution<'_>)> {
    let sizes = BTreeMap::new();
    let open = Execution::new(tree, &sizes, &placement(), BUDGET).ok()?;
    let mut state = seed;
    let choose = |limit: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit.max(1)
    };
    let decided = Execution::decided(tree, &sizes, &placement(), BUDGET, choose).ok()?;
    (!strays(&open, &decided)).then_some((open, decided))
}

/// Whatever the data, the misses of a cache of any kind lie within the engine's bounds, by itself and
/// as the first of a chain.
fn check_kinds(
    sketch: &Sketch,
    seed: u64,
    kind: (ReplacementPolicy, WritePolicy, AllocationPolicy),
) {
    let tree = sketch.tree();
    let Some((open, decided)) = open_and_decided(&tree, seed) else {
        return;
    };
    let engine = premiss_trace::Execution::new(&tree, &BTreeMap::new(), &placement(), 10_000_000);
    // Addresses in arms that are not taken here may not fit.
    let Ok(engine) = engine else { return };
    let (replacement, writing, allocation) = kind;
    let model = |geometry| CacheModel {
        geometry,
        replacement,
        writing,
        allocation,
    };
    let chain = [model(cache(64, 2, 2)), model(cache(64, 4, 4))];
    if may_straddle(&open, 64) {
        return;
    }
    let hierarchies = [
        Hierarchy::Filtered,
        Hierarchy::Inclusive,
        Hierarchy::Exclusive,
    ];
    for hierarchy in hierarchies {
        for levels in [&chain[..1], &chain] {
            let Ok(found) = engine.simulate(levels, hierarchy) else {
                return;
            };
            let counts = decided.kinds(levels, hierarchy, 1);
            for (idx, (found, counts)) in found.iter().zip(&counts).enumerate() {
                for (id, bounds) in found.misses.iter() {
                    let count = counts.misses.get(&id.index()).copied().unwrap_or(0);
                    let Some((lower, upper)) = bounds.bounds() else {
                        continue;
                    };
                    assert!(
                        (lower..=upper).contains(&count),
                        "{hierarchy:?} {levels:?}, level {idx}: {count} misses of {id} are not within \
                         {lower} to {upper}"
                    );
                }
            }
        }
    }
}

/// Whatever the data, counts lie within the bounds.
fn check_bounds(sketch: &Sketch, seed: u64) {
    let tree = sketch.tree();
    let Some((open, decided)) = open_and_decided(&tree, seed) else {
        return;
    };
    within(&open.accesses(), &decided.accesses(), "accesses");
    let bounds = open.misses(&CACHES, Hierarchy::Independent);
    let misses = decided.misses(&CACHES, Hierarchy::Independent);
    for ((cache, bounds), misses) in CACHES.iter().zip(&bounds).zip(&misses) {
        if may_straddle(&open, cache.line_size) {
            continue;
        }
        within(bounds, misses, &format!("misses in {cache:?}"));
    }
}

/// Whether a reference whose address is open leaves its array: the bounds assume that none does.
fn strays(open: &Execution, decided: &Execution) -> bool {
    let unknown = |event: &Event| match event {
        Event::Access {
            reference,
            address: None,
            ..
        } => Some(*reference),
        _ => None,
    };
    let unknown: BTreeSet<_> = open.events().iter().filter_map(unknown).collect();
    decided.events().iter().any(|event| match event {
        Event::Access {
            reference,
            array,
            address: Some(address),
            size,
            ..
        } if unknown.contains(reference) => !open.holds(*array, *address, *size),
        _ => false,
    })
}

/// Whether an element of unknown address may lie on two lines: the bounds assume that none does.
fn may_straddle(open: &Execution, line_size: u64) -> bool {
    let bases = open.bases();
    open.events().iter().any(|event| match event {
        Event::Access {
            address: None,
            size,
            array,
            ..
        } => {
            let size = u64::from(*size);
            !line_size.is_multiple_of(size) || !bases[*array].is_multiple_of(size)
        }
        _ => false,
    })
}

fn within(bounds: &PerReference<Counted>, counts: &PerReference<Counted>, what: &str) {
    for ((reference, bounds), count) in bounds.iter().zip(counts.values()) {
        let (Some((lower, upper)), Some(count)) = (bounds.bounds(), count.exact()) else {
            continue;
        };
        assert!(
            lower <= count && count <= upper,
            "{what} of {reference}: {count} is not within {lower} to {upper}"
        );
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn distances_and_simulation_agree_on_any_shape(sketch in shapeless(Knowledge::Full)) {
        check_models(&sketch);
    }

    #[test]
    fn distances_and_simulation_agree_on_sweeps(sketch in sweeps()) {
        check_models(&sketch);
    }

    #[test]
    fn every_run_lies_within_the_bounds(
        sketch in shapeless(Knowledge::Partial),
        seed in any::<u64>(),
    ) {
        check_bounds(&sketch, seed);
    }

    #[test]
    fn every_run_lies_within_the_bounds_on_every_kind(
        sketch in shapeless(Knowledge::Partial),
        seed in any::<u64>(),
        replacement in prop::sample::select(vec![
            ReplacementPolicy::Lru,
            ReplacementPolicy::Fifo,
            ReplacementPolicy::TreePlru,
            ReplacementPolicy::Nru,
        ]),
        writing in prop::sample::select(vec![WritePolicy::WriteBack, WritePolicy::WriteThrough]),
        allocation in prop::sample::select(vec![
            AllocationPolicy::WriteAllocate,
            AllocationPolicy::NoWriteAllocate,
        ]),
    ) {
        check_kinds(&sketch, seed, (replacement, writing, allocation));
    }
}
