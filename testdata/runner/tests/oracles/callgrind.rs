//! Misses against those that valgrind's callgrind counted while compiled kernels ran
//! (`testdata/callgrind`).

use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_histogram::Counted;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::truth::testdata;
use premiss_trace::{Execution, Placement};
use premiss_tree::AccessKind;
use std::collections::BTreeMap;
use std::fs;

/// Accesses to the stack, and misses on its account.
const ACCESSES: u64 = 8;
const MISSES: u64 = 5;

#[test]
fn misses_are_those_of_callgrind() {
    let path = testdata().join("callgrind/callgrind.csv");
    let text = fs::read_to_string(path).expect("the recorded figures");
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(';').collect();
        let [kernel, function, sizes, bases, cache, counts @ ..] = &fields[..] else {
            panic!("{line}: too few fields");
        };
        let counts: Vec<u64> = counts
            .iter()
            .map(|x| x.parse().expect("a number"))
            .collect();
        let found = predict(
            kernel,
            function,
            &pairs(sizes),
            &pairs(bases),
            geometry(cache),
        );
        for (idx, (found, recorded)) in found.iter().zip(&counts).enumerate() {
            let allowed = if idx < 2 { ACCESSES } else { MISSES };
            let apart = found.abs_diff(*recorded);
            assert!(apart <= allowed, "{line}: premiss counts {found:?}");
        }
        rows += 1;
    }
    assert_eq!(rows, 16);
}

/// Loads, stores, and the misses of each.
fn predict(
    kernel: &str,
    function: &str,
    sizes: &[(&str, i64)],
    bases: &[(&str, i64)],
    cache: CacheGeometry,
) -> [u64; 4] {
    let is_macro = |(name, _): &(&str, i64)| name.starts_with(char::is_uppercase);
    let (macros, sizes): (Vec<_>, Vec<_>) = sizes.iter().partition(|x| is_macro(x));
    let kernel = Kernel::read(&format!("kernels/c/{kernel}.c"), &macros, &sizes);
    let tree = kernel.tree(function);
    let base = |(name, address): &(&str, i64)| ((*name).to_owned(), address.unsigned_abs());
    let placement = Placement {
        alignment: 64,
        bases: bases.iter().map(base).collect(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 1_000_000_000);
    let execution = execution.expect("the sizes are given");
    let accesses = execution.accesses().expect("it ends");
    let misses = execution.misses(&[cache], Hierarchy::Independent);
    let misses = misses.expect("it ends").remove(0);
    let sum = |counts: &premiss_trace::PerReference<Counted>, kind: AccessKind| -> u64 {
        let of_kind = tree.references.iter().filter(|(_, x)| x.kind == kind);
        of_kind
            .map(|(id, _)| counts[id].exact().expect("nothing depends on data"))
            .sum()
    };
    let [load, store] = [AccessKind::Load, AccessKind::Store];
    [
        sum(&accesses, load),
        sum(&accesses, store),
        sum(&misses, load),
        sum(&misses, store),
    ]
}

/// `n=60 m=3`
fn pairs(text: &str) -> Vec<(&str, i64)> {
    let pair = |text| {
        let (name, value): (&str, &str) = str::split_once(text, '=').expect("NAME=VALUE");
        (name, value.parse().expect("a number"))
    };
    text.split_whitespace().map(pair).collect()
}

/// `32768,8,64`: size, ways, line.
fn geometry(text: &str) -> CacheGeometry {
    let numbers: Vec<u64> = text
        .split(',')
        .map(|x| x.parse().expect("a number"))
        .collect();
    let [size, ways, line_size] = numbers[..] else {
        panic!("{text}: SIZE,WAYS,LINE");
    };
    CacheGeometry {
        line_size,
        sets: size / (ways * line_size),
        ways,
    }
}
