//! Jumps that are structure, and jumps that data decide.
//!
//! `if (c) continue; rest` is `if (!c) { rest }`, and `if (c) return; rest` likewise, where what
//! follows `rest` is the end of the loop's body, or of the function's. Any other `return` outside of
//! loops sets a variable that what follows tests:
//!
//! ```text
//! if (check) {                     returned = 0
//!     if (n <= i) return;          if (check) if (n <= i) returned = 1
//! }
//! v[i] = x;                        if (returned == 0) v[i] = x
//! ```
//!
//! A `goto` to a label ahead, in a statement around, skips what is in between, and `if (c) goto l; rest l:`
//! is `if (!c) { rest } l:`.
//!
//! After any other jump, what follows it is possible: it executes or not, up to the label that it leads
//! to. A loop that a jump may end early executes its body at most as often as its header says.

use super::conditions::logical;
use super::content::Lost;
use super::value::{Knowledge, Slot, State, Target, Value};
use super::{Escape, Level, Lowered, Lowering};
use crate::syntax::{At, Expression as Syntax, Name, Statement, StatementKind};
use imbl::ordmap::DiffItem;
use premiss_ast::SyntaxFacts;
use premiss_ast::visit::{breaks, children, contains, continues, is_run_once, leading_labels};
use premiss_tree::{BinaryOperator as Op, Expression, Node, RejectReason, VariableId};

/// What the end of a statement is the end of, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail<'s> {
    /// The body of the innermost loop.
    pub(super) of_loop: bool,
    /// The body of the function.
    pub(super) of_function: bool,
    /// Whether a `return` leaves what ends there.
    pub(super) returns: bool,
    /// The statement with the labels that it comes before.
    pub(super) label: Option<&'s Statement>,
}

/// The label at the end of a loop's body, where a `continue` leads; no label of a program has that name.
const CONTINUE: &str = "continue";

/// A place ahead that a `goto` or `continue` may lead to.
#[derive(Debug, Clone)]
pub(super) struct Ahead {
    labels: Vec<Name>,
    /// How many loops of the function are open around it.
    n_loops: usize,
    /// The variable that is 1 where a jump leads there, out of no loop.
    flag: VariableId,
    /// Whether a jump out of a loop may have led there.
    is_taken: bool,
}

impl Tail<'_> {
    pub(super) const NONE: Self = Self {
        of_loop: false,
        of_function: false,
        returns: false,
        label: None,
    };
    pub(super) const LOOP: Self = Self {
        of_loop: true,
        of_function: false,
        returns: true,
        label: None,
    };
    pub(super) const FUNCTION: Self = Self {
        of_loop: false,
        of_function: true,
        returns: true,
        label: None,
    };

    /// The same for what stands in `do … while (0)`, whose own jumps are not the loop's.
    pub(super) fn in_block(self) -> Self {
        Self {
            of_loop: false,
            ..self
        }
    }
}

/// Whether a statement surely ends in a jump that the tail makes structure.
pub(super) fn always_leaves(statement: &Statement, tail: Tail) -> bool {
    match &statement.kind {
        StatementKind::Continue | StatementKind::Break => tail.of_loop,
        StatementKind::Return(_) => tail.returns,
        StatementKind::Goto(Some(label)) => tail.label.is_some_and(|s| has_label(s, label)),
        StatementKind::Block(list) => list.last().is_some_and(|last| always_leaves(last, tail)),
        StatementKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => always_leaves(then, tail) && always_leaves(otherwise, tail),
        StatementKind::DoWhile { body, .. } => {
            is_run_once(statement) && !leads_to_end(body) && always_leaves(body, tail.in_block())
        }
        _ => false,
    }
}

/// Whether a jump in the body of a `do … while (0)` leads to its end.
fn leads_to_end(body: &Statement) -> bool {
    breaks(body) || continues(body)
}

/// Whether a statement has this label.
fn has_label(statement: &Statement, label: &Name) -> bool {
    match &statement.kind {
        StatementKind::Label(own, inner) => own == label || has_label(inner, label),
        _ => false,
    }
}

/// A statement without its labels.
fn unlabelled(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Label(_, inner) => unlabelled(inner),
        _ => statement,
    }
}

/// The last of the statements that one before it jumps to.
fn last_target(statements: &[Statement]) -> Option<usize> {
    let is_target = |idx: &usize| {
        let (before, rest) = statements.split_at(*idx);
        let jumps = |kind: &StatementKind| match kind {
            StatementKind::Goto(Some(label)) => has_label(&rest[0], label),
            _ => false,
        };
        matches!(rest[0].kind, StatementKind::Label(..))
            && before.iter().any(|s| contains(s, &jumps))
    };
    (1..statements.len()).rev().find(is_target)
}

/// Whether there is a `return` in a statement, outside of loops.
fn returns_within(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::For(_) | StatementKind::While { .. } => false,
        StatementKind::DoWhile { .. } if !is_run_once(statement) => false,
        _ => children(statement).into_iter().any(returns_within),
    }
}

impl Lowering<'_> {
    /// Whether a jump may have skipped this place, by data.
    pub(super) fn may_have_left(&self) -> bool {
        self.may_have_left_loops() || self.frame_ref().course.leaving.iteration
    }

    /// Whether a jump may have led out of the loops that are open here, by data.
    pub(super) fn may_have_left_loops(&self) -> bool {
        let frame = self.frame_ref();
        frame.course.may_have_returned || frame.course.ahead.iter().any(|ahead| ahead.is_taken)
    }

    /// Statements of which an earlier one may jump to a later one; false where there is none.
    pub(super) fn jumping_list(&mut self, statements: &[Statement], tail: Tail) -> Lowered<bool> {
        if !self.frame_ref().changed.has_goto() {
            return Ok(false);
        }
        let Some(idx) = last_target(statements) else {
            return Ok(false);
        };
        let (before, rest) = statements.split_at(idx);
        let had_left = self.may_have_left();
        self.up_to_label(before, &rest[0], tail, rest.len() == 1)?;
        let from_label = |l: &mut Self| match rest {
            [single] => l.statement(unlabelled(single), tail),
            _ => l.list_from(rest, unlabelled(&rest[0]), tail),
        };
        let reached = match !had_left && self.may_have_left() {
            true => Expression::Data,
            false => self.reached(),
        };
        match reached.as_integer() {
            Some(0) => {}
            Some(_) => from_label(self)?,
            None => {
                let from_label = |l: &mut Self| {
                    l.not_returned();
                    from_label(l)
                };
                self.branch_values(reached, from_label, |_| Ok(()))?;
            }
        }
        Ok(true)
    }

    /// Statements before a label that some of them jump to.
    fn up_to_label(
        &mut self,
        before: &[Statement],
        label: &Statement,
        tail: Tail,
        is_last: bool,
    ) -> Lowered<()> {
        let is_empty = matches!(unlabelled(label).kind, StatementKind::Empty);
        let is_end = is_last && is_empty;
        let around = if is_end { tail } else { Tail::NONE };
        let tail = Tail {
            label: Some(label),
            ..around
        };
        self.up_to(leading_labels(label), "jumped", |l| l.list(before, tail))
    }

    /// An iteration of the innermost loop.
    pub(super) fn iteration(&mut self, body: &[Statement]) -> Lowered<()> {
        let lower = |l: &mut Self| match body {
            [single] => l.in_scope(|l| l.statement(single, Tail::LOOP)),
            list => l.list(list, Tail::LOOP),
        };
        match body.iter().any(continues) {
            true => self.up_to(vec![CONTINUE.into()], "continued", lower),
            false => lower(self),
        }
    }

    /// What comes before a place that jumps lead to, with the name of the variable that notes them.
    fn up_to(
        &mut self,
        labels: Vec<Name>,
        flag: &str,
        lower: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let n_loops = self.frame_ref().course.n_loops;
        let flag = self.new_variable(flag, super::types::INT, false);
        let place = self.block.len();
        self.assign(flag, 0.into());
        self.frame().course.ahead.push(Ahead {
            labels,
            n_loops,
            flag,
            is_taken: false,
        });
        lower(self)?;
        self.frame().course.ahead.pop();
        if self.state.integers.get(&flag) == Some(&Knowledge::Known(0.into())) {
            self.block.remove(place);
        }
        Ok(())
    }

    /// The condition under which no jump has led past this place, as far as variables tell.
    fn reached(&mut self) -> Expression {
        let flags = self.flags();
        flags.into_iter().fold(1.into(), |reached, flag| {
            logical(Op::And, reached, self.is_clear(flag))
        })
    }

    /// Of two arms of which one has returned, the other alone goes on: from here on the function's own integers are what they
    /// are there. After the first arm the state is `first`, after the second the present one.
    ///
    /// ```text
    /// if (0 < step) i = lo; else if (step < 0) i = hi; else return;      `i` has a value from here on
    /// ```
    pub(super) fn go_on_in_one(
        &mut self,
        first: &mut State,
        first_nodes: &mut Vec<Node>,
        second_nodes: &mut Vec<Node>,
    ) {
        let Some(flag) = self.frame_ref().course.returned else {
            return;
        };
        let has_returned = |state: &State| {
            let known = state.integers.get(&flag);
            matches!(known, Some(Knowledge::Known(value)) if value.as_integer() == Some(1))
        };
        match (has_returned(first), has_returned(&self.state)) {
            (true, false) => self.take_over(&self.state, first, first_nodes),
            (false, true) => {
                let mut second = std::mem::take(&mut self.state);
                self.take_over(first, &mut second, second_nodes);
                self.state = second;
            }
            _ => {}
        }
    }

    /// Makes the function's own integers what another state says, after an arm that has returned: nobody asks there.
    fn take_over(&self, other: &State, state: &mut State, nodes: &mut Vec<Node>) {
        let flags = self.flags();
        let result = match self.frame_ref().result_slot {
            Some(Slot::Integer(id, _)) => Some(id),
            _ => None,
        };
        let is_own = |id: &VariableId| {
            let row = self.variable(*id);
            row.frame == self.frames.len()
                && !row.is_shared
                && !flags.contains(id)
                && result != Some(*id)
                && self.pointers.binary_search(id).is_err()
        };
        let others = state.integers.diff(&other.integers);
        let others = others.filter_map(|difference| match difference {
            DiffItem::Update { new, .. } => Some((*new.0, new.1.clone())),
            DiffItem::Add(..) | DiffItem::Remove(..) => None,
        });
        let others: Vec<_> = others.filter(|(id, _)| is_own(id)).collect();
        for (id, knowledge) in others {
            state.integers.insert(id, knowledge);
            if let Some(pass) = other.given.get(&id) {
                state.given.insert(id, *pass);
            }
            nodes.push(Node::Assign {
                variable: id,
                value: 0.into(),
            });
        }
    }

    /// The variables that jumps past what is lowered now set.
    fn flags(&self) -> Vec<VariableId> {
        let course = &self.frame_ref().course;
        let flags = course.ahead.iter().map(|ahead| ahead.flag);
        flags.chain(course.returned).collect()
    }

    /// Whether a variable that a jump sets is 0.
    fn is_clear(&mut self, flag: VariableId) -> Expression {
        match self.knowledge(flag) {
            None => 1.into(),
            Some(Knowledge::Known(value)) => i64::from(value.as_integer() == Some(0)).into(),
            Some(Knowledge::Exact) => {
                Expression::binary(Op::Equal, Expression::Variable(flag), 0.into())
            }
            Some(Knowledge::Unknown) => Expression::Data,
        }
    }

    /// Notes a jump to a label ahead; false where it leads elsewhere.
    fn jump_ahead(&mut self, label: &Name) -> bool {
        let n_loops = self.frame_ref().course.n_loops;
        let frame = self.frame();
        let mut ahead = frame.course.ahead.iter_mut().rev();
        let Some(ahead) = ahead.find(|ahead| ahead.labels.contains(label)) else {
            return false;
        };
        if ahead.n_loops == n_loops {
            let flag = ahead.flag;
            self.assign(flag, 1.into());
        } else {
            ahead.is_taken = true;
            frame.course.leaving.stop = true;
        }
        true
    }

    /// Notes a `continue` of the innermost loop; false where none is open.
    fn continue_ahead(&mut self) -> bool {
        let course = &self.frame_ref().course;
        let is_own = |ahead: &&Ahead| {
            ahead.n_loops == course.n_loops && ahead.labels.iter().any(|label| &**label == CONTINUE)
        };
        let Some(flag) = course
            .ahead
            .iter()
            .rev()
            .find(is_own)
            .map(|ahead| ahead.flag)
        else {
            return false;
        };
        self.assign(flag, 1.into());
        true
    }

    /// `break`, `continue` or `goto`.
    pub(super) fn jump(&mut self, statement: &Statement, tail: Tail) -> Lowered<()> {
        if matches!(statement.kind, StatementKind::Continue) && self.continue_ahead() {
            return Ok(());
        }
        if let StatementKind::Goto(Some(label)) = &statement.kind {
            let is_structure = always_leaves(statement, tail);
            if is_structure || self.jump_ahead(label) {
                return Ok(());
            }
        }
        let (keyword, level) = match statement.kind {
            StatementKind::Break => ("break", Level::Loop),
            StatementKind::Continue => ("continue", Level::Loop),
            _ => ("goto", Level::Function),
        };
        let is_goto = level == Level::Function;
        let is_understood = match is_goto {
            true => self.frame_ref().changed.jumps_forward(),
            false => 0 < self.frame_ref().course.n_loops,
        };
        if !is_understood {
            return Err(Escape {
                reason: RejectReason::Jump { keyword },
                at: statement.at,
                level,
            });
        }
        if is_goto {
            self.lose_result();
        }
        let frame = self.frame();
        frame.course.has_jumped_anywhere |= is_goto;
        frame.course.leaving.stop |= keyword != "continue";
        frame.course.leaving.iteration |= !tail.of_loop;
        Ok(())
    }

    /// `return`, with its value.
    pub(super) fn return_statement(
        &mut self,
        statement: &Statement,
        value: Option<&Syntax>,
        tail: Tail,
    ) -> Lowered<()> {
        let value = match value {
            Some(syntax) => self.value(syntax)?,
            None => Value::Void,
        };
        let flag = self.frame_ref().course.returned;
        let is_in_loop = 0 < self.frame_ref().course.n_loops;
        let kind = self.frame_ref().result_type.clone();
        let value = match kind {
            super::types::Type::Void => Value::Void,
            kind => self.convert(value, &kind),
        };
        if !tail.of_function && (is_in_loop || flag.is_none()) {
            let frame = self.frame();
            frame.course.may_have_returned = true;
            frame.course.leaving.stop = true;
            return self.possible_result(value, statement.at);
        }
        if self.frame_ref().course.n_branches == 0 {
            self.frame().result = Some(value);
        } else if let Some(slot) = self.frame_ref().result_slot.clone() {
            self.store(&super::value::Place::Slot(slot), value, statement.at);
        }
        if let (Some(flag), false) = (flag, tail.of_function) {
            self.assign(flag, 1.into());
        }
        Ok(())
    }

    /// Notes the pointer that a `return` yields, which executes or not. Of other results nobody asks
    /// what they are then.
    fn possible_result(&mut self, value: Value, at: At) -> Lowered<()> {
        let Some(slot @ Slot::Pointer(..)) = self.frame_ref().result_slot.clone() else {
            return Ok(());
        };
        let place = super::value::Place::Slot(slot);
        let store = |l: &mut Self| {
            l.store(&place, value, at);
            Ok(())
        };
        // The tree needs no variable that data decide.
        self.in_block(|l| l.branch_values(Expression::Data, store, |_| Ok(())))?;
        Ok(())
    }

    /// Notes that the function may have returned with any result.
    pub(super) fn lose_result(&mut self) {
        self.frame().course.may_have_returned = true;
        if let Some(Slot::Pointer(id, _)) = self.frame_ref().result_slot {
            self.state.pointers.insert(id, Target::Ambiguous);
            self.state.nullable.remove(&self.pointers[id.0]);
        }
    }

    /// Lowers a statement that is not the last of its block; yields the condition under which what
    /// follows it is reached.
    pub(super) fn with_exits(&mut self, statement: &Statement) -> Lowered<Expression> {
        let frame = self.frame_ref();
        let needs_flag = frame.course.n_loops == 0
            && frame.course.returned.is_none()
            && returns_within(statement);
        let begun_at = needs_flag.then(|| self.begin_returns());
        let had_left = self.may_have_left();
        self.statement(statement, Tail::NONE)?;
        let reached = match !had_left && self.may_have_left() {
            true => Expression::Data,
            false => self.reached(),
        };
        if let (Some(place), Expression::Integer(1)) = (begun_at, &reached) {
            self.block.remove(place);
        }
        Ok(reached)
    }

    /// Makes the variable that is 1 where the function has returned, and gives the function's result
    /// a value for the paths that have not come to one yet. Yields where in the block the variable is
    /// set to 0.
    fn begin_returns(&mut self) -> usize {
        let result = match self.frame_ref().result_slot {
            Some(Slot::Integer(id, _)) => Some(id),
            Some(Slot::Pointer(id, _)) => Some(self.pointers[id.0]),
            _ => None,
        };
        if let Some(id) = result
            && let None | Some(Knowledge::Unknown) = self.knowledge(id)
        {
            self.assign(id, 0.into());
        }
        let place = self.block.len();
        let flag = self.new_variable("returned", super::types::INT, false);
        self.assign(flag, 0.into());
        self.frame().course.returned = Some(flag);
        place
    }

    /// Notes that what is lowered now is reached only where the function has not returned, and no jump
    /// has led past it.
    pub(super) fn not_returned(&mut self) {
        for flag in self.flags() {
            let none = Knowledge::Known(0.into());
            self.state.integers.insert(flag, none);
        }
    }

    /// The place of a label that jumps lead to: they come from anywhere before it.
    pub(super) fn arrive(&mut self) {
        if self.frame_ref().course.has_jumped_anywhere {
            let facts = self.frame_ref().changed.clone();
            self.forget(&SyntaxFacts::clone(&facts).into());
            self.forget_memory(Lost::Everything);
        }
    }

    /// What leaves a `do … while (0)` goes on behind it.
    pub(super) fn run_once(&mut self, body: &Statement, tail: Tail) -> Lowered<()> {
        if !leads_to_end(body) {
            return self.in_scope(|l| l.statement(body, tail.in_block()));
        }
        let before = self.frame_ref().course.leaving;
        self.frame().course.n_loops += 1;
        let labels = vec![CONTINUE.into()];
        self.up_to(labels, "continued", |l| {
            l.in_scope(|l| l.statement(body, Tail::NONE))
        })?;
        self.frame().course.n_loops -= 1;
        self.frame().course.leaving = before;
        Ok(())
    }
}
