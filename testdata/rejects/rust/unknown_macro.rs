//! A macro of another crate may stand for anything.

pub fn cleared(n: usize, a: &mut [f64]) {
    for i in 0..n {
        solver::clear!(a[i]); // rejects: unsupported-construct
    }
}
