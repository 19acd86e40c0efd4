//! Elements by `Index` and `IndexMut` whose texts differ, of a generic type.
// -P n=10

use std::ops::{Index, IndexMut};

pub struct Grid<T> {
    columns: usize,
    elements: Vec<T>,
}

impl<T> Index<(usize, usize)> for Grid<T> {
    type Output = T;

    fn index(&self, at: (usize, usize)) -> &Self::Output {
        &self.elements[at.0 * self.columns + at.1]
    }
}

impl<T> IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        let row = i * self.columns;
        &mut self.elements[row + j]
    }
}

pub fn pairs_of_index(n: usize, a: Vec<f64>) {
    let mut grid = Grid { columns: n, elements: a };
    for i in 0..n {
        for j in 0..n {
            grid[(i, j)] = grid[(j, i)] + 1.0; // loads 100, stores 100
        }
    }
}
