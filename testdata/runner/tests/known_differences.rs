//! What premiss is known to get wrong. Each test asserts today's answer, so that its repair is
//! noticed; then the test moves to where the right answer is asserted.

use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::oracle;
use premiss_testdata::sketch::{
    Sketch, SketchedArray, Step, affine, count_up, doubles, load, store, var,
};
use premiss_trace::{CacheGeometry, Execution, Hierarchy, Placement};
use premiss_tree::{Expression, Storage};
use std::collections::BTreeMap;

fn sketch(variables: &[&str], arrays: Vec<SketchedArray>, body: Vec<Step>) -> Sketch {
    Sketch {
        parameters: Vec::new(),
        variables: variables.iter().map(|&name| name.to_owned()).collect(),
        arrays,
        body,
    }
}

/// References leave their arrays and reach lines of another that moves along.
#[test]
fn references_that_reach_into_another_array() {
    let body = vec![
        load(0, affine(-8, &[(8, 2), (32768, 1), (65536, 0)])),
        load(1, affine(0, &[(8, 2), (4096, 1), (65536, 0)])),
    ];
    let nest = count_up(
        0,
        0,
        10,
        vec![count_up(1, 0, 4, vec![count_up(2, 0, 9, body)])],
    );
    let mut local = doubles("a", 0);
    local.storage = Storage::Local;
    let tree = sketch(&["i", "j", "k"], vec![local, doubles("b", 64)], vec![nest]).tree();
    let found = difference(&tree, 4096, Depth::UsualLines).expect("repaired?");
    assert!(
        found.contains("misses in CacheGeometry { line_size: 64, sets: 8, ways: 1 }"),
        "{found}"
    );
}

/// An access of unknown address may touch a page that its array shares with another; an access to
/// that page through the other array may then hit.
#[test]
fn unknown_addresses_on_a_shared_page() {
    let body = vec![
        load(1, 0.into()),
        store(2, affine(4096, &[(8, 0)])),
        load(0, Expression::Data),
        load(1, affine(0, &[(8, 0)])),
    ];
    let arrays = vec![doubles("x", 100), doubles("y", 100), doubles("z", 2000)];
    let tree = sketch(
        &["i"],
        arrays,
        vec![count_up(0, 0, 1, body), count_up(0, var(0), 1, vec![])],
    );
    let tree = tree.tree();
    let placement = Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    };
    let page = CacheGeometry {
        line_size: 4096,
        sets: 1,
        ways: 1,
    };
    let sizes = BTreeMap::new();
    let engine = Execution::new(&tree, &sizes, &placement, 1000).expect("sizes are known");
    let engine = engine
        .misses(&[page], Hierarchy::Independent)
        .expect("within budget");
    let oracle = oracle::Execution::new(&tree, &sizes, &placement, 1000).expect("sizes are known");
    let oracle = oracle.misses(&[page], Hierarchy::Independent);
    let last = tree.references.keys().next_back().expect("four references");
    assert_eq!(oracle[0][last].bounds(), Some((0, 1)));
    assert_eq!(engine[0][last].bounds(), Some((1, 1)), "repaired?");
}

/// A store to a bit-field should be rejected, or be an access; it is neither.
#[test]
fn bit_fields_vanish() {
    let text = "struct flags { unsigned kind : 3; unsigned age : 29; };\n\
        void birthdays(int n, struct flags *f)\n\
        { for (int i = 0; i < n; i++) f[i].age = 0; }\n";
    let kernel = Kernel::from_bytes("flags.c", text.into(), &[], &[("n", 8)]);
    let tree = kernel.only_tree();
    assert!(
        tree.references.is_empty() && tree.rejections.is_empty(),
        "repaired?"
    );
}
