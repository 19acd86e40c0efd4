// Panics, exits and assertions: sizes decide where the program ends. Data decide too: that is assumed not to happen.
// -P n=30 -P m=12
pub fn panics_on_sizes(n: usize, m: usize, a: &mut [f64], x: &[f64]) {
    for i in 0..m {
        if i >= n {
            std::process::exit(1);
        }
        a[i] = 0.0; // stores 12
    }
    for i in 0..n {
        if x[i] < 0.0 { // loads 30
            panic!("negative");
        }
        a[i] = 1.0; // stores 30
    }
    for i in 0..n {
        assert!(i < m, "too many");
        a[i] = 2.0; // stores 12
    }
    for i in 0..n {
        a[i] = 3.0;
    }
}
