//! Numbers as piecewise quasi-polynomials in the sizes of a program.

use premiss_presburger::{Piece, Polynomial, Rational, Refusal, System};

/// A number as a function of the columns of the symbolic sizes.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its parts.
    pub cases: Vec<FormulaCase>,
    /// How the parts make up the number.
    pub piecewise: Piecewise,
}

/// How the cases of a formula make up its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piecewise {
    /// At most one holds; where none does, the number is 0.
    Disjoint,
    /// All that hold are added up.
    Sum,
}

/// A value and where it holds.
#[derive(Clone, PartialEq, Debug)]
pub struct FormulaCase {
    /// Where, as far as that is affine: over the columns of the sizes.
    pub domain: System,
    /// Polynomials over the columns of the domain that are not negative there.
    pub not_negative: Vec<Polynomial>,
    /// The value, over the columns of the domain.
    pub value: Polynomial,
}

/// How many accesses a histogram has at one distance.
#[derive(Clone, Debug)]
pub struct DistanceCount {
    /// The columns of the loop variables that the distance depends on.
    pub axes: Vec<usize>,
    /// The distance.
    pub distance: Piece,
    /// The accesses, for all values of the axes together.
    pub accesses: Formula,
}

impl Formula {
    /// Its value where the columns of the sizes have these values.
    ///
    /// # Errors
    /// A number does not fit.
    pub fn at(&self, point: &[i128]) -> Result<Rational, Refusal> {
        let mut total = Rational::new(0, 1)?;
        for case in &self.cases {
            let values = case.domain.values(point)?;
            let mut holds = case.domain.contains(point)?;
            for polynomial in &case.not_negative {
                holds &= 0 <= polynomial.at(&values)?.numerator();
            }
            if holds {
                total = total.plus(case.value.at(&values)?)?;
            }
        }
        Ok(total)
    }
}

/// Piecewise that hold under the same conditions as one; those without a value are left out.
pub(crate) fn grouped(cases: Vec<FormulaCase>) -> Result<Vec<FormulaCase>, Refusal> {
    let mut groups: Vec<FormulaCase> = Vec::new();
    for mut case in cases {
        case.domain.inequalities.sort();
        case.domain.inequalities.dedup();
        let same = |known: &&mut FormulaCase| {
            known.domain == case.domain && known.not_negative == case.not_negative
        };
        match groups.iter_mut().find(same) {
            Some(known) => known.value = known.value.plus(&case.value)?,
            None => groups.push(case),
        }
    }
    groups.retain(|case| !case.value.is_zero());
    Ok(groups)
}
