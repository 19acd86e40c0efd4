//! Affine forms and functions made of them.

use premiss_presburger::Refusal;

use super::declarations::*;
use super::{RawForm, RawForms, RawSpace, fraction, index, size, value};

impl RawForms {
    /// The function from a space whose values are `forms`, each given by its coefficients.
    pub(crate) fn new<'a>(
        domain: &RawSpace,
        range: RawSpace,
        parameters: usize,
        forms: impl Iterator<Item = &'a [i64]>,
    ) -> Result<Self, Refusal> {
        // SAFETY: isl takes a copy and the range, and the space made of them, also where it is null.
        let mut all = Self::given(unsafe {
            let range = range.into_raw();
            isl_multi_aff_zero(isl_space_map_from_domain_and_range(domain.copied(), range))
        })?;
        for (position, form) in forms.enumerate() {
            let form = RawForm::new(domain, parameters, form)?;
            // SAFETY: isl takes both and checks the position.
            all = Self::given(unsafe {
                isl_multi_aff_set_aff(all.into_raw(), index(position), form.into_raw())
            })?;
        }
        Ok(all)
    }

    pub(super) fn first(&self) -> Result<RawForm, Refusal> {
        // SAFETY: the forms live; isl checks the position.
        RawForm::given(unsafe { isl_multi_aff_get_aff(self.as_ptr(), 0) })
    }
}

impl RawForm {
    fn new(domain: &RawSpace, parameters: usize, coefficients: &[i64]) -> Result<Self, Refusal> {
        // SAFETY: isl takes a copy, the form and the value.
        let mut form = Self::given(unsafe {
            isl_aff_set_constant_val(
                isl_aff_zero_on_domain_space(domain.copied()),
                value(coefficients[0]),
            )
        })?;
        for (column, coefficient) in coefficients.iter().enumerate().skip(1) {
            if *coefficient == 0 {
                continue;
            }
            let (kind, position) = if column <= parameters {
                (Dimension::Parameter, column - 1)
            } else {
                (Dimension::Input, column - 1 - parameters)
            };
            // SAFETY: isl takes form and value and checks the position.
            form = Self::given(unsafe {
                let value = value(*coefficient);
                isl_aff_set_coefficient_val(form.into_raw(), kind, index(position), value)
            })?;
        }
        Ok(form)
    }

    /// The common denominator of its coefficients.
    pub(crate) fn denominator(&self) -> Result<i64, Refusal> {
        // SAFETY: the form lives.
        fraction(unsafe { isl_aff_get_denominator_val(self.as_ptr()) }).map(|(value, _)| value)
    }

    /// Its constant: numerator and denominator.
    pub(crate) fn constant(&self) -> Result<(i64, i64), Refusal> {
        // SAFETY: the form lives.
        fraction(unsafe { isl_aff_get_constant_val(self.as_ptr()) })
    }

    /// A coefficient: numerator and denominator.
    pub(crate) fn coefficient(&self, kind: Dimension, at: usize) -> Result<(i64, i64), Refusal> {
        // SAFETY: the form lives; isl checks the position.
        fraction(unsafe { isl_aff_get_coefficient_val(self.as_ptr(), kind, index(at)) })
    }

    /// How many columns of a kind it has.
    pub(crate) fn columns(&self, kind: Dimension) -> Result<usize, Refusal> {
        // SAFETY: the form lives.
        size(unsafe { isl_aff_dim(self.as_ptr(), kind) })
    }

    /// The quotient that is rounded down in a division that it uses: a form with the same divisions.
    pub(crate) fn division(&self, position: usize) -> Result<Self, Refusal> {
        // SAFETY: the form lives; isl checks the position.
        Self::given(unsafe { isl_aff_get_div(self.as_ptr(), index(position)) })
    }
}
