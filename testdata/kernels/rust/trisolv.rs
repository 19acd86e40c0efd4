//! Forward substitution with a lower triangular matrix.
// -P n=40

pub fn kernel_trisolv(n: usize, l: &[f64], x: &mut [f64], b: &[f64]) {
    for i in 0..n {
        x[i] = b[i];
        for j in 0..i {
            x[i] -= l[i * n + j] * x[j];
        }
        x[i] = x[i] / l[i * n + i];
    }
}
