//! What grows exponentially with the text ends, and says which limit it met.

use super::{read, reasons};
use crate::add_module_files;
use premiss_source::MemoryFiles;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn structs_of_structs_are_not_written_out() {
    let mut text = "pub struct S0(f64);\n".to_owned();
    for level in 1..12 {
        let fields = vec![format!("[S{}; 8]", level - 1); 8].join(", ");
        text += &format!("#[derive(Clone, Copy)] pub struct S{level}({fields});\n");
    }
    text += "fn f(a: &mut [S11]) { for i in 1..9 { a[i] = a[i - 1]; let x = a[i].0[0]; } }\n";
    assert!(
        reasons(&text).contains("unsupported-construct"),
        "{}",
        reasons(&text)
    );
}

#[test]
fn types_that_double_end() {
    let tuples = (1..30).map(|i| format!("type T{i} = (T{0}, T{0});\n", i - 1));
    let tuples: String = tuples.collect();
    let text = format!(
        "type T0 = f64;\n{tuples}fn f(a: &mut [T29]) {{ for i in 1..9 {{ a[i] = a[i - 1]; }} }}"
    );
    assert!(
        reasons(&text).contains("budget-exhausted: the budget ran out: 256 parts"),
        "{}",
        reasons(&text)
    );
    let generic = "D<".repeat(30) + "f64" + &">".repeat(30);
    let text = format!(
        "type D<T> = (T, T);\nfn f(a: &mut [{generic}]) {{ for i in 1..9 {{ a[i] = a[i - 1]; }} }}"
    );
    assert!(reasons(&text).contains("256 parts"), "{}", reasons(&text));
    // A default that mentions the alias itself.
    read(
        "type A<T = A> = T; fn f(a: &[A]) { for x in a { let _ = x; } }",
        &[],
    );
}

#[test]
fn lengths_that_double_end() {
    let mut text = "struct S0<const N: usize>([f64; N]);\n".to_owned();
    for level in 1..40 {
        text += &format!(
            "struct S{level}<const N: usize>(S{}<{{ N + N }}>);\n",
            level - 1
        );
    }
    text += "fn f(a: &[S39<1>]) { for x in a { let _y = x.0; } }\n";
    read(&text, &[]);
}

#[test]
fn macros_that_multiply_end() {
    let mut text =
        "macro_rules! d { ($x:expr) => { ($x + $x + $x + $x + $x + $x + $x + $x) } }\n".to_owned();
    let nested = "d!(".repeat(12) + "a[i]" + &")".repeat(12);
    text += &format!("fn f(a: &mut [f64]) {{ for i in 0..9 {{ a[i] = {nested}; }} }}");
    assert!(
        reasons(&text).contains("budget-exhausted"),
        "{}",
        reasons(&text)
    );
    let text = "macro_rules! r { ($x:expr) => { r!($x) + r!($x) } } fn f(a: &mut [f64]) { for i in 0..9 { a[i] = r!(1.0); } }";
    assert!(
        reasons(text).contains("budget-exhausted"),
        "{}",
        reasons(text)
    );
    let text = "macro_rules! items { () => { items!(); items!(); items!(); items!(); } } items!();";
    read(text, &[]);
}

#[test]
fn modules_come_from_regular_files_of_bounded_size() {
    let long = " ".repeat(65 << 20);
    let files: MemoryFiles = [
        (
            "src/lib.rs",
            "mod a; mod big; mod gone; #[path = \"/dev/zero\"] mod zero;".to_owned(),
        ),
        ("src/a.rs", "mod b;".to_owned()),
        ("src/a/b.rs", String::new()),
        ("src/big.rs", long),
    ]
    .into_iter()
    .collect();
    let mut found = BTreeSet::new();
    add_module_files(&files, Path::new("src/lib.rs"), &mut found);
    let expected = ["src/a.rs", "src/a/b.rs", "src/lib.rs"].map(PathBuf::from);
    assert_eq!(found, BTreeSet::from(expected));
}

/// What a function may do to vectors is looked up in its callees, of which each keeps its answer.
#[test]
fn what_callees_of_callees_do_to_vectors_is_known() {
    let mut text = "fn f0(a: &mut Vec<f64>) { for i in 0..9 { a[i] = 1.0; } }\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        text += &format!("fn f{level}(a: &mut Vec<f64>) {{ f{below}(a); }}\n");
    }
    let pushing = text.replacen("a[i] = 1.0;", "a.push(1.0);", 1);
    let caller = "fn g(a: &mut Vec<f64>) { f39(a); for i in 0..a.len() { a[i] = 2.0; } }\n";
    let keeps_length = |text: &str| {
        let unit = read(&format!("{text}{caller}"), &[]);
        let tree = unit.functions.iter().find(|tree| tree.function == "g");
        tree.expect("g").to_string().contains("< a.len();")
    };
    assert!(keeps_length(&text));
    assert!(!keeps_length(&pushing));
}

/// Functions that call each other are followed a few calls deep, not along each path without a repetition.
#[test]
fn functions_that_call_each_other_in_circles_end() {
    let n = 12;
    let mut text = String::new();
    for idx in 0..n {
        let calls = (1..5).map(|step| format!("f{}(a, n / 2);", (idx + step) % n));
        let calls: String = calls.collect();
        text += &format!(
            "fn f{idx}(a: &mut [f64], n: usize) {{ for i in 0..n {{ a[i] = 1.0; }} {calls} }}\n"
        );
    }
    let unit = read(&text, &[]);
    let tree = unit.functions[0].to_string();
    assert!(tree.contains("recursion"), "{tree}");
    assert!(tree.lines().count() < 3_000, "{}", tree.lines().count());
}

/// Functions whose results are options are inlined as far as a body may grow.
#[test]
fn functions_of_options_that_call_each_other_twice_end() {
    let mut text =
        "fn f0(a: &mut [f64]) -> Option<f64> { for i in 0..9 { a[i] = 1.0; } Some(a[0]) }\n"
            .to_owned();
    for level in 1..20 {
        let below = level - 1;
        text +=
            &format!("fn f{level}(a: &mut [f64]) -> Option<f64> {{ f{below}(a)?; f{below}(a) }}\n");
    }
    assert!(
        !reasons(&text).contains("statements that"),
        "{}",
        reasons(&text)
    );
}

/// In a large program, a function that leads to many calls takes a limited number of steps.
#[test]
fn functions_of_large_programs_take_a_limited_number_of_steps() {
    let fill = |name: &str, calls: &str| {
        format!("pub fn {name}(a: &mut [f64]) {{ for i in 0..9 {{ a[i] = 1.0; }} {calls} }}\n")
    };
    let mut text = fill("f0", "");
    for level in 1..14 {
        let below = level - 1;
        text += &fill(&format!("f{level}"), &format!("f{below}(a); f{below}(a);"));
    }
    let is_limited = |text: &str| {
        let unit = read(text, &[]);
        let tree = unit.functions.iter().find(|tree| tree.function == "f13");
        tree.expect("f13").to_string().contains("100000 steps")
    };
    assert!(!is_limited(&text));
    text.extend((0..500).map(|idx| fill(&format!("g{idx}"), "")));
    assert!(is_limited(&text));
}
