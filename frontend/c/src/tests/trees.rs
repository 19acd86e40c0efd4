//! The trees of `programs.c`, one function a construct.

use super::check;
use crate::{Options, TranslationUnit};
use premiss_source::SourceMap;

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
          opaque syntax: this could not be parsed
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

#[test]
fn a_continue_ends_the_innermost_loop() {
    check(
        "
        void f(int n, double *a) {
            for (int i = 0; i < n; i++) {
                switch (i) { case 1: continue; default: a[0] = 1; }
                do {
                    switch (i) { case 2: continue; default: a[1] = 1; }
                    a[2] = 1;
                } while (0);
                a[3] = 1;
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            continued := 0
            if i == 1
              continued := 1
            else
              store a + 0   a[0]
            if continued == 0
              continued'2 := 0
              if i == 2
                continued'2 := 1
              else
                store a + 8   a[1]
              if continued'2 == 0
                store a + 16   a[2]
              store a + 24   a[3]
        ",
    );
}

#[test]
fn a_jump_back_from_the_middle_does_not_ask_what_the_last_one_asks() {
    check(
        "
        void f(int n, double *a) {
        again:
            a[0] = 1;
            if (a[1] > 0) goto again;
            a[2] = 1;
            if (a[3] > 0) goto again;
            for (int i = 0; i < n; i++) a[i] = 1;
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop while@ = 0; while@ < data; while@ += 1
            opaque uncounted-loop: the number of iterations is not known: jumps alone tell when it ends
            store a + 0   a[0]
            load a + 8   a[1]
            if data
            else
              store a + 16   a[2]
              load a + 24   a[3]
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn a_jump_to_itself_at_the_head_is_no_exit() {
    check(
        "
        void f(int n, double *a) {
        again:
            if (a[1] > 0) goto again;
            a[2] = 1;
            if (a[3] > 0) goto again;
            for (int i = 0; i < n; i++) a[i] = 1;
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop while@ = 0; while@ < data; while@ += 1
            opaque uncounted-loop: the number of iterations is not known: jumps alone tell when it ends
            load a + 8   a[1]
            if data
            else
              store a + 16   a[2]
              load a + 24   a[3]
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn trees_without_operations_do_the_same_to_arrays() {
    let read = |without_operations: bool| {
        let mut sources = SourceMap::new();
        let text = include_str!("programs.c");
        let main = sources.add("test.c", text.into()).expect("a small file");
        let options = Options {
            without_operations,
            ..Options::default()
        };
        crate::read(&mut sources, main, &options, &mut |_| None)
    };
    let (with, without) = (read(false), read(true));
    assert!(with.functions.iter().any(|tree| !tree.work.body.is_empty()));
    assert!(
        without
            .functions
            .iter()
            .all(|tree| tree.work.body.is_empty())
    );
    let text = |unit: &TranslationUnit| -> Vec<String> {
        unit.functions.iter().map(ToString::to_string).collect()
    };
    assert_eq!(text(&with), text(&without));
}

#[test]
fn functions_return_pointers_to_what_no_header_says() {
    check(
        "int before;
         missing_matrix *
         add(missing_matrix *a, int n, double *x) { for (int i = 0; i < n; i++) x[i] = 0; return a; }
         missing_t * of(int);",
        "
        function add
          size n
          array a parameter, elements of 1
          array x parameter, elements of 8
          loop i = 0; i < n; i += 1
            store x + 8 * i   x[i]
        ",
    );
}
