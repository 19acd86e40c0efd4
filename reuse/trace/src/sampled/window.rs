//! Where an arithmetic progression falls into a window that recurs.

/// Windows of `length` bytes at `start`, `start + period`, and so on, in both directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub(super) start: i64,
    pub(super) length: i64,
    pub(super) period: i64,
}

impl Windows {
    /// The greatest number `t` of `0..=last` for which `first + t·stride` is in a window.
    ///
    /// With windows of 64 at 0, 4096, …, `8·t` is in one for `t` = 0 to 7 and 512 to 519: from 600 on back, that is 519.
    pub(super) fn last_in(self, first: i64, stride: i64, last: i64) -> Option<i64> {
        let place = i128::from(first) + i128::from(stride) * i128::from(last);
        let place = place - i128::from(self.start);
        let place = place.rem_euclid(i128::from(self.period));
        let place = i64::try_from(place).ok()?;
        if place < self.length {
            return Some(last);
        }
        let back = stride.checked_neg()?.rem_euclid(self.period);
        let least = self.period - place;
        let steps = first_between(
            back.unsigned_abs(),
            self.period.unsigned_abs(),
            least.unsigned_abs(),
            (least + self.length - 1).unsigned_abs(),
        )?;
        let t = i128::from(last) - i128::from(steps);
        i64::try_from(t).ok().filter(|t| 0 <= *t)
    }

    /// Whether a number from `least` to `most` is in a window.
    pub(super) fn meets(self, least: i64, most: i64) -> bool {
        let place = (i128::from(least) - i128::from(self.start)).rem_euclid(self.period.into());
        let end = place + i128::from(most) - i128::from(least);
        place < self.length.into() || i128::from(self.period) <= end
    }
}

/// The least `n` for which `a·n mod m` is at least `least` and at most `most`, where `0 < least <= most < m` and `a < m`.
///
/// A multiple of `a` below `m` is between them, or none is, and `a·n` goes round `m` a number `k` of times before one is:
/// `m·k` is then between `-most` and `-least` modulo `a`, the same question with smaller numbers, as in Euclid's algorithm.
fn first_between(a: u64, m: u64, least: u64, most: u64) -> Option<u64> {
    if a == 0 {
        return None;
    }
    if m / 2 < a {
        return first_between(m - a, m, m - most, m - least);
    }
    let n = least.div_ceil(a);
    if u128::from(n) * u128::from(a) <= u128::from(most) {
        return Some(n);
    }
    // No multiple of `a` lies between them, so neither is one.
    let rounds = first_between(m % a, a, a - most % a, a - least % a)?;
    let sum = u128::from(least) + u128::from(m) * u128::from(rounds);
    u64::try_from(sum.div_ceil(u128::from(a))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_place_in_a_window_is_that_of_trying_all(
            period in 1..90_i64,
            length in 1..90_i64,
            start in -200..200_i64,
            first in -200..200_i64,
            stride in -300..300_i64,
            last in 0..120_i64,
        ) {
            let windows = Windows { start, length, period };
            let is_in = |t: &i64| (first + t * stride - start).rem_euclid(period) < length;
            prop_assert_eq!(windows.last_in(first, stride, last), (0..=last).rev().find(is_in));
            let meets = (first..=first + last).any(|x| (x - start).rem_euclid(period) < length);
            prop_assert_eq!(windows.meets(first, first + last), meets);
        }
    }
}
