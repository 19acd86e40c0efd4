//! Runs: accesses that repeat, each moving by a fixed stride.

use premiss_tree::{AccessKind, ArrayId, ReferenceId};

/// Addresses are less than this from 0, so that arithmetic on lines and their neighbours does not overflow.
const ADDRESSES: i64 = 1 << 62;

/// `iterations` repetitions of a list of accesses, in order; in repetition `t`, each touches the
/// bytes from `address + stride * t`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessRun<'a> {
    pub(crate) iterations: u64,
    pub(crate) accesses: &'a [RunAccess],
    /// The arms of branches on data that begin in it, by number from 1 on.
    pub(crate) arms: &'a [RunArm],
}

/// One access of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RunAccess {
    pub(crate) reference: ReferenceId,
    pub(crate) array: ArrayId,
    pub(crate) kind: AccessKind,
    pub(crate) size: u32,
    /// `None` where only running the program determines it.
    pub(crate) address: Option<i64>,
    pub(crate) stride: i64,
    pub(crate) certain: bool,
    /// The arm of a branch on data in which it stands.
    pub(crate) arm: RunArm,
}

/// An arm of a branch on data, as one run numbers them: accesses of the same arm happen all or not at all in an iteration.
/// In `if (?) { A } else if (?) { B } else { C }`, `A` stands in arm 1, `B` in arm 3 and `C` in arm 4, both within arm 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct RunArm {
    /// Its number; 0 outside of all arms that begin in the run.
    pub(crate) number: u32,
    /// The number of the arm around it; 0 if none begins in the run.
    pub(crate) enclosing: u32,
    /// For the second arm of a branch, the number of the first: one of the two is executed. Otherwise 0.
    pub(crate) first: u32,
}

impl RunAccess {
    /// Its address in a repetition that the run has.
    pub(crate) fn address_at(&self, iteration: u64) -> Option<i64> {
        self.address
            .map(|address| address + self.stride * iteration.cast_signed())
    }

    /// The least and the greatest address that a run of `iterations` repetitions touches; `None` where they are unknown
    /// or do not fit.
    pub(crate) fn ends(&self, iterations: u64) -> Option<(i64, i64)> {
        let first = self.address?;
        let last = i64::try_from(iterations - 1)
            .ok()
            .and_then(|iterations| self.stride.checked_mul(iterations))
            .and_then(|distance| first.checked_add(distance))
            .filter(|last| (-ADDRESSES..ADDRESSES).contains(last))
            .filter(|_| (-ADDRESSES..ADDRESSES).contains(&first))?;
        let size = i64::from(self.size.max(1));
        Some((first.min(last), first.max(last) + size - 1))
    }
}

/// A line of a cache, as a number: address divided by line size, rounded down.
pub(crate) type LineNumber = i64;

/// About how many lines a sink looks at before budgets are checked again.
const LINES_AT_ONCE: u64 = 1 << 14;

impl AccessRun<'_> {
    /// For how many iterations from one on, which the run has, all accesses stay in their lines.
    pub(crate) fn stretch(&self, t: u64, line_size: i64) -> u64 {
        let stays = self.accesses.iter().filter_map(|access| {
            let first = access.address_at(t)?;
            let last = first + i64::from(access.size.max(1)) - 1;
            let ends = [first, last].map(|end| stay(end, access.stride, line_size));
            Some(ends[0].min(ends[1]))
        });
        stays.fold(self.iterations - t, u64::min)
    }

    /// In how many iterations the accesses enter about [`LINES_AT_ONCE`] lines.
    pub(crate) fn iterations_at_once(&self, line_size: i64) -> u64 {
        let line_size = line_size.unsigned_abs().max(1);
        let bytes = self.accesses.iter().map(|access| match access.address {
            Some(_) => access.stride.unsigned_abs().min(line_size),
            None => line_size,
        });
        let bytes: u64 = bytes.fold(0, u64::saturating_add);
        let all = LINES_AT_ONCE.saturating_mul(line_size);
        all.checked_div(bytes).unwrap_or(u64::MAX)
    }
}

/// The lines of the first and of the last byte of an access.
pub(crate) fn lines(address: i64, size: u32, line_size: i64) -> (LineNumber, LineNumber) {
    let last = address + i64::from(size.max(1)) - 1;
    (line_of(address, line_size), line_of(last, line_size))
}

/// The line of a byte. Nearly all line sizes are powers of two, and division is slow.
pub(crate) fn line_of(address: i64, line_size: i64) -> LineNumber {
    if line_size & (line_size - 1) == 0 {
        address >> line_size.trailing_zeros()
    } else {
        address.div_euclid(line_size)
    }
}

/// For how many repetitions, from this one on, a byte that moves by `stride` stays in its line.
pub(crate) fn stay(address: i64, stride: i64, line_size: i64) -> u64 {
    if stride == 0 {
        return u64::MAX;
    }
    let within = address - line_of(address, line_size) * line_size;
    let (room, pace) = if stride > 0 {
        (line_size - 1 - within, stride)
    } else {
        (within, -stride)
    };
    if room < pace {
        return 1;
    }
    (room / pace + 1).cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_enters_many_lines_is_handed_over_in_parts() {
        let access = |stride| RunAccess {
            reference: ReferenceId::from_u32(0),
            array: ArrayId::from_u32(0),
            kind: AccessKind::Load,
            size: 8,
            address: Some(0),
            stride,
            certain: true,
            arm: RunArm::default(),
        };
        let at_once = |strides: &[i64]| {
            let accesses: Vec<_> = strides.iter().map(|stride| access(*stride)).collect();
            let run = AccessRun {
                iterations: u64::MAX,
                accesses: &accesses,
                arms: &[],
            };
            run.iterations_at_once(64)
        };
        assert_eq!(at_once(&[8, 0]), 8 * LINES_AT_ONCE);
        assert_eq!(at_once(&[-4096]), LINES_AT_ONCE);
        assert_eq!(at_once(&[64, 64]), LINES_AT_ONCE / 2);
        assert_eq!(at_once(&[0, 0]), u64::MAX);
    }

    #[test]
    fn a_byte_stays_while_its_line_does() {
        for line_size in [1_i64, 8, 24, 64] {
            for stride in [-200_i64, -64, -9, -8, -1, 1, 3, 8, 64, 65] {
                for address in -70..70_i64 {
                    let line = |t: i64| (address + stride * t).div_euclid(line_size);
                    let expected = (1..).find(|t| line(*t) != line(0)).unwrap();
                    assert_eq!(stay(address, stride, line_size), expected.cast_unsigned());
                }
            }
        }
        assert_eq!(stay(5, 0, 64), u64::MAX);
    }
}
