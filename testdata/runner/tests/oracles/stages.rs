//! Every stage of a dozen small kernels, from the tree to the symbolic histogram, is as accepted under `snapshots/stages`:
//! a change of an engine is seen in the stage where it happens. Read every changed line before accepting it
//! (`INSTA_UPDATE=always cargo test -p premiss-testdata --test oracles stages::`).

use premiss_dataflow::analyze;
use premiss_distance::derive;
use premiss_isl::with_budget;
use premiss_presburger::Budget;
use premiss_scop::ScopNames;
use premiss_testdata::closed::{Effort, lower_in_class};
use premiss_testdata::kernel::Kernel;

/// The smallest kernels with each kind of reuse, order of iterations and subscript.
const KERNELS: [&str; 12] = [
    "micro/triad",
    "micro/triad2x",
    "micro/fission",
    "micro/fusion",
    "micro/mvt",
    "micro/mvtT",
    "micro/transpose",
    "micro/mxm_ikj",
    "shapes/downward",
    "shapes/red_black",
    "shapes/strided",
    "shapes/triangular_solve",
];

fn check(kernel: &str, stage: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/stages");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = kernel.rsplit('/').next().unwrap_or(kernel);
    settings.bind(|| insta::assert_snapshot!(format!("{name}-{stage}"), text));
}

/// Sizes are symbolic, multiples of the elements in a line of 64 bytes.
#[test]
fn stages_are_as_accepted() {
    for kernel in KERNELS {
        let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &[], &[]);
        let tree = read.unit.functions.last().expect("a function");
        check(kernel, "1-tree", &tree.to_string());
        let scop = lower_in_class(tree, 0).expect("affine");
        check(kernel, "2-scop", &scop.display(tree).to_string());
        let relation = with_budget(Effort::GENEROUS.operations, || analyze(&scop));
        let relation = relation.expect("in budget");
        let names = ScopNames::of_tree(&scop, tree);
        let text = relation.display(&scop, names.clone()).to_string();
        check(kernel, "3-reuse", &text);
        let histogram = derive(&scop, &relation, &mut Budget::new(Effort::GENEROUS.steps));
        let histogram = histogram.expect("in budget");
        check(kernel, "4-histogram", &histogram.display(names).to_string());
    }
}
