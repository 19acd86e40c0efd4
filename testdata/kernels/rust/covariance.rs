//! Column means, then a symmetric product of columns.
// -P m=28 -P n=32

pub fn kernel_covariance(
    m: usize,
    n: usize,
    float_n: f64,
    data: &mut [f64],
    cov: &mut [f64],
    mean: &mut [f64],
) {
    for j in 0..m {
        mean[j] = 0.0;
        for i in 0..n {
            mean[j] += data[i * m + j];
        }
        mean[j] /= float_n;
    }
    for i in 0..n {
        for j in 0..m {
            data[i * m + j] -= mean[j];
        }
    }
    for i in 0..m {
        for j in i..m {
            cov[i * m + j] = 0.0;
            for k in 0..n {
                cov[i * m + j] += data[k * m + i] * data[k * m + j];
            }
            cov[i * m + j] /= float_n - 1.0;
            cov[j * m + i] = cov[i * m + j];
        }
    }
}
