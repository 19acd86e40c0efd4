//! Every kernel, at sizes small enough for the oracle, to the last access.

use premiss_histogram::Counted;
use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::judge::execute;
use premiss_testdata::kernel::{Kernel, ODD_SIZES, names_in};
use premiss_testdata::language::Language;
use premiss_testdata::memo::compare_once;
use premiss_tree::NestTree;
use std::panic::catch_unwind;

/// Kernels in which data decide what is executed or where.
const DECIDED_BY_DATA: [&str; 28] = [
    "bit_fields",
    "called_for_numbers",
    "changing_bounds",
    "constant_arguments",
    "correlation",
    "data_branch",
    "data_chosen_pointers",
    "data_chosen_slices",
    "early_exit",
    "early_exits",
    "ends_on_counters",
    "floyd-warshall",
    "indirect",
    "iterator_stages",
    "jumps_ahead",
    "loaded_bounds",
    "lost_in_nests",
    "member_stores",
    "nested_returns",
    "nussinov",
    "own_blocks",
    "real_bounds",
    "real_constants",
    "same_lines",
    "searches",
    "statics",
    "switches",
    "texts",
];

#[test]
fn polybench() {
    check_folder("kernels/c");
}

#[test]
fn micro() {
    check_folder("kernels/c/micro");
}

#[test]
fn shapes() {
    check_folder("kernels/c/shapes");
}

#[test]
fn packages() {
    check_folder("kernels/c/packages");
}

#[test]
fn fortran() {
    check_language(Language::Fortran);
}

#[test]
fn rust() {
    check_language(Language::Rust);
}

/// Checks every kernel of a language and then tells which fail.
fn check_language(language: Language) {
    let fails = |(name, path): &(String, String)| {
        let name = name.rsplit('/').next().unwrap_or_default();
        catch_unwind(|| check(name, &read(path, &ODD_SIZES[..16]))).is_err()
    };
    let kernels = language.kernels().into_iter().filter(fails);
    let failed: Vec<String> = kernels.map(|(_, path)| path).collect();
    assert!(failed.is_empty(), "these fail: {}", failed.join(", "));
}

fn check_folder(folder: &str) {
    for kernel in names_in(folder) {
        let macros = if folder == "kernels/c" {
            &ODD_SIZES[..16]
        } else {
            &[]
        };
        check(&kernel, &read(&format!("{folder}/{kernel}.c"), macros));
    }
}

fn read(path: &str, macros: &[(&str, i64)]) -> Kernel {
    Kernel::read(path, macros, &ODD_SIZES[16..])
}

fn check(kernel: &str, read: &Kernel) {
    let tree = read.unit.functions.last();
    let tree = tree.unwrap_or_else(|| panic!("nothing is read of {kernel}"));
    assert!(
        tree.rejections.is_empty(),
        "{kernel}: {:#?}",
        read.diagnostics()
    );
    compare_once(tree, kernel, || compare(kernel, tree));
}

fn compare(kernel: &str, tree: &NestTree) {
    let accesses = execute(tree, 64).accesses().expect("within budget");
    let all: Counted = tree.references.keys().map(|id| accesses[id]).sum();
    let is_decided = !DECIDED_BY_DATA.contains(&kernel);
    let small = |all: Counted| all.exact().is_some_and(|all| (1..20_000).contains(&all));
    assert!(!is_decided || small(all), "{kernel}: {all:?}");
    let depth = if is_decided {
        Depth::Everything
    } else {
        Depth::Bounds
    };
    for alignment in [64, 4096] {
        if let Some(difference) = difference(tree, alignment, depth) {
            panic!("{kernel} with arrays at multiples of {alignment}: {difference}");
        }
    }
}
