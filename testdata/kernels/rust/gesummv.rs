//! y = alpha*A*x + beta*B*x: two matrices side by side, each read once.
// -P n=30

#[allow(clippy::too_many_arguments)]
pub fn kernel_gesummv(
    n: usize,
    alpha: f64,
    beta: f64,
    a: &[f64],
    b: &[f64],
    tmp: &mut [f64],
    x: &[f64],
    y: &mut [f64],
) {
    for i in 0..n {
        tmp[i] = 0.0;
        y[i] = 0.0;
        for j in 0..n {
            tmp[i] = a[i * n + j] * x[j] + tmp[i];
            y[i] = b[i * n + j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
