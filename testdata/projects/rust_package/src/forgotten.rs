//! No `mod` leads here.

pub fn forgotten(a: &mut [f64]) {
    for x in a {
        *x = 0.0;
    }
}
