//! The scope of a name begins after its declarator (C11 6.2.1p7): its own initializer sees it.

use super::trees;

/// The ends of the arrays of a function with this body, in bytes.
fn ends(body: &str) -> Vec<String> {
    let text = format!(
        "
        void *malloc(unsigned long);
        void *calloc(unsigned long, unsigned long);
        void *realloc(void *, unsigned long);
        struct point {{ double x, y; float weights[6]; }};
        void f(int n, double *x) {{ {body} }}
        "
    );
    let found = trees(&text);
    let arrays = found
        .lines()
        .filter(|line| line.trim_start().starts_with("array"));
    let ends = arrays.filter_map(|line| Some(line.split_once("ends at ")?.1.to_owned()));
    ends.collect()
}

/// A loop that uses what a pointer points to.
fn using(declaration: &str, pointer: &str) -> String {
    format!("{declaration} for (int i = 0; i < n; i++) ((char *){pointer})[i] = 0;")
}

#[test]
fn an_initializer_sees_the_type_of_its_own_name() {
    let cases = [
        ("double *a = malloc(n * sizeof *a);", "8 * n"),
        ("double *a = malloc(n * sizeof(*a));", "8 * n"),
        ("float *a = malloc(n * sizeof a[0]);", "4 * n"),
        ("double *a = calloc(n, sizeof *a);", "8 * n"),
        ("double *a = realloc(0, n * sizeof *a);", "8 * n"),
        ("double **a = malloc(n * sizeof **a);", "8 * n"),
        ("float **a = malloc(n * sizeof **a);", "4 * n"),
        ("double (*a)[7] = malloc(n * sizeof *a);", "56 * n"),
        ("double (*a)[n] = malloc(9 * sizeof *a);", "72 * n"),
        ("struct point *a = malloc(n * sizeof *a);", "40 * n"),
        ("struct point *a = malloc(n * sizeof a->x);", "8 * n"),
        ("struct point *a = malloc(n * sizeof a->weights);", "24 * n"),
        (
            "struct point *a = malloc(n * sizeof a[2].weights[1]);",
            "4 * n",
        ),
        ("float *b = 0, *a = malloc(n * sizeof *a);", "4 * n"),
        ("double *a = malloc(n * sizeof(__typeof__(*a)));", "8 * n"),
        ("double *a = malloc(n * (int)sizeof *a);", "8 * n"),
        ("double *a = n > 0 ? malloc(n * sizeof *a) : 0;", "8 * n"),
    ];
    for (declaration, end) in cases {
        assert_eq!(ends(&using(declaration, "a")), [end], "{declaration}");
    }
}

#[test]
fn every_declarator_has_a_block_of_its_own() {
    let body = using(
        "double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);",
        "a",
    );
    assert_eq!(ends(&(body + "b[0] = a[0];")), ["8 * n", "8 * n"]);
    let body = "for (float *a = malloc(n * sizeof *a), *e = a + n; a < e; a++) *a = 0;";
    assert_eq!(ends(body), ["4 * n"]);
}

#[test]
fn a_declarator_itself_still_sees_what_it_hides() {
    // The bound is evaluated before the scope of the inner `a` begins: `sizeof(int)`.
    let body = "int a = 3; { double a[sizeof a]; for (int i = 0; i < 4; i++) a[i] = 0; }";
    assert_eq!(ends(body), ["32"]);
    // Here it has begun: `sizeof(double)`.
    let body = using("float *a = 0; { double *a = malloc(n * sizeof *a);", "a") + "}";
    assert_eq!(ends(&body), ["8 * n"]);
    // The scope of an enumerator begins after its enumerator (C11 6.2.1p7); its type is `int`.
    let body = "char a; enum { a = sizeof a }; double b[sizeof a * a]; \
                for (int i = 0; i < 4; i++) b[i] = 0;";
    assert_eq!(ends(body), ["32"]);
}

#[test]
fn an_uninitialized_value_is_unknown() {
    let text = trees("void f(double *x) { int n = n + 1; for (int i = 0; i < n; i++) x[i] = 0; }");
    assert!(text.contains("opaque") || text.contains("size n"), "{text}");
    let text = "int n = 5; void f(double *x) { int n = n; for (int i = 0; i < n; i++) x[i] = 0; }";
    assert!(!trees(text).contains("i < 5"), "the outer `n` is hidden");
}
