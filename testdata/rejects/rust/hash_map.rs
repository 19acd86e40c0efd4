//! Where the elements of a hash map lie only its hashes tell.

use std::collections::HashMap;

pub fn gather(n: usize, table: &HashMap<usize, f64>, a: &mut [f64]) {
    for i in 0..n {
        a[i] = table[&i]; // rejects: unsupported-construct
    }
}
