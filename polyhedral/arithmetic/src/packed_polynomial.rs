//! Polynomials in a few numbered axes, with whole coefficients.

use crate::interval::Interval;
use crate::terms::{collect_terms, multiply_terms};
use crate::univariate::Univariate;
use crate::{AXES, Exponents, Overflow, add, multiply, power};

/// A polynomial in a few axes, times a number that makes its coefficients whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedPolynomial {
    /// The number.
    pub denominator: i128,
    /// Rising in their exponents, without zeros.
    terms: Vec<(Exponents, i128)>,
}

/// What a polynomial does along an axis.
#[derive(Clone, Copy)]
enum Monotonicity {
    Increasing,
    Decreasing,
    /// Perhaps neither.
    Unknown,
}

impl Monotonicity {
    /// Where on a range the least values are.
    fn least(self, (lo, hi): Interval) -> Interval {
        match self {
            Self::Increasing => (lo, lo),
            Self::Decreasing => (hi, hi),
            Self::Unknown => (lo, hi),
        }
    }

    /// Where the greatest are.
    fn greatest(self, (lo, hi): Interval) -> Interval {
        match self {
            Self::Increasing => (hi, hi),
            Self::Decreasing => (lo, lo),
            Self::Unknown => (lo, hi),
        }
    }
}

impl PackedPolynomial {
    /// From terms, of which several may have equal exponents.
    ///
    /// # Errors
    /// A sum does not fit.
    pub fn new(denominator: i128, terms: Vec<(Exponents, i128)>) -> Result<Self, Overflow> {
        let terms = collect_terms(terms)?;
        Ok(Self { denominator, terms })
    }

    /// From terms that rise in their exponents; they may be zero.
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

    /// Whether it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The highest sum of exponents.
    pub fn degree(&self) -> u32 {
        let degrees = self.terms.iter().map(|term| term.0.total());
        degrees.max().unwrap_or(0)
    }

    /// The coefficient of a product of two axes, a square if they are the same.
    pub fn quadratic(&self, a: usize, b: usize) -> Result<i128, Overflow> {
        let product = Exponents::default().times(a, 1)?.times(b, 1)?;
        let found = self.terms.binary_search_by_key(&product, |term| term.0);
        Ok(found.map_or(0, |index| self.terms[index].1))
    }

    /// The constant and the coefficients of the axes, of a polynomial of degree one.
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

    /// Puts a number for an axis, which is then no more.
    ///
    /// # Errors
    /// A number does not fit.
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

    /// With `constant + Σ coefficients · axes` for an axis, which may be among them.
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

    /// As a polynomial in one axis, `values` being those of all of them (that one's is not
    /// regarded); still scaled.
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

    /// An interval that holds all values on a box.
    ///
    /// Where a partial derivative keeps its sign on the box, the least and the greatest value are
    /// taken at ends of that axis.
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

    /// An interval that holds the partial derivative along an axis on a box.
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
