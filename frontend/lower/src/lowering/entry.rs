//! What a loop finds when it is entered: values that nobody knows, by their names.

use super::value::{Knowledge, Slot, Target, Value, WhereSet};
use super::{Lowered, Lowering};
use crate::syntax::{At, Name, Statement};
use premiss_tree::{Node, VariableId};

impl Lowering<'_> {
    /// Gives the integers that a loop mentions and of which nothing is known names to know them by.
    /// Before an outermost loop each becomes a size; inside of a loop it stays unknown, but the loop
    /// taken by itself may depend on it. A pointer that points nowhere starts with no offset.
    pub(super) fn enter_loop(&mut self, statement: &Statement, at: At) -> Lowered<()> {
        let mentions = self.program.name_uses(statement);
        for name in &mentions.names {
            let id = match self.met(name) {
                Some(Slot::Integer(id, _)) => id,
                Some(slot) => {
                    if let Some(id) = self.referred(&slot) {
                        self.name_unknown(id, at);
                        continue;
                    }
                    match slot {
                        Slot::Pointer(id, _) => self.pointers[id.0],
                        _ => continue,
                    }
                }
                None => continue,
            };
            let is_unknown = matches!(
                self.state.integers.get(&id),
                Some(Knowledge::Unknown) | None
            );
            // Where a pointer is if it is not null.
            let is_placed = matches!(self.state.nullable.get(&id), Some(WhereSet::Known(_)));
            if is_unknown && self.points_nowhere(name) {
                self.assign(id, 0.into());
            } else if is_unknown && !is_placed {
                self.name_variable(id, at);
            }
        }
        self.name_reals(statement, at);
        let moment = self.moment_of_entry(statement);
        self.settle_memory(moment);
        Ok(())
    }

    /// Whether a name is a pointer that nothing was assigned to yet.
    fn points_nowhere(&mut self, name: &Name) -> bool {
        match self.met(name) {
            Some(Slot::Pointer(id, _)) => self.state.pointers.get(&id) == Some(&Target::Null),
            _ => false,
        }
    }

    /// What a name stands for that was met before.
    fn met(&self, name: &Name) -> Option<Slot> {
        let mut scopes = self.frame_ref().scopes.iter().rev();
        let found = scopes.find_map(|scope| scope.get(name));
        let global = || self.globals.get(&self.program.owner(self.unit(), name));
        found.or_else(global).cloned()
    }

    /// The integer that a name refers to, as a dummy argument does.
    fn referred(&self, slot: &Slot) -> Option<VariableId> {
        let target = match slot {
            Slot::Pointer(id, _) => self.state.pointers.get(id)?,
            Slot::Fixed(Value::Pointer(pointer)) => &pointer.target,
            _ => return None,
        };
        match target {
            Target::Scalar(slot) => match **slot {
                Slot::Integer(id, _) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    fn name_unknown(&mut self, id: VariableId, at: At) {
        if matches!(
            self.state.integers.get(&id),
            Some(Knowledge::Unknown) | None
        ) {
            self.name_variable(id, at);
        }
    }

    fn name_variable(&mut self, id: VariableId, at: At) {
        if !self.is_in_loop() {
            let row = self.variable(id);
            let (name, kind) = (row.name.clone(), row.kind);
            let size = self.minted(&name, kind, at);
            self.emit(Node::Assign {
                variable: id,
                value: size,
            });
        }
        self.give(id, Knowledge::Exact);
    }
}
