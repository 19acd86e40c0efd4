//! x1 += A y1 by rows, then x2 += A^T y2 by columns.
// -P n=40

pub fn kernel_mvt(n: usize, x1: &mut [f64], x2: &mut [f64], y_1: &[f64], y_2: &[f64], a: &[f64]) {
    for i in 0..n {
        for j in 0..n {
            x1[i] = x1[i] + a[i * n + j] * y_1[j];
        }
    }
    for i in 0..n {
        for j in 0..n {
            x2[i] = x2[i] + a[j * n + i] * y_2[j];
        }
    }
}
