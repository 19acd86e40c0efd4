//! Domains of pieces, prepared for evaluation at many sizes.

use crate::row::AxisRow;
use crate::shape::ConstrainedBox;
use crate::sizes::{Quantities, QuantityId, QuantitySum, QuantityTable};
use premiss_arithmetic::AXES;
use premiss_presburger::{Affine, Column, Refusal, System};
use std::collections::HashMap;

/// The number of a domain.
pub(crate) type DomainId = usize;

/// The domains of a form, each once: many entries hold in the same ones.
#[derive(Default, Debug)]
pub(crate) struct DomainTable {
    domains: Vec<Conditions>,
    ids: HashMap<(System, Vec<Column>), Option<DomainId>>,
}

/// The constraints of a domain: those on the sizes alone, and those on axes.
#[derive(Debug)]
struct Conditions {
    axes: usize,
    /// Sums that are zero.
    equalities: Vec<QuantitySum>,
    /// Sums that are not negative.
    inequalities: Vec<QuantitySum>,
    /// The constraints on axes: for each row its constant as a sum, and the row without the constant.
    rows: Vec<(QuantitySum, AxisRow)>,
}

/// Where a domain holds at given sizes: nowhere, or at points of a shape.
pub(crate) type Points = Result<Option<ConstrainedBox>, Refusal>;

impl DomainTable {
    /// The id of a domain over sizes and axes, `names` having the quantity of each column that has one; `None` where
    /// the domain has floors of axes.
    pub(crate) fn of(
        &mut self,
        system: &System,
        axes: &[Column],
        names: &[Option<QuantityId>],
        sizes: &mut QuantityTable,
    ) -> Option<DomainId> {
        let key = (system.clone(), axes.to_vec());
        if let Some(known) = self.ids.get(&key) {
            return *known;
        }
        let made = Conditions::new(system, axes, names, sizes);
        let place = made.map(|conditions| {
            self.domains.push(conditions);
            self.domains.len() - 1
        });
        self.ids.insert(key, place);
        place
    }

    /// Where each domain holds at given sizes.
    pub(crate) fn at(&self, quantities: &Quantities<'_>) -> Vec<Points> {
        let points = |conditions: &Conditions| conditions.at(quantities);
        self.domains.iter().map(points).collect()
    }
}

impl Conditions {
    fn new(
        system: &System,
        axes: &[Column],
        names: &[Option<QuantityId>],
        sizes: &mut QuantityTable,
    ) -> Option<Self> {
        let mut conditions = Self {
            axes: axes.len(),
            equalities: Vec::new(),
            inequalities: Vec::new(),
            rows: Vec::new(),
        };
        for form in &system.equalities {
            let (sum, row) = split(form, axes, names, sizes)?;
            if row.single() == Some(None) {
                conditions.equalities.push(sum);
                continue;
            }
            conditions.rows.push((sum, row));
            let (sum, row) = split(&form.times(-1).ok()?, axes, names, sizes)?;
            conditions.rows.push((sum, row));
        }
        for form in &system.inequalities {
            let (sum, row) = split(form, axes, names, sizes)?;
            match row.single() {
                Some(None) => conditions.inequalities.push(sum),
                _ => conditions.rows.push((sum, row)),
            }
        }
        Some(conditions)
    }

    fn at(&self, quantities: &Quantities<'_>) -> Points {
        for sum in &self.equalities {
            if quantities.of(*sum)? != 0 {
                return Ok(None);
            }
        }
        for sum in &self.inequalities {
            if quantities.of(*sum)? < 0 {
                return Ok(None);
            }
        }
        let mut rows = Vec::with_capacity(self.rows.len());
        for (constant, row) in &self.rows {
            let constant = quantities.of(*constant)?;
            rows.push(AxisRow { constant, ..*row });
        }
        ConstrainedBox::new(self.axes, rows)
    }
}

/// A form as a sum of quantities and a row of axes; `None` where it contains another column.
fn split(
    form: &Affine,
    axes: &[Column],
    names: &[Option<QuantityId>],
    sizes: &mut QuantityTable,
) -> Option<(QuantitySum, AxisRow)> {
    let (mut terms, mut row) = (Vec::new(), AxisRow::new(0));
    for (column, coefficient) in Column::first(form.columns()).zip(form.coefficients()) {
        if *coefficient == 0 {
            continue;
        }
        if let Some(quantity) = names[column] {
            terms.push((quantity, *coefficient));
        } else {
            let axis = axes.iter().position(|axis| *axis == column)?;
            row = row.plus(axis, *coefficient).ok()?;
        }
    }
    debug_assert!(axes.len() <= AXES, "rows have room");
    Some((sizes.sum(&terms)?, row))
}
