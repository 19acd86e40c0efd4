//! Linking: from the files of a program to its index, with how all arguments are passed.

use super::discovery::{Discovery, discover};
use super::index::ProgramIndex;
use super::inputs::{FileDefinitions, FileInput};
use super::interprocedural_mod::modified_variables;
use super::lower_bounds::arrays_with_run_time_lower_bounds;
use super::passing::ArgumentPassing;
use super::storage_areas::StorageAreaTable;
use super::summary::ProcedureSummary;
use super::symbols::{DerivedType, Entity, ProcedureId};
use crate::syntax::NameKey;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The index of files, the unit of each being its place in the list, with what each has for itself.
pub(crate) fn link<'a>(files: &[FileInput<'a>]) -> (ProgramIndex, Vec<FileDefinitions<'a>>) {
    let found = discover(files);
    let mut areas = StorageAreaTable::default();
    let modules = found.modules.values();
    modules.for_each(|(_, scope)| areas.add(scope.areas.values()));
    let accounts = found.procedures.iter().map(|one| &one.summary);
    accounts.for_each(|account| areas.add(&account.areas));
    let mut index = ProgramIndex {
        types: types(&found),
        procedures: found.procedures,
        modules: found.modules,
        externals: found.externals,
        areas,
        run_time_lower_bounds: BTreeSet::new(),
    };
    index.run_time_lower_bounds = arrays_with_run_time_lower_bounds(&index, files, &found.own);
    assign_passing(&mut index);
    (index, found.own)
}

/// Finds how all arguments are handed over.
fn assign_passing(index: &mut ProgramIndex) {
    let found = modified_variables(index);
    let with_modified = index.procedures.iter_mut().zip(found.modified);
    for (id, (procedure, modified)) in (0..).map(ProcedureId).zip(with_modified) {
        let ProcedureSummary {
            interface, effects, ..
        } = &*procedure.summary;
        let is_escaping = found.escaping.contains(&id);
        let dummies = interface.dummies.iter().flatten();
        let passing = dummies.map(|dummy| {
            let is_changed = modified.contains(&dummy.key) || is_escaping;
            let has_run_time_lower_bound = index.run_time_lower_bounds.contains(&dummy.key);
            let passing = ArgumentPassing::of(
                dummy.variable.as_ref(),
                is_changed,
                has_run_time_lower_bound,
            );
            match passing {
                // Who calls it by a dummy procedure knows nothing of its intents.
                ArgumentPassing::Value if is_escaping => ArgumentPassing::Reference,
                passing => passing,
            }
        });
        procedure.passing = passing.collect();
        let captured = effects.host_associated.iter().map(|(key, declared)| {
            let is_changed = modified.contains(key);
            let has_run_time_lower_bound = index.run_time_lower_bounds.contains(key);
            let passing =
                ArgumentPassing::of(declared.as_ref(), is_changed, has_run_time_lower_bound);
            (key.clone(), passing)
        });
        procedure.host_associated = captured.collect();
        procedure.modified = modified;
    }
}

/// All derived types by their names.
fn types(found: &Discovery) -> BTreeMap<NameKey, Arc<DerivedType>> {
    let mut types = BTreeMap::new();
    let modules = found.modules.values().map(|(_, scope)| scope);
    let written = found.own.iter().flat_map(|own| &own.procedures);
    let scopes = modules.chain(written.map(|one| &one.scope));
    for (key, symbol) in scopes.flat_map(|scope| &scope.symbols) {
        if let Entity::DerivedType(found) = &symbol.entity {
            let known = types.entry(key.clone());
            known.or_insert_with(|| found.clone());
        }
    }
    types
}
