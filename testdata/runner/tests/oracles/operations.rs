//! Operations against those recorded of executed kernels (`testdata/truth/polybench_ops.csv`).

use premiss_histogram::Counted;
use premiss_oracle::executed;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::truth::testdata;
use premiss_tree::{AccessKind, NestTree, Operands, OperationKind, Role};
use std::collections::BTreeMap;

/// More nodes than any of the kernels executes.
const BUDGET: u64 = 1 << 30;

/// The sizes of the data set SMALL; those of MINI stand in the kernels.
const SMALL: [(&str, &[(&str, i64)]); 9] = [
    ("2mm", &[("NI", 40), ("NJ", 50), ("NK", 70), ("NL", 80)]),
    ("atax", &[("M", 116), ("N", 124)]),
    ("floyd-warshall", &[("N", 180)]),
    ("gemm", &[("NI", 60), ("NJ", 70), ("NK", 80)]),
    ("gemver", &[("N", 120)]),
    ("heat-3d", &[("TSTEPS", 40), ("N", 20)]),
    ("jacobi-1d", &[("TSTEPS", 40), ("N", 120)]),
    ("jacobi-2d", &[("TSTEPS", 40), ("N", 90)]),
    ("trmm", &[("M", 60), ("N", 80)]),
];

/// The sizes of a kernel at a data set that are not those in its text.
fn sizes(kernel: &str, dataset: &str) -> Vec<(&'static str, i64)> {
    let known = SMALL.iter().find(|(name, _)| *name == kernel);
    match (dataset, known) {
        ("MINI", _) => Vec::new(),
        (_, Some((_, sizes))) => sizes.to_vec(),
        (_, None) => vec![("N", 120)],
    }
}

/// Counts by the names of the table's columns. Its integer columns hold subscripts, and no loop headers.
fn columns(tree: &NestTree) -> BTreeMap<String, Counted> {
    let executed = executed(tree, &BTreeMap::new(), BUDGET).expect("a kernel that runs");
    let mut columns: BTreeMap<String, Counted> = BTreeMap::new();
    let mut add = |name: &str, times: Counted, each: u32| {
        let column = columns.entry(name.to_owned()).or_insert(Counted::ZERO);
        (0..each).for_each(|_| *column += times);
    };
    for (id, times) in &executed.references {
        let name = match tree.references[*id].kind {
            AccessKind::Load => "loads",
            AccessKind::Store => "stores",
        };
        add(name, times.counted(), 1);
    }
    for (id, times) in &executed.operations {
        let arithmetic = &tree.work.operations[*id].arithmetic;
        for (operation, each) in &arithmetic.performed {
            if operation.role == Role::Header {
                continue;
            }
            let prefix = match operation.operands {
                Operands::Integer(_) => "int",
                Operands::Floating(_) | Operands::Complex(_) => "fp",
            };
            let name = match operation.kind {
                OperationKind::Add => "add",
                OperationKind::Subtract => "sub",
                OperationKind::Multiply => "mul",
                OperationKind::Divide => "div",
                OperationKind::Remainder => "mod",
                OperationKind::Negate => "neg",
                OperationKind::SquareRoot => "sqrt",
                OperationKind::Compare => "cmp",
                OperationKind::Call(_) => "call",
                OperationKind::Bits => "bits",
            };
            add(&format!("{prefix}_{name}"), times.counted(), *each);
        }
    }
    columns
}

#[test]
fn every_row_of_the_table_is_what_the_kernel_executes() {
    let path = testdata().join("truth/polybench_ops.csv");
    let text = std::fs::read_to_string(path).expect("the table is there");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut n_rows = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let (kernel, dataset) = (fields[0], fields[1]);
        let read = Kernel::read(
            &format!("kernels/c/{kernel}.c"),
            &sizes(kernel, dataset),
            &[],
        );
        let columns = columns(read.only_tree());
        assert!(!columns.contains_key("fp_bits") && !columns.contains_key("int_bits"));
        for (name, field) in names.iter().zip(&fields).skip(2) {
            let expected: u64 = field.parse().expect("a number");
            let found = columns.get(*name).copied().unwrap_or(Counted::ZERO);
            let (lower, upper) = found.bounds().expect("all is counted");
            let is_right = match kernel {
                // Data decide which path is shorter: the recorded run lies within.
                "floyd-warshall" => lower <= expected && expected <= upper,
                _ => found == Counted::Exact(expected),
            };
            assert!(
                is_right,
                "{kernel} {dataset} {name}: {found:?}, not {expected}"
            );
        }
        n_rows += 1;
    }
    assert_eq!(n_rows, 24, "rows of the table");
}
