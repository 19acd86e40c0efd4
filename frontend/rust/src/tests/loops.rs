//! Loops of every form.

use super::{check, trees};

#[test]
fn ranges_go_up_down_and_in_steps() {
    check(
        "
        fn f(n: usize, a: &mut [f64]) {
            for i in 1..n { a[i] = 0.0; }
            for i in 1..=n { a[i] = 0.0; }
            for i in (0..n).rev() { a[i] = 0.0; }
            for i in (0..n).step_by(4) { a[i] = 0.0; }
            for _ in 0..3 { a[0] = 0.0; }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 1; i < n; i += 1
            store a + 8 * i   a[i]
          loop i'2 = 1; i'2 < n + 1; i'2 += 1
            store a + 8 * i'2   a[i]
          loop i'3 = n - 1; i'3 >= 0; i'3 += -1
            store a + 8 * i'3   a[i]
          loop i'4 = 0; i'4 < n; i'4 += 4
            store a + 8 * i'4   a[i]
          loop i@ = 0; i@ < 3; i@ += 1
            store a + 0   a[0]
        ",
    );
}

#[test]
fn while_and_loop_count() {
    check(
        "
        fn f(n: usize, a: &mut [f64]) {
            let mut i = 0;
            while i < n { a[i] = 0.0; i += 1; }
            let mut j = n;
            while j > 0 { j -= 1; a[j] = 1.0; }
            let mut k = 0;
            loop { if k >= n { break; } a[k] = 2.0; k += 1; }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          i := 0
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]
          j := n
          loop j = n - 1; j > -1; j += -1
            store a + 8 * j   a[j]
          j := data
          k := 0
          loop k = 0; k < n; k += 1
            store a + 8 * k   a[k]
        ",
    );
}

#[test]
fn bounds_are_evaluated_once() {
    check(
        "
        fn f(mut n: usize, a: &mut [f64]) {
            for i in 0..n { a[i] = 0.0; n += 1; }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn jumps_lead_to_labels() {
    check(
        "
        fn f(n: usize, a: &mut [f64]) {
            'rows: for i in 0..n {
                for j in 0..n {
                    if j > i { continue 'rows; }
                    a[i * n + j] = 0.0;
                }
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            loop j = 0; j < n; j += 1
              if j == 0 || data
                if data
                  store a + 8 * (i * n + j)   a[i * n + j]
            j := data
        ",
    );
}

#[test]
fn constants_and_parameters_are_sizes() {
    check(
        "
        const N: usize = 8;
        fn f<const M: usize>(a: &mut [[f32; M]; N]) {
            for i in 0..N { for j in 0..M { a[i][j] = 0.0; } }
        }
        ",
        "
        function f
          size M
          array a parameter, elements of 4, ends at 4 * M * 8
          loop i = 0; i < 8; i += 1
            loop j = 0; j < M; j += 1
              store a + 4 * M * i + 4 * j   a[i][j]
        ",
    );
}

#[test]
fn match_on_integers_is_a_chain_of_branches() {
    check(
        "
        fn f(n: usize, a: &mut [f64]) {
            for i in 0..n {
                match i % 4 {
                    0 => a[i] = 0.0,
                    1 | 2 => a[i] = 1.0,
                    _ => {}
                }
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            if i % 4 == 0
              store a + 8 * i   a[i]
            else
              if i % 4 == 1 || i % 4 == 2
                store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn what_is_there_for_tests_is_not_read() {
    let text = "
        #[cfg(test)]
        mod tests { fn f(a: &mut [f64]) { for x in a { *x = 0.0; } } }
        #[test]
        fn g() { let mut a = [0.0; 4]; for x in &mut a { *x = 1.0; } }
    ";
    assert_eq!(trees(text), "");
}

#[test]
fn a_macro_of_the_file_stands_for_what_it_yields() {
    check(
        "
        macro_rules! at {
            ($a:expr, $i:expr) => { $a[$i] };
            ($a:ident, $i:expr, =, $x:expr) => { $a[$i] = $x; };
        }
        fn f(n: usize, a: &mut [f64]) {
            for i in 0..n { at!(a, i, =, at!(a, i + 1)); }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            load a + 8 * i + 8   at!(a, i + 1)
            store a + 8 * i   at!(a, i, =, at!(a, i + 1))
        ",
    );
}
