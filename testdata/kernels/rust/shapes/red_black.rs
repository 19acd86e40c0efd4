//! Gauss-Seidel of one dimension: the points at odd places, then those at even places.
// -P n=15

pub fn red_black(n: usize, u: &mut [f64], f: &[f64]) {
    for i in (1..n - 1).step_by(2) {
        u[i] = f[i] + u[i - 1] + u[i + 1]; // loads 21, stores 7
    }
    for i in (2..n - 1).step_by(2) {
        u[i] = f[i] + u[i - 1] + u[i + 1]; // loads 18, stores 6
    }
}
