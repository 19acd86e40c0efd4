//! Closed forms of loops and subscripts of many shapes against the trace, reference by reference.

use premiss_testdata::closed::{Sizes, check_classes, check_fixed};
use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::kernel::Kernel;

/// Sizes below a line, of a line and of some lines, whole and not.
const SCALES: [i64; 8] = [1, 2, 3, 8, 11, 13, 16, 20];

/// Where planes straddle lines in every residue, a form takes long; at these sizes they straddle in a
/// few.
const FEWER: [i64; 7] = [1, 2, 3, 4, 8, 12, 16];

fn scales(shape: &str) -> &'static [i64] {
    match shape {
        "stencil_3d" => &FEWER,
        _ => &SCALES,
    }
}

fn fixed(shape: &str) {
    for scale in scales(shape).iter().copied() {
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
    all_elements [0, 3, 4]
    back_substitution [0, 3, 4]
    banded [0, 3, 4]
    block_copy [0, 3, 4]
    both_ends [0, 3, 4]
    breaks_on_counters [0, 3, 4]
    constant_tables [0, 3, 4]
    contraction [0, 3, 4]
    contraction_five [0, 3, 4]
    contraction_transposed [0, 3, 4]
    convolution [0, 3, 4]
    downward [0, 3, 4]
    float_chain [0, 3, 4]
    floats [0, 3, 4]
    guards [0, 3, 4]
    imperfect [0, 3, 4]
    lattice [0]
    leading_dimension [0, 3, 4]
    linearised [0, 3, 4]
    linearised_product [0, 3, 4]
    lu_pivots [0, 3, 4]
    middle_element [0, 3, 4]
    pipeline [0, 3, 4]
    pointer_walk [0, 3, 4]
    red_black [0, 3, 4]
    red_black_2d [0, 3, 4]
    reversed [0, 3, 4]
    running_sums [0, 3, 4]
    single_elements [0, 3, 4]
    standing_still [0, 3, 4]
    stencil_3d [0, 4]
    steps_in_expressions [0, 3, 4]
    strided [0, 3, 4]
    swapped_grids [0, 3, 4]
    tiled_gemm [0, 3, 4]
    tiled_stencil [0, 3, 4]
    tiled_wavefront [0, 3, 4]
    tiles [0, 3, 4]
    time_skewed [0, 3, 4]
    transpose_in_place [0, 3, 4]
    triangular_solve [0, 3, 4]
    updates [0, 3, 4]
    vla [0, 3, 4]
    wavefront [0, 3, 4]
    wraps_around [0, 3, 4]
}
