//! Macros with repetitions, in the place of statements and of functions.
// -P n=10

macro_rules! halve {
    ($n:expr; $($x:ident),+ $(,)?) => {
        $( for i in 0..$n { $x[i] *= 0.5; } )+
    };
}

macro_rules! fills {
    ($($name:ident: $kind:ty = $value:expr;)*) => {
        $( fn $name(a: &mut [$kind]) { for x in a.iter_mut() { *x = $value; } } )*
    };
}

fills! { // stores 25
    fill_bytes: u8 = 0;
    fill_numbers: f64 = 1.0;
}

pub fn macro_repetitions(n: usize, a: &mut [f64], b: &mut [f64], c: &mut [u8; 15]) {
    halve!(n; a, b); // loads 20, stores 20
    fill_numbers(&mut a[..n]);
    fill_bytes(c);
}
