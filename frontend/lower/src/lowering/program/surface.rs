//! What others need to know of a unit to tell what its functions reach by their calls, which names these change, and how
//! many steps that takes. It is remembered: of a unit that is as it was, nobody needs more for that.

use super::{Linked, Program};
use crate::lowering::answers::may_be_answered;
use crate::syntax::GlobalName;
use crate::syntax::{Function, Name, UnitId};
use premiss_ast::SyntaxFacts;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

/// What is seen of a unit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Surface {
    pub(super) functions: BTreeMap<Name, FunctionSurface>,
    /// Whether functions of other files may touch arrays at its file scope.
    pub(super) has_shared_arrays: bool,
    /// What names at file scope mean in it; nothing where all its functions name what they call.
    pub(super) objects: BTreeSet<GlobalName>,
    /// The names on whose definitions in other units this depends.
    pub(super) asks: BTreeSet<Name>,
}

/// What is seen of a function.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FunctionSurface {
    /// A digest of its parameters and its result.
    signature: u64,
    /// How many statements and expressions its body has; nothing where it may be answered.
    pub(super) steps: Option<u32>,
    /// Names that it calls, with how often that stands there.
    pub(super) called: BTreeMap<Name, u32>,
    /// What it changes at file scope.
    pub(super) changed: BTreeSet<GlobalName>,
    /// Whether it calls something other than a name.
    pub(super) calls_pointer: bool,
}

impl Surface {
    /// Digests how its functions are called.
    pub(super) fn signatures(&self, hasher: &mut impl Hasher) {
        for (name, function) in &self.functions {
            (name, function.signature).hash(hasher);
        }
    }

    /// What its functions change at file scope.
    pub(super) fn written(&self) -> impl Iterator<Item = &GlobalName> {
        self.functions.values().flat_map(|x| &x.changed)
    }
}

impl Linked<'_> {
    /// What is seen of a unit.
    pub(super) fn surface(&self, unit: UnitId) -> &Surface {
        let table = &self.tables[unit.0 as usize];
        table.surface.get().expect("surfaces are found first")
    }
}

impl Program<'_> {
    /// What is seen of a unit, found from its text.
    pub(super) fn find_surface(&self, unit: UnitId) -> Surface {
        self.asked();
        let contents = self.contents(unit);
        let mut surface = Surface {
            has_shared_arrays: self.shares_arrays(unit),
            ..Surface::default()
        };
        for (name, function) in &contents.functions {
            let facts = self.facts_of(&function.global_name());
            let seen = self.find_seen(unit, function, &facts);
            surface.functions.insert(name.clone(), seen);
        }
        let mut functions = surface.functions.values();
        if functions.any(|function| function.calls_pointer) {
            let names = self.scope(unit).flat_map(|(_, table)| table.globals());
            let owners = names.map(|(name, _)| self.owner(unit, name));
            surface.objects = owners.collect();
        }
        let asked = self.asked().names;
        surface.asks = asked.functions.into_iter().chain(asked.objects).collect();
        surface
    }

    fn find_seen(&self, unit: UnitId, function: &Function, facts: &SyntaxFacts) -> FunctionSurface {
        let mut signature = FxHasher::default();
        function.signature.hash(&mut signature);
        let changed = facts.changed_outside.iter();
        FunctionSurface {
            signature: signature.finish(),
            steps: (!may_be_answered(function)).then_some(facts.weight),
            called: facts.called.clone(),
            changed: changed.map(|name| self.owner(unit, name)).collect(),
            calls_pointer: facts.calls_pointer,
        }
    }
}
