//! Chains of iterators are loops.

use super::{check, trees};

#[test]
fn a_dot_product() {
    check(
        "
        fn dot(a: &[f32], b: &[f32]) -> f32 {
            a.iter().zip(b).map(|(x, y)| x * y).sum()
        }
        ",
        "
        function dot
          size a.len()
          size b.len()
          array a parameter, elements of 4
          array b parameter, elements of 4
          loop x@ = 0; x@ < min(a.len(), b.len()); x@ += 1
            load a + 4 * x@   x
            load b + 4 * x@   y
        ",
    );
}

#[test]
fn rows_of_a_matrix() {
    check(
        "
        fn sums(a: &[f64], y: &mut [f64], n: usize) {
            for (i, row) in a.chunks_exact(n).enumerate() {
                y[i] = row.iter().fold(0.0, |s, v| s + v);
            }
        }
        ",
        "
        function sums
          size n
          size a.len()
          array a parameter, elements of 8
          array y parameter, elements of 8
          loop i = 0; i < a.len() / n; i += 1
            loop i@ = 0; i@ < n; i@ += 1
              load a + 8 * (i * n) + 8 * i@   v
            store y + 8 * i   y[i]
        ",
    );
}

#[test]
fn windows_and_parts() {
    check(
        "
        fn f(a: &[f64], b: &mut [f64], n: usize) {
            for w in a.windows(3) { b[0] = w[0] + w[2]; }
            let (x, y) = b.split_at_mut(n);
            y[..n].copy_from_slice(x);
            for v in b[1..n].iter_mut().rev() { *v *= 2.0; }
        }
        ",
        "
        function f
          size n
          size a.len()
          array a parameter, elements of 8
          array b parameter, elements of 8
          loop w@ = 0; w@ < a.len() - 2; w@ += 1
            load a + 8 * w@   w[0]
            load a + 8 * w@ + 16   w[2]
            store b + 0   b[0]
          loop memcpy@ = 0; memcpy@ < 8 * n; memcpy@ += 8   in memcpy
            load b + memcpy@   x
            store b + 8 * n + memcpy@   y[..n]
          loop v@ = 0; v@ < n - 1; v@ += 1
            load b + 8 * (n - 2 - v@) + 8   *v
            store b + 8 * (n - 2 - v@) + 8   *v
        ",
    );
}

#[test]
fn filters_are_branches_on_data() {
    check(
        "
        fn f(a: &[i64]) -> usize {
            a.iter().filter(|x| **x > 3).count()
        }
        ",
        "
        function f
          size a.len()
          array a parameter, elements of 8
          loop x@ = 0; x@ < a.len(); x@ += 1
            load a + 8 * x@   **x
        ",
    );
}

#[test]
fn what_is_collected_is_stored() {
    check(
        "
        fn f(a: &[f32]) -> f32 {
            let b: Vec<f32> = a.iter().map(|x| x + 1.0).collect();
            b.iter().copied().fold(0.0, f32::max)
        }
        ",
        "
        function f
          size a.len()
          array a parameter, elements of 4
          array b local, elements of 4, ends at 4 * a.len()
          loop i@ = 0; i@ < a.len(); i@ += 1
            load a + 4 * i@   x
            store b + 4 * i@   a.iter().map(|x| x + 1.0).collect()
          loop i@'2 = 0; i@'2 < a.len(); i@'2 += 1
            load b + 4 * i@'2   b.iter().copied().fold(0.0, f32::max)
        ",
    );
}

#[test]
fn closures_are_put_in_the_place_of_their_calls() {
    check(
        "
        fn f(n: usize, a: &mut [f64]) {
            let at = |i: usize, j: usize| i * n + j;
            for i in 0..n { for j in 0..i { a[at(i, j)] = a[at(j, i)]; } }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < n; i += 1
            loop j = 0; j < i; j += 1
              load a + 8 * (j * n + i)   a[at(j, i)]
              store a + 8 * (i * n + j)   a[at(i, j)]
        ",
    );
}

#[test]
fn an_array_of_ndarray_has_no_gaps() {
    check(
        "
        fn f(a: &Array2<f64>, x: ArrayView1<f64>, y: &mut Array1<f64>) {
            for i in 0..a.nrows() {
                for j in 0..a.ncols() { y[i] += a[[i, j]] * x[j]; }
            }
        }
        ",
        "
        function f
          size a.nrows()
          size a.ncols()
          array a parameter, elements of 8
          array x parameter, elements of 8
          array y parameter, elements of 8
          loop i = 0; i < a.nrows(); i += 1
            loop j = 0; j < a.ncols(); j += 1
              load a + 8 * (i * a.ncols() + j)   a[[i, j]]
              load x + 8 * j   x[j]
              load y + 8 * i   y[i]
              store y + 8 * i   y[i]
        ",
    );
}

#[test]
fn what_a_loop_leaves_of_an_iterator_is_taken_by_the_next() {
    check(
        "
        pub fn rows(a: &[f64], y: &mut [f64], n: usize, m: usize) {
            let mut items = a.iter();
            for i in 0..n {
                for x in items.by_ref().take(m) { y[i] = *x; }
            }
        }
        ",
        "
        function rows
          size n
          size m
          size a.len()
          array a parameter, elements of 8
          array y parameter, elements of 8
          items.taken := 0
          loop i = 0; i < n; i += 1
            first := items.taken
            loop x@ = 0; x@ < min(a.len() - first, m); x@ += 1
              x@'2 := 8 * (x@ + first)
              load a + x@'2   *x
              store y + 8 * i   y[i]
            items.taken := first + min(a.len() - first, m)
        ",
    );
}

#[test]
fn the_position_behind_a_search_is_unknown() {
    let found = trees(
        "
        pub fn rest(a: &[u8], t: &mut [u8]) {
            let mut items = a.iter();
            let zero = items.position(|x| *x == 0);
            for x in items { t[0] = *x; }
        }
        ",
    );
    assert!(found.contains("data"), "{found}");
}

#[test]
fn a_loop_visits_the_items_that_its_body_takes_and_skips_them() {
    check(
        "
        pub fn pairs(a: &[f64], t: &mut [f64]) {
            let mut items = a.iter();
            while let Some(x) = items.next() {
                t[0] += *x;
                if let Some(y) = items.next() { t[0] *= *y; }
            }
        }
        ",
        "
        function pairs
          size a.len()
          array a parameter, elements of 8
          array t parameter, elements of 8
          items.taken := 0
          loop x@ = 0; x@ < a.len(); x@ += 1
            if x@ == items.taken
              items.taken := x@ + 1
              load a + 8 * x@   *x
              load t + 0   t[0]
              store t + 0   t[0]
              index := items.taken
              items.taken := index + 1
              if index < a.len()
                y@ := 8 * index
                load a + y@   *y
                load t + 0   t[0]
                store t + 0   t[0]
        ",
    );
}

#[test]
fn an_iterator_of_the_program_runs_until_next_yields_nothing() {
    let text = "
        struct Halves { at: usize }
        impl Iterator for Halves {
            type Item = usize;
            fn next(&mut self) -> Option<usize> {
                self.at /= 2;
                if 0 < self.at { Some(self.at) } else { None }
            }
        }
        fn halves(n: usize, a: &mut [f64]) {
            for i in (Halves { at: n }) {
                a[i] = 1.0;
            }
        }
        struct Rows<'a> { data: &'a [f64], n: usize }
        impl<'a> IntoIterator for &'a Rows<'a> {
            type Item = &'a [f64];
            type IntoIter = std::slice::Chunks<'a, f64>;
            fn into_iter(self) -> Self::IntoIter { self.data.chunks_exact(self.n) }
        }
        fn firsts(a: &[f64], t: &mut [f64]) {
            let rows = Rows { data: a, n: 4 };
            for row in &rows {
                t[0] += row[0];
            }
        }
        ";
    let trees = trees(text);
    for part in [
        "iterations(for i in (Halves { at: n }))",
        "a[i]",
        "a.len() / 4",
    ] {
        assert!(trees.contains(part), "{part}: {trees}");
    }
}
