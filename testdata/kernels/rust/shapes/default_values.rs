//! Default values: zeros, which make no accesses in arrays, as in `[0.0; 4]`.
// -P n=12

#[derive(Clone, Copy, Default)]
pub struct Lanes(pub [f32; 4]);

#[derive(Default)]
pub struct Total {
    count: usize,
    sum: f32,
}

pub fn default_values(n: usize, a: &[f32], t: &mut [f32]) {
    let mut lanes = Lanes::default();
    let mut squares = <[f32; 4]>::default();
    let mut total = Total::default();
    for chunk in a[..n].chunks_exact(4) {
        for k in 0..4 {
            lanes.0[k] += chunk[k]; // loads 24, stores 12
            squares[k] += chunk[k] * chunk[k]; // loads 36, stores 12
        }
        total.count += 1;
        total.sum += chunk[0]; // loads 3
    }
    for k in 0..4 {
        t[k] = lanes.0[k] + squares[k] + total.sum; // loads 8, stores 4
    }
}
