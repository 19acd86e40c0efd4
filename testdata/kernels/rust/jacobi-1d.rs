//! A three-point stencil, back and forth between two arrays.
// -P tsteps=20 -P n=30

pub fn kernel_jacobi_1d(tsteps: usize, n: usize, a: &mut [f64], b: &mut [f64]) {
    for _ in 0..tsteps {
        for i in 1..n - 1 {
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        }
        for i in 1..n - 1 {
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1]);
        }
    }
}
