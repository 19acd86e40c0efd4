//! A function that calls itself.

pub fn halves(a: &mut [f64], n: usize) {
    for i in 0..n {
        a[i] += 1.0;
    }
    if n > 1 {
        halves(a, n / 2); // rejects: recursion
    }
}
