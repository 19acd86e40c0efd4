//! C += A A^T, lower triangle only: ranges that include their end.
// -P m=20 -P n=30

pub fn kernel_syrk(m: usize, n: usize, alpha: f64, beta: f64, c: &mut [f64], a: &[f64]) {
    for i in 0..n {
        for j in 0..=i {
            c[i * n + j] *= beta;
        }
        for k in 0..m {
            for j in 0..=i {
                c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
            }
        }
    }
}
