//! What others need of a unit to link it and to summarize calls: the names that it defines, and of each of its functions
//! what it calls and modifies, and how many steps it takes.
//!
//! It is kept from run to run: of a unit whose text is as it was, linking needs no more.

use crate::program::Program;
use crate::pure_calls::may_be_pure;
use crate::queries::{Global, Queries};
use premiss_ast::SyntaxFacts;
use premiss_ast::syntax::{Function, GlobalName, Lifetime, Name, TypeName, UnitId};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What linking has to know of one unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UnitSummary {
    /// The functions that it defines and others see.
    pub(crate) functions: Vec<String>,
    /// The objects that it declares and others see, and whether it defines them.
    pub(crate) objects: Vec<(String, bool)>,
    /// How many of its functions have a loop.
    pub(crate) n_loops: u64,
    /// What others need of it who do not follow its functions.
    pub(crate) interface: Arc<UnitInterface>,
}

/// What others need of a unit who do not follow its functions.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct UnitInterface {
    pub(crate) functions: BTreeMap<Name, FunctionInterface>,
    /// Whether functions of other files may touch arrays at its file scope.
    pub(crate) has_shared_arrays: bool,
    /// What names at file scope mean in it; nothing where all its functions name what they call.
    pub(crate) objects: BTreeSet<GlobalName>,
    /// The names that were looked up among all units to find this: it depends on who defines them.
    pub(crate) looked_up_names: BTreeSet<Name>,
}

/// What others need of a function who do not follow it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FunctionInterface {
    /// A digest of its parameters and its result.
    signature: u64,
    /// How many statements and expressions its body has; nothing where its calls may be pure.
    pub(crate) steps: Option<u32>,
    /// Names that it calls, with how often that stands there.
    pub(crate) called: BTreeMap<Name, u32>,
    /// What it modifies at file scope.
    pub(crate) modified: BTreeSet<GlobalName>,
    /// Whether it calls something other than a name.
    pub(crate) calls_pointer: bool,
}

impl UnitInterface {
    /// Hashes how its functions are called.
    pub fn hash_signatures(&self, hasher: &mut impl Hasher) {
        for (name, function) in &self.functions {
            (name, function.signature).hash(hasher);
        }
    }

    /// What its functions modify at file scope.
    pub(crate) fn modified(&self) -> impl Iterator<Item = &GlobalName> {
        self.functions.values().flat_map(|x| &x.modified)
    }
}

impl UnitSummary {
    /// The functions that the unit defines and others see.
    pub(crate) fn function_names(&self) -> Vec<Name> {
        let names = self.functions.iter();
        names.map(|name| name.as_str().into()).collect()
    }

    /// The objects that it declares and others see, and whether it defines them.
    pub(crate) fn object_names(&self) -> Vec<(Name, bool)> {
        let objects = self.objects.iter();
        objects
            .map(|(name, is_defined)| (name.as_str().into(), *is_defined))
            .collect()
    }
}

impl Program<'_> {
    /// What others need of a unit, found from its text.
    pub(crate) fn find_interface(&self, unit: UnitId) -> UnitInterface {
        self.take_dependencies();
        let contents = self.read_unit(unit).contents();
        let mut interface = UnitInterface {
            has_shared_arrays: self.shares_arrays(unit),
            ..UnitInterface::default()
        };
        for (name, function) in &contents.functions {
            let facts = self.syntax_facts(&function.global_name());
            let function = self.find_function_interface(unit, function, &facts);
            interface.functions.insert(name.clone(), function);
        }
        let mut functions = interface.functions.values();
        if functions.any(|function| function.calls_pointer) {
            let names = self.scope(unit).flat_map(|(_, symbols)| symbols.globals());
            let owners = names.map(|(name, _)| self.owner(unit, name));
            interface.objects = owners.collect();
        }
        let names = self.take_dependencies().names;
        interface.looked_up_names = names.functions.into_iter().chain(names.objects).collect();
        interface
    }

    fn find_function_interface(
        &self,
        unit: UnitId,
        function: &Function,
        facts: &SyntaxFacts,
    ) -> FunctionInterface {
        let mut signature = FxHasher::default();
        function.signature.hash(&mut signature);
        let changed = facts.changed_outside.iter();
        FunctionInterface {
            signature: signature.finish(),
            steps: (!may_be_pure(function)).then_some(facts.weight),
            called: facts.called.clone(),
            modified: changed.map(|name| self.owner(unit, name)).collect(),
            calls_pointer: facts.calls_pointer,
        }
    }

    /// Whether functions of other files may touch arrays at the file scope of a unit.
    fn shares_arrays(&self, unit: UnitId) -> bool {
        let mut globals = self.scope(unit).flat_map(|(_, symbols)| symbols.globals());
        globals.any(|(name, global)| self.is_shared_array(unit, name, &global))
    }

    /// Whether functions of other files may touch an array at file scope, by its name or by a pointer
    /// that went somewhere, and this file does, too.
    fn is_shared_array(&self, unit: UnitId, name: &Name, global: &Global) -> bool {
        let Global::Object(object) = global else {
            return false;
        };
        if !matches!(*object.kind, TypeName::Array(..) | TypeName::Pointer(_))
            || self.is_standard(object.at)
        {
            return false;
        }
        let is_static = object.lifetime == Lifetime::Static;
        self.read_unit(unit).contents().facts.values().any(|facts| {
            let is_hidden = !facts.mentioned_outside.contains(name);
            let is_passed = facts.passed.iter().any(|(callee, passed)| {
                passed == name && self.definition(unit, callee).is_some() != is_static
            });
            let is_used = facts.bare.contains(name) || is_passed;
            !is_hidden && (is_used || (!is_static && facts.subscripted.contains(name)))
        })
    }
}
