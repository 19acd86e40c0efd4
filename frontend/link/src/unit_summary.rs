//! What others need of a unit to link it and to summarize calls: the names that it defines, and of each of its functions
//! what it calls and modifies, and how many steps it takes.
//!
//! It is kept from run to run: of a unit whose text is as it was, linking needs no more.

use premiss_ast::syntax::{GlobalName, Name};
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
    /// A fingerprint of its parameters and its result.
    pub(crate) signature: u64,
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
