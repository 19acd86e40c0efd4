//! Emptiness, implication, redundancy.

use crate::elimination::Eliminator;
use crate::space::Space;
use crate::{Affine, Refusal, System};
use std::cell::RefCell;

/// Whether no integer point satisfies what is demanded over so many columns.
fn contradictory(width: usize, demand: impl FnOnce(&mut Eliminator)) -> bool {
    thread_local! {
        /// Its memory is reused from one question to the next.
        static ELIMINATOR: RefCell<Eliminator> = RefCell::default();
    }
    ELIMINATOR.with_borrow_mut(|eliminator| {
        eliminator.start(width);
        demand(eliminator);
        eliminator.infeasible()
    })
}

impl System {
    /// Whether it certainly has no integer point. If the answer is no, it may have one.
    #[must_use]
    pub fn is_infeasible(&self) -> bool {
        contradictory(self.columns(), |eliminator| self.demand(eliminator))
    }

    /// Whether it certainly has no integer point in common with another system over the same
    /// variables. If the answer is no, there may be one.
    #[must_use]
    pub fn is_apart_from(&self, other: &Self) -> bool {
        assert_eq!(self.variables, other.variables, "over the same variables");
        if !other.floors.is_empty() {
            return self.intersected(other).is_infeasible();
        }
        contradictory(self.columns(), |eliminator| {
            self.demand(eliminator);
            other.demand(eliminator);
        })
    }

    /// Whether a form is certainly not negative on all of its points.
    #[must_use]
    pub fn implies(&self, form: &Affine) -> bool {
        contradictory(self.columns(), |eliminator| {
            self.demand(eliminator);
            eliminator.negative(form.coefficients());
        })
    }

    /// The system without constraints that the others and the context imply: the same points within
    /// the context, and perhaps others outside.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub fn without_redundant(&self, context: &Self) -> Result<Self, Refusal> {
        let mut lean = self.clone();
        let implied = |given: &Self, form: &Affine| {
            let all = given.intersected(context);
            all.implies(&form.widened(all.columns()))
        };
        for index in (0..lean.inequalities.len()).rev() {
            let form = lean.inequalities.remove(index);
            if !implied(&lean, &form) {
                lean.inequalities.insert(index, form);
            }
        }
        for index in (0..lean.equalities.len()).rev() {
            let form = lean.equalities.remove(index);
            if !implied(&lean, &form) || !implied(&lean, &form.times(-1)?) {
                lean.equalities.insert(index, form);
            }
        }
        lean.without_idle_floors()
    }

    /// The same system without floors that no constraint needs.
    fn without_idle_floors(&self) -> Result<Self, Refusal> {
        let mut space = Space::new(self.variables);
        let map = space.absorb(self);
        let equalities = space.rows(&self.equalities, &map);
        let inequalities = space.rows(&self.inequalities, &map);
        let lean = space.system(&equalities, &inequalities, &crate::Polynomial::zero())?;
        Ok(lean.0)
    }

    /// Hands over the constraints without floors.
    pub(crate) fn demand_of_variables(&self, eliminator: &mut Eliminator) {
        let of_variables =
            |form: &&Affine| form.support().all(|column| column.place() < self.variables);
        for form in self.equalities.iter().filter(of_variables) {
            eliminator.equality(&form.coefficients()[..=self.variables]);
        }
        for form in self.inequalities.iter().filter(of_variables) {
            eliminator.inequality(&form.coefficients()[..=self.variables]);
        }
    }

    /// Hands over all constraints, those between floors and their numerators included.
    pub(crate) fn demand(&self, eliminator: &mut Eliminator) {
        let forms = self.equalities.iter().map(Affine::coefficients);
        forms.for_each(|row| eliminator.equality(row));
        let forms = self.inequalities.iter().map(Affine::coefficients);
        forms.for_each(|row| eliminator.inequality(row));
        for (index, floor) in self.floors.iter().enumerate() {
            let own = Affine::variable(self.columns(), self.floor_column(index));
            let Ok(rest) = floor.numerator.plus(-floor.denominator, &own) else {
                continue;
            };
            eliminator.inequality(rest.coefficients());
            let room = Affine::constant(self.columns(), floor.denominator - 1);
            if let Ok(room) = room.plus(-1, &rest) {
                eliminator.inequality(room.coefficients());
            }
        }
    }
}
