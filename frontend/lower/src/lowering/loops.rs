//! Counted loops.
//!
//! The iterator of a tree's loop counts in mathematical integers. An unsigned iterator that counts
//! down is made to stop below zero, where the program's wraps around: `i-- > 0` tests the value
//! before, `i < n` with `i--` tests for the wrap. What the program's variable holds after such a
//! loop is assigned behind it.

use super::content::Epoch;
use super::exchange::{Exchange, Exchanged};
use super::integers::plus;
use super::jumps::Tail;
use super::loop_header::Header;
use super::shape::{Parts, Shape, Tested, parts, shape};
use super::types::LONG;
use super::value::{ArrayRow, Knowledge, Slot, State, Target};
use super::{Escape, Level, LoopRow, Lowered, Lowering};
use crate::syntax::{At, Expression as Syntax, ExpressionKind, Name, Statement};
use premiss_ast::InductionStep;
use premiss_tree::{
    AccessKind, Arithmetic, Comparison, Expression, IntegerType, Loop, LoopId, Node, Operands,
    OperationKind, RejectReason, Role, VariableId,
};
use std::collections::BTreeSet;

/// How often a loop's body is lowered until the state at its head holds.
pub(super) const MAX_ATTEMPTS: usize = 16;

/// The variable that counts.
pub(super) struct Iterator {
    pub(super) id: VariableId,
    pub(super) kind: IntegerType,
    /// For a pointer: what it points into, and the size of a step of one.
    pub(super) pointer: Option<(Target, Expression)>,
}

/// What evaluating a loop's header does.
#[derive(Default)]
pub(super) struct Prelude {
    /// Computations before the loop, such as a call to a minimum with branches.
    pub(super) computed: Vec<Node>,
    /// Loads that every test makes, the one that ends the loop included.
    pub(super) tests: Vec<HeaderLoad>,
    /// Loads that every step makes.
    pub(super) steps: Vec<HeaderLoad>,
    /// Names that an iteration may change.
    pub(super) changed: BTreeSet<Name>,
    /// What is known only when the program runs, and stays as it is in the loop.
    pub(super) unknown: Vec<Escape>,
    /// What test and step compute for each iteration.
    pub(super) arithmetic: Arithmetic,
}

/// A load in the header of a loop, of the same element each time.
pub(super) struct HeaderLoad {
    pub(super) row: ArrayRow,
    pub(super) offset: Expression,
    pub(super) size: u32,
    pub(super) at: At,
}

/// What is known of a loop when its body is lowered.
struct Pass<'p> {
    iterator: &'p Iterator,
    first: &'p Expression,
    changed: &'p BTreeSet<Name>,
    exchange: &'p Exchange,
}

/// A loop that was lowered.
struct Attempt {
    /// The loop, with what is computed before it.
    list: Vec<Node>,
    /// Whether data may end it early.
    may_stop: bool,
    /// What its iterations exchange, where that is more than was known.
    exchange: Option<Exchange>,
}

impl Lowering<'_> {
    pub(super) fn loop_statement(&mut self, statement: &Statement) -> Lowered<()> {
        let checkpoint = self.checkpoint();
        let escape = match self.in_scope(|l| l.counted(statement)) {
            Ok(()) => return Ok(()),
            Err(escape) => escape,
        };
        let is_outermost = checkpoint.course.n_loops == 0;
        if escape.level == Level::Unit || (escape.level == Level::Function && !is_outermost) {
            return Err(escape);
        }
        self.roll_back(&checkpoint);
        if matches!(escape.reason, RejectReason::UncountedLoop { .. }) {
            if let Some(rewritten) = self.with_exits_inside(statement) {
                match self.in_scope(|l| l.counted(&rewritten)) {
                    Ok(()) => return Ok(()),
                    Err(other) if other.level == Level::Unit => return Err(other),
                    Err(_) => self.roll_back(&checkpoint),
                }
            }
            match self.repeated(statement, &escape) {
                Ok(()) => return Ok(()),
                Err(other) if other.level == Level::Unit => return Err(other),
                Err(_) => self.roll_back(&checkpoint),
            }
        }
        let is_jump = matches!(escape.reason, RejectReason::Jump { .. });
        let leaves = escape.level == Level::Function
            && !(is_jump && self.frame_ref().changed.keeps_jumps(statement));
        self.opaque_loop(statement, escape);
        if leaves {
            self.lose_result();
        }
        Ok(())
    }

    /// A loop of which nothing was understood but that it is one.
    pub(super) fn opaque_loop(&mut self, statement: &Statement, escape: Escape) {
        let Some(parts) = parts(statement) else {
            self.opaque_at(statement, escape.reason, escape.at);
            return;
        };
        let id = self.open_loop("while", parts.header);
        let around = std::mem::take(&mut self.block);
        self.opaque_at(statement, escape.reason, escape.at);
        let body = std::mem::replace(&mut self.block, around);
        self.open_loops.pop();
        let node = self.uncounted_loop(id, body);
        self.emit(Node::Loop(node));
    }

    /// Opens a loop of the tree.
    pub(super) fn open_loop(&mut self, iterator: &str, header: At) -> LoopId {
        let row = self.loops.len();
        self.loops.push(LoopRow {
            iterator: iterator.to_owned(),
            inside: self.open_loops.last().copied(),
            header,
            function: self.frame_ref().function.clone(),
            arithmetic: Arithmetic::default(),
            ends_by_data: false,
        });
        self.open_loops.push(row);
        LoopId::from_u32(u32::try_from(row).unwrap_or(u32::MAX))
    }

    /// The loop over bytes that a library function is, which is written there; `body` gets the iterator.
    pub(super) fn loop_of_call(
        &mut self,
        callee: &str,
        at: At,
        bound: Expression,
        step: u32,
        body: impl FnOnce(&mut Self, &Expression) -> Lowered<()>,
    ) -> Lowered<()> {
        let variable = self.new_variable(&format!("{callee}@"), LONG, false);
        let id = self.open_loop(callee, at);
        if let Some(row) = self.loops.last_mut() {
            row.function = Name::from(callee);
        }
        let (body, ()) = self.in_block(|l| body(l, &Expression::Variable(variable)))?;
        self.open_loops.pop();
        self.emit(Node::Loop(Loop {
            id,
            variable,
            first: 0.into(),
            comparison: Comparison::Less,
            bound,
            step: i64::from(step).into(),
            body,
        }));
        Ok(())
    }

    /// Notes that only a loop's iterations tell which is the last.
    fn ended_by_data(&mut self, id: LoopId) {
        if let Some(row) = self.loops.get_mut(id.as_u32() as usize) {
            row.ends_by_data = true;
        }
    }

    /// A loop of the tree that runs nobody knows how often.
    pub(super) fn uncounted_loop(&mut self, id: LoopId, body: Vec<Node>) -> Loop {
        self.ended_by_data(id);
        Loop {
            id,
            variable: self.new_variable("while@", LONG, false),
            first: 0.into(),
            comparison: Comparison::Less,
            bound: Expression::Data,
            step: 1.into(),
            body,
        }
    }

    fn counted(&mut self, statement: &Statement) -> Lowered<()> {
        let Some(parts) = parts(statement) else {
            let why = "it has no header".to_owned();
            return Err(Self::uncounted(why, statement.at));
        };
        self.enter_loop(statement, parts.header)?;
        let start = self.block.len();
        if let Some(initial) = parts.initial {
            self.with_role(Role::Header, |l| {
                l.with_extremes(true, |l| l.statement(initial, Tail::NONE))
            })?;
        }
        if is_never_run(&parts) {
            return Ok(());
        }
        let shape = shape(&parts, |at| self.program.text(at))
            .map_err(|why| Self::uncounted(why, parts.header))?;
        let iterator = self.iterator(&shape, parts.header)?;
        self.prelude = Prelude::default();
        let first = self.first_value(&iterator, &shape, start, parts.header)?;
        let mentions = self.program.name_uses(statement);
        let mut head = self.state_at_head(&mentions);
        head.integers.insert(iterator.id, Knowledge::Exact);
        let before = head;
        let mut head = self.first_head(statement, &before);
        let checkpoint = self.checkpoint();
        let mut pointers = Exchanged::default();
        let linked_share = self.linked_share();
        for _ in 0..MAX_ATTEMPTS {
            self.state = head.clone();
            self.begin_pass(linked_share);
            self.note_given(iterator.id);
            let pass = Pass {
                iterator: &iterator,
                first: &first,
                changed: &mentions.changed,
                exchange: &pointers.exchange,
            };
            let nodes = self.attempt(&parts, &shape, &pass)?;
            let asked = self.end_pass();
            if let Some(exchange) = nodes.exchange {
                self.roll_back(&checkpoint);
                self.exchange_from(exchange, &mut pointers, &mut head);
                continue;
            }
            let mut joined = head.join(&self.state);
            joined.differ(&head, &self.state);
            if self.is_settled(statement, &asked, [&before, &head, &joined]) {
                let last = std::mem::replace(&mut self.state, joined);
                self.state.leave_with(&last.reals, &before);
                let may_stop = nodes.may_stop;
                self.block.append(&mut pointers.starts);
                self.finish_loop(nodes.list, &iterator);
                if shape.may_skip_step || may_stop {
                    // Which of the conditions failed decides what the last step did.
                    self.assign(iterator.id, Expression::Data);
                }
                return Ok(());
            }
            self.roll_back(&checkpoint);
            head = joined;
        }
        Err(too_many_passes(parts.header))
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
                if matches!(target, Target::OneOf(_) | Target::Ambiguous | Target::Null) {
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
        let mut first = match self.knowledge(iterator.id) {
            Some(Knowledge::Known(value)) => value.clone(),
            Some(Knowledge::Exact) => Expression::Variable(iterator.id),
            _ => {
                let why = format!("the first value of `{}` is data", shape.iterator);
                let name = shape.iterator.to_string();
                let why = Self::uncounted(why, at);
                let first = self.constant_in_loop(&name, iterator.kind, why);
                for escape in std::mem::take(&mut self.prelude.unknown) {
                    self.note_rejection(escape.reason, escape.at);
                }
                // As if the program had assigned it.
                self.assign(iterator.id, first.clone());
                first
            }
        };
        if let Some(idx) = self.own_assignment(iterator.id, start)
            && let Node::Assign { value, .. } = self.block.remove(idx)
        {
            first = value;
        }
        match (shape.tested, shape.step_idx, shape.step) {
            (Tested::Before, None, InductionStep::Constant(by)) => first = plus(first, by.into()),
            // The bound will mention it.
            (Tested::After, ..) => first = self.pin(first, &shape.iterator),
            _ => {}
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
        Node::assigned(&self.block[idx + 1..], &mut later);
        let depends_on = |part: &Expression| matches!(part, Expression::Variable(id) if later.contains(id) || *id == iterator);
        let is_read = self.block[idx + 1..].iter().any(|node| match node {
            Node::Assign { value, .. } => {
                value.any(|part| matches!(part, Expression::Variable(id) if *id == iterator))
            }
            Node::Operations(_) => false,
            _ => true,
        });
        (!value.any(depends_on) && !is_read).then_some(idx)
    }

    /// Lowers header and body under what is known at the head.
    fn attempt(&mut self, parts: &Parts, shape: &Shape, pass: &Pass) -> Lowered<Attempt> {
        let Pass {
            iterator,
            first,
            changed,
            exchange,
        } = *pass;
        self.prelude = Prelude {
            changed: changed.clone(),
            ..Prelude::default()
        };
        let around = std::mem::replace(&mut self.in_header, true);
        let header = self.with_extremes(true, |l| l.header(parts, shape, iterator, first));
        self.note_header(shape, iterator);
        self.in_header = around;
        let header = header?;
        let prelude: Prelude = std::mem::take(&mut self.prelude);
        let id = self.open_loop(&shape.iterator, parts.header);
        if let Some(row) = self.loops.last_mut() {
            row.arithmetic = prelude.arithmetic;
        }
        self.open.insert(iterator.id, header.least);
        let head = self.state.clone();
        let had_left = self.may_have_left_loops();
        let around = std::mem::take(&mut self.frame().course.leaving);
        self.frame().course.n_loops += 1;
        let (mut body, ()) = self.in_block(|l| {
            if shape.tested == Tested::Before {
                l.repeat_loads(&prelude.tests);
            }
            l.in_scope(|l| l.body(parts, shape))?;
            l.repeat_loads(&prelude.steps);
            if shape.tested == Tested::After {
                l.repeat_loads(&prelude.tests);
            }
            l.exchange(exchange);
            Ok(())
        })?;
        let exchange = self.end_iteration(exchange, &head, &body);
        self.frame().course.n_loops -= 1;
        let leaving = std::mem::replace(&mut self.frame().course.leaving, around);
        let may_stop = leaving.stop || (!had_left && self.may_have_left_loops());
        if may_stop {
            body = self.possible(body, &head);
            self.ended_by_data(id);
        }
        self.open_loops.pop();
        self.open.remove(&iterator.id);
        self.check_invariance(&body, &header, &prelude.computed, iterator, parts)?;
        for load in prelude.tests.iter().chain(&prelude.steps) {
            let offset = load.offset.as_integer();
            self.ask_row(load.row, Epoch::Entry);
            let memory = &self.state.memory;
            let is_stored = !head.memory.is_steady(memory, load.row, offset, load.size);
            if is_stored {
                let why = format!("its body stores to `{}`", self.arrays[load.row.0].name);
                return Err(Self::uncounted(why, parts.header));
            }
        }
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
        let (mut list, ()) = self.in_block(|l| {
            for escape in &prelude.unknown {
                l.note_rejection(escape.reason.clone(), escape.at);
            }
            Ok(())
        })?;
        list.extend(prelude.computed);
        if header.guard == Expression::Integer(1) {
            list.push(node);
        } else {
            let initial = Node::Assign {
                variable: iterator.id,
                value: header.first,
            };
            list.push(Node::Branch {
                condition: header.guard,
                then: vec![node],
                otherwise: vec![initial],
            });
        }
        if shape.tested == Tested::Before && !prelude.tests.is_empty() {
            // The test that ends the loop.
            let (last, ()) = self.in_block(|l| {
                l.repeat_loads(&prelude.tests);
                Ok(())
            })?;
            match may_stop {
                true => list.push(Node::Branch {
                    condition: Expression::Data,
                    then: last,
                    otherwise: Vec::new(),
                }),
                false => list.extend(last),
            }
        }
        Ok(Attempt {
            list,
            may_stop,
            exchange,
        })
    }

    fn repeat_loads(&mut self, loads: &[HeaderLoad]) {
        for load in loads {
            let offset = load.offset.clone();
            self.access_array(AccessKind::Load, load.row, offset, load.size, load.at);
        }
    }

    /// Nodes that execute or not, by data.
    pub(super) fn possible(&mut self, nodes: Vec<Node>, before: &State) -> Vec<Node> {
        let mut joined = before.join(&self.state);
        joined.differ(before, &self.state);
        Node::each_assigned(&nodes, &mut |id| {
            if let Some(knowledge) = joined.integers.get_mut(&id) {
                *knowledge = Knowledge::Unknown;
            }
        });
        self.state = joined;
        vec![Node::Branch {
            condition: Expression::Data,
            then: nodes,
            otherwise: Vec::new(),
        }]
    }

    /// The body with its other steps.
    fn body(&mut self, parts: &Parts, shape: &Shape) -> Lowered<()> {
        self.iteration(parts.body)?;
        let own = shape.step_idx.unwrap_or(usize::MAX);
        for (idx, step) in parts.steps.iter().enumerate() {
            if idx == own {
                continue;
            }
            if own < idx && premiss_ast::visit::mentions(step, &shape.iterator) {
                let why = format!(
                    "`{}` uses the iterator after its step",
                    self.program.text(step.at)
                );
                return Err(Self::uncounted(why, step.at));
            }
            self.with_role(Role::Header, |l| l.value(step))?;
        }
        Ok(())
    }

    /// Notes the comparisons and the step that are the header's own.
    fn note_header(&mut self, shape: &Shape, iterator: &Iterator) {
        let with = Operands::Integer(iterator.kind.bits);
        for test in &shape.tests {
            self.note(OperationKind::Compare, with, Role::Header);
            for (_, is_minus) in &test.plus {
                let kind = match is_minus {
                    true => OperationKind::Subtract,
                    false => OperationKind::Add,
                };
                self.note(kind, with, Role::Header);
            }
        }
        let step = match shape.step {
            InductionStep::Minus(_) | InductionStep::Constant(..=-1) => OperationKind::Subtract,
            InductionStep::Plus(_) | InductionStep::Constant(_) => OperationKind::Add,
        };
        self.note(step, with, Role::Header);
        if let Some(slot) = self.lookup(&shape.iterator) {
            self.note_read(&shape.iterator, &slot);
        }
    }

    /// An integer that nobody knows and that stays as it is in the loop that is being lowered: a size
    /// before an outermost loop, a variable that nothing assigns inside of another.
    pub(super) fn constant_in_loop(
        &mut self,
        name: &str,
        kind: IntegerType,
        why: Escape,
    ) -> Expression {
        if self.open_loops.is_empty() {
            return self.minted(name, kind, why.at);
        }
        let id = self.unassigned(name, kind);
        self.prelude.unknown.push(why);
        Expression::Variable(id)
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
        let mut fixed = BTreeSet::from([iterator.id]);
        read_by(prelude, &mut fixed);
        for expression in [&header.bound, &header.step, &header.guard] {
            note_variables(expression, &mut fixed);
        }
        let mut first = None;
        Node::each_assigned(body, &mut |id| {
            if first.is_none_or(|first| id < first) && fixed.contains(&id) {
                first = Some(id);
            }
        });
        if let Some(id) = first {
            let name = self.variable(id).name.trim_end_matches('@').to_owned();
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
        self.give(iterator.id, Knowledge::Exact);
    }
}

fn is_never_run(parts: &Parts) -> bool {
    let is_zero = |syntax: &Syntax| matches!(syntax.kind, ExpressionKind::Integer(0, _));
    parts.tested == Tested::Before && parts.condition.is_some_and(is_zero)
}

/// What is known at a loop's head did not settle.
pub(super) fn too_many_passes(header: At) -> Escape {
    Escape {
        reason: RejectReason::Budget {
            limit: format!("{MAX_ATTEMPTS} passes over a loop"),
        },
        at: header,
        level: Level::Loop,
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
            Node::Loop(_) | Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
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
