//! Methods that traits of the program add to numbers, and those that a trait provides itself.
// -P n=10

pub trait Shift: Sized + Copy {
    const ROUND: i32;

    fn shift(self, by: u32) -> i32;

    fn shift_once(self) -> i32 {
        self.shift(1) + Self::ROUND
    }
}

impl Shift for i32 {
    const ROUND: i32 = 1;

    fn shift(self, by: u32) -> i32 {
        self >> by
    }
}

impl Shift for u8 {
    const ROUND: i32 = 0;

    fn shift(self, by: u32) -> i32 {
        i32::from(self) >> by
    }
}

fn largest<T: Shift>(a: &[T], from: usize) -> i32 {
    let mut most = 0;
    for x in &a[from..] {
        most = most.max(x.shift_once()); // loads 15
    }
    most
}

pub fn trait_methods(n: usize, a: &[i32; 10], b: &[u8; 10], c: &mut [i32]) {
    for i in 0..n {
        c[i] = a[i].shift(2) + Shift::shift(b[i], 1); // loads 20, stores 10
    }
    c[0] = largest(a, 0) + largest(b, 5); // stores 1
}
