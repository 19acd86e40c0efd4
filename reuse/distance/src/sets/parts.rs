//! Iterations of a sink by the columns on which the forms of blocks depend.

use super::forms::{AxisForms, ConflictBox};
use crate::frame::AxisFrame;
use crate::part::WeightedBox;
use premiss_presburger::{Affine, Budget, Column, Piece, Refusal, System, count};

/// Iterations, counted for each value of the loop variables on which forms depend.
pub(crate) struct FormParts<'a> {
    forms: Vec<&'a Affine>,
    /// These loop variables.
    axes: Vec<Column>,
    /// How many columns the domain has, sizes included.
    variables: usize,
    pieces: Vec<Piece>,
}

impl<'a> FormParts<'a> {
    /// The iterations of a domain within a context, over the columns of loop variables that are given.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn new(
        forms: impl IntoIterator<Item = &'a Affine>,
        (domain, context): (&System, &System),
        iterations: &[Column],
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        let forms: Vec<&Affine> = forms.into_iter().collect();
        let is_axis = |column: &Column| forms.iter().any(|form| form.coefficient(*column) != 0);
        let (axes, others): (Vec<Column>, Vec<Column>) =
            iterations.iter().copied().partition(is_axis);
        Ok(Self {
            axes,
            variables: domain.variables,
            pieces: count(domain, &others, context, budget)?,
            forms,
        })
    }

    /// The same at given sizes, with the forms as functions of axes.
    ///
    /// # Errors
    /// An axis has no bounds, or a number does not fit.
    pub(crate) fn at(&self, sizes: &[i128]) -> Result<Vec<ConflictBox>, Refusal> {
        let frame = AxisFrame::new(&self.axes, self.variables, sizes)?;
        let mut parts = Vec::new();
        for piece in &self.pieces {
            let Some(shape) = frame.shape(piece)? else {
                continue;
            };
            let rows = self.forms.iter().map(|form| shape.columns.row(form));
            let rows = AxisForms(rows.collect::<Result<_, _>>()?);
            let axes = shape.columns.axes();
            parts.extend(WeightedBox::new(axes, shape.rows, rows, shape.value)?);
        }
        Ok(parts)
    }
}
