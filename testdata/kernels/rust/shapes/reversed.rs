//! Loops that go down, with steps, and loops that count by hand.
// -P n=10

pub fn reversed(n: usize, a: &mut [f64], b: &mut [f64]) {
    for i in (0..n).rev() {
        a[i] = 0.0; // stores 10
    }
    for i in (1..n).rev().step_by(3) {
        b[i] = a[i - 1]; // loads 3, stores 3
    }
    let mut i = 1;
    while i < n {
        b[i] = 1.0; // stores 3
        i += 4;
    }
    let mut left = n;
    while left > 0 {
        left -= 1;
        a[left] = b[left]; // loads 10, stores 10
    }
    let mut k = 0;
    loop {
        if k >= n {
            break;
        }
        b[k] = 2.0; // stores 5
        k += 2;
    }
}
