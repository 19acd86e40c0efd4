//! The index of a program: the procedures, modules and COMMON blocks of all files that are read together.

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
    /// Its name among those of all files.
    pub(crate) name: Name,
    pub(crate) passing: Vec<ArgumentPassing>,
    /// Variables of its host that it uses by host association, with how they are passed.
    pub(crate) host_associated: Vec<(NameKey, ArgumentPassing)>,
    pub(crate) host: Option<ProcedureId>,
    /// The variables that it changes, itself or by what it calls.
    pub(crate) mod_set: BTreeSet<NameKey>,
}

/// The procedures, modules and storage areas of all files that are read together.
pub(crate) struct ProgramIndex {
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) modules: BTreeMap<NameKey, (UnitId, Arc<NameScope>)>,
    pub(crate) externals: FxHashMap<NameKey, Vec<ProcedureId>>,
    pub(crate) areas: StorageAreaTable,
    /// All derived types by their names.
    pub(crate) types: BTreeMap<NameKey, Arc<DerivedType>>,
    /// Arrays that some statement gives another lower bound than 1 when the program runs.
    pub(crate) run_time_lower_bounds: BTreeSet<NameKey>,
}

impl ProgramIndex {
    /// The procedure of an id.
    pub(crate) fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0]
    }

    /// The procedures of a file, in order.
    pub(crate) fn of_unit(&self, unit: UnitId) -> impl Iterator<Item = (ProcedureId, &Procedure)> {
        // Procedures stand in the order of their files.
        let first = self.procedures.partition_point(|one| one.unit < unit);
        let numbered = (first..).map(ProcedureId).zip(&self.procedures[first..]);
        numbered.take_while(move |(_, one)| one.unit == unit)
    }

    /// The procedures that a call of a name in a scope may lead to; empty where no file defines one.
    pub(crate) fn callees(&self, scope: &NameScope, key: &NameKey) -> Vec<ProcedureId> {
        self.targets_of(&Callee::resolve(scope, key)).to_vec()
    }

    /// The procedures that a callee may be.
    pub(super) fn targets_of<'c>(&'c self, callee: &'c Callee) -> &'c [ProcedureId] {
        match callee {
            Callee::Nothing => &[],
            Callee::External(key) => self.externals.get(key).map_or(&[], Vec::as_slice),
            Callee::Contained(ids) => ids,
        }
    }
}
