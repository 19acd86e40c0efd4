//! The loops in plain Rust.

use super::{Arithmetic, Line, Ring};
use std::hint::black_box;

/// Follows a ring for `steps` steps, from where it was left.
pub(in super::super) fn chase(ring: &mut Ring, steps: usize) {
    let mut at = ring.at;
    for _ in 0..steps {
        at = ring.lines[at].next;
    }
    ring.at = black_box(at);
}

/// Reads all of it.
pub(in super::super) fn read(lines: &[Line]) {
    let mut sums = [0_usize; 8];
    for line in lines {
        sums[0] = sums[0].wrapping_add(line.next);
        for (sum, part) in sums[1..].iter_mut().zip(line.rest) {
            *sum = sum.wrapping_add(part);
        }
    }
    black_box(sums);
}

/// Reads three streams; returns the number of lines of each.
pub(in super::super) fn read_three(lines: &[Line]) -> usize {
    let each = lines.len() / 3;
    let (one, others) = lines[..3 * each].split_at(each);
    let (other, third) = others.split_at(each);
    let mut sum = 0_usize;
    for ((one, other), third) in one.iter().zip(other).zip(third) {
        sum = sum.wrapping_add(one.next ^ other.next ^ third.next);
    }
    black_box(sum);
    each
}

/// Reads two streams and writes a third; returns the number of lines of each.
pub(in super::super) fn write_third(lines: &mut [Line]) -> usize {
    let each = lines.len() / 3;
    let (read, written) = lines[..3 * each].split_at_mut(2 * each);
    let (one, other) = read.split_at(each);
    for ((one, other), written) in one.iter().zip(other).zip(written) {
        written.next = one.next;
        written.rest = other.rest;
    }
    each
}

/// What follows cannot be measured without assembly.
pub(in super::super) fn width() -> Option<usize> {
    None
}

pub(in super::super) fn adds(_: usize) -> bool {
    false
}

pub(in super::super) fn nops(_: usize) -> bool {
    false
}

pub(in super::super) fn stores(_: &mut [Line]) -> bool {
    false
}

pub(in super::super) fn loads_and_stores(_: &mut [Line]) -> bool {
    false
}

pub(in super::super) fn arithmetic(_: Arithmetic, _: usize) -> bool {
    false
}
