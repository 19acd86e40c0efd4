//! Arrays of arrays with constant generics.
pub fn product<const N: usize>(a: &[[f64; N]; N], b: &[[f64; N]; N], c: &mut [[f64; N]; N]) -> f64 {
    for i in 0..N {
        for k in 0..N {
            for j in 0..N {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c[3][4] + c[N - 1][0]
}

pub fn relax<const N: usize, const M: usize>(grid: &mut [[f64; M]; N]) -> f64 {
    let mut change: f64 = 0.0;
    for i in 1..N - 1 {
        for j in 1..M - 1 {
            let new = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
            change = change.max((new - grid[i][j]).abs());
            grid[i][j] = new;
        }
    }
    change
}
