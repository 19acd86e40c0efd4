//! Conditions that data decide in part.
//!
//! In `if (i < 5 && a[i] > 0)`, nothing is known of the second operand. Where `5 <= i`, the condition fails all the same;
//! elsewhere it is *open*: whatever stands in either arm is possible there. That is the three-valued logic of Kleene, case
//! by case.

use crate::condition::{Cases, ConditionCases, Conjunction, Constraint, Disjoint, limit, product};
use crate::evaluate::{Evaluator, Values};
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use premiss_tree::{BinaryOperator, Expression, NestTree, Node, UnaryOperator, VariableId};
use std::collections::BTreeSet;

/// Where a condition holds, where it fails, and where data decide: disjoint, and together everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PartialTruth {
    pub(crate) holds: Disjoint,
    pub(crate) fails: Disjoint,
    pub(crate) open: Disjoint,
}

impl PartialTruth {
    /// Data decide everywhere.
    fn unknown() -> Self {
        Self {
            holds: Vec::new(),
            fails: Vec::new(),
            open: vec![Conjunction::new()],
        }
    }

    fn not(self) -> Self {
        Self {
            holds: self.fails,
            fails: self.holds,
            open: self.open,
        }
    }

    /// One value where it holds, another where it fails.
    pub(crate) fn choose(&self, then: &Cases, otherwise: &Cases) -> Result<Cases, Obstacle> {
        match (&self.open[..], then == otherwise) {
            ([], _) | (_, true) => {
                let (holds, fails) = (self.holds.clone(), self.fails.clone());
                ConditionCases { holds, fails }.choose(then, otherwise)
            }
            (_, false) => Err(Obstacle::Data),
        }
    }

    fn and(self, other: &Self) -> Result<Self, Obstacle> {
        let holds = product(&self.holds, &other.holds)?;
        let mut open = product(&self.holds, &other.open)?;
        let mut fails = product(&self.holds, &other.fails)?;
        for side in [&other.holds, &other.open] {
            open.extend(product(&self.open, side)?);
        }
        fails.extend(product(&self.open, &other.fails)?);
        fails.extend(self.fails);
        limit(open.len().max(fails.len()))?;
        Ok(Self { holds, fails, open })
    }
}

impl From<ConditionCases> for PartialTruth {
    fn from(cases: ConditionCases) -> Self {
        Self {
            holds: cases.holds,
            fails: cases.fails,
            open: Vec::new(),
        }
    }
}

impl Evaluator {
    /// Where an expression is not zero, given the variables that may hold data.
    ///
    /// # Errors
    /// What keeps an operand without data from being decided.
    pub(crate) fn partial_truth(
        &mut self,
        expression: &Expression,
        values: &Values,
        data: &BTreeSet<VariableId>,
    ) -> Result<PartialTruth, Obstacle> {
        let n_holes = self.holes.len();
        let obstacle = match self.truth(expression, values) {
            Ok(cases) => return Ok(cases.into()),
            Err(obstacle) => obstacle,
        };
        self.holes.truncate(n_holes);
        match expression {
            Expression::Unary(UnaryOperator::Not, x) => {
                Ok(self.partial_truth(x, values, data)?.not())
            }
            Expression::Binary(BinaryOperator::And, a, b) => {
                let left = self.partial_truth(a, values, data)?;
                left.and(&self.partial_truth(b, values, data)?)
            }
            Expression::Binary(BinaryOperator::Or, a, b) => {
                let left = self.partial_truth(a, values, data)?.not();
                let right = self.partial_truth(b, values, data)?.not();
                Ok(left.and(&right)?.not())
            }
            _ if holds_data(expression, data) => Ok(PartialTruth::unknown()),
            _ => Err(obstacle),
        }
    }
}

/// What is executed in these cases is possible.
pub(crate) fn as_possible(cases: Disjoint) -> Disjoint {
    let marked = |mut case: Conjunction| {
        case.insert(mark());
        case
    };
    cases.into_iter().map(marked).collect()
}

/// Whether what is executed in a case is certain; removes the mark if it is not.
pub(crate) fn take_certainty(case: &mut Conjunction) -> bool {
    !case.remove(&mark())
}

/// A constraint on a number that nobody knows.
fn mark() -> Constraint {
    Constraint::NotNegative(Polynomial::symbol(Symbol::Chance))
}

/// The variables of a tree that may hold data, or what depends on data, at some time.
pub(crate) fn data_variables(tree: &NestTree) -> BTreeSet<VariableId> {
    let mut assigned = BTreeSet::new();
    Node::assigned(&tree.body, &mut assigned);
    let mut data = tree.variables.keys().collect::<BTreeSet<_>>();
    data.retain(|variable| !assigned.contains(variable));
    loop {
        let n_known = data.len();
        for node in &tree.body {
            node.walk(&mut |node| spread(node, &mut data));
        }
        if data.len() == n_known {
            return data;
        }
    }
}

/// Adds the variables that a node gives a value that depends on data.
fn spread(node: &Node, data: &mut BTreeSet<VariableId>) {
    if !node.expressions().iter().any(|x| holds_data(x, data)) {
        return;
    }
    match node {
        Node::Assign { variable, .. } => {
            data.insert(*variable);
        }
        Node::Loop(inner) => {
            data.insert(inner.variable);
            Node::assigned(&inner.body, data);
        }
        Node::Branch {
            then, otherwise, ..
        } => {
            Node::assigned(then, data);
            Node::assigned(otherwise, data);
        }
        Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
    }
}

fn holds_data(expression: &Expression, data: &BTreeSet<VariableId>) -> bool {
    expression.any(|part| match part {
        Expression::Data => true,
        Expression::Variable(variable) => data.contains(variable),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_forms::{Point, form};

    /// `least <= x`, decided or open.
    fn at_least(least: i64) -> PartialTruth {
        let cases = ConditionCases::not_negative(&form(-least, &[(Symbol::Iterator(0), 1)]));
        cases.expect("it is small").into()
    }

    /// Open where `least <= x`, false elsewhere.
    fn open_from(least: i64) -> PartialTruth {
        PartialTruth::unknown()
            .and(&at_least(least))
            .expect("few cases")
    }

    /// Checks which of true, false and open it is at some numbers.
    fn check(truth: &PartialTruth, expected: impl Fn(i64) -> Option<bool>) {
        for x in -3..=6 {
            let point = Point {
                iterators: &[x],
                sizes: &[],
                floors: &[],
            };
            let count = |cases: &Disjoint| cases.iter().filter(|x| point.satisfies(x)).count();
            let parts = [&truth.holds, &truth.fails, &truth.open].map(count);
            let expected = match expected(x) {
                Some(true) => [1, 0, 0],
                Some(false) => [0, 1, 0],
                None => [0, 0, 1],
            };
            assert_eq!(parts, expected, "{x}");
        }
    }

    #[test]
    fn one_operand_may_decide() {
        let open = open_from(2);
        check(&open, |x| (x < 2).then_some(false));
        check(&open.clone().not(), |x| (x < 2).then_some(true));
        let both = open.clone().and(&at_least(4)).expect("few cases");
        check(&both, |x| (x < 4).then_some(false));
        let some = open.not().and(&at_least(4).not()).expect("few cases").not();
        check(&some, |x| match x {
            4.. => Some(true),
            2 | 3 => None,
            _ => Some(false),
        });
    }

    #[test]
    fn a_mark_is_taken_from_a_case() {
        let mut cases = as_possible(at_least(1).holds);
        assert!(!take_certainty(&mut cases[0]));
        assert_eq!(cases, at_least(1).holds);
        assert!(take_certainty(&mut cases[0]));
    }
}
