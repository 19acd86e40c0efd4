//! Checks that no two arrays share a line.

use crate::condition::{Conjunction, may_all_be};
use crate::delinearise::keeping_within;
use crate::evaluate::Values;
use crate::execute::{AccessItem, not_negative};
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::{ExpressionSite, Obstacle, Reject};
use crate::size_conditions::{Scale, preventing, require};
use crate::spaces::{Lowering, Space};
use premiss_tree::{ArrayId, ReferenceId, SecondaryMap};
use std::collections::BTreeMap;

impl Lowering<'_> {
    /// Requires sizes for which no access lies outside its array as declared, and so on a line of another array; fails
    /// where there are none.
    pub(crate) fn require_bounds(
        &mut self,
        array: ArrayId,
        accesses: &[&AccessItem],
        space: &Space,
    ) -> Result<(), Reject> {
        let Some(extent) = &self.tree.arrays[array].extent else {
            return self.require_starts(accesses, space);
        };
        let extent = self.evaluator.value(extent, &Values::new());
        let Some(extent) = extent.ok().and_then(|extent| extent.single().cloned()) else {
            return Ok(());
        };
        let scale = match extent.as_constant() {
            Some(_) => Scale::Few,
            None => Scale::Any,
        };
        let mut subscripts = space.subscripts.iter();
        for access in accesses {
            let reference = access.reference;
            let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Address(reference));
            let size = i64::from(self.tree.references[reference].size);
            let rows = match space.naming.strides.first() {
                Some(stride) => Some(extent.divided(stride).map_err(at)?),
                None => None,
            };
            for ((domain, offset), subscript) in access.cases.iter().zip(subscripts.by_ref()) {
                let domain = &self.evaluator.with_floors(domain, offset).map_err(at)?;
                // Where the extent is no whole number of rows, bytes are compared instead of rows.
                let (own, length, size) = match &rows {
                    Some((length, rest)) if *rest == Polynomial::default() => {
                        (&subscript[0], length, 1)
                    }
                    _ => (offset, &extent, size),
                };
                let conditions = match length.is_affine() && own.is_affine() {
                    true => keeping_within(domain, own, length, size, scale).map_err(at)?,
                    false => None,
                };
                self.require(conditions.ok_or(Reject::OutOfBounds(reference))?)
                    .map_err(at)?;
            }
        }
        Ok(())
    }

    /// Requires sizes for which no access to an array of unknown extent lies before its start; fails where there are
    /// none.
    fn require_starts(&mut self, accesses: &[&AccessItem], space: &Space) -> Result<(), Reject> {
        let mut subscripts = space.subscripts.iter();
        for access in accesses {
            let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Address(access.reference));
            for ((domain, offset), subscript) in access.cases.iter().zip(subscripts.by_ref()) {
                // Subscripts with quotients or remainders are not examined: they are trusted.
                if subscript[0].mentions(|symbol| matches!(symbol, Symbol::Floor(_))) {
                    continue;
                }
                let before = subscript[0].scaled(-1).and_then(|x| x.plus_constant(-1));
                let before = before.map_err(at)?;
                let domain = &self.evaluator.with_floors(domain, offset).map_err(at)?;
                if may_all_be(domain.iter().chain(&not_negative(before.clone()))) {
                    let condition = preventing(domain, &before, Scale::Any).map_err(at)?;
                    let condition = condition.ok_or(Reject::OutOfBounds(access.reference))?;
                    self.require(Conjunction::from([condition])).map_err(at)?;
                }
            }
        }
        Ok(())
    }

    /// Takes conditions on sizes for granted from the next attempt on.
    pub(crate) fn require(&mut self, conditions: Conjunction) -> Result<(), Obstacle> {
        let mut conditions = conditions.into_iter();
        conditions.try_for_each(|condition| require(&mut self.required, condition))
    }

    /// Fails where the lines of two arrays may meet.
    pub(crate) fn check_apart(
        &mut self,
        bases: &SecondaryMap<ArrayId, u64>,
        by_array: &BTreeMap<ArrayId, Vec<&AccessItem>>,
    ) -> Result<(), Reject> {
        let mut order: Vec<(i64, ArrayId)> = Vec::new();
        for array in by_array.keys() {
            let base = i64::try_from(bases[*array]).map_err(|_| Reject::UnalignedBase(*array))?;
            order.push((base, *array));
        }
        order.sort_unstable();
        for pair in order.windows(2) {
            let (below, above) = (pair[0], pair[1]);
            // Between them lies a border of lines: where one starts or the other ends.
            let start = above.0 - above.0.rem_euclid(self.line);
            let end = self
                .declared_end(below.1)
                .and_then(|end| end.checked_add(below.0));
            let end = end.and_then(|end| {
                let beyond = end.checked_add(self.line - 1)?;
                Some(beyond - beyond.rem_euclid(self.line))
            });
            let mut is_apart = false;
            for border in [Some(start), end].into_iter().flatten() {
                is_apart |= self.keeps_below(&by_array[&below.1], border - below.0)?
                    && self.keeps_above(&by_array[&above.1], border - above.0)?;
            }
            if !is_apart {
                return Err(Reject::SharedLine(below.1, above.1));
            }
        }
        Ok(())
    }

    /// The size of an array in bytes, where it is declared and a number.
    fn declared_end(&mut self, array: ArrayId) -> Option<i64> {
        let extent = self.tree.arrays[array].extent.as_ref()?;
        let extent = self.evaluator.value(extent, &Values::new()).ok()?;
        extent.single()?.as_constant()
    }

    /// Whether no access to an array touches a byte from some offset on.
    fn keeps_below(&self, accesses: &[&AccessItem], offset: i64) -> Result<bool, Reject> {
        self.never(accesses, |access, own| {
            let size = i64::from(self.tree.references[access].size);
            own.plus_constant(size)?.plus_constant(-offset - 1)
        })
    }

    /// Whether no access to an array touches a byte before some offset.
    fn keeps_above(&self, accesses: &[&AccessItem], offset: i64) -> Result<bool, Reject> {
        self.never(accesses, |_, own| own.scaled(-1)?.plus_constant(offset - 1))
    }

    /// Whether a function of the offset of each access is always negative.
    fn never(
        &self,
        accesses: &[&AccessItem],
        function: impl Fn(ReferenceId, &Polynomial) -> Result<Polynomial, Obstacle>,
    ) -> Result<bool, Reject> {
        for access in accesses {
            let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Address(access.reference));
            for (domain, offset) in &access.cases {
                let violation = function(access.reference, offset).map_err(at)?;
                let violation = not_negative(violation);
                if may_all_be(domain.iter().chain(&violation)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
