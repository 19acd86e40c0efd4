//! Closed forms of every kernel against the trace, reference by reference.
//!
//! Sizes are fixed here: rows of 1, 2 and 3 elements, rows that are a multiple of the line and rows
//! that are not.

use premiss_testdata::closed::check_fixed;
use premiss_testdata::kernel::{Kernel, sizes_at};

/// The scales of the sizes of a kernel.
const SCALES: [i64; 8] = [1, 2, 3, 8, 11, 13, 16, 20];

fn check(kernel: &str, scales: &[i64]) {
    for scale in scales {
        let sizes = sizes_at(*scale);
        let read = Kernel::read(&format!("kernels/c/{kernel}.c"), &sizes, &[]);
        let tree = read.unit.functions.last().expect("a function");
        check_fixed(tree, &format!("{kernel} at {scale}"));
    }
}

macro_rules! kernels {
    ($($test:ident $file:literal,)*) => {
        $(#[test]
        fn $test() {
            check($file, &SCALES);
        })*
    };
}

/// Planes that straddle lines in every residue take long; these straddle in two.
#[test]
fn heat_3d() {
    check("heat-3d", &[1, 2, 3, 4, 6, 8, 12, 16]);
}

kernels! {
    adi "adi",
    atax "atax",
    bicg "bicg",
    cholesky "cholesky",
    covariance "covariance",
    deriche "deriche",
    doitgen "doitgen",
    durbin "durbin",
    fdtd_2d "fdtd-2d",
    gemm "gemm",
    gemver "gemver",
    gesummv "gesummv",
    gramschmidt "gramschmidt",
    jacobi_1d "jacobi-1d",
    jacobi_2d "jacobi-2d",
    lu "lu",
    ludcmp "ludcmp",
    mvt "mvt",
    seidel_2d "seidel-2d",
    symm "symm",
    syr2k "syr2k",
    syrk "syrk",
    three_mm "3mm",
    trisolv "trisolv",
    trmm "trmm",
    two_mm "2mm",
}
