//! Numbers as arrays of their bytes, which are stored one by one and copied.
// -P n=10

pub fn bytes_of_numbers(n: usize, a: &[u32], b: &mut [[u8; 4]]) {
    for i in 0..n {
        b[i] = a[i].to_be_bytes(); // loads 50, stores 80
    }
}
