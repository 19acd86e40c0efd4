//! A five-point stencil, back and forth between two arrays.
// -P TSTEPS=20 -P N=30

const FIFTH: f64 = 0.2;

pub fn kernel_jacobi_2d<const TSTEPS: usize, const N: usize>(
    a: &mut [[f64; N]; N],
    b: &mut [[f64; N]; N],
) {
    for _t in 0..TSTEPS {
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                b[i][j] = FIFTH * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
            }
        }
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                a[i][j] = FIFTH * (b[i][j] + b[i][j - 1] + b[i][1 + j] + b[1 + i][j] + b[i - 1][j]);
            }
        }
    }
}
