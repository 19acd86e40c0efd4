//! What rules find in the order of loops, and what they must not.

use crate::findings::{CACHES, codes, findings};

/// A function of `n = 4096` doubles with two loops, whose bodies these are.
fn two_loops(first: &str, second: &str) -> String {
    format!(
        "enum {{ n = 4096 }};\ndouble x[n + 8], y[n + 8], z[n + 8], s, t;\nvoid f(void)\n{{\n  \
         for (int i = 0; i < n; i++)\n    {first}\n  for (int i = 0; i < n; i++)\n    {second}\n}}\n"
    )
}

#[test]
fn loops_that_fetch_again_what_the_one_before_had_are_found() {
    let source = two_loops("y[i] = 2 * x[i];", "z[i] = y[i] + x[i];");
    let found = findings(&source, &CACHES);
    let again: Vec<_> = found.iter().filter(|(code, _)| code == "PM006").collect();
    assert_eq!(again.len(), 1, "{found:?}");
    assert!(
        again[0]
            .1
            .contains("goes over y and x again after L2 has lost it"),
        "{found:?}"
    );
}

#[test]
fn loops_that_have_to_stay_apart_are_not() {
    let apart = [
        // The second needs the sum.
        two_loops("s += x[i];", "y[i] = x[i] / s;"),
        // An element that the first has not made by then.
        two_loops("y[i] = 2 * x[i];", "z[i] = y[i + 1];"),
        two_loops("x[i] = y[i];", "x[n - 1 - i] += 1;"),
        // What a variable holds goes on.
        two_loops("{ t = x[i]; y[i] = t; }", "{ z[i] = x[i] + t; }"),
        // Somebody else may look.
        two_loops("{ y[i] = x[i]; g(); }", "z[i] = y[i];"),
        // Nothing is fetched twice.
        two_loops("y[i] = 1;", "z[i] = x[i];"),
    ];
    for source in apart {
        assert!(
            !codes(&source, &CACHES).contains(&"PM006".to_owned()),
            "{source}"
        );
    }
    // Everything fits.
    let source = two_loops("y[i] = 2 * x[i];", "z[i] = y[i] + x[i];");
    let large = ["--cache", "L1=1MiB,full,64"];
    assert!(!codes(&source, &large).contains(&"PM006".to_owned()));
    // Other iterations.
    let source = source.replacen("int i = 0", "int i = 1", 1);
    assert!(!codes(&source, &CACHES).contains(&"PM006".to_owned()));
}

#[test]
fn sums_of_their_own_do_not_keep_loops_apart() {
    let source = two_loops("s += x[i] * y[i];", "t += x[i] * x[i];");
    assert!(codes(&source, &CACHES).contains(&"PM006".to_owned()));
}

#[test]
fn rows_are_fetched_again_in_fortran_and_rust_too() {
    let fortran = "subroutine f(a, b, c)\n  double precision a(64, 300), b(64, 300), c(64, 300)\n  \
                   integer i, j\n  do j = 1, 300\n    do i = 1, 64\n      b(i, j) = a(i, j)\n    end do\n  end do\n  \
                   do j = 1, 300\n    do i = 1, 64\n      c(i, j) = b(i, j) * 2\n    end do\n  end do\nend\n";
    let named = ["--stdin-filename", "f.f90"];
    let all = [&CACHES[..], &named].concat();
    assert!(codes(fortran, &all).contains(&"PM006".to_owned()));
    let rust = "pub fn f(x: &mut [f64; 8192], y: &mut [f64; 8192]) {\n    for i in 0..8192 {\n        x[i] += 1.0;\n    \
                }\n    for i in 0..8192 {\n        y[i] += x[i];\n    }\n}\n";
    let named = ["--stdin-filename", "f.rs"];
    let all = [&CACHES[..], &named].concat();
    assert!(codes(rust, &all).contains(&"PM006".to_owned()));
}

/// A function that goes over two arrays of 200 rows of 200 doubles, `j` inside of `i`.
fn over_columns(body: &str) -> String {
    format!(
        "double a[200][200], b[200][200], x[200], s;\nvoid f(void)\n{{\n  for (int i = 0; i < 200; i++)\n    \
         for (int j = 0; j < 200; j++)\n      {body}\n}}\n"
    )
}

#[test]
fn loops_across_rows_are_found_once() {
    for body in ["a[j][i] += b[j][i] * x[i];", "a[j][i] += b[j][i] * x[j];"] {
        assert_eq!(codes(&over_columns(body), &CACHES), ["PM007"], "{body}");
    }
}

#[test]
fn stencils_across_rows_are_found_once() {
    // What hits in the lines of its neighbours goes across rows, too.
    let source = "double a[300][300], b[300][300];\nvoid f(void)\n{\n  for (int j = 1; j < 299; j++)\n    \
                  for (int i = 1; i < 299; i++)\n      b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];\n}\n";
    let codes = codes(source, &CACHES);
    assert!(codes.contains(&"PM007".to_owned()), "{codes:?}");
    assert!(!codes.contains(&"PM001".to_owned()), "{codes:?}");
}

#[test]
fn arrays_that_nobody_goes_over_rightly_are_not_for_exchange() {
    // Either order is wrong for one of both.
    let transposed = codes(&over_columns("a[i][j] = b[j][i];"), &CACHES);
    assert!(!transposed.contains(&"PM007".to_owned()), "{transposed:?}");
    assert!(transposed.contains(&"PM001".to_owned()), "{transposed:?}");
}

#[test]
fn columns_of_fortran_are_its_rows() {
    let walk = |subscripts: &str| {
        format!(
            "subroutine f(a)\n  double precision a(300, 300)\n  integer i, j\n  do j = 1, 300\n    do i = 1, 300\n      \
             a({subscripts}) = 0\n    end do\n  end do\nend\n"
        )
    };
    let all = [&CACHES[..], &["--stdin-filename", "f.f90"]].concat();
    assert!(!codes(&walk("i, j"), &all).contains(&"PM007".to_owned()));
    assert!(codes(&walk("j, i"), &all).contains(&"PM007".to_owned()));
}

#[test]
fn deep_nests_that_are_unknown_are_named() {
    let source = "double x[100][100];\nint g(double *);\nvoid f(int n)\n{\n  for (int i = 0; i < n; i++)\n    \
                  for (int j = 0; j < n; j++)\n      while (g(x[j]))\n        x[i][j] += 1;\n}\n";
    let found = codes(source, &CACHES);
    assert!(found.contains(&"PM009".to_owned()), "{found:?}");
    let shallow = source
        .replace("for (int j = 0; j < n; j++)", "{ int j = 0;")
        .replace("+= 1;", "+= 1; }");
    assert!(!codes(&shallow, &CACHES).contains(&"PM009".to_owned()));
}
