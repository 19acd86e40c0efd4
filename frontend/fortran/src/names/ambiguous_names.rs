//! The names that do not tell which variable of which module they mean.
//!
//! Variables of modules are linked by their names. Where `a` is declared in the modules `p` and `q`, they are the
//! variables `p::a` and `q::a`, as procedures of the same name are. So is a variable that is used under another name
//! (`USE p, ONLY: b => a`), as `a` can be a variable of the user.

use crate::syntax::{Ident, NameKey, ProgramUnit, SpecificationKind as Spec, UnitKind};
use std::collections::{BTreeMap, BTreeSet};

/// The names that several modules, or a module and a procedure, declare, and those that some `USE` renames.
pub(super) fn ambiguous_names<'a>(
    modules: impl Iterator<Item = &'a ProgramUnit>,
    procedures: impl Iterator<Item = &'a NameKey>,
    units: impl Iterator<Item = &'a ProgramUnit>,
) -> BTreeSet<NameKey> {
    let mut declarations: BTreeMap<&NameKey, usize> = BTreeMap::new();
    for module in modules {
        let names: BTreeSet<&NameKey> = declared_names(module).map(|name| &name.key).collect();
        for name in names {
            *declarations.entry(name).or_default() += 1;
        }
    }
    for name in procedures {
        if let Some(count) = declarations.get_mut(name) {
            *count += 1;
        }
    }
    let mut names = BTreeSet::new();
    for (name, count) in declarations {
        if 1 < count {
            names.insert(name.clone());
        }
    }
    units.for_each(|unit| add_renamed(unit, &mut names));
    names
}

/// Adds the names that the `USE` statements of a program unit, and of those in it, rename.
fn add_renamed(unit: &ProgramUnit, names: &mut BTreeSet<NameKey>) {
    for specification in &unit.specifications {
        if let Spec::Use(used) = &specification.kind {
            let renamed = used.names.iter().filter(|(local, own)| local != own);
            names.extend(renamed.map(|(_, own)| own.clone()));
        }
    }
    unit.contained
        .iter()
        .for_each(|inner| add_renamed(inner, names));
}

/// The names that the specification statements of a module declare.
fn declared_names(module: &ProgramUnit) -> impl Iterator<Item = &Ident> {
    debug_assert_eq!(module.kind, UnitKind::Module);
    let specifications = module.specifications.iter();
    specifications.flat_map(|specification| {
        let names: Vec<&Ident> = match &specification.kind {
            Spec::Type { entities, .. } | Spec::Attribute(_, entities) => {
                entities.iter().map(|entity| &entity.name).collect()
            }
            Spec::Parameter(list) => list.iter().map(|(name, _)| name).collect(),
            _ => Vec::new(),
        };
        names
    })
}
