//! Integers that are loaded from elements of which nobody knows the number: their least and greatest.
//!
//! An element that a loop's iterator subscripts holds another number in each iteration. Where nothing in
//! the loops around stores to the array, the least and the greatest of what is loaded at one place of the text
//! are sizes, named after it: `min(first[i])`, `max(last[i])`. A loop that runs from or to such a number has
//! its iterations among those of the loop from the least to the greatest, its [`BoundingRange`].
//!
//! ```text
//! for (i = 0; i < n; i++)
//!     for (k = first[i]; k < last[i]; k++)     within k = min(first[i]); k < max(last[i])
//! ```

use super::integers::{plus, times};
use super::value::{ArrayRow, Value};
use super::{Lowered, Lowering};
use crate::syntax::At;
use premiss_tree::{
    BinaryOperator as Op, BoundingRange, Comparison, Expression, IntegerType, Loop, LoopId, Node,
    ParameterId, ParameterKind, UnaryOperator, VariableId,
};
use std::collections::BTreeMap;

/// The least and the greatest of some numbers.
type Range = [Expression; 2];

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

/// What is known of the numbers that are loaded from such elements.
#[derive(Default)]
pub(super) struct Extremes {
    /// By array and by the text of the load.
    sizes: BTreeMap<(ArrayRow, String), Range>,
    /// Of the variables that stand for one load each.
    ranges: BTreeMap<VariableId, Range>,
    /// Whether what is evaluated may become a loop's first value or bound.
    is_wanted: bool,
}

impl End {
    fn other(self) -> Self {
        match self {
            Self::Least => Self::Greatest,
            Self::Greatest => Self::Least,
        }
    }
}

impl Lowering<'_> {
    /// Lowers with integers by name that are loaded nobody knows from which element, or without.
    pub(super) fn with_extremes<T>(
        &mut self,
        is_wanted: bool,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let around = std::mem::replace(&mut self.extremes.is_wanted, is_wanted);
        let result = lower(self);
        self.extremes.is_wanted = around;
        result
    }

    /// Whether what is evaluated may become a loop's first value or bound.
    pub(super) fn wants_extremes(&self) -> bool {
        self.extremes.is_wanted
    }

    /// A number that was loaded from an array which keeps what it holds: a variable that nothing assigns.
    pub(super) fn loaded_between(
        &mut self,
        row: ArrayRow,
        kind: IntegerType,
        at: At,
    ) -> Option<Value> {
        if !self.extremes.is_wanted {
            return None;
        }
        let text = self.reference_name(at);
        let key = (row, text);
        let range = match self.extremes.sizes.get(&key) {
            Some(range) => range.clone(),
            None => {
                let range = ["min", "max"].map(|end| self.extreme(end, &key.1, kind, at));
                self.extremes.sizes.insert(key.clone(), range.clone());
                range
            }
        };
        let id = self.unassigned(&key.1, kind);
        self.extremes.ranges.insert(id, range);
        Some(Value::Integer(Expression::Variable(id), kind))
    }

    fn extreme(&mut self, end: &str, text: &str, kind: IntegerType, at: At) -> Expression {
        let size = self.minted(&format!("{end}({text})"), kind, at);
        if let Some(row) = self.parameters.last_mut() {
            row.meaning = ParameterKind::Extremum;
        }
        size
    }

    /// What loops run within that run from or to such numbers.
    pub(super) fn bounding_ranges(&self, nodes: &[Node]) -> BTreeMap<LoopId, BoundingRange> {
        let mut found = BTreeMap::new();
        if self.extremes.ranges.is_empty() {
            return found;
        }
        let mut note = |node: &Node| {
            if let Node::Loop(inner) = node
                && let Some(enclosure) = self.enclosure(inner)
            {
                found.insert(inner.id, enclosure);
            }
        };
        nodes.iter().for_each(|node| node.walk(&mut note));
        found
    }

    fn enclosure(&self, inner: &Loop) -> Option<BoundingRange> {
        let is_between = |x: &Expression| {
            x.any(|part| matches!(part, Expression::Variable(id) if self.extremes.ranges.contains_key(id)))
        };
        if !is_between(&inner.first) && !is_between(&inner.bound) {
            return None;
        }
        let step = inner.step.as_integer()?;
        let start = match inner.comparison {
            Comparison::Less | Comparison::LessEqual if 0 < step => End::Least,
            Comparison::Greater | Comparison::GreaterEqual if step < 0 => End::Greatest,
            _ => return None,
        };
        // From another first value on, iterations of a wider step are elsewhere.
        let step = match is_between(&inner.first) {
            true => step.signum(),
            false => step,
        };
        Some(BoundingRange {
            first: self.end_of(&gathered(&inner.first), start)?,
            bound: self.end_of(&gathered(&inner.bound), start.other())?,
            step,
        })
    }

    /// A number that an expression is never beyond; the expression itself where it mentions no range.
    fn end_of(&self, expression: &Expression, end: End) -> Option<Expression> {
        Some(match expression {
            Expression::Integer(_) | Expression::Parameter(_) => expression.clone(),
            Expression::Variable(id) => match self.extremes.ranges.get(id) {
                Some([least, greatest]) => match end {
                    End::Least => least.clone(),
                    End::Greatest => greatest.clone(),
                },
                None => expression.clone(),
            },
            Expression::Unary(UnaryOperator::Negate, x) => {
                Expression::unary(UnaryOperator::Negate, self.end_of(x, end.other())?)
            }
            Expression::Binary(operator, a, b) => self.end_of_binary(*operator, a, b, end)?,
            other => self.unless_between(other)?,
        })
    }

    fn end_of_binary(
        &self,
        operator: Op,
        a: &Expression,
        b: &Expression,
        end: End,
    ) -> Option<Expression> {
        let towards = |sign: i64| if sign < 0 { end.other() } else { end };
        let (a, b) = match (operator, a.as_integer(), b.as_integer()) {
            (Op::Add | Op::Minimum | Op::Maximum, ..) => {
                (self.end_of(a, end)?, self.end_of(b, end)?)
            }
            (Op::Subtract, ..) => (self.end_of(a, end)?, self.end_of(b, end.other())?),
            (Op::Multiply, Some(factor), _) => (a.clone(), self.end_of(b, towards(factor))?),
            (Op::Multiply, _, Some(factor)) => (self.end_of(a, towards(factor))?, b.clone()),
            (Op::Quotient, _, Some(by)) if by != 0 => (self.end_of(a, towards(by))?, b.clone()),
            _ => (self.unless_between(a)?, self.unless_between(b)?),
        };
        Some(Expression::binary(operator, a, b))
    }

    /// The expression, where it mentions no range, and nothing that only running the program would tell.
    fn unless_between(&self, expression: &Expression) -> Option<Expression> {
        let is_open = |part: &Expression| match part {
            Expression::Variable(id) => self.extremes.ranges.contains_key(id),
            part => *part == Expression::Data,
        };
        (!expression.any(is_open)).then(|| expression.clone())
    }

    /// The extremes that bounding_ranges mention.
    pub(super) fn note_extremes(
        bounding_ranges: &BTreeMap<LoopId, BoundingRange>,
        note: &mut dyn FnMut(ParameterId),
    ) {
        for enclosure in bounding_ranges.values() {
            for part in [&enclosure.first, &enclosure.bound] {
                part.walk(&mut |part| {
                    if let Expression::Parameter(id) = part {
                        note(*id);
                    }
                });
            }
        }
    }
}

/// The same sum with each term once: `m + v - 1 - m + 1` is `v`.
pub(super) fn gathered(expression: &Expression) -> Expression {
    let mut terms = Vec::new();
    let Some(constant) = add_terms(expression, 1, &mut terms) else {
        return expression.clone();
    };
    let terms = terms.into_iter().filter(|(_, factor)| *factor != 0);
    let terms = terms.map(|(term, factor)| times(factor.into(), term));
    match terms.reduce(plus) {
        Some(sum) => plus(sum, constant.into()),
        None => constant.into(),
    }
}

/// Adds so many times an expression to terms and returns its constant part; `None` where numbers are too big.
fn add_terms(
    expression: &Expression,
    factor: i64,
    terms: &mut Vec<(Expression, i64)>,
) -> Option<i64> {
    match expression {
        Expression::Integer(value) => value.checked_mul(factor),
        Expression::Unary(UnaryOperator::Negate, x) => add_terms(x, factor.checked_neg()?, terms),
        Expression::Binary(operator @ (Op::Add | Op::Subtract), a, b) => {
            let of_second = match operator {
                Op::Subtract => factor.checked_neg()?,
                _ => factor,
            };
            let constant = add_terms(a, factor, terms)?;
            constant.checked_add(add_terms(b, of_second, terms)?)
        }
        Expression::Binary(Op::Multiply, a, b) if a.as_integer().is_some() => {
            add_terms(b, factor.checked_mul(a.as_integer()?)?, terms)
        }
        term => {
            match terms.iter_mut().find(|(known, _)| known == term) {
                Some((_, known)) => *known = known.checked_add(factor)?,
                None => terms.push((term.clone(), factor)),
            }
            Some(0)
        }
    }
}
