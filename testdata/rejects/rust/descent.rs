// The function calls itself.
fn visit(n: usize, a: &mut [f64]) {
    for i in 0..n {
        a[i] = 0.0;
    }
    visit(n - 1, a); // rejects: recursion
}
