//! A parsed file.

use super::specification::ProgramUnit;
use super::words::WordSet;
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;

/// A file.
#[derive(Debug, Default)]
pub(crate) struct FortranFile {
    pub(crate) units: Vec<ProgramUnit>,
    pub(crate) errors: Vec<(RejectReason, TextRange)>,
    pub(crate) words: WordSet,
}
