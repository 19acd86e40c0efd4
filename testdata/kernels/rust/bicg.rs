//! s = A^T r and q = A p in one sweep over A, whose rows an iterator counts.
// -P N=42 -P M=38

pub fn kernel_bicg<const N: usize, const M: usize>(
    a: &[[f64; M]; N],
    s: &mut [f64; M],
    q: &mut [f64; N],
    p: &[f64; M],
    r: &[f64; N],
) {
    for i in 0..M {
        s[i] = 0.0;
    }
    for (i, row) in a.iter().enumerate() {
        q[i] = 0.0;
        for j in 0..M {
            s[j] += r[i] * row[j];
            q[i] += row[j] * p[j];
        }
    }
}
