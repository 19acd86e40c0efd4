//! Macros of headers that are not there: before a type, before a name, and behind a declarator they say nothing.

use super::trees;

/// The tree of a function of one loop behind these declarations.
fn behind(declarations: &str, head: &str) -> String {
    trees(&format!(
        "{declarations}\n{head} {{ for (size_t i = 0; i < n; i++) a[i] = 0; }}"
    ))
}

#[test]
fn an_undeclared_name_before_a_type_is_no_type() {
    let head = "void f(size_t n, double *a)";
    let plain = behind("", head);
    assert!(plain.contains("store a + 8 * i"), "{plain}");
    for declarations in [
        "INLINE_DECL size_t get(int n);",
        "API const size_t most;",
        "API extern size_t most;",
        "VAR const size_t *table[3];",
        "API widget *make(void);",
        "struct API size { size_t n; };",
        "int most(void) PURE;",
        "static size_t most(int x UNUSED, size_t y) ALLOCATED(1, 2) COLD;",
        "void CALL most(size_t n); void *CALL least(size_t n);",
        "typedef void (CALL *size)(size_t n); int (CALL *least)(size_t);",
        "API DEPRECATED(\"use least\") size_t most(void);",
        "DEPRECATED(\"use\" VERSION(1, 2)) API extern size_t most;",
        "struct s { real (*norm)(int); DEPRECATED(\"no\") size_t n; real *(*scale)(N_Vector, real*, real*); };",
    ] {
        assert_eq!(behind(declarations, head), plain, "{declarations}");
    }
    for head in [
        "API void f(size_t n, double *a)",
        "void CALL f(size_t n, double *a)",
        "void f(IN size_t n, OUT double *a)",
        "void f(size_t n, double *a UNUSED) HOT",
        "void f(n, a) size_t n; double *a;",
    ] {
        assert_eq!(behind("", head), plain, "{head}");
    }
}

#[test]
fn an_undeclared_name_in_parentheses_before_an_operand_is_a_type() {
    let plain = trees(
        "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = (double)rand() / 2; }",
    );
    for cast in [
        "(real)rand() / 2",
        "(real)(rand()) / (real)2",
        "(real)n / 2",
    ] {
        let text =
            format!("void f(int n, double *a) {{ for (int i = 0; i < n; i++) a[i] = {cast}; }}");
        assert_eq!(trees(&text), plain, "{cast}");
    }
}

#[test]
fn names_that_are_not_written_as_macros_are_errors_where_none_may_stand() {
    let broken = trees("int first second; void f(int n, int *a) { int b c; for (;;) a[0] = b; }");
    assert!(broken.contains("syntax error"), "{broken}");
}
