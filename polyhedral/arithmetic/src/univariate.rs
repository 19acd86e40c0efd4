//! Integer polynomials in one variable: values, where they are at least zero, and sums over intervals.
//!
//! A polynomial is the slice of its coefficients, the constant first; trailing zeros are allowed. The work of every
//! function grows with the degree and at most the logarithm of the interval, never with its length.

use crate::{Overflow, add, div_floor, multiply};

/// The coefficients of `p[0] + p[1]·v + p[2]·v² + …`, the constant first.
pub type Univariate = Vec<i128>;

/// The value at `v`, by Horner's rule.
///
/// # Errors
/// A number on the way does not fit.
pub fn at(p: &[i128], v: i128) -> Result<i128, Overflow> {
    let step = |value: i128, c: &i128| value.checked_mul(v)?.checked_add(*c);
    p.iter().rev().try_fold(0, step).ok_or(Overflow)
}

/// The maximal intervals of integers in `lo ..= hi` on which `0 <= p(v)`, in order.
///
/// Between two sign changes of the difference `p(v + 1) - p(v)`, which has one degree less, `p` is monotone, and its
/// sign change there is found by bisection; so the work grows with the degree and the logarithm of the range.
///
/// # Errors
/// A value does not fit.
///
/// # Examples
///
/// ```
/// # use premiss_arithmetic::univariate::not_negative;
/// // v² - 4 is at least zero up to -2 and from 2 on.
/// assert_eq!(not_negative(&[-4, 0, 1], -5, 5), Ok(vec![(-5, -2), (2, 5)]));
/// ```
pub fn not_negative(p: &[i128], lo: i128, hi: i128) -> Result<Vec<(i128, i128)>, Overflow> {
    if hi < lo {
        return Ok(Vec::new());
    }
    let degree = p.iter().rposition(|c| *c != 0).unwrap_or(0);
    match degree {
        0 => Ok(if p.first().is_none_or(|c| 0 <= *c) {
            vec![(lo, hi)]
        } else {
            Vec::new()
        }),
        1 => Ok(linear(p[0], p[1], lo, hi)),
        _ => monotone_runs(&p[..=degree], lo, hi),
    }
}

/// Where `0 <= c + b·v`.
fn linear(c: i128, b: i128, lo: i128, hi: i128) -> Vec<(i128, i128)> {
    let (from, to) = if 0 < b {
        (lo.max(-div_floor(c, b)), hi)
    } else {
        (lo, hi.min(div_floor(c, -b)))
    };
    if from <= to {
        vec![(from, to)]
    } else {
        Vec::new()
    }
}

fn monotone_runs(p: &[i128], lo: i128, hi: i128) -> Result<Vec<(i128, i128)>, Overflow> {
    let rising = not_negative(&difference(p)?, lo, hi - 1)?;
    let mut found: Vec<(i128, i128)> = Vec::new();
    let mut add = |from: i128, to: i128| {
        if to < from {
            return;
        }
        match found.last_mut() {
            Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
            _ => found.push((from, to)),
        }
    };
    // Points start ..= end are monotone: rising over steps from..=to covers points from..=to + 1.
    let mut start = lo;
    for (from, to) in rising {
        let (a, b) = falling_part(p, start, from)?;
        add(a, b);
        let (a, b) = rising_part(p, from, to + 1)?;
        add(a, b);
        start = to + 1;
    }
    let (a, b) = falling_part(p, start, hi)?;
    add(a, b);
    Ok(found)
}

/// Where `0 <= p` on points over which `p` never falls.
fn rising_part(p: &[i128], lo: i128, hi: i128) -> Result<(i128, i128), Overflow> {
    let (mut below, mut end) = (lo - 1, hi + 1);
    while below + 1 < end {
        let middle = below + (end - below) / 2;
        if at(p, middle)? < 0 {
            below = middle;
        } else {
            end = middle;
        }
    }
    Ok((end, hi))
}

/// Where `0 <= p` on points over which `p` falls.
fn falling_part(p: &[i128], lo: i128, hi: i128) -> Result<(i128, i128), Overflow> {
    let (mut begin, mut beyond) = (lo - 1, hi + 1);
    while begin + 1 < beyond {
        let middle = begin + (beyond - begin) / 2;
        if at(p, middle)? < 0 {
            beyond = middle;
        } else {
            begin = middle;
        }
    }
    Ok((lo, begin))
}

/// `p(v + 1) - p(v)`.
fn difference(p: &[i128]) -> Result<Univariate, Overflow> {
    let mut result = vec![0_i128; p.len() - 1];
    for (exponent, coefficient) in p.iter().enumerate().skip(1) {
        let mut binomial = 1_i128;
        for (power, slot) in result.iter_mut().enumerate().take(exponent) {
            let term = coefficient.checked_mul(binomial);
            *slot = term.and_then(|x| slot.checked_add(x)).ok_or(Overflow)?;
            let (n, k) = (exponent as i128, power as i128);
            binomial = binomial * (n - k) / (k + 1);
        }
    }
    Ok(result)
}

/// The sum of `p(v)` over `lo <= v <= hi`; zero where `hi < lo`. By Faulhaber's formulas.
///
/// # Errors
/// A number on the way does not fit.
pub fn sum(p: &[i128], lo: i128, hi: i128) -> Result<i128, Overflow> {
    if hi < lo {
        return Ok(0);
    }
    if p.len() <= 2 {
        return linear_sum(p, lo, hi);
    }
    let upper = power_sums(p.len(), hi)?;
    let lower = power_sums(p.len(), lo - 1)?;
    let mut total = 0_i128;
    for (coefficient, (above, below)) in p.iter().zip(upper.iter().zip(&lower)) {
        let term = above
            .checked_sub(*below)
            .and_then(|x| x.checked_mul(*coefficient));
        total = term.and_then(|x| total.checked_add(x)).ok_or(Overflow)?;
    }
    Ok(total)
}

/// The sum of `p[0] + p[1]·v`: the number of values times their mean.
fn linear_sum(p: &[i128], lo: i128, hi: i128) -> Result<i128, Overflow> {
    let count = hi - lo + 1;
    let constant = multiply(p.first().copied().unwrap_or(0), count)?;
    match p.get(1) {
        None | Some(0) => Ok(constant),
        Some(slope) => {
            let values = multiply(add(lo, hi)?, count)? / 2;
            add(constant, multiply(*slope, values)?)
        }
    }
}

/// `S_e(n) = 1^e + 2^e + … + n^e` for each `e < count`, extended to negative `n` as polynomials, by
/// `(n + 1)^(e + 1) - 1 = Σ_{q <= e} C(e + 1, q)·S_q(n)`.
fn power_sums(count: usize, n: i128) -> Result<Vec<i128>, Overflow> {
    let mut sums: Vec<i128> = Vec::with_capacity(count);
    let mut power = 1_i128;
    for e in 0..count {
        power = (n.checked_add(1))
            .and_then(|next| power.checked_mul(next))
            .ok_or(Overflow)?;
        let mut rest = power - 1;
        let mut binomial = 1_i128;
        for (q, known) in sums.iter().enumerate() {
            let term = binomial.checked_mul(*known);
            rest = term.and_then(|x| rest.checked_sub(x)).ok_or(Overflow)?;
            let (row, column) = (e as i128 + 1, q as i128);
            binomial = binomial * (row - column) / (column + 1);
        }
        sums.push(rest / (e as i128 + 1));
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomials() -> impl Iterator<Item = Univariate> {
        let mut seed = 12_345_u64;
        (0..4000).map(move |index| {
            let mut next = || {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695);
                i128::from((seed >> 40) % 41) - 20
            };
            (0..=index % 5).map(|_| next()).collect()
        })
    }

    #[test]
    fn intervals_are_where_the_polynomial_is_not_negative() {
        for p in polynomials() {
            for (lo, hi) in [(-9, 9), (0, 30), (3, 3), (5, 4)] {
                let intervals = not_negative(&p, lo, hi).expect("small numbers");
                let inside = |v: i128| intervals.iter().any(|(a, b)| (*a..=*b).contains(&v));
                for v in lo..=hi {
                    assert_eq!(inside(v), 0 <= at(&p, v).expect("small"), "{p:?} at {v}");
                }
                assert!(intervals.iter().all(|(a, b)| lo <= *a && *b <= hi));
            }
        }
    }

    #[test]
    fn sums_add_up() {
        for p in polynomials() {
            for (lo, hi) in [(-7, 8), (0, 20), (4, 4), (5, 3)] {
                let expected: i128 = (lo..=hi).map(|v| at(&p, v).expect("small")).sum();
                assert_eq!(sum(&p, lo, hi), Ok(expected), "{p:?} on {lo}..={hi}");
            }
        }
    }
}
