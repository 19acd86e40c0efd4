//! Rows of a slice, one after the other, and pairs of neighbours in each.
// -P n=10

pub fn chunks(n: usize, a: &mut [f64], b: &mut [f64]) {
    for row in a[..n * n].chunks_exact_mut(n) {
        for x in row.iter_mut() {
            *x += 1.0; // loads 100, stores 100
        }
        row[0] = row[n - 1]; // loads 10, stores 10
    }
    for (row, y) in a[..n * n].chunks_exact(n).zip(b[..n].iter_mut()) {
        for pair in row.windows(2) {
            *y += pair[1] - pair[0]; // loads 270, stores 90
        }
    }
}
