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
//! After any other jump, what follows it is possible: it executes or not. A loop that a jump may end
//! early executes its body at most as often as its header says.

use super::memory::Lost;
use super::value::{Knowledge, Slot, Target, Value};
use super::{Escape, Level, Lowered, Lowering};
use crate::syntax::{At, Expression as Syntax, Statement, StatementKind};
use premiss_tree::{BinaryOperator as Op, Expression, RejectReason};

/// What the end of a statement is the end of, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tail {
    /// The body of the innermost loop.
    pub(super) of_loop: bool,
    /// The body of the function.
    pub(super) of_function: bool,
    /// Whether a `return` leaves what ends there.
    pub(super) returns: bool,
}

impl Tail {
    pub(super) const NONE: Self = Self {
        of_loop: false,
        of_function: false,
        returns: false,
    };
    pub(super) const LOOP: Self = Self {
        of_loop: true,
        of_function: false,
        returns: true,
    };
    pub(super) const FUNCTION: Self = Self {
        of_loop: false,
        of_function: true,
        returns: true,
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
        StatementKind::Block(list) => list.last().is_some_and(|last| always_leaves(last, tail)),
        StatementKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => always_leaves(then, tail) && always_leaves(otherwise, tail),
        StatementKind::DoWhile { body, .. } => {
            super::facts::is_run_once(statement)
                && !super::opaque::breaks(body)
                && always_leaves(body, tail.in_block())
        }
        _ => false,
    }
}

/// Whether there is a `return` in a statement, outside of loops.
fn returns_within(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::For(_) | StatementKind::While { .. } => false,
        StatementKind::DoWhile { .. } if !super::facts::is_run_once(statement) => false,
        _ => super::opaque::children(statement)
            .into_iter()
            .any(returns_within),
    }
}

impl Lowering<'_> {
    /// Whether a jump may have skipped this place, by data.
    pub(super) fn may_have_left(&self) -> bool {
        let frame = self.frame_ref();
        frame.may_have_returned || frame.leaving.iteration
    }

    /// `break`, `continue` or `goto`.
    pub(super) fn jump(&mut self, statement: &Statement, tail: Tail) -> Lowered<()> {
        let (keyword, level) = match statement.kind {
            StatementKind::Break => ("break", Level::Loop),
            StatementKind::Continue => ("continue", Level::Loop),
            _ => ("goto", Level::Function),
        };
        let is_goto = level == Level::Function;
        let is_understood = match is_goto {
            true => self.frame_ref().changed.jumps_forward(),
            false => 0 < self.frame_ref().n_loops,
        };
        if !is_understood {
            return Err(Escape {
                reason: RejectReason::Jump { keyword },
                at: statement.at,
                level,
            });
        }
        let frame = self.frame();
        frame.may_have_returned |= is_goto;
        frame.leaving.stop |= keyword != "continue";
        frame.leaving.iteration |= !tail.of_loop;
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
        let flag = self.frame_ref().returned;
        let is_in_loop = 0 < self.frame_ref().n_loops;
        let kind = self.frame_ref().result_type.clone();
        let value = match kind {
            super::types::Type::Void => Value::Void,
            kind => self.convert(value, &kind),
        };
        if !tail.of_function && (is_in_loop || flag.is_none()) {
            let frame = self.frame();
            frame.may_have_returned = true;
            frame.leaving.stop = true;
            return self.possible_result(value, statement.at);
        }
        if self.frame_ref().n_branches == 0 {
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
        self.frame().may_have_returned = true;
        if let Some(Slot::Pointer(id, _)) = self.frame_ref().result_slot {
            self.state.pointers.insert(id, Target::Ambiguous);
            self.state.nullable.remove(&self.pointers[id.0]);
        }
    }

    /// Lowers a statement that is not the last of its block; yields the condition under which what
    /// follows it is reached.
    pub(super) fn with_exits(&mut self, statement: &Statement) -> Lowered<Expression> {
        let frame = self.frame_ref();
        let needs_flag =
            frame.n_loops == 0 && frame.returned.is_none() && returns_within(statement);
        let begun_at = needs_flag.then(|| self.begin_returns());
        let had_left = self.may_have_left();
        self.statement(statement, Tail::NONE)?;
        let flag = self.frame_ref().returned;
        let reached = match flag.and_then(|flag| self.state.integers.get(&flag)) {
            _ if !had_left && self.may_have_left() => Expression::Data,
            None => 1.into(),
            Some(Knowledge::Known(value)) if value.as_integer() == Some(0) => 1.into(),
            Some(Knowledge::Known(_)) => 0.into(),
            Some(Knowledge::Exact) => {
                let flag = flag.map_or(Expression::Data, Expression::Variable);
                Expression::binary(Op::Equal, flag, 0.into())
            }
            Some(Knowledge::Unknown) => Expression::Data,
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
            && let None | Some(Knowledge::Unknown) = self.state.integers.get(&id)
        {
            self.assign(id, 0.into());
        }
        let place = self.block.len();
        let flag = self.new_variable("returned", super::types::INT, false);
        self.assign(flag, 0.into());
        self.frame().returned = Some(flag);
        place
    }

    /// Notes that what is lowered now is reached only where the function has not returned.
    pub(super) fn not_returned(&mut self) {
        if let Some(flag) = self.frame_ref().returned {
            let none = Knowledge::Known(0.into());
            self.state.integers.insert(flag, none);
        }
    }

    /// The place of a label that jumps lead to: they come from anywhere before it.
    pub(super) fn arrive(&mut self) {
        let facts = self.frame_ref().changed.clone();
        if facts.jumps_forward() && facts.has_goto() {
            self.forget(&facts);
            self.forget_memory(Lost::Everything);
        }
    }

    /// What leaves a `do … while (0)` goes on behind it.
    pub(super) fn run_once(&mut self, body: &Statement, tail: Tail) -> Lowered<()> {
        if !super::opaque::breaks(body) {
            return self.in_scope(|l| l.statement(body, tail.in_block()));
        }
        let before = self.frame_ref().leaving;
        self.frame().n_loops += 1;
        self.in_scope(|l| l.statement(body, Tail::NONE))?;
        self.frame().n_loops -= 1;
        self.frame().leaving = before;
        Ok(())
    }
}
