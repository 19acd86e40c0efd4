//! Closed forms of kernels whose sizes are symbolic, against the trace, reference by reference.
//!
//! There is one derivation for each class of sizes modulo the elements of a line; what it says is
//! compared at several sizes of the class, some of which differ from each other.

use premiss_testdata::closed::{NoForm, Sizes, check_classes, lower_in_class, with_parameters};

/// Kernels in which data decide what is executed or where.
const DECIDED_BY_DATA: [&str; 3] = ["correlation", "floyd-warshall", "nussinov"];

/// Each kernel: classes in which all sizes are symbolic, and those in which the first is and the
/// others follow from it. Classes that are missing take longer than a test should.
macro_rules! kernels {
    ($($test:ident $file:literal [$($apart:literal),*] [$($tied:literal),*],)*) => {
        $(#[test]
        fn $test() {
            let path = concat!("kernels/c/", $file, ".c");
            check_classes(path, &[$($apart),*], Sizes::Apart);
            check_classes(path, &[$($tied),*], Sizes::Tied);
        })*
    };
}

kernels! {
    adi "adi" [0, 3, 4] [],
    atax "atax" [0, 3, 4] [],
    bicg "bicg" [0, 3, 4] [],
    cholesky "cholesky" [0, 3, 4] [],
    covariance "covariance" [0, 3, 4] [],
    deriche "deriche" [0, 3, 4] [],
    doitgen "doitgen" [0, 3, 4] [],
    durbin "durbin" [0, 3, 4] [],
    fdtd_2d "fdtd-2d" [0, 3, 4] [],
    gemm "gemm" [0, 3, 4] [],
    gemver "gemver" [0, 3, 4] [],
    gesummv "gesummv" [0, 3, 4] [],
    gramschmidt "gramschmidt" [0, 3, 4] [],
    heat_3d "heat-3d" [0] [],
    jacobi_1d "jacobi-1d" [0, 3, 4] [],
    jacobi_2d "jacobi-2d" [0, 3, 4] [],
    lu "lu" [0, 3, 4] [],
    ludcmp "ludcmp" [0, 3, 4] [],
    mvt "mvt" [0, 3, 4] [],
    seidel_2d "seidel-2d" [0, 3, 4] [],
    symm "symm" [0, 3, 4] [],
    syr2k "syr2k" [0, 3, 4] [],
    syrk "syrk" [0, 3, 4] [],
    three_mm "3mm" [0, 3, 4] [],
    trisolv "trisolv" [0, 3, 4] [],
    trmm "trmm" [0, 3, 4] [],
    two_mm "2mm" [0, 3, 4] [],
}

#[test]
fn what_data_decide_is_refused() {
    for kernel in DECIDED_BY_DATA {
        for residue in [0, 3, 4] {
            let read = with_parameters(&format!("kernels/c/{kernel}.c"), Sizes::Apart);
            let tree = read.unit.functions.last().expect("a function");
            let refused = lower_in_class(tree, residue).err();
            let is_data = |reason: &NoForm| matches!(reason, NoForm::Rejected(text) if text.starts_with("depends-on-data: "));
            assert!(
                refused.as_ref().is_some_and(is_data),
                "{kernel}: {refused:?}"
            );
        }
    }
}
