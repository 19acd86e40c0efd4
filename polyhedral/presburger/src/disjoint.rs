//! Unions as disjoint unions.
//!
//! `a \ b`, `b` being the conjunction of `r1, r2, …`, is the disjoint union of `a ∧ ¬r1`,
//! `a ∧ r1 ∧ ¬r2`, and so on. Constraints of `b` that `a` implies make no part.

use crate::elimination::Eliminator;
use crate::outline::Outline;
use crate::{Affine, Budget, Refusal, System};

/// The union of systems over the same variables as a union of systems that have no point in common,
/// both within a context: points outside of it may be lost, or be in several systems.
///
/// # Errors
/// The budget runs out, or a coefficient does not fit 64 bits.
pub fn disjoint(
    systems: &[System],
    context: &System,
    budget: &mut Budget,
) -> Result<Vec<System>, Refusal> {
    let mut order: Vec<&System> = systems.iter().collect();
    // Those of few constraints are the large ones: what comes later is more often within them.
    order.sort_by_key(|system| 2 * system.equalities.len() + system.inequalities.len());
    let mut cutter = Cutter {
        budget,
        context,
        eliminator: Eliminator::default(),
    };
    let outlines: Vec<Outline> = order.iter().map(|system| Outline::of(system)).collect();
    let mut union = Vec::new();
    for (index, system) in order.iter().enumerate() {
        let mut parts = vec![(*system).clone()];
        let earlier = order.iter().zip(&outlines).take(index);
        for (hole, _) in earlier.filter(|(_, outline)| !outlines[index].is_apart_from(outline)) {
            let mut left = Vec::new();
            for part in parts {
                cutter.subtract(part, hole, &mut left)?;
            }
            parts = left;
        }
        for part in parts {
            if !cutter.is_infeasible(&part, &[])? {
                union.push(part);
            }
        }
    }
    Ok(union)
}

struct Cutter<'a> {
    budget: &'a mut Budget,
    context: &'a System,
    eliminator: Eliminator,
}

impl Cutter<'_> {
    /// Adds the parts of `whole` that are outside `hole`.
    fn subtract(
        &mut self,
        whole: System,
        hole: &System,
        parts: &mut Vec<System>,
    ) -> Result<(), Refusal> {
        let both = whole.intersected(hole);
        if self.is_infeasible(&both, &[])? {
            parts.push(whole);
            return Ok(());
        }
        let mut inside = both.clone();
        inside.equalities.truncate(whole.equalities.len());
        inside.inequalities.truncate(whole.inequalities.len());
        for form in &both.equalities[whole.equalities.len()..] {
            for row in [form.clone(), form.times(-1)?] {
                self.cut(&inside, &row, parts)?;
            }
            inside.equalities.push(form.clone());
        }
        for form in &both.inequalities[whole.inequalities.len()..] {
            if self.cut(&inside, form, parts)? {
                inside.inequalities.push(form.clone());
            }
        }
        Ok(())
    }

    /// Adds the part where a form is negative; whether there may be one.
    fn cut(
        &mut self,
        inside: &System,
        form: &Affine,
        parts: &mut Vec<System>,
    ) -> Result<bool, Refusal> {
        if self.is_infeasible(inside, form.coefficients())? {
            return Ok(false);
        }
        let mut part = inside.clone();
        let outside = form.times(-1)?;
        let one = Affine::constant(form.columns(), 1);
        part.inequalities.push(outside.plus(-1, &one)?);
        parts.push(part);
        Ok(true)
    }

    /// Whether a system has no point in the context where a form is negative; an empty form demands nothing.
    fn is_infeasible(&mut self, system: &System, negative: &[i64]) -> Result<bool, Refusal> {
        self.eliminator.start(system.columns());
        system.demand(&mut self.eliminator);
        self.context.demand_of_variables(&mut self.eliminator);
        if !negative.is_empty() {
            self.eliminator.negative(negative);
        }
        let infeasible = self.eliminator.infeasible();
        self.budget.spend(self.eliminator.steps())?;
        Ok(infeasible)
    }
}
