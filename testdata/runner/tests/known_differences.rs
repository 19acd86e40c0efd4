//! What premiss is known to get wrong. Each test asserts today's answer, so that its repair is
//! noticed; then the test moves to where the right answer is asserted.

use premiss_testdata::kernel::Kernel;

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
