//! Complex numbers of num-complex: each operation reads the two parts of its operands.
// -P n=10

use num_complex::Complex;

pub fn complex_numbers<T: Copy + Num>(n: usize, a: &mut [Complex<T>], b: &[Complex<T>], c: &mut [T]) {
    for i in 0..n {
        a[i] = a[i] * b[i]; // loads 40, stores 20
    }
    for (x, y) in a[..n].iter_mut().zip(&b[..n]) {
        *x += *y; // loads 40, stores 20
    }
    for i in 0..n {
        c[i] = a[i].norm_sqr() + b[i].re; // loads 30, stores 10
    }
    for x in a[..n].iter_mut() {
        *x = Complex::new(x.im, x.re).conj() * c[0]; // loads 30, stores 20
    }
    for x in a[..n].iter_mut() {
        *x = Complex::zero(); // stores 20
    }
}
