//! B = alpha*A^T*B in place, A unit lower triangular and read by columns.
// -P m=20 -P n=30

pub fn kernel_trmm(m: usize, n: usize, alpha: f64, a: &[f64], b: &mut [f64]) {
    for i in 0..m {
        for j in 0..n {
            for k in i + 1..m {
                b[i * n + j] += a[k * m + i] * b[k * n + j];
            }
            b[i * n + j] = alpha * b[i * n + j];
        }
    }
}
