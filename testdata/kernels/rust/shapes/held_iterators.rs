//! Iterators that variables hold: their items are taken one at a time, some by one loop and the rest by another.
// -P N=12

pub fn held_iterators<const N: usize>(a: &[f64; N], b: &mut [f64; N], t: &mut [f64]) {
    let mut chunks = a.chunks_exact(5);
    for chunk in chunks.by_ref() {
        t[0] += chunk[4]; // loads 4, stores 2
    }
    for x in chunks.remainder() {
        t[0] += *x; // loads 4, stores 2
    }
    let mut items = a.iter();
    if let Some(x) = items.next() {
        t[1] = *x; // loads 1, stores 1
    }
    while let Some(x) = items.next() {
        t[1] += *x; // loads 22, stores 11
    }
    let mut halves = b.iter_mut();
    for x in halves.by_ref().take(N / 2) {
        *x = 1.0; // stores 6
    }
    for x in halves {
        *x = 2.0; // stores 6
    }
    let mut near = a.iter().peekable();
    loop {
        let Some(x) = near.next() else { break };
        t[2] += *x; // loads 24, stores 12
        if let Some(y) = near.peek() {
            t[2] -= **y; // loads 22, stores 11
        }
    }
}
