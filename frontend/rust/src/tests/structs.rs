//! Structs and their methods.

use super::check;

#[test]
fn a_method_of_a_trait_may_forward_to_that_of_the_library() {
    check(
        "
        trait Source { fn len(&self) -> usize; fn root(self) -> f64; }
        impl Source for Vec<f64> {
            fn len(&self) -> usize { self.len() }
            fn root(self) -> f64 { 0.0 }
        }
        trait Real { fn sqrt(self) -> f64; fn twice(self) -> f64; }
        impl Real for f64 {
            fn sqrt(self) -> f64 { f64::sqrt(self) }
            fn twice(self) -> f64 { Real::sqrt(self) + Self::sqrt(self) }
        }
        fn sum(v: &Vec<f64>, x: &mut [f64]) {
            for i in 0..v.len() { x[i] = v[i].twice(); }
        }
        ",
        "
        function sum
          size v.len()
          array v parameter, elements of 8
          array x parameter, elements of 8
          loop i = 0; i < v.len(); i += 1
            load v + 8 * i   v[i]
            store x + 8 * i   x[i]
        ",
    );
}

#[test]
fn what_a_reference_leads_to_is_in_memory() {
    check(
        "
        struct Matrix { data: Vec<f64>, rows: usize, cols: usize }
        impl Matrix {
            fn at(&self, i: usize, j: usize) -> f64 { self.data[i * self.cols + j] }
            fn sum(&self, y: &mut [f64]) {
                for i in 0..self.rows { y[i] = self.at(i, 0); }
            }
        }
        ",
        "
        function Matrix::sum
          size self.cols
          size self.rows
          array self parameter, elements of 40
          array self.data parameter, elements of 8
          array y parameter, elements of 8
          load self + 24 (8 bytes)   self.rows
          loop i = 0; i < self.rows; i += 1
            load self + 8 (8 bytes)   self.data   in Matrix::at
            load self + 32 (8 bytes)   self.cols   in Matrix::at
            load self.data + 8 * (i * self.cols)   self.data[i * self.cols + j]   in Matrix::at
            store y + 8 * i   y[i]
        ",
    );
}

#[test]
fn a_struct_that_is_a_variable_is_in_registers() {
    check(
        "
        struct Grid { values: Vec<f32>, n: usize }
        impl Grid {
            fn new(n: usize) -> Self { Grid { values: vec![0.0; n * n], n } }
            fn clear(&mut self) { for i in 0..self.n { self.values[i] = 0.0; } }
        }
        fn main() { let mut g = Grid::new(10); for _ in 0..2 { g.clear(); } }
        ",
        "
        function Grid::clear
          size self.n
          array self parameter, elements of 32
          array self.values parameter, elements of 4
          load self + 24 (8 bytes)   self.n
          loop i = 0; i < self.n; i += 1
            load self + 8 (8 bytes)   self.values
            store self.values + 4 * i   self.values[i]
        function main
          array g.values local, elements of 4, ends at 400
          loop i@ = 0; i@ < 2; i@ += 1
            loop i = 0; i < 10; i += 1   in Grid::clear
              store g.values + 4 * i   self.values[i]   in Grid::clear
        ",
    );
}

#[test]
fn fields_lie_by_their_alignment_unless_c_says_otherwise() {
    for (layout, x, y) in [("", 8, 0), ("#[repr(C)]", 0, 8)] {
        let text = format!(
            "
            {layout} struct P {{ x: f32, y: f64 }}
            fn f(p: &mut [P]) {{ for q in p {{ q.x = 1.0; q.y = 2.0; }} }}
            "
        );
        let place = |offset: i64| match offset {
            0 => "p + 16 * q@".to_owned(),
            offset => format!("p + 16 * q@ + {offset}"),
        };
        let expected = format!(
            "
            function f
              size p.len()
              array p parameter, elements of 16
              loop q@ = 0; q@ < p.len(); q@ += 1
                store {} (4 bytes)   q.x
                store {} (8 bytes)   q.y
            ",
            place(x),
            place(y)
        );
        check(&text, &expected);
    }
}

#[test]
fn a_method_of_a_trait_may_forward_to_that_of_a_complex_number() {
    check(
        "
        trait Conjugate { fn conj(&self) -> Self; }
        impl Conjugate for Complex<f64> { fn conj(&self) -> Self { Complex::conj(self) } }
        pub fn each(a: &mut [Complex<f64>]) { for x in a.iter_mut() { *x = Conjugate::conj(x); } }
        ",
        "
        function each
          size a.len()
          array a parameter, elements of 16
          loop x@ = 0; x@ < a.len(); x@ += 1
            load a + 16 * x@ (8 bytes)   Complex::conj(self)
            load a + 16 * x@ + 8 (8 bytes)   Complex::conj(self)
            store a + 16 * x@ (8 bytes)   *x
            store a + 16 * x@ + 8 (8 bytes)   *x
        ",
    );
}

/// What is assigned is found by `index_mut`, a number that is read by `index`, whatever the other one does.
#[test]
fn each_use_of_a_subscript_has_its_function() {
    let tree = super::trees(
        "struct Map { n: usize, data: Vec<f64>, border: f64 }
         impl Index<usize> for Map {
             type Output = f64;
             fn index(&self, i: usize) -> &f64 { if i < 9 { &self.data[i] } else { &self.border } }
         }
         impl IndexMut<usize> for Map {
             fn index_mut(&mut self, i: usize) -> &mut f64 { &mut self.data[2 * i] }
         }
         pub fn f(m: &mut Map, y: &mut [f64]) {
             for i in 0..10 { m[i] = 1.0; }
             for i in 0..10 { m[i] += 1.0; }
             for i in 0..9 { y[i] = m[i]; }
         }",
    );
    assert!(!tree.contains("opaque"), "{tree}");
    assert_eq!(tree.matches("store m.data + 16 *").count(), 2, "{tree}");
    assert_eq!(tree.matches("load m.data + select(").count(), 1, "{tree}");
}
