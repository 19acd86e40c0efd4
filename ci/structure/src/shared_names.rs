//! Names of types that stand for more than one type in the workspace, without tests.

use std::collections::BTreeMap;

use crate::declarations::{Declaration, NameKind};

/// A name, and the places where types with this name are defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedName {
    /// The name.
    pub name: String,
    /// The `file:line` of each definition.
    pub locations: Vec<String>,
}

/// The names of more than `limit` types, those of most types first.
pub(crate) fn shared_names(declarations: &[Declaration], limit: usize) -> Vec<SharedName> {
    let mut by_name: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for declaration in declarations {
        let is_type = matches!(declaration.kind, NameKind::Type | NameKind::Trait);
        if is_type && !declaration.is_test {
            let locations = by_name.entry(&declaration.name).or_default();
            locations.push(declaration.location.clone());
        }
    }
    by_name.retain(|_, locations| locations.len() > limit);
    let shared = |(name, locations): (&str, Vec<String>)| SharedName {
        name: name.to_owned(),
        locations,
    };
    let mut names: Vec<SharedName> = by_name.into_iter().map(shared).collect();
    names.sort_by_key(|it| usize::MAX - it.locations.len());
    names
}
