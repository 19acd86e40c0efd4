//! A slice of one of two arrays, by what the data say: each of the two accesses is possible.
// -P n=10

pub fn data_chosen_slices(n: usize, a: &mut [f64], b: &mut [f64], flags: &[f64]) {
    for i in 0..n {
        let c = if flags[i] > 0.0 { &mut a[i..] } else { &mut b[i..] }; // loads 10
        c[0] = 1.0; // stores 0 to 20
    }
}
