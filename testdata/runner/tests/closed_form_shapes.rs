//! Closed forms of loops and subscripts of many shapes against the trace, reference by reference.

use premiss_testdata::closed::{Sizes, check_classes, check_fixed};
use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::kernel::Kernel;

/// Sizes below a line, of a line and of some lines, whole and not.
const SCALES: [i64; 8] = [1, 2, 3, 8, 11, 13, 16, 20];

fn fixed(shape: &str) {
    for scale in SCALES {
        let path = format!("kernels/c/shapes/{shape}.c");
        let read = Kernel::read(&path, &[], &[("n", scale), ("m", scale + 1)]);
        let tree = read.unit.functions.last().expect("a function");
        check_fixed(tree, &format!("{shape} at {scale}"));
    }
}

fn oracle(shape: &str) {
    let path = format!("kernels/c/shapes/{shape}.c");
    let read = Kernel::read(&path, &[], &[("n", 14), ("m", 6)]);
    let tree = read.unit.functions.last().expect("a function");
    for alignment in [64, 4096] {
        if let Some(difference) = difference(tree, alignment, Depth::Everything) {
            panic!("{shape} with arrays at multiples of {alignment}: {difference}");
        }
    }
}

/// Each shape, and the classes of sizes modulo the elements of a line in which it is derived with
/// symbolic sizes; those that are missing take longer than a test should.
macro_rules! shapes {
    ($($shape:ident [$($class:literal),*])*) => {
        mod with_fixed_sizes {
            $(#[test]
            fn $shape() {
                super::fixed(stringify!($shape));
            })*
        }
        mod with_symbolic_sizes {
            $(#[test]
            fn $shape() {
                let path = format!("kernels/c/shapes/{}.c", stringify!($shape));
                super::check_classes(&path, &[$($class),*], super::Sizes::Apart);
            })*
        }
        mod access_by_access {
            $(#[test]
            fn $shape() {
                super::oracle(stringify!($shape));
            })*
        }
    };
}

shapes! {
    banded []
    block_copy []
    contraction []
    convolution []
    downward []
    floats []
    guards []
    imperfect []
    linearised []
    linearised_product []
    lu_pivots []
    pipeline []
    red_black []
    reversed []
    running_sums []
}
