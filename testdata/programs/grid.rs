//! A struct with its sizes, an accessor, and two buffers swapped.
pub struct Grid {
    width: usize,
    height: usize,
    data: Vec<f64>,
}

impl Grid {
    pub fn at(&self, x: usize, y: usize) -> f64 {
        self.data[y * self.width + x]
    }

    pub fn blur(&self, out: &mut Grid) {
        for y in 1..self.height - 1 {
            for x in 1..self.width - 1 {
                out.data[y * self.width + x] =
                    (self.at(x - 1, y) + self.at(x, y) + self.at(x + 1, y)) / 3.0;
            }
        }
    }

    pub fn sum(&self) -> f64 {
        self.data.iter().sum()
    }
}
