//! Spaces, matrices, and the conjunctions of constraints made of them.

use std::ffi::{CString, c_int};

use premiss_presburger::Refusal;

use super::declarations::*;
use super::{RawBasicSet, RawMatrix, RawSpace, context, fraction, index, truth, value};
use crate::SetSpace;

impl RawSpace {
    /// The space of sets of a shape.
    pub(crate) fn of_sets(shape: SetSpace) -> Result<Self, Refusal> {
        // SAFETY: the context lives; isl copies the name.
        let space = unsafe {
            isl_space_set_alloc(context(), index(shape.parameters), index(shape.variables))
        };
        let mut space = Self::given(space)?;
        for parameter in 0..shape.parameters {
            let name = CString::new(format!("p{parameter}")).expect("no zero in a name");
            // SAFETY: isl takes the space and copies the name.
            space = Self::given(unsafe {
                let kind = Dimension::Parameter;
                isl_space_set_dim_name(space.into_raw(), kind, index(parameter), name.as_ptr())
            })?;
        }
        Ok(space)
    }
}

/// Columns in the order of the rest of the project.
const COLUMNS: [Dimension; 4] = [
    Dimension::Constant,
    Dimension::Parameter,
    Dimension::Variable,
    Dimension::Division,
];

impl RawMatrix {
    /// A matrix with these rows, each of `columns` entries.
    pub(crate) fn of_rows<'a>(
        columns: usize,
        rows: impl ExactSizeIterator<Item = &'a [i64]>,
    ) -> Result<Self, Refusal> {
        // SAFETY: the context lives.
        let matrix = unsafe { isl_mat_alloc(context(), index(rows.len()), index(columns)) };
        let mut matrix = Self::given(matrix)?;
        for (row, numbers) in rows.enumerate() {
            assert_eq!(numbers.len(), columns, "a row has all columns");
            for (column, number) in numbers.iter().enumerate() {
                let (row, column) = (index(row), index(column));
                // SAFETY: isl takes matrix and value and checks row and column.
                matrix = Self::given(unsafe {
                    match c_int::try_from(*number) {
                        Ok(small) => isl_mat_set_element_si(matrix.into_raw(), row, column, small),
                        Err(_) => {
                            let value = value(*number);
                            isl_mat_set_element_val(matrix.into_raw(), row, column, value)
                        }
                    }
                })?;
            }
        }
        Ok(matrix)
    }

    /// The rows of the matrix.
    pub(crate) fn rows(&self) -> Result<Vec<Vec<i64>>, Refusal> {
        let matrix = self.as_ptr();
        // SAFETY: the matrix lives; isl checks row and column.
        let (rows, columns) = unsafe { (isl_mat_rows(matrix), isl_mat_cols(matrix)) };
        let number = |row, column| {
            let value = unsafe { isl_mat_get_element_val(matrix, row, column) };
            fraction(value).map(|(numerator, _)| numerator)
        };
        let row = |row| (0..columns).map(|column| number(row, column)).collect();
        (0..rows).map(row).collect()
    }
}

impl RawBasicSet {
    /// The points for which some values of the columns behind those of the space make the rows of `equalities` zero and
    /// those of `inequalities` not negative.
    pub(crate) fn of_matrices(
        space: RawSpace,
        equalities: RawMatrix,
        inequalities: RawMatrix,
    ) -> Result<Self, Refusal> {
        let [first, second, third, fourth] = COLUMNS;
        // SAFETY: isl takes all three, and checks that they fit each other.
        Self::given(unsafe {
            isl_basic_set_from_constraint_matrices(
                space.into_raw(),
                equalities.into_raw(),
                inequalities.into_raw(),
                first,
                second,
                third,
                fourth,
            )
        })
    }

    pub(crate) fn equalities(&self) -> Result<RawMatrix, Refusal> {
        let [first, second, third, fourth] = COLUMNS;
        // SAFETY: the set lives.
        RawMatrix::given(unsafe {
            isl_basic_set_equalities_matrix(self.as_ptr(), first, second, third, fourth)
        })
    }

    pub(crate) fn inequalities(&self) -> Result<RawMatrix, Refusal> {
        let [first, second, third, fourth] = COLUMNS;
        // SAFETY: the set lives.
        RawMatrix::given(unsafe {
            isl_basic_set_inequalities_matrix(self.as_ptr(), first, second, third, fourth)
        })
    }

    /// A row for each division: its denominator, zero if it is not known, and its numerator.
    pub(crate) fn divisions(&self) -> Result<RawMatrix, Refusal> {
        // SAFETY: the set lives.
        RawMatrix::given(unsafe { isl_basic_set_get_divs(self.as_ptr()) })
    }

    /// Whether it is known to be empty without any search.
    pub(crate) fn is_plainly_empty(&self) -> Result<bool, Refusal> {
        // SAFETY: the set lives.
        truth(unsafe { isl_basic_set_plain_is_empty(self.as_ptr()) })
    }

    /// Whether it has no integer point.
    pub(crate) fn is_empty(&self) -> Result<bool, Refusal> {
        // SAFETY: the set lives.
        truth(unsafe { isl_basic_set_is_empty(self.as_ptr()) })
    }
}
