//! Numbered columns.

use std::fmt;
use std::ops::{Index, IndexMut};

/// The number of a column of affine forms and polynomials: column 0 is the constant one, and those from 1 on are
/// variables.
///
/// Rows of coefficients have an entry for each column; points have one for each variable, so that the value of a
/// variable stands at its [`place`](Self::place).
///
/// # Examples
///
/// ```
/// # use premiss_arithmetic::Column;
/// let i = Column::new(2);
/// let row = vec![-1_i64, 0, 3]; // 3·x2 - 1
/// assert_eq!((row[Column::CONSTANT], row[i]), (-1, 3));
/// assert_eq!((i.place(), i.to_string()), (1, "x2".to_owned()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(usize);

impl Column {
    /// The column whose value is 1 everywhere.
    pub const CONSTANT: Self = Self(0);

    /// The column of this number.
    #[must_use]
    #[inline]
    pub const fn new(number: usize) -> Self {
        Self(number)
    }

    /// Its number: where its coefficient stands in a row.
    #[must_use]
    #[inline]
    pub const fn number(self) -> usize {
        self.0
    }

    /// The column of the variable whose value stands at `place` in a point.
    #[must_use]
    #[inline]
    pub const fn at_place(place: usize) -> Self {
        Self(place + 1)
    }

    /// Where the value of its variable stands in a point.
    ///
    /// # Panics
    /// It is the constant column, which is no variable.
    #[must_use]
    #[inline]
    pub const fn place(self) -> usize {
        self.0
            .checked_sub(1)
            .expect("the constant column is no variable")
    }

    /// The column so many columns behind it.
    #[must_use]
    #[inline]
    pub const fn offset(self, columns: usize) -> Self {
        Self(self.0 + columns)
    }

    /// The first columns in order, the constant one included.
    pub fn first(
        count: usize,
    ) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..count).map(Self::new)
    }

    /// The columns of the first variables, in order.
    pub fn variables(
        count: usize,
    ) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..count).map(Self::at_place)
    }
}

/// As the variable without a name: `x2`.
impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

impl<T> Index<Column> for [T] {
    type Output = T;

    #[inline]
    fn index(&self, column: Column) -> &T {
        &self[column.0]
    }
}

impl<T> IndexMut<Column> for [T] {
    #[inline]
    fn index_mut(&mut self, column: Column) -> &mut T {
        &mut self[column.0]
    }
}

impl<T> Index<Column> for Vec<T> {
    type Output = T;

    #[inline]
    fn index(&self, column: Column) -> &T {
        &self[column.0]
    }
}

impl<T> IndexMut<Column> for Vec<T> {
    #[inline]
    fn index_mut(&mut self, column: Column) -> &mut T {
        &mut self[column.0]
    }
}
