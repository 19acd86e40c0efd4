//! Chunks of a slice as arrays, arrays of a struct, and the chunks of what rayon iterates in parallel.
// -P n=10

pub struct Table {
    rows: [[u16; 4]; 7],
}

pub fn chunk_arrays(n: usize, a: &mut [f32; 43], table: &mut Table, b: &mut [f64]) {
    let (chunks, rest) = a.as_chunks_mut::<4>();
    for chunk in chunks.iter_mut() {
        chunk[3] = chunk[0]; // loads 10, stores 10
    }
    for x in rest.iter_mut() {
        *x = 0.0; // stores 3
    }
    for row in table.rows.iter_mut() {
        let last = row.last_mut().unwrap();
        *last += 1; // loads 7, stores 7
    }
    for row in table.rows.iter_mut() {
        row.fill(0); // stores 28
    }
    b[..n].par_chunks_mut(5).for_each(|row| row[0] = 1.0); // stores 2
}
