//! The number of iterations is loaded from memory, or decided by what the loop computes.

pub fn bound_from_memory(n: usize, length: &[usize], a: &mut [f64]) {
    for i in 0..n {
        for j in 0..length[i] { // reason: data-bound
            a[j] += 1.0;
        }
    }
}

pub fn until_small(n: usize, error: &[f64], a: &mut [f64]) {
    let mut i = 0;
    while error[0] > 0.001 { // rejects: uncounted-loop
        a[i] *= 0.5;
        i = (i + 1) % n;
    }
}

pub fn until_found(a: &mut [f64], key: f64) -> usize {
    let mut i = 0;
    loop { // rejects: uncounted-loop
        if a[i] == key {
            break i;
        }
        a[i] = 0.0;
        i += 1;
    }
}
