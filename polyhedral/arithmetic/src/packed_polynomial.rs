//! Polynomials in a few numbered axes, with whole coefficients.

use crate::interval::Interval;
use crate::terms::{collect_terms, multiply_terms};
use crate::univariate::Univariate;
use crate::{AXES, Exponents, Overflow, add, gcd, multiply, power};

/// A polynomial with rational coefficients in at most [`AXES`] axes: integer terms over a common denominator.
///
/// Methods that yield coefficients, values or bounds yield those of the numerator, that is, of the polynomial times
/// `denominator`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedPolynomial {
    /// The common denominator of all coefficients.
    pub denominator: i128,
    /// Rising in their exponents, without zeros.
    terms: Vec<(Exponents, i128)>,
}

/// How the values of a polynomial change along an axis of a box.
/// The denominator of all coefficients of [`POWER_SUMS`].
const POWER_SUM_DENOMINATOR: i128 = 60;

/// For each exponent `e`, the coefficients of the polynomial in `v` that is the sum of `t^e` for `t` from 1 up to `v`.
const POWER_SUMS: [[i128; 7]; 6] = [
    [0, 60, 0, 0, 0, 0, 0],
    [0, 30, 30, 0, 0, 0, 0],
    [0, 10, 30, 20, 0, 0, 0],
    [0, 0, 15, 30, 15, 0, 0],
    [0, -2, 0, 20, 30, 12, 0],
    [0, 0, -5, 0, 25, 30, 10],
];

#[derive(Clone, Copy)]
enum Monotonicity {
    Increasing,
    Decreasing,
    /// Perhaps neither.
    Unknown,
}

impl Monotonicity {
    /// The part of a range where the least values are.
    fn least(self, (lo, hi): Interval) -> Interval {
        match self {
            Self::Increasing => (lo, lo),
            Self::Decreasing => (hi, hi),
            Self::Unknown => (lo, hi),
        }
    }

    /// The part of a range where the greatest values are.
    fn greatest(self, (lo, hi): Interval) -> Interval {
        match self {
            Self::Increasing => (hi, hi),
            Self::Decreasing => (lo, lo),
            Self::Unknown => (lo, hi),
        }
    }
}

impl PackedPolynomial {
    /// A polynomial of terms `(exponents, numerator)`, of which several may have equal exponents.
    ///
    /// # Errors
    /// A sum does not fit.
    pub fn new(denominator: i128, terms: Vec<(Exponents, i128)>) -> Result<Self, Overflow> {
        let terms = collect_terms(terms)?;
        Ok(Self { denominator, terms })
    }

    /// A polynomial of terms whose exponents strictly rise; coefficients may be zero.
    ///
    /// # Errors
    /// The first error among the terms.
    pub fn from_sorted<E>(
        denominator: i128,
        terms: impl Iterator<Item = Result<(Exponents, i128), E>>,
    ) -> Result<Self, E> {
        let is_zero = |term: &Result<(Exponents, i128), E>| matches!(term, Ok((_, 0)));
        let terms = terms
            .filter(|term| !is_zero(term))
            .collect::<Result<_, _>>()?;
        Ok(Self { denominator, terms })
    }

    /// Zero.
    pub fn zero() -> Self {
        Self {
            denominator: 1,
            terms: Vec::new(),
        }
    }

    /// The exponents of its terms, with the numerators of their coefficients.
    pub fn terms(&self) -> &[(Exponents, i128)] {
        &self.terms
    }

    /// Whether it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The degree: the highest sum of exponents in a term; 0 for zero.
    pub fn degree(&self) -> u32 {
        let degrees = self.terms.iter().map(|term| term.0.total());
        degrees.max().unwrap_or(0)
    }

    /// Whether an axis occurs in it.
    pub fn depends_on(&self, axis: usize) -> bool {
        let mut terms = self.terms.iter();
        terms.any(|(exponents, _)| exponents.exponent(axis) != 0)
    }

    /// The numerator of the coefficient of `a·b`, a square where both are the same axis.
    ///
    /// # Errors
    /// An axis is not below [`AXES`].
    pub fn quadratic(&self, a: usize, b: usize) -> Result<i128, Overflow> {
        let product = Exponents::default().times(a, 1)?.times(b, 1)?;
        let found = self.terms.binary_search_by_key(&product, |term| term.0);
        Ok(found.map_or(0, |index| self.terms[index].1))
    }

    /// The numerators of the constant and of the coefficients of the first `axes` axes; `None` where the degree is
    /// above one or an axis beyond these occurs.
    pub fn affine(&self, axes: usize) -> Option<(i128, Vec<i128>)> {
        let mut result = (0, vec![0; axes]);
        for (exponents, coefficient) in &self.terms {
            match exponents.total() {
                0 => result.0 = *coefficient,
                1 => {
                    let axis = (0..axes).find(|axis| exponents.exponent(*axis) == 1)?;
                    result.1[axis] = *coefficient;
                }
                _ => return None,
            }
        }
        Some(result)
    }

    /// Substitutes a value for an axis and removes the axis; the axes after it take the next lower number.
    ///
    /// # Errors
    /// A coefficient does not fit.
    pub fn fix(&mut self, axis: usize, value: i128) -> Result<(), Overflow> {
        let mut changed = false;
        for (exponents, coefficient) in &mut self.terms {
            let exponent = exponents.exponent(axis);
            if exponent != 0 {
                *coefficient = multiply(*coefficient, power(value, exponent)?)?;
                changed = true;
            }
            *exponents = exponents.without(axis);
        }
        if changed {
            *self = Self::new(self.denominator, std::mem::take(&mut self.terms))?;
        }
        Ok(())
    }

    /// The polynomial with `constant + Σ coefficients[a]·a` in place of `axis`, which may itself occur in the sum.
    ///
    /// # Errors
    /// A coefficient or an exponent does not fit, or an axis in the sum is not below [`AXES`].
    pub fn substituted(
        &self,
        axis: usize,
        constant: i128,
        coefficients: &[i64],
    ) -> Result<Self, Overflow> {
        let mut form = vec![(Exponents::default(), constant)];
        for (other, coefficient) in coefficients.iter().enumerate() {
            if *coefficient != 0 {
                let exponents = Exponents::default().times(other, 1)?;
                form.push((exponents, i128::from(*coefficient)));
            }
        }
        let mut terms = Vec::new();
        for (exponents, coefficient) in &self.terms {
            let count = exponents.exponent(axis);
            let rest = exponents.divided(axis, count);
            let mut product = vec![(rest, *coefficient)];
            for _ in 0..count {
                product = multiply_terms(&product, &form)?;
            }
            terms.extend(product);
        }
        Self::new(self.denominator, terms)
    }

    /// What a polynomial adds up to along an axis: the difference of the result at `v` and at `u` is the sum of all values from
    /// `u + 1` up to `v`. Of `x` that is `(x² + x) / 2`.
    ///
    /// # Errors
    /// A coefficient does not fit, or an exponent of the axis is above 5.
    pub fn accumulated(&self, axis: usize) -> Result<Self, Overflow> {
        let mut terms = Vec::with_capacity(2 * self.terms.len());
        for (exponents, coefficient) in &self.terms {
            let own = exponents.exponent(axis);
            let sums = POWER_SUMS.get(own as usize).ok_or(Overflow)?;
            let rest = exponents.divided(axis, own);
            for (factor, power) in sums.iter().zip(0..).filter(|x| *x.0 != 0) {
                terms.push((rest.times(axis, power)?, multiply(*coefficient, *factor)?));
            }
        }
        let denominator = multiply(self.denominator, POWER_SUM_DENOMINATOR)?;
        let mut sum = Self::new(denominator, terms)?;
        let common = sum.terms.iter().fold(denominator, |x, term| gcd(term.1, x));
        sum.denominator /= common;
        sum.terms.iter_mut().for_each(|term| term.1 /= common);
        Ok(sum)
    }

    /// The numerator as a polynomial in `axis`, with `values[a]` for every other axis `a`; `values[axis]` is not read.
    ///
    /// # Errors
    /// A number on the way does not fit.
    pub fn univariate(&self, axis: usize, values: &[i128]) -> Result<Univariate, Overflow> {
        let mut line = Univariate::new();
        for (exponents, coefficient) in &self.terms {
            let mut term = *coefficient;
            for (other, value) in values.iter().enumerate() {
                if other != axis {
                    term = multiply(term, power(*value, exponents.exponent(other))?)?;
                }
            }
            let exponent = exponents.exponent(axis) as usize;
            if line.len() <= exponent {
                line.resize(exponent + 1, 0);
            }
            line[exponent] = add(line[exponent], term)?;
        }
        Ok(line)
    }

    /// An interval that holds all values of the numerator on a box, `ranges` having the interval of each axis.
    ///
    /// Where a partial derivative keeps its sign on the box, the bounds are taken at the ends of that axis.
    ///
    /// # Errors
    /// A number on the way does not fit.
    pub fn bounds(&self, ranges: &[Interval]) -> Result<Interval, Overflow> {
        if self.degree() < 2 {
            return self.interval(|axis| ranges[axis]);
        }
        let mut monotonicity = [Monotonicity::Unknown; AXES];
        for (axis, monotonicity) in monotonicity.iter_mut().enumerate().take(ranges.len()) {
            let slope = self.derivative_bounds(axis, ranges)?;
            if 0 <= slope.0 {
                *monotonicity = Monotonicity::Increasing;
            } else if slope.1 <= 0 {
                *monotonicity = Monotonicity::Decreasing;
            }
        }
        let least = self.interval(|axis| monotonicity[axis].least(ranges[axis]))?;
        let greatest = self.interval(|axis| monotonicity[axis].greatest(ranges[axis]))?;
        Ok((least.0, greatest.1))
    }

    /// An interval that holds the partial derivative of the numerator along `axis` on a box, `ranges` having the
    /// interval of each axis.
    ///
    /// # Errors
    /// A number on the way does not fit.
    pub fn derivative_bounds(
        &self,
        axis: usize,
        ranges: &[Interval],
    ) -> Result<Interval, Overflow> {
        let mut total = (0, 0);
        for (exponents, coefficient) in &self.terms {
            let exponent = exponents.exponent(axis);
            if exponent != 0 {
                let lower = exponents.divided(axis, 1);
                let factor = multiply(*coefficient, i128::from(exponent))?;
                let term = lower.interval(factor, |axis| ranges[axis])?;
                total = (add(total.0, term.0)?, add(total.1, term.1)?);
            }
        }
        Ok(total)
    }

    /// The sum of the terms' intervals.
    fn interval(&self, range: impl Fn(usize) -> Interval) -> Result<Interval, Overflow> {
        let mut total = (0, 0);
        for (exponents, coefficient) in &self.terms {
            let term = exponents.interval(*coefficient, &range)?;
            total = (add(total.0, term.0)?, add(total.1, term.1)?);
        }
        Ok(total)
    }
}
