//! Assembly may touch anything.

pub fn fenced(n: usize, a: &mut [f64]) {
    for i in 0..n {
        a[i] = 0.0;
        unsafe { core::arch::asm!("") }; // rejects: unsupported-construct
    }
}
