//! The trees of `programs.c`, one function a construct.

use super::check;
use crate::{Options, TranslationUnit};
use premiss_source::{MemoryFiles, SourceMap};

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
          opaque syntax: syntax error
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
          size iterations(again: a[0] = 1;)
          array a parameter, elements of 8
          loop while@ = 0; while@ < data; while@ += 1   within 0, iterations(again: a[0] = 1;) in steps of 1
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
          size iterations(again: if (a[1] > 0) goto again;)
          array a parameter, elements of 8
          loop while@ = 0; while@ < data; while@ += 1   within 0, iterations(again: if (a[1] > 0) goto again;) in steps of 1
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
        crate::read(&mut sources, main, &options, &MemoryFiles::new())
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
          array a parameter, elements of 8
          array x parameter, elements of 8
          loop i = 0; i < n; i += 1
            store x + 8 * i   x[i]
        ",
    );
}

#[test]
fn loops_in_text_that_is_given_up_are_looked_at_by_themselves() {
    let text = "
        void f(int n, int m, double *a) {
            int k = 3;
            switch (m) {
            case 0: goto second;
            }
            for (int i = 0; i < n; i++) a[i] = 1;
            k = m;
            if (a[0] > 0) {
                for (int i = 0; i < k; i++) {
                    a[i] = 2;
        second:
                    a[i] = 3;
                }
            }
            for (int i = 0; i < k; i++) a[i] = 4;
            {
                int m = 5;
                for (int i = 0; i < m; i++) a[i] = 5;
            }
        }
        ";
    check(
        text,
        "
        function f
          size n
          size k
          array a parameter, elements of 8
          k'2 := 3
          opaque jump: `goto` changes what the loop executes
          k'2 := data
          if data
            loop i = 0; i < n; i += 1
              store a + 8 * i   a[i]
          loop while@ = 0; while@ < data; while@ += 1
            opaque jump: `goto` changes what the loop executes
          if data
            k'2 := k
            loop i'2 = 0; i'2 < k'2; i'2 += 1
              store a + 8 * i'2   a[i]
          loop while@'2 = 0; while@'2 < data; while@'2 += 1
            opaque jump: `goto` changes what the loop executes
        ",
    );
}

#[test]
fn a_static_pointer_leads_to_what_an_earlier_call_left_until_it_is_set() {
    check(
        "
        void f(int n, double *a) {
            static double *p = 0;
            p[0] = 1;
            p = a;
            for (int i = 0; i < n; i++) p[i] = 2;
        }
        ",
        "
        function f
          size n
          array p global, elements of 8
          array a parameter, elements of 8
          store p + 0   p[0]
          loop i = 0; i < n; i += 1
            store a + 8 * i   p[i]
        ",
    );
}

#[test]
fn a_step_may_stand_before_the_end_of_a_loop() {
    check(
        "
        void f(int n, double eps, double *a) {
            int k = 0, m = 0;
            double x = a[0];
            do {
                k = k + 1;
                x = x * a[1];
            } while (x > eps && k < 20);
            while (m < n) {
                m++;
                a[2] = 0;
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          k := 0
          m := 0
          load a + 0   a[0]
          loop k = 0; k < 20; k += 1
            if k == 0 || data
              load a + 8   a[1]
          k := data
          loop m = 0; m < n; m += 1
            store a + 16   a[2]
        ",
    );
}

#[test]
fn what_stands_behind_a_step_sees_it_unless_it_may_be_another() {
    check(
        "
        void g(int *p);
        void f(int n, double *a) {
            int i = 0, j = 0, k = 0;
            while (i < n) {
                i++;
                a[i] = 1;
            }
            while (j < n) {
                j++;
                g(&j);
            }
            while (k < n) {
                k++;
                if (a[0] > 0) break;
            }
            a[k] = 2;
        }
        ",
        "
        function f
          size n
          size iterations(while (j < n))
          size iterations(while (k < n))
          array a parameter, elements of 8
          i := 0
          loop i = 0; i < n; i += 1
            store a + 8 * i + 8   a[i]
          loop while@ = 0; while@ < data; while@ += 1   within 0, iterations(while (j < n)) in steps of 1
            opaque uncounted-loop: the number of iterations is not known: `j < n` does not compare a variable that each iteration steps by the same amount, in a statement of its own at its end
            opaque unknown-call: `g` is not defined here and may touch any array
          loop while@'2 = 0; while@'2 < data; while@'2 += 1   within 0, iterations(while (k < n)) in steps of 1
            opaque uncounted-loop: the number of iterations is not known: `k < n` does not compare a variable that each iteration steps by the same amount, in a statement of its own at its end
            load a + 0   a[0]
          store a + data   a[k]
        ",
    );
}

#[test]
fn what_a_condition_asks_besides_is_an_exit() {
    check(
        "
        void f(int n, double *a) {
            int i = 0, j = 0, k = 0, l = 0;
            while (i < n && a[i] > 0) {
                a[i] = 1;
                i++;
            }
            for (; a[j] > 0 && j < n; j++) a[j] = 2;
            do {
                a[k] = 3;
                k++;
            } while (a[0] > 1 && k < n);
            do {
                a[l] = 4;
                l++;
            } while (a[l] > 1 && l < n);
        }
        ",
        "
        function f
          size n
          size iterations(for (; a[j] > 0 && j < n; j++))
          size iterations(a[l] > 1 && l < n)
          array a parameter, elements of 8
          i := 0
          j := 0
          k := 0
          l := 0
          loop i = 0; i < n; i += 1
            if i == 0 || data
              load a + 8 * i   a[i]
              if data
              else
                store a + 8 * i   a[i]
          i := data
          loop while@ = 0; while@ < data; while@ += 1   within 0, iterations(for (; a[j] > 0 && j < n; j++)) in steps of 1
            opaque uncounted-loop: the number of iterations is not known: its condition `a[j] > 0` is known only when the program runs
            load a + 8 * j   a[j]
            store a + 8 * j   a[j]
            j := j + 1
          loop k = 0; k < max(n, 1); k += 1
            if k == 0 || data
              store a + 8 * k   a[k]
              load a + 0   a[0]
          k := data
          loop while@'2 = 0; while@'2 < data; while@'2 += 1   within 0, iterations(a[l] > 1 && l < n) in steps of 1
            opaque uncounted-loop: the number of iterations is not known: its condition `a[l] > 1` is known only when the program runs
            store a + 8 * l   a[l]
            l := l + 1
            load a + 8 * l   a[l]
        ",
    );
}
