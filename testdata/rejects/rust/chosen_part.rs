// Data decide which of two arrays it is.
fn pick(n: usize, a: &mut [f64], b: &mut [f64], flags: &[f64]) {
    for i in 0..n {
        let c = if flags[i] > 0.0 { &mut a[i..] } else { &mut b[i..] };
        c[0] = 1.0; // rejects: ambiguous-pointer
    }
}
