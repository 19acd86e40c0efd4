//! Sums and other ends of chains of iterators.
// -P n=10

pub fn sums(n: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
    for i in 0..n {
        let row = &a[i * n..(i + 1) * n];
        y[i] = row.iter().zip(&x[..n]).map(|(a, x)| a * x).sum(); // loads 200, stores 10
    }
    for i in 0..n {
        y[i] += x[..i].iter().fold(0.0, |sum, x| sum + x * x); // loads 100, stores 10
    }
    y[..n].iter_mut().for_each(|y| *y *= 2.0); // loads 10, stores 10
}
