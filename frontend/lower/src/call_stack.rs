//! The functions that are being lowered, innermost last, each with its scopes and with what jumps have done
//! to its control flow; and a log of what the outermost function passes on.

use crate::domain::types::Type;
use crate::domain::values::{ArrayRow, Slot, Value};
use crate::syntax::{At, GlobalName, Name, UnitId};
use premiss_ast::SyntaxFacts;
use premiss_tree::{Expression, VariableId};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The label at the end of a loop's body, where a `continue` leads; no label of a program has that name.
pub(crate) const CONTINUE_LABEL: &str = "continue";

/// What the function passes to others, for the sizes that callers agree on.
#[derive(Default)]
pub(crate) struct CallLog {
    pub(crate) records: Vec<CallRecord>,
    /// Callees of calls whose arguments are not known.
    pub(crate) unknown_arguments: BTreeSet<GlobalName>,
    /// Whether something outside may have changed that the tree does not show.
    pub(crate) has_unknown_effects: bool,
}

/// A place ahead that a `goto` or `continue` may lead to.
#[derive(Debug, Clone)]
pub(crate) struct JumpTarget {
    pub(crate) labels: Vec<Name>,
    /// How many loops of the function are open around it.
    pub(crate) n_loops: usize,
    /// The variable that is 1 where a jump leads there, out of no loop.
    pub(crate) flag: VariableId,
    /// Whether a jump out of a loop may have led there.
    pub(crate) is_taken: bool,
}

/// A function that is being lowered: the unit's own, or one that a call led to.
pub(crate) struct Frame {
    pub(crate) unit: UnitId,
    pub(crate) function: Name,
    /// Where it was called.
    pub(crate) call: At,
    /// The calls that led here.
    pub(crate) path: CallPath,
    pub(crate) scopes: Vec<FxHashMap<Name, Slot>>,
    /// Its structs in registers.
    pub(crate) records: BTreeSet<ArrayRow>,
    /// Names that it changes somewhere.
    pub(crate) facts: Arc<SyntaxFacts>,
    pub(crate) result_type: Type,
    pub(crate) result: Option<Value>,
    /// Where results go that depend on the path.
    pub(crate) result_slot: Option<Slot>,
    pub(crate) control: ControlState,
}

impl Frame {
    /// A function that is entered, by a call that stands there, with what its text tells.
    pub(crate) fn new(
        function: GlobalName,
        call: At,
        path: CallPath,
        facts: Arc<SyntaxFacts>,
    ) -> Self {
        Self {
            unit: function.unit,
            function: function.name,
            call,
            path,
            scopes: vec![FxHashMap::default()],
            records: BTreeSet::new(),
            facts,
            result_type: Type::Void,
            result: None,
            result_slot: None,
            control: ControlState::default(),
        }
    }
}

/// How far the execution of a function has come.
#[derive(Clone, Default)]
pub(crate) struct ControlState {
    /// How many loops of this function are open.
    pub(crate) n_loops: usize,
    /// How many branches of this function are open.
    pub(crate) n_branches: usize,
    /// Whether it may have returned already, by data.
    pub(crate) may_have_returned: bool,
    /// The variable that is 1 where the function has returned; `None` outside of statements that may
    /// return before their end.
    pub(crate) returned: Option<VariableId>,
    /// What a jump may have done to the innermost loop.
    pub(crate) exits: LoopExits,
    /// The labels ahead that statements around lead to.
    pub(crate) targets: Vec<JumpTarget>,
    /// Whether a `goto` may have led to a label that is not ahead of it in a statement around.
    pub(crate) has_jumped_anywhere: bool,
}

/// What jumps by data may have done to the innermost loop by some place in its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LoopExits {
    /// The iteration may be over.
    pub(crate) iteration: bool,
    /// There may be no other iteration.
    pub(crate) stop: bool,
}

/// What a call passes, for the sizes that callers agree on.
pub(crate) struct CallRecord {
    pub(crate) callee: GlobalName,
    /// `None` where the argument's value is not known.
    pub(crate) arguments: Vec<Option<Expression>>,
}

/// The calls that led to a function, digested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct CallPath(pub(crate) u64);

impl CallPath {
    /// Where a call leads that stands there.
    pub(crate) fn through(self, call: At) -> Self {
        Self(digest_of((self, position_key(call))))
    }
}

/// A place, as what is hashed: the hash of an [`At`] says only which unit.
pub(crate) fn position_key(at: At) -> (u32, u32, u32) {
    (at.unit.0, at.start, at.end)
}

pub(crate) fn digest_of(what: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}
