//! Functions of a type alias: its parameters are not those of the struct, nor in their order.
// -P n=10

use std::ops::Deref;

pub struct Matrix<T, I, Starts, Data>
where
    Starts: Deref<Target = [I]>,
    Data: Deref<Target = [T]>,
{
    starts: Starts,
    data: Data,
}

pub type View<'a, I, T> = Matrix<T, I, &'a [I], &'a [T]>;

impl<'a, I: Copy + Into<u64>, T: Copy> View<'a, I, T> {
    fn start(&self, row: usize) -> u64 {
        self.starts[row].into() // loads 10
    }

    fn first(&self, row: usize) -> T {
        self.data[row] // loads 10
    }
}

pub fn aliases_of_types(n: usize, m: View<u32, f32>, firsts: &mut [f32], starts: &mut [u64]) {
    for i in 0..n {
        firsts[i] = m.first(i); // stores 10
        starts[i] = m.start(i); // stores 10
    }
}
