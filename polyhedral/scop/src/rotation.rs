//! Variables that a loop exchanges: those of swapped pointers.
//!
//! A body that ends with `old = a; a = b; b = old` leaves in each variable what another one held at its start. After a
//! few iterations each holds its own value again: with `a = 0`, `b = 1` on entry, `a` is 0 after an even number of
//! iterations and 1 after an odd one.

use crate::condition::{Cases, ConditionCases};
use crate::evaluate::{Evaluator, VariableValue};
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use premiss_tree::VariableId;
use std::collections::BTreeMap;

/// No more variables than this are exchanged for each other.
const MOST_VARIABLES: usize = 4;

/// A variable, and those whose values on entry it holds after no iteration, one, two, …, until it holds its own again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rotation(pub(crate) Vec<VariableId>);

/// The rotations among variables, given what the body leaves in each in terms of what they hold at its start.
pub(crate) fn rotations(after: &BTreeMap<VariableId, &Polynomial>) -> Vec<Rotation> {
    let source = |variable: VariableId| {
        let mut terms = after.get(&variable)?.terms();
        let only = terms.next().filter(|_| terms.next().is_none());
        match only {
            Some((&[Symbol::Carried(source)], 1)) => Some(source),
            _ => None,
        }
    };
    let cycle = |start: VariableId| {
        let mut around = vec![start];
        let mut next = source(start)?;
        while next != start {
            if MOST_VARIABLES <= around.len() {
                return None;
            }
            around.push(next);
            next = source(next)?;
        }
        (1 < around.len()).then_some(Rotation(around))
    };
    after
        .keys()
        .filter_map(|variable| cycle(*variable))
        .collect()
}

impl Rotation {
    /// The variable whose values these are.
    pub(crate) fn variable(&self) -> VariableId {
        self.0[0]
    }

    /// What it holds after so many iterations, given what each variable holds on entry.
    pub(crate) fn value(
        &self,
        entry: impl Fn(VariableId) -> VariableValue,
        count: &VariableValue,
        evaluator: &mut Evaluator,
    ) -> VariableValue {
        let values: Vec<Cases> = self.0.iter().map(|x| entry(*x)).collect::<Result<_, _>>()?;
        if values.iter().all(|value| *value == values[0]) {
            return Ok(values[0].clone());
        }
        let period = i64::try_from(values.len()).map_err(|_| Obstacle::Overflow)?;
        let count = count.as_ref().map_err(|obstacle| *obstacle)?;
        let place = count.map(|count| Ok(Cases::always(evaluator.remainder(count, period)?)))?;
        let mut chosen = values[0].clone();
        for (least, value) in (0..).zip(&values).skip(1) {
            let is_there =
                |place: &Polynomial| ConditionCases::not_negative(&place.plus_constant(-least)?);
            chosen = place.condition(is_there)?.choose(value, &chosen)?;
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::EntityRef;

    #[test]
    fn what_is_exchanged_goes_round_and_what_is_copied_does_not() {
        let [a, b, old, last] = [0, 1, 2, 3].map(VariableId::new);
        let carried = |x| Polynomial::symbol(Symbol::Carried(x));
        let more = carried(last).plus_constant(1).expect("it is small");
        let held = [
            (a, carried(b)),
            (b, carried(a)),
            (old, carried(a)),
            (last, more),
        ];
        let after: BTreeMap<_, _> = held.iter().map(|(x, value)| (*x, value)).collect();
        let expected = [Rotation(vec![a, b]), Rotation(vec![b, a])];
        assert_eq!(rotations(&after), expected);
    }
}
