//! Enumerations without fields: their methods, their variants as constants, imported or not, and their numbers.
// -P n=10

use Size::*;

#[derive(Clone, Copy, PartialEq)]
pub enum Size {
    Small = 2,
    Medium,
    Large = 8,
}

impl Size {
    pub const ALL: usize = 3;

    fn width(self) -> usize {
        match self {
            Small => 4,
            Size::Medium => 6,
            Large => 8,
        }
    }

    fn is_even(self) -> bool {
        self != Medium
    }
}

pub fn enumerations(n: usize, a: &mut [f64]) {
    a[Small as usize] = a[Size::Medium as usize]; // loads 1, stores 1
    let size = Size::Large;
    for i in 0..size.width() {
        a[i + size as usize] += 1.0; // loads 8, stores 8
    }
    if Size::Medium.is_even() {
        a[0] = 0.0;
    }
    for i in 0..Size::ALL * n {
        a[i] = 2.0; // stores 30
    }
}
