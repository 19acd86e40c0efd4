//! The columns of an entry's systems at given sizes.

use crate::row::AxisRow;
use premiss_arithmetic::{AXES, Exponents, PackedPolynomial, add, multiply};
use premiss_presburger::{Affine, Column, Floor, Refusal};

/// Each column as a form in a few axes.
///
/// Sizes are numbers, loop variables are axes unless an equality determines them, and a floor is an axis only as far as
/// it is not determined by the others: with `j = 1`, the column `floor((j + 8i + 3) / 8)` is `i`, and
/// `floor((j + k + 9) / 8)` is `1 + floor((k + 2) / 8)`.
#[derive(Clone)]
pub(crate) struct Columns {
    /// By column; the first stands for the constant.
    forms: Vec<ColumnForm>,
    /// How many axes there are.
    axes: usize,
    /// The floors that are axes: numerator, denominator, and the axis.
    floors: Vec<(AxisRow, i64, usize)>,
}

/// The value of a column.
#[derive(Clone, Copy)]
enum ColumnForm {
    Number(i128),
    Axis(usize),
    Sum(AxisRow),
}

impl ColumnForm {
    fn of(row: &AxisRow) -> Self {
        match row.single() {
            Some(None) => Self::Number(row.constant),
            Some(Some(axis)) => Self::Axis(axis),
            None => Self::Sum(*row),
        }
    }

    fn row(self) -> Result<AxisRow, Refusal> {
        match self {
            Self::Number(value) => Ok(AxisRow::new(value)),
            Self::Axis(axis) => AxisRow::new(0).plus(axis, 1),
            Self::Sum(row) => Ok(row),
        }
    }
}

impl Columns {
    /// Columns of sizes and then of loop variables, of which some are axes; no form may use the others.
    pub(crate) fn new(values: &[i128], variables: usize, axes: &[Column]) -> Result<Self, Refusal> {
        if AXES < axes.len() {
            return Err(Refusal::Overflow);
        }
        let mut forms = vec![ColumnForm::Number(0); 1 + variables];
        for (form, value) in forms[1..].iter_mut().zip(values) {
            *form = ColumnForm::Number(*value);
        }
        for (axis, column) in axes.iter().enumerate() {
            forms[*column] = ColumnForm::Axis(axis);
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
    pub(crate) fn row(&self, form: &Affine) -> Result<AxisRow, Refusal> {
        let mut row = AxisRow::new(i128::from(form.constant_term()));
        let coefficients = form.coefficients().iter().zip(&self.forms);
        for (coefficient, form) in coefficients.skip(1).filter(|(x, _)| **x != 0) {
            match form {
                ColumnForm::Number(value) => {
                    let term = multiply(i128::from(*coefficient), *value)?;
                    row.constant = add(row.constant, term)?;
                }
                ColumnForm::Axis(axis) => row = row.plus(*axis, *coefficient)?,
                ColumnForm::Sum(sum) => row = row.plus_times(sum, *coefficient)?,
            }
        }
        Ok(row)
    }

    /// Solves `row = 0` for an axis, which is removed; returns whether it could. This must come before any floors.
    pub(crate) fn solve(&mut self, row: &AxisRow) -> Result<bool, Refusal> {
        assert!(self.floors.is_empty(), "floors come after equalities");
        let Some(axis) = row.coefficients.iter().position(|x| x.abs() == 1) else {
            return Ok(false);
        };
        let mut form = AxisRow::new(0).plus_times(row, -row.coefficients[axis])?;
        form.coefficients[axis] = 0;
        for column in &mut self.forms {
            let mut row = match column {
                ColumnForm::Number(_) => continue,
                ColumnForm::Axis(other) if *other < axis => continue,
                _ => column.row()?,
            };
            let factor = std::mem::take(&mut row.coefficients[axis]);
            *column = ColumnForm::of(&row.plus_times(&form, factor)?.without(axis));
        }
        self.axes -= 1;
        Ok(true)
    }

    /// Adds the column of a floor; returns the rows that define it where it is a new axis.
    pub(crate) fn add_floor(&mut self, floor: &Floor) -> Result<Option<[AxisRow; 2]>, Refusal> {
        let denominator = floor.denominator;
        let mut rest = self.row(&floor.numerator)?;
        let wide = i128::from(denominator);
        let mut quotient = AxisRow::new(rest.constant.div_euclid(wide));
        rest.constant = rest.constant.rem_euclid(wide);
        for (slot, coefficient) in quotient.coefficients.iter_mut().zip(&mut rest.coefficients) {
            *slot = coefficient.div_euclid(denominator);
            *coefficient = coefficient.rem_euclid(denominator);
        }
        if rest.coefficients.iter().all(|x| *x == 0) {
            self.forms.push(ColumnForm::of(&quotient));
            return Ok(None);
        }
        let mut known = self.floors.iter();
        let known = known.find(|(numerator, by, _)| *by == denominator && *numerator == rest);
        let known = known.map(|found| found.2);
        let axis = known.unwrap_or(self.axes);
        self.forms.push(ColumnForm::of(&quotient.plus(axis, 1)?));
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
        self.forms.push(ColumnForm::Number(0));
    }

    /// Removes the last `count` columns, which are those of floors; their axes stay.
    pub(crate) fn forget_floors(&mut self, count: usize) {
        self.forms.truncate(self.forms.len() - count);
    }

    /// A polynomial over the columns, as one in the axes.
    pub(crate) fn polynomial(
        &self,
        value: &premiss_presburger::Polynomial,
    ) -> Result<PackedPolynomial, Refusal> {
        let (scaled, denominator) = value.scaled_terms();
        let mut terms: Vec<(Exponents, i128)> = Vec::with_capacity(scaled.len());
        for (monomial, coefficient) in scaled {
            let mut exponents = Exponents::default();
            let mut factor = *coefficient;
            let mut sums: Vec<&AxisRow> = Vec::new();
            for column in monomial.factors() {
                match &self.forms[column] {
                    ColumnForm::Number(value) => factor = multiply(factor, *value)?,
                    ColumnForm::Axis(axis) => exponents = exponents.times(*axis, 1)?,
                    ColumnForm::Sum(row) => sums.push(row),
                }
            }
            if sums.is_empty() {
                terms.push((exponents, factor));
            } else {
                terms.extend(expanded((exponents, factor), &sums)?);
            }
        }
        Ok(PackedPolynomial::new(denominator, terms)?)
    }
}

/// The terms of a product of a term and some forms.
fn expanded(term: (Exponents, i128), sums: &[&AxisRow]) -> Result<Vec<(Exponents, i128)>, Refusal> {
    let mut products = vec![term];
    for form in sums {
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
    Ok(products)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over a size that is 5 and three variables that are axes.
    fn columns() -> Columns {
        Columns::new(&[5], 4, &[2, 3, 4].map(Column::new)).expect("few axes")
    }

    fn floor(numerator: &[i64]) -> Floor {
        Floor {
            numerator: Affine::new(numerator.to_vec()),
            denominator: 8,
        }
    }

    fn row(constant: i128, coefficients: &[i64]) -> AxisRow {
        let mut row = AxisRow::new(constant);
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
        assert_eq!(square, Ok(PackedPolynomial::new(1, terms).expect("fits")));
    }
}
