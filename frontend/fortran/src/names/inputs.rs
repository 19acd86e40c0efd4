//! The input of name resolution: parsed files, and stored summaries of files that an earlier run parsed.

use super::summary::FileSummary;
use super::symbols::NameScope;
use crate::syntax::{FortranFile, ProgramUnit, WordSet};
use premiss_ast::syntax::{Struct, UnitId};
use std::sync::Arc;

/// A parsed file.
#[derive(Clone, Copy)]
pub(crate) struct ParsedFile<'a> {
    pub(crate) unit: UnitId,
    pub(crate) text: &'a str,
    pub(crate) file: &'a FortranFile,
}

/// A parsed file, or the summary that an earlier run stored of it.
pub(crate) enum FileInput<'a> {
    Parsed(ParsedFile<'a>),
    Summarized(UnitId, &'a FileSummary),
}

impl FileInput<'_> {
    /// The unit of the file.
    pub(crate) fn unit(&self) -> UnitId {
        match self {
            Self::Parsed(source) => source.unit,
            Self::Summarized(unit, _) => *unit,
        }
    }

    /// The words in the file.
    pub(crate) fn words(&self) -> &WordSet {
        match self {
            Self::Parsed(source) => &source.file.words,
            Self::Summarized(_, summary) => &summary.words,
        }
    }
}

/// The definitions of a file that other files do not need: its procedures with their scopes, and its structs.
#[derive(Default)]
pub(crate) struct FileDefinitions<'a> {
    /// Its procedures, in order.
    pub(crate) procedures: Vec<ScopedProcedure<'a>>,
    pub(crate) structs: Vec<Struct>,
    /// Whether other files need only the interfaces of its external procedures: it has no modules, contained
    /// procedures, derived types, or objects of derived type.
    pub(crate) is_plain: bool,
}

/// A procedure with its syntax and scope.
#[derive(Clone)]
pub(crate) struct ScopedProcedure<'a> {
    pub(crate) ast: &'a ProgramUnit,
    pub(crate) scope: Arc<NameScope>,
}
