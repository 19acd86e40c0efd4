//! Functions that bodies define, of one name; constants that are references to arrays.
// -P n=10

use std::f64::consts as numbers;

const WEIGHTS: &[f64] = &[0.25, 0.5, 0.25];

fn left(a: &[f64], i: usize) -> f64 {
    fn at(a: &[f64], i: usize) -> f64 {
        a[i] // loads 10
    }
    at(a, i)
}

fn right(a: &[f64], i: usize) -> f64 {
    fn at(a: &[f64], i: usize) -> f64 {
        a[i + 1] // loads 30
    }
    at(a, i)
}

pub fn items_in_bodies(n: usize, a: &[f64], y: &mut [f64]) {
    for i in 0..n {
        y[i] = (numbers::PI * left(a, i)).sin(); // stores 10
        for (k, w) in WEIGHTS.iter().enumerate() {
            y[i] += w * right(a, i + k); // loads 60, stores 30
        }
        if cfg!(test) {
            y[i] = 0.0;
        }
    }
}
