//! Summaries of files: what other files need to know about them. They are stored between runs, so that an unchanged
//! file need not be parsed for other files.

use super::effects::ModRefSummary;
use super::interface::ProcedureInterface;
use super::storage_areas::StorageArea;
use super::symbols::NameScope;
use crate::syntax::{ProgramUnit, WordSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The summary of a file that has no modules, contained procedures, derived types or arrays with changing bounds, and
/// uses no modules.
/// no modules.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileSummary {
    /// The summaries of its procedures, in order.
    pub(crate) procedures: Vec<Arc<ProcedureSummary>>,
    pub(crate) words: WordSet,
}

/// What other files need to know about a procedure, by its own text.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ProcedureSummary {
    pub(crate) interface: ProcedureInterface,
    /// The COMMON blocks with variables of it.
    pub(crate) areas: Vec<Arc<StorageArea>>,
    pub(crate) effects: ModRefSummary,
}

impl ProcedureSummary {
    /// The summary of a procedure; the scope around `scope` is that of its host if `has_host`.
    pub(super) fn new(ast: &ProgramUnit, scope: &NameScope, text: &str, has_host: bool) -> Self {
        let areas = scope.areas.values();
        Self {
            interface: ProcedureInterface::from_unit(ast, scope, text),
            areas: areas.filter(|area| area.is_common).cloned().collect(),
            effects: ModRefSummary::collect(ast, scope, has_host),
        }
    }
}

impl FileSummary {
    /// Decodes the stored form; `None` if it is empty or invalid.
    pub(crate) fn decode(stored: &[u8]) -> Option<Self> {
        postcard::from_bytes(stored).ok()
    }
}
