// A macro of which nothing is known, and an order that is not written down.
fn f(n: usize, a: &mut [f64], b: &mut [i64]) {
    for i in 0..n {
        update!(a[i]); // rejects: unsupported-construct
    }
    for _ in 0..n {
        b.sort(); // rejects: unsupported-construct
    }
}
