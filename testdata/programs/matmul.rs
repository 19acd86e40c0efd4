//! Vectors on the heap, timed, with an element printed and a check.
use std::time::Instant;

fn multiply(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

fn main() {
    let n = 256;
    let a = vec![1.0; n * n];
    let b = vec![2.0; n * n];
    let mut c = vec![0.0; n * n];
    let start = Instant::now();
    multiply(&a, &b, &mut c, n);
    println!("{:?}", start.elapsed());
    println!("{} {}", c[5 * n + 7], c[n * n - 1]);
    assert!((c[0] - 2.0 * n as f64).abs() < 1e-9);
}
