//! Which caches can be simulated, which levels can form a hierarchy, and which cache follows reuse distances.

use crate::{
    AllocationPolicy, CacheError, CacheGeometry, CacheModel, Hierarchy, MAX_WAYS_WITH_BITS,
    ReplacementPolicy, WritePolicy,
};
use std::collections::BTreeSet;

const HIERARCHIES: [Hierarchy; 4] = [
    Hierarchy::Independent,
    Hierarchy::Filtered,
    Hierarchy::Inclusive,
    Hierarchy::Exclusive,
];

fn shape(line_size: u64, sets: u64, ways: u64) -> CacheGeometry {
    CacheGeometry {
        line_size,
        sets,
        ways,
    }
}

/// A set of so many ways with a policy.
fn set(replacement: ReplacementPolicy, ways: u64) -> CacheModel {
    CacheModel {
        replacement,
        ..CacheModel::lru_write_back(shape(64, 1, ways))
    }
}

/// Levels whose lines have these sizes, nearest first.
fn levels(line_sizes: &[u64]) -> Vec<CacheModel> {
    let level = |size: &u64| CacheModel::lru_write_back(shape(*size, 64, 8));
    line_sizes.iter().map(level).collect()
}

#[test]
fn a_shape_may_have_any_numbers_from_one_up_to_the_greatest() {
    // Neither lines nor sets need be powers of two.
    for sound in [
        shape(1, 1, 1),
        shape(24, 3, 5),
        shape(1 << 40, 1 << 60, 1 << 60),
    ] {
        assert_eq!(sound.check(), Ok(()), "{sound:?}");
    }
    for unsound in [
        shape(0, 1, 1),
        shape(64, 0, 1),
        shape(64, 1, 0),
        shape((1 << 40) + 1, 1, 1),
        shape(64, (1 << 60) + 1, 1),
        shape(64, 1, (1 << 60) + 1),
    ] {
        assert_eq!(unsound.check(), Err(CacheError::Geometry(unsound)));
    }
}

#[test]
fn a_capacity_is_that_of_all_sets_or_the_greatest_number() {
    assert_eq!(shape(64, 1, 1).lines(), 1);
    assert_eq!(shape(64, 3, 5).lines(), 15);
    assert_eq!(shape(64, 1 << 32, 1 << 31).lines(), 1 << 63);
    assert_eq!(shape(64, 1 << 32, 1 << 32).lines(), u64::MAX);
}

#[test]
fn a_tree_needs_a_power_of_two_of_ways_and_no_other_policy_does() {
    for policy in ReplacementPolicy::ALL {
        for ways in [1, 2, 3, 4, 6, 8] {
            let is_refused = policy == ReplacementPolicy::TreePlru && [3, 6].contains(&ways);
            let expected = match is_refused {
                true => Err(CacheError::TreeWays(ways)),
                false => Ok(()),
            };
            assert_eq!(set(policy, ways).check(), expected, "{policy:?} of {ways}");
        }
    }
}

#[test]
fn only_policies_with_bits_for_each_way_limit_the_ways() {
    for policy in ReplacementPolicy::ALL {
        let has_bits = match policy {
            ReplacementPolicy::TreePlru | ReplacementPolicy::Nru => true,
            ReplacementPolicy::Lru | ReplacementPolicy::Fifo | ReplacementPolicy::Random => false,
        };
        assert_eq!(set(policy, MAX_WAYS_WITH_BITS).check(), Ok(()));
        let larger = set(policy, 2 * MAX_WAYS_WITH_BITS);
        assert_eq!(larger.check().is_err(), has_bits, "{policy:?}");
    }
}

#[test]
fn each_policy_is_listed_once() {
    let place = |policy: &ReplacementPolicy| match policy {
        ReplacementPolicy::Lru => 0,
        ReplacementPolicy::Fifo => 1,
        ReplacementPolicy::TreePlru => 2,
        ReplacementPolicy::Nru => 3,
        ReplacementPolicy::Random => 4,
    };
    let places: Vec<i32> = ReplacementPolicy::ALL.iter().map(place).collect();
    let distinct: BTreeSet<i32> = places.iter().copied().collect();
    assert_eq!(distinct, (0..5).collect());
    assert_eq!(places.len(), distinct.len());
}

#[test]
fn lines_of_an_inclusive_level_are_multiples_of_those_above_and_of_an_exclusive_one_equal() {
    let fits = |hierarchy: Hierarchy, sizes: &[u64]| match hierarchy.check(&levels(sizes)) {
        Ok(()) => true,
        Err(error) => {
            assert_eq!(error, CacheError::Lines(hierarchy), "{sizes:?}");
            false
        }
    };
    let hierarchies_of = |sizes: &[u64]| HIERARCHIES.map(|hierarchy| fits(hierarchy, sizes));
    assert_eq!(hierarchies_of(&[64, 64, 64]), [true, true, true, true]);
    assert_eq!(hierarchies_of(&[32, 64, 192]), [true, true, true, false]);
    // Smaller lines below, and lines that do not divide each other; the fault may be in the last pair alone.
    assert_eq!(hierarchies_of(&[64, 32]), [true, true, false, false]);
    assert_eq!(hierarchies_of(&[64, 96]), [true, true, false, false]);
    assert_eq!(hierarchies_of(&[64, 64, 32]), [true, true, false, false]);
}

#[test]
fn one_level_or_none_fits_any_hierarchy_and_a_level_must_be_sound_in_each() {
    for hierarchy in HIERARCHIES {
        assert_eq!(hierarchy.check(&[]), Ok(()));
        assert_eq!(hierarchy.check(&levels(&[24])), Ok(()));
        let tree = set(ReplacementPolicy::TreePlru, 3);
        let chain = [levels(&[64]), vec![tree]].concat();
        assert_eq!(hierarchy.check(&chain), Err(CacheError::TreeWays(3)));
    }
}

#[test]
fn misses_follow_reuse_distances_under_lru_with_allocation_however_stores_are_written() {
    let plain = CacheModel::lru_write_back(shape(64, 2, 2));
    assert!(plain.is_lru_write_back() && plain.follows_reuse_distance());
    let through = CacheModel {
        writing: WritePolicy::WriteThrough,
        ..plain
    };
    assert!(!through.is_lru_write_back() && through.follows_reuse_distance());
    let around = CacheModel {
        allocation: AllocationPolicy::NoWriteAllocate,
        ..plain
    };
    assert!(!around.is_lru_write_back() && !around.follows_reuse_distance());
    for policy in ReplacementPolicy::ALL {
        let is_lru = policy == ReplacementPolicy::Lru;
        assert_eq!(set(policy, 2).follows_reuse_distance(), is_lru);
        assert_eq!(set(policy, 2).is_lru_write_back(), is_lru);
    }
}

#[test]
fn a_refusal_names_the_rule_of_its_hierarchy() {
    let rule = |hierarchy: Hierarchy| CacheError::Lines(hierarchy).to_string();
    assert!(rule(Hierarchy::Exclusive).contains("one size"));
    assert!(rule(Hierarchy::Inclusive).contains("multiples"));
    let shape = CacheError::Geometry(shape(64, 0, 8)).to_string();
    assert!(shape.contains("0 sets of 8 lines of 64 bytes"), "{shape}");
}
