//! Types of headers that are not there: what their names say, else 8 bytes, and nothing is known of what they lead to.

use super::trees;

/// The tree of a function with these parameters and this body.
fn with(parameters: &str, body: &str) -> String {
    trees(&format!("void f(int n, {parameters}) {{ {body} }}"))
}

#[test]
fn elements_have_the_size_that_their_name_says_or_8_bytes() {
    for (kind, bytes) in [
        ("my_int32", 4),
        ("UINT8", 1),
        ("index_t", 8),
        ("float32", 4),
        ("realtype", 8),
        ("handle", 8),
    ] {
        let tree = with(
            &format!("{kind} *x"),
            "for (int i = 0; i < n; i++) x[i] = 0;",
        );
        assert!(
            tree.contains(&format!("x parameter, elements of {bytes}\n")),
            "{kind}: {tree}"
        );
    }
    let tree = with(
        "my_short *x",
        "struct { handle h; my_int16 s[4]; } t[40]; for (int i = 0; i < 40; i++) t[i].s[1] = 0;",
    );
    assert!(tree.contains("store t + 16 * i + 10"), "{tree}");
}

#[test]
fn integers_by_name_count_loops_and_others_do_not() {
    let body = |kind: &str| format!("for ({kind} i = 0; i < n; i++) x[i] = 0;");
    for kind in ["idx_t", "MY_INDEX_TYPE", "blas_int", "i32"] {
        let tree = with("double *x", &body(kind));
        assert!(tree.contains("loop i = 0; i < n; i += 1"), "{kind}: {tree}");
    }
    let named = format!(
        "typedef WIDE index; void f(int n, double *x) {{ {} }}",
        body("index")
    );
    assert!(trees(&named).contains("loop i = 0; i < n; i += 1"));
    for kind in ["point", "handle", "real"] {
        let tree = with("double *x", &body(kind));
        assert!(
            tree.contains("is not an integer variable"),
            "{kind}: {tree}"
        );
    }
}

#[test]
fn what_a_value_of_an_undeclared_type_leads_to_is_unknown() {
    for access in ["p[i]", "*p", "p->x[i]", "(*p).y"] {
        let tree = with(
            "vec p, double *y",
            &format!("for (int i = 0; i < n; i++) y[i] += {access};"),
        );
        assert!(
            tree.contains("undeclared type is not modelled"),
            "{access}: {tree}"
        );
    }
}
