//! A = L L^T in place: triangular bounds, both operands of the update from A.
// -P N=40

pub fn kernel_cholesky<const N: usize>(a: &mut [[f64; N]; N]) {
    for i in 0..N {
        for j in 0..i {
            for k in 0..j {
                a[i][j] -= a[i][k] * a[j][k];
            }
            a[i][j] /= a[j][j];
        }
        for k in 0..i {
            a[i][i] -= a[i][k] * a[i][k];
        }
        a[i][i] = a[i][i].sqrt();
    }
}
