//! Loops that run nobody knows how often.
//!
//! Their iterations are lowered all the same: the tree has a loop whose bound is data, with the reason
//! in it, so that the loops inside can be looked at by themselves.

use super::conditions::assigned;
use super::facts::Facts;
use super::jumps::Tail;
use super::loops::{MAX_ATTEMPTS, too_many_passes};
use super::shape::{Parts, parts};
use super::types::LONG;
use super::value::{Knowledge, State};
use super::{Escape, LoopRow, Lowered, Lowering};
use crate::syntax::Statement;
use premiss_tree::{Comparison, Expression, Loop, LoopId, Node};
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// Lowers a loop whose number of iterations is not known, as `escape` says.
    pub(super) fn repeated(&mut self, statement: &Statement, escape: &Escape) -> Lowered<()> {
        self.in_scope(|l| l.repeated_here(statement, escape))
    }

    fn repeated_here(&mut self, statement: &Statement, escape: &Escape) -> Lowered<()> {
        let Some(parts) = parts(statement) else {
            return Err(escape.clone());
        };
        self.enter_loop(statement, parts.header)?;
        if let Some(initial) = parts.initial {
            self.statement(initial, Tail::NONE)?;
        }
        let mut head = self.state_at_head(&Facts::of_statement(statement));
        let checkpoint = self.checkpoint();
        for _ in 0..MAX_ATTEMPTS {
            self.state = head.clone();
            let node = self.iterations(&parts, escape)?;
            let joined = head.join(&self.state);
            if joined == head {
                self.leave(node, joined);
                return Ok(());
            }
            self.roll_back(&checkpoint);
            head = joined;
        }
        Err(too_many_passes(parts.header))
    }

    /// The loop, under what is known at its head.
    fn iterations(&mut self, parts: &Parts, escape: &Escape) -> Lowered<Loop> {
        let row = self.loops.len();
        self.loops.push(LoopRow {
            iterator: "while".to_owned(),
            inside: self.open_loops.last().copied(),
            header: parts.header,
            function: self.frame_ref().function.clone(),
        });
        self.open_loops.push(row);
        let around = std::mem::take(&mut self.frame().leaving);
        self.frame().n_loops += 1;
        let (body, ()) = self.in_block(|l| l.iteration(parts, escape))?;
        self.frame().n_loops -= 1;
        self.frame().leaving = around;
        self.open_loops.pop();
        self.n_nodes += 1;
        Ok(Loop {
            id: LoopId::from_u32(u32::try_from(row).unwrap_or(u32::MAX)),
            variable: self.new_variable("while@", LONG, false),
            first: 0.into(),
            comparison: Comparison::Less,
            bound: Expression::Data,
            step: 1.into(),
            body,
        })
    }

    fn iteration(&mut self, parts: &Parts, escape: &Escape) -> Lowered<()> {
        self.note_rejection(escape.reason.clone(), escape.at);
        if let Some(condition) = parts.condition {
            self.condition(condition)?;
        }
        self.in_scope(|l| match parts.body {
            [single] => l.statement(single, Tail::LOOP),
            list => l.list(list, Tail::LOOP),
        })?;
        for step in &parts.steps {
            self.value(step)?;
        }
        Ok(())
    }

    /// What is known after the last iteration, whichever it was.
    fn leave(&mut self, node: Loop, head: State) {
        let node = Node::Loop(node);
        let mut changed = BTreeSet::new();
        assigned(std::slice::from_ref(&node), &mut changed);
        self.state = head;
        for id in changed {
            self.state.integers.insert(id, Knowledge::Unknown);
        }
        self.emit(node);
    }
}
