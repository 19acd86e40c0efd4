//! Two kernels as hard-coded loops that make every access, in the order and at the addresses of the
//! access model. Generic over what takes the accesses, so that all is inlined into the loops.

/// Takes accesses one by one.
pub(crate) trait Accesses {
    /// An access to the double at an address.
    fn access(&mut self, address: u64);
}

/// Where the first array lies.
const FIRST: u64 = 0x10_0000;
/// Bytes in an element.
const DOUBLE: u64 = 8;

/// The address of a square array of doubles behind another one.
fn after(base: u64, n: u64) -> u64 {
    (base + n * n * DOUBLE).next_multiple_of(4096)
}

/// `C = alpha * A * B + beta * C`.
pub(crate) fn gemm(n: u64, to: &mut impl Accesses) {
    let c = FIRST;
    let a = after(c, n);
    let b = after(a, n);
    for i in 0..n {
        for j in 0..n {
            let c_ij = c + (i * n + j) * DOUBLE;
            to.access(c_ij);
            to.access(c_ij);
        }
        for k in 0..n {
            let a_ik = a + (i * n + k) * DOUBLE;
            for j in 0..n {
                let c_ij = c + (i * n + j) * DOUBLE;
                to.access(c_ij);
                to.access(a_ik);
                to.access(b + (k * n + j) * DOUBLE);
                to.access(c_ij);
            }
        }
    }
}

/// The five-point stencil, `steps` times back and forth.
pub(crate) fn jacobi_2d(n: u64, steps: u64, to: &mut impl Accesses) {
    let a = FIRST;
    let b = after(a, n);
    for _ in 0..steps {
        smooth(n, a, b, to);
        smooth(n, b, a, to);
    }
}

#[inline(always)]
fn smooth(n: u64, from: u64, into: u64, to: &mut impl Accesses) {
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            let centre = (i * n + j) * DOUBLE;
            to.access(from + centre);
            to.access(from + centre - DOUBLE);
            to.access(from + centre + DOUBLE);
            to.access(from + centre + n * DOUBLE);
            to.access(from + centre - n * DOUBLE);
            to.access(into + centre);
        }
    }
}
