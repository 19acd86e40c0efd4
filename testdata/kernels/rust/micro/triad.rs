//! STREAM triad by iterators: three streams, no reuse but within a line.
// -P N=100

pub fn triad<const N: usize>(a: &mut [f64; N], b: &[f64; N], c: &[f64; N]) {
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = b + 3.0 * c;
    }
}
