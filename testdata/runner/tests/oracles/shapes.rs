//! Every shape of loop and subscript makes as many accesses as its comments say, line by line, in every
//! language.

use premiss_histogram::Counted;
use premiss_testdata::comments::{Counts, expected, sizes};
use premiss_testdata::judge::execute;
use premiss_testdata::kernel::Kernel;
use premiss_testdata::language::Language;
use premiss_testdata::truth::testdata;
use premiss_tree::AccessKind;
use std::fs;
use std::panic::catch_unwind;

/// One test per file.
macro_rules! shapes {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(Language::C, &format!("kernels/c/shapes/{}.c", stringify!($name)));
            }
        )*
        const SHAPES: &[&str] = &[$(stringify!($name)),*];
    };
}

shapes! {
    all_elements
    array_ends
    back_substitution
    banded
    bit_fields
    block_copy
    both_ends
    breaks_on_counters
    breaks_on_sizes
    by_value
    called_for_numbers
    calls
    change_in_condition
    changing_bounds
    chosen_pointers
    chosen_ways
    constant_tables
    continues
    contraction
    contraction_five
    contraction_transposed
    convolution
    data_branch
    data_chosen_pointers
    do_while
    downward
    early_steps
    empty
    ends_on_counters
    ends_on_sizes
    exchanged_pointers
    factor_steps
    float_chain
    floats
    globals
    guards
    imperfect
    indirect
    jumps_ahead
    jumps_back
    lattice
    leading_dimension
    linearised
    linearised_product
    loaded_bounds
    lost_in_nests
    lu_pivots
    macros
    member_stores
    middle_element
    nested_returns
    not_equal
    odd_sizes
    own_blocks
    packed_triangular
    pipeline
    pointer_walk
    real_bounds
    real_constants
    red_black
    red_black_2d
    returns_on_sizes
    reversed
    rows
    running_sums
    same_lines
    scalars
    searches
    selected_subscript
    signs_of_steps
    single_elements
    sizes_beside_reals
    standing_still
    statics
    stencil_3d
    steps_in_expressions
    strided
    swapped_grids
    switches
    table_walks
    texts
    tiled_gemm
    tiled_stencil
    tiled_wavefront
    tiles
    time_skewed
    transpose_in_place
    triangular_solve
    unsigned
    updates
    vla
    wavefront
    wraps
    wraps_around
}

#[test]
fn every_shape_has_a_test() {
    let files = fs::read_dir(testdata().join("kernels/c/shapes")).expect("the folder of shapes");
    for file in files {
        let name = file
            .expect("a file")
            .file_name()
            .into_string()
            .expect("a plain name");
        assert!(
            SHAPES.contains(&name.trim_end_matches(".c")),
            "{name} has no test"
        );
    }
}

#[test]
fn fortran() {
    check_folder(Language::Fortran);
}

#[test]
fn rust() {
    check_folder(Language::Rust);
}

/// Checks every shape of a language and then tells which fail.
fn check_folder(language: Language) {
    let kernels = language.kernels();
    let shapes = kernels
        .iter()
        .filter(|(name, _)| name.starts_with("shapes/"));
    let fails = |path: &&str| catch_unwind(|| check(language, path)).is_err();
    let failed: Vec<&str> = shapes
        .map(|(_, path)| path.as_str())
        .filter(fails)
        .collect();
    assert!(failed.is_empty(), "these fail: {}", failed.join(", "));
}

fn check(language: Language, path: &str) {
    let text = fs::read_to_string(testdata().join(path)).expect("a shape");
    let sizes = sizes(&text);
    let sizes: Vec<(&str, i64)> = sizes
        .iter()
        .map(|(name, size)| (name.as_str(), *size))
        .collect();
    let kernel = Kernel::read(path, &[], &sizes);
    let tree = kernel.main_tree(path);
    let tree = tree.unwrap_or_else(|| panic!("nothing is read of {path}"));
    assert!(tree.rejections.is_empty(), "{:#?}", kernel.diagnostics());
    let accesses = execute(tree, 64).accesses().expect("within budget");
    let mut found = Counts::new();
    for (id, reference) in &tree.references {
        let line = kernel.sources.start(reference.span).line;
        let counts = found.entry(line).or_insert([Counted::ZERO; 2]);
        counts[usize::from(reference.kind == AccessKind::Store)] += accesses[id];
    }
    found.retain(|_, counts| *counts != [Counted::ZERO; 2]);
    assert_eq!(
        found,
        expected(&text, language),
        "{path}: {:#?}",
        kernel.diagnostics()
    );
}
