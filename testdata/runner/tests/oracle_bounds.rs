//! The oracle against itself: its two cache models, and its bounds against runs in which chance
//! decides what data decide.

use premiss_histogram::Counted;
use premiss_testdata::compare::CACHES;
use premiss_testdata::oracle::{Event, Execution};
use premiss_testdata::random::{Knowledge, shapeless, sweeps};
use premiss_testdata::sketch::Sketch;
use premiss_trace::{Hierarchy, PerReference, Placement};
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

/// Whatever the data, counts lie within the bounds.
fn check_bounds(sketch: &Sketch, seed: u64) {
    let tree = sketch.tree();
    let sizes = BTreeMap::new();
    let Ok(open) = Execution::new(&tree, &sizes, &placement(), BUDGET) else {
        return;
    };
    let mut state = seed;
    let choose = |limit: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit.max(1)
    };
    let Ok(decided) = Execution::decided(&tree, &sizes, &placement(), BUDGET, choose) else {
        return;
    };
    if strays(&open, &decided) {
        return;
    }
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
}
