//! What the columns of an entry's systems are where sizes are numbers.

use crate::polynomial::{AXES, Exponents, Polynomial, add, multiply};
use crate::projection::gcd;
use crate::row::Row;
use premiss_presburger::{Affine, Floor, Rational, Refusal};

/// Each column as a form in a few axes.
///
/// Sizes are numbers, loop variables are axes of their own unless an equality gives them, and a floor
/// is an axis of its own only as far as it is not known from the others: with `j = 1`, the column
/// `floor((j + 8i + 3) / 8)` is `i`, and `floor((j + k + 9) / 8)` is `1 + floor((k + 2) / 8)`.
#[derive(Clone)]
pub(crate) struct Columns {
    /// By column; the first stands for the constant.
    forms: Vec<Row>,
    /// How many axes there are.
    axes: usize,
    /// The floors that are axes: what is divided, by what, and the axis.
    floors: Vec<(Row, i64, usize)>,
}

impl Columns {
    /// Columns of sizes and then of loop variables, of which some are axes; no others may be asked for.
    pub(crate) fn new(values: &[i128], variables: usize, axes: &[usize]) -> Result<Self, Refusal> {
        let mut forms = vec![Row::new(0); 1 + variables];
        for (form, value) in forms[1..].iter_mut().zip(values) {
            form.constant = *value;
        }
        for (axis, column) in axes.iter().enumerate() {
            forms[*column] = Row::new(0).plus(axis, 1)?;
        }
        Ok(Self {
            forms,
            axes: axes.len(),
            floors: Vec::new(),
        })
    }

    /// The number of axes.
    pub(crate) fn axes(&self) -> usize {
        self.axes
    }

    /// A form over the columns, as one in the axes.
    pub(crate) fn row(&self, form: &Affine) -> Result<Row, Refusal> {
        let mut row = Row::new(i128::from(form.constant_term()));
        for column in form.support() {
            row = row.plus_times(&self.forms[column], form.coefficient(column))?;
        }
        Ok(row)
    }

    /// Takes a form for zero if that gives an axis, which is then no more; whether it does. This must
    /// come before any floors.
    pub(crate) fn solve(&mut self, row: &Row) -> Result<bool, Refusal> {
        assert!(self.floors.is_empty(), "floors come after equalities");
        let Some(axis) = row.coefficients.iter().position(|x| x.abs() == 1) else {
            return Ok(false);
        };
        let mut form = Row::new(0).plus_times(row, -row.coefficients[axis])?;
        form.coefficients[axis] = 0;
        for column in &mut self.forms {
            let factor = std::mem::take(&mut column.coefficients[axis]);
            *column = column.plus_times(&form, factor)?.without(axis);
        }
        self.axes -= 1;
        Ok(true)
    }

    /// Adds the column of a floor; what defines it where it is a new axis.
    pub(crate) fn add_floor(&mut self, floor: &Floor) -> Result<Option<[Row; 2]>, Refusal> {
        let denominator = floor.denominator;
        let mut rest = self.row(&floor.numerator)?;
        let wide = i128::from(denominator);
        let mut whole = Row::new(rest.constant.div_euclid(wide));
        rest.constant = rest.constant.rem_euclid(wide);
        for (slot, coefficient) in whole.coefficients.iter_mut().zip(&mut rest.coefficients) {
            *slot = coefficient.div_euclid(denominator);
            *coefficient = coefficient.rem_euclid(denominator);
        }
        if rest.coefficients.iter().all(|x| *x == 0) {
            self.forms.push(whole);
            return Ok(None);
        }
        let mut known = self.floors.iter();
        let known = known.find(|(numerator, by, _)| *by == denominator && *numerator == rest);
        let known = known.map(|found| found.2);
        let axis = known.unwrap_or(self.axes);
        self.forms.push(whole.plus(axis, 1)?);
        if known.is_some() {
            return Ok(None);
        }
        self.axes += 1;
        self.floors.push((rest, denominator, axis));
        let above = rest.plus(axis, denominator.checked_neg().ok_or(Refusal::Overflow)?)?;
        let mut below = above.negated()?;
        below.constant = add(below.constant, wide - 1)?;
        Ok(Some([above, below]))
    }

    /// Adds the column of a floor on which nothing depends.
    pub(crate) fn skip_floor(&mut self) {
        self.forms.push(Row::new(0));
    }

    /// Takes away the last columns, those of so many floors; their axes stay.
    pub(crate) fn forget_floors(&mut self, count: usize) {
        self.forms.truncate(self.forms.len() - count);
    }

    /// A polynomial over the columns, as one in the axes.
    pub(crate) fn polynomial(
        &self,
        value: &premiss_presburger::Polynomial,
    ) -> Result<Polynomial, Refusal> {
        let mut terms: Vec<(Exponents, Rational)> = Vec::new();
        for (monomial, coefficient) in value.terms() {
            let mut exponents = Exponents::default();
            let mut factor = coefficient;
            let mut sums: Vec<(Row, u32)> = Vec::new();
            for (column, power) in monomial.powers() {
                let power = u32::try_from(power).map_err(|_| Refusal::Overflow)?;
                let form = &self.forms[column];
                match form.single() {
                    Some(None) => {
                        let value = form.constant.checked_pow(power).ok_or(Refusal::Overflow)?;
                        factor = factor.times(Rational::new(value, 1)?)?;
                    }
                    Some(Some(axis)) => exponents = exponents.times(axis, power)?,
                    None => sums.push((*form, power)),
                }
            }
            if sums.is_empty() {
                terms.push((exponents, factor));
            } else {
                expand(exponents, factor, &sums, &mut terms)?;
            }
        }
        common_denominator(&terms)
    }
}

/// Adds the terms of a product of powers of forms.
fn expand(
    exponents: Exponents,
    factor: Rational,
    sums: &[(Row, u32)],
    terms: &mut Vec<(Exponents, Rational)>,
) -> Result<(), Refusal> {
    let mut products = vec![(exponents, 1_i128)];
    for (form, power) in sums {
        for _ in 0..*power {
            let mut next = Vec::new();
            for (exponents, product) in &products {
                if form.constant != 0 {
                    next.push((*exponents, multiply(*product, form.constant)?));
                }
                for axis in (0..AXES).filter(|axis| form.coefficients[*axis] != 0) {
                    let coefficient = i128::from(form.coefficients[axis]);
                    let product = multiply(*product, coefficient)?;
                    next.push((exponents.times(axis, 1)?, product));
                }
            }
            products = next;
        }
    }
    for (exponents, product) in products {
        terms.push((exponents, factor.times(Rational::new(product, 1)?)?));
    }
    Ok(())
}

fn common_denominator(terms: &[(Exponents, Rational)]) -> Result<Polynomial, Refusal> {
    let mut denominator = 1_i128;
    for (_, coefficient) in terms {
        let step = coefficient.denominator() / gcd(denominator, coefficient.denominator());
        denominator = multiply(denominator, step)?;
    }
    let mut scaled = Vec::with_capacity(terms.len());
    for (exponents, coefficient) in terms {
        let factor = denominator / coefficient.denominator();
        scaled.push((*exponents, multiply(coefficient.numerator(), factor)?));
    }
    Polynomial::new(denominator, scaled)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over a size that is 5 and three variables that are axes.
    fn columns() -> Columns {
        Columns::new(&[5], 4, &[2, 3, 4]).expect("few axes")
    }

    fn floor(numerator: &[i64]) -> Floor {
        Floor {
            numerator: Affine::new(numerator.to_vec()),
            denominator: 8,
        }
    }

    fn row(constant: i128, coefficients: &[i64]) -> Row {
        let mut row = Row::new(constant);
        row.coefficients[..coefficients.len()].copy_from_slice(coefficients);
        row
    }

    #[test]
    fn what_equalities_leave_known_is_no_axis() {
        let mut columns = columns();
        assert_eq!(columns.solve(&row(-1, &[0, 1, 0])), Ok(true));
        assert_eq!(columns.axes(), 2);
        // floor((1 + 8i + 3) / 8)
        let known = columns.add_floor(&floor(&[3, 0, 8, 1, 0]));
        assert_eq!(known, Ok(None));
        assert_eq!(columns.axes(), 2);
        let form = Affine::new(vec![0, 0, 0, 0, 0, 1]);
        assert_eq!(columns.row(&form), Ok(row(0, &[1, 0])));
    }

    #[test]
    fn floors_that_differ_by_whole_lines_are_one_axis() {
        let mut columns = columns();
        let first = columns.add_floor(&floor(&[2, 0, 0, 0, 1]));
        assert_eq!(
            first,
            Ok(Some([row(2, &[0, 0, 1, -8]), row(5, &[0, 0, -1, 8])]))
        );
        // The size adds five: floor((k + 5·5 + 1) / 8) = 3 + floor((k + 2) / 8).
        assert_eq!(columns.add_floor(&floor(&[1, 5, 0, 0, 1, 0])), Ok(None));
        assert_eq!(columns.axes(), 4);
        let form = Affine::new(vec![0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(columns.row(&form), Ok(row(3, &[0, 0, 0, 1])));
    }

    #[test]
    fn polynomials_are_expanded() {
        let mut columns = columns();
        // i = 2 - j
        assert_eq!(columns.solve(&row(-2, &[1, 1])), Ok(true));
        let i = Affine::new(vec![0, 0, 1, 0, 0]);
        let i = premiss_presburger::Polynomial::from_affine(&i).expect("small");
        let square = columns.polynomial(&i.times(&i).expect("small"));
        let of_j = |power| Exponents::default().times(0, power).expect("few");
        let terms = vec![(of_j(0), 4), (of_j(1), -4), (of_j(2), 1)];
        assert_eq!(square, Polynomial::new(1, terms));
    }
}
