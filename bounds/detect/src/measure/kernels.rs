//! The loops that are timed, and the memory that they run over.
//!
//! On x86-64 they are written in assembly, so that what runs is what is counted, whatever the compiler does. Elsewhere
//! plain Rust chases pointers and adds up memory, and the rates of a core are not measured.

#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
pub(super) use x86::{
    adds, arithmetic, chase, loads_and_stores, nops, read, read_three, stores, width, write_third,
};

#[cfg(not(target_arch = "x86_64"))]
mod portable;
#[cfg(not(target_arch = "x86_64"))]
pub(super) use portable::{
    adds, arithmetic, chase, loads_and_stores, nops, read, read_three, stores, width, write_third,
};

/// 64 bytes: a line of a cache, or a part of one.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Line {
    /// In a ring, the place of the next line.
    next: usize,
    rest: [usize; 7],
}

impl Line {
    /// A line of no ring. Not zero: pages of zeros may all be one page.
    pub(super) const PLAIN: Self = Self {
        next: 1,
        rest: [1; 7],
    };
}

/// Bytes of a [`Line`].
pub(super) const LINE: usize = size_of::<Line>();

/// Streams go over memory in steps of this many lines: 768 bytes.
pub(super) const STEP: usize = 12;

/// Lines that lead to each other in one cycle.
#[derive(Debug)]
pub(super) struct Ring {
    lines: Vec<Line>,
    /// The line at which following it continues.
    at: usize,
}

impl Ring {
    /// A cycle through the lines of these numbers in this order. Each number occurs once, and there is at least one.
    pub(super) fn new(n_lines: usize, order: &[usize]) -> Self {
        let mut lines = vec![Line::PLAIN; n_lines];
        for (idx, at) in order.iter().enumerate() {
            lines[*at].next = order[(idx + 1) % order.len()];
        }
        let mut ring = Self {
            lines,
            at: order[0],
        };
        ring.link_addresses(order);
        ring
    }

    /// The number of the line at which following it continues.
    #[cfg(test)]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Turns numbers of lines into their addresses, where loops follow addresses.
    #[cfg(target_arch = "x86_64")]
    fn link_addresses(&mut self, order: &[usize]) {
        let start = self.lines.as_ptr().addr();
        for at in order {
            let line = &mut self.lines[*at];
            line.next = start + line.next * LINE;
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn link_addresses(&mut self, _: &[usize]) {}
}

/// What is computed, with the longest vectors, twelve instructions in each turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    Add,
    Fused,
    /// Six sums, six fused pairs.
    AddAndFused,
    /// Six sums, six products.
    AddAndMultiply,
    Divide,
    SquareRoot,
}
