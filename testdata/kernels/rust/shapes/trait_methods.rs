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

fn total<T: Shift>(a: &[T], from: usize) -> i32 {
    let mut sum = 0;
    for x in &a[from..] {
        sum += x.shift_once(); // loads 75
    }
    sum
}

pub fn trait_methods(n: usize, a: &[i32; 40], b: &[u8; 40], c: &mut [i32]) {
    for i in 0..n {
        c[i] = a[i].shift(2) + Shift::shift(b[i], 1); // loads 20, stores 10
    }
    c[0] = total(a, 0) + total(b, 5); // stores 1
}
