//! The statements of a file that are still to be put together, and the program units of those before.

use super::flat_statement::{FlatStatement, ParsedStatement};
use crate::syntax::{FortranFile, Specification};
use premiss_ast::syntax::{At, UnitId};
use premiss_tree::RejectReason;

/// How deep blocks may nest.
pub(super) const MAX_DEPTH: u32 = 400;

/// The statements of a file, which are put together to program units.
pub(super) struct UnitBuilder {
    pub(super) lines: std::iter::Peekable<std::vec::IntoIter<ParsedStatement>>,
    /// The label at which a loop has just ended.
    pub(super) closed_label: Option<u32>,
    pub(super) depth: u32,
    pub(super) file: FortranFile,
    /// The last line that was taken.
    pub(super) last: Option<At>,
    /// Declarations in blocks: they count for the whole program unit.
    pub(super) inner_specifications: Vec<Specification>,
}

impl UnitBuilder {
    /// For the statements of a file.
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

    /// Takes the next statement.
    pub(super) fn next(&mut self) -> Option<ParsedStatement> {
        let line = self.lines.next()?;
        self.last = Some(line.at);
        Some(line)
    }

    /// The next statement, where it was understood.
    pub(super) fn peek(&mut self) -> Option<&FlatStatement> {
        self.lines.peek().and_then(|line| line.flat.as_ref().ok())
    }

    /// Where the next statement stands, or the last one at the end of the file.
    pub(super) fn here(&mut self) -> At {
        let next = self.lines.peek().map(|line| line.at);
        next.or(self.last).unwrap_or(At::start_of(UnitId(0)))
    }

    /// Records a syntax error.
    pub(super) fn error(&mut self, at: At) {
        self.file.errors.push((RejectReason::Syntax, at));
    }
}
