//! Affine forms with integer coefficients.

use crate::Column;
use crate::Refusal;
use crate::rows::add;

/// `a[0] + a[1]·x1 + a[2]·x2 + …`: an affine form over columns, column 0 being the constant one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Affine(Vec<i64>);

impl Affine {
    /// The form that is `value` everywhere, over so many columns (the constant one included).
    #[must_use]
    pub fn constant(columns: usize, value: i64) -> Self {
        assert!(0 < columns, "the constant has a column");
        let mut coefficients = vec![0; columns];
        coefficients[0] = value;
        Self(coefficients)
    }

    /// The form that is the variable of a column.
    #[must_use]
    pub fn variable(columns: usize, column: Column) -> Self {
        let mut form = Self::constant(columns, 0);
        form.0[column] = 1;
        form
    }

    /// The form with these coefficients, the constant first.
    #[must_use]
    pub fn new(coefficients: Vec<i64>) -> Self {
        assert!(!coefficients.is_empty(), "the constant has a column");
        Self(coefficients)
    }

    /// How many columns it is over, the constant one included.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.0.len()
    }

    /// Its value where all variables are zero.
    #[must_use]
    pub fn constant_term(&self) -> i64 {
        self.0[0]
    }

    /// The coefficient of a column.
    #[must_use]
    pub fn coefficient(&self, column: Column) -> i64 {
        self.0[column]
    }

    /// All coefficients, the constant first.
    #[must_use]
    pub fn coefficients(&self) -> &[i64] {
        &self.0
    }

    /// The columns of variables that it depends on, in order.
    pub fn support(&self) -> impl Iterator<Item = Column> + '_ {
        Column::variables(self.0.len() - 1).filter(|column| self.0[*column] != 0)
    }

    /// Whether it depends on no variable.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.support().next().is_none()
    }

    /// The same form over more columns, the new ones last.
    #[must_use]
    pub fn widened(&self, columns: usize) -> Self {
        assert!(self.0.len() <= columns, "widening drops no column");
        let mut coefficients = self.0.clone();
        coefficients.resize(columns, 0);
        Self(coefficients)
    }

    /// `self + factor·other`, both over the same columns.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub fn plus(&self, factor: i64, other: &Self) -> Result<Self, Refusal> {
        assert_eq!(self.0.len(), other.0.len(), "forms over the same columns");
        let mut sum = self.clone();
        add(&mut sum.0, factor, &other.0)?;
        Ok(sum)
    }

    /// `factor·self`.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub fn times(&self, factor: i64) -> Result<Self, Refusal> {
        let mut product = self.clone();
        for coefficient in &mut product.0 {
            *coefficient = coefficient.checked_mul(factor).ok_or(Refusal::Overflow)?;
        }
        Ok(product)
    }

    /// The form that is not negative just where this one is negative, `-1 - self`.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub fn complement(&self) -> Result<Self, Refusal> {
        self.times(-1)?.plus(-1, &Self::constant(self.columns(), 1))
    }

    /// The form after each column `c` but the constant one is replaced by `columns[c - 1]`.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub fn substituted(&self, columns: &[Self], width: usize) -> Result<Self, Refusal> {
        assert_eq!(self.0.len(), columns.len() + 1, "one form for each column");
        let mut sum = Self::constant(width, self.0[0]);
        for (coefficient, form) in self.0[1..].iter().zip(columns) {
            if *coefficient != 0 {
                assert_eq!(width, form.0.len(), "forms over the same columns");
                add(&mut sum.0, *coefficient, &form.0)?;
            }
        }
        Ok(sum)
    }

    /// Its value at a point, `point[c - 1]` being the value of column `c`.
    ///
    /// # Errors
    /// The value does not fit 128 bits.
    pub fn at(&self, point: &[i128]) -> Result<i128, Refusal> {
        assert_eq!(self.0.len(), point.len() + 1, "one value for each column");
        let mut value = i128::from(self.0[0]);
        for (coefficient, x) in self.0[1..].iter().zip(point) {
            let term = x.checked_mul(i128::from(*coefficient));
            value = term
                .and_then(|term| value.checked_add(term))
                .ok_or(Refusal::Overflow)?;
        }
        Ok(value)
    }
}
