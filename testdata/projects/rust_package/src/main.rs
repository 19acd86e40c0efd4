//! A package of several files: what `mod` leads to is read, what is never compiled is not.

mod grid;

use grid::Grid;

fn main() {
    let mut grid = Grid::new(20, 10);
    grid.smooth();
}
