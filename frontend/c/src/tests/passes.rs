//! Passes over loops whose iterations lose what was known before.

use super::check;

/// Compares the body of a loop before which `k` is 3 with the lines that are expected of it.
#[track_caller]
fn check_body(body: &str, expected: &[&str]) {
    let text = format!(
        "void f(int n, double *a, int *index) {{ int k = 3; for (int i = 0; i < n; i++) {{ {body} }} }}"
    );
    let head = "function f\n  size n\n  array a parameter, elements of 8\n  array index parameter, elements of 4\n  \
                loop i = 0; i < n; i += 1";
    let lines = expected.iter().map(|line| format!("\n    {line}"));
    check(&text, &(head.to_owned() + &lines.collect::<String>()));
}

#[test]
fn a_value_that_is_set_before_it_is_read_is_constant() {
    check_body(
        "k = index[0]; k = 2; a[k] = 1; k = index[i];",
        &[
            "load index + 0   index[0]",
            "store a + 16   a[k]",
            "load index + 4 * i   index[i]",
        ],
    );
}

#[test]
fn a_value_that_is_read_and_clobbered_later_is_unknown_from_the_start() {
    // The first iteration knows `k`, the others do not.
    check_body(
        "a[k] = 1; if (a[i] > 0) k = index[i];",
        &[
            "store a + data   a[k]",
            "load a + 8 * i   a[i]",
            "if data",
            "  load index + 4 * i   index[i]",
        ],
    );
}

#[test]
fn a_value_that_one_path_alone_sets_is_live_in() {
    // Up to the fifth iteration `k` is what the one before left.
    check_body(
        "if (i > 4) k = 5; a[k] = 1; k = index[i];",
        &["store a + data   a[k]", "load index + 4 * i   index[i]"],
    );
}

#[test]
fn an_inner_loop_that_asks_for_what_it_loses_is_passed_over_again() {
    check(
        "
        void f(int n, double *a, int *index) {
            for (int i = 0; i < n; i++) {
                int k = 3;
                for (int j = 0; j < n; j++) { a[k] = 1; k = index[j]; }
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          array index parameter, elements of 4
          loop i = 0; i < n; i += 1
            loop j = 0; j < n; j += 1
              store a + data   a[k]
              load index + 4 * j   index[j]
        ",
    );
}

#[test]
fn memory_that_is_read_at_the_head_is_live_in() {
    check(
        "
        struct vector { int size; double data[100]; };
        void f(int n, struct vector *v, int *index) {
            v->size = 4;
            for (int i = 0; i < n; i++) { v->data[v->size] = 1; v->size = index[i]; }
        }
        void g(int n, struct vector *v, int *index) {
            v->size = 4;
            for (int i = 0; i < n; i++) { v->size = 5; v->data[v->size] = 1; v->size = index[i]; }
        }
        ",
        "
        function f
          size n
          array v parameter, elements of 808
          array index parameter, elements of 4
          store v + 0 (4 bytes)   v->size
          loop i = 0; i < n; i += 1
            load v + 0 (4 bytes)   v->size
            store v + data (8 bytes)   v->data[v->size]
            load index + 4 * i   index[i]
            store v + 0 (4 bytes)   v->size
        function g
          size n
          array v parameter, elements of 808
          array index parameter, elements of 4
          store v + 0 (4 bytes)   v->size
          loop i = 0; i < n; i += 1
            store v + 0 (4 bytes)   v->size
            load v + 0 (4 bytes)   v->size
            store v + 48 (8 bytes)   v->data[v->size]
            load index + 4 * i   index[i]
            store v + 0 (4 bytes)   v->size
        ",
    );
}

#[test]
fn a_constant_that_iterations_lose_decides_nothing() {
    check(
        "
        void f(int n, double *a) {
            double t = 0;
            for (int i = 0; i < n; i++) { if (t == 0) a[0] = 1; t = a[i]; }
        }
        void g(int n, double *a) {
            double t = 0;
            for (int i = 0; i < n; i++) { t = 0; if (t == 0) a[0] = 1; t = a[i]; }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            if data
              store a + 0   a[0]
            load a + 8 * i   a[i]
        function g
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            store a + 0   a[0]
            load a + 8 * i   a[i]
        ",
    );
}

#[test]
fn a_pointer_that_iterations_move_may_point_into_either() {
    check(
        "
        void f(int n, double *a, double *b) {
            double *p = a;
            for (int i = 0; i < n; i++) { p[i] = 1; if (a[i] > 0) p = b; }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          array b parameter, elements of 8
          loop i = 0; i < n; i += 1
            if data
              store a + data   p[i]
            else
              store b + data   p[i]
            load a + 8 * i   a[i]
        ",
    );
}
