//! The constructs around the current statement, with the DO variables of loops.

use crate::syntax::NameKey;
use premiss_ast::syntax::Name;
use std::collections::BTreeSet;

/// A loop or named block that is being translated.
pub(crate) struct OpenConstruct {
    /// Its construct name.
    pub(crate) name: Option<NameKey>,
    pub(crate) is_loop: bool,
    /// The label of its last statement, if that has no effect.
    pub(crate) last_label: Option<u32>,
    /// The target of jumps from an inner loop that end it.
    pub(crate) exit: Name,
    /// The target of jumps from an inner loop that end an iteration of it.
    pub(crate) cycle: Name,
    /// Whether a jump leads to `exit`.
    pub(crate) has_exit: bool,
    /// Whether a jump leads to `cycle`.
    pub(crate) has_cycle: bool,
}

/// The DO variable of a loop that is being translated: until the loop ends, nothing else may change the variable.
pub(crate) struct DoVariable {
    pub(crate) key: NameKey,
    /// The variable that counts instead of it, if called procedures could access it.
    pub(crate) substitute: Option<Name>,
}

/// The constructs around the current statement.
#[derive(Default)]
pub(crate) struct ControlContext {
    /// The loops and named blocks, outermost first.
    pub(crate) constructs: Vec<OpenConstruct>,
    /// The DO variables of these loops.
    pub(crate) do_variables: Vec<DoVariable>,
    /// The targets of jumps in the procedure.
    pub(crate) branch_targets: BTreeSet<u32>,
}

impl ControlContext {
    /// The context before the first statement of a procedure.
    pub(crate) fn new(branch_targets: BTreeSet<u32>) -> Self {
        Self {
            branch_targets,
            ..Self::default()
        }
    }

    /// Whether a variable of that name is the DO variable of an enclosing loop.
    pub(crate) fn is_do_variable(&self, key: &NameKey) -> bool {
        self.do_variables.iter().any(|one| one.key == *key)
    }

    /// The variable that counts instead of the DO variable of that name.
    pub(crate) fn substitute(&self, key: &NameKey) -> Option<Name> {
        let mut variables = self.do_variables.iter().rev();
        variables.find(|one| one.key == *key)?.substitute.clone()
    }
}
