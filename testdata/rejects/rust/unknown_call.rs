//! Functions without a body here that are given a row.

unsafe extern "C" {
    fn relax(row: *mut f64, n: usize);
}

pub fn call_it(n: usize, a: &mut [f64]) {
    for i in 0..n {
        let row = &mut a[i * n..(i + 1) * n];
        unsafe { relax(row.as_mut_ptr(), n) }; // rejects: unknown-call
    }
}

pub fn call_what_is_given(n: usize, a: &mut [f64], smooth: fn(&mut [f64])) {
    for i in 0..n {
        smooth(&mut a[i * n..(i + 1) * n]); // rejects: unknown-call
    }
}

pub fn call_what_captures(n: usize, a: &mut [f64], mut smooth: impl FnMut(&mut [f64])) {
    for i in 0..n {
        smooth(&mut a[i * n..(i + 1) * n]); // rejects: unknown-call
    }
}
