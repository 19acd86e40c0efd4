//! Where members of structs lie: by size as far as it is a power of two, and enumerations with fields as large as their
//! largest variant, with a tag or without one.
// -P n=10

use std::num::NonZeroU32;

pub struct Block {
    used: u64,
    bytes: [u8; 64],
}

pub enum Shape {
    Disc(f32),
    Rectangle { width: f32, height: f32 },
}

pub enum Text {
    Short(u8),
    Long(Vec<u8>),
}

pub struct Entry {
    shape: Shape,
    text: Option<Text>,
    id: Option<NonZeroU32>,
    counts: [u32; 4],
}

pub fn struct_layouts(n: usize, blocks: &mut [Block], entries: &mut [Entry]) {
    for i in 0..n {
        blocks[i].used = 0; // stores 10
        blocks[i].bytes[63] = 1; // stores 10
    }
    for i in 0..n {
        entries[i].counts[3] += 1; // loads 10, stores 10
    }
}
