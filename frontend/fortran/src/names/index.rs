//! The index of a program: the procedures, modules and COMMON blocks of all files.

use super::effects::Callee;
use super::passing::ArgumentPassing;
use super::storage_areas::StorageAreaTable;
use super::summary::ProcedureSummary;
use super::symbols::{DerivedType, NameScope, ProcedureId};
use crate::syntax::NameKey;
use premiss_ast::syntax::{Name, UnitId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A procedure with what its callers need to know.
pub(crate) struct Procedure {
    pub(crate) unit: UnitId,
    pub(crate) summary: Arc<ProcedureSummary>,
    /// Its unique name among those of all files.
    pub(crate) name: Name,
    pub(crate) passing: Vec<ArgumentPassing>,
    /// The variables of its host that it uses by host association, with how they are passed.
    pub(crate) host_associated: Vec<(NameKey, ArgumentPassing)>,
    pub(crate) host: Option<ProcedureId>,
    /// The variables that it may change, directly or through calls.
    pub(crate) mod_set: BTreeSet<NameKey>,
}

/// The procedures, modules and storage areas of all files.
pub(crate) struct ProgramIndex {
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) modules: BTreeMap<NameKey, (UnitId, Arc<NameScope>)>,
    pub(crate) externals: FxHashMap<NameKey, Vec<ProcedureId>>,
    pub(crate) areas: StorageAreaTable,
    /// All derived types by their names.
    pub(crate) types: BTreeMap<NameKey, Arc<DerivedType>>,
    /// Whether some operator or assignment is defined by procedures.
    pub(crate) has_defined_operations: bool,
    /// Whether some object is of a derived type, declared in the files or not.
    pub(crate) has_derived_objects: bool,
    /// The names of arrays that may get lower bounds other than 1 at run time.
    pub(crate) run_time_lower_bounds: BTreeSet<NameKey>,
}

impl ProgramIndex {
    /// The procedure with this id.
    pub(crate) fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0]
    }

    /// The procedures of a file, in order.
    pub(crate) fn of_unit(&self, unit: UnitId) -> impl Iterator<Item = (ProcedureId, &Procedure)> {
        // Procedures are in the order of their files.
        let first = self.procedures.partition_point(|one| one.unit < unit);
        let numbered = (first..).map(ProcedureId).zip(&self.procedures[first..]);
        numbered.take_while(move |(_, one)| one.unit == unit)
    }

    /// The procedures that a call of a name in a scope may refer to; empty if no file defines one.
    pub(crate) fn callees(&self, scope: &NameScope, key: &NameKey) -> Vec<ProcedureId> {
        self.targets_of(&Callee::resolve(scope, key))
    }

    /// The procedures that a callee may be.
    pub(super) fn targets_of(&self, callee: &Callee) -> Vec<ProcedureId> {
        let external = |key: &NameKey| self.externals.get(key).cloned().unwrap_or_default();
        match callee {
            Callee::Nothing => Vec::new(),
            Callee::External(key) => external(key),
            Callee::Contained(ids) => ids.clone(),
            Callee::Generic(ids, externals) => {
                let externals = externals.iter().flat_map(external);
                ids.iter().copied().chain(externals).collect()
            }
        }
    }

    /// Whether a type is another one or extends it.
    pub(crate) fn is_extension(&self, key: &NameKey, ancestor: &NameKey) -> bool {
        let mut current = Some(key);
        // A chain of extensions that is longer than the list of types is a cycle.
        for _ in 0..=self.types.len() {
            match current {
                Some(own) if own == ancestor => return true,
                Some(own) => {
                    let found = self.types.get(own);
                    current = found.and_then(|found| found.parent.as_ref());
                }
                None => return false,
            }
        }
        false
    }
}
