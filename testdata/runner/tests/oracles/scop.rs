//! Scops against the trace engine: the same accesses in the same order, and coordinates of lines in
//! bijection with the numbers of lines.

use premiss_scop::{ArrayLayout, Obstacle, Reject, Scop, ScopOptions, lower};
use premiss_testdata::closed::{Sizes as Symbolic, lower_symbolic, with_parameters};
use premiss_testdata::kernel::{Kernel, names_in};
use premiss_testdata::memo::compare_once;
use premiss_testdata::scop_walk::Comparison;
use premiss_trace::{Execution, Placement};
use premiss_tree::{NestTree, ParameterId};
use std::collections::BTreeMap;

/// The macros that stand for sizes.
const SIZES: [&str; 16] = [
    "N", "M", "NI", "NJ", "NK", "NL", "NM", "NP", "NQ", "NR", "NX", "NY", "W", "H", "TSTEPS",
    "TMAX",
];

/// Kernels in which data decide what is executed or where.
const DECIDED_BY_DATA: [&str; 22] = [
    "bit_fields",
    "called_for_numbers",
    "changing_bounds",
    "correlation",
    "data_branch",
    "data_chosen_pointers",
    "ends_on_counters",
    "floyd-warshall",
    "indirect",
    "jumps_ahead",
    "loaded_bounds",
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

type Sizes = BTreeMap<ParameterId, i64>;

fn execute<'a>(tree: &'a NestTree, sizes: &Sizes, alignment: u64) -> Execution<'a> {
    let placement = Placement {
        alignment,
        bases: BTreeMap::new(),
    };
    Execution::new(tree, sizes, &placement, 100_000_000)
        .unwrap_or_else(|error| panic!("{}: {error}", tree.function))
}

/// Compares a scop with the engine at some sizes.
fn check(tree: &NestTree, scop: &Scop, sizes: &Sizes, alignment: u64, what: &str) {
    compare_once(tree, &format!("{what} {alignment} {sizes:?}"), || {
        let execution = execute(tree, sizes, alignment);
        let comparison = Comparison {
            tree,
            execution: &execution,
            sizes,
            scop,
        };
        if let Some(difference) = comparison.difference() {
            panic!("{what}: {difference}");
        }
    });
}

fn depends_on_data(result: &Result<Scop, Reject>) -> bool {
    let data = |reject: &Reject| {
        matches!(
            reject,
            Reject::Expression {
                obstacle: Obstacle::Data,
                ..
            }
        )
    };
    result.as_ref().is_err_and(data)
}

/// Kernels at sizes that are numbers, in lines of several sizes.
fn check_fixed(kernel: &str, sizes: &[i64]) {
    let lines = [64, 32, 128, 16].into_iter().cycle();
    for (size, line_size) in sizes.iter().zip(lines) {
        let macros = SIZES.map(|name| (name, if name.starts_with('T') { 2 } else { *size }));
        let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &macros, &[]);
        let tree = read.unit.functions.last().expect("a function");
        let question = ScopOptions {
            line_size,
            layout: ArrayLayout::Aligned,
            sizes: BTreeMap::new(),
        };
        let what = format!("{kernel} of size {size} in lines of {line_size}");
        let result = lower(tree, &question);
        if depends_on_data(&result) {
            assert!(DECIDED_BY_DATA.contains(&kernel), "{what}");
            continue;
        }
        match result {
            Ok(scop) => check(tree, &scop, &Sizes::new(), 4096, &what),
            // Without elements, `a[0]` is one of another array.
            Err(Reject::OutOfBounds(_)) => assert!(*size < 2, "{what}"),
            Err(reject) => panic!("{what}: {}", reject.message(tree)),
        }
    }
}

#[test]
fn polybench_at_sizes_below_a_line() {
    for kernel in names_in("kernels/c") {
        check_fixed(&kernel, &[7, 3, 2, 1, 0]);
    }
}

#[test]
fn polybench_at_sizes_about_a_line() {
    for kernel in names_in("kernels/c") {
        check_fixed(&kernel, &[8, 9, 9, 8]);
    }
}

#[test]
fn polybench_at_sizes_of_some_lines() {
    for kernel in names_in("kernels/c") {
        check_fixed(&kernel, &[17, 16, 20]);
    }
}

#[test]
fn rows_of_twenty_five() {
    for kernel in ["gemm", "jacobi-2d", "lu", "trmm", "mvt", "heat-3d"] {
        check_fixed(kernel, &[25]);
    }
}

fn check_symbolic(path: &str, residue: i64) -> Option<Reject> {
    let read = with_parameters(path, Symbolic::Apart);
    let tree = read.unit.functions.last().expect("a function");
    let scop = match lower_symbolic(tree, residue) {
        Ok(lowered) => lowered,
        Err(reject) => return Some(reject),
    };
    for x in 0..3 {
        let size = |parameter: &premiss_scop::SymbolicParameter| {
            let is_time = parameter.factor == 1;
            let x = if is_time { 2 } else { x };
            (parameter.id, x * parameter.factor + parameter.residue)
        };
        let sizes: Sizes = scop.parameters.iter().map(size).collect();
        if sizes.values().all(|size| *size < 40) {
            check(tree, &scop, &sizes, 4096, &format!("{path} {residue} {x}"));
        }
    }
    None
}

fn check_folder(folder: &str, residues: &[i64], rejected: &[(&str, &str)]) {
    for kernel in names_in(folder) {
        for residue in residues {
            let found = check_symbolic(&format!("{folder}/{kernel}.c"), *residue);
            let code = found.as_ref().map(Reject::code);
            let expected = match rejected.iter().find(|(name, _)| *name == kernel) {
                Some((_, code)) => Some(*code),
                None if DECIDED_BY_DATA.contains(&kernel.as_str()) => Some("depends-on-data"),
                None => None,
            };
            assert_eq!(code, expected, "{kernel} with residue {residue}");
        }
    }
}

#[test]
fn polybench_with_symbolic_sizes_of_whole_lines() {
    check_folder("kernels/c", &[0], &[]);
}

#[test]
fn polybench_with_symbolic_sizes_of_odd_lines() {
    check_folder("kernels/c", &[3, 4], &[]);
}

#[test]
fn micro_kernels_with_symbolic_sizes() {
    check_folder("kernels/c/micro", &[0], &[]);
    // Its tiles leave the rows unless these are multiples of eight.
    check_folder("kernels/c/micro", &[1, 6], &[("mxm_tiled8", "not-affine")]);
}

#[test]
fn shapes_with_symbolic_sizes() {
    let rejected = [
        ("exchanged_pointers", "variable-not-affine"),
        // Trip counts are sums of comparisons, each of which may hold or not.
        ("factor_steps", "too-many-cases"),
        ("lost_in_nests", "variable-not-affine"),
        ("packed_triangular", "variable-not-affine"),
        // The distance between rows is no polynomial in sizes.
        ("rows", "not-affine"),
        ("scalars", "variable-not-affine"),
        ("table_walks", "variable-not-affine"),
    ];
    check_folder("kernels/c/shapes", &[4], &rejected);
    // A count down to zero that is tested at the end goes on for ever from zero.
    let from_zero = [&rejected[..], &[("do_while", "endless-loop")]].concat();
    check_folder("kernels/c/shapes", &[0], &from_zero);
    // A loop of steps of two that ends at zero has an end where it begins at an even number.
    let rejected = [&rejected[..], &[("not_equal", "endless-loop")]].concat();
    check_folder("kernels/c/shapes", &[1, 3], &rejected);
}

#[test]
fn shapes_with_fixed_sizes() {
    for kernel in names_in("kernels/c/shapes") {
        for (size, line_size) in [(1, 64), (9, 64), (14, 32), (20, 128)] {
            let path = format!("kernels/c/shapes/{kernel}.c");
            let read = Kernel::read(&path, &[], &[("n", size), ("m", size + 1), ("e - x", size)]);
            let tree = read.unit.functions.last().expect("a function");
            let question = ScopOptions {
                line_size,
                layout: ArrayLayout::Aligned,
                sizes: BTreeMap::new(),
            };
            let what = format!("{kernel} of size {size} in lines of {line_size}");
            match lower(tree, &question) {
                Ok(scop) => check(tree, &scop, &Sizes::new(), 4096, &what),
                Err(reject) => {
                    let expected = match kernel.as_str() {
                        "exchanged_pointers" | "factor_steps" | "lost_in_nests"
                        | "packed_triangular" | "scalars" | "table_walks" => "variable-not-affine",
                        "not_equal" => "endless-loop",
                        _ => "depends-on-data",
                    };
                    let is_even = size % 2 == 0;
                    assert_eq!(reject.code(), expected, "{what}: {}", reject.message(tree));
                    assert!(expected != "endless-loop" || !is_even, "{what}");
                    let is_data = expected == "depends-on-data";
                    assert!(!is_data || DECIDED_BY_DATA.contains(&kernel.as_str()));
                }
            }
        }
    }
}

#[test]
fn arrays_that_start_within_a_line() {
    for kernel in ["gemm", "lu", "mvt", "jacobi-2d", "trisolv"] {
        for size in [8, 9, 12, 16] {
            let macros = SIZES.map(|name| (name, if name.starts_with('T') { 2 } else { size }));
            let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &macros, &[]);
            let tree = read.unit.functions.last().expect("a function");
            let execution = execute(tree, &Sizes::new(), 64);
            let question = ScopOptions {
                line_size: 128,
                layout: ArrayLayout::Bases(execution.bases().clone()),
                sizes: BTreeMap::new(),
            };
            let what = format!("{kernel} of size {size}");
            match lower(tree, &question) {
                Ok(scop) => check(tree, &scop, &Sizes::new(), 64, &what),
                Err(Reject::SharedLine(..)) => {}
                Err(reject) => panic!("{what}: {}", reject.message(tree)),
            }
        }
    }
}
