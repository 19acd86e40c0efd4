//! The oracle against itself: its two cache models, and its bounds against runs in which chance
//! decides what data decide; and the engine's bounds on caches of every kind against such runs.

use premiss_cache::{AllocationPolicy, CacheModel, Hierarchy, ReplacementPolicy, WritePolicy};
use premiss_histogram::Counted;
use premiss_oracle::{Event, Execution};
use premiss_testdata::compare::{CACHES, cache};
use premiss_testdata::random::{Knowledge, config, shapeless, sweeps};
use premiss_testdata::sketch::{Sketch, Step, affine, count_up, doubles, load, store, var};
use premiss_trace::{PerReference, Placement};
use premiss_tree::{ArrayId, BinaryOperator, EntityRef, Expression, NestTree};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const BUDGET: u64 = 4000;

fn placement() -> Placement {
    Placement {
        alignment: 64,
        bases: BTreeMap::new(),
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
    if straddles(&open, &decided, 64) {
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
        if straddles(&open, &decided, cache.line_size) {
            continue;
        }
        within(bounds, misses, &format!("misses in {cache:?}"));
    }
}

/// Whatever the data, all references together access and miss as often as the engine's bounds on that say, which are no farther
/// apart than the sums of those of each.
fn check_joint_bounds(sketch: &Sketch, seed: u64) {
    let tree = sketch.tree();
    let Some((open, decided)) = open_and_decided(&tree, seed) else {
        return;
    };
    let engine = premiss_trace::Execution::new(&tree, &BTreeMap::new(), &placement(), 10_000_000);
    let Ok(engine) = engine else { return };
    let inside = |joint: Counted,
                  all: &PerReference<Counted>,
                  of_each: &PerReference<Counted>,
                  what: &str| {
        let count: Counted = all.values().copied().sum();
        let sums: Counted = of_each.values().copied().sum();
        let ends = (joint.bounds(), sums.bounds(), count.exact());
        let (Some((lower, upper)), Some((least, most)), Some(count)) = ends else {
            return;
        };
        assert!(
            least <= lower && lower <= count && count <= upper && upper <= most,
            "{what}: {count} in {lower} to {upper}, within {least} to {most}"
        );
    };
    if let (Ok(Some(joint)), Ok(of_each)) = (engine.joint_accesses(), engine.accesses()) {
        inside(joint[0], &decided.accesses(), &of_each, "accesses");
    }
    for cache in CACHES {
        if straddles(&open, &decided, cache.line_size) {
            continue;
        }
        let misses = engine.misses(&[cache], Hierarchy::Independent);
        if let (Ok(Some(joint)), Ok(of_each)) = (engine.joint_misses(cache), misses) {
            let all = &decided.misses(&[cache], Hierarchy::Independent)[0];
            inside(joint, all, &of_each[0], &format!("misses in {cache:?}"));
        }
    }
}

/// The accesses of a run whose references have addresses that were open: array, address and size.
fn accesses_of_open_references<'a>(
    open: &Execution,
    decided: &'a Execution,
) -> impl Iterator<Item = (ArrayId, u64, u32)> + 'a {
    let unknown = |event: &Event| match event {
        Event::Access {
            reference,
            address: None,
            ..
        } => Some(*reference),
        _ => None,
    };
    let unknown: BTreeSet<_> = open.events().iter().filter_map(unknown).collect();
    decided
        .events()
        .iter()
        .filter_map(move |event| match *event {
            Event::Access {
                reference,
                array,
                address: Some(address),
                size,
                ..
            } if unknown.contains(&reference) => Some((array, address, size)),
            _ => None,
        })
}

/// Whether a reference whose address is open leaves its array: the bounds assume that none does.
fn strays(open: &Execution, decided: &Execution) -> bool {
    accesses_of_open_references(open, decided)
        .any(|(array, address, size)| !open.holds(array, address, size))
}

/// Whether an element whose address is open lies on two lines: the bounds assume that none does.
fn straddles(open: &Execution, decided: &Execution, line_size: u64) -> bool {
    accesses_of_open_references(open, decided).any(|(_, address, size)| {
        let last = address + u64::from(size) - 1;
        address / line_size != last / line_size
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

/// Lines 0 and 1 stay dirty in two sets of two ways, while those that alternate with them push them out of four sets of
/// four ways. Then an element on lines 32 and 33 takes their place: four requests miss.
#[test]
fn an_element_at_a_computed_place_may_lie_on_two_lines() {
    let line = |number: i64| affine(64 * number, &[(256, 1)]);
    let larger = Expression::binary(BinaryOperator::Maximum, var(0), 0.into());
    let sketch = Sketch {
        parameters: Vec::new(),
        variables: ["c", "i"].map(str::to_owned).into(),
        arrays: vec![doubles("A", 400)],
        body: vec![
            Step::Assign {
                variable: 0,
                value: (33 * 64 - 4).into(),
            },
            count_up(
                1,
                1,
                7,
                vec![
                    store(0, 0.into()),
                    load(0, line(0)),
                    store(0, 64.into()),
                    load(0, line(1)),
                ],
            ),
            load(0, larger),
            Step::Opaque,
        ],
    };
    let (replacement, writing) = (ReplacementPolicy::Lru, WritePolicy::WriteBack);
    check_kinds(
        &sketch,
        0,
        (replacement, writing, AllocationPolicy::WriteAllocate),
    );
}

proptest! {
    #![proptest_config(config(1))]

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
    fn every_run_lies_within_the_joint_bounds(
        sketch in shapeless(Knowledge::Partial),
        seed in any::<u64>(),
    ) {
        check_joint_bounds(&sketch, seed);
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
