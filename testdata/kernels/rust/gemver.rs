//! Two rank-one updates, then A^T y by columns and A x by rows.
// -P N=40

#[allow(clippy::too_many_arguments)]
pub fn kernel_gemver<const N: usize>(
    alpha: f64,
    beta: f64,
    a: &mut [[f64; N]; N],
    u1: &[f64; N],
    v1: &[f64; N],
    u2: &[f64; N],
    v2: &[f64; N],
    w: &mut [f64; N],
    x: &mut [f64; N],
    y: &[f64; N],
    z: &[f64; N],
) {
    for i in 0..N {
        for j in 0..N {
            a[i][j] = a[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
        }
    }
    for i in 0..N {
        for j in 0..N {
            x[i] = x[i] + beta * a[j][i] * y[j];
        }
    }
    for i in 0..N {
        x[i] = x[i] + z[i];
    }
    for i in 0..N {
        for j in 0..N {
            w[i] = w[i] + alpha * a[i][j] * x[j];
        }
    }
}
