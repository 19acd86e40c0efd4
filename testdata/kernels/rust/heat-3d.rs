//! A seven-point stencil in three dimensions, back and forth between two arrays.
// -P TSTEPS=20 -P N=10

pub fn kernel_heat_3d<const TSTEPS: usize, const N: usize>(
    a: &mut [[[f64; N]; N]; N],
    b: &mut [[[f64; N]; N]; N],
) {
    for _ in 1..=TSTEPS {
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                for k in 1..N - 1 {
                    b[i][j][k] = 0.125 * (a[i + 1][j][k] - 2.0 * a[i][j][k] + a[i - 1][j][k])
                        + 0.125 * (a[i][j + 1][k] - 2.0 * a[i][j][k] + a[i][j - 1][k])
                        + 0.125 * (a[i][j][k + 1] - 2.0 * a[i][j][k] + a[i][j][k - 1])
                        + a[i][j][k];
                }
            }
        }
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                for k in 1..N - 1 {
                    a[i][j][k] = 0.125 * (b[i + 1][j][k] - 2.0 * b[i][j][k] + b[i - 1][j][k])
                        + 0.125 * (b[i][j + 1][k] - 2.0 * b[i][j][k] + b[i][j - 1][k])
                        + 0.125 * (b[i][j][k + 1] - 2.0 * b[i][j][k] + b[i][j][k - 1])
                        + b[i][j][k];
                }
            }
        }
    }
}
