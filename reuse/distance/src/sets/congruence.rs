//! How many sums of arithmetic progressions are congruent to a number.
//!
//! The lines of a block of rows are `start + 125·r + c` with `0 <= r < 10` and `0 <= c < 4`. How many of them lie in set
//! 0 of 64 is the number of pairs `(r, c)` for which that is congruent to 0 modulo 64: with `g = gcd(stride, sets)`, a
//! progression of `length` terms meets each residue that it can meet `floor(length·g / sets)` times or once more.

use premiss_arithmetic::gcd;

/// `stride · t` for `0 <= t < length`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progression {
    pub(crate) stride: i64,
    pub(crate) length: i64,
}

/// How often `start` plus a term of a progression, or `start` alone without one, is a multiple of `modulus`.
pub(crate) fn congruent(modulus: i64, start: i64, progression: &[Progression]) -> u64 {
    let start = start.rem_euclid(modulus);
    let [Progression { stride, length }] = *progression else {
        return u64::from(start == 0);
    };
    let common = gcd(stride, modulus);
    if start % common != 0 {
        return 0;
    }
    let period = modulus / common;
    let inverse = i128::from(inverse(stride.rem_euclid(modulus) / common, period));
    let first = (-i128::from(start / common) * inverse).rem_euclid(i128::from(period));
    let last = i128::from(length) - 1;
    match first <= last {
        true => u64::try_from((last - first) / i128::from(period) + 1).unwrap_or(u64::MAX),
        false => 0,
    }
}

/// A progression of which only a range of lengths is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lengths {
    pub(crate) stride: i64,
    pub(crate) least: i64,
    pub(crate) most: i64,
}

impl From<Progression> for Lengths {
    fn from(Progression { stride, length }: Progression) -> Self {
        Self {
            stride,
            least: length,
            most: length,
        }
    }
}

/// The least and the most that [`congruent`] can be for any start and any lengths in these ranges; saturating.
pub(crate) fn congruent_bounds(modulus: i64, progressions: &[Lengths]) -> (u64, u64) {
    let mut factor = (1_u64, 1_u64);
    let mut open = Vec::with_capacity(progressions.len());
    for x in progressions {
        if x.most <= 0 {
            return (0, 0);
        }
        let stride = x.stride.rem_euclid(modulus);
        let (least, most) = (x.least.max(0), x.most);
        if stride == 0 {
            factor.0 = factor.0.saturating_mul(least.unsigned_abs());
            factor.1 = factor.1.saturating_mul(most.unsigned_abs());
        } else {
            open.push(Lengths {
                stride,
                least,
                most,
            });
        }
    }
    join(modulus, &mut open);
    let least = best(modulus, &open, Side::Least).saturating_mul(factor.0);
    let most = best(modulus, &open, Side::Most).saturating_mul(factor.1);
    (least, most)
}

/// Which of two bounds.
#[derive(Clone, Copy)]
enum Side {
    Least,
    Most,
}

impl Side {
    /// How often a progression meets each residue that it can meet, which come again after `period` steps.
    fn times(self, x: &Lengths, period: i64) -> u64 {
        let times = match self {
            Self::Least => x.least / period,
            Self::Most => (x.most - 1) / period + 1,
        };
        times.unsigned_abs()
    }
}

/// A bound by the best order of taking progressions: for each way to choose the others so that the sum is congruent modulo
/// `gcd(stride, modulus)`, one progression makes it congruent modulo `modulus` as often as [`Side::times`] says.
fn best(modulus: i64, open: &[Lengths], side: Side) -> u64 {
    if modulus == 1 {
        let all = open.iter().map(|x| side.times(x, 1));
        return all.fold(1, u64::saturating_mul);
    }
    let mut bound = match side {
        // Nothing need be congruent.
        Side::Least => 0,
        // The start alone may be.
        Side::Most if open.is_empty() => 1,
        Side::Most => u64::MAX,
    };
    for (idx, taken) in open.iter().enumerate() {
        let common = gcd(taken.stride, modulus);
        let mut others = open.to_vec();
        others.remove(idx);
        let own = side.times(taken, modulus / common);
        let whole = best(common, &others, side).saturating_mul(own);
        bound = match side {
            Side::Least => bound.max(whole),
            Side::Most => bound.min(whole),
        };
    }
    bound
}

/// Joins progressions of which one goes on where the other, of known length, ends: rows of 125 lines that are 125 lines
/// apart.
pub(crate) fn join(modulus: i64, open: &mut Vec<Lengths>) {
    let mut idx = 0;
    while idx < open.len() {
        let own = open[idx];
        let end = i128::from(own.stride) * i128::from(own.most);
        let end = end.rem_euclid(i128::from(modulus));
        let next = (0..open.len()).find(|other| {
            *other != idx
                && own.least == own.most
                && end == i128::from(open[*other].stride.rem_euclid(modulus))
        });
        let joined = next.and_then(|other| {
            let least = own.least.checked_mul(open[other].least)?;
            Some((other, least, own.most.checked_mul(open[other].most)?))
        });
        match joined {
            Some((other, least, most)) => {
                (open[idx].least, open[idx].most) = (least, most);
                open.remove(other);
                idx = 0;
            }
            None => idx += 1,
        }
    }
}

/// The inverse of a number modulo another, to which it is coprime, by Euclid's algorithm.
pub(crate) fn inverse(number: i64, modulus: i64) -> i64 {
    let (mut a, mut b) = (modulus, number.rem_euclid(modulus));
    let (mut x, mut y) = (0, 1);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (x, y) = (y, x - quotient * y);
    }
    x.rem_euclid(modulus)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    pub(crate) fn enumerated(modulus: i64, start: i64, progressions: &[Progression]) -> u64 {
        match progressions {
            [] => u64::from(start.rem_euclid(modulus) == 0),
            [first, rest @ ..] => (0..first.length)
                .map(|t| enumerated(modulus, start + t * first.stride, rest))
                .sum(),
        }
    }

    proptest! {
        #[test]
        fn counts_are_those_of_enumeration(
            modulus in 1..70_i64,
            start in -200..200_i64,
            all in vec((-140..140_i64, 0..14_i64), 0..2),
        ) {
            let all: Vec<_> = all
                .into_iter()
                .map(|(stride, length)| Progression { stride, length })
                .collect();
            let found = congruent(modulus, start, &all);
            prop_assert_eq!(found, enumerated(modulus, start, &all));
        }

        #[test]
        fn bounds_hold_for_all_starts_and_lengths(
            modulus in 1..20_i64,
            start in 0..20_i64,
            all in vec((-40..40_i64, 0..9_i64, 0..4_i64, 0..4_i64), 0..4),
        ) {
            let progressions: Vec<_> = all
                .iter()
                .map(|(stride, length, ..)| Progression { stride: *stride, length: *length })
                .collect();
            let lengths: Vec<_> = all
                .iter()
                .map(|(stride, length, less, more)| Lengths {
                    stride: *stride,
                    least: length - less,
                    most: length + more,
                })
                .collect();
            let exact = enumerated(modulus, start, &progressions);
            let (least, most) = congruent_bounds(modulus, &lengths);
            prop_assert!(least <= exact && exact <= most, "{least}..{most}, not {exact}");
        }

        #[test]
        fn inverses(modulus in 2..500_i64, number in 1..500_i64) {
            if gcd(number, modulus) == 1 {
                prop_assert_eq!(inverse(number, modulus) * number % modulus, 1);
            }
        }
    }
}
