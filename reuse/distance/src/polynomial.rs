//! Polynomials in a few numbered axes, with whole coefficients.

use crate::univariate::Univariate;
use premiss_presburger::Refusal;

/// The greatest number of axes.
pub(crate) const AXES: usize = 16;

/// A closed interval of integers.
pub(crate) type Range = (i128, i128);

/// A polynomial in a few axes, times a number that makes its coefficients whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Polynomial {
    /// The number.
    pub(crate) denominator: i128,
    /// Rising in their exponents, without zeros.
    terms: Vec<(Exponents, i128)>,
}

/// One byte for each axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Exponents(u128);

impl Exponents {
    /// The exponent of an axis.
    fn of(self, axis: usize) -> u32 {
        u32::from(self.0.to_le_bytes()[axis])
    }

    /// The exponent of the first axis.
    pub(crate) fn of_first(self) -> usize {
        usize::from(self.0.to_le_bytes()[0])
    }

    /// With a factor more.
    ///
    /// # Errors
    /// There are too many axes or the exponent is too great.
    pub(crate) fn times(self, axis: usize, power: u32) -> Result<Self, Refusal> {
        let mut bytes = self.0.to_le_bytes();
        let slot = bytes.get_mut(axis).ok_or(Refusal::Overflow)?;
        let raised = u8::try_from(u32::from(*slot) + power);
        *slot = raised.map_err(|_| Refusal::Overflow)?;
        Ok(Self(u128::from_le_bytes(bytes)))
    }

    /// Without an axis; those after it move up.
    fn without(self, axis: usize) -> Self {
        let low = (1_u128 << (8 * axis)) - 1;
        let above = if axis + 1 == AXES {
            0
        } else {
            self.0 >> (8 * (axis + 1)) << (8 * axis)
        };
        Self(self.0 & low | above)
    }

    fn total(self) -> u32 {
        let mut rest = self.0;
        let mut sum = 0;
        while rest != 0 {
            let zeros = rest.trailing_zeros() / 8 * 8;
            rest >>= zeros;
            sum += (rest & 255) as u32;
            rest >>= 8;
        }
        sum
    }

    /// The values on a box of the product, times a factor.
    fn interval(self, factor: i128, range: impl Fn(usize) -> Range) -> Result<Range, Refusal> {
        let mut term = (factor, factor);
        let (mut rest, mut axis) = (self.0, 0);
        while rest != 0 {
            if rest & 255 != 0 {
                term = product(term, raised(range(axis), self.of(axis))?)?;
            }
            axis += 1;
            rest >>= 8;
        }
        Ok(term)
    }
}

/// What a polynomial does along an axis.
#[derive(Clone, Copy)]
enum Course {
    Rises,
    Falls,
    /// Perhaps neither.
    Unknown,
}

impl Course {
    /// Where on a range the least values are.
    fn least(self, (lo, hi): Range) -> Range {
        match self {
            Self::Rises => (lo, lo),
            Self::Falls => (hi, hi),
            Self::Unknown => (lo, hi),
        }
    }

    /// Where the greatest are.
    fn greatest(self, (lo, hi): Range) -> Range {
        match self {
            Self::Rises => (hi, hi),
            Self::Falls => (lo, lo),
            Self::Unknown => (lo, hi),
        }
    }
}

impl Polynomial {
    /// From terms, of which several may have equal exponents.
    ///
    /// # Errors
    /// A sum does not fit.
    pub(crate) fn new(
        denominator: i128,
        mut terms: Vec<(Exponents, i128)>,
    ) -> Result<Self, Refusal> {
        terms.sort_unstable_by_key(|term| term.0);
        let mut kept = 0;
        for index in 0..terms.len() {
            let (exponents, coefficient) = terms[index];
            if 0 < kept && terms[kept - 1].0 == exponents {
                terms[kept - 1].1 = add(terms[kept - 1].1, coefficient)?;
            } else {
                terms[kept] = (exponents, coefficient);
                kept += 1;
            }
        }
        terms.truncate(kept);
        terms.retain(|term| term.1 != 0);
        Ok(Self { denominator, terms })
    }

    /// From terms that rise in their exponents; they may be zero.
    pub(crate) fn rising(
        denominator: i128,
        terms: impl Iterator<Item = Result<(Exponents, i128), Refusal>>,
    ) -> Result<Self, Refusal> {
        let is_zero = |term: &Result<(Exponents, i128), Refusal>| matches!(term, Ok((_, 0)));
        let terms = terms
            .filter(|term| !is_zero(term))
            .collect::<Result<_, _>>()?;
        Ok(Self { denominator, terms })
    }

    /// Zero.
    pub(crate) fn zero() -> Self {
        Self {
            denominator: 1,
            terms: Vec::new(),
        }
    }

    /// Whether it is zero everywhere.
    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The highest sum of exponents.
    pub(crate) fn degree(&self) -> u32 {
        let degrees = self.terms.iter().map(|term| term.0.total());
        degrees.max().unwrap_or(0)
    }

    /// The coefficient of a product of two axes, a square if they are the same.
    pub(crate) fn quadratic(&self, a: usize, b: usize) -> Result<i128, Refusal> {
        let product = Exponents::default().times(a, 1)?.times(b, 1)?;
        let found = self.terms.binary_search_by_key(&product, |term| term.0);
        Ok(found.map_or(0, |index| self.terms[index].1))
    }

    /// The constant and the coefficients of the axes, of a polynomial of degree one.
    pub(crate) fn affine(&self, axes: usize) -> Option<(i128, Vec<i128>)> {
        let mut result = (0, vec![0; axes]);
        for (exponents, coefficient) in &self.terms {
            match exponents.total() {
                0 => result.0 = *coefficient,
                1 => {
                    let axis = (0..axes).find(|axis| exponents.of(*axis) == 1)?;
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
    pub(crate) fn fix(&mut self, axis: usize, value: i128) -> Result<(), Refusal> {
        let mut changed = false;
        for (exponents, coefficient) in &mut self.terms {
            let exponent = exponents.of(axis);
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
    pub(crate) fn replaced(
        &self,
        axis: usize,
        constant: i128,
        coefficients: &[i64],
    ) -> Result<Self, Refusal> {
        let mut form = vec![(Exponents::default(), constant)];
        for (other, coefficient) in coefficients.iter().enumerate() {
            if *coefficient != 0 {
                let exponents = Exponents::default().times(other, 1)?;
                form.push((exponents, i128::from(*coefficient)));
            }
        }
        let mut terms = Vec::new();
        for (exponents, coefficient) in &self.terms {
            let count = exponents.of(axis);
            let rest = Exponents(exponents.0 - (u128::from(count) << (8 * axis)));
            let mut product = vec![(rest, *coefficient)];
            for _ in 0..count {
                product = multiplied(&product, &form)?;
            }
            terms.extend(product);
        }
        Self::new(self.denominator, terms)
    }

    /// As a polynomial in one axis, `values` being those of all of them (that one's is not
    /// regarded); still scaled.
    pub(crate) fn along(&self, axis: usize, values: &[i128]) -> Result<Univariate, Refusal> {
        let mut line = Univariate::new();
        for (exponents, coefficient) in &self.terms {
            let mut term = *coefficient;
            for (other, value) in values.iter().enumerate() {
                if other != axis {
                    term = multiply(term, power(*value, exponents.of(other))?)?;
                }
            }
            let exponent = exponents.of(axis) as usize;
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
    pub(crate) fn bounds(&self, ranges: &[Range]) -> Result<Range, Refusal> {
        if self.degree() < 2 {
            return self.interval(|axis| ranges[axis]);
        }
        let mut courses = [Course::Unknown; AXES];
        for (axis, course) in courses.iter_mut().enumerate().take(ranges.len()) {
            let slope = self.slope(axis, ranges)?;
            if 0 <= slope.0 {
                *course = Course::Rises;
            } else if slope.1 <= 0 {
                *course = Course::Falls;
            }
        }
        let least = self.interval(|axis| courses[axis].least(ranges[axis]))?;
        let greatest = self.interval(|axis| courses[axis].greatest(ranges[axis]))?;
        Ok((least.0, greatest.1))
    }

    /// An interval that holds the partial derivative along an axis on a box.
    pub(crate) fn slope(&self, axis: usize, ranges: &[Range]) -> Result<Range, Refusal> {
        let mut total = (0, 0);
        for (exponents, coefficient) in &self.terms {
            let exponent = exponents.of(axis);
            if exponent != 0 {
                let lower = Exponents(exponents.0 - (1 << (8 * axis)));
                let factor = multiply(*coefficient, i128::from(exponent))?;
                let term = lower.interval(factor, |axis| ranges[axis])?;
                total = (add(total.0, term.0)?, add(total.1, term.1)?);
            }
        }
        Ok(total)
    }

    /// The sum of the terms' intervals.
    fn interval(&self, range: impl Fn(usize) -> Range) -> Result<Range, Refusal> {
        let mut total = (0, 0);
        for (exponents, coefficient) in &self.terms {
            let term = exponents.interval(*coefficient, &range)?;
            total = (add(total.0, term.0)?, add(total.1, term.1)?);
        }
        Ok(total)
    }
}

fn multiplied(
    a: &[(Exponents, i128)],
    b: &[(Exponents, i128)],
) -> Result<Vec<(Exponents, i128)>, Refusal> {
    let mut result = Vec::with_capacity(a.len() * b.len());
    for (left, x) in a {
        for (right, y) in b {
            // The bytes do not run over: exponents of a product are at most those that were there.
            let sum = left.0.checked_add(right.0).ok_or(Refusal::Overflow)?;
            result.push((Exponents(sum), multiply(*x, *y)?));
        }
    }
    Ok(result)
}

fn raised((lo, hi): Range, exponent: u32) -> Result<Range, Refusal> {
    let (a, b) = (power(lo, exponent)?, power(hi, exponent)?);
    Ok(if exponent % 2 == 1 || 0 <= lo {
        (a, b)
    } else if hi <= 0 {
        (b, a)
    } else {
        (0, a.max(b))
    })
}

fn product(a: Range, b: Range) -> Result<Range, Refusal> {
    if a.0 == a.1 {
        let (x, y) = (multiply(a.0, b.0)?, multiply(a.0, b.1)?);
        return Ok(if a.0 < 0 { (y, x) } else { (x, y) });
    }
    let ends = [
        multiply(a.0, b.0)?,
        multiply(a.0, b.1)?,
        multiply(a.1, b.0)?,
        multiply(a.1, b.1)?,
    ];
    let least = ends.iter().fold(ends[0], |x, y| x.min(*y));
    Ok((least, ends.iter().fold(ends[0], |x, y| x.max(*y))))
}

pub(crate) fn add(a: i128, b: i128) -> Result<i128, Refusal> {
    a.checked_add(b).ok_or(Refusal::Overflow)
}

/// A product; numbers of 64 bits, which most are, take the short way.
pub(crate) fn multiply(a: i128, b: i128) -> Result<i128, Refusal> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Ok(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b).ok_or(Refusal::Overflow),
    }
}

fn power(value: i128, exponent: u32) -> Result<i128, Refusal> {
    match exponent {
        0 => Ok(1),
        1 => Ok(value),
        2 => multiply(value, value),
        _ => value.checked_pow(exponent).ok_or(Refusal::Overflow),
    }
}
