//! Functions that nothing defines may change what has linkage, and what they can have the address of.

use super::{read_c, trees};

const DECLARED: &str = "
    void ext(void);
    double now(void);
    int N = 5, M;
    static int own = 5, hidden = 5;
    const int fixed = 7;
    void set(int x) { own = x; }
    struct view { int n; double *d; };
    static double x[9];
    double *p = x;
    ";

/// Whether the last function of a text has a loop over `i` to a number that may change.
fn is_open(text: &str) -> bool {
    let text = trees(&format!("{DECLARED}{text}"));
    let is_moving = |line: &str| line.contains("loop i = 0;") && line.contains("within 0, max(");
    text.contains("uncounted-loop") || text.lines().any(is_moving)
}

#[test]
fn what_has_linkage_may_change_in_a_call() {
    let around = |bound: &str| {
        format!("void k(double *a) {{ for (int i = 0; i < {bound}; i++) {{ a[i] = 1; ext(); }} }}")
    };
    for bound in ["N", "M", "N + M", "own", "2 * N"] {
        assert!(is_open(&around(bound)), "{bound}");
    }
    // Nothing outside of this file changes these, and no function here does.
    for bound in ["hidden", "fixed", "9"] {
        assert!(!is_open(&around(bound)), "{bound}");
    }
}

#[test]
fn what_a_function_leads_to_may_call_others() {
    let calls = "static void log(void) { ext(); }
                 void k(double *a) { for (int i = 0; i < N; i++) { a[i] = 1; log(); } }";
    assert!(is_open(calls));
    let by_pointer =
        "void k(double *a, void (*f)(void)) { for (int i = 0; i < N; i++) { a[i] = 1; f(); } }";
    assert!(is_open(by_pointer));
    let library = "int printf(const char *, ...);
                   void k(double *a) { for (int i = 0; i < N; i++) { a[i] = 1; printf(\"x\"); } }";
    assert!(!is_open(library));
}

#[test]
fn the_value_of_an_initializer_holds_up_to_the_first_call() {
    let values = |text: &str| -> Vec<Option<i64>> {
        let unit = read_c(&format!("{DECLARED}{text}"), &[]);
        let tree = unit.functions.last().expect("it has a loop");
        tree.parameters.values().map(|size| size.value).collect()
    };
    let before = "void k(double *a) { ext(); for (int i = 0; i < N; i++) a[i] = 1; }";
    assert_eq!(values(before).last(), Some(&None), "the loop's own size");
    let after = "void k(double *a) { for (int i = 0; i < N; i++) a[i] = 1; ext(); }";
    assert_eq!(values(after), [Some(5)]);
}

#[test]
fn what_parameters_point_to_may_change_in_a_call() {
    let member =
        "void k(struct view *s) { for (int i = 0; i < s->n; i++) { s->d[i] = 1; ext(); } }";
    assert!(is_open(member));
    let target = "void k(double *a, int *n) { for (int i = 0; i < *n; i++) { a[i] = 1; ext(); } }";
    assert!(is_open(target));
    let own = "void k(double *a, int m) { struct view v; v.n = m; \
               for (int i = 0; i < v.n; i++) { a[i] = 1; ext(); } }";
    assert!(!is_open(own), "nothing else has the address of `v`");
}

#[test]
fn two_nests_around_a_call_have_two_sizes_and_one_array() {
    let text = format!(
        "{DECLARED}void k(struct view *s) {{
           for (int i = 0; i < s->n; i++) s->d[i] = 1;
           now();
           for (int i = 0; i < s->n; i++) s->d[i] = 2;
         }}"
    );
    let text = trees(&text);
    let k = text.split("function k").nth(1).expect("it has loops");
    assert_eq!(k.matches("size s->n").count(), 2, "{k}");
    assert_eq!(k.matches("array s->d").count(), 1, "{k}");
}

#[test]
fn a_pointer_with_linkage_may_point_elsewhere_after_a_call() {
    let text =
        format!("{DECLARED}void k(void) {{ ext(); for (int i = 0; i < 9; i++) p[i] = x[i]; }}");
    let text = trees(&text);
    assert!(!text.contains("store x + "), "{text}");
}

#[test]
fn words_of_the_command_line_are_no_arrays() {
    let is_known = |head: &str, read: &str| {
        let text = format!(
            "int {head} {{ int n = {read}; static double a[99]; for (int i = 0; i < n; i++) a[i] = 1; return 0; }}"
        );
        !trees(&text).contains("string of unknown length")
    };
    let main = "main(int argc, char **argv)";
    for read in [
        "atoi(argv[1])",
        "argc < 2 ? 9 : atoi(argv[argc - 1])",
        "strtol(argv[1], 0, 10)",
        "strcmp(*argv, \"-n\") == 0",
    ] {
        assert!(is_known(main, read), "{read}");
        assert!(is_known("main(int argc, char *argv[])", read), "{read}");
        // Other functions may get any text.
        assert!(!is_known("parse(int argc, char **argv)", read), "{read}");
    }
    assert!(!is_known("main(char **argv)", "atoi(argv[1])"));
}

#[test]
fn a_call_that_is_not_followed_sets_pointers_to_blocks_of_their_own() {
    let text = trees(
        "void grow(int n, double **x) { if (0 < n) grow(n - 1, x); }
         void k(int n, int m) {
           double *x = 0;
           if (m) grow(n, &x);
           for (int i = 0; i < n; i++) x[i] = 1;
         }",
    );
    assert!(text.contains("recursion"), "{text}");
    assert!(!text.contains("ambiguous-pointer"), "{text}");
}
