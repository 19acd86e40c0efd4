//! A grid, with its rows in one vector.

mod row;

pub struct Grid {
    cells: Vec<f64>,
    rows: usize,
    columns: usize,
}

impl Grid {
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            cells: vec![0.0; rows * columns],
            rows,
            columns,
        }
    }

    pub fn smooth(&mut self) {
        for i in 0..self.rows {
            let start = i * self.columns;
            row::smooth(&mut self.cells[start..start + self.columns]);
        }
    }
}
