//! Traits that a type has several times: the types of operands and arguments decide which method is called.
// -P n=10

use std::ops::{AddAssign, Mul};

#[derive(Clone, Copy)]
pub struct Pair {
    x: f64,
    y: f64,
}

impl Mul<f64> for Pair {
    type Output = Pair;

    fn mul(self, factor: f64) -> Pair {
        Pair { x: self.x * factor, y: self.y * factor }
    }
}

impl Mul<Pair> for Pair {
    type Output = f64;

    fn mul(self, other: Pair) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

impl Mul<Pair> for f64 {
    type Output = Pair;

    fn mul(self, pair: Pair) -> Pair {
        Pair { x: self * pair.x, y: self * pair.y }
    }
}

impl AddAssign<f64> for Pair {
    fn add_assign(&mut self, other: f64) {
        self.x += other; // loads 10, stores 10
    }
}

impl AddAssign<Pair> for Pair {
    fn add_assign(&mut self, other: Pair) {
        self.x += other.x; // loads 10, stores 10
        self.y += other.y; // loads 10, stores 10
    }
}

trait Put<T> {
    fn put(&mut self, i: usize, value: T);
}

impl Put<f64> for [f64] {
    fn put(&mut self, i: usize, value: f64) {
        self[i] = value; // stores 10
    }
}

impl Put<Pair> for [f64] {
    fn put(&mut self, i: usize, value: Pair) {
        self[2 * i] = value.x; // stores 10
        self[2 * i + 1] = value.y; // stores 10
    }
}

pub fn overloaded_traits(n: usize, a: &[Pair], b: &mut [Pair], c: &mut [f64], d: &mut [f64]) {
    for i in 0..n {
        b[i] = a[i] * 2.0; // loads 20, stores 20
        c[i] = a[i] * b[i]; // loads 40, stores 10
        b[i] = 3.0 * a[i]; // loads 20, stores 20
        b[i] += 1.0;
        b[i] += a[i]; // loads 20
        d.put(i, c[i]); // loads 10
        d.put(i, a[i]); // loads 20
    }
}
