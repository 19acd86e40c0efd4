//! FIFO, tree-PLRU and NRU where iterations are passed over: sweeps that repeat, walks down columns, stencils, for all
//! numbers of ways up to 16, alone and in chains, against the oracle.

use crate::every_cache::OracleAndEngine;
use premiss_cache::{CacheModel, Hierarchy, ReplacementPolicy};
use premiss_histogram::Counted;
use premiss_testdata::compare::cache;
use premiss_testdata::kernel::{Kernel, ODD_SIZES, names_in};
use premiss_testdata::memo::compare_once;
use premiss_testdata::random::{Knowledge, config, shapeless, sweeps};
use premiss_trace::{Execution, Placement};
use premiss_tree::NestTree;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Accesses that the oracle may list.
const ACCESSES: u64 = 100_000;

const POLICIES: [ReplacementPolicy; 4] = [
    ReplacementPolicy::Fifo,
    ReplacementPolicy::TreePlru,
    ReplacementPolicy::Nru,
    ReplacementPolicy::Lru,
];

fn model(replacement: ReplacementPolicy, line: u64, sets: u64, ways: u64) -> CacheModel {
    let ways = match replacement {
        ReplacementPolicy::TreePlru => ways.next_power_of_two(),
        _ => ways,
    };
    CacheModel {
        replacement,
        ..CacheModel::lru_write_back(cache(line, sets, ways))
    }
}

/// A level by itself, and with one or two below.
fn check(both: &OracleAndEngine<'_>, levels: &[CacheModel]) {
    for depth in 1..=levels.len() {
        both.check(&levels[..depth], Hierarchy::Filtered);
    }
}

/// Levels of the shapes that sweeps of a few thousand accesses fill.
fn levels() -> impl Strategy<Value = Vec<CacheModel>> {
    let level = (
        prop::sample::select(vec![16_u64, 24, 32, 64]),
        prop::sample::select(vec![1_u64, 2, 3, 4, 5, 8, 16, 64, 67]),
        1..=16_u64,
        prop::sample::select(POLICIES[..3].to_vec()),
    );
    let level = level.prop_map(|(line, sets, ways, policy)| model(policy, line, sets, ways));
    prop::collection::vec(level, 1..=3)
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn repeated_sweeps(sketch in sweeps(), levels in levels()) {
        let tree = sketch.tree();
        if let Some(both) = OracleAndEngine::new(&tree, 64, ACCESSES) {
            check(&both, &levels);
        }
    }

    #[test]
    fn any_shape(sketch in shapeless(Knowledge::Full), levels in levels()) {
        let tree = sketch.tree();
        if let Some(both) = OracleAndEngine::new(&tree, 64, ACCESSES) {
            check(&both, &levels);
        }
    }
}

proptest! {
    #![proptest_config(config(1))]

    /// Where data decide, first accesses miss: as many as have no earlier access in a histogram.
    #[test]
    fn first_accesses_miss(sketch in shapeless(Knowledge::Partial)) {
        let tree = sketch.tree();
        let placement = Placement {
            alignment: 64,
            bases: BTreeMap::new(),
        };
        let Ok(execution) = Execution::new(&tree, &BTreeMap::new(), &placement, 1_000_000) else {
            return Ok(());
        };
        let level = model(ReplacementPolicy::Fifo, 64, 4, 2);
        let (Ok(runs), Ok(histograms)) = (
            execution.simulate(&[level], Hierarchy::Independent),
            execution.histograms(64),
        ) else {
            return Ok(());
        };
        for (id, misses) in runs[0].misses.iter() {
            if let (Some((least, _)), Some((cold, _))) =
                (misses.bounds(), histograms[id].cold().bounds())
            {
                prop_assert!(cold <= least, "{id}: {least}, not {cold}");
            }
        }
    }
}

fn check_tree(tree: &NestTree, name: &str) {
    compare_once(tree, name, || {
        let Some(both) = OracleAndEngine::new(tree, 4096, ACCESSES) else {
            return;
        };
        for policy in &POLICIES[..3] {
            for (sets, ways) in [(4, 2), (8, 8), (3, 5), (16, 1), (2, 16)] {
                both.check(&[model(*policy, 64, sets, ways)], Hierarchy::Independent);
            }
            for below in POLICIES {
                let chain = [model(*policy, 64, 4, 4), model(below, 64, 8, 8)];
                both.check(&chain, Hierarchy::Filtered);
                let chain = [model(below, 32, 4, 2), model(*policy, 64, 3, 8)];
                both.check(&chain, Hierarchy::Filtered);
            }
        }
    });
}

#[test]
fn kernels_at_odd_sizes() {
    for name in names_in("kernels/c") {
        let path = format!("kernels/c/{name}.c");
        let kernel = Kernel::read(&path, &ODD_SIZES[..16], &[]);
        for tree in &kernel.unit.functions {
            check_tree(tree, &name);
        }
    }
}

/// Walks down columns, for which lines stay the same for several iterations of the loop around, and the loops around that.
#[test]
fn columns() {
    let kernels: [(&str, &[(&str, i64)]); 8] = [
        ("gemm", &[("NI", 5), ("NJ", 43), ("NK", 50)]),
        ("2mm", &[("NI", 4), ("NJ", 40), ("NK", 48), ("NL", 33)]),
        ("doitgen", &[("NQ", 3), ("NR", 19), ("NP", 24)]),
        ("syrk", &[("M", 24), ("N", 33)]),
        ("trmm", &[("M", 30), ("N", 40)]),
        ("lu", &[("N", 40)]),
        ("gramschmidt", &[("M", 32), ("N", 24)]),
        ("jacobi-2d", &[("TSTEPS", 9), ("N", 28)]),
    ];
    for (name, sizes) in kernels {
        let kernel = Kernel::read(&format!("kernels/c/{name}.c"), sizes, sizes);
        check_tree(kernel.unit.functions.last().expect("a function"), name);
    }
}

/// Stencils in an L1 of 32 KiB in 8 ways, in few steps. The misses are those of loops written for these kernels and this cache.
#[test]
fn stencils_recur() {
    let jacobi_2d = [("TSTEPS", 500), ("N", 1300)];
    check_misses("jacobi-2d", &jacobi_2d, [843_702_000, 843_701_876]);
    let seidel_2d = [("TSTEPS", 500), ("N", 2000)];
    check_misses("seidel-2d", &seidel_2d, [749_250_000, 749_249_930]);
    check_misses("jacobi-1d", &[("TSTEPS", 500), ("N", 2000)], [500; 2]);
}

fn check_misses(name: &str, sizes: &[(&str, i64)], expected: [u64; 2]) {
    let kernel = Kernel::read(&format!("kernels/c/{name}.c"), sizes, sizes);
    let placement = Placement {
        alignment: 4096,
        bases: BTreeMap::new(),
    };
    let tree = kernel.unit.functions.last().expect("a function");
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 20_000_000);
    let execution = execution.expect("its arrays fit");
    for (policy, misses) in POLICIES.into_iter().zip(expected) {
        let level = model(policy, 64, 64, 8);
        let runs = execution.simulate(&[level], Hierarchy::Independent);
        let runs = runs.expect("few steps suffice");
        let total: Counted = runs[0].misses.values().copied().sum();
        assert_eq!(total, Counted::Exact(misses), "{name} {policy:?}");
    }
}
