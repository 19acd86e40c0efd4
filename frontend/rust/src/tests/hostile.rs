//! Text that is no program.

use super::read;
use proptest::prelude::*;

const PROGRAM: &str = include_str!("program.rs.txt");

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_text_that_ends_early_is_read(end in 0..PROGRAM.len()) {
        let text = PROGRAM.get(..end).unwrap_or_default();
        read(text, &[]);
    }

    #[test]
    fn a_text_without_a_piece_is_read(start in 0..PROGRAM.len(), length in 0..80_usize) {
        let end = (start + length).min(PROGRAM.len());
        let text = format!("{}{}", &PROGRAM[..start], &PROGRAM[end..]);
        read(&text, &[]);
    }

    #[test]
    fn words_that_change_places_are_read(a in 0..400_usize, b in 0..400_usize) {
        let mut words: Vec<&str> = PROGRAM.split_inclusive(' ').collect();
        let (a, b) = (a % words.len(), b % words.len());
        words.swap(a, b);
        read(&words.concat(), &[]);
    }
}

#[test]
fn one_bad_item_does_not_cost_the_others() {
    let text = "fn f(a: &mut [f64]) { for x in a { *x = 0.0; } }\nfn g( {\nfn h(n: usize, a: &mut [f64]) { for i in 0..n { a[i] = 1.0; } }\n";
    let unit = read(text, &[]);
    let names: Vec<&str> = unit
        .functions
        .iter()
        .map(|tree| tree.function.as_str())
        .collect();
    assert_eq!(names, ["f", "h"]);
    assert_eq!(unit.diagnostics.len(), 1);
    assert_eq!(unit.diagnostics[0].code, "syntax");
}

#[test]
fn what_nests_too_deep_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("-", ""),
        ("!", ""),
        ("return ", ""),
    ] {
        let nested = format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
        let text = format!("fn f(a: &mut [f64]) {{ let x = {nested}; }}\nfn g() {{}}");
        let unit = read(&text, &[]);
        let codes: Vec<_> = unit.diagnostics.iter().map(|found| found.code).collect();
        assert_eq!(codes, ["budget-exhausted"], "{open}");
    }
}

#[test]
fn numbers_out_of_range_are_read() {
    read(
        "fn f(a: &mut [u8]) { for i in 0..99999999999999999999999 { a[i << 70] = 300; } }",
        &[],
    );
    read(
        "const N: usize = 1 / 0; fn f(a: &[[f64; N]; N]) { for r in a { let _ = r[N % 0]; } }",
        &[],
    );
    read(
        "struct A { a: A } fn f(a: &[A]) { for x in a { let _ = x.a; } }",
        &[],
    );
    read(
        "type A = A; fn f(a: &[A]) { for x in a { let _ = *x; } }",
        &[],
    );
    read(
        "fn f() { f(); loop { f() } } fn g(x: impl Fn()) { g(|| x()) } fn h() { g(|| {}) }",
        &[],
    );
    read(
        "fn f<T>(x: T) { f(&x); } fn g() { for _ in 0..3 { f(1) } }",
        &[],
    );
}
