//! Structs whose `next` takes from an iterator in a field.
// -P n=10

use std::iter::Zip;
use std::slice::Iter;

pub struct Entries<'a>(Zip<Iter<'a, u32>, Iter<'a, f64>>);

impl Iterator for Entries<'_> {
    type Item = (usize, f64);

    fn next(&mut self) -> Option<(usize, f64)> {
        self.0.next().map(|(i, x)| (*i as usize, *x)) // loads 60
    }
}

pub struct Values<'a> {
    inner: Iter<'a, f64>,
}

impl Iterator for Values<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.inner.next().copied()
    }
}

fn entries<'a>(indices: &'a [u32], data: &'a [f64]) -> Entries<'a> {
    Entries(indices.iter().zip(data))
}

fn values(data: &[f64]) -> Values<'_> {
    Values { inner: data.iter() }
}

pub fn struct_iterators(n: usize, indices: &[u32], data: &[f64], y: &mut [f64]) {
    let mut sum = 0.0;
    for (i, x) in entries(&indices[..n], &data[..n]) {
        sum += x * i as f64;
    }
    let all = entries(&indices[..n], &data[..n]).map(|(_, x)| x);
    sum += all.sum::<f64>();
    for (k, (_, x)) in entries(&indices[..n], &data[..n]).enumerate() {
        y[k] = x + sum; // stores 10
    }
    for (y, x) in y[..n].iter_mut().zip(values(&data[..n])) { // loads 10
        *y -= x; // loads 10, stores 10
    }
}
