//! Where the blocks of an allocator lie: those of `malloc` of glibc, on machines with pointers of 8 bytes.
//!
//! A block has a header of 8 bytes before it and lies at a multiple of 16 bytes, so one of `s` bytes takes the multiple of
//! 16 that holds `s + 8`, and no less than 32. Blocks that take 128 KiB or more have pages of their own, with a header of
//! 16 bytes. A program that has freed nothing gets one block right behind the other.
//!
//! ```text
//! malloc(4000)       4016 bytes to the next block
//! malloc(200000)     200704 bytes: 49 pages
//! ```

use crate::domain::integers::{choose, plus, times};
use premiss_tree::{BinaryOperator as Op, Expression};

/// What blocks are aligned to.
const ALIGNMENT: i64 = 16;

/// The header of a block.
const HEADER: i64 = 8;

/// The bytes between the start of the area of a block and its own first byte.
pub(crate) const ROW_HEADER: i64 = 16;

/// The least number of bytes that a block takes.
const LEAST: i64 = 32;

/// The number of bytes from which a block has pages of its own.
const THRESHOLD: i64 = 128 * 1024;

/// The bytes of a page.
const PAGE: i64 = 4096;

/// The bytes from one block of `size` bytes to the next.
pub(crate) fn block_distance(size: Expression) -> Expression {
    let block = round_up(plus(size, HEADER.into()), ALIGNMENT);
    let pages = round_up(plus(block.clone(), HEADER.into()), PAGE);
    let is_small = Expression::binary(Op::Less, block.clone(), THRESHOLD.into());
    let small = Expression::binary(Op::Maximum, block, LEAST.into());
    choose(is_small, small, pages)
}

/// The least multiple of a number that is not less than a size, which is not negative.
fn round_up(size: Expression, unit: i64) -> Expression {
    let units = Expression::binary(Op::Quotient, plus(size, (unit - 1).into()), unit.into());
    times(unit.into(), units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_as_far_apart_as_those_of_glibc() {
        for (size, distance) in [
            (0, 32),
            (8, 32),
            (24, 32),
            (25, 48),
            (4000, 4016),
            (4104, 4112),
            (131_048, 131_056),
            (131_056, 131_056 + 4112),
            (200_000, 200_704),
        ] {
            assert_eq!(block_distance(size.into()), distance.into(), "{size}");
        }
    }
}
