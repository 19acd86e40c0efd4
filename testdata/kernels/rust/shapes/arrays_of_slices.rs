//! Slices that become arrays: the bytes of a number are loaded one by one, and an array by value is a copy.
// -P n=10

use std::sync::Arc;

pub struct Window {
    weights: Arc<[f32]>,
}

pub fn arrays_of_slices(n: usize, bytes: &[u8], a: &[f32], t: &mut [f32], window: &Window) {
    for i in 0..n {
        let part = &bytes[4 * i..4 * i + 4];
        t[i] = u32::from_le_bytes(part.try_into().unwrap()) as f32; // loads 40, stores 10
    }
    for i in 0..n {
        let near: [f32; 3] = a[i..i + 3].try_into().unwrap(); // loads 30, stores 30
        t[i] += near[0] + near[2]; // loads 30, stores 10
    }
    for i in 0..n {
        t[i] *= window.weights[i]; // loads 30, stores 10
    }
}
