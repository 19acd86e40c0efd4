//! Sizes that are kept without a value.

use super::read_symbolic;
use premiss_source::Severity;

/// The tree of the only function, with these names symbolic.
#[track_caller]
fn check(text: &str, symbolic: &[&str], expected: &str) {
    let (_, unit) = read_symbolic(text, symbolic);
    let found: String = unit.functions.iter().map(ToString::to_string).collect();
    assert_eq!(found.trim_end(), super::unindented(expected).trim_end());
}

const STENCIL: &str = "
    #ifndef N
    #define N 1000
    #endif
    #define M (N + 2)
    double A[M][N];
    void f(void) {
      for (int i = 1; i < N - 1; i++)
        A[i][2] = 0;
    }";

#[test]
fn macros_reach_bounds_dimensions_and_other_macros() {
    let expected = "
        function f
          size N
          array A global, elements of 8, ends at 8 * N * (N + 2)
          loop i = 1; i < N - 1; i += 1
            store A + 8 * N * i + 16   A[i][2]";
    check(STENCIL, &["N"], expected);
}

#[test]
fn a_macro_that_is_built_on_another_can_be_symbolic_alone() {
    let (_, unit) = read_symbolic(STENCIL, &["M"]);
    let tree = unit.functions[0].to_string();
    assert!(tree.contains("ends at 8000 * M"), "{tree}");
    assert_eq!(unit.used_sizes.into_iter().collect::<Vec<_>>(), ["M"]);
}

#[test]
fn constants_and_enumerators_are_sizes() {
    let expected = "
        function f
          size L
          size M
          size n
          array A global, elements of 4, ends at 4 * n * M
          loop i = 0; i < L; i += 1
            store A + 4 * i   A[0][i]";
    let text = "
        static const long n = 10;
        enum { L = 4, M };
        static const int L2 = 3;
        float A[M][n];
        void f(void) { for (int i = 0; i < L; i++) A[0][i] = 0; }";
    check(text, &["n", "L", "M"], expected);
}

#[test]
fn local_constants_are_sizes() {
    let text = "
        int main(void) {
          const int n = 100;
          double a[n];
          for (int i = 0; i < n; i++) a[i] = 0;
        }";
    let expected = "
        function main
          size n
          array a local, elements of 8, ends at 8 * n
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]";
    check(text, &["n"], expected);
}

#[test]
fn what_callers_agree_on_gives_way() {
    let text = "
        static void f(int n, int m, double *a) { for (int i = 0; i < n; i++) a[i * m] = 0; }
        int main(void) { double a[90]; f(9, 10, a); return 0; }";
    let (_, unit) = read_symbolic(text, &["n"]);
    let values = unit.functions[0].parameters.values();
    let values: Vec<_> = values.map(|size| (&*size.name, size.value)).collect();
    assert_eq!(values, [("n", None), ("m", Some(10))]);
}

#[test]
fn conditions_take_the_definition_with_a_note() {
    let text = "
        #define N 1000
        #if N > 10
        #define M N
        #else
        #define M 1
        #endif
        void f(double *a) { for (int i = 0; i < M; i++) a[i] = 0; }";
    let (_, unit) = read_symbolic(text, &["N"]);
    assert!(unit.functions[0].to_string().contains("i < N;"));
    let [note] = unit.diagnostics.as_slice() else {
        panic!("{:?}", unit.diagnostics);
    };
    assert_eq!(note.code, "symbolic-size-in-condition");
    assert_eq!(note.severity, Severity::Note);
}

#[test]
fn only_integers_stay_names() {
    let text = "
        #define T double
        #define EMPTY
        #define F(x) x
        void f(EMPTY T *a, int n) { for (int i = 0; i < F(n); i++) a[i] = 0; }";
    let (_, unit) = read_symbolic(text, &["T", "EMPTY", "F", "nothing"]);
    assert!(unit.diagnostics.is_empty(), "{:?}", unit.diagnostics);
    assert!(unit.used_sizes.is_empty(), "{:?}", unit.used_sizes);
    assert!(unit.functions[0].to_string().contains("elements of 8"));
}

#[test]
fn a_size_is_where_its_macro_is_defined() {
    let (sources, unit) = read_symbolic(STENCIL, &["N"]);
    let size = unit.functions[0]
        .parameters
        .values()
        .next()
        .expect("a size");
    assert_eq!(sources.start(size.span).line, 3);
}

#[test]
fn variables_of_a_loop_are_no_sizes() {
    let expected = "
        function f
          size n
          array a parameter, elements of 8
          loop j = 0; j < n; j += 1
            store a + 8 * j + 24   a[i]";
    let text = "
        void f(double *a, long n) { for (long j = 0; j < n; j++) { long i = j + 3; a[i] = 0; } }";
    // Another function may have a size of this name.
    check(text, &["n", "i"], expected);
}
