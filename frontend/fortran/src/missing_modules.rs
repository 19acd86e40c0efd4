//! Modules that a program uses and no given file defines, or several.

use crate::names::{ProgramIndex, is_intrinsic_module};
use crate::syntax::{FortranFile, Ident, NameKey, ProgramUnit, UnitKind};
use premiss_link::{Program, Queries as _};
use premiss_source::{Diagnostic, Label, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// A warning for each module that files use and none of them defines, at its first use, by the number of the file, and a
/// note for each that several files define, at its later definitions. What a missing one declares is unknown: `u(i, j)`
/// may be an array or a call.
pub(crate) fn missing_modules(
    files: &[Option<FortranFile>],
    index: &ProgramIndex,
    program: &Program,
) -> BTreeMap<usize, Vec<Diagnostic>> {
    let mut seen: BTreeSet<&NameKey> = BTreeSet::new();
    let mut defined: BTreeSet<&NameKey> = BTreeSet::new();
    let mut missing: BTreeMap<usize, Vec<Diagnostic>> = BTreeMap::new();
    let numbered = files.iter().enumerate();
    for (idx, file) in numbered.filter_map(|(idx, file)| Some((idx, file.as_ref()?))) {
        let mut used = Vec::new();
        file.units.iter().for_each(|unit| add_used(unit, &mut used));
        for unit in file
            .units
            .iter()
            .filter(|unit| unit.kind == UnitKind::Module)
        {
            if !defined.insert(&unit.name.key) {
                let label = Label {
                    span: program.span(unit.name.at),
                    text: String::new(),
                };
                let later = later_definition(&unit.name.key, label);
                missing.entry(idx).or_default().push(later);
            }
        }
        for module in used {
            let is_known =
                index.modules.contains_key(&module.key) || is_intrinsic_module(&module.key);
            if !is_known && seen.insert(&module.key) {
                let label = Label {
                    span: program.span(module.at),
                    text: String::new(),
                };
                missing
                    .entry(idx)
                    .or_default()
                    .push(missing_module(&module.key, label));
            }
        }
    }
    missing
}

fn later_definition(module: &str, label: Label) -> Diagnostic {
    Diagnostic {
        code: "module-by-order",
        severity: Severity::Note,
        message: format!(
            "another file defines module `{module}` as well: files that use it use the nearest one"
        ),
        labels: vec![label],
        help: Some("give the files of one configuration of the program alone".to_owned()),
        sizes: Vec::new(),
    }
}

fn missing_module(module: &str, label: Label) -> Diagnostic {
    Diagnostic {
        code: "missing-module",
        severity: Severity::Warning,
        message: format!(
            "module `{module}` is in no file that was given, so its names are not known"
        ),
        labels: vec![label],
        help: Some(
            "give the file that defines it as well, or the folder of the program".to_owned(),
        ),
        sizes: Vec::new(),
    }
}

/// Adds the modules that a unit and what it contains use, in the order of the text.
fn add_used<'s>(unit: &'s ProgramUnit, used: &mut Vec<&'s Ident>) {
    used.extend(unit.used_modules());
    unit.contained
        .iter()
        .for_each(|inner| add_used(inner, used));
}
