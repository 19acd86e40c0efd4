//! Loops that run nobody knows how often.
//!
//! Their iterations are lowered all the same: the tree has a loop whose bound is data, with the reason
//! in it, so that the loops inside can be looked at by themselves.

use super::exchange::{Exchange, Exchanged};
use super::jumps::Tail;
use super::loops::{MAX_ATTEMPTS, too_many_passes};
use super::shape::{Parts, Tested, parts};
use super::value::{Knowledge, State};
use super::{Escape, Lowered, Lowering};
use crate::syntax::Statement;
use premiss_tree::{Loop, Node, Role};
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
            self.with_role(Role::Header, |l| l.statement(initial, Tail::NONE))?;
        }
        let mentions = self.program.name_uses(statement);
        let before = self.state_at_head(&mentions);
        let mut head = self.first_head(statement, &before);
        let checkpoint = self.checkpoint();
        let mut pointers = Exchanged::default();
        let linked_share = self.linked_share();
        for _ in 0..MAX_ATTEMPTS {
            self.state = head.clone();
            self.begin_pass(linked_share);
            let (node, exchange) = self.iterations(&parts, &pointers.exchange, escape)?;
            let asked = self.end_pass();
            if let Some(exchange) = exchange {
                self.roll_back(&checkpoint);
                self.exchange_from(exchange, &mut pointers, &mut head);
                continue;
            }
            let mut joined = head.join(&self.state);
            joined.differ(&head, &self.state);
            if self.is_settled(statement, &asked, [&before, &head, &joined]) {
                self.block.append(&mut pointers.starts);
                self.leave(node, joined);
                return Ok(());
            }
            self.roll_back(&checkpoint);
            head = joined;
        }
        Err(too_many_passes(parts.header))
    }

    /// The loop, under what is known at its head.
    fn iterations(
        &mut self,
        parts: &Parts,
        exchange: &Exchange,
        escape: &Escape,
    ) -> Lowered<(Loop, Option<Exchange>)> {
        let head = self.state.clone();
        let id = self.open_loop("while", parts.header);
        let around = std::mem::take(&mut self.frame().course.leaving);
        self.frame().course.n_loops += 1;
        let (body, ()) = self.in_block(|l| {
            l.uncounted_iteration(parts, escape)?;
            l.exchange(exchange);
            Ok(())
        })?;
        let exchange = self.end_iteration(exchange, &head, &body);
        self.frame().course.n_loops -= 1;
        self.frame().course.leaving = around;
        self.open_loops.pop();
        self.n_nodes += 1;
        Ok((self.uncounted_loop(id, body), exchange))
    }

    fn uncounted_iteration(&mut self, parts: &Parts, escape: &Escape) -> Lowered<()> {
        self.note_rejection(escape.reason.clone(), escape.at);
        let test = |l: &mut Self| match parts.condition {
            Some(condition) => l.condition(condition).map(|_| ()),
            None => Ok(()),
        };
        if parts.tested == Tested::Before {
            test(self)?;
        }
        self.in_scope(|l| l.iteration(parts.body))?;
        for step in &parts.steps {
            self.value(step)?;
        }
        match parts.tested {
            Tested::Before => Ok(()),
            Tested::After => test(self),
        }
    }

    /// What is known after the last iteration, whichever it was.
    fn leave(&mut self, node: Loop, head: State) {
        let node = Node::Loop(node);
        let mut changed = BTreeSet::new();
        Node::assigned(std::slice::from_ref(&node), &mut changed);
        self.state = head;
        for id in changed {
            self.give(id, Knowledge::Unknown);
        }
        self.emit(node);
    }
}
