//! Linking: the index of a program, including how all arguments are passed.

use super::discovery::{Discovery, discover};
use super::index::ProgramIndex;
use super::inputs::{FileDefinitions, FileInput};
use super::interface::{BoundsOfHost, DeclaredVariable};
use super::interprocedural_mod::modified_variables;
use super::lower_bounds::arrays_with_run_time_lower_bounds;
use super::passing::ArgumentPassing;
use super::storage_areas::StorageAreaTable;
use super::symbols::{DerivedType, Entity, NameScope, ProcedureId};
use super::types::FortranType;
use crate::syntax::NameKey;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Links files: returns the index of the program, and the definitions of each file. The unit of a file is its index in
/// the list.
pub(crate) fn link<'a>(files: &[FileInput<'a>]) -> (ProgramIndex, Vec<FileDefinitions<'a>>) {
    let discovery = discover(files);
    let mut areas = StorageAreaTable::default();
    let modules = discovery.modules.values();
    modules.for_each(|(_, scope)| areas.add(scope.areas.values()));
    let summaries = discovery.procedures.iter().map(|one| &one.summary);
    summaries.for_each(|summary| areas.add(&summary.areas));
    let discovery_scopes = scopes(&discovery);
    let mut index = ProgramIndex {
        types: derived_types(&discovery_scopes),
        procedures: discovery.procedures,
        modules: discovery.modules,
        externals: discovery.externals,
        areas,
        has_defined_operations: has_defined_operations(&discovery_scopes),
        has_derived_objects: has_derived_objects(&discovery_scopes),
        run_time_lower_bounds: BTreeSet::new(),
    };
    index.run_time_lower_bounds =
        arrays_with_run_time_lower_bounds(&index, files, &discovery.definitions);
    assign_passing(&mut index);
    (index, discovery.definitions)
}

/// Decides how all arguments are passed, given the variables that calls may change.
fn assign_passing(index: &mut ProgramIndex) {
    let mod_sets = modified_variables(index);
    let lower_bounds = &index.run_time_lower_bounds;
    let host_sets = mod_sets.by_procedure.clone();
    let choose = |key: &NameKey, declared: Option<&DeclaredVariable>, is_changed: bool| {
        ArgumentPassing::choose(declared, is_changed, lower_bounds.contains(key))
    };
    let with_mod_sets = index.procedures.iter_mut().zip(mod_sets.by_procedure);
    for (id, (procedure, mod_set)) in (0..).map(ProcedureId).zip(with_mod_sets) {
        let summary = procedure.summary.clone();
        let is_escaping = mod_sets.escaping.contains(&id);
        let dummies = summary.interface.dummies.iter().flatten();
        let passing = dummies.map(|dummy| {
            let is_changed = mod_set.contains(&dummy.key) || is_escaping;
            match choose(&dummy.key, dummy.variable.as_ref(), is_changed) {
                // The caller of a dummy procedure does not know its intents.
                ArgumentPassing::Value if is_escaping => ArgumentPassing::Reference,
                passing => passing,
            }
        });
        procedure.passing = passing.collect();
        let captured = summary.effects.host_associated.iter();
        let host = procedure.host.map(|host| &host_sets[host.0]);
        let captured = captured.map(|(key, declared)| {
            let passing = choose(key, declared.as_ref(), mod_set.contains(key));
            let keeps_bounds = declared
                .as_ref()
                .is_none_or(|declared| match &declared.bounds {
                    BoundsOfHost::Constant => true,
                    BoundsOfHost::Variables(names) => {
                        host.is_some_and(|host| names.iter().all(|name| !host.contains(name)))
                    }
                    BoundsOfHost::Other => false,
                });
            match (passing, declared) {
                // Its extents are those on entry to the host.
                (ArgumentPassing::Array, Some(declared)) if !keeps_bounds => {
                    (key.clone(), ArgumentPassing::Shaped(declared.rank()))
                }
                _ => (key.clone(), passing),
            }
        });
        procedure.host_associated = captured.collect();
        procedure.mod_set = mod_set;
    }
}

/// The scopes of all modules and procedures that were parsed.
fn scopes(discovery: &Discovery) -> Vec<Arc<NameScope>> {
    let modules = discovery.modules.values().map(|(_, scope)| scope);
    let written = discovery.definitions.iter().flat_map(|own| &own.procedures);
    modules
        .chain(written.map(|one| &one.scope))
        .cloned()
        .collect()
}

/// Whether some scope or type has a generic operator or assignment.
fn has_defined_operations(scopes: &[Arc<NameScope>]) -> bool {
    let is_operation = |key: &NameKey| key.ends_with(')');
    let mut symbols = scopes.iter().flat_map(|scope| &scope.symbols);
    symbols.any(|(key, symbol)| match &symbol.entity {
        Entity::Generic(_) => is_operation(key),
        Entity::DerivedType(found) => found.generics.iter().any(|(key, _)| is_operation(key)),
        _ => false,
    })
}

/// Whether some object or function is of a derived type.
fn has_derived_objects(scopes: &[Arc<NameScope>]) -> bool {
    let mut symbols = scopes.iter().flat_map(|scope| scope.symbols.values());
    symbols.any(|symbol| {
        let is_type = matches!(symbol.entity, Entity::DerivedType(_));
        is_type || matches!(symbol.kind(), Some(FortranType::Derived(..)))
    })
}

/// All derived types by their names.
fn derived_types(scopes: &[Arc<NameScope>]) -> BTreeMap<NameKey, Arc<DerivedType>> {
    let mut types = BTreeMap::new();
    let scopes = scopes.iter();
    for (key, symbol) in scopes.flat_map(|scope| &scope.symbols) {
        if let Entity::DerivedType(found) = &symbol.entity {
            let known = types.entry(key.clone());
            known.or_insert_with(|| found.clone());
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::link;
    use crate::names::ArgumentPassing as Passing;
    use crate::names::{FileInput, ParsedFile};
    use crate::parser::parse;
    use crate::text::SourceForm;
    use premiss_ast::syntax::UnitId;

    /// How the arguments of the first procedure of a text are passed.
    fn passing(text: &str) -> Vec<Passing> {
        let unit = UnitId(0);
        let file = parse(unit, text, SourceForm::Free);
        let source = ParsedFile {
            unit,
            text,
            file: &file,
        };
        let (index, _) = link(&[FileInput::Parsed(source)]);
        index.procedures[0].passing.clone()
    }

    #[test]
    fn scalars_that_calls_change_are_references() {
        let text = "subroutine s(n, m, k)\ncall t(m)\ncall absent(k)\nend\n\
                    subroutine t(i)\ni = 1\nend\n";
        let expected = [Passing::Value, Passing::Reference, Passing::Reference];
        assert_eq!(passing(text), expected);
        let recursive = "subroutine s(n)\ncall t(n)\nend\nsubroutine t(i)\ncall s(i)\nend\n";
        assert_eq!(passing(recursive), [Passing::Value]);
    }

    #[test]
    fn arrays_are_passed_by_their_shapes() {
        let text = "subroutine s(a, b, c)\nreal :: a(*), b(:, :)\nreal, allocatable :: c(:)\n\
                    allocate (c(3))\nend\n";
        // `ALLOCATE` changes `c`, so its caller must see the bounds.
        let expected = [Passing::Array, Passing::Shaped(2), Passing::Descriptor(1)];
        assert_eq!(passing(text), expected);
    }
}
