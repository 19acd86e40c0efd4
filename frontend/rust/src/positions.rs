//! Places of a unit in a text that may contain its file several times.
//!
//! Lowering identifies a statement or an array by its place. If a body is instantiated for several types or inlined,
//! each copy has its own places, which map to the same file.

use premiss_ast::syntax::{TextRange, UnitId};
use premiss_ast::{OriginMap, Run};
use premiss_source::{FileId, Span};
use std::cell::RefCell;
use std::ops::Range;

/// The text of one unit with its copies.
#[derive(Debug)]
pub(crate) struct PositionMap {
    /// The unit of the text.
    pub(crate) unit: UnitId,
    file: FileId,
    n_bytes: usize,
    runs: RefCell<Vec<Run>>,
}

/// A copy of the file: its start in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TextCopy(u32);

impl PositionMap {
    /// A text that contains its file once.
    pub(crate) fn new(unit: UnitId, file: FileId, n_bytes: usize) -> Self {
        let ground = Self {
            unit,
            file,
            n_bytes,
            runs: RefCell::default(),
        };
        ground.copy();
        ground
    }

    /// Another copy of the file; `None` if the text would become too large.
    pub(crate) fn copy(&self) -> Option<TextCopy> {
        let whole = self.span(0..self.n_bytes)?;
        self.append(self.n_bytes.max(1), whole, true).map(TextCopy)
    }

    /// A unique place that maps to the same part of the file.
    pub(crate) fn fresh(&self, at: TextRange) -> TextRange {
        let span = self.origin(at);
        match self.append(1, span, false) {
            Some(start) => TextRange {
                unit: self.unit,
                start,
                end: start + 1,
            },
            None => at,
        }
    }

    /// The place of a range of bytes in a copy of the file.
    pub(crate) fn at(&self, copy: TextCopy, bytes: Range<usize>) -> TextRange {
        let place = |offset: usize| {
            let offset = u32::try_from(offset.min(self.n_bytes)).unwrap_or(0);
            copy.0.saturating_add(offset)
        };
        TextRange {
            unit: self.unit,
            start: place(bytes.start),
            end: place(bytes.end.max(bytes.start)),
        }
    }

    /// The map from places to the file.
    pub(crate) fn origins(&self) -> OriginMap {
        OriginMap::new(self.file, self.runs.borrow().clone())
    }

    /// The file of the text.
    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    /// The bytes of the file that a place maps to.
    pub(crate) fn bytes(&self, at: TextRange) -> Range<usize> {
        let span = self.origin(at);
        span.start as usize..span.end as usize
    }

    fn append(&self, length: usize, span: Span, copied: bool) -> Option<u32> {
        let mut runs = self.runs.borrow_mut();
        let start = runs.last().map_or(0, |run| run.end);
        let end = start.checked_add(length)?;
        u32::try_from(end).ok()?;
        runs.push(Run {
            start,
            end,
            span,
            copied,
        });
        u32::try_from(start).ok()
    }

    fn origin(&self, at: TextRange) -> Span {
        let runs = self.runs.borrow();
        let (start, end) = (at.start as usize, at.end as usize);
        let idx = runs.partition_point(|run| run.end <= start);
        let whole = self.span(0..0);
        let nowhere = whole.unwrap_or(Span {
            file: self.file,
            start: 0,
            end: 0,
        });
        runs.get(idx).map_or(nowhere, |run| {
            let inner = start.saturating_sub(run.start)..end.saturating_sub(run.start);
            match run.copied {
                true => self.span(inner).unwrap_or(nowhere),
                false => run.span,
            }
        })
    }

    fn span(&self, bytes: Range<usize>) -> Option<Span> {
        Some(Span {
            file: self.file,
            start: u32::try_from(bytes.start).ok()?,
            end: u32::try_from(bytes.end).ok()?,
        })
    }
}
