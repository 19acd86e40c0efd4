//! Slices whose elements are arrays: rows follow each other without gaps, and naming one loads nothing.
// -P n=10

pub fn slices_of_rows(n: usize, a: &mut [[f64; 9]], b: &[[f64; 9]], c: &mut [[[f32; 2]; 3]]) {
    for i in 0..n {
        a[i][3] = b[i][i % 9]; // loads 10, stores 10
        let _ = a[i][4];
        let row = &b[i];
        for j in 0..9 {
            a[i][j] += row[j]; // loads 180, stores 90
        }
        c[i][i % 3][1] = 0.0; // stores 10
    }
}
