//! The functions being lowered, innermost last, each with its scopes and the effects of jumps on its control flow; and
//! a log of the calls of the outermost function.

use crate::domain::types::Type;
use crate::domain::values::{ArrayRow, Slot, Value};
use crate::syntax::{GlobalName, Name, TextRange, UnitId};
use premiss_ast::SyntaxFacts;
use premiss_tree::{Expression, VariableId};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The label at the end of a loop's body, the target of `continue`; no label of a program has that name.
pub(crate) const CONTINUE_LABEL: &str = "continue";

/// The calls of the function, for interprocedural constant propagation.
#[derive(Default)]
pub(crate) struct CallLog {
    pub(crate) records: Vec<CallRecord>,
    /// Callees of calls with unknown arguments.
    pub(crate) unknown_arguments: BTreeSet<GlobalName>,
    /// Whether there may be effects outside of the function that the tree does not show.
    pub(crate) has_unknown_effects: bool,
    /// How often a call that may lead to a function that nothing defines was lowered, attempts that were rolled back
    /// included.
    pub(crate) n_foreign: u64,
}

/// A place ahead that is the target of a `goto` or `continue`.
#[derive(Debug, Clone)]
pub(crate) struct JumpTarget {
    pub(crate) labels: Vec<Name>,
    /// The number of loops of the function around it.
    pub(crate) n_loops: usize,
    /// The variable that is 1 after a jump to it that leaves no loop.
    pub(crate) flag: VariableId,
    /// Whether a jump out of a loop may have led to it.
    pub(crate) is_taken: bool,
}

/// A function being lowered: the unit's own, or an inlined callee.
pub(crate) struct Frame {
    pub(crate) unit: UnitId,
    pub(crate) function: Name,
    /// The place of the call.
    pub(crate) call: TextRange,
    /// The path of calls to it.
    pub(crate) path: CallPath,
    pub(crate) scopes: Vec<FxHashMap<Name, Slot>>,
    /// Its structs in registers.
    pub(crate) records: BTreeSet<ArrayRow>,
    /// The syntax facts of its body.
    pub(crate) facts: Arc<SyntaxFacts>,
    pub(crate) result_type: Type,
    pub(crate) result: Option<Value>,
    /// The slot of a result that depends on the path.
    pub(crate) result_slot: Option<Slot>,
    pub(crate) control: ControlState,
}

impl Frame {
    /// The frame of a function entered by a call at this place, with its syntax facts.
    pub(crate) fn new(
        function: GlobalName,
        call: TextRange,
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

/// The control state of a function.
#[derive(Clone, Default)]
pub(crate) struct ControlState {
    /// The number of open loops of this function.
    pub(crate) n_loops: usize,
    /// The number of open branches of this function.
    pub(crate) n_branches: usize,
    /// The number of those whose condition depends on data.
    pub(crate) n_data_branches: usize,
    /// Whether it may have returned already, depending on data.
    pub(crate) may_have_returned: bool,
    /// The variable that is 1 after the function has returned; `None` outside of statements that may return before
    /// their end.
    pub(crate) returned: Option<VariableId>,
    /// The effects of jumps on the innermost loop.
    pub(crate) exits: LoopExits,
    /// The labels ahead in enclosing statements that jumps may lead to.
    pub(crate) targets: Vec<JumpTarget>,
    /// Whether a `goto` may have led to a label that is not ahead in an enclosing statement.
    pub(crate) has_jumped_anywhere: bool,
}

/// The possible effects of data-dependent jumps on the innermost loop, up to some place in its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LoopExits {
    /// The iteration may have ended.
    pub(crate) iteration: bool,
    /// The loop may have ended.
    pub(crate) stop: bool,
}

/// The arguments of a call, for interprocedural constant propagation.
pub(crate) struct CallRecord {
    pub(crate) callee: GlobalName,
    /// `None` for an argument with an unknown value.
    pub(crate) arguments: Vec<Option<Expression>>,
}

/// A hash of the calls that led to a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct CallPath(pub(crate) u64);

impl CallPath {
    /// The path extended by a call at this place.
    pub(crate) fn through(self, call: TextRange) -> Self {
        Self(digest_of((self, position_key(call))))
    }
}

/// A place as a key for hashing, as the hash of an [`TextRange`] depends on the unit alone.
pub(crate) fn position_key(at: TextRange) -> (u32, u32, u32) {
    (at.unit.0, at.start, at.end)
}

pub(crate) fn digest_of(what: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}
