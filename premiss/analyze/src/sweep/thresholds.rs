//! Sizes of a sweep at which a level begins to lose what it held.

use super::forms::SweepForms;
use super::point::{Point, SweepThreshold};
use premiss_formulas::{Formula, FormulaBuilder, FormulaCase, Piecewise};
use premiss_presburger::Refusal;

/// A new formula is a threshold where it differs from the one before by more than a part of this.
const NOTABLE: i128 = 20;

impl SweepForms<'_> {
    /// Where one size is swept: where the formulas of references change notably, within the sweep.
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

/// Where a case of a formula in one column begins whose value is notably larger than that of the case
/// before would be.
fn changes(formula: &Formula) -> Result<Vec<i128>, Refusal> {
    if formula.piecewise != Piecewise::Disjoint {
        return Ok(Vec::new());
    }
    let mut found: Vec<i128> = Vec::new();
    for pair in formula.cases.windows(2) {
        let [before, after] = pair else { continue };
        let lower = |form: &premiss_presburger::Affine| {
            (form.coefficient(1) == 1).then(|| i128::from(-form.constant_term()))
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
