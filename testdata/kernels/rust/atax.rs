//! y = A^T (A x) with iterators and no subscript: each row of A is read twice in a row.
// -P M=38 -P N=42

pub fn kernel_atax<const M: usize, const N: usize>(
    a: &[[f64; N]; M],
    x: &[f64; N],
    y: &mut [f64; N],
    tmp: &mut [f64; M],
) {
    for y in y.iter_mut() {
        *y = 0.0;
    }
    for (row, tmp) in a.iter().zip(tmp.iter_mut()) {
        *tmp = 0.0;
        for (a, x) in row.iter().zip(x) {
            *tmp += a * x;
        }
        for (y, a) in y.iter_mut().zip(row) {
            *y += a * *tmp;
        }
    }
}
