//! Closures: what they capture, and functions that take them.

use super::{check, reasons};

#[test]
fn a_closure_with_move_has_copies() {
    // f(1) is 6, and c is 15 outside (the Rust Reference, "Closure types: Capturing").
    check(
        "
        fn k(a: &mut [f64], n: usize) {
            for i in 0..n {
                let mut c = 5;
                let f = move |x: usize| x + c;
                c += 10;
                a[f(1)] = 1.0;
                a[c + i] = 1.0;
            }
        }
        ",
        "
        function k
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            store a + 48   a[f(1)]
            store a + 8 * i + 120   a[c + i]
        ",
    );
}

#[test]
fn what_a_closure_with_move_changes_is_its_own_and_lasts() {
    // The calls yield 1, 2, …, and c stays 0 outside; without `move`, c is 3 after three calls.
    check(
        "
        fn own(a: &mut [f64], n: usize) {
            let mut c = 0;
            let mut f = move || { c += 1; c };
            for _ in 0..n { a[f()] = 1.0; }
            a[c] = 2.0;
        }
        fn lent(a: &mut [f64], n: usize) {
            let mut c = 0;
            let mut f = || { c += 1; c };
            a[f()] = 1.0;
            a[f()] = 1.0;
            a[f()] = 1.0;
            for i in 0..n { a[c + i] = 2.0; }
        }
        ",
        "
        function own
          size n
          array a parameter, elements of 8
          c'2 := 0
          loop i@ = 0; i@ < n; i@ += 1
            c'2 := c'2 + 1
            store a + 8 * c'2   a[f()]
          store a + 0   a[c]
        function lent
          size n
          array a parameter, elements of 8
          store a + 8   a[f()]
          store a + 16   a[f()]
          store a + 24   a[f()]
          loop i = 0; i < n; i += 1
            store a + 8 * i + 24   a[c + i]
        ",
    );
}

#[test]
fn a_copy_of_a_closure_has_a_copy_of_its_state() {
    // f yields 1 and 2, its copy 1; a reference shares the state: 1 + 2, then a copy 3 + 4.
    check(
        "
        fn twice(mut f: impl FnMut() -> usize) -> usize { f() + f() }
        fn copied(a: &mut [f64], n: usize) {
            let mut c = 0;
            let mut f = move || { c += 1; c };
            let mut g = f;
            for _ in 0..n { a[0] = 0.0; }
            a[f()] = 1.0;
            a[f()] = 1.0;
            a[g()] = 1.0;
        }
        fn passed(a: &mut [f64], n: usize) {
            let mut c = 0;
            let mut f = move || { c += 1; c };
            let x = twice(&mut f);
            let y = twice(f);
            for i in 0..n { a[x + 10 * y + i] = 0.0; }
        }
        ",
        "
        function copied
          size n
          array a parameter, elements of 8
          loop i@ = 0; i@ < n; i@ += 1
            store a + 0   a[0]
          store a + 8   a[f()]
          store a + 16   a[f()]
          store a + 8   a[g()]
        function passed
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            store a + 8 * i + 584   a[x + 10 * y + i]
        ",
    );
}

#[test]
fn slices_and_arrays_are_captured_as_they_are_then() {
    // f reads `a`, and s is `b` outside; an array is copied, element by element.
    check(
        "
        fn slices(a: &[f64], b: &[f64], n: usize) -> f64 {
            let mut s = &a[0..n];
            let f = move |i: usize| s[i];
            s = b;
            let mut t = 0.0;
            for i in 0..n { t += f(i) + s[i]; }
            t
        }
        fn arrays(a: &mut [f64], n: usize) {
            let mut t = [1.0; 2];
            let f = move |i: usize| t[i];
            t[0] = 7.0;
            for i in 0..n { a[i] = f(1); }
        }
        ",
        "
        function slices
          size n
          array a parameter, elements of 8
          array b parameter, elements of 8
          loop i = 0; i < n; i += 1
            load a + 8 * i   s[i]
            load b + 8 * i   s[i]
        function arrays
          size n
          array a parameter, elements of 8
          array t local, elements of 8, ends at 16
          array t'2 local, elements of 8, ends at 16
          loop memcpy@ = 0; memcpy@ < 16; memcpy@ += 8   in memcpy
            load t + memcpy@   [1.0; 2]
            store t'2 + memcpy@   move |i: usize| t[i]
          store t + 0   t[0]
          loop i = 0; i < n; i += 1
            load t'2 + 8   t[i]
            store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn the_code_of_a_closure_means_what_it_means_where_it_is() {
    // N is that of `k`, 3, in the body of `each`, too.
    check(
        "
        fn each<const N: usize>(a: [usize; N], mut f: impl FnMut(usize)) { for i in 0..N { f(i); } }
        fn k<const M: usize>(a: &mut [[f64; M]; 9]) {
            each([0; 5], |i| { for j in 0..M { a[i][j] = 0.0; } });
        }
        ",
        "
        function k
          size M
          array a parameter, elements of 8, ends at 8 * M * 9
          array array local, elements of 8, ends at 40
          loop i = 0; i < 5; i += 1
            loop j = 0; j < M; j += 1
              store a + 8 * M * i + 8 * j   a[i][j]
        ",
    );
}

#[test]
fn a_function_may_be_called_within_the_closure_that_it_is_given() {
    check(
        "
        fn each(n: usize, mut f: impl FnMut(usize)) { for i in 0..n { f(i); } }
        fn row(n: usize, f: &mut dyn FnMut(usize)) { for i in 0..n { f(i); } }
        fn k(a: &mut [f64], n: usize) {
            for _ in 0..2 { each(n, |i| each(i, |j| a[i * 10 + j] = 1.0)); }
        }
        fn three(a: &mut [f64], n: usize) {
            each(n, |i| each(n, |j| each(n, |l| a[(i * n + j) * n + l] = 1.0)));
        }
        fn mixed(a: &mut [f64], n: usize) {
            row(n, &mut |i| each(n, |j| row(3, &mut |l| a[i * n + j + l] = 1.0)));
        }
        ",
        "
        function k
          size n
          array a parameter, elements of 8
          loop i@ = 0; i@ < 2; i@ += 1
            loop i = 0; i < n; i += 1
              loop i'3 = 0; i'3 < i; i'3 += 1
                store a + 8 * (10 * i + i'3)   a[i * 10 + j]
        function three
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            loop i'3 = 0; i'3 < n; i'3 += 1
              loop i'4 = 0; i'4 < n; i'4 += 1
                store a + 8 * ((i * n + i'3) * n + i'4)   a[(i * n + j) * n + l]
        function mixed
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            loop i'3 = 0; i'3 < n; i'3 += 1
              loop i'4 = 0; i'4 < 3; i'4 += 1
                store a + 8 * (i * n + i'3 + i'4)   a[i * n + j + l]
        ",
    );
}

#[test]
fn recursion_through_closures_is_refused_by_name() {
    let text = "
        fn rec(n: usize, f: &mut dyn FnMut(usize)) { if n > 0 { f(n); rec(n - 1, &mut |m| f(m)); } }
        fn k(a: &mut [f64], n: usize) { for i in 0..n { rec(i, &mut |m| a[m] = 1.0); } }
    ";
    assert_eq!(reasons(text), "recursion: `rec` calls itself\n");
}

#[test]
fn code_that_is_not_known_is_named() {
    let cases = [
        // Nobody calls it: what `f` accesses is not known.
        (
            "fn each(n: usize, mut f: impl FnMut(usize)) { for i in 0..n { f(i); } }",
            "`f`",
        ),
        (
            "fn each<F: FnMut(usize)>(n: usize, mut f: F) { for i in 0..n { f(i); } }",
            "`f`",
        ),
        (
            "fn each(n: usize, f: &dyn Fn(usize)) { for i in 0..n { f(i); } }",
            "`f`",
        ),
        (
            "fn each(n: usize, f: fn(usize)) { for i in 0..n { f(i); } }",
            "`f`",
        ),
        (
            "struct R { f: fn(usize) } fn k(r: &R) { for i in 0..9 { (r.f)(i); } }",
            "pointer",
        ),
        (
            "fn k(n: usize) { let fs = [f, g]; for i in 0..n { fs[i % 2](i); } }",
            "pointer",
        ),
        (
            "async fn f(a: &mut [f64]) { a[0] = 1.0; } fn k(a: &mut [f64]) { for _ in 0..9 { f(a); } }",
            "asynchronous",
        ),
        (
            "fn f(x: (impl Fn(usize), usize)) {} fn k() { for i in 0..9 { lib((|j| i + j, 1)); } }",
            "`lib`",
        ),
    ];
    for (text, word) in cases {
        let found = reasons(text);
        assert!(found.contains(word), "{text}: {found}");
    }
}

#[test]
fn calls_that_multiply_end() {
    let mut text = "fn g0(f: impl Fn()) { f(); }\n".to_owned();
    for level in 1..30 {
        let below = level - 1;
        text += &format!(
            "fn g{level}(f: impl Fn()) {{ g{below}(|| f()); g{below}(|| f()); g{below}(|| f()); }}\n"
        );
    }
    text += "fn k() { for _ in 0..3 { g29(|| {}); } }";
    assert!(reasons(&text).contains("budget-exhausted"));
}
