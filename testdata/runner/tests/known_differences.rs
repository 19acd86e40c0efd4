//! What premiss is known to get wrong. Each test asserts today's answer, so that its repair is
//! noticed; then the test moves to where the right answer is asserted.

use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::kernel::Kernel;
use premiss_testdata::sketch::{Sketch, SketchedArray, Step, affine, count_up, doubles, load};
use premiss_tree::Storage;

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
    assert!(found.contains("sets: 8, ways: 1"), "{found}");
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
