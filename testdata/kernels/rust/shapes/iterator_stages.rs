//! Iterators whose items alone tell how many they have: their pairs, parts and numbers are counted while they run.
// -P N=12

pub fn iterator_stages<const N: usize>(a: &[f64; N], b: &[f64; N], c: &mut [f64], t: &mut [f64]) {
    for (i, x) in a.iter().chain(b.iter()).enumerate() {
        c[i] = *x; // loads 24, stores 24
    }
    for (x, y) in a.iter().chain(b.iter()).zip(c.iter_mut()) {
        *y += *x; // loads 0 to 48, stores 0 to 24
    }
    for x in a.iter().chain(b.iter()).take(N + 5) {
        t[0] += *x; // loads 0 to 48, stores 0 to 24
    }
    for x in a.iter().chain(b.iter()).skip(N + 5) {
        t[1] += *x; // loads 14, stores 7
    }
    for s in a.iter().scan(0.0, |s, x| {
        *s += *x; // loads 12
        Some(*s)
    }) {
        t[2] = s; // stores 12
    }
    for i in (0..N).chain(20..20 + N).take_while(|i| *i < 25) {
        t[3] = c[i % N]; // loads 0 to 24, stores 0 to 24
    }
    for (i, x) in (0..N).flat_map(|_| a.iter()).take_while(|x| **x < 2.0).enumerate() { // loads 1 to 144
        t[i % 4] = *x; // loads 0 to 144, stores 0 to 144
    }
    for x in a.iter().map_while(|x| x.checked()) {
        t[3] = x; // stores 0 to 12
    }
}

trait Checked {
    fn checked(&self) -> Option<f64>;
}

impl Checked for f64 {
    fn checked(&self) -> Option<f64> {
        if *self < 0.0 { None } else { Some(*self) } // loads 1 to 24
    }
}
