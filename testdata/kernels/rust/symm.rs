//! C = alpha*A*B + beta*C with half of A: one sweep reads and writes C.
// -P M=20 -P N=30

pub fn kernel_symm<const M: usize, const N: usize>(
    alpha: f64,
    beta: f64,
    c: &mut [[f64; N]; M],
    a: &[[f64; M]; M],
    b: &[[f64; N]; M],
) {
    for i in 0..M {
        for j in 0..N {
            let mut temp2 = 0.0;
            for k in 0..i {
                c[k][j] += alpha * b[i][j] * a[i][k];
                temp2 += b[k][j] * a[i][k];
            }
            c[i][j] = beta * c[i][j] + alpha * b[i][j] * a[i][i] + alpha * temp2;
        }
    }
}
