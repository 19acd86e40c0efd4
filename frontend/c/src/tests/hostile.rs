//! Nothing that a file can hold makes reading it panic or hang.

use super::{read_c, trees};
use proptest::prelude::*;

const KERNELS: [&str; 6] = [
    include_str!("../../../../testdata/kernels/c/gemm.c"),
    include_str!("../../../../testdata/kernels/c/nussinov.c"),
    include_str!("../../../../testdata/kernels/c/shapes/pointer_walk.c"),
    include_str!("../../../../testdata/kernels/c/shapes/unsigned.c"),
    include_str!("../../../../testdata/kernels/c/shapes/odd_sizes.c"),
    include_str!("programs.c"),
];

fn repeated(text: &str, n: usize) -> String {
    text.repeat(n)
}

#[test]
fn deep_nesting_ends_in_a_budget() {
    let n = 30_000;
    let texts = [
        format!(
            "void f(int n, double *a) {{ for (;;) a[0] = {}1{}; }}",
            repeated("(", n),
            repeated(")", n)
        ),
        format!(
            "void f(int n, double *a) {{ {} a[0] = 1; {} }}",
            repeated("{", n),
            repeated("}", n)
        ),
        format!(
            "void f(int n, double *a) {{ for (;;) a[0] = 1{}; }}",
            repeated(" + n", n)
        ),
        format!(
            "void f(int n, double *a) {{ for (;;) a[0] = {}n; }}",
            repeated("- ", n)
        ),
        format!(
            "void f(int n, double *a) {{ {} a[0] = 1; }}",
            repeated("for (int i = 0; i < n; i++) ", n)
        ),
        format!(
            "void f(int n, double {}*a) {{ for (;;) a[0] = 1; }}",
            repeated("(", n)
        ),
        format!(
            "void f(int n, double *a) {{ if (n) ; {} for (;;) ; }}",
            repeated("else if (n) ; ", n)
        ),
        format!(
            "void f(int n, double *a) {{ for (;;) a{} = 1; }}",
            repeated("[0]", n)
        ),
        format!("int a{};", repeated("[2]", n)),
        format!("struct s {}", repeated("{ struct t ", n)),
        repeated("f(", n),
        format!(
            "void f(int n, double *a) {{ for (int i = 0; i < n; i++) {{ {} a[i] = 1; }} }}",
            repeated("if (n == i) continue; ", n / 10)
        ),
        format!(
            "void f(int n, double *a) {{ int i; {} }}",
            repeated("for (i = 0; i < n; i++) a[i] = 0;", n / 50)
        ),
    ];
    for text in texts {
        let unit = read_c(&text, &[]);
        assert!(unit.functions.len() <= 1);
    }
}

#[test]
fn a_function_that_is_defined_again_is_counted_once() {
    let f = "void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 1; }\n";
    let unit = read_c(&f.repeat(9), &[]);
    assert_eq!(unit.functions.len(), 1);
    let codes: Vec<_> = unit.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["redefinition"]);
    // Of an unknown macro, other bodies may make other functions.
    let others = f.to_owned() + &f.replace("= 1", "= 2");
    assert_eq!(read_c(&others, &[]).functions.len(), 2);
}

#[test]
fn calls_that_multiply_end_in_a_budget() {
    let mut text =
        "static void f0(double *a) { for (int i = 0; i < 9; i++) a[i] = 0; }\n".to_owned();
    for level in 1..8 {
        let calls = format!("f{}(a); ", level - 1).repeat(8);
        text += &format!(
            "static void f{level}(double *a) {{ {calls}for (int i = 0; i < 9; i++) a[i] = 1; }}\n"
        );
    }
    let unit = read_c(&text, &[]);
    let codes: Vec<_> = unit.diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"budget-exhausted"), "{codes:?}");
}

#[test]
fn loops_in_loops_that_change_what_is_known_end() {
    let mut text = "void f(int n, double *a, double *b) { double *p = a; int k = 0;\n".to_owned();
    for level in 0..60 {
        text += &format!(
            "for (int i{level} = 0; i{level} < n; i{level}++) {{ p[k] = 1; if (b[k]) {{ p = b; k = b[0]; }}\n"
        );
    }
    text += &"}".repeat(61);
    assert_eq!(read_c(&text, &[]).functions.len(), 1);
}

#[test]
fn numbers_that_do_not_fit_are_no_numbers_to_panic_on() {
    let text = "
        enum { A = 9223372036854775807, B, C = -9223372036854775807 - 1, D = 1 / 0, E = 1 << 99 };
        double big[9223372036854775807][9223372036854775807];
        void f(int n, double a[B], double b[C]) {
          for (long i = A; i < B; i += C) a[i * A] = big[A][i] + sizeof big;
          for (int i = 99999999999999999999999; i < n; i++) b[-i] = -C % -1;
          for (int i = 0; i < n; i += 0) b[i] = 1 >> 64;
          for (int i = 0; i < n; i -= C) b[C / -1] = 1e999;
        }";
    for size in [i64::MAX, i64::MIN, 0, -1] {
        assert_eq!(read_c(text, &[("n", size), ("A", size)]).functions.len(), 1);
    }
}

#[test]
fn what_is_no_c_is_reported() {
    for text in [
        "",
        "\0\0\0",
        "}}}}",
        "{{{{",
        "int",
        "int main(",
        "\"",
        "'",
        "/*",
        "#",
        "void f(int n) { for",
        "void f() { case 1: ; default: }",
        "typedef int;",
        "struct",
        "int x = {",
        "a.b",
        "void f(x y z) { while (1) ; }",
    ] {
        trees(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn mangled_kernels_are_read(kernel in 0..KERNELS.len(), edits in prop::collection::vec((0..3_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..40_usize), 1..6)) {
        let mut bytes = KERNELS[kernel].as_bytes().to_vec();
        for (what, at, other, length) in edits {
            if bytes.is_empty() { break; }
            let from = at.index(bytes.len());
            let to = (from + length).min(bytes.len());
            match what {
                0 => { bytes.drain(from..to); }
                1 => {
                    let piece = bytes[from..to].to_vec();
                    let place = other.index(bytes.len());
                    bytes.splice(place..place, piece);
                }
                _ => { let place = other.index(bytes.len()); bytes.swap(from, place); }
            }
        }
        trees(&String::from_utf8_lossy(&bytes));
    }
}
