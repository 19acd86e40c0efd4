//! Systems side by side as one.
//!
//! The lines between two touches of line `c` of a row are `{ 0 <= x <= c - 1 }` and `{ c + 1 <= x <= N }`, two blocks whose
//! lengths depend on `c`. Together with the line itself they are `{ 0 <= x <= N }`, of which nothing depends on `c`.

use premiss_presburger::{Affine, Refusal, System};

/// Disjoint systems with the same points as these within a context, which are disjoint, and fewer of them where two are
/// side by side.
///
/// Two systems are if a constraint `0 <= e` of one and `0 <= -1 - e` of the other are opposite, and all other constraints of
/// each hold on the other one: then these others make the union.
///
/// # Errors
/// A coefficient does not fit 64 bits.
pub(crate) fn joined(systems: Vec<System>, context: &System) -> Result<Vec<System>, Refusal> {
    let mut all: Vec<Region> = Vec::with_capacity(systems.len());
    for system in systems {
        let mut region = Region::new(system, context)?;
        if region.inside.is_infeasible() {
            // All constraints would hold on it.
            continue;
        }
        let mut idx = 0;
        while idx < all.len() {
            match all[idx].with(&region)? {
                None => idx += 1,
                Some(union) => {
                    all.remove(idx);
                    region = Region::new(union, context)?;
                    // It may be beside others now.
                    idx = 0;
                }
            }
        }
        all.push(region);
    }
    all.into_iter().map(Region::finish).collect()
}

/// A system with inequalities only.
struct Region {
    system: System,
    /// The same within the context.
    inside: System,
}

impl Region {
    fn new(mut system: System, context: &System) -> Result<Self, Refusal> {
        for form in std::mem::take(&mut system.equalities) {
            let opposite = form.times(-1)?;
            system.inequalities.extend([form, opposite]);
        }
        let mut inside = system.clone();
        inside.require(context);
        Ok(Self { system, inside })
    }

    /// The union with another one, if that is one system.
    fn with(&self, other: &Self) -> Result<Option<System>, Refusal> {
        if self.system.floors != other.system.floors {
            return Ok(None);
        }
        for own in &self.system.inequalities {
            let opposite = own.complement()?;
            let is_beside = other.system.inequalities.contains(&opposite)
                && other.holds_but(own, &self.system)
                && self.holds_but(&opposite, &other.system);
            if is_beside {
                let mut union = self.system.clone();
                union.inequalities.retain(|form| form != own);
                for form in &other.system.inequalities {
                    if *form != opposite && !union.inequalities.contains(form) {
                        union.inequalities.push(form.clone());
                    }
                }
                return Ok(Some(union));
            }
        }
        Ok(None)
    }

    /// Whether all constraints of a system but one hold here.
    fn holds_but(&self, but: &Affine, system: &System) -> bool {
        let mut others = system.inequalities.iter().filter(|form| *form != but);
        others.all(|form| {
            self.system.inequalities.contains(form)
                || self.inside.implies(&form.widened(self.inside.columns()))
        })
    }

    /// The system, with equalities for opposite inequalities.
    fn finish(self) -> Result<System, Refusal> {
        let mut system = self.system;
        let mut open = std::mem::take(&mut system.inequalities);
        while let Some(form) = open.pop() {
            let opposite = form.times(-1)?;
            match open.iter().position(|other| *other == opposite) {
                Some(idx) => {
                    open.remove(idx);
                    system.equalities.push(form);
                }
                None => system.inequalities.push(form),
            }
        }
        Ok(system)
    }
}
