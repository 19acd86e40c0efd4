//! Ranges of integers loaded from elements with unknown subscripts: their extrema, as symbols.
//!
//! An element subscripted by a loop's iterator has a different value in each iteration. If nothing in the enclosing
//! loops stores to the array, the minimum and the maximum of the values of one load are sizes, named after it:
//! `min(first[i])`, `max(last[i])`. The iterations of a loop from or to such a number are among those of its
//! [`BoundingRange`].
//!
//! ```text
//! for (i = 0; i < n; i++)
//!     for (k = first[i]; k < last[i]; k++)     within k = min(first[i]); k < max(last[i])
//! ```

use crate::domain::integers::collect_terms;
use crate::domain::values::ArrayRow;
use crate::syntax::Name;
use premiss_tree::{
    BinaryOperator as Op, BoundingRange, Comparison, Expression, Loop, LoopId, Node, ParameterId,
    UnaryOperator, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The minimum and the maximum of some numbers.
pub(crate) type ValueRange = [Expression; 2];

/// One of the two ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeEnd {
    Least,
    Greatest,
}

impl RangeEnd {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Least => Self::Greatest,
            Self::Greatest => Self::Least,
        }
    }
}

/// What a range is that of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RangeKey {
    /// The numbers that loads of an array yield, by their text.
    Load(ArrayRow, String),
    /// The numbers in headers of loops of a function, by their text.
    Header(Name, String),
}

/// The ranges of numbers loaded from such elements, and of numbers in headers.
#[derive(Default)]
pub(crate) struct ValueRanges {
    /// By what they are ranges of.
    pub(crate) sizes: BTreeMap<RangeKey, ValueRange>,
    /// Those of the variables that represent one load each.
    pub(crate) ranges: BTreeMap<VariableId, ValueRange>,
    /// Variables of which data determine the value: those that were data at the entry of a loop within another one, or
    /// were assigned such a number, and have not been assigned since.
    pub(crate) unknown: BTreeSet<VariableId>,
    /// Whether the evaluated expression may become a loop's first value or bound.
    pub(crate) is_enabled: bool,
}

impl ValueRanges {
    /// Whether the evaluated expression may become a loop's first value or bound.
    pub(crate) fn are_enabled(&self) -> bool {
        self.is_enabled
    }

    /// Whether the value of an expression depends on data, as far as that is recorded.
    pub(crate) fn is_unknown(&self, expression: &Expression) -> bool {
        expression.any(|part| match part {
            Expression::Variable(id) => self.unknown.contains(id),
            part => *part == Expression::Data,
        })
    }

    /// Whether a value depends on a number with a range, or on a variable of which data determine the value.
    pub(crate) fn holds_data(&self, value: &Expression) -> bool {
        value.any(|part| match part {
            Expression::Variable(id) => self.ranges.contains_key(id) || self.unknown.contains(id),
            _ => false,
        })
    }

    /// The bounding ranges of the loops from or to such numbers.
    pub(crate) fn bounding_ranges(&self, nodes: &[Node]) -> BTreeMap<LoopId, BoundingRange> {
        let mut found = BTreeMap::new();
        if self.ranges.is_empty() {
            return found;
        }
        let mut note = |node: &Node| {
            if let Node::Loop(inner) = node
                && let Some(range) = self.bounding_range(inner)
            {
                found.insert(inner.id, range);
            }
        };
        nodes.iter().for_each(|node| node.walk(&mut note));
        found
    }

    pub(crate) fn bounding_range(&self, inner: &Loop) -> Option<BoundingRange> {
        let is_between = |x: &Expression| {
            x.any(|part| matches!(part, Expression::Variable(id) if self.ranges.contains_key(id)))
        };
        if !is_between(&inner.first) && !is_between(&inner.bound) {
            return None;
        }
        let step = inner.step.as_integer()?;
        let start = match inner.comparison {
            Comparison::Less | Comparison::LessEqual if 0 < step => RangeEnd::Least,
            Comparison::Greater | Comparison::GreaterEqual if step < 0 => RangeEnd::Greatest,
            _ => return None,
        };
        // From another first value, the iterations of a wider step would differ.
        let step = match is_between(&inner.first) {
            true => step.signum(),
            false => step,
        };
        Some(BoundingRange {
            first: self.end_of(&collect_terms(&inner.first), start)?,
            bound: self.end_of(&collect_terms(&inner.bound), start.other())?,
            step,
        })
    }

    /// A bound of an expression in one direction; the expression itself if it mentions no range.
    pub(crate) fn end_of(&self, expression: &Expression, end: RangeEnd) -> Option<Expression> {
        Some(match expression {
            Expression::Integer(_) | Expression::Parameter(_) => expression.clone(),
            Expression::Variable(id) => match self.ranges.get(id) {
                Some([least, greatest]) => match end {
                    RangeEnd::Least => least.clone(),
                    RangeEnd::Greatest => greatest.clone(),
                },
                None => expression.clone(),
            },
            Expression::Unary(UnaryOperator::Negate, x) => {
                Expression::unary(UnaryOperator::Negate, self.end_of(x, end.other())?)
            }
            Expression::Binary(operator, a, b) => self.end_of_binary(*operator, a, b, end)?,
            other => self.unless_in_range(other)?,
        })
    }

    pub(crate) fn end_of_binary(
        &self,
        operator: Op,
        a: &Expression,
        b: &Expression,
        end: RangeEnd,
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
            _ => (self.unless_in_range(a)?, self.unless_in_range(b)?),
        };
        Some(Expression::binary(operator, a, b))
    }

    /// The expression, if it mentions no range and no data.
    pub(crate) fn unless_in_range(&self, expression: &Expression) -> Option<Expression> {
        let is_open = |part: &Expression| match part {
            Expression::Variable(id) => self.ranges.contains_key(id),
            part => *part == Expression::Data,
        };
        (!expression.any(is_open)).then(|| expression.clone())
    }
}

/// Calls `visit` for each extremum that bounding ranges mention.
pub(crate) fn for_each_extremum(
    bounding_ranges: &BTreeMap<LoopId, BoundingRange>,
    note: &mut dyn FnMut(ParameterId),
) {
    for range in bounding_ranges.values() {
        for part in [&range.first, &range.bound] {
            part.walk(&mut |part| {
                if let Expression::Parameter(id) = part {
                    note(*id);
                }
            });
        }
    }
}
