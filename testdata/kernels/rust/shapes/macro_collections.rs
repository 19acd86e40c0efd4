//! Functions that a macro makes: all that it expands to has one place, and yet arrays and types of its own.
// -P n=10

macro_rules! products {
    ($t:ty) => {
        fn products(a: &[$t], b: &[$t]) -> Vec<Vec<$t>> {
            a.iter().map(|x| b.iter().map(|y| x * y).collect()).collect()
        }
        fn scale(n: usize, a: &mut [$t], b: &[$t]) {
            for i in 0..n {
                a[i] *= b[i];
            }
        }
    };
}

products!(f32); // loads 220, stores 140

pub fn macro_collections(n: usize, a: &mut [f32], b: &[f32]) -> Vec<Vec<f32>> {
    scale(n, a, b);
    products(&a[..n], &b[..n])
}
