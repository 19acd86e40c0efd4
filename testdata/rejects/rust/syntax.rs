//! Text that is no Rust; what stands beside it is read all the same.

pub fn broken(n: usize, a: &mut [f64]) {
    for i in 0..n {
        a[i] = 1.0 + ; // rejects: syntax
    }
}

pub fn sound(n: usize, a: &mut [f64]) {
    for i in 0..n {
        a[i] = 1.0;
    }
}
