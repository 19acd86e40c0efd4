//! What is not known stays unknown.

use super::{check, read};

/// The reasons for which parts of a text are rejected.
fn reasons(text: &str) -> String {
    let unit = read(text, &[]);
    let messages = unit.diagnostics.iter().map(|found| found.message.clone());
    messages.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_greatest_item_is_one_of_those_before() {
    check(
        "
        fn greatest(a: &[f64]) -> f64 {
            *a.iter().max_by(|x, y| x.total_cmp(y)).unwrap()
        }
        ",
        "
        function greatest
          size a.len()
          array a parameter, elements of 8
          loop i@ = 0; i@ < a.len(); i@ += 1
            if 0 < i@
              load a + data   x.total_cmp(y)
              load a + 8 * i@   x.total_cmp(y)
          load a + data   *a.iter().max_by(|x, y| x.total_cmp(y)).unwrap()
        ",
    );
}

#[test]
fn a_reference_to_a_reference_is_followed_to_the_element() {
    check(
        "
        fn positive(a: &[f64], s: &mut f64) {
            for x in a.iter().filter(|x| **x > 0.0) { *s += *x; }
        }
        ",
        "
        function positive
          size a.len()
          array a parameter, elements of 8
          array s parameter, elements of 8
          loop x@ = 0; x@ < a.len(); x@ += 1
            load a + 8 * x@   **x
            if data
              load a + 8 * x@   *x
              load s + 0   *s
              store s + 0   *s
        ",
    );
}

#[test]
fn an_array_by_value_is_a_copy() {
    check(
        "
        fn total(mut a: [f64; 4], n: usize) -> f64 {
            for i in 0..n { a[i] = 0.0; }
            a[0]
        }
        fn f(a: &mut [f64; 4], n: usize) {
            for i in 0..n { a[i] = total(*a, n); }
        }
        ",
        "
        function total
          size n
          array a parameter, elements of 8, ends at 32
          loop i = 0; i < n; i += 1
            store a + 8 * i   a[i]
          load a + 0   a[0]
        function f
          size n
          array a parameter, elements of 8, ends at 32
          array argument local, elements of 8, ends at 32
          loop i = 0; i < n; i += 1
            loop memcpy@ = 0; memcpy@ < 32; memcpy@ += 8   in memcpy
              load a + memcpy@   a
              store argument + memcpy@   total(*a, n)
            loop i'2 = 0; i'2 < n; i'2 += 1   in total
              store argument + 8 * i'2   a[i]   in total
            load argument + 0   a[0]   in total
            store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn a_callee_may_make_a_vector_longer() {
    check(
        "
        fn grow(v: &mut Vec<f64>, x: f64) { if x > 0.0 { v.push(x); } }
        fn f(x: f64, y: &mut [f64]) {
            let mut v = vec![0.0; 10];
            grow(&mut v, x);
            for i in 0..v.len() { y[i] = v[i]; }
        }
        fn g(n: usize) {
            let mut v = Vec::with_capacity(n);
            let r = &mut v;
            for i in 0..n { r.push(1.0); }
            for x in v.iter_mut() { *x = 2.0; }
        }
        ",
        "
        function f
          size 0<x
          size end
          array y parameter, elements of 8
          array v local, elements of 8, ends at 80
          if 0<x
            store v + 80   v.push(x)   in grow
          end'2 := data
          end'2 := end
          loop i = 0; i < end'2; i += 1
            load v + 8 * i   v[i]
            store y + 8 * i   y[i]
        function g
          size n
          array v local, elements of 8, ends at 8 * n
          v.len() := 0
          loop i = 0; i < n; i += 1
            store v + 8 * v.len()   r.push(1.0)
            v.len() := v.len() + 1
          count := v.len()
          loop x@ = 0; x@ < count; x@ += 1
            store v + 8 * x@   *x
        ",
    );
    let text = "
        fn other(v: &mut Vec<f64>) { *v = vec![0.0; 5]; }
        fn f() {
            let mut v = vec![0.0; 10];
            other(&mut v);
            for x in v.iter_mut() { *x = 1.0; }
        }
        ";
    assert!(
        reasons(text).contains("another vector in the place of one"),
        "{}",
        reasons(text)
    );
}

#[test]
fn narrow_numbers_saturate() {
    check(
        "
        fn f(n: u8, m: u8, a: &mut [f64]) {
            for i in 0..n.saturating_add(m) { a[i as usize] = 0.0; }
        }
        fn g(n: u8, m: u8, a: &mut [f64]) {
            if let Some(k) = n.checked_mul(m) {
                for i in 0..k { a[i as usize] = 0.0; }
            }
        }
        fn h(n: usize, m: usize, a: &mut [f64]) {
            if let Some(k) = n.checked_mul(m) {
                for i in 0..k { a[i] = 0.0; }
            }
        }
        ",
        "
        function f
          size n
          size m
          array a parameter, elements of 8
          loop i = 0; i < min(max(n + m, 0), 255); i += 1
            store a + 8 * i   a[i as usize]
        function g
          size n
          size m
          array a parameter, elements of 8
          if 0 <= n * m && n * m <= 255
            loop i = 0; i < n * m; i += 1
              store a + 8 * i   a[i as usize]
        function h
          size n
          size m
          array a parameter, elements of 8
          if data
            loop i = 0; i < n * m; i += 1
              store a + 8 * i   a[i]
        ",
    );
}

#[test]
fn negative_numbers_are_no_indices() {
    check(
        "
        fn f(n: usize, a: &mut [f64]) {
            for i in 0..n as i32 {
                let k = (i - 1) as usize;
                if k < n { a[k] = 0.0; }
                a[i as usize] += 1.0;
            }
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          loop i = 0; i < i32(n); i += 1
            k := select(0 <= i - 1, i - 1, data)
            if k < n
              store a + 8 * k   a[k]
            load a + 8 * i   a[i as usize]
            store a + 8 * i   a[i as usize]
        ",
    );
}

#[test]
fn an_index_that_differs_where_it_is_stored_to_is_not_guessed() {
    let told = reasons(
        "
        struct Shifted { v: Vec<Vec<f64>> }
        impl std::ops::Index<usize> for Shifted {
            type Output = Vec<f64>;
            fn index(&self, i: usize) -> &Vec<f64> { &self.v[i] }
        }
        impl std::ops::IndexMut<usize> for Shifted {
            fn index_mut(&mut self, i: usize) -> &mut Vec<f64> { &mut self.v[i + 1] }
        }
        fn fill(s: &mut Shifted, n: usize) {
            for i in 0..n { for x in s[i].iter_mut() { *x = 1.0; } }
        }
        ",
    );
    assert!(told.contains("`index` and `index_mut`"), "{told}");
}

#[test]
fn the_length_of_a_vector_that_a_variable_points_to_is_not_copied() {
    let told = reasons(
        "
        fn grow(n: usize) -> f64 {
            let mut v = vec![0.0; n];
            let mut w = vec![0.0; 3];
            let mut r = &mut v;
            r.push(1.0);
            r = &mut w;
            r.push(1.0);
            let mut s = 0.0;
            for i in 0..v.len() { s += v[i]; }
            s
        }
        ",
    );
    assert!(told.contains("another length of a vector"), "{told}");
}

#[test]
fn remainders_of_euclid_are_not_negative() {
    check(
        "
        fn residues(a: &mut [f64]) {
            for i in -4..4_i64 { a[i.rem_euclid(-3) as usize] = 0.0; }
        }
        ",
        "
        function residues
          array a parameter, elements of 8
          loop i = -4; i < 4; i += 1
            store a + 8 * select(0 <= (i % 3 + 3) % 3, (i % 3 + 3) % 3, data)   a[i.rem_euclid(-3) as usize]
        ",
    );
}

/// Writers and readers reach only the slices that they are passed, as far as they come; numbers are no accesses.
#[test]
fn writers_and_readers_visit_their_slices_possibly() {
    check(
        "
        fn f<W: Write, R: Read>(w: &mut W, r: &mut R, a: &[u16], b: &mut [u8]) {
            for i in 0..a.len() {
                let _ = w.write_u16::<LittleEndian>(a[i]);
                let _ = r.read_exact(&mut b[..3]);
                let _ = w.write_all(&b[..2]);
            }
        }
        ",
        "
        function f
          size a.len()
          array w parameter, elements of 1
          array r parameter, elements of 1
          array a parameter, elements of 2
          array b parameter, elements of 1
          loop i = 0; i < a.len(); i += 1
            load a + 2 * i   a[i]
            if data
              loop i@ = 0; i@ < 3; i@ += 1
                store b + i@   r.read_exact(&mut b[..3])
            if data
              loop i@'2 = 0; i@'2 < 2; i@'2 += 1
                load b + i@'2   w.write_all(&b[..2])
        ",
    );
}

/// The bytes that a reader holds are in a block of its own.
#[test]
fn readers_have_buffers_of_their_own() {
    let tree = super::trees(
        "pub fn f<R: std::io::BufRead>(r: &mut R, a: &mut [u8]) {
             for i in 0..a.len() {
                 let bytes = r.fill_buf().unwrap();
                 a[i] = bytes[0];
                 r.consume(1);
             }
         }",
    );
    assert!(!tree.contains("opaque"), "{tree}");
    assert_eq!(tree.matches("load ").count(), 1, "{tree}");
}
