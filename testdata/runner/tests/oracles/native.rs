//! C kernels against what they do when they are compiled, address by address.
//!
//! Without gcc or valgrind these tests pass and say that they were skipped.

use premiss_testdata::native::{self, Native, Program};
use std::path::Path;

#[test]
fn gemm() {
    check(&Program {
        path: "kernels/c/gemm.c",
        arrays: &[("C", 8 * 20 * 25), ("A", 8 * 20 * 30), ("B", 8 * 30 * 25)],
        macros: &[],
        sizes: &[],
        statics: "",
        call: "kernel_gemm(1.5, 1.2, C, A, B)",
    });
}

#[test]
fn lu() {
    check(&Program {
        path: "kernels/c/lu.c",
        arrays: &[("A", 8 * 40 * 40)],
        macros: &[],
        sizes: &[],
        statics: "",
        call: "kernel_lu(A)",
    });
}

#[test]
fn gemver() {
    check(&Program {
        path: "kernels/c/gemver.c",
        arrays: &[
            ("A", 8 * 40 * 40),
            ("u1", 320),
            ("v1", 320),
            ("u2", 320),
            ("v2", 320),
            ("w", 320),
            ("x", 320),
            ("y", 320),
            ("z", 320),
        ],
        macros: &[],
        sizes: &[],
        statics: "",
        call: "kernel_gemver(1.5, 1.2, A, u1, v1, u2, v2, w, x, y, z)",
    });
}

#[test]
fn guards() {
    check(&Program {
        path: "kernels/c/shapes/guards.c",
        arrays: &[("a", 8 * 12 * 12), ("edge", 8 * 23)],
        macros: &[],
        sizes: &[("n", 12)],
        statics: "",
        call: "guards(12, a, edge)",
    });
}

#[test]
fn packed_triangular() {
    check(&Program {
        path: "kernels/c/shapes/packed_triangular.c",
        arrays: &[("packed", 8 * 105), ("full", 8 * 14 * 14)],
        macros: &[],
        sizes: &[("n", 14)],
        statics: "",
        call: "packed_triangular(14, packed, full)",
    });
}

#[test]
fn tiles() {
    check(&Program {
        path: "kernels/c/shapes/tiles.c",
        arrays: &[("a", 8 * 10 * 10), ("b", 8 * 10 * 10)],
        macros: &[],
        sizes: &[("n", 10)],
        statics: "",
        call: "tiles(10, a, b)",
    });
}

#[test]
fn pointer_walk() {
    check(&Program {
        path: "kernels/c/shapes/pointer_walk.c",
        arrays: &[("a", 8 * 10 * 10), ("s", 8 * 20)],
        macros: &[],
        sizes: &[("n", 10)],
        statics: "",
        call: "pointer_walk(10, a, s)",
    });
}

#[test]
fn calls() {
    check(&Program {
        path: "kernels/c/shapes/calls.c",
        arrays: &[("a", 8 * 8 * 8), ("b", 8 * 8 * 8), ("c", 8 * 8 * 8)],
        macros: &[],
        sizes: &[("n", 8)],
        statics: "",
        call: "calls(8, a, b, c)",
    });
}

const STRUCT_VECTORS: Program<'_> = Program {
    path: "kernels/c/packages/struct_vectors.c",
    arrays: &[
        ("v", 24),
        ("v->data", 8 * 32),
        ("m", 32),
        ("m->data", 8 * 32),
        ("count", 8),
    ],
    macros: &[],
    sizes: &[
        ("v->size", 7),
        ("v->stride", 3),
        ("m->rows", 3),
        ("m->columns", 4),
        ("m->tda", 5),
        ("count[0]", 6),
    ],
    statics: "static double memory_v__data[32], memory_m__data[32];\n\
              static struct vector memory_v = { 7, 3, memory_v__data };\n\
              static struct matrix memory_m = { 3, 4, 5, memory_m__data };\n\
              static int memory_count[2] = { 6, 0 };\n",
    call: "struct_vectors(&memory_v, &memory_m, memory_count)",
};

/// Sizes and pointers in memory.
#[test]
fn struct_vectors() {
    check(&STRUCT_VECTORS);
}

/// Sizes and pointers in structs that are variables, passed and returned.
#[test]
fn struct_views() {
    check(&Program {
        path: "kernels/c/packages/struct_views.c",
        arrays: &[("a", 8 * 64)],
        macros: &[],
        sizes: &[("n", 9)],
        statics: "",
        call: "struct_views(9, a)",
    });
}

#[test]
fn continues() {
    check(&Program {
        path: "kernels/c/shapes/continues.c",
        arrays: &[("a", 8 * 12), ("b", 8 * 12)],
        macros: &[],
        sizes: &[("n", 12)],
        statics: "",
        call: "continues(12, a, b)",
    });
}

#[test]
fn chosen_ways() {
    check(&Program {
        path: "kernels/c/shapes/chosen_ways.c",
        arrays: &[("a", 8 * 10), ("b", 8 * 10)],
        macros: &[],
        sizes: &[("n", 10)],
        statics: "",
        call: "chosen_ways(10, a, b)",
    });
}

/// Tables of constants, in memory where the compiler puts them.
#[test]
fn constant_tables() {
    check(&Program {
        path: "kernels/c/shapes/constant_tables.c",
        arrays: &[
            ("dx", 16),
            ("dy", 16),
            ("start", 20),
            ("column", 9),
            ("parts", 32),
            ("is_open", 6),
            ("a", 8 * 20 * 3),
            ("b", 8 * 20),
        ],
        macros: &[],
        sizes: &[("n", 20)],
        statics: "extern const int memory_dx[4] __attribute__((alias(\"dx\")));\n\
                  extern int memory_dy[4] __attribute__((alias(\"dy\")));\n\
                  extern const int memory_start[5] __attribute__((alias(\"start\")));\n\
                  extern const unsigned char memory_column[9] __attribute__((alias(\"column\")));\n\
                  extern const char memory_parts[32] __attribute__((alias(\"parts\")));\n\
                  extern const _Bool memory_is_open[6] __attribute__((alias(\"is_open\")));\n",
        call: "constant_tables(20, a, b)",
    });
}

/// Where data end loops early, what executes is part of what is possible, in its order, and has all that is certain.
#[test]
fn early_exit() {
    let program = Program {
        path: "kernels/c/packages/early_exit.c",
        arrays: &[("x", 8 * 8), ("y", 8 * 8)],
        macros: &[],
        sizes: &[("n", 8)],
        statics: "static double memory_x[8] = { 1, 2, 3, 2, 9, 1, 1, 1 };\n\
                  static double memory_y[8] = { 0, 5, 1, 1, 1, 1, 1, 1 };\n",
        call: "early_exit(8, x, y)",
    };
    let Some(native) = native(&program) else {
        return;
    };
    let mut predicted = native::predict(&program, &native.bases).into_iter();
    for (idx, access) in native.accesses.into_iter().enumerate() {
        let is_it = |(other, certain): &(_, bool)| {
            assert!(
                *other == access || !certain,
                "access {idx} is not {other:?}"
            );
            *other == access
        };
        let is_possible = predicted.by_ref().any(|x| is_it(&x));
        assert!(is_possible, "access {idx}, {access:?}, is not possible");
    }
    let rest: Vec<_> = predicted.filter(|(_, certain)| *certain).collect();
    assert!(rest.is_empty(), "{rest:?} is not executed");
}

fn native(program: &Program<'_>) -> Option<Native> {
    native::native(program, Path::new(env!("CARGO_TARGET_TMPDIR")))
}

fn check(program: &Program<'_>) {
    if let Some(native) = native(program) {
        native::check(program, &native);
    }
}
