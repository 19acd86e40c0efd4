//! Counted loops.
//!
//! The iterator of a tree's loop counts in mathematical integers. An unsigned iterator that counts
//! down is made to stop below zero, where the program's wraps around: `i-- > 0` tests the value
//! before, `i < n` with `i--` tests for the wrap. What the program's variable holds after such a
//! loop is assigned behind it.

use super::conditions::assigned;
use super::facts::Facts;
use super::integers::{minus, negation, plus, times};
use super::jumps::Tail;
use super::shape::{Parts, Shape, Step, Test, parts, shape};
use super::types::{self, LONG};
use super::value::{Knowledge, Slot, Target, Value};
use super::{Escape, Level, LoopRow, Lowered, Lowering};
use crate::syntax::{At, Binary, Expression as Syntax, Statement};
use premiss_tree::{
    BinaryOperator as Op, Comparison, Expression, IntegerType, Loop, LoopId, Node, RejectReason,
    UnaryOperator, VariableId,
};
use std::collections::BTreeSet;

/// How often a loop's body is lowered until the state at its head holds.
const MAX_ATTEMPTS: usize = 12;

/// The variable that counts.
struct Iterator {
    id: VariableId,
    kind: IntegerType,
    /// For a pointer: what it points into, and the size of a step of one.
    pointer: Option<(Target, Expression)>,
}

/// A header, evaluated.
struct Header {
    first: Expression,
    comparison: Comparison,
    bound: Expression,
    step: Expression,
    /// Whether the loop runs at all.
    guard: Expression,
    least: Option<i64>,
}

/// Computations before a loop that its header needs, such as a call to a minimum with branches.
pub(super) type Prelude = Vec<Node>;

/// A bound with its comparison, and when it holds at all.
struct Limit {
    operator: Binary,
    bound: Expression,
    guard: Expression,
}

impl Lowering<'_> {
    pub(super) fn loop_statement(&mut self, statement: &Statement) -> Lowered<()> {
        let checkpoint = self.checkpoint();
        let escape = match self.in_scope(|l| l.counted(statement)) {
            Ok(()) => return Ok(()),
            Err(escape) => escape,
        };
        let is_outermost = checkpoint.frame_loops == 0;
        if escape.level == Level::Unit || (escape.level == Level::Function && !is_outermost) {
            return Err(escape);
        }
        self.roll_back(&checkpoint);
        self.opaque_at(statement, escape.reason, escape.at);
        if escape.level == Level::Function {
            self.frame().may_have_returned = true;
        }
        Ok(())
    }

    fn counted(&mut self, statement: &Statement) -> Lowered<()> {
        let Some(parts) = parts(statement) else {
            let why = "the condition stands at the end".to_owned();
            return Err(Self::uncounted(why, statement.at));
        };
        let start = self.block.len();
        if let Some(initial) = parts.initial {
            self.statement(initial, Tail::NONE)?;
        }
        if self.is_never_run(&parts)? {
            return Ok(());
        }
        let shape = shape(&parts, |at| self.program.text(at))
            .map_err(|why| Self::uncounted(why, parts.header))?;
        let iterator = self.iterator(&shape, parts.header)?;
        let first = self.first_value(&iterator, &shape, start, parts.header)?;
        let mut facts = Facts::of_statement(statement);
        facts.changed.insert(shape.iterator.clone());
        let mut head = self.state_at_head(&facts);
        head.integers.insert(iterator.id, Knowledge::Exact);
        let checkpoint = self.checkpoint();
        for _ in 0..MAX_ATTEMPTS {
            self.state = head.clone();
            let nodes = self.attempt(&parts, &shape, &iterator, &first)?;
            let joined = head.join(&self.state);
            if joined == head {
                self.state = joined;
                self.finish_loop(nodes, &iterator);
                return Ok(());
            }
            self.roll_back(&checkpoint);
            head = joined;
        }
        Err(Escape {
            reason: RejectReason::Budget {
                limit: format!("{MAX_ATTEMPTS} passes over a loop"),
            },
            at: parts.header,
            level: Level::Loop,
        })
    }

    fn is_never_run(&mut self, parts: &Parts) -> Lowered<bool> {
        let Some(condition) = parts.condition else {
            return Ok(false);
        };
        Ok(matches!(
            condition.kind,
            crate::syntax::ExpressionKind::Integer(0, _)
        ))
    }

    fn iterator(&mut self, shape: &Shape, at: At) -> Lowered<Iterator> {
        match self.lookup(&shape.iterator) {
            Some(Slot::Integer(id, kind)) => Ok(Iterator {
                id,
                kind,
                pointer: None,
            }),
            Some(Slot::Pointer(id, pointee)) => {
                let target = self.state.pointers.get(&id).cloned();
                let target = target.unwrap_or(Target::Ambiguous);
                let size = pointee.size().unwrap_or(Expression::Data);
                if matches!(target, Target::Ambiguous | Target::Null) {
                    let pointer = shape.iterator.to_string();
                    return Err(Escape {
                        reason: RejectReason::AmbiguousPointer { pointer },
                        at,
                        level: Level::Loop,
                    });
                }
                Ok(Iterator {
                    id: self.pointers[id.0],
                    kind: LONG,
                    pointer: Some((target, size)),
                })
            }
            _ => {
                let why = format!("`{}` is not an integer variable", shape.iterator);
                Err(Self::uncounted(why, at))
            }
        }
    }

    /// The iterator's value at the first iteration. An assignment just made becomes the loop's own.
    fn first_value(
        &mut self,
        iterator: &Iterator,
        shape: &Shape,
        start: usize,
        at: At,
    ) -> Lowered<Expression> {
        let mut first = match self.state.integers.get(&iterator.id) {
            Some(Knowledge::Known(value)) => value.clone(),
            Some(Knowledge::Exact) => Expression::Variable(iterator.id),
            _ => {
                let why = format!("the first value of `{}` is data", shape.iterator);
                return Err(Self::uncounted(why, at));
            }
        };
        if let Some(idx) = self.own_assignment(iterator.id, start)
            && let Node::Assign { value, .. } = self.block.remove(idx)
        {
            first = value;
        }
        if let (None, Step::Constant(by)) = (shape.step_idx, shape.step) {
            first = plus(first, by.into());
        }
        Ok(first)
    }

    /// The assignment to the iterator among the nodes from `start` on, where no later one matters.
    fn own_assignment(&self, iterator: VariableId, start: usize) -> Option<usize> {
        let is_own =
            |node: &Node| matches!(node, Node::Assign { variable, .. } if *variable == iterator);
        let idx = start + self.block.get(start..)?.iter().rposition(is_own)?;
        let Node::Assign { value, .. } = &self.block[idx] else {
            return None;
        };
        let mut later = BTreeSet::new();
        assigned(&self.block[idx + 1..], &mut later);
        let depends_on = |part: &Expression| matches!(part, Expression::Variable(id) if later.contains(id) || *id == iterator);
        let is_read = self.block[idx + 1..].iter().any(|node| match node {
            Node::Assign { value, .. } => {
                value.any(|part| matches!(part, Expression::Variable(id) if *id == iterator))
            }
            _ => true,
        });
        (!value.any(depends_on) && !is_read).then_some(idx)
    }

    /// Lowers header and body under what is known at the head.
    fn attempt(
        &mut self,
        parts: &Parts,
        shape: &Shape,
        iterator: &Iterator,
        first: &Expression,
    ) -> Lowered<Vec<Node>> {
        self.prelude.clear();
        let header = self.header(parts, shape, iterator, first)?;
        let prelude: Prelude = std::mem::take(&mut self.prelude);
        let row = self.loops.len();
        self.loops.push(LoopRow {
            iterator: shape.iterator.to_string(),
            inside: self.open_loops.last().copied(),
            header: parts.header,
            function: self.frame_ref().function.clone(),
        });
        self.open.insert(iterator.id, header.least);
        self.open_loops.push(row);
        self.frame().n_loops += 1;
        let (body, ()) = self.in_block(|l| l.in_scope(|l| l.body(parts, shape)))?;
        self.frame().n_loops -= 1;
        self.open_loops.pop();
        self.open.remove(&iterator.id);
        self.check_invariance(&body, &header, &prelude, iterator, parts)?;
        let id = LoopId::from_u32(u32::try_from(row).unwrap_or(u32::MAX));
        let node = Node::Loop(Loop {
            id,
            variable: iterator.id,
            first: header.first.clone(),
            comparison: header.comparison,
            bound: header.bound,
            step: header.step,
            body,
        });
        self.n_nodes += 1;
        let mut nodes = prelude;
        if header.guard == Expression::Integer(1) {
            nodes.push(node);
            return Ok(nodes);
        }
        let initial = Node::Assign {
            variable: iterator.id,
            value: header.first,
        };
        nodes.push(Node::Branch {
            condition: header.guard,
            then: vec![node],
            otherwise: vec![initial],
        });
        Ok(nodes)
    }

    /// The body with its other steps.
    fn body(&mut self, parts: &Parts, shape: &Shape) -> Lowered<()> {
        match parts.body {
            [single] => self.in_scope(|l| l.statement(single, Tail::LOOP))?,
            list => self.list(list, Tail::NONE)?,
        }
        let own = shape.step_idx.unwrap_or(usize::MAX);
        for (idx, step) in parts.steps.iter().enumerate() {
            let mut facts = Facts::default();
            facts.expression(step);
            if idx == own {
                continue;
            }
            if own < idx && super::shape::mentions(step, &shape.iterator) {
                let why = format!(
                    "`{}` uses the iterator after its step",
                    self.program.text(step.at)
                );
                return Err(Self::uncounted(why, step.at));
            }
            self.value(step)?;
        }
        Ok(())
    }

    /// Fails where the body changes what the number of iterations depends on.
    fn check_invariance(
        &mut self,
        body: &[Node],
        header: &Header,
        prelude: &[Node],
        iterator: &Iterator,
        parts: &Parts,
    ) -> Lowered<()> {
        let mut changed = BTreeSet::new();
        assigned(body, &mut changed);
        let mut fixed = BTreeSet::from([iterator.id]);
        read_by(prelude, &mut fixed);
        for expression in [&header.bound, &header.step, &header.guard] {
            note_variables(expression, &mut fixed);
        }
        if let Some(id) = changed.intersection(&fixed).next() {
            let name = self.variable(*id).name.trim_end_matches('@').to_owned();
            let why = format!("its body changes `{name}`");
            return Err(Self::uncounted(why, parts.header));
        }
        Ok(())
    }

    fn finish_loop(&mut self, nodes: Vec<Node>, iterator: &Iterator) {
        let counts_up = |node: &Node| match node {
            Node::Loop(inner) => inner.step.as_integer().is_some_and(|step| 0 < step),
            _ => false,
        };
        let counts_up = nodes.iter().any(counts_up);
        self.block.extend(nodes);
        if !iterator.kind.signed && iterator.kind.bits < 64 && !counts_up {
            // It may have stopped below zero, where the program's variable has wrapped around.
            let value = Expression::wrap(iterator.kind, Expression::Variable(iterator.id));
            self.emit(Node::Assign {
                variable: iterator.id,
                value,
            });
        }
        self.state.integers.insert(iterator.id, Knowledge::Exact);
    }

    fn header(
        &mut self,
        parts: &Parts,
        shape: &Shape,
        iterator: &Iterator,
        first: &Expression,
    ) -> Lowered<Header> {
        let step = self.step(shape, iterator, parts.header)?;
        let mut limits = Vec::new();
        for test in &shape.tests {
            limits.push(self.limit(test, iterator, &step, first)?);
        }
        let mut guard = Expression::Integer(1);
        for syntax in &shape.guards {
            let condition = self.invariant_condition(syntax)?;
            guard = both(guard, condition);
        }
        for limit in &limits {
            guard = both(guard, limit.guard.clone());
        }
        let (comparison, bound) = combined(limits).ok_or_else(|| {
            Self::uncounted("its conditions differ in kind".to_owned(), parts.header)
        })?;
        let uses_iterator =
            |part: &Expression| matches!(part, Expression::Variable(id) if *id == iterator.id);
        let depends = [&bound, &step].iter().any(|x| x.any(uses_iterator));
        let guards_depend = shape
            .guards
            .iter()
            .any(|syntax| super::shape::mentions(syntax, &shape.iterator));
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
            Step::Constant(by) => by.into(),
            Step::Plus(syntax) => self.invariant(syntax, "step")?,
            Step::Minus(syntax) => {
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
            Value::Integer(value, _) if value != Expression::Data => Ok(value),
            _ => Err(self.data_in_header(syntax, role)),
        }
    }

    fn data_in_header(&self, syntax: &Syntax, role: &str) -> Escape {
        let text = self.program.text(syntax.at);
        let why = format!("its {role} `{text}` is known only when the program runs");
        Self::uncounted(why, syntax.at)
    }

    fn invariant_value(&mut self, syntax: &Syntax, role: &str) -> Lowered<Value> {
        let (nodes, value) = self.in_block(|l| l.value(syntax))?;
        if !nodes.iter().all(only_computes) {
            return Err(self.data_in_header(syntax, role));
        }
        self.prelude.extend(nodes);
        Ok(value)
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
    ) -> Lowered<Limit> {
        let (mut bound, bound_kind) = self.bound(test, iterator)?;
        if bound.any(|part| *part == Expression::Data) {
            let at = test
                .bound
                .map_or(At { start: 0, end: 0 }, |syntax| syntax.at);
            let text = self.program.text(at);
            let why = format!("its bound `{text}` is known only when the program runs");
            return Err(Self::uncounted(why, at));
        }
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
        let limit = Limit {
            operator: test.operator,
            bound,
            guard: 1.into(),
        };
        if compared.signed || iterator.pointer.is_some() {
            return Ok(limit);
        }
        self.unsigned_limit(limit, iterator, step, &first, compared, test)
    }

    fn bound(&mut self, test: &Test, iterator: &Iterator) -> Lowered<(Expression, IntegerType)> {
        let Some(syntax) = test.bound else {
            return Ok((0.into(), types::INT));
        };
        match (self.invariant_value(syntax, "bound")?, &iterator.pointer) {
            (Value::Integer(value, kind), None) => Ok((value, kind)),
            (Value::Pointer(pointer), Some((target, _))) if pointer.target == *target => {
                Ok((pointer.offset, LONG))
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
        let at = test
            .bound
            .map_or(At { start: 0, end: 0 }, |syntax| syntax.at);
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
            _ => {
                let text = self.program.text(at);
                let why =
                    format!("its unsigned iterator may pass zero on the way down to `{text}`");
                Err(Self::uncounted(why, at))
            }
        }
    }
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
    let mut limits = limits.into_iter();
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
        Node::Loop(_) | Node::Access(_) | Node::Opaque(_) => false,
    }
}

/// Adds the variables that computations read.
fn read_by(nodes: &[Node], variables: &mut BTreeSet<VariableId>) {
    for node in nodes {
        match node {
            Node::Assign { value, .. } => note_variables(value, variables),
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                note_variables(condition, variables);
                read_by(then, variables);
                read_by(otherwise, variables);
            }
            Node::Loop(_) | Node::Access(_) | Node::Opaque(_) => {}
        }
    }
}

fn note_variables(expression: &Expression, variables: &mut BTreeSet<VariableId>) {
    expression.walk(&mut |part| {
        if let Expression::Variable(id) = part {
            variables.insert(*id);
        }
    });
}
