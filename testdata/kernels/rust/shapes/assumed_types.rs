//! A generic function that nothing calls: its types are those that their bounds say, or `f64`.
// -P n=10

use std::ops::Mul;

pub trait Pixel: Copy {
    type Part: Copy;
    const PARTS: usize;

    fn part(&self, idx: usize) -> Self::Part;
}

#[derive(Clone, Copy)]
pub struct Pair<T>([T; 2]);

impl<T: Copy> Pixel for Pair<T> {
    type Part = T;
    const PARTS: usize = 2;

    fn part(&self, idx: usize) -> T {
        self.0[idx] // loads 20
    }
}

pub fn assumed_types<T, P>(n: usize, a: &mut [T], s: T, p: &[P], parts: &mut [P::Part])
where
    T: Copy + Mul<Output = T>,
    P: Pixel,
{
    for i in 0..n {
        a[i] = a[i] * s; // loads 10, stores 10
    }
    for i in 0..n {
        for k in 0..P::PARTS {
            parts[P::PARTS * i + k] = p[i].part(k); // stores 20
        }
    }
}
