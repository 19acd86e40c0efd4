//! What other files have to know of a file, kept from run to run: one that is as it was is not read for their sake.

use super::commons::Area;
use super::deeds::Deeds;
use super::face::Face;
use super::index::{Index, Own, Source, Written};
use super::lowered::may_change_bounds;
use crate::syntax::Words;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What others have to know of a file that has no modules, contained procedures, derived types or arrays whose bounds
/// change, and uses no modules.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Draft {
    /// Of its procedures, in order.
    pub(crate) accounts: Vec<Arc<Account>>,
    pub(crate) words: Words,
}

/// What a procedure tells others, by its own text.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) face: Face,
    /// The COMMON blocks in which it has variables.
    pub(crate) areas: Vec<Arc<Area>>,
    pub(crate) deeds: Deeds,
}

impl Account {
    /// That of a procedure in a text; the scope around its own is that of its host, where it has one.
    pub(super) fn of(written: &Written, text: &str, has_host: bool) -> Self {
        let Written { ast, scope } = written;
        let areas = scope.areas.values();
        Self {
            face: Face::of(ast, scope, text),
            areas: areas.filter(|area| area.is_common).cloned().collect(),
            deeds: Deeds::of(ast, scope, has_host),
        }
    }
}

/// The draft of a file that was read, in the form in which it is kept; empty where it has to be read each time.
pub(crate) fn draft(source: &Source, own: &Own, index: &Index) -> Vec<u8> {
    if may_change_bounds(source, own) || !source.file.errors.is_empty() {
        return Vec::new();
    }
    let accounts = index.of_unit(source.unit).map(|(_, one)| &one.account);
    let accounts: Vec<_> = accounts.collect();
    // What has no such form is known in this run alone.
    postcard::to_stdvec(&(accounts, &source.file.words)).unwrap_or_default()
}

impl Draft {
    /// That which was kept, if it was.
    pub(crate) fn read(kept: &[u8]) -> Option<Self> {
        postcard::from_bytes(kept).ok()
    }
}
