//! Traits that give references to slices methods of the same name: a file calls those of the traits that it imports, and
//! an argument of type `impl Trait` is what the caller passes.
// -P n=10

pub mod halves {
    pub trait Load<T> {
        fn fetch(&self, i: usize) -> T;
    }

    impl Load<f32> for &[f32] {
        fn fetch(&self, i: usize) -> f32 {
            self[i] // loads 10
        }
    }

    impl Load<f32> for &mut [f32] {
        fn fetch(&self, i: usize) -> f32 {
            self[i]
        }
    }

    pub trait LoadStore<T>: Load<T> {
        fn put(&mut self, i: usize, value: T);
    }

    impl LoadStore<f32> for &mut [f32] {
        fn put(&mut self, i: usize, value: f32) {
            self[2 * i] = value; // stores 10
        }
    }
}

use halves::LoadStore;

fn shifted(mut a: impl LoadStore<f32>, n: usize) {
    for i in 0..n {
        let x = a.fetch(i + 1);
        a.put(i, x);
    }
}

pub fn imported_traits(n: usize, a: &mut [f32], b: &mut [f32]) {
    for i in 0..n {
        b[i] = 0.0; // stores 10
    }
    shifted(a, n);
}
