//! Unsigned numbers wrap around: 64-bit ones have no value in a tree where they are 2^63 and more.

use super::trees;

/// Checks the headers of the loops of a function with these parameters beside `a` and this body.
#[track_caller]
fn check(parameters: &str, body: &str, expected: &[&str]) {
    let text =
        format!("typedef unsigned long size_t; void f({parameters}, double *a) {{ {body} }}");
    let found = trees(&text);
    let lines = found.lines().map(str::trim);
    let lines = lines.filter(|line| ["loop", "if", "opaque"].iter().any(|x| line.starts_with(x)));
    let lines: Vec<&str> = lines
        .filter_map(|line| line.split("; i +=").next())
        .collect();
    assert_eq!(lines, expected, "{found}");
}

#[test]
fn a_bound_below_zero_is_no_bound() {
    // For n < 8, `n - 8` is 2^64 - 8 + n: only the other limit ends the loop.
    check(
        "size_t n",
        "for (size_t i = 0; i < n - 8 && i < 6; i++) a[i] = 1;",
        &["loop i = 0; i < select(0 <= n - 8, min(n - 8, 6), 6)"],
    );
    check(
        "size_t n",
        "for (size_t i = 1; i < n - 1; i++) a[i] = 1;",
        &["loop i = 1; i < u64(n - 1)"],
    );
    check(
        "size_t n, size_t m",
        "for (size_t i = 0; i <= n - m; i++) a[i] = 1;",
        &["loop i = 0; i <= u64(n - m)"],
    );
    // A negative `int` is converted to the type of the iterator.
    check(
        "int n",
        "for (size_t i = 0; i < n; i++) a[i] = 1;",
        &["loop i = 0; i < u64(n)"],
    );
    check(
        "int n",
        "for (unsigned i = 0; i < n; i++) a[i] = 1;",
        &["loop i = 0; i < u32(n)"],
    );
    check(
        "size_t n",
        "size_t m = n - 2; for (size_t i = 0; i < m; i++) a[i] = 1;",
        &["loop i = 0; i < u64(n - 2)"],
    );
}

#[test]
fn a_bound_that_cannot_be_below_zero_stays_as_it_is() {
    check(
        "size_t n",
        "for (size_t i = 0; i < n; i++) a[i] = 1;",
        &["loop i = 0; i < n"],
    );
    check(
        "size_t n",
        "for (size_t i = 0; i + 1 < n; i++) a[i] = 1;",
        &["loop i = 0; i < n - 1"],
    );
    check(
        "size_t n",
        "for (size_t i = 0; i < n / 2 + 3; i++) a[i] = 1;",
        &["loop i = 0; i < n / 2 + 3"],
    );
    check(
        "int n",
        "for (int i = 0; i < n - 1; i++) a[i] = 1;",
        &["loop i = 0; i < n - 1"],
    );
}

#[test]
fn iterators_around_bound_what_is_subtracted() {
    let nest = |inner: &str| {
        format!("for (size_t t = 0; t < n; t++) for (size_t i = 0; i < {inner}; i++) a[i] = 1;")
    };
    let around = "loop t = 0; t < n; t += 1";
    check(
        "size_t n",
        &nest("n - t"),
        &[around, "loop i = 0; i < n - t"],
    );
    check(
        "size_t n",
        &nest("n - t - 1"),
        &[around, "loop i = 0; i < n - t - 1"],
    );
    check(
        "size_t n",
        &nest("n - t - 2"),
        &[around, "loop i = 0; i < u64(n - t - 2)"],
    );
    check(
        "size_t n",
        "for (size_t s = 0; s < n; s++) for (size_t t = s + 1; t < n; t++) \
         for (size_t i = 0; i < t - s; i++) a[i] = 1;",
        &[
            "loop s = 0; s < n; s += 1",
            "loop t = s + 1; t < n; t += 1",
            "loop i = 0; i < t - s",
        ],
    );
}

#[test]
fn a_start_below_zero_is_above_the_bound() {
    // `n - 8` to `n`: for n < 8 the first number is huge, and the loop does not run.
    check(
        "size_t n",
        "for (size_t i = n - 8; i < n; i++) a[i] = 1;",
        &["if 0 <= n - 8", "loop i = n - 8; i < n"],
    );
    // `i - 1` is huge for i = 0.
    check(
        "size_t n",
        "for (size_t i = 0; i - 1 < n; i++) a[i] = 1;",
        &["if 0", "loop i = 0; i < n + 1"],
    );
    check(
        "size_t n",
        "for (int i = -1; i < n; i++) a[i] = 1;",
        &["if 0", "loop i = -1; i < n"],
    );
}

#[test]
fn a_loop_down_from_a_huge_number_practically_never_ends() {
    check(
        "size_t n",
        "for (size_t i = n - 1; i > 0; i--) a[i] = 1;",
        &["loop i = n - 1; i > select(0 <= n - 1, 0, u64(-1))"],
    );
    // `i < n` ends at the wrap below zero, and does not begin for n = 0.
    check(
        "size_t n",
        "for (size_t i = n - 1; i < n; i--) a[i] = 1;",
        &[
            "if less_unsigned(n - 1, n)",
            "loop i = n - 1; i >= select(0 <= n - 1, 0, u64(-1))",
        ],
    );
    check(
        "size_t n",
        "while (n-- > 0) a[n] = 1;",
        &["loop n'2 = n - 1; n'2 > -1; n'2 += -1"],
    );
    let text =
        "void f(unsigned long n, double *a) { for (unsigned long i = n; i >= 0; i--) a[i] = 1; }";
    assert!(
        trees(text).contains("endless"),
        "an unsigned number is never below zero"
    );
}

#[test]
fn a_narrow_iterator_never_reaches_a_bound_beyond_its_type() {
    check(
        "size_t n",
        "for (unsigned char i = 0; i < 300 && i < n; i++) a[i] = 1;",
        &["loop i = 0; i < select(n <= 255, n, u64(-1))"],
    );
    check(
        "unsigned long n",
        "for (unsigned i = 0; i < n; i++) a[i] = 1;",
        &["loop i = 0; i < select(n <= 4294967295, n, u64(-1))"],
    );
    check(
        "int n",
        "for (short i = 0; i < n; i++) a[i] = 1;",
        &["loop i = 0; i < select(n <= 32767, n, u64(-1))"],
    );
}
