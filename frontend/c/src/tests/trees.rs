//! The trees of `programs.c`, one function a construct.

use super::check;

#[test]
fn every_construct_has_its_tree() {
    check(include_str!("programs.c"), include_str!("programs.txt"));
}

#[test]
fn a_syntax_error_costs_its_statement() {
    check(
        "
        void broken(int n, double *a) { int x = ) 3; for (int i = 0; i < n; i++) a[i] = 2; }
        garbage here (((;
        void fine(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 1; }
        ",
        "
        function broken
          size n
          array a parameter, elements of 8
          opaque syntax: this is not valid C
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]
        function fine
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]
        ",
    );
}
