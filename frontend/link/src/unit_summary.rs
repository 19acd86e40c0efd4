//! The summary of a unit for linking and interprocedural analysis: the names that it defines, and for each of its
//! functions the callees, the modified names and the number of steps.
//!
//! It is kept between runs: for a unit whose text is unchanged, linking needs nothing else.

use premiss_ast::syntax::{GlobalName, Name};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What linking needs to know about a unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UnitSummary {
    /// The functions with external linkage that it defines.
    pub(crate) functions: Vec<(String, Place)>,
    /// The objects with external linkage that it declares, and whether it defines them.
    pub(crate) objects: Vec<(String, bool)>,
    /// The number of functions with a loop.
    pub(crate) n_loops: u64,
    /// Its interface.
    pub(crate) interface: Arc<UnitInterface>,
}

/// Whether the text of a definition is in the file that the unit was made from, or in one that this includes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Place {
    Own,
    Included,
}

/// What a caller needs to know about the functions of a unit without inlining them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct UnitInterface {
    pub(crate) functions: BTreeMap<Name, FunctionInterface>,
    /// Whether functions of other files may access arrays at its file scope.
    pub(crate) has_shared_arrays: bool,
    /// The names at file scope in its scope, by their owners; empty if none of its functions calls through a pointer.
    pub(crate) objects: BTreeSet<GlobalName>,
    /// The names that were looked up among all units to compute this: it depends on their definitions.
    pub(crate) looked_up_names: BTreeSet<Name>,
}

/// What a caller needs to know about a function without inlining it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FunctionInterface {
    /// A fingerprint of its signature.
    pub(crate) signature: u64,
    /// The number of statements and expressions in its body; `None` if its calls may be pure.
    pub(crate) steps: Option<u32>,
    /// Called names, with the number of calls in the text.
    pub(crate) called: BTreeMap<Name, u32>,
    /// Names at file scope that its body modifies.
    pub(crate) modified: BTreeSet<GlobalName>,
    /// Whether some callee is not a name.
    pub(crate) calls_pointer: bool,
}

impl UnitInterface {
    /// Hashes the names and signatures of its functions.
    pub fn hash_signatures(&self, hasher: &mut impl Hasher) {
        for (name, function) in &self.functions {
            (name, function.signature).hash(hasher);
        }
    }

    /// The names at file scope that its functions modify.
    pub(crate) fn modified(&self) -> impl Iterator<Item = &GlobalName> {
        self.functions.values().flat_map(|x| &x.modified)
    }
}

impl UnitSummary {
    /// The functions with external linkage that the unit defines.
    pub(crate) fn function_names(&self) -> Vec<(Name, Place)> {
        let names = self.functions.iter();
        names
            .map(|(name, place)| (name.as_str().into(), *place))
            .collect()
    }

    /// The objects with external linkage that it declares, and whether it defines them.
    pub(crate) fn object_names(&self) -> Vec<(Name, bool)> {
        let objects = self.objects.iter();
        objects
            .map(|(name, is_defined)| (name.as_str().into(), *is_defined))
            .collect()
    }
}
