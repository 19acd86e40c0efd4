//! Code that macros expand to, all of which has one place.

use super::trees;

/// The trees of functions, without the texts of accesses: those of a macro are its invocation.
fn accesses(text: &str) -> Vec<String> {
    let trees = trees(text);
    let lines = trees.lines().map(|line| {
        let words = line.split("   ").next().unwrap_or_default();
        words.trim_end().to_owned()
    });
    lines.filter(|line| !line.is_empty()).collect()
}

/// Checks that functions of a macro for numbers of a type have the trees that they have where they are written.
#[track_caller]
fn check_in_macro(functions: &str) {
    let of_macro = functions.replace("f64", "$t");
    let made = format!("macro_rules! make {{ ($t:ty) => {{ {of_macro} }} }} make!(f64);");
    assert_eq!(accesses(&made), accesses(functions));
}

#[test]
fn parameters_of_a_macro_s_function_are_arrays_of_their_own() {
    check_in_macro(
        "pub fn add(n: usize, a: &mut [f64], b: &[f64], c: &[f64; 9]) { for i in 0..n { a[i] += b[i] + c[0]; } }",
    );
}

#[test]
fn types_that_a_macro_leaves_open_are_distinct() {
    check_in_macro(
        "pub fn products(a: &[f64], b: &[f64]) -> Vec<Vec<f64>> {
             a.iter().map(|x| b.iter().map(|y| x * y).collect()).collect()
         }
         pub fn open(n: usize) -> f64 {
             let mut p = Vec::new();
             let mut q = Vec::new();
             for i in 0..n { p.push(i); q.push(1.5); }
             let mut sum = 0.0;
             for i in 0..n { sum += p[i] as f64 * q[i]; }
             sum
         }",
    );
}

/// What a logger reads is read only if it logs; `cfg!` is a condition.
#[test]
fn macros_of_loggers_and_of_the_configuration_are_conditions() {
    let tree = trees(
        "pub fn f(a: &mut [f64]) {
             for i in 0..a.len() {
                 debug!(\"{}\", a[i]);
                 log::warn!(\"at {i}\");
                 if cfg!(feature = \"zero\") || relative_eq!(a[i], 1.0, epsilon = 1e-9) { a[i] = 0.0; }
                 if cfg!(not(debug_assertions)) { a[i] = 1.0; }
             }
         }",
    );
    assert!(!tree.contains("opaque"), "{tree}");
    assert_eq!(tree.matches("if data").count(), 3, "{tree}");
    assert_eq!(tree.matches("load a").count(), 2, "{tree}");
    assert_eq!(tree.matches("store a").count(), 1, "{tree}");
}

/// A separator of several marks, and a macro as a type.
#[test]
fn repetitions_are_separated_by_any_token() {
    let tree = trees(
        "macro_rules! number { ($t:ident) => { $t }; }
         macro_rules! vector {
             ($name:ident, $($part:ident),+) => {
                 #[derive(Clone, Copy)]
                 pub struct $name { $($part: number!(f64)),+ }
                 impl $name {
                     fn is_zero(&self) -> bool { $(self.$part == 0.0)&&+ }
                 }
             };
         }
         vector!(Pair, x, y);
         pub fn f(a: &[Pair], y: &mut [f64]) {
             for i in 0..a.len() { if a[i].is_zero() { y[i] = 1.0; } }
         }",
    );
    assert!(!tree.contains("opaque"), "{tree}");
    assert_eq!(tree.matches("load a").count(), 2, "{tree}");
}
