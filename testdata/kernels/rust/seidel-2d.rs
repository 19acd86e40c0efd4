//! A nine-point stencil in place, on a grid whose sizes are constants of the file.
// -P TSTEPS=3 -P N=12

const TSTEPS: usize = 3;
const N: usize = 12;

pub type Grid = [[f64; N]; N];

pub fn kernel_seidel_2d(a: &mut Grid) {
    for _ in 0..TSTEPS {
        for i in 1..=N - 2 {
            for j in 1..=N - 2 {
                a[i][j] = (a[i - 1][j - 1]
                    + a[i - 1][j]
                    + a[i - 1][j + 1]
                    + a[i][j - 1]
                    + a[i][j]
                    + a[i][j + 1]
                    + a[i + 1][j - 1]
                    + a[i + 1][j]
                    + a[i + 1][j + 1])
                    / 9.0;
            }
        }
    }
}
