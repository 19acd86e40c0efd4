//! Structs around arrays whose lengths are generic parameters: they are laid out as these arrays, and copied as such.
// -P N=12 -P n=10

use std::ops::{Index, IndexMut};

#[derive(Clone, Copy)]
pub struct Row<T, const M: usize>(pub [T; M]);

impl<T, const M: usize> Index<usize> for Row<T, M> {
    type Output = T;

    fn index(&self, i: usize) -> &Self::Output {
        &self.0[i]
    }
}

impl<T, const M: usize> IndexMut<usize> for Row<T, M> {
    fn index_mut(&mut self, i: usize) -> &mut Self::Output {
        &mut self.0[i]
    }
}

pub struct Grid<T, const R: usize, const C: usize> {
    rows: [[T; C]; R],
}

impl<T, const R: usize, const C: usize> Index<(usize, usize)> for Grid<T, R, C> {
    type Output = T;

    fn index(&self, at: (usize, usize)) -> &T {
        &self.rows[at.0][at.1]
    }
}

pub fn wrapped_arrays<const N: usize>(
    n: usize,
    row: &mut Row<f64, N>,
    rows: &mut [Row<f32, N>],
    grid: &Grid<f64, N, N>,
) {
    for i in 0..N {
        row[i] += 1.0; // loads 12, stores 12
    }
    for i in 0..n {
        for j in 0..N {
            rows[i][j] = 0.0; // stores 120
        }
    }
    for i in 0..N {
        for j in 0..N {
            row[j] += grid[(i, j)]; // loads 288, stores 144
        }
    }
    let copy = *row; // loads 12, stores 12
    for j in 0..N {
        row[j] = copy[N - 1 - j]; // loads 12, stores 12
    }
}
