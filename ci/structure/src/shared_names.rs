//! Names of types that stand for more than one thing in the workspace, tests aside.

use std::collections::BTreeMap;

use crate::declarations::{Declaration, NameKind};

/// One name and where each of the types of this name is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedName {
    /// The name.
    pub name: String,
    /// `file:line` of each definition.
    pub locations: Vec<String>,
}

/// Names of more than `limit` types, those of most first.
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
