//! The header of a counted loop: where its iterator starts, how far it goes, and whether it runs.

use super::integers::{minus, negation, plus, times};
use super::loops::{HeaderLoad, Iterator};
use super::shape::{Parts, Shape, Test, Tested};
use super::types::{self, LONG};
use super::value::Value;
use super::{Escape, Level, Lowered, Lowering};
use crate::syntax::{At, Binary, Expression as Syntax, UnitId};
use premiss_ast::{InductionStep, SyntaxFacts};
use premiss_tree::{
    AccessKind, BinaryOperator as Op, Comparison, Expression, IntegerType, Node, RejectReason,
    UnaryOperator,
};

/// A header, evaluated.
pub(super) struct Header {
    pub(super) first: Expression,
    pub(super) comparison: Comparison,
    pub(super) bound: Expression,
    pub(super) step: Expression,
    /// Whether the loop runs at all.
    pub(super) guard: Expression,
    /// The least value of the iterator in the body, where known.
    pub(super) least: Option<i64>,
}

/// A bound with its comparison, and when it holds at all.
struct Limit {
    operator: Binary,
    bound: Expression,
    guard: Expression,
}

impl Lowering<'_> {
    /// Evaluates the header of a loop that starts with `first`.
    pub(super) fn header(
        &mut self,
        parts: &Parts,
        shape: &Shape,
        iterator: &Iterator,
        first: &Expression,
    ) -> Lowered<Header> {
        let step = self.step(shape, iterator, parts.header)?;
        let mut limits = Vec::new();
        for test in &shape.tests {
            limits.push(self.limit(test, iterator, &step, first, shape.tested)?);
        }
        let mut guard = Expression::Integer(1);
        for syntax in &shape.guards {
            let condition = self.invariant_condition(syntax)?;
            guard = both(guard, condition);
        }
        if !self.prelude.tests.is_empty() && shape.tests.len() + shape.guards.len() != 1 {
            let why = "its condition loads from memory and has several parts";
            return Err(Self::uncounted(why.to_owned(), parts.header));
        }
        for limit in &limits {
            guard = both(guard, limit.guard.clone());
        }
        let (comparison, bound) = combined(limits).ok_or_else(|| {
            Self::uncounted("its conditions differ in kind".to_owned(), parts.header)
        })?;
        let bound = match shape.tested {
            Tested::Before => bound,
            Tested::After if guard != Expression::Integer(1) => {
                let why = "its condition stands at the end and does not only compare the iterator";
                return Err(Self::uncounted(why.to_owned(), parts.header));
            }
            Tested::After => at_least_once(comparison, bound, first, &step).ok_or_else(|| {
                let why = "its condition stands at the end and compares in another direction \
                           than the iterator goes";
                Self::uncounted(why.to_owned(), parts.header)
            })?,
        };
        let uses_iterator =
            |part: &Expression| matches!(part, Expression::Variable(id) if *id == iterator.id);
        let depends = [&bound, &step].iter().any(|x| x.any(uses_iterator));
        let guards_depend = shape
            .guards
            .iter()
            .any(|syntax| premiss_ast::visit::mentions(syntax, &shape.iterator));
        if depends || guards_depend {
            let why = "its condition uses the iterator in another way than one comparison";
            return Err(Self::uncounted(why.to_owned(), parts.header));
        }
        let least = self.least_iterator(comparison, &bound, &step, first);
        Ok(Header {
            first: first.clone(),
            comparison,
            bound,
            step,
            guard,
            least,
        })
    }

    fn least_iterator(
        &self,
        comparison: Comparison,
        bound: &Expression,
        step: &Expression,
        first: &Expression,
    ) -> Option<i64> {
        match comparison {
            Comparison::Less | Comparison::LessEqual => self.least(first),
            Comparison::GreaterEqual => self.least(bound),
            Comparison::Greater => self.least(bound)?.checked_add(1),
            Comparison::NotEqual => match step.as_integer() {
                Some(1..) => self.least(first),
                Some(-1) => self.least(bound)?.checked_add(1),
                _ => None,
            },
        }
    }

    fn step(&mut self, shape: &Shape, iterator: &Iterator, at: At) -> Lowered<Expression> {
        let step = match shape.step {
            InductionStep::Constant(by) => by.into(),
            InductionStep::Plus(syntax) => self.invariant(syntax, "step")?,
            InductionStep::Minus(syntax) => {
                let step = self.invariant(syntax, "step")?;
                Expression::unary(UnaryOperator::Negate, step)
            }
        };
        let step = match &iterator.pointer {
            Some((_, size)) => times(size.clone(), step),
            None => step,
        };
        if step == Expression::Integer(0) {
            return Err(Escape {
                reason: RejectReason::EndlessLoop,
                at,
                level: Level::Loop,
            });
        }
        Ok(step)
    }

    /// An integer that is the same in every iteration, found without an access.
    fn invariant(&mut self, syntax: &Syntax, role: &str) -> Lowered<Expression> {
        match self.invariant_value(syntax, role)? {
            Value::Integer(value, kind) => self.constant_here(value, kind, syntax, role),
            _ => Err(self.data_in_header(syntax, role)),
        }
    }

    /// A value in a header that stays as it is while the loop runs, known or not.
    fn constant_here(
        &mut self,
        value: Expression,
        kind: IntegerType,
        syntax: &Syntax,
        role: &str,
    ) -> Lowered<Expression> {
        if !value.any(|part| *part == Expression::Data) {
            return Ok(value);
        }
        let why = self.data_in_header(syntax, role);
        let facts = SyntaxFacts::of_expression(syntax);
        let is_simple = facts.changed.is_empty() && facts.called.is_empty() && !facts.calls_pointer;
        if !is_simple
            || facts
                .mentioned
                .intersection(&self.prelude.changed)
                .next()
                .is_some()
        {
            return Err(why);
        }
        let name = self.program.text(syntax.at);
        Ok(self.constant_in_loop(&name, kind, why))
    }

    fn data_in_header(&self, syntax: &Syntax, role: &str) -> Escape {
        let text = self.program.text(syntax.at);
        let why = format!("its {role} `{text}` is known only when the program runs");
        Self::uncounted(why, syntax.at)
    }

    fn invariant_value(&mut self, syntax: &Syntax, role: &str) -> Lowered<Value> {
        let (nodes, value) = self.in_block(|l| l.value(syntax))?;
        let (loads, computed): (Vec<Node>, Vec<Node>) = nodes
            .into_iter()
            .partition(|node| matches!(node, Node::Access(_)));
        let mut header_loads = Vec::new();
        for node in loads {
            match self.header_load(&node) {
                Some(load) => header_loads.push(load),
                None => return Err(self.data_in_header(syntax, role)),
            }
        }
        if !computed.iter().all(only_computes) || (!header_loads.is_empty() && !computed.is_empty())
        {
            return Err(self.data_in_header(syntax, role));
        }
        self.prelude.computed.extend(computed);
        match role {
            "step" => self.prelude.steps.extend(header_loads),
            _ => self.prelude.tests.extend(header_loads),
        }
        Ok(value)
    }

    /// A load that is of the same element in every iteration.
    fn header_load(&self, node: &Node) -> Option<HeaderLoad> {
        let Node::Access(id) = node else { return None };
        let row = &self.references[id.as_u32() as usize];
        let changes = |part: &Expression| match part {
            Expression::Data => true,
            Expression::Variable(id) => {
                let row = self.variable(*id);
                !row.is_fixed && self.prelude.changed.contains(row.name.as_str())
            }
            _ => false,
        };
        let is_fine = row.kind == AccessKind::Load && !row.offset.any(changes);
        is_fine.then(|| HeaderLoad {
            row: row.array,
            offset: row.offset.clone(),
            size: row.size,
            at: row.at,
        })
    }

    fn invariant_condition(&mut self, syntax: &Syntax) -> Lowered<Expression> {
        let (nodes, truth) = self.in_block(|l| l.condition(syntax))?;
        if !nodes.is_empty() || truth.any(|part| *part == Expression::Data) {
            return Err(self.data_in_header(syntax, "condition"));
        }
        Ok(truth)
    }

    /// One test as a comparison of the iterator itself with a bound.
    fn limit(
        &mut self,
        test: &Test,
        iterator: &Iterator,
        step: &Expression,
        first: &Expression,
        tested: Tested,
    ) -> Lowered<Limit> {
        let (mut bound, bound_kind) = self.bound(test, iterator)?;
        for (syntax, is_minus) in &test.plus {
            let term = self.invariant(syntax, "condition")?;
            let term = match &iterator.pointer {
                Some((_, size)) => times(size.clone(), term),
                None => term,
            };
            bound = if *is_minus {
                plus(bound, term)
            } else {
                minus(bound, term)
            };
        }
        let mut first = first.clone();
        if let Some(change) = test.change
            && !change.is_prefix
        {
            bound = plus(bound, change.by.into());
            first = minus(first, change.by.into());
        }
        let compared = types::common(iterator.kind, bound_kind);
        let is_unsigned = !compared.signed && iterator.pointer.is_none();
        let is_zero = bound == Expression::Integer(0);
        let operator = match test.operator {
            // Of unsigned numbers, only zero is not above zero.
            Binary::Greater if is_unsigned && is_zero && tested == Tested::After => {
                Binary::NotEqual
            }
            operator => operator,
        };
        let limit = Limit {
            operator,
            bound,
            guard: 1.into(),
        };
        if compared.signed || iterator.pointer.is_some() {
            return Ok(limit);
        }
        let is_first_tested = tested == Tested::Before
            || test.change.is_some_and(|change| !change.is_prefix)
            || self.least(&first).is_some_and(|least| 1 <= least);
        if matches!(operator, Binary::Greater | Binary::GreaterEqual) && !is_first_tested {
            return Err(self.may_pass_zero(test));
        }
        self.unsigned_limit(limit, iterator, step, &first, compared, test)
    }

    fn bound(&mut self, test: &Test, iterator: &Iterator) -> Lowered<(Expression, IntegerType)> {
        let Some(syntax) = test.bound else {
            return Ok((0.into(), types::INT));
        };
        match (self.invariant_value(syntax, "bound")?, &iterator.pointer) {
            (Value::Integer(value, kind), None) => {
                let value = self.constant_here(value, kind, syntax, "bound")?;
                Ok((value, kind))
            }
            (Value::Pointer(pointer), Some((target, _))) if pointer.target == *target => {
                let offset = self.constant_here(pointer.offset, LONG, syntax, "bound")?;
                Ok((offset, LONG))
            }
            _ => Err(self.data_in_header(syntax, "bound")),
        }
    }

    /// A comparison of unsigned numbers, as one of integers with the iterator unwrapped.
    fn unsigned_limit(
        &mut self,
        limit: Limit,
        iterator: &Iterator,
        step: &Expression,
        first: &Expression,
        compared: IntegerType,
        test: &Test,
    ) -> Lowered<Limit> {
        let by = step.as_integer();
        let is_down = by.is_some_and(|by| by < 0);
        let endless = |at| Escape {
            reason: RejectReason::EndlessLoop,
            at,
            level: Level::Loop,
        };
        let at = bound_place(test, self.unit());
        if !is_down {
            // A negative start is a huge number: the loop does not run.
            let guard = if iterator.kind.signed && !self.is_natural(first) {
                Expression::binary(Op::LessEqual, 0.into(), first.clone())
            } else {
                1.into()
            };
            return Ok(Limit { guard, ..limit });
        }
        let least = self.least(&limit.bound);
        let post = test.change.is_some_and(|change| !change.is_prefix);
        let least = least.map(|least| if post { least.saturating_add(1) } else { least });
        match limit.operator {
            // It ends where the iterator wraps around to a number that is no longer less.
            Binary::Less | Binary::LessEqual if test.change.is_none() && test.plus.is_empty() => {
                let first = self.convert_integer(first.clone(), iterator.kind, compared);
                let above =
                    Expression::binary(Op::LessUnsigned, limit.bound.clone(), first.clone());
                let guard = match limit.operator {
                    Binary::LessEqual => negation(above),
                    _ => Expression::binary(Op::LessUnsigned, first, limit.bound),
                };
                Ok(Limit {
                    operator: Binary::GreaterEqual,
                    bound: 0.into(),
                    guard,
                })
            }
            Binary::Greater if by == Some(-1) && least.is_some_and(|least| 0 <= least) => Ok(limit),
            Binary::GreaterEqual if by == Some(-1) && least.is_some_and(|least| 1 <= least) => {
                Ok(limit)
            }
            Binary::NotEqual => {
                let most = compared.wrap(-1);
                let is_most = limit.bound.as_integer() == Some(most);
                let bound = if is_most { (-1).into() } else { limit.bound };
                Ok(Limit { bound, ..limit })
            }
            Binary::GreaterEqual if limit.bound == Expression::Integer(0) => Err(endless(at)),
            _ => Err(self.may_pass_zero(test)),
        }
    }

    fn may_pass_zero(&self, test: &Test) -> Escape {
        let at = bound_place(test, self.unit());
        let text = self.program.text(at);
        let why = format!("its unsigned iterator may pass zero on the way down to `{text}`");
        Self::uncounted(why, at)
    }
}

/// Where the bound of a test stands.
fn bound_place(test: &Test, unit: UnitId) -> At {
    test.bound.map_or(At::start_of(unit), |syntax| syntax.at)
}

/// The bound of the same loop with its test before each iteration, where the test behind the first
/// one always lets it go on: `do … while (++i < n)` from 0 on runs for `i` from 0 to below
/// `max(n, 1)`. `None` where the step is not known to lead towards the bound.
fn at_least_once(
    comparison: Comparison,
    bound: Expression,
    first: &Expression,
    step: &Expression,
) -> Option<Expression> {
    let by = step.as_integer()?;
    let past = |by: i64| plus(first.clone(), by.into());
    Some(match comparison {
        Comparison::Less if 0 < by => Expression::binary(Op::Maximum, bound, past(1)),
        Comparison::LessEqual if 0 < by => Expression::binary(Op::Maximum, bound, past(0)),
        Comparison::Greater if by < 0 => Expression::binary(Op::Minimum, bound, past(-1)),
        Comparison::GreaterEqual if by < 0 => Expression::binary(Op::Minimum, bound, past(0)),
        // A loop that starts at its bound has to go all the way round: one that never ends.
        Comparison::NotEqual => {
            let starts_there = Expression::binary(Op::Equal, bound.clone(), first.clone());
            Expression::select(starts_there, minus(first.clone(), step.clone()), bound)
        }
        _ => return None,
    })
}

fn both(a: Expression, b: Expression) -> Expression {
    match (a.as_integer(), b.as_integer()) {
        (Some(a), _) if a != 0 => b,
        (_, Some(b)) if b != 0 => a,
        _ => Expression::binary(Op::And, a, b),
    }
}

/// One comparison that holds where all do.
fn combined(limits: Vec<Limit>) -> Option<(Comparison, Expression)> {
    let mut limits = without_implied(limits).into_iter();
    let first = limits.next()?;
    let mut operator = first.operator;
    let mut bound = first.bound;
    for limit in limits {
        let (one, other) = (
            strict(operator, bound)?,
            strict(limit.operator, limit.bound)?,
        );
        if one.0 != other.0 {
            return None;
        }
        operator = one.0;
        let nearer = if operator == Binary::Less {
            Op::Minimum
        } else {
            Op::Maximum
        };
        bound = Expression::binary(nearer, one.1, other.1);
    }
    let comparison = match operator {
        Binary::Less => Comparison::Less,
        Binary::LessEqual => Comparison::LessEqual,
        Binary::Greater => Comparison::Greater,
        Binary::GreaterEqual => Comparison::GreaterEqual,
        _ => Comparison::NotEqual,
    };
    Some((comparison, bound))
}

/// The limits without a `v != b` beside a `v < b` or `v > b`.
fn without_implied(limits: Vec<Limit>) -> Vec<Limit> {
    let strict: Vec<Expression> = limits
        .iter()
        .filter_map(|limit| strict(limit.operator, limit.bound.clone()))
        .map(|(_, bound)| bound)
        .collect();
    let is_implied =
        |limit: &Limit| limit.operator == Binary::NotEqual && strict.contains(&limit.bound);
    limits
        .into_iter()
        .filter(|limit| !is_implied(limit))
        .collect()
}

/// The comparison as one without equality.
fn strict(operator: Binary, bound: Expression) -> Option<(Binary, Expression)> {
    match operator {
        Binary::Less | Binary::Greater => Some((operator, bound)),
        Binary::LessEqual => Some((Binary::Less, plus(bound, 1.into()))),
        Binary::GreaterEqual => Some((Binary::Greater, minus(bound, 1.into()))),
        _ => None,
    }
}

/// Whether a node does nothing but give variables values.
fn only_computes(node: &Node) -> bool {
    match node {
        Node::Assign { value, .. } => !value.any(|part| *part == Expression::Data),
        Node::Branch {
            condition,
            then,
            otherwise,
        } => {
            !condition.any(|part| *part == Expression::Data)
                && then.iter().chain(otherwise).all(only_computes)
        }
        Node::Loop(_) | Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => false,
    }
}
