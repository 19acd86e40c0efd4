//! Caches of every kind: each replacement with each way of writing, alone and in each hierarchy,
//! against the oracle, on kernels and on random nests.

use premiss_cache::{
    AllocationPolicy, CacheGeometry, CacheModel, Hierarchy, ReplacementPolicy, WritePolicy,
};
use premiss_histogram::Counted;
use premiss_oracle as oracle;
use premiss_testdata::compare::cache;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::memo::compare_once;
use premiss_testdata::random::{Knowledge, config, shapeless, sweeps};
use premiss_trace::{Execution, LevelRun, Placement, SEEDS};
use premiss_tree::{EntityRef, NestTree};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Accesses that the oracle may list.
const ACCESSES: u64 = 6_000;
const STEPS: u64 = 10_000_000;

const WRITINGS: [WritePolicy; 2] = [WritePolicy::WriteBack, WritePolicy::WriteThrough];
const ALLOCATIONS: [AllocationPolicy; 2] = [
    AllocationPolicy::WriteAllocate,
    AllocationPolicy::NoWriteAllocate,
];
const HIERARCHIES: [Hierarchy; 4] = [
    Hierarchy::Independent,
    Hierarchy::Filtered,
    Hierarchy::Inclusive,
    Hierarchy::Exclusive,
];

/// One to three levels: one way, one set, odd numbers of sets; larger lines below; levels that are
/// smaller than the one above; lines that no element size divides.
const CHAINS: [&[CacheGeometry]; 12] = [
    &[cache(64, 4, 2)],
    &[cache(64, 1, 4)],
    &[cache(64, 1, 3)],
    &[cache(64, 8, 1)],
    &[cache(24, 3, 4)],
    &[cache(64, 1, 64)],
    &[cache(64, 2, 2), cache(64, 4, 4)],
    &[cache(64, 3, 1), cache(128, 1, 4)],
    &[cache(16, 5, 2), cache(48, 3, 4)],
    &[cache(64, 1, 8), cache(64, 1, 4)],
    &[cache(32, 2, 2), cache(32, 3, 4), cache(32, 16, 2)],
    &[cache(32, 4, 1), cache(64, 1, 4), cache(256, 3, 2)],
];

/// All kinds of one level.
fn kinds() -> Vec<(ReplacementPolicy, WritePolicy, AllocationPolicy)> {
    let mut kinds = Vec::new();
    for replacement in ReplacementPolicy::ALL {
        for writing in WRITINGS {
            for allocation in ALLOCATIONS {
                kinds.push((replacement, writing, allocation));
            }
        }
    }
    kinds
}

/// The levels of a chain, of the kinds from one on in steps of `stride`.
fn models(chain: &[CacheGeometry], first: usize, stride: usize) -> Vec<CacheModel> {
    let kinds = kinds();
    let model = |(idx, geometry): (usize, &CacheGeometry)| {
        let (replacement, writing, allocation) = kinds[(first + idx * stride) % kinds.len()];
        CacheModel {
            geometry: *geometry,
            replacement,
            writing,
            allocation,
        }
    };
    chain.iter().enumerate().map(model).collect()
}

/// Whether levels can be a chain.
fn can_be(levels: &[CacheModel], hierarchy: Hierarchy) -> bool {
    let line = |level: &CacheModel| level.geometry.line_size;
    levels.windows(2).all(|pair| match hierarchy {
        Hierarchy::Inclusive => line(&pair[1]).is_multiple_of(line(&pair[0])),
        Hierarchy::Exclusive => line(&pair[1]) == line(&pair[0]),
        Hierarchy::Independent | Hierarchy::Filtered => true,
    })
}

/// A tree, run by both.
pub(crate) struct OracleAndEngine<'a> {
    tree: &'a NestTree,
    oracle: oracle::Execution<'a>,
    engine: Execution<'a>,
}

impl<'a> OracleAndEngine<'a> {
    /// `None` where the oracle cannot say, or would list more accesses than these.
    pub(crate) fn new(tree: &'a NestTree, alignment: u64, accesses: u64) -> Option<Self> {
        let placement = Placement {
            alignment,
            bases: BTreeMap::new(),
        };
        let sizes = BTreeMap::new();
        let oracle = oracle::Execution::new(tree, &sizes, &placement, accesses).ok()?;
        let engine = Execution::new(tree, &sizes, &placement, STEPS).ok()?;
        oracle.is_certain().then_some(Self {
            tree,
            oracle,
            engine,
        })
    }

    pub(crate) fn check(&self, levels: &[CacheModel], hierarchy: Hierarchy) {
        if !can_be(levels, hierarchy) {
            assert!(self.engine.simulate(levels, hierarchy).is_err());
            return;
        }
        let what = format!("{hierarchy:?} {levels:?}");
        let found = self.engine.simulate(levels, hierarchy);
        let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
        let is_random = |level: &CacheModel| level.replacement == ReplacementPolicy::Random;
        let seeds = match levels.iter().any(is_random) {
            true => SEEDS,
            false => 0..=0,
        };
        let expected: Vec<_> = seeds
            .map(|seed| self.expected(levels, hierarchy, seed))
            .collect();
        for (idx, run) in found.iter().enumerate() {
            let of_level: Vec<_> = expected.iter().map(|levels| &levels[idx]).collect();
            self.compare(&format!("{what}, level {idx}"), run, &of_level);
        }
    }

    fn expected(
        &self,
        levels: &[CacheModel],
        hierarchy: Hierarchy,
        seed: u64,
    ) -> Vec<oracle::Counts> {
        if hierarchy != Hierarchy::Independent {
            return self.oracle.kinds(levels, hierarchy, seed);
        }
        let alone = |level: &CacheModel| self.oracle.kinds(&[*level], hierarchy, seed).remove(0);
        levels.iter().map(alone).collect()
    }

    fn compare(&self, what: &str, found: &LevelRun, expected: &[&oracle::Counts]) {
        for id in self.tree.references.keys() {
            let of = |x: &&oracle::Counts| x.misses.get(&id.index()).copied().unwrap_or(0);
            let counts: Vec<u64> = expected.iter().map(of).collect();
            same(
                &format!("{what}: misses of {id}"),
                found.misses[id],
                &counts,
            );
        }
        let all = |number: fn(&oracle::Counts) -> u64| -> Vec<u64> {
            expected.iter().map(|x| number(x)).collect()
        };
        let misses = all(|x| x.misses.values().sum());
        let numbers = [
            all(|x| x.write_backs),
            all(|x| x.bytes_read),
            all(|x| x.bytes_written),
        ];
        if let Some(traffic) = found.traffic {
            let counts = [
                traffic.write_backs,
                traffic.bytes_read,
                traffic.bytes_written,
            ];
            for (count, numbers) in counts.into_iter().zip(&numbers) {
                same(&format!("{what}: traffic {traffic:?}"), count, numbers);
            }
        }
        if let Some(spread) = found.spread {
            let ends = |x: &Vec<u64>| (*x.iter().min().unwrap(), *x.iter().max().unwrap());
            assert_eq!(spread.misses, ends(&misses), "{what}");
            let spreads = [spread.write_backs, spread.bytes_read, spread.bytes_written];
            assert_eq!(spreads, [0, 1, 2].map(|idx| ends(&numbers[idx])), "{what}");
        }
    }

    /// What passes below levels of the access model.
    fn check_traffic(&self, geometry: CacheGeometry) {
        let level = CacheModel::lru_write_back(geometry);
        let expected = self.expected(&[level], Hierarchy::Independent, 0).remove(0);
        let found = self.engine.traffic(geometry).expect("it can be counted");
        let what = format!("{geometry:?}");
        same(&what, found.write_backs, &[expected.write_backs]);
        same(&what, found.bytes_read, &[expected.bytes_read]);
        same(&what, found.bytes_written, &[expected.bytes_written]);
    }
}

/// An exact number, or an estimate that is the mean of several.
fn same(what: &str, found: Counted, expected: &[u64]) {
    match found {
        Counted::Exact(found) => assert!(
            expected.iter().all(|x| *x == found),
            "{what}: {found}, not {expected:?}"
        ),
        Counted::Estimate(found) => {
            let found = found.value;
            let mean = expected.iter().sum::<u64>() as f64 / expected.len() as f64;
            assert!((found - mean).abs() < 1e-6, "{what}: {found}, not {mean}");
        }
        _ => panic!("{what}: {found:?}"),
    }
}

/// Every kind in every chain and hierarchy; levels below have another kind, by a stride.
fn check_all(tree: &NestTree, stride: usize) {
    if let Some(both) = OracleAndEngine::new(tree, 64, ACCESSES) {
        for hierarchy in HIERARCHIES {
            for chain in CHAINS {
                for first in 0..kinds().len() {
                    let levels = models(chain, first, stride);
                    if has_trees(&levels) {
                        both.check(&levels, hierarchy);
                    }
                }
            }
        }
        CHAINS
            .iter()
            .flat_map(|x| *x)
            .for_each(|x| both.check_traffic(*x));
    }
}

/// Trees need a power of two of ways.
fn has_trees(levels: &[CacheModel]) -> bool {
    let is_fine = |level: &CacheModel| {
        level.replacement != ReplacementPolicy::TreePlru || level.geometry.ways.is_power_of_two()
    };
    levels.iter().all(is_fine)
}

fn check_kernel(path: &str, function: &str, macros: &[(&str, i64)], sizes: &[(&str, i64)]) {
    let kernel = Kernel::read(path, macros, sizes);
    let tree = kernel.tree(function);
    compare_once(tree, path, || {
        assert!(
            OracleAndEngine::new(tree, 64, ACCESSES).is_some(),
            "{path} is short and certain"
        );
        for stride in [0, 7] {
            check_all(tree, stride);
        }
    });
}

#[test]
fn gemm() {
    let sizes = [("NI", 7), ("NJ", 9), ("NK", 10)];
    check_kernel("kernels/c/gemm.c", "kernel_gemm", &sizes, &[]);
}

#[test]
fn jacobi_2d() {
    let sizes = [("N", 13), ("TSTEPS", 2)];
    check_kernel("kernels/c/jacobi-2d.c", "kernel_jacobi_2d", &sizes, &[]);
}

#[test]
fn lu() {
    check_kernel("kernels/c/lu.c", "kernel_lu", &[("N", 12)], &[]);
}

#[test]
fn transpose() {
    check_kernel(
        "kernels/c/micro/transpose.c",
        "transpose",
        &[],
        &[("n", 30)],
    );
}

#[test]
fn standing_still() {
    let path = "kernels/c/shapes/standing_still.c";
    check_kernel(path, "standing_still", &[], &[("n", 20)]);
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn any_shape(
        sketch in shapeless(Knowledge::Full),
        chain in 0..CHAINS.len(),
        hierarchy in 0..HIERARCHIES.len(),
        stride in 0_usize..20,
    ) {
        let tree = sketch.tree();
        if let Some(both) = OracleAndEngine::new(&tree, 64, ACCESSES) {
            for first in 0..kinds().len() {
                let levels = models(CHAINS[chain], first, stride);
                if has_trees(&levels) {
                    both.check(&levels, HIERARCHIES[hierarchy]);
                }
            }
        }
    }

    #[test]
    fn traffic_of_the_usual_caches(sketch in sweeps()) {
        let tree = sketch.tree();
        if let Some(both) = OracleAndEngine::new(&tree, 64, ACCESSES) {
            for chain in CHAINS {
                let levels: Vec<_> = chain.iter().map(|x| CacheModel::lru_write_back(*x)).collect();
                both.check(&levels, Hierarchy::Filtered);
                chain.iter().for_each(|x| both.check_traffic(*x));
            }
        }
    }
}
