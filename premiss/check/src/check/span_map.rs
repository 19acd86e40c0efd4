//! The current places of spans of an earlier run, after some files were edited.
//!
//! ```text
//! before    C  one            now   C  one, two           the meaning is the same, two lines further down: what was
//!                                   C  three              found about it is found there
//!           X = A(I)                X = A(I)
//! ```
//!
//! If the meaning of a file changed, lines before the first difference have not moved.

use premiss_source::{FileId, Outline, Span};
use std::collections::BTreeMap;

/// Maps spans and lines of an earlier run to their current places.
pub(super) struct SpanMap {
    n_files: usize,
    /// By the number of the file; files that are not in it are unchanged.
    edits: BTreeMap<u32, FileEdit>,
    /// The numbers of these files by path.
    numbers: BTreeMap<String, u32>,
}

/// The unchanged part of an edited file.
pub(super) enum FileEdit {
    /// The meaning: lines of one outline correspond to those of the other.
    SameMeaning { from: Outline, to: Outline },
    /// A prefix of this many bytes and lines.
    SamePrefix { bytes: u32, lines: u32 },
}

impl SpanMap {
    /// The map for unchanged files.
    pub(super) fn identity(n_files: usize) -> Self {
        Self {
            n_files,
            edits: BTreeMap::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// Adds the edit of a file.
    pub(super) fn add(&mut self, number: u32, path: &str, edit: FileEdit) {
        self.edits.insert(number, edit);
        self.numbers.insert(path.to_owned(), number);
    }

    /// The file with this number, if there is one.
    pub(super) fn file(&self, number: u32) -> Option<FileId> {
        let exists = usize::try_from(number).is_ok_and(|number| number < self.n_files);
        exists.then(|| FileId::from_u32(number))
    }

    /// The current place of bytes of a file; `None` if they have no counterpart.
    pub(super) fn span(&self, file: u32, start: u32, end: u32) -> Option<Span> {
        let id = self.file(file)?;
        let Some(edit) = self.edits.get(&file) else {
            return Some(Span {
                file: id,
                start,
                end,
            });
        };
        // Offset 0 also stands for diagnostics without a place.
        let has_place = 0 < end;
        Some(Span {
            file: id,
            start: edit.offset(start).filter(|_| has_place)?,
            end: edit.offset(end)?,
        })
    }

    /// The current number of a line; `None` if it has no counterpart.
    pub(super) fn line(&self, path: &str, line: u32) -> Option<u32> {
        let number = self.numbers.get(path);
        match number.and_then(|number| self.edits.get(number)) {
            None => Some(line),
            Some(edit) => edit.line(line),
        }
    }
}

impl FileEdit {
    /// The current offset of a byte of the earlier text.
    pub(super) fn offset(&self, at: u32) -> Option<u32> {
        let (from, to) = match self {
            Self::SameMeaning { from, to } => (from, to),
            Self::SamePrefix { bytes, .. } => return (at <= *bytes).then_some(at),
        };
        let n_before = from.lines().partition_point(|line| line.start <= at);
        let idx = n_before.checked_sub(1)?;
        let (old, new) = (from.lines().get(idx)?, to.lines().get(idx)?);
        (at <= old.end).then(|| new.start + (at - old.start))
    }

    /// The current number of an earlier line.
    pub(super) fn line(&self, number: u32) -> Option<u32> {
        let (from, to) = match self {
            Self::SameMeaning { from, to } => (from, to),
            Self::SamePrefix { lines, .. } => return (number <= *lines).then_some(number),
        };
        let lines = from.lines();
        let idx = lines.binary_search_by_key(&number, |line| line.number);
        Some(to.lines().get(idx.ok()?)?.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, offsets: &[(u32, Option<u32>)]) {
        let [from, to] = [before, after].map(|text| Outline::of("a.f", text));
        let edit = FileEdit::SameMeaning { from, to };
        for (at, now) in offsets {
            assert_eq!(edit.offset(*at), *now, "{at} of {before:?} in {after:?}");
        }
    }

    #[test]
    fn offsets_move_with_their_lines() {
        let (short, long) = ("      X = 1\n      END\n", "C\n      X = 1\nC\n      END\n");
        check(
            short,
            long,
            &[(0, Some(2)), (6, Some(8)), (11, Some(13)), (18, Some(22))],
        );
        check(
            long,
            short,
            &[
                (0, None),
                (1, None),
                (2, Some(0)),
                (14, None),
                (22, Some(18)),
            ],
        );
    }

    #[test]
    fn lines_move() {
        let [from, to] = ["      END\n", "C\n      END\n"].map(|x| Outline::of("a.f", x));
        let edit = FileEdit::SameMeaning { from, to };
        assert_eq!((edit.line(1), edit.line(2)), (Some(2), None));
    }

    #[test]
    fn files_that_were_not_edited_keep_their_spans() {
        let map = SpanMap::identity(1);
        let span = map.span(0, 3, 5).expect("there is such a file");
        assert_eq!((span.start, span.end), (3, 5));
        assert_eq!(map.span(1, 3, 5), None, "there is no such file");
        assert_eq!(map.line("a.f", 7), Some(7));
    }

    #[test]
    fn the_start_of_an_edited_file_is_no_place() {
        let mut map = SpanMap::identity(1);
        map.add(0, "a.f", FileEdit::SamePrefix { bytes: 4, lines: 1 });
        assert_eq!(map.span(0, 0, 0), None);
        let span = map.span(0, 0, 4).expect("it is in the prefix");
        assert_eq!((span.start, span.end), (0, 4));
        assert_eq!(map.span(0, 2, 5), None);
        assert_eq!((map.line("a.f", 1), map.line("a.f", 2)), (Some(1), None));
    }
}
