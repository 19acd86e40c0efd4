//! The order of accesses.

use super::check;

#[test]
fn a_compound_assignment_loads_its_right_side_first() {
    check(
        "
        fn f(n: usize, a: &mut [f64], b: &[f64]) {
            for i in 0..n {
                a[i] += b[i];
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          array b parameter, elements of 8
          loop i = 0; i < n; i += 1
            load b + 8 * i   b[i]
            load a + 8 * i   a[i]
            store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn a_subscript_is_loaded_before_what_it_indexes() {
    check(
        "
        fn f(n: usize, a: &mut [f32], b: &[f32], at: &[u32]) {
            for i in 0..n {
                a[at[i] as usize] = b[i] * 2.0;
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 4
          array b parameter, elements of 4
          array at parameter, elements of 4
          loop i = 0; i < n; i += 1
            load b + 4 * i   b[i]
            load at + 4 * i   at[i]
            store a + data   a[at[i] as usize]
        ",
    );
}

#[test]
fn only_the_arm_that_is_taken_counts() {
    check(
        "
        fn f(n: usize, a: &mut [i16]) {
            for i in 0..n {
                if i % 2 == 0 && a[i] > 0 {
                    a[i] = 1;
                } else {
                    a[i + 1] -= a[0];
                }
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 2
          loop i = 0; i < n; i += 1
            if i % 2 == 0
              load a + 2 * i   a[i]
            if i % 2 == 0 && data
              store a + 2 * i   a[i]
            else
              load a + 0   a[0]
              load a + 2 * i + 2   a[i + 1]
              store a + 2 * i + 2   a[i + 1]
        ",
    );
}

#[test]
fn an_operand_before_a_chain_of_iterators_is_loaded_before_it() {
    check(
        "
        fn f(n: usize, a: &mut [f64], b: &[f64]) {
            for i in 0..n {
                a[i] = b[i] + b.iter().sum::<f64>();
            }
        }
        ",
        "
        function f
          size n
          size b.len()
          array a parameter, elements of 8
          array b parameter, elements of 8
          loop i = 0; i < n; i += 1
            load b + 8 * i   b[i]
            loop i@ = 0; i@ < b.len(); i@ += 1
              load b + 8 * i@   b.iter().sum::<f64>()
            store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn elements_change_places() {
    check(
        "
        fn f(a: &mut [f64], n: usize) {
            for i in 0..n / 2 {
                a.swap(i, n - 1 - i);
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n / 2; i += 1
            load a + 8 * i   a.swap(i, n - 1 - i)
            load a + 8 * (n - 1 - i)   a.swap(i, n - 1 - i)
            store a + 8 * i   a.swap(i, n - 1 - i)
            store a + 8 * (n - 1 - i)   a.swap(i, n - 1 - i)
        ",
    );
}
