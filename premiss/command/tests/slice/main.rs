//! Slices in the convention of PBound: what is written is compiled, run at random sizes and at 0, 1 and 2, and
//! compared loop by loop with what executing the loops counts, and with numbers worked by hand.
//!
//! Where there is no compiler for C, a line says so.

mod enumerated;
mod run;

use run::{Log, Slice, premiss, root};
use std::collections::BTreeMap;

/// Six numbers, each with the least and the most that it may be.
type Row = [(u64, u64); 6];

/// How many random points of each kernel are compared.
const POINTS: usize = 24;

/// Sizes up to `most`: small ones, then random ones, the same in every run.
fn points(n_sizes: usize, most: u64) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = (0..3).map(|size| vec![size; n_sizes]).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..POINTS {
        let mut draw = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            i64::try_from((state >> 8) % (most + 1)).expect("a small number")
        };
        all.push((0..n_sizes).map(|_| draw()).collect());
    }
    all
}

fn sizes_by_name(sizes: &[String], point: &[i64]) -> BTreeMap<String, i64> {
    sizes.iter().cloned().zip(point.iter().copied()).collect()
}

/// Compares the slice of each function of a file with what executing it counts.
fn check(path: &str, text: &[u8], most: u64) {
    let Some(slice) = Slice::emitted(path, text, &[]) else {
        return;
    };
    assert!(!slice.functions.is_empty(), "{path}");
    for (function, sizes) in &slice.functions {
        let points = points(sizes.len(), most);
        for (point, found) in points.iter().zip(slice.logs(function, &points)) {
            let named = sizes_by_name(sizes, point);
            let expected = enumerated::rows(path, text, function, &named).expect("all is known");
            assert_eq!(found.by_line(), expected, "{path}: {function} at {named:?}");
            assert_eq!(
                found.total,
                sum(&expected),
                "{path}: {function} at {named:?}"
            );
        }
    }
}

fn sum(rows: &BTreeMap<u32, Row>) -> Row {
    let mut total = [(0, 0); 6];
    for row in rows.values() {
        for (sum, each) in total.iter_mut().zip(row) {
            *sum = (sum.0 + each.0, sum.1 + each.1);
        }
    }
    total
}

fn check_kernel(path: &str, most: u64) {
    let text = std::fs::read(root().join(path)).expect("a kernel");
    check(path, &text, most);
}

/// The caption of Fig. 2: integer loads 2, integer stores 0, floating-point loads 5n+4, stores n, integer operations
/// 3n+1, floating-point operations 4n; as one call for the scalars and one for the loop.
#[test]
fn axpy4_is_what_the_paper_says() {
    let text = "void axpy4(int n, double *y, double a1, double *x1, double a2, double *x2,\n\
                double a3, double *x3, double a4, double *x4) {\n\
                register int i;\n\
                for (i = 0; i <= n - 1; i++)\n\
                y[i] = y[i] + a1 * x1[i] + a2 * x2[i] + a3 * x3[i] + a4 * x4[i];\n}\n";
    let Some(slice) = Slice::emitted("axpy4.c", text.as_bytes(), &[]) else {
        return;
    };
    let call = "pbound_log(\"loop at axpy4.c:4\", 0, 0, 5 * n, n, 3 * n + 1, 4 * n);";
    assert!(slice.text.contains(call), "{}", slice.text);
    for n in [0, 1, 2, 7, 8, 1000, 2_147_483_647_u64] {
        let found = slice.log("axpy4", &[i64::try_from(n).expect("it fits")]);
        let expected = [2, 0, 5 * n + 4, n, 3 * n + 1, 4 * n].map(|x| (x, x));
        assert_eq!(found.total, expected, "n = {n}");
    }
    check("axpy4.c", text.as_bytes(), 5000);
}

#[test]
fn rectangles_and_stencils() {
    check_kernel("testdata/kernels/c/gemm.c", 20);
    check_kernel("testdata/kernels/c/jacobi-2d.c", 24);
}

#[test]
fn triangles() {
    for path in [
        "testdata/kernels/c/trmm.c",
        "testdata/kernels/c/lu.c",
        "testdata/kernels/c/cholesky.c",
        "testdata/kernels/c/shapes/packed_triangular.c",
    ] {
        check_kernel(path, 24);
    }
}

#[test]
fn guards() {
    check_kernel("testdata/kernels/c/shapes/guards.c", 30);
    check_kernel("testdata/kernels/c/shapes/red_black_2d.c", 30);
}

#[test]
fn what_data_decide_is_between_two_numbers() {
    check_kernel("testdata/kernels/c/shapes/data_branch.c", 300);
    check_kernel("testdata/kernels/c/floyd-warshall.c", 16);
}

#[test]
fn other_languages() {
    for path in [
        "testdata/kernels/fortran/trmm.f90",
        "testdata/kernels/rust/gemm.rs",
    ] {
        check_kernel(path, 16);
    }
}

#[test]
fn every_kernel() {
    check_folder("testdata/kernels/c", 120);
}

#[test]
fn every_shape() {
    check_folder("testdata/kernels/c/shapes", 380);
}

/// All kernels of a folder: where data decide nothing the numbers are the same, at so many points or more; else those
/// of execution lie between those of the slice, which asks less often what data may do.
fn check_folder(folder: &str, least: usize) {
    let (mut n_same, mut n_wider) = (0, 0);
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|x| x.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".c"));
    names.sort();
    for name in names {
        let path = format!("{folder}/{name}");
        let text = std::fs::read(root().join(&path)).expect("a kernel");
        let Some(slice) = Slice::emitted(&path, &text, &[3]) else {
            return;
        };
        for (function, sizes) in &slice.functions {
            let mut points = points(sizes.len(), 9);
            points.truncate(6);
            let expected = |point: Vec<i64>| {
                let rows = enumerated::rows(&path, &text, function, &sizes_by_name(sizes, &point))?;
                Some((point, sum(&rows)))
            };
            // Where execution has no answer there is nothing to compare.
            let (points, expected): (Vec<_>, Vec<_>) =
                points.into_iter().filter_map(expected).unzip();
            let logs = slice.logs(function, &points).into_iter().zip(expected);
            for ((log, expected), point) in logs.zip(points) {
                let mut pairs = log.total.iter().zip(&expected);
                assert!(
                    pairs.all(|(found, expected)| found.0 <= expected.0 && expected.1 <= found.1),
                    "{path}: {function} at {point:?}: {:?}, not {expected:?}",
                    log.total
                );
                match log.total == expected {
                    true => n_same += 1,
                    false => n_wider += 1,
                }
            }
        }
    }
    assert!(least < n_same, "{n_same} points");
    assert!(n_wider < n_same / 20, "{n_wider} of {n_same} are wider");
}

/// Nests that are not affine, each of another kind, with what stays of them.
const KEPT: &str = "\
void squares(int n, double *a, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i * i; j++)
            y[i] += a[j];
    for (int i = 0; i < n; i++)
        y[i] = 0.5 * y[i];
}
void sieve(int n, int *composite) {
    for (int i = 2; i < n; i++)
        for (int j = i * i; j < n; j += i)
            composite[j] = 1;
}
void bits(int n, double *a) {
    for (int i = 0; i < n; i++)
        if ((i ^ 5) & 2)
            for (int j = i; j < n; j++) a[j] += 1.0;
        else if (i * i > n)
            a[i] = 2.0;
}
void harmonic(int n, double *a, double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n / (i + 1); j++)
            if (b[j] > 1.0)
                for (int k = 0; k < j; k++) a[k] += b[j];
}
void downward(int n, double *a) {
    for (int i = n; i > -4; i--)
        for (int j = -i * i; j < i; j++)
            for (int k = i; k < 3; k++) a[0] += 1.0;
}
void counted(int n, int m, double *a) {
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m * i; j++)
            k = k + 1;
    for (int j = 0; j < k; j++) a[j] = 1.0;
}
";

#[test]
fn loops_without_closed_forms_stay() {
    let Some(slice) = Slice::emitted("kept.c", KEPT.as_bytes(), &[]) else {
        return;
    };
    // The inner loop over squares is a formula of the outer one's iterator; the other nest is one of the size.
    let squares = slice.function("squares");
    assert_eq!(squares.matches("for (").count(), 1, "{squares}");
    assert!(
        squares.contains("2 * i * i, i * i, 3 * i * i + 1"),
        "{squares}"
    );
    assert!(squares.contains("0, 0, n, n, 2 * n + 1, n"), "{squares}");
    check("kept.c", KEPT.as_bytes(), 20);
}

/// The same sums as plain loops have them.
#[test]
fn squares_by_hand() {
    let Some(slice) = Slice::emitted("kept.c", KEPT.as_bytes(), &[]) else {
        return;
    };
    for n in [0, 1, 2, 5, 40_u64] {
        // Scalars: n, i, j; no real number. Each outer loop is entered once.
        let mut expected = [3, 0, 0, 0, 0, 0];
        expected[4] += 2;
        for i in 0..n {
            // The outer header, and entering the inner loop.
            expected[4] += 2 + 1;
            for _ in 0..i * i {
                // y[i] and a[j] loaded, y[i] stored; a comparison with a product, and a sum.
                let each = [0, 0, 2, 1, 3, 1];
                expected
                    .iter_mut()
                    .zip(each)
                    .for_each(|(sum, each)| *sum += each);
            }
            // The other nest: y[i] loaded and stored, its header, a product.
            let each = [0, 0, 1, 1, 2, 1];
            expected
                .iter_mut()
                .zip(each)
                .for_each(|(sum, each)| *sum += each);
        }
        let found = slice.log("squares", &[i64::try_from(n).expect("it fits")]);
        assert_eq!(found.total, expected.map(|x| (x, x)), "n = {n}");
    }
}

#[test]
fn what_is_not_known_is_named() {
    let text = "void f(int n, double *a) {\n\
                for (int i = 0; i < n; i++) a[i] = 0.0;\n\
                for (int k = 1; k < n; k = k * k + 1) a[k] = 1.0;\n}\n";
    let run = premiss(&["formula", "-", "--emit", "pbound"], text.as_bytes());
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(3), "{said}");
    assert!(
        said.contains("the slice of `f` leaves out a loop"),
        "{said}"
    );
    let Some(slice) = Slice::emitted("f.c", text.as_bytes(), &[3]) else {
        return;
    };
    assert!(
        slice.text.contains("left out: loop at f.c:3"),
        "{}",
        slice.text
    );
    let (code, said) = slice.run(&["f", "8"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("left out: loop at f.c:3: "), "{said}");
    let found = Log::read(&said);
    assert_eq!(found.total[3], (8, u64::MAX), "8 stores, or more");
    assert_eq!(found.by_line()[&2], [0, 0, 0, 8, 17, 0].map(|x| (x, x)));
}

#[test]
fn bad_sizes_are_errors() {
    let path = "testdata/kernels/c/gemm.c";
    let text = std::fs::read(root().join(path)).expect("a kernel");
    let Some(slice) = Slice::emitted(path, &text, &[]) else {
        return;
    };
    for (arguments, why) in [
        (&["1", "2"][..], "usage"),
        (&["kernel_gemm", "1", "2", "x"], "no integer"),
        (&["1", "2", "99999999999999999999"], "no integer"),
        (&["4", "-1", "4"], "is negative"),
        (&["9000000000000000000", "4", "4"], "too large"),
        (&["2000000000000000000", "2000000000000000000", "2"], "fit"),
    ] {
        let (code, said) = slice.run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {why} not in {said}");
        assert!(!said.contains("total"), "{said}");
    }
}

#[test]
fn classes_are_refused() {
    let path = "testdata/kernels/c/gemm.c";
    let run = premiss(
        &["formula", path, "--emit", "pbound", "--class", "NJ=1"],
        b"",
    );
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("--class"));
}
