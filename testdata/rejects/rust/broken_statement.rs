// A broken item costs that item.
fn broken(a: &mut [f64]) {
    let first 0; // rejects: syntax
    for x in a {
        *x = 0.0;
    }
}

fn sound(n: usize, a: &mut [f64]) {
    for i in 0..n {
        a[i] = 0.0;
    }
}
