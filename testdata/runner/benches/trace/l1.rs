//! A cache of 32 KiB with 8 ways, 64 sets and lines of 64 bytes, by hand: nothing else is possible,
//! so sets are masked out, tags are small and a set is half a line of the host.

use crate::kernels::Accesses;

const SETS: usize = 64;
const WAYS: usize = 8;

/// The cache: the lines of every set, newest first.
pub(crate) struct L1 {
    sets: [[u32; WAYS]; SETS],
    misses: u64,
}

impl L1 {
    /// An empty one: no line has the number 0, as arrays start far above.
    pub(crate) fn new() -> Self {
        Self {
            sets: [[0; WAYS]; SETS],
            misses: 0,
        }
    }

    /// How many accesses missed.
    pub(crate) fn misses(&self) -> u64 {
        self.misses
    }
}

impl Accesses for L1 {
    #[inline(always)]
    fn access(&mut self, address: u64) {
        #[expect(clippy::cast_possible_truncation, reason = "arrays end far below")]
        let line = (address / 64) as u32;
        let set = &mut self.sets[line as usize % SETS];
        if set[0] != line {
            self.misses += u64::from(!move_to_front(set, line));
        }
    }
}

/// Puts a line in front, and the lines before its old place one further back; without one, the last
/// line falls out. Returns whether it was there.
#[inline(always)]
fn move_to_front(set: &mut [u32; WAYS], line: u32) -> bool {
    let mut moved = std::mem::replace(&mut set[0], line);
    for way in &mut set[1..] {
        std::mem::swap(way, &mut moved);
        if moved == line {
            return true;
        }
    }
    false
}
