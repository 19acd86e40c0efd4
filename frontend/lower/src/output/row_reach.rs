//! How far the accesses of a function reach into the rows that it is given: an upper bound, that of rectangular loops
//! exactly.

use crate::context::Lowering;
use crate::domain::allocator::ROW_HEADER;
use crate::domain::expression_variables::variables_of;
use crate::domain::polynomials::CanonicalSum;
use crate::domain::values::ArrayRow;
use crate::output::tree_builder::ReferenceRow;
use premiss_tree::{
    BinaryOperator as Op, Comparison, Expression, Loop, Node, ParameterId, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of ends that are compared when the program runs.
const MAX_ENDS: usize = 4;

/// The maximum number of operators in the value of a variable that is followed.
const MAX_OPERATORS: usize = 100;

/// How far the accesses to rows reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowReach {
    /// Behind the last bytes of some references, of which the greatest counts.
    ends: Vec<CanonicalSum>,
    /// The first byte, 0 or negative.
    start: i64,
    /// Whether some reference may reach anywhere.
    is_open: bool,
}

impl RowReach {
    /// The number of bytes of a row.
    pub(crate) fn bytes(&self) -> Option<Expression> {
        if self.is_open || MAX_ENDS < self.ends.len() {
            return None;
        }
        let start = CanonicalSum::of(&self.start.into())?;
        let ends: Option<Vec<Expression>> = self
            .ends
            .iter()
            .map(|end| Some(end.minus(&start)?.to_expression()))
            .collect();
        let greatest = |a, b| Expression::binary(Op::Maximum, a, b);
        ends?.into_iter().reduce(greatest)
    }

    /// The number of elements of so many bytes that hold the bytes of a row.
    pub(crate) fn in_units_of(&self, element: i64) -> Option<Expression> {
        let units = self.ends.iter().map(|end| {
            let units = end
                .terms()
                .map(|(factors, factor)| match factors.is_empty() {
                    true => Some((
                        Vec::new(),
                        factor.checked_add(element - 1)?.div_euclid(element),
                    )),
                    false => (factor % element == 0).then(|| (factors.to_vec(), factor / element)),
                });
            CanonicalSum::of_terms(units.collect::<Option<Vec<_>>>()?)
        });
        Self {
            ends: units.collect::<Option<_>>()?,
            start: self.start.div_euclid(element),
            is_open: self.is_open,
        }
        .bytes()
    }

    fn include(&mut self, range: Option<(CanonicalSum, CanonicalSum)>) {
        let Some((first, end)) = range else {
            self.is_open = true;
            return;
        };
        if let Some(first) = first.as_integer() {
            self.start = self.start.min(first);
        }
        let distance = |known: &CanonicalSum| end.minus(known).and_then(|more| more.as_integer());
        match self
            .ends
            .iter_mut()
            .find_map(|known| Some((distance(known)?, known)))
        {
            Some((more, known)) if 0 < more => *known = end,
            Some(_) => {}
            None => self.ends.push(end),
        }
    }
}

/// How far accesses reach into the rows of each array of given rows.
pub(crate) fn reach_of_rows(ctx: &Lowering, nodes: &[Node]) -> BTreeMap<ArrayRow, RowReach> {
    let rows = ctx.heap_symbols.rows.iter();
    let mut walk = Walk {
        references: &ctx.tree.references,
        strides: rows.map(|rows| (rows.array, rows.stride)).collect(),
        loops: Vec::new(),
        values: BTreeMap::new(),
        reaches: BTreeMap::new(),
    };
    if !walk.strides.is_empty() {
        walk.visit(nodes);
    }
    walk.reaches
}

/// A walk over a tree, with the loops around the current node and the values of variables there.
struct Walk<'t> {
    references: &'t [ReferenceRow],
    strides: BTreeMap<ArrayRow, ParameterId>,
    /// The open loops: iterators with their least and greatest values.
    loops: Vec<(VariableId, Option<CanonicalSum>, Option<CanonicalSum>)>,
    values: BTreeMap<VariableId, Expression>,
    reaches: BTreeMap<ArrayRow, RowReach>,
}

impl Walk<'_> {
    fn visit(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Loop(inner) => self.visit_loop(inner, node),
                Node::Branch {
                    then, otherwise, ..
                } => {
                    let before = self.values.clone();
                    self.visit(then);
                    self.values = before;
                    self.visit(otherwise);
                    self.forget(node);
                }
                Node::Assign { variable, value } => {
                    let value = self.resolved(value);
                    self.values.remove(variable);
                    let mut n_operators = 0;
                    value.walk(&mut |_| n_operators += 1);
                    if n_operators <= MAX_OPERATORS && !variables_of(&value).contains(variable) {
                        self.values.insert(*variable, value);
                    }
                }
                Node::Access(id) => self.access(&self.references[id.as_u32() as usize]),
                Node::Opaque(_) | Node::Operations(_) => {}
            }
        }
    }

    fn visit_loop(&mut self, inner: &Loop, node: &Node) {
        let (first, bound) = (self.resolved(&inner.first), self.resolved(&inner.bound));
        let step = inner.step.as_integer().unwrap_or(0);
        let is_open = !matches!(
            inner.comparison,
            Comparison::LessEqual | Comparison::GreaterEqual
        );
        let last = |operator| {
            let (first, bound) = (
                CanonicalSum::of(&first),
                CanonicalSum::of(&bounding(&bound, operator))?,
            );
            match is_open {
                true => bound.minus(&last_step(first.as_ref(), &bound, step)?),
                false => Some(bound),
            }
        };
        let start = |operator| CanonicalSum::of(&bounding(&first, operator));
        let range = match step {
            1.. => (start(Op::Maximum), last(Op::Minimum)),
            ..=-1 => (last(Op::Maximum), start(Op::Minimum)),
            0 => (None, None),
        };
        self.forget(node);
        self.loops.push((inner.variable, range.0, range.1));
        self.visit(&inner.body);
        self.loops.pop();
        self.forget(node);
    }

    /// Forgets the values of variables that a node assigns, and of those that depend on them.
    fn forget(&mut self, node: &Node) {
        let mut assigned = BTreeSet::new();
        Node::assigned(std::slice::from_ref(node), &mut assigned);
        self.values.retain(|id, value| {
            !assigned.contains(id) && !variables_of(value).iter().any(|id| assigned.contains(id))
        });
    }

    fn access(&mut self, reference: &ReferenceRow) {
        let Some(stride) = self.strides.get(&reference.array) else {
            return;
        };
        let range = self.range_in_row(reference, *stride);
        self.reaches
            .entry(reference.array)
            .or_default()
            .include(range);
    }

    /// The first byte of a row that a reference accesses, and the one behind the last.
    fn range_in_row(
        &self,
        reference: &ReferenceRow,
        stride: ParameterId,
    ) -> Option<(CanonicalSum, CanonicalSum)> {
        let offset = CanonicalSum::of(&self.resolved(&reference.offset))?;
        let is_stride = |factor: &Expression| *factor == Expression::Parameter(stride);
        let in_row = |form: &CanonicalSum| {
            let terms = form
                .terms()
                .filter(|(factors, _)| !factors.iter().any(is_stride));
            CanonicalSum::of_terms(terms.map(|(factors, factor)| (factors.to_vec(), factor)))
        };
        let within = in_row(&offset)?.minus(&CanonicalSum::of(&ROW_HEADER.into())?)?;
        let (mut first, mut last) = (within.clone(), within);
        for (iterator, least, greatest) in self.loops.iter().rev() {
            first = extreme(&first, *iterator, (least, greatest))?;
            last = extreme(&last, *iterator, (greatest, least))?;
        }
        // A pointer that walks through a row has brought the place of the row with it.
        let (first, last) = (in_row(&first)?, in_row(&last)?);
        let end = last.plus(&CanonicalSum::of(&i64::from(reference.size).into())?)?;
        let is_fixed = first.variables().is_empty() && end.variables().is_empty();
        is_fixed.then_some((first, end))
    }

    /// An expression with the values of variables in place of them.
    fn resolved(&self, expression: &Expression) -> Expression {
        match expression {
            Expression::Variable(id) => self.values.get(id).unwrap_or(expression).clone(),
            Expression::Unary(operator, x) => Expression::unary(*operator, self.resolved(x)),
            Expression::Binary(operator, a, b) => {
                Expression::binary(*operator, self.resolved(a), self.resolved(b))
            }
            Expression::Wrap(kind, x) => Expression::wrap(*kind, self.resolved(x)),
            other => other.clone(),
        }
    }
}

/// A form with the value of an iterator that makes it greatest, the first one, if its factor is positive, else the second.
fn extreme(
    form: &CanonicalSum,
    iterator: VariableId,
    (rising, falling): (&Option<CanonicalSum>, &Option<CanonicalSum>),
) -> Option<CanonicalSum> {
    let (factor, rest) = form.split_at(iterator)?;
    if factor.is_zero() {
        return Some(rest);
    }
    let value = if factor.terms().all(|(_, factor)| 0 < factor) {
        rising
    } else if factor.terms().all(|(_, factor)| factor < 0) {
        falling
    } else {
        return None;
    };
    factor.times(value.as_ref()?)?.plus(&rest)
}

/// How far the last value of an iterator is from the bound that it does not reach, at least: a step where steps lead from
/// its first value to the bound.
fn last_step(
    first: Option<&CanonicalSum>,
    bound: &CanonicalSum,
    step: i64,
) -> Option<CanonicalSum> {
    let distance = first.and_then(|first| bound.minus(first));
    let is_met =
        distance.is_some_and(|distance| distance.terms().all(|(_, factor)| factor % step == 0));
    let last = if is_met { step } else { step.signum() };
    CanonicalSum::of(&last.into())
}

/// A bound of a minimum (or maximum) that depends on no variable, if one does not.
fn bounding(value: &Expression, operator: Op) -> Expression {
    match value {
        Expression::Binary(one, a, b) if *one == operator => match variables_of(a).is_empty() {
            true => (**a).clone(),
            false => bounding(b, operator),
        },
        Expression::Binary(one @ (Op::Add | Op::Subtract), a, b) if b.as_integer().is_some() => {
            Expression::binary(*one, bounding(a, operator), (**b).clone())
        }
        other => other.clone(),
    }
}
