//! A slice of one array or another, by what the data say.

pub fn either(n: usize, x: &[f64], a: &mut [f64], b: &mut [f64]) {
    let chosen = if x[0] > 0.0 { b } else { a };
    for i in 0..n {
        chosen[i] = 0.0; // rejects: ambiguous-pointer
    }
}
