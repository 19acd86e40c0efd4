//! Counts as piecewise quasi-polynomials in the sizes of a program.

use premiss_presburger::{Column, Piece, Polynomial, Rational, Refusal, System};

/// A number as a piecewise quasi-polynomial. Column `k` (from 1) of its cases is the `k`-th symbolic size `x` of the
/// histogram or the work that it comes from, where the size itself is `factor·x + residue`.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The cases.
    pub cases: Vec<FormulaCase>,
    /// How the cases combine.
    pub piecewise: Piecewise,
}

/// How the cases of a formula make up its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piecewise {
    /// At most one case holds at a point; where none does, the number is 0.
    Disjoint,
    /// The number is the sum of all cases that hold.
    Sum,
}

/// A value and the sizes at which it holds.
#[derive(Clone, PartialEq, Debug)]
pub struct FormulaCase {
    /// The affine conditions, over the columns of the sizes.
    pub domain: System,
    /// Further conditions: polynomials over the columns of the domain that are not negative where the case holds.
    pub not_negative: Vec<Polynomial>,
    /// The value, over the columns of the domain.
    pub value: Polynomial,
}

/// The number of accesses of a histogram at one distance.
#[derive(Clone, Debug)]
pub struct DistanceCount {
    /// The columns of the loop variables that the distance depends on; none if it depends on sizes only.
    pub axes: Vec<Column>,
    /// The distance in distinct other lines, over the columns of sizes and axes.
    pub distance: Piece,
    /// The number of accesses, summed over all values of the axes.
    pub accesses: Formula,
}

impl Formula {
    /// Its value at a point, which has one number for each column of the sizes.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
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

/// Merges cases that hold under the same conditions; leaves out those whose value is 0.
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
