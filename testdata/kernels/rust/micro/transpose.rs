//! One array by rows, the other by columns.
// -P n=100

pub fn transpose(n: usize, a: &[f64], b: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            b[j * n + i] = a[i * n + j];
        }
    }
}
