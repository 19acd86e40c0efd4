//! C = alpha*A*B + beta*C with rows of B in the innermost loop.
// -P NI=20 -P NJ=25 -P NK=30

pub fn kernel_gemm<const NI: usize, const NJ: usize, const NK: usize>(
    alpha: f64,
    beta: f64,
    c: &mut [[f64; NJ]; NI],
    a: &[[f64; NK]; NI],
    b: &[[f64; NJ]; NK],
) {
    for i in 0..NI {
        for j in 0..NJ {
            c[i][j] *= beta;
        }
        for k in 0..NK {
            for j in 0..NJ {
                c[i][j] += alpha * a[i][k] * b[k][j];
            }
        }
    }
}
