//! The sizes in a sweep from which on a level no longer holds the lines that are reused.

use super::forms::SweepForms;
use super::point::{Point, SweepThreshold};
use premiss_formulas::{Formula, FormulaBuilder, FormulaCase, Piecewise};
use premiss_presburger::{Affine, Column, Refusal};

/// A new formula is a threshold where it exceeds the previous one by more than 1/`NOTABLE` of it.
const NOTABLE: i128 = 20;

impl SweepForms<'_> {
    /// The thresholds within a sweep of one size: where the miss formulas of references grow notably.
    pub(super) fn thresholds(&self, points: &[Point]) -> Vec<SweepThreshold> {
        let mut thresholds = Vec::new();
        let Some(((line_size, _), Ok(form))) = self.derived.iter().find(|(_, form)| form.is_ok())
        else {
            return thresholds;
        };
        let [size] = form.histogram.parameters.as_slice() else {
            return thresholds;
        };
        let name = &self.tree.parameters[size.id].name;
        let swept: Vec<i64> = points
            .iter()
            .filter_map(|point| point.get(name))
            .copied()
            .collect();
        let (Some(least), Some(most)) = (swept.iter().min(), swept.iter().max()) else {
            return thresholds;
        };
        let mut builder = FormulaBuilder::new(&form.histogram, self.options.effort.steps);
        for (level, (_, model)) in self.options.machine.models().enumerate() {
            let geometry = model.geometry;
            if geometry.line_size != *line_size || !model.follows_reuse_distance() {
                continue;
            }
            let lines = geometry.lines();
            for reference in &form.histogram.references {
                let Ok(formula) = builder.misses(&[reference], lines) else {
                    continue;
                };
                for x in changes(&formula).unwrap_or_default() {
                    let value = i64::try_from(x)
                        .ok()
                        .and_then(|x| x.checked_mul(size.factor));
                    let value = value.and_then(|value| value.checked_add(size.residue));
                    if let Some(value) = value.filter(|x| least < x && x <= most) {
                        thresholds.push(SweepThreshold {
                            value,
                            size: name.clone(),
                            level,
                            reference: reference.reference,
                        });
                    }
                }
            }
        }
        thresholds.sort();
        thresholds.dedup();
        thresholds
    }
}

/// The starts of those cases, of a formula in one column, whose value is notably larger than the formula of the
/// previous case would give.
fn changes(formula: &Formula) -> Result<Vec<i128>, Refusal> {
    if formula.piecewise != Piecewise::Disjoint {
        return Ok(Vec::new());
    }
    let mut found: Vec<i128> = Vec::new();
    for pair in formula.cases.windows(2) {
        let [before, after] = pair else { continue };
        let lower = |form: &Affine| {
            (form.coefficient(Column::new(1)) == 1).then(|| i128::from(-form.constant_term()))
        };
        let Some(start) = after.domain.inequalities.iter().find_map(lower) else {
            continue;
        };
        let value = |case: &FormulaCase| case.value.at(&case.domain.values(&[start])?);
        let (old, new) = (value(before)?.floor(), value(after)?.floor());
        if old + old / NOTABLE < new {
            found.push(start);
        }
    }
    Ok(found)
}
