//! Scops against the trace engine: the same accesses in the same order, and coordinates of lines in
//! bijection with line numbers.

use premiss_scop::{Layout, Question, Scop, Size, lower};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::scop_walk::difference;
use premiss_testdata::truth::testdata;
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::fs;

fn fixed(line_size: u64) -> Question {
    Question {
        line_size,
        layout: Layout::Aligned,
        sizes: BTreeMap::new(),
    }
}

fn lowered(tree: &NestTree, question: &Question) -> Scop {
    lower(tree, question)
        .unwrap_or_else(|reject| panic!("{}: {}", tree.function, reject.message(tree)))
}

fn kernels(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(testdata().join(folder)).expect("a folder of kernels");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("a plain name"));
    let mut kernels: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(".c")?.to_owned()))
        .collect();
    kernels.sort();
    kernels
}

const MACROS: [&str; 16] = [
    "N", "M", "NI", "NJ", "NK", "NL", "NM", "NP", "NQ", "NR", "NX", "NY", "W", "H", "TSTEPS",
    "TMAX",
];

#[test]
fn polybench_at_fixed_sizes() {
    for kernel in kernels("kernels/c") {
        for size in [1, 2, 3, 7, 8, 9, 16, 17, 20] {
            let macros = MACROS.map(|name| (name, if name.starts_with('T') { 2 } else { size }));
            let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &macros, &[]);
            let tree = read.unit.functions.last().expect("a function");
            for line_size in [64, 32] {
                let question = fixed(line_size);
                match lower(tree, &question) {
                    Ok(scop) => {
                        let difference = difference(tree, &scop, &question, &BTreeMap::new(), 4096);
                        assert_eq!(difference, None, "{kernel} {size} {line_size}");
                    }
                    Err(reject) => {
                        println!("{kernel} {size} {line_size}: {}", reject.message(tree))
                    }
                }
            }
        }
    }
}

#[test]
fn gemm() {
    let read = Kernel::read(
        "kernels/c/gemm.c",
        &[("NI", 9), ("NJ", 20), ("NK", 16)],
        &[],
    );
    let tree = read.only_tree();
    let question = fixed(64);
    let scop = lowered(tree, &question);
    let difference = difference(tree, &scop, &question, &BTreeMap::new(), 4096);
    assert_eq!(difference, None);
}

#[test]
fn symbolic() {
    for (folder, kernel) in [
        ("micro", "mvt"),
        ("micro", "transpose"),
        ("micro", "mxm_ijk"),
        ("shapes", "vla"),
        ("shapes", "linearised"),
    ] {
        let read = Kernel::read(&format!("kernels/c/{folder}/{kernel}.c"), &[], &[]);
        let tree = read.unit.functions.last().expect("a function");
        for residue in [0, 1, 3, 4] {
            let mut question = fixed(64);
            for id in tree.used_parameters() {
                question
                    .sizes
                    .insert(id, Size::Symbolic { factor: 8, residue });
            }
            let scop = match lower(tree, &question) {
                Ok(scop) => scop,
                Err(reject) => {
                    println!("{kernel} {residue}: {}", reject.message(tree));
                    continue;
                }
            };
            for x in 0..4 {
                let size = 8 * x + residue;
                let sizes: BTreeMap<_, _> = tree
                    .used_parameters()
                    .into_iter()
                    .map(|id| (id, size))
                    .collect();
                let difference = difference(tree, &scop, &question, &sizes, 4096);
                assert_eq!(difference, None, "{kernel} at {size}");
            }
        }
    }
}
