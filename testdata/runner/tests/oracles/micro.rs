//! Small kernels against recorded truth, with their size as a parameter.

use premiss_testdata::judge::check_exact;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::memo::compare_once;

/// One test per kernel and size.
macro_rules! kernels {
    ($($test:ident: $kernel:literal $size:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check($kernel, $size);
            }
        )*
    };
}

kernels! {
    fission_500: "fission" 500,
    fission_10000: "fission" 10_000,
    fission_1048576: "fission" 1_048_576,
    fusion_500: "fusion" 500,
    fusion_10000: "fusion" 10_000,
    fusion_1048576: "fusion" 1_048_576,
    mvt_transposed_1000: "mvtT" 1000,
    mvt_100: "mvt" 100,
    mvt_1000: "mvt" 1000,
    mxm_ijk_32: "mxm_ijk" 32,
    mxm_ijk_100: "mxm_ijk" 100,
    mxm_ijk_128: "mxm_ijk" 128,
    mxm_ikj_32: "mxm_ikj" 32,
    mxm_ikj_100: "mxm_ikj" 100,
    mxm_ikj_128: "mxm_ikj" 128,
    mxm_jki_32: "mxm_jki" 32,
    mxm_jki_100: "mxm_jki" 100,
    mxm_jki_128: "mxm_jki" 128,
    mxm_tiled8_128: "mxm_tiled8" 128,
    transpose_32: "transpose" 32,
    transpose_100: "transpose" 100,
    transpose_128: "transpose" 128,
    triad2x_1000: "triad2x" 1000,
    triad2x_100000: "triad2x" 100_000,
    triad2x_1048576: "triad2x" 1_048_576,
    triad_1000: "triad" 1000,
    triad_100000: "triad" 100_000,
    triad_1048576: "triad" 1_048_576,
}

fn check(kernel: &str, size: i64) {
    let path = format!("kernels/c/micro/{kernel}.c");
    let read = Kernel::read(&path, &[], &[("n", size)]);
    let tree = read.only_tree();
    let name = format!("{kernel}_{size}");
    compare_once(tree, &name, || {
        check_exact(tree, "micro_truth.csv", &name, "own");
    });
}
