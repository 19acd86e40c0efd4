//! Unions as disjoint unions.
//!
//! `a \ b`, `b` being the conjunction of `r1, r2, …`, is the disjoint union of `a ∧ ¬r1`,
//! `a ∧ r1 ∧ ¬r2`, and so on. Constraints of `b` that `a` implies make no part.

use crate::elimination::Eliminator;
use crate::region::Region;
use crate::rows::{RowMatrix, add, opposite};
use crate::space::Space;
use crate::{Budget, Column, Refusal, System};

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
    let mut space = Space::new(context.variables);
    let maps: Vec<Vec<Column>> = order.iter().map(|system| space.absorb(system)).collect();
    let mut cutter = Cutter {
        budget,
        context,
        space: &space,
        eliminator: Eliminator::default(),
    };
    let mut holes: Vec<Region> = Vec::new();
    let mut union = Vec::new();
    for (system, map) in order.iter().zip(&maps) {
        let region = Region::of(&space, system, map)?;
        if cutter.is_infeasible(&region, None, None)? {
            continue;
        }
        union.extend(cutter.outside(&region, &holes)?);
        holes.push(region);
    }
    union.iter().map(|region| region.system(&space)).collect()
}

struct Cutter<'a> {
    budget: &'a mut Budget,
    context: &'a System,
    space: &'a Space,
    eliminator: Eliminator,
}

impl Cutter<'_> {
    /// The parts of a region that are outside some holes.
    fn outside(&mut self, region: &Region, holes: &[Region]) -> Result<Vec<Region>, Refusal> {
        let mut parts = vec![region.clone()];
        for hole in holes.iter().filter(|hole| !region.is_apart_from(hole)) {
            let mut left = Vec::with_capacity(parts.len());
            for part in parts {
                self.subtract(part, hole, &mut left)?;
            }
            parts = left;
        }
        Ok(parts)
    }

    /// Adds the parts of `whole` that are outside `hole`.
    fn subtract(
        &mut self,
        whole: Region,
        hole: &Region,
        parts: &mut Vec<Region>,
    ) -> Result<(), Refusal> {
        if whole.is_apart_from(hole) || self.is_infeasible(&whole, Some(hole), None)? {
            parts.push(whole);
            return Ok(());
        }
        let mut inside = whole;
        for row in hole.equalities().iter() {
            for side in [row, &opposite(row)?] {
                self.cut(&inside, side, parts)?;
            }
            inside.require_zero(row)?;
        }
        for row in hole.inequalities().iter() {
            if self.cut(&inside, row, parts)? {
                inside.require(row);
            }
        }
        Ok(())
    }

    /// Adds the part where a row is negative; whether there may be one.
    fn cut(
        &mut self,
        inside: &Region,
        row: &[i64],
        parts: &mut Vec<Region>,
    ) -> Result<bool, Refusal> {
        if inside.has(row) || self.is_infeasible(inside, None, Some(row))? {
            return Ok(false);
        }
        let mut outside = opposite(row)?;
        add(&mut outside, -1, &[1])?;
        let mut part = inside.clone();
        part.require(&outside);
        parts.push(part);
        Ok(true)
    }

    /// Whether a region has no point in the context, in another region, and where a row is negative.
    fn is_infeasible(
        &mut self,
        region: &Region,
        also: Option<&Region>,
        negative: Option<&[i64]>,
    ) -> Result<bool, Refusal> {
        self.eliminator.start(self.space.width());
        for region in std::iter::once(region).chain(also) {
            let demand =
                |rows: &RowMatrix, of: fn(&mut Eliminator, &[i64]), to: &mut Eliminator| {
                    rows.iter().for_each(|row| of(to, row));
                };
            let eliminator = &mut self.eliminator;
            demand(region.equalities(), Eliminator::equality, eliminator);
            demand(region.inequalities(), Eliminator::inequality, eliminator);
        }
        self.context.demand_of_variables(&mut self.eliminator);
        if let Some(row) = negative {
            self.eliminator.negative(row);
        }
        self.space.define(&mut self.eliminator)?;
        let infeasible = self.eliminator.infeasible();
        self.budget.spend(self.eliminator.steps())?;
        Ok(infeasible)
    }
}
