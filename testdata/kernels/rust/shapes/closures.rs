//! Subscripts that a closure and a constant function compute.
// -P n=10

const fn square(i: usize) -> usize {
    i * i
}

pub fn closures(n: usize, a: &mut [f64], b: &[f64]) {
    let at = |i: usize, j: usize| i * n + j;
    for i in 0..n {
        for j in i..n {
            a[at(i, j)] = b[at(j, i)]; // loads 55, stores 55
        }
        a[square(i)] = 0.0; // stores 10
    }
}
