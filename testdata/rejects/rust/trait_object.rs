//! A method that is chosen only when the program runs.

pub trait Smoother {
    fn smooth(&self, row: &mut [f64]);
}

pub fn smooth_all(n: usize, chosen: &dyn Smoother, a: &mut [f64]) {
    for i in 0..n {
        chosen.smooth(&mut a[i * n..(i + 1) * n]); // rejects: unknown-call
    }
}
