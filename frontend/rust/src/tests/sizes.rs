//! Sizes that callers agree on, types that the rest of a function tells.

use super::check;

#[test]
fn callers_tell_lengths() {
    check(
        "
        fn fill(a: &mut [f64]) { for x in a.iter_mut() { *x = 0.0; } }
        fn main() { let mut a = vec![1.0; 50]; fill(&mut a); }
        ",
        "
        function fill
          size a.len() = 50
          array a parameter, elements of 8
          loop x@ = 0; x@ < a.len(); x@ += 1
            store a + 8 * x@   *x
        ",
    );
}

#[test]
fn callers_tell_types() {
    check(
        "
        fn copy<T: Copy>(a: &[T], b: &mut [T]) { for i in 0..a.len() { b[i] = a[i]; } }
        fn f(a: &[f32], b: &mut [f32]) { copy(a, b); }
        ",
        "
        function copy
          size a.len()
          array a parameter, elements of 4
          array b parameter, elements of 4
          loop i = 0; i < a.len(); i += 1
            load a + 4 * i   a[i]
            store b + 4 * i   b[i]
        ",
    );
}

#[test]
fn uses_tell_the_types_of_literals() {
    check(
        "
        fn f(n: usize, x: &[f32]) {
            let mut a = vec![0.0; n];
            let mut count = [0; 256];
            for i in 0..n { a[i] = x[i]; }
            for i in 0..256 { count[i] = i as u8; }
        }
        ",
        "
        function f
          size n
          array x parameter, elements of 4
          array a local, elements of 4, ends at 4 * n
          array count local, elements of 1, ends at 256
          loop i = 0; i < n; i += 1
            load x + 4 * i   x[i]
            store a + 4 * i   a[i]
          loop i'2 = 0; i'2 < 256; i'2 += 1
            store count + i'2   count[i]
        ",
    );
}

#[test]
fn the_rows_of_a_vector_of_vectors_lie_one_behind_the_other() {
    check(
        "
        fn f(n: usize, a: &Vec<Vec<f64>>, s: &mut f64) {
            for i in 0..n { for j in 0..n { *s += a[i][j]; } }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 24
          array a[i] parameter, elements of 8
          array s parameter, elements of 8
          a[i]@stride := select(16 * ((8 * n + 23) / 16) < 131072, max(16 * ((8 * n + 23) / 16), 32), 4096 * ((16 * ((8 * n + 23) / 16) + 4103) / 4096))
          loop i = 0; i < n; i += 1
            loop j = 0; j < n; j += 1
              load a + 24 * i + 8 (8 bytes)   a[i]
              load a[i] + a[i]@stride * i + 16 + 8 * j   a[i][j]
              load s + 0   *s
              store s + 0   *s
        ",
    );
}
