//! Four kernels that refactorings are tried on.

const SIZE: usize = 48;

pub struct Particle {
    pub x: f64,
    pub y: f64,
    pub mass: f64,
}

pub fn smooth(grid: &[[f64; SIZE]; SIZE], next: &mut [[f64; SIZE]; SIZE]) {
    for i in 1..SIZE - 1 {
        for j in 1..SIZE - 1 {
            next[i][j] = 0.25 * (grid[i - 1][j] + grid[i][j - 1] + grid[i][j + 1] + grid[i + 1][j]);
        }
    }
}

pub fn multiply(n: usize, c: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..n {
        for k in 0..n {
            for j in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

pub fn momentum(count: usize, p: &[Particle]) -> f64 {
    let mut sum = 0.0;
    for i in 0..count {
        sum += p[i].mass * p[i].x;
    }
    sum
}

pub fn gather(items: usize, key: &[usize], x: &[f64], y: &mut [f64]) {
    for i in 0..items {
        y[i] = x[key[i]];
    }
}
