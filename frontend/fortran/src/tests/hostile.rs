//! Texts whose expansion would never end, or be too large.

use super::{read, read_with, trees};
use premiss_source::{MemoryFiles, Severity};
use std::fmt::Write;

#[test]
fn statement_functions_that_double_are_given_up() {
    let mut text = String::from("subroutine s(n, x)\nreal :: x(n)\nf0(a) = a + 1\n");
    for level in 1..40 {
        let below = level - 1;
        let _ = writeln!(text, "f{level}(a) = f{below}(f{below}(a))");
    }
    text.push_str("do i = 1, n\nx(i) = f39(1.0)\nend do\nx(1) = 2\nend\n");
    let found = trees(&[("a.f90", &text)]);
    assert_eq!(
        found.matches("opaque budget-exhausted").count(),
        1,
        "{found}"
    );
    assert!(found.contains("store x + 0"), "{found}");
}

#[test]
fn a_statement_function_of_itself_is_given_up() {
    for text in [
        "subroutine s\nf(a) = f(a)\nx = f(1.0)\nend\n",
        "subroutine s(x)\nreal :: x(9)\nf(a) = g(a)\ng(a) = f(a)\ndo i = 1, 9\nx(i) = f(1.0)\nend do\nend\n",
    ] {
        let found = trees(&[("a.f90", text)]);
        assert!(
            found.is_empty() || found.contains("budget-exhausted"),
            "{found}"
        );
    }
}

#[test]
fn constants_that_double_have_values() {
    let mut text =
        String::from("subroutine s(x)\ninteger, parameter :: k0 = 1\nreal, parameter :: r0 = 1\n");
    for level in 1..60 {
        let below = level - 1;
        let _ = writeln!(
            text,
            "integer, parameter :: k{level} = k{below} - k{below} + 3"
        );
        let _ = writeln!(text, "real, parameter :: r{level} = r{below} + r{below}");
    }
    text.push_str("real :: x(*)\ndo i = 1, k59\nx(i) = r59\nend do\nend\n");
    let found = trees(&[("a.f90", &text)]);
    assert!(
        found.contains("loop i = 1; i <= 3") || found.contains("i <= k59"),
        "{found}"
    );
}

#[test]
fn a_file_that_includes_itself_is_read_once() {
    let mut files = MemoryFiles::new();
    let kernel = "subroutine walk(a)\nreal :: a(9)\ndo i = 1, 9\na(i) = 0\nend do\nend\n";
    let main = "include 'k.f90'\ninclude 'q.f90'\n";
    files.insert("k.f90", kernel);
    files.insert("q.f90", main);
    let units = read_with(&[("q.f90", main)], &files);
    let found: String = units
        .iter()
        .flat_map(|unit| &unit.functions)
        .map(ToString::to_string)
        .collect();
    assert_eq!(found.matches("loop i = 1; i <= 9").count(), 1, "{found}");
    let mut diagnostics = units.iter().flat_map(|unit| &unit.diagnostics);
    let is_named =
        diagnostics.any(|one| one.code == "include-depth" && one.severity == Severity::Error);
    assert!(is_named);
}

#[test]
fn includes_that_double_end() {
    let mut files = MemoryFiles::new();
    for level in 0..40 {
        let next = level + 1;
        let text = format!("include 'i{next}.f90'\ninclude 'i{next}.f90'\n");
        files.insert(format!("i{level}.f90"), text);
    }
    let units = read_with(&[("a.f90", "include 'i0.f90'\nx = 1\nend\n")], &files);
    let mut diagnostics = units.iter().flat_map(|unit| &unit.diagnostics);
    assert!(diagnostics.any(|one| one.code == "budget-exhausted"));
}

#[test]
fn macros_that_multiply_are_given_up() {
    let mut text = String::from("#define P0(x) x x x x x x x x x x\n");
    for level in 1..20 {
        let below = level - 1;
        let _ = writeln!(text, "#define P{level}(x) P{below}(x x x x) P{below}(x)");
    }
    text.push_str("subroutine s(x)\nreal x(9)\ndo i = 1, 9\nx(i) = P19(1)\nend do\nend\n");
    let units = read(&[("a.F90", &text)]);
    let mut diagnostics = units.iter().flat_map(|unit| &unit.diagnostics);
    assert!(diagnostics.any(|one| one.code == "budget-exhausted"));
}

#[test]
fn operators_and_associate_names_in_long_chains_end() {
    let sum = " + p(i)".repeat(60);
    let operators = format!(
        "module m\ntype v\nreal x\nend type\ninterface operator(+)\nmodule procedure add\nend interface\ncontains\n\
         function add(a, b) result(c)\ntype(v), intent(in) :: a, b\ntype(v) :: c\nc%x = a%x + b%x\nend function\n\
         subroutine s(p, n)\ntype(v) :: p(n)\ndo i = 1, n\np(i) = p(i){sum}\nend do\nend subroutine\nend module\n"
    );
    let found = trees(&[("a.f90", &operators)]);
    assert!(found.contains("loop i = 1; i <= n"), "{found}");
    let mut names = String::from("subroutine s(x, n)\nreal x(n)\nassociate (b0 => n)\n");
    for level in 1..40 {
        let below = level - 1;
        let _ = writeln!(names, "associate (b{level} => b{below} + b{below})");
    }
    names.push_str("do i = 1, b39\nx(i) = 1\nend do\n");
    names.push_str(&"end associate\n".repeat(40));
    names.push_str("end\n");
    assert!(trees(&[("a.f90", &names)]).contains("store x"));
}

#[test]
fn sums_without_end_are_given_up() {
    let sum = "x(i)".to_owned() + &" + x(i)".repeat(20_000);
    let text = format!("subroutine s(x, n)\nreal x(n)\ndo i = 1, n\nx(i) = {sum}\nend do\nend\n");
    let found = trees(&[("a.f90", &text)]);
    assert!(found.contains("opaque budget-exhausted"), "{found}");
}
