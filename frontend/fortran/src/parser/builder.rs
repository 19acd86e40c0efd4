//! The statements of a file that are not assembled yet, and the program units assembled so far.

use super::flat_statement::{FlatStatement, ParsedStatement};
use crate::syntax::{FortranFile, Specification};
use premiss_ast::syntax::{TextRange, UnitId};
use premiss_tree::RejectReason;

/// The maximum nesting depth of blocks.
pub(super) const MAX_DEPTH: u32 = 400;

/// The statements of a file, which are assembled to program units.
pub(super) struct UnitBuilder {
    pub(super) lines: std::iter::Peekable<std::vec::IntoIter<ParsedStatement>>,
    /// The label at which a loop has just ended.
    pub(super) closed_label: Option<u32>,
    pub(super) depth: u32,
    pub(super) file: FortranFile,
    /// The place of the last consumed statement.
    pub(super) last: Option<TextRange>,
    /// Declarations in blocks, which apply to the whole program unit.
    pub(super) inner_specifications: Vec<Specification>,
}

impl UnitBuilder {
    /// A builder for the statements of a file.
    pub(super) fn new(lines: Vec<ParsedStatement>) -> Self {
        Self {
            lines: lines.into_iter().peekable(),
            closed_label: None,
            depth: 0,
            file: FortranFile::default(),
            last: None,
            inner_specifications: Vec::new(),
        }
    }

    /// Consumes the next statement.
    pub(super) fn next(&mut self) -> Option<ParsedStatement> {
        let line = self.lines.next()?;
        self.last = Some(line.at);
        if let Some(failure) = &line.failure {
            let error = (failure.reason.clone(), failure.at);
            self.file.errors.push(error);
        }
        Some(line)
    }

    /// The next statement, if it was understood.
    pub(super) fn peek(&mut self) -> Option<&FlatStatement> {
        self.lines.peek().and_then(|line| line.flat.as_ref().ok())
    }

    /// The place of the next statement, or of the last one at the end of the file.
    pub(super) fn here(&mut self) -> TextRange {
        let next = self.lines.peek().map(|line| line.at);
        next.or(self.last).unwrap_or(TextRange::start_of(UnitId(0)))
    }

    /// Records a syntax error.
    pub(super) fn error(&mut self, at: TextRange) {
        self.file.errors.push((RejectReason::Syntax, at));
    }
}
