//! One row.

pub fn smooth(row: &mut [f64]) {
    for j in 1..row.len() {
        row[j] = 0.5 * (row[j - 1] + row[j]);
    }
}
