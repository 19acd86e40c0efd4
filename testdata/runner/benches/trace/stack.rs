//! Reuse distances by a tree over time: a hash map says when a line was last accessed, a Fenwick tree
//! how many of those times lie behind. Leaves are words of 64 times, counted by instruction, and old
//! times are closed up when the tree is full, so that it stays small.

use crate::kernels::Accesses;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

const WORD: usize = 64;

/// Counts how often each distance occurs.
pub(crate) struct StackDistances {
    last: HashMap<u64, usize, BuildHasherDefault<LineHasher>>,
    /// Which times are the last ones of some line.
    words: Vec<u64>,
    /// Fenwick tree over the words' numbers of such times.
    tree: Vec<u32>,
    now: usize,
    previous: u64,
    counts: Vec<u64>,
    cold: u64,
}

impl StackDistances {
    /// Nothing accessed yet.
    pub(crate) fn new() -> Self {
        let mut empty = Self {
            last: HashMap::default(),
            words: Vec::new(),
            tree: Vec::new(),
            now: 0,
            previous: u64::MAX,
            counts: vec![0],
            cold: 0,
        };
        empty.close_up();
        empty
    }

    /// How often each distance occurred, and how many accesses had none.
    pub(crate) fn counts(&self) -> (&[u64], u64) {
        (&self.counts, self.cold)
    }

    fn move_to_now(&mut self, line: u64) {
        if self.now == self.words.len() * WORD {
            self.close_up();
        }
        if let Some(before) = self.last.insert(line, self.now) {
            let distance = self.last.len() - self.times_up_to(before);
            if self.counts.len() <= distance {
                self.counts.resize(distance + 1, 0);
            }
            self.counts[distance] += 1;
            self.words[before / WORD] &= !(1 << (before % WORD));
            self.add(before / WORD, u32::MAX);
        } else {
            self.cold += 1;
        }
        self.words[self.now / WORD] |= 1 << (self.now % WORD);
        self.add(self.now / WORD, 1);
        self.now += 1;
    }

    fn times_up_to(&self, time: usize) -> usize {
        let mut node = time / WORD;
        let within = self.words[node] & (u64::MAX >> (WORD - 1 - time % WORD));
        let mut sum = within.count_ones();
        while node > 0 {
            sum = sum.wrapping_add(self.tree[node]);
            node &= node - 1;
        }
        sum as usize
    }

    fn add(&mut self, word: usize, change: u32) {
        let mut node = word + 1;
        while node < self.tree.len() {
            self.tree[node] = self.tree[node].wrapping_add(change);
            node += node & node.wrapping_neg();
        }
    }

    /// Renumbers times without gaps and leaves room for as many again, and more.
    fn close_up(&mut self) {
        let mut in_order: Vec<(usize, u64)> = self.last.iter().map(|(x, y)| (*y, *x)).collect();
        in_order.sort_unstable();
        self.now = in_order.len();
        let words = (4 * self.now + 4096).div_ceil(WORD);
        self.words = vec![0; words];
        self.tree = vec![0; words + 1];
        for (time, (_, line)) in in_order.into_iter().enumerate() {
            self.last.insert(line, time);
            self.words[time / WORD] |= 1 << (time % WORD);
            self.add(time / WORD, 1);
        }
    }
}

impl Accesses for StackDistances {
    #[inline(always)]
    fn access(&mut self, address: u64) {
        let line = address / 64;
        if line == self.previous {
            self.counts[0] += 1;
        } else {
            self.previous = line;
            self.move_to_now(line);
        }
    }
}

/// Spreads line numbers by one multiplication.
#[derive(Default)]
struct LineHasher(u64);

impl Hasher for LineHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
