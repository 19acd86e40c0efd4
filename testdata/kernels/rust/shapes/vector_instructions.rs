//! Vectors of the processor: instructions that load and store them, by their names and by a trait that several types of
//! vectors have. A pointer to pairs as one to their parts steps from part to part.
// -P n=10

use std::arch::x86_64::*;

pub trait Vector: Copy {
    const LANES: usize;
    type Scalar;

    unsafe fn load(from: *const Self::Scalar) -> Self;
    unsafe fn store(to: *mut Self::Scalar, vector: Self);
    unsafe fn add(a: Self, b: Self) -> Self;
}

impl Vector for __m256 {
    const LANES: usize = 8;
    type Scalar = f32;

    unsafe fn load(from: *const f32) -> Self {
        _mm256_loadu_ps(from) // loads 10
    }
    unsafe fn store(to: *mut f32, vector: Self) {
        _mm256_storeu_ps(to, vector) // stores 10
    }
    unsafe fn add(a: Self, b: Self) -> Self {
        _mm256_add_ps(a, b)
    }
}

impl Vector for __m128d {
    const LANES: usize = 2;
    type Scalar = f64;

    unsafe fn load(from: *const f64) -> Self {
        _mm_loadu_pd(from) // loads 20
    }
    unsafe fn store(to: *mut f64, vector: Self) {
        _mm_storeu_pd(to, vector) // stores 20
    }
    unsafe fn add(a: Self, b: Self) -> Self {
        _mm_add_pd(a, b)
    }
}

unsafe fn doubled<V: Vector>(a: *mut V::Scalar, n: usize) {
    for i in 0..n {
        let x = V::load(a.add(V::LANES * i));
        V::store(a.add(V::LANES * i), V::add(x, x));
    }
}

pub unsafe fn vector_instructions(n: usize, a: &mut [f32], b: &mut [f64], pairs: &mut [(f32, f32)]) {
    doubled::<__m256>(a.as_mut_ptr(), n);
    doubled::<__m128d>(b.as_mut_ptr(), 2 * n);
    for i in 0..n {
        let one = _mm_load_sd(b.as_ptr().add(i)); // loads 10
        let both = _mm_loadh_pd(one, b.as_ptr().add(2 * i)); // loads 10
        _mm_storeu_pd(b.as_mut_ptr().add(2 * i), _mm_mul_pd(both, both)); // stores 10
    }
    let parts = pairs.as_mut_ptr() as *mut f32;
    for i in 0..n {
        _mm_store_ss(parts.add(3 * i), _mm_set1_ps(1.0)); // stores 10
    }
}
