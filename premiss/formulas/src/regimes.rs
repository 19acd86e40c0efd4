//! One formula for each range of a single size.
//!
//! Conditions in one size are polynomials in it, each true on a few ranges. Where one becomes true or false is found
//! exactly: between two neighbouring sign changes of `p(x + 1) - p(x)`, `p` is monotonic, so that bisection finds where
//! it passes 0; and that difference has a degree one less.

use crate::formula::FormulaCase;
use crate::univariate::{GREATEST, Univariate};
use premiss_presburger::{Affine, Column, Polynomial, Rational, Refusal, System};

/// The column of the only size.
const SIZE: Column = Column::new(1);

/// Up to this many sizes are evaluated one by one.
const MOST_ALONE: i128 = 2000;

/// A range of at most this many sizes joins its neighbour where their formulas agree on it.
const FEW: i128 = 16;

/// The least value of the only size of a context.
pub(crate) fn least(context: &System) -> i128 {
    let bounds = context.inequalities.iter();
    let lower = bounds.filter(|form| 0 < form.coefficient(SIZE));
    let least = lower.map(|form| -form.constant_term().div_euclid(form.coefficient(SIZE)));
    i128::from(least.max().unwrap_or(0).max(0))
}

/// One more than the greatest value of the only size of a context.
pub(crate) fn end(context: &System) -> i128 {
    let bounds = context.inequalities.iter();
    let upper = bounds.filter(|form| form.coefficient(SIZE) < 0);
    let most = upper.map(|form| form.constant_term().div_euclid(-form.coefficient(SIZE)));
    let end = most.min().map_or(GREATEST, |most| i128::from(most) + 1);
    end.min(GREATEST)
}

/// Turns cases that add up into disjoint ones, by rising size from the least value to the one before the end; `None` if
/// there is a floor.
pub(crate) fn regimes(
    cases: &[FormulaCase],
    least: i128,
    end: i128,
) -> Result<Option<Vec<FormulaCase>>, Refusal> {
    if cases.iter().any(|case| !case.domain.floors.is_empty()) {
        return Ok(None);
    }
    let mut starts = vec![least, end.max(least)];
    let mut parts = Vec::new();
    for case in cases {
        let mut conditions = Vec::new();
        for form in &case.domain.inequalities {
            conditions.push(Univariate::of_form(form)?);
        }
        for form in &case.domain.equalities {
            conditions.push(Univariate::of_form(form)?);
            conditions.push(Univariate::of_form(&form.times(-1)?)?);
        }
        for polynomial in &case.not_negative {
            conditions.push(Univariate::of(polynomial)?);
        }
        for condition in &conditions {
            starts.extend(
                condition
                    .changes()
                    .into_iter()
                    .filter(|x| least < *x && *x < end),
            );
        }
        parts.push((conditions, &case.value));
    }
    starts.sort_unstable();
    starts.dedup();
    let mut ranges: Vec<(i128, i128, Polynomial)> = Vec::new();
    for pair in starts.windows(2) {
        let mut value = Polynomial::zero();
        for (conditions, part) in &parts {
            if conditions
                .iter()
                .all(|condition| 0 <= condition.at(pair[0]))
            {
                value = value.plus(part)?;
            }
        }
        push(&mut ranges, (pair[0], pair[1], value))?;
    }
    let mut apart = Vec::new();
    for (from, to, mut value) in ranges {
        if to - from == 1 {
            value = Polynomial::constant(value.at(&[from])?);
        }
        if !value.is_zero() {
            let from = if from == least { 0 } else { from };
            let to = if to == end { GREATEST } else { to };
            apart.push(case((from, to, value)));
        }
    }
    Ok(Some(apart))
}

/// Polynomials in the only size, [`SIZE`], that bound another polynomial, which is linear in some axes, from below and
/// above, wherever the domain has a point.
pub(crate) fn extremes(
    value: &Polynomial,
    domain: &System,
    axes: &[Column],
) -> Result<(Polynomial, Polynomial), Refusal> {
    let (mut least, mut most) = (value.clone(), value.clone());
    for axis in axes {
        if 1 < value.degree_in(*axis) {
            return Err(Refusal::NotAffine);
        }
        let slope = value.substituted(*axis, &Polynomial::one())?;
        let slope = slope.minus(&value.substituted(*axis, &Polynomial::zero())?)?;
        if slope.support().iter().any(|column| *column != SIZE) {
            return Err(Refusal::NotAffine);
        }
        let is_rising = slope.terms().all(|(_, x)| 0 <= x.numerator());
        let is_falling = slope.terms().all(|(_, x)| x.numerator() <= 0);
        if !is_rising && !is_falling {
            return Err(Refusal::NotAffine);
        }
        let (low, high) = bounds(domain, *axis)?;
        let (at_least, at_most) = match is_rising {
            true => (&low, &high),
            false => (&high, &low),
        };
        least = least.substituted(*axis, at_least)?;
        most = most.substituted(*axis, at_most)?;
    }
    let is_plain = |x: &Polynomial| x.support().iter().all(|column| *column == SIZE);
    match is_plain(&least) && is_plain(&most) {
        true => Ok((least, most)),
        false => Err(Refusal::NotAffine),
    }
}

/// A lower and an upper bound of an axis that depend only on the size.
fn bounds(domain: &System, axis: Column) -> Result<(Polynomial, Polynomial), Refusal> {
    let (mut low, mut high) = (None, None);
    let both = domain.equalities.iter().map(|form| (form, true));
    let one = domain.inequalities.iter().map(|form| (form, false));
    for (form, is_equality) in both.chain(one) {
        let slope = form.coefficient(axis);
        if slope == 0
            || form
                .support()
                .any(|column| column != SIZE && column != axis)
        {
            continue;
        }
        let rest = Polynomial::from_affine(form)?.substituted(axis, &Polynomial::zero())?;
        let bound = rest.scaled(Rational::new(-1, slope.into())?)?;
        if 0 < slope || is_equality {
            low.get_or_insert(bound.clone());
        }
        if slope < 0 || is_equality {
            high.get_or_insert(bound);
        }
    }
    low.zip(high).ok_or(Refusal::NotAffine)
}

/// The sizes at which the first polynomial is negative and the second is not.
pub(crate) fn between(least: &Polynomial, most: &Polynomial) -> Result<Vec<i128>, Refusal> {
    let (least, most) = (Univariate::of(least)?, Univariate::of(most)?);
    let mut starts = vec![0, GREATEST];
    starts.extend(least.changes());
    starts.extend(most.changes());
    starts.sort_unstable();
    starts.dedup();
    let mut found = Vec::new();
    for pair in starts.windows(2) {
        if least.at(pair[0]) < 0 && 0 <= most.at(pair[0]) {
            if MOST_ALONE < pair[1] - pair[0] {
                return Err(Refusal::NotAffine);
            }
            found.extend(pair[0]..pair[1]);
        }
    }
    Ok(found)
}

/// Adds a range, joined to the previous one where one formula holds for both.
fn push(
    ranges: &mut Vec<(i128, i128, Polynomial)>,
    next: (i128, i128, Polynomial),
) -> Result<(), Refusal> {
    if let Some(last) = ranges.last_mut() {
        if last.2 == next.2 || agree(&next, &last.2)? {
            last.1 = next.1;
            return Ok(());
        }
        if agree(last, &next.2)? {
            let joined = (last.0, next.1, next.2);
            ranges.pop();
            return push(ranges, joined);
        }
    }
    ranges.push(next);
    Ok(())
}

/// Whether another formula has the same values on a short range.
fn agree(range: &(i128, i128, Polynomial), other: &Polynomial) -> Result<bool, Refusal> {
    let (from, to, value) = range;
    if FEW < to - from {
        return Ok(false);
    }
    for x in *from..*to {
        if value.at(&[x])? != other.at(&[x])? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn case((from, to, value): (i128, i128, Polynomial)) -> FormulaCase {
    let mut domain = System::universe(1);
    let bound = |x: i128| i64::try_from(x).unwrap_or(i64::MAX);
    if 0 < from {
        domain.inequalities.push(Affine::new(vec![-bound(from), 1]));
    }
    if to < GREATEST {
        domain
            .inequalities
            .push(Affine::new(vec![bound(to - 1), -1]));
    }
    FormulaCase {
        domain,
        not_negative: Vec::new(),
        value,
    }
}
