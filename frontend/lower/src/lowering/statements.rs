//! Statements.

use super::jumps::{Tail, always_leaves};
use super::switches::cases;
use super::{Lowered, Lowering};
use crate::syntax::{Expression as Syntax, Statement, StatementKind};
use premiss_tree::{Expression, RejectReason};

impl Lowering<'_> {
    /// Statements in order. Where one of them may end the function by data, the rest is possible.
    pub(super) fn list(&mut self, statements: &[Statement], tail: Tail) -> Lowered<()> {
        let Some(first) = statements.first() else {
            return Ok(());
        };
        if self.jumping_list(statements, tail)? {
            return Ok(());
        }
        self.list_from(statements, first, tail)
    }

    /// Statements of which none jumps to a later one, with the first of them as it is given.
    pub(super) fn list_from(
        &mut self,
        statements: &[Statement],
        first: &Statement,
        tail: Tail,
    ) -> Lowered<()> {
        for idx in 0..statements.len() {
            let statement = if idx == 0 { first } else { &statements[idx] };
            let rest = &statements[idx + 1..];
            let is_jump = matches!(
                statement.kind,
                StatementKind::Return(_)
                    | StatementKind::Continue
                    | StatementKind::Break
                    | StatementKind::Goto(_)
            );
            let is_switch = matches!(statement.kind, StatementKind::Switch { .. });
            if (rest.is_empty() && !is_switch) || (is_jump && always_leaves(statement, tail)) {
                return self.statement(statement, tail);
            }
            if self.leaves_in_an_arm(statement, rest, tail)? {
                return Ok(());
            }
            let outer = self.frame_ref().course.returned;
            let reached = self.with_exits(statement)?;
            let is_over = self.rest(reached, rest, tail)?;
            self.frame().course.returned = outer;
            if is_over {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Lowers a statement and what follows it.
    fn then_rest(&mut self, statement: &Statement, rest: &[Statement], tail: Tail) -> Lowered<()> {
        if self.leaves_in_an_arm(only(statement), rest, tail)? {
            return Ok(());
        }
        let outer = self.frame_ref().course.returned;
        let reached = self.in_scope(|l| l.with_exits(statement))?;
        let is_over = self.rest(reached, rest, tail)?;
        self.frame().course.returned = outer;
        match is_over {
            true => Ok(()),
            false => self.list(rest, tail),
        }
    }

    /// Lowers what follows a statement, where there is a condition to that; whether it did.
    fn rest(&mut self, reached: Expression, rest: &[Statement], tail: Tail) -> Lowered<bool> {
        match reached.as_integer() {
            Some(reached) => Ok(reached == 0),
            None => {
                let rest = |l: &mut Self| {
                    l.not_returned();
                    l.list(rest, tail)
                };
                self.branch_values(reached, rest, |_| Ok(()))?;
                Ok(true)
            }
        }
    }

    /// Lowers `if (c) { …; continue; } rest` with `rest` as the other arm; false where it is none.
    fn leaves_in_an_arm(
        &mut self,
        statement: &Statement,
        rest: &[Statement],
        tail: Tail,
    ) -> Lowered<bool> {
        let StatementKind::If {
            condition,
            then,
            otherwise,
        } = &statement.kind
        else {
            return Ok(false);
        };
        let then_leaves = always_leaves(then, tail);
        let otherwise_leaves = otherwise.as_ref().is_some_and(|s| always_leaves(s, tail));
        if !then_leaves && !otherwise_leaves {
            return Ok(false);
        }
        let condition = self.in_statement(condition.at, |l| l.condition(condition))?;
        let arm = |l: &mut Self, arm: Option<&Statement>, leaves: bool| match arm {
            Some(arm) if leaves => l.in_scope(|l| l.statement(arm, tail)),
            Some(arm) => l.then_rest(arm, rest, tail),
            None => l.list(rest, tail),
        };
        match condition.as_integer() {
            Some(0) => arm(self, otherwise.as_deref(), otherwise_leaves)?,
            Some(_) => arm(self, Some(then), then_leaves)?,
            None => {
                self.branch_values(
                    condition,
                    |l| arm(l, Some(then), then_leaves),
                    |l| arm(l, otherwise.as_deref(), otherwise_leaves),
                )?;
            }
        }
        Ok(true)
    }

    pub(super) fn statement(&mut self, statement: &Statement, tail: Tail) -> Lowered<()> {
        let at = match &statement.kind {
            StatementKind::For(head) => head.header,
            StatementKind::While { condition, .. } | StatementKind::DoWhile { condition, .. } => {
                condition.at
            }
            StatementKind::Switch { value, .. } => value.at,
            _ => statement.at,
        };
        self.deeper(statement.at, |l| {
            l.in_statement(at, |l| l.statement_here(statement, tail))
        })
    }

    fn statement_here(&mut self, statement: &Statement, tail: Tail) -> Lowered<()> {
        match &statement.kind {
            StatementKind::Block(list) => self.in_scope(|l| l.list(list, tail)),
            StatementKind::Declarations(list) => self.declarations(list),
            StatementKind::Expression(syntax) => self.value(syntax).map(|_| ()),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => self.if_statement(condition, then, otherwise.as_deref(), tail),
            StatementKind::For(_) | StatementKind::While { .. } => self.loop_statement(statement),
            StatementKind::DoWhile { body, .. } => {
                if premiss_ast::visit::is_run_once(statement) {
                    return self.run_once(body, tail);
                }
                self.loop_statement(statement)
            }
            StatementKind::Switch { value, body } => self.switch_statement(statement, value, body),
            StatementKind::Return(value) => self.return_statement(statement, value.as_ref(), tail),
            StatementKind::Continue if tail.of_loop => Ok(()),
            StatementKind::Break | StatementKind::Continue | StatementKind::Goto(_) => {
                self.jump(statement, tail)
            }
            StatementKind::Label(_, body) => {
                self.arrive();
                self.statement(body, tail)
            }
            StatementKind::Case(_, body) => self.statement(body, tail),
            StatementKind::Empty => Ok(()),
            StatementKind::Error(reason) => self.opaque(statement, reason.clone()),
        }
    }

    fn switch_statement(
        &mut self,
        statement: &Statement,
        value: &Syntax,
        body: &Statement,
    ) -> Lowered<()> {
        let is_lowered = match cases(body) {
            Some(cases) => self.switch(value, &cases, statement.at)?,
            None => false,
        };
        if is_lowered {
            return Ok(());
        }
        let construct = "a `switch` with a label or a `break` inside of a case";
        let construct = construct.to_owned();
        self.opaque(statement, RejectReason::Unsupported { construct })
    }

    fn if_statement(
        &mut self,
        condition: &Syntax,
        then: &Statement,
        otherwise: Option<&Statement>,
        tail: Tail,
    ) -> Lowered<()> {
        let condition = self.in_statement(condition.at, |l| l.condition(condition))?;
        let arm = |l: &mut Self, arm: Option<&Statement>| match arm {
            Some(arm) => l.in_scope(|l| l.statement(arm, tail)),
            None => Ok(()),
        };
        match condition.as_integer() {
            Some(0) => arm(self, otherwise),
            Some(_) => arm(self, Some(then)),
            None => {
                self.branch_values(condition, |l| arm(l, Some(then)), |l| arm(l, otherwise))?;
                Ok(())
            }
        }
    }
}

/// What a block consists of that has one statement.
fn only(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Block(list) if list.len() == 1 => only(&list[0]),
        _ => statement,
    }
}
