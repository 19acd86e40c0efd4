//! A small simulation: vectors, slices, iterators.
pub struct Field {
    nx: usize,
    ny: usize,
    data: Vec<f64>,
}

impl Field {
    pub fn new(nx: usize, ny: usize) -> Self {
        Field { nx, ny, data: vec![0.0; nx * ny] }
    }
    pub fn fill(&mut self, value: f64) {
        for x in self.data.iter_mut() {
            *x = value;
        }
    }
    pub fn sum(&self) -> f64 {
        self.data.iter().sum()
    }
    pub fn diffuse(&self, out: &mut Field) {
        for j in 1..self.ny - 1 {
            for i in 1..self.nx - 1 {
                let k = j * self.nx + i;
                out.data[k] = 0.25 * (self.data[k - 1] + self.data[k + 1] + self.data[k - self.nx] + self.data[k + self.nx]);
            }
        }
    }
}

pub fn periodic(n: usize, a: &[f64], b: &mut [f64]) {
    for i in 0..n {
        b[i] = a[(i + 1) % n] - a[(i + n - 1) % n];
    }
}

pub fn reverse(a: &mut [f64]) {
    let n = a.len();
    for i in 0..n / 2 {
        a.swap(i, n - 1 - i);
    }
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
}

pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi += alpha * xi;
    }
}

pub fn rows(n: usize, m: usize, a: &[f64], out: &mut [f64]) {
    for (i, row) in a.chunks(m).enumerate().take(n) {
        out[i] = row.iter().sum();
    }
}

pub fn backwards(n: usize, a: &mut [f64]) {
    for i in (1..n).rev() {
        a[i] -= a[i - 1];
    }
}

pub fn two_ends(a: &mut [i64]) {
    let (mut lo, mut hi) = (0, a.len() - 1);
    while lo < hi {
        a.swap(lo, hi);
        lo += 1;
        hi -= 1;
    }
}

pub fn blocks(n: usize, a: &[f64], b: &mut [f64]) {
    const B: usize = 16;
    for ii in (0..n).step_by(B) {
        for jj in (0..n).step_by(B) {
            for i in ii..(ii + B).min(n) {
                for j in jj..(jj + B).min(n) {
                    b[j * n + i] = a[i * n + j];
                }
            }
        }
    }
}

pub fn windows(a: &[f64], b: &mut [f64]) {
    for (k, w) in a.windows(3).enumerate() {
        b[k] = (w[0] + w[1] + w[2]) / 3.0;
    }
}
