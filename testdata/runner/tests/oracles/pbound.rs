//! Operation counts in the convention of PBound: the example of the paper, and three kernels worked by
//! hand in the same way.

use premiss_operations::{Form, PboundCounts, Places, pbound};
use premiss_testdata::kernel::Kernel;
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// Steps that counting may take.
const STEPS: u64 = 1_000_000;

/// What is expected, in the order of PBound's own log: integer loads and stores, floating-point loads and
/// stores, integer and floating-point operations.
type Expected = [i128; 6];

/// Compares a function with what is expected at each of some sizes, given by name.
fn check(text: &str, sizes: &[&[(&str, i128)]], expected: impl Fn(&[(&str, i128)]) -> Expected) {
    let read = Kernel::from_bytes("kernel.c", text.into(), &[], &[]);
    let tree = read.only_tree();
    let places = Places::derive(tree, &BTreeMap::new(), STEPS).expect("it is affine");
    let found = pbound(tree, &places).expect("coefficients fit");
    for sizes in sizes {
        let found = at(&found, &columns(tree, &places, sizes));
        assert_eq!(found, expected(sizes), "at {sizes:?}");
    }
}

fn columns(tree: &NestTree, places: &Places, sizes: &[(&str, i128)]) -> Vec<i128> {
    let value = |size: &premiss_scop::SymbolicParameter| {
        let name = &tree.work.parameters[size.id].name;
        let known = sizes.iter().find(|(known, _)| known == name);
        known.unwrap_or_else(|| panic!("no value for {name}")).1
    };
    places.parameters.iter().map(value).collect()
}

fn at(found: &PboundCounts, columns: &[i128]) -> Expected {
    let value = |bounds: &Option<[Form; 2]>| {
        let [lower, upper] = bounds.as_ref().expect("it is known");
        let [lower, upper] = [lower, upper].map(|form| form.at(columns).expect("it fits"));
        assert_eq!(lower, upper, "data decide nothing");
        i128::from(lower)
    };
    [
        &found.integer_loads,
        &found.integer_stores,
        &found.floating_loads,
        &found.floating_stores,
        &found.integer_operations,
        &found.floating_operations,
    ]
    .map(value)
}

/// The caption of Fig. 2: integer loads 2, integer stores 0, floating-point loads 5n+4, stores n,
/// integer operations 3n+1, floating-point operations 4n.
#[test]
fn axpy4_is_what_the_paper_says() {
    let text = "void axpy4(int n, double *y, double a1, double *x1, double a2, double *x2,\n\
                double a3, double *x3, double a4, double *x4) {\n\
                register int i;\n\
                for (i = 0; i <= n - 1; i++)\n\
                y[i] = y[i] + a1 * x1[i] + a2 * x2[i] + a3 * x3[i] + a4 * x4[i];\n}\n";
    let sizes: Vec<[(&str, i128); 1]> = [0, 1, 2, 7, 8, 64, 1000].map(|n| [("n", n)]).to_vec();
    let sizes: Vec<&[(&str, i128)]> = sizes.iter().map(|x| &x[..]).collect();
    check(text, &sizes, |sizes| {
        let n = sizes[0].1;
        [2, 0, 5 * n + 4, n, 3 * n + 1, 4 * n]
    });
}

/// A dot product. Scalars: the integers `n` and `i`, the real number `s` (2 and 1 loads); elements: two
/// loads an iteration, none stored, as `s` is in a register. Header: a comparison and a sum for each
/// iteration, and one operation for `i = 0`. `s + x*y` is a fused pair.
#[test]
fn dot_product() {
    let text = "double dot(int n, double *x, double *y) {\n\
                double s = 0.0;\n\
                for (int i = 0; i < n; i++) s = s + x[i] * y[i];\n\
                return s;\n}\n";
    check(
        text,
        &[&[("n", 0)], &[("n", 1)], &[("n", 5)], &[("n", 100)]],
        |sizes| {
            let n = sizes[0].1;
            [2, 0, 2 * n + 1, 0, 2 * n + 1, n]
        },
    );
}

/// A matrix times a vector. Scalars: `m`, `n`, `i`, `j` (4 loads). Elements of each inner iteration:
/// `y[i]`, `a[i][j]`, `x[j]` loaded and `y[i]` stored; `y[i] = 0.0` stores m more. Headers: the outer one
/// `2m + 1`, the inner one, entered m times, `2mn + m`. A fused pair for each inner iteration.
#[test]
fn matrix_vector() {
    let text = "void mv(int m, int n, double a[m][n], double *x, double *y) {\n\
                for (int i = 0; i < m; i++) {\n\
                y[i] = 0.0;\n\
                for (int j = 0; j < n; j++) y[i] += a[i][j] * x[j];\n\
                }\n}\n";
    let sizes: [&[(&str, i128)]; 4] = [
        &[("m", 0), ("n", 3)],
        &[("m", 1), ("n", 1)],
        &[("m", 4), ("n", 0)],
        &[("m", 6), ("n", 9)],
    ];
    check(text, &sizes, |sizes| {
        let (m, n) = (sizes[0].1, sizes[1].1);
        [
            4,
            0,
            3 * m * n,
            m * n + m,
            (2 * m + 1) + (2 * m * n + m),
            m * n,
        ]
    });
}

/// A stencil on integers over a triangle. Scalars: `n`, `i`, `j` (3 loads of
/// integers). For each of the `n(n-1)/2` inner iterations: `c[j-1]`, `c[j]` loaded, `c[j]` stored; `j-1`
/// is a difference in a subscript and counts, as do the product and the sum of data: 3. Headers: the
/// outer one is `i < n; i++`, `2n + 1`; the inner one is `j <= i; j += 1` from 1 on, `2` for each
/// iteration and 1 for each of the n times that it is entered.
#[test]
fn integer_triangle() {
    let text = "void f(int n, int *c) {\n\
                for (int i = 0; i < n; i++)\n\
                for (int j = 1; j <= i; j += 1) c[j] = c[j] + 3 * c[j - 1];\n}\n";
    let sizes: [&[(&str, i128)]; 5] = [
        &[("n", 0)],
        &[("n", 1)],
        &[("n", 2)],
        &[("n", 8)],
        &[("n", 33)],
    ];
    check(text, &sizes, |sizes| {
        let n = sizes[0].1;
        let inner = n * (n - 1) / 2;
        [
            2 * inner + 3,
            inner,
            0,
            0,
            3 * inner + (2 * n + 1) + (2 * inner + n),
            0,
        ]
    });
}
