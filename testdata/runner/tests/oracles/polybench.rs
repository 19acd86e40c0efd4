//! Twelve kernels of PolyBench/C against recorded truth, at two sizes: every row of every cache in
//! both layouts, every reference, whole histograms.

use premiss_testdata::judge::{check_exact, check_histogram, check_references};
use premiss_testdata::kernel::Kernel;

/// One test per kernel and size.
macro_rules! kernels {
    ($($test:ident: $kernel:literal $dataset:literal [$($name:ident = $value:literal)*],)*) => {
        $(
            #[test]
            fn $test() {
                check($kernel, $dataset, &[$((stringify!($name), $value)),*]);
            }
        )*
    };
}

kernels! {
    two_mm_mini: "2mm" "MINI" [],
    two_mm_small: "2mm" "SMALL" [NI=40 NJ=50 NK=70 NL=80],
    atax_mini: "atax" "MINI" [],
    atax_small: "atax" "SMALL" [M=116 N=124],
    gemm_mini: "gemm" "MINI" [],
    gemm_small: "gemm" "SMALL" [NI=60 NJ=70 NK=80],
    gemver_mini: "gemver" "MINI" [],
    gemver_small: "gemver" "SMALL" [N=120],
    heat_3d_mini: "heat-3d" "MINI" [],
    heat_3d_small: "heat-3d" "SMALL" [TSTEPS=40 N=20],
    jacobi_1d_mini: "jacobi-1d" "MINI" [],
    jacobi_1d_small: "jacobi-1d" "SMALL" [TSTEPS=40 N=120],
    jacobi_2d_mini: "jacobi-2d" "MINI" [],
    jacobi_2d_small: "jacobi-2d" "SMALL" [TSTEPS=40 N=90],
    lu_mini: "lu" "MINI" [],
    lu_small: "lu" "SMALL" [N=120],
    mvt_mini: "mvt" "MINI" [],
    mvt_small: "mvt" "SMALL" [N=120],
    trisolv_mini: "trisolv" "MINI" [],
    trisolv_small: "trisolv" "SMALL" [N=120],
    trmm_mini: "trmm" "MINI" [],
    trmm_small: "trmm" "SMALL" [M=60 N=80],
}

fn check(kernel: &str, dataset: &str, macros: &[(&str, i64)]) {
    let read = Kernel::read(&format!("kernels/c/{kernel}.c"), macros, &[]);
    let tree = read.only_tree();
    let judged = check_exact(tree, "polybench_truth.csv", kernel, dataset);
    check_references(tree, &judged, kernel, dataset);
    check_histogram(tree, kernel, dataset);
}
