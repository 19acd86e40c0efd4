//! A matrix as a type of its own, with a method and with an operator for its elements.
// -P n=10

use std::ops::{Index, IndexMut};

pub struct Matrix<'a> {
    columns: usize,
    elements: &'a mut [f64],
}

impl Matrix<'_> {
    fn get(&self, i: usize, j: usize) -> f64 {
        self.elements[i * self.columns + j] // loads 55
    }
}

impl Index<(usize, usize)> for Matrix<'_> {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.elements[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix<'_> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.elements[i * self.columns + j]
    }
}

pub fn matrix_type(n: usize, a: &mut [f64], b: &mut [f64]) {
    let a = Matrix { columns: n, elements: a };
    let mut b = Matrix { columns: n, elements: b };
    for i in 0..n {
        for j in 0..=i {
            b[(i, j)] = a.get(i, j); // stores 55
        }
        b[(i, i)] += a[(0, i)]; // loads 20, stores 10
    }
}
