//! Rows behind pointers: where the program puts them, where an allocator does, and where nobody knows.

use super::trees;

/// The tree of a function that fills a table `a` of `n` pointers by these statements and then walks down its columns.
fn walk(parameters: &str, fill: &str) -> String {
    trees(&format!(
        "void *malloc(unsigned long); void free(void *); void ext(void);
        double f(int n, int m{parameters})
        {{
          double s = 0;
          {fill}
          for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
              s += a[i][j];
          return s;
        }}"
    ))
}

const TABLE: &str = "double **a = malloc(8 * n);";

#[track_caller]
fn check_row(parameters: &str, fill: &str, expected: &str) {
    let found = walk(parameters, fill);
    assert!(found.contains(expected), "{fill}\n{found}");
}

#[test]
fn pointers_into_one_block_lead_where_the_text_says() {
    for fill in [
        "double *b = malloc(8 * n * m); for (int i = 0; i < n; i++) a[i] = b + i * m;",
        "a[0] = malloc(8 * n * m); for (int i = 1; i < n; i++) a[i] = a[0] + i * m;",
        "double *b = malloc(8 * n * m); for (int i = n - 1; i >= 0; i--) a[i] = &b[m * i];",
        "double *b = malloc(8 * n * m); for (int i = 0; i < n; i++) a[n - 1 - i] = b + (n - 1 - i) * m;",
    ] {
        check_row("", &format!("{TABLE} {fill}"), "+ 8 * (m * i");
    }
    let same = format!("{TABLE} for (int i = 0; i < n; i++) a[i] = b;");
    check_row(", double *b", &same, "load b + 8 * j ");
}

#[test]
fn blocks_that_a_loop_allocates_lie_one_behind_the_other() {
    let fill = "for (int i = 0; i < n; i++) { a[i] = malloc(8 * 500); if (!a[i]) return 0; }";
    check_row(
        "",
        &format!("{TABLE} {fill}"),
        "load a[i] + 4016 * i'2 + 16 + 8 * j ",
    );
    let large = "for (int i = 0; i < n; i++) a[i] = malloc(200000);";
    check_row(
        "",
        &format!("{TABLE} {large}"),
        "load a[i] + 200704 * i'2 + 16 + 8 * j ",
    );
    let both = "double **b = malloc(8 * n); \
        for (int i = 0; i < n; i++) { b[i] = malloc(80); a[i] = malloc(160); }";
    check_row(
        "",
        &format!("{TABLE} {both}"),
        "load b[i] + 272 * i'2 + 112 + 8 * j ",
    );
}

#[test]
fn blocks_that_are_not_accounted_for_lie_anywhere() {
    for fill in [
        "for (int i = 0; i < n; i++) a[i] = malloc(8 * (i + 1));",
        "for (int i = 0; i < n; i++) { a[i] = malloc(8 * m); free(malloc(8)); }",
        "for (int i = 0; i < n; i++) { a[i] = malloc(8 * m); ext(); }",
        "for (int i = 0; i < n; i++) { double *p = malloc(8 * m); a[i] = p; }",
        "for (int i = 0; i < n; i++) if (p[i]) a[i] = malloc(8 * m);",
        "for (int i = 0; i < n; i++) a[i] = malloc(8 * m); a[0] = a[1];",
        "for (int i = 0; i < n; i++) a[i] = malloc(8 * m); for (int i = 0; i < n; i++) a[i] = a[p[i]];",
    ] {
        let found = walk(", int *p", &format!("{TABLE} {fill}"));
        let is_open =
            found.contains("+ data   a[i][j]") || found.contains("opaque ambiguous-pointer");
        assert!(is_open, "{fill}\n{found}");
    }
}

#[test]
fn rows_of_arguments_are_as_long_as_the_loops_reach() {
    let found = trees(
        "double f(int n, double **a, double **b)
        {
          double s = 0;
          for (int i = 1; i <= n; i++)
            for (int j = 1; j < 100; j++)
              s += a[i][j - 1] + a[i - 1][j];
          for (int i = 0; i < n; i++)
            for (double *p = b[i]; p < b[i] + 60; p++)
              s += *p;
          return s;
        }",
    );
    assert!(
        found.contains("load a[i] + 816 * i + 16 + (8 * j - 8)   a[i][j - 1]"),
        "{found}"
    );
    assert!(
        found.contains("+ 816 * i + 16 + 8 * j   a[i - 1][j]"),
        "{found}"
    );
    assert!(
        found.contains("loop p@ = 496 * i'2 + 16; p@ < 496 * i'2 + 496"),
        "{found}"
    );
}

#[test]
fn rows_that_are_exchanged_lie_anywhere() {
    let swap = "for (int i = 0; i < n / 2; i++) \
        { double *t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }";
    let found = walk(", double **a", swap);
    assert!(!found.contains("opaque"), "{found}");
    let possible = "if data\n          load a[i] + data   a[i][j]";
    assert!(found.contains(possible), "{found}");
}
