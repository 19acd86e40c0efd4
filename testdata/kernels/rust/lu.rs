//! A = L U in place: triangular bounds in two of three loops, linearised subscripts.
// -P n=40

pub fn kernel_lu(n: usize, a: &mut [f64]) {
    for i in 0..n {
        for j in 0..i {
            for k in 0..j {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
            a[i * n + j] /= a[j * n + j];
        }
        for j in i..n {
            for k in 0..i {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
}
