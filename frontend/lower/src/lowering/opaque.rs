//! What is given up: statements that were not understood, and what may have changed after them.

use super::content::Lost;
use super::reals::RealKnowledge;
use super::value::{Knowledge, PointerId, Slot, State, Target};
use super::{Escape, Level, Lowered, Lowering};
use crate::syntax::{At, Declaration, Name, Statement, StatementKind};
use premiss_ast::visit::{children, has_label, is_loop, leaves_function};
use premiss_ast::{NameUses, SyntaxFacts};
use premiss_tree::{Expression, RejectReason, VariableId};
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// Puts an opaque node in the place of a statement.
    pub(super) fn opaque(&mut self, statement: &Statement, reason: RejectReason) -> Lowered<()> {
        self.opaque_at(statement, reason, statement.at);
        let leaves = leaves_function(statement);
        if leaves {
            self.lose_result();
        }
        Ok(())
    }

    /// The same, with the place that the rejection is about.
    pub(super) fn opaque_at(&mut self, statement: &Statement, reason: RejectReason, at: At) {
        self.reject(reason, at);
        let mentions = self.program.name_uses(statement);
        self.forget(&mentions);
    }

    /// Gives up statements outside of loops, for what is at a place in the first; the loops in them are looked at by
    /// themselves.
    pub(super) fn give_up(&mut self, statements: &[Statement], reason: &RejectReason, at: At) {
        let Some((broken, rest)) = statements.split_first() else {
            return;
        };
        self.opaque_at(broken, reason.clone(), at);
        for statement in rest {
            let mentions = self.program.name_uses(statement);
            self.forget(&mentions);
        }
        // The loops of functions that are called are counted where these are written.
        if self.frames.len() == 1 {
            let mut declared = BTreeSet::new();
            statements
                .iter()
                .for_each(|s| add_declared(s, &mut declared));
            let given_up = GivenUp {
                declared,
                reason,
                at,
            };
            statements
                .iter()
                .for_each(|s| self.look_at_loops(s, &given_up));
        }
    }

    fn look_at_loops(&mut self, statement: &Statement, around: &GivenUp) {
        if !is_loop(statement) {
            for child in children(statement) {
                self.look_at_loops(child, around);
            }
        } else if !self.possible_loop(statement, around) {
            let escape = Escape {
                reason: around.reason.clone(),
                at: around.at,
                level: Level::Loop,
            };
            self.opaque_loop(statement, escape);
        }
    }

    /// Lowers a loop in text that was given up, as one that may be entered with nothing known of what that text may
    /// change. False where jumps lead into it or out of it, where it mentions what is declared there, or where the
    /// budget is used up.
    fn possible_loop(&mut self, statement: &Statement, around: &GivenUp) -> bool {
        let facts = SyntaxFacts::of_statement(statement);
        let is_apart = self.frame_ref().changed.keeps_jumps(statement);
        if !is_apart || !facts.mentioned_outside.is_disjoint(&around.declared) {
            return false;
        }
        let checkpoint = self.checkpoint();
        self.forget_memory(Lost::Everything);
        let looked_at = self.branch_values(
            Expression::Data,
            |l| l.loop_statement(statement),
            |_| Ok(()),
        );
        if looked_at.is_err() {
            self.roll_back(&checkpoint);
        }
        self.frame().course.clone_from(&checkpoint.course);
        looked_at.is_ok()
    }

    /// Makes everything unknown that a piece of text may change.
    pub(super) fn forget(&mut self, mentions: &NameUses) {
        for slot in self.changed_slots(mentions) {
            self.lose_value(&slot);
        }
        // It may store through pointers.
        self.forget_shared_reals();
        if !mentions.called.is_empty() || mentions.calls_pointer {
            self.forget_shared(Lost::Everything);
        }
        if self.frames.len() == 1 {
            let unit = self.unit();
            let called = mentions.called.iter();
            let called = called.filter_map(|name| self.program.definition(unit, name));
            self.lost_calls.extend(called);
        }
    }

    /// Makes the value of an integer or a pointer unknown.
    pub(super) fn lose_value(&mut self, slot: &Slot) {
        match *slot {
            Slot::Integer(id, _) => self.assign(id, Expression::Data),
            Slot::Pointer(id, _) => {
                self.state.pointers.insert(id, Target::Ambiguous);
                self.assign(self.pointers[id.0], Expression::Data);
            }
            Slot::Real(id, _) => self.lose_real(id),
            _ => {}
        }
    }

    /// Makes every variable unknown that may change other than by name.
    pub(super) fn forget_shared(&mut self, lost: Lost) {
        self.has_forgotten = true;
        self.forget_addressed(lost);
        let ids: Vec<VariableId> = self.state.integers.keys().copied().collect();
        for id in ids {
            if self.variable(id).is_shared {
                self.assign(id, Expression::Data);
            }
        }
        self.forget_shared_reals();
        let ids: Vec<PointerId> = self.state.pointers.keys().copied().collect();
        for id in ids {
            if self.variable(self.pointers[id.0]).is_shared {
                self.state.pointers.insert(id, Target::Ambiguous);
            }
        }
    }

    fn changed_slots(&mut self, mentions: &NameUses) -> Vec<Slot> {
        let names: Vec<&Name> = mentions.changed.iter().collect();
        let slots = names.into_iter().filter_map(|name| self.lookup(name));
        slots
            .filter(|slot| matches!(slot, Slot::Integer(..) | Slot::Pointer(..) | Slot::Real(..)))
            .collect()
    }

    /// What is known at the head of a loop that may change these names, before anything is known
    /// of its body: values that the text may change are no longer constants.
    pub(super) fn state_at_head(&mut self, mentions: &NameUses) -> State {
        let mut state = self.state.clone();
        for slot in self.changed_slots(mentions) {
            let id = match slot {
                Slot::Integer(id, _) => id,
                Slot::Pointer(id, _) => self.pointers[id.0],
                // Where it may matter whether it is one in some iteration, the iterations tell.
                Slot::Real(id, _) if !self.program.is_dense() => {
                    state.reals.insert(id, RealKnowledge::General);
                    continue;
                }
                _ => continue,
            };
            if let Some(Knowledge::Known(_)) = state.integers.get(&id) {
                state.integers.insert(id, Knowledge::Exact);
            }
        }
        state
    }

    /// The statements of a function's body. What cannot be lowered for a jump out of the function
    /// becomes opaque, and what follows it possible.
    pub(super) fn function_list(&mut self, list: &[Statement]) -> Lowered<()> {
        let checkpoint = self.checkpoint();
        let escape = match self.list(list, super::jumps::Tail::FUNCTION) {
            Err(escape) if escape.level != Level::Unit => escape,
            other => return other,
        };
        self.roll_back(&checkpoint);
        let is_within = |s: &Statement| s.at.covers(escape.at);
        let at = list.iter().position(is_within).unwrap_or(0);
        let is_met = |s: &Statement| leaves_function(s) || has_label(s);
        let at = list.iter().position(is_met).unwrap_or(at).min(at);
        let (before, rest) = list.split_at(at);
        self.list(before, super::jumps::Tail::NONE)?;
        let Some((broken, after)) = rest.split_first() else {
            return Err(escape);
        };
        if matches!(escape.reason, RejectReason::Jump { keyword: "goto" }) {
            // The jump may lead anywhere from here on.
            self.give_up(rest, &escape.reason, escape.at);
            self.lose_result();
            return Ok(());
        }
        self.give_up(&rest[..1], &escape.reason, escape.at);
        self.lose_result();
        let nothing = |_: &mut Self| Ok(());
        self.branch_values(
            Expression::Data,
            |l| l.deeper(broken.at, |l| l.function_list(after)),
            nothing,
        )?;
        Ok(())
    }

    /// The failure of a loop whose number of iterations is not known.
    pub(super) fn uncounted(why: String, at: At) -> Escape {
        Escape {
            reason: RejectReason::UncountedLoop { why },
            at,
            level: Level::Loop,
        }
    }
}

/// Text that was given up.
struct GivenUp<'a> {
    /// Names that are declared in it.
    declared: BTreeSet<Name>,
    reason: &'a RejectReason,
    /// What the reason is about.
    at: At,
}

/// Adds the names that a statement declares, in blocks within it, too.
fn add_declared(statement: &Statement, names: &mut BTreeSet<Name>) {
    if let StatementKind::Declarations(list) = &statement.kind {
        names.extend(list.iter().map(|declaration| match declaration {
            Declaration::Object(object) => object.name.clone(),
            Declaration::Enumerator { name, .. } => name.clone(),
        }));
    }
    for child in children(statement) {
        add_declared(child, names);
    }
}
