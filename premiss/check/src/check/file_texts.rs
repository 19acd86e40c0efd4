//! The texts of the files of a run in cached form, compared with those of an earlier run.

use super::include_deps::{Digest, digest};
use super::span_map::{FileEdit, SpanMap};
use crate::open::OpenedFiles;
use premiss_analyze::PathAndBytes;
use premiss_source::{FileId, Outline, OutlineLine, SourceFile, SourceMap};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The open files, in order.
pub(super) struct FileTexts {
    /// Their cached forms; unchanged files need no other.
    records: Vec<TextRecord>,
    /// The numbers of the files whose meaning changed or may have changed.
    changed: BTreeSet<u32>,
    /// The numbers of the files without any change.
    untouched: BTreeSet<u32>,
}

/// The cached form of a file's text.
#[derive(Serialize, Deserialize)]
pub(super) struct TextRecord {
    /// A digest of all bytes.
    content: u64,
    /// A digest of the meaning: of the text without comments and blank lines.
    meaning: u64,
    /// For each line of the outline, the lines and bytes left out before it, and its own bytes.
    lines: Vec<(u32, u32, u32)>,
    /// A digest of each line, including blank ones; empty if no result of another file refers to this file.
    line_digests: Vec<u32>,
}

/// The part of a file that is unchanged.
enum Unchanged {
    Bytes,
    Meaning,
    Nothing,
}

impl FileTexts {
    /// The texts of open files, and the map from spans of an earlier run, given its records, to their current places.
    /// `included` are the current versions of the files that the earlier run included.
    pub(super) fn compare(
        (sources, contents): (&SourceMap, &[Digest]),
        opened: &OpenedFiles,
        included: &[PathAndBytes],
        previous: Vec<TextRecord>,
    ) -> (Self, SpanMap) {
        let mut comparison = TextComparison {
            spans: SpanMap::identity(previous.len()),
            n_compared: 0,
        };
        let mut previous = previous.into_iter();
        let mut records = Vec::new();
        let (mut changed, mut untouched) = (BTreeSet::new(), BTreeSet::new());
        for ((file, _), digest) in opened.files.iter().zip(contents) {
            let file = sources.file(*file);
            let text = (file.path(), file.text());
            let number = comparison.n_compared;
            let (record, unchanged) = comparison.next(previous.next(), text, short(digest));
            match unchanged {
                Unchanged::Bytes => untouched.insert(number),
                Unchanged::Meaning => false,
                Unchanged::Nothing => changed.insert(number),
            };
            records.push(record);
        }
        for (path, bytes) in included {
            let text = String::from_utf8_lossy(bytes);
            let content = short(&digest(text.as_bytes()));
            comparison.next(previous.next(), (path, &text), content);
        }
        let texts = Self {
            records,
            changed,
            untouched,
        };
        (texts, comparison.spans)
    }

    /// The digests of the meanings of the files.
    pub(super) fn meanings(&self) -> Vec<u64> {
        self.records.iter().map(|text| text.meaning).collect()
    }

    /// The numbers of the files whose meaning changed or may have changed.
    pub(super) fn changed(&self) -> &BTreeSet<u32> {
        &self.changed
    }

    /// The numbers of the files without any change.
    pub(super) fn untouched(&self) -> &BTreeSet<u32> {
        &self.untouched
    }

    /// The records of these files and of those included. Results of other files refer to the files with the numbers
    /// `referenced`.
    pub(super) fn into_records(
        self,
        sources: &SourceMap,
        referenced: &BTreeSet<u32>,
    ) -> Vec<TextRecord> {
        let mut records = self.records.into_iter();
        let record = |(id, file): (FileId, &SourceFile)| {
            let (path, text) = (file.path(), file.text());
            let mut record = records.next().unwrap_or_else(|| {
                let content = short(&digest(text.as_bytes()));
                TextRecord::new(content, text, &Outline::of(path, text))
            });
            record.line_digests = match referenced.contains(&id.as_u32()) {
                true => lines(text).map(|(_, line)| line).collect(),
                false => Vec::new(),
            };
            record
        };
        sources.files().map(record).collect()
    }
}

/// A comparison of files with those of an earlier run, one after another.
struct TextComparison {
    spans: SpanMap,
    n_compared: u32,
}

impl TextComparison {
    /// Compares the next file with its earlier record: returns its current record, and its unchanged part.
    fn next(
        &mut self,
        mut previous: Option<TextRecord>,
        (path, text): (&str, &str),
        content: u64,
    ) -> (TextRecord, Unchanged) {
        let number = self.n_compared;
        self.n_compared += 1;
        if let Some(same) = previous.take_if(|previous| previous.content == content) {
            return (same, Unchanged::Bytes);
        }
        let outline = Outline::of(path, text);
        let record = TextRecord::new(content, text, &outline);
        let Some(previous) = previous else {
            return (record, Unchanged::Nothing);
        };
        let (unchanged, edit) = match previous.meaning == record.meaning {
            true => {
                let from = previous.outline();
                let edit = FileEdit::SameMeaning { from, to: outline };
                (Unchanged::Meaning, edit)
            }
            false => (Unchanged::Nothing, previous.common_prefix(text)),
        };
        self.spans.add(number, path, edit);
        (record, unchanged)
    }
}

/// The end offset of each line of a text, with a digest of the line.
fn lines(text: &str) -> impl Iterator<Item = (usize, u32)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        let mut hasher = FxHasher::default();
        line.hash(&mut hasher);
        // The upper half of the hash is better distributed.
        u32::try_from(hasher.finish() >> u32::BITS)
            .ok()
            .map(|digest| (*end, digest))
    })
}

/// A part of a digest that suffices to distinguish texts.
fn short(digest: &Digest) -> u64 {
    digest
        .iter()
        .rev()
        .take(8)
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

impl TextRecord {
    fn new(content: u64, text: &str, outline: &Outline) -> Self {
        let mut meaning = DefaultHasher::new();
        outline.digest(text, &mut meaning);
        let mut last = (0, 0);
        let line = |line: &OutlineLine| {
            let between = (line.number - last.0, line.start - last.1);
            last = (line.number, line.end);
            (between.0, between.1, line.end - line.start)
        };
        Self {
            content,
            meaning: meaning.finish(),
            lines: outline.lines().iter().map(line).collect(),
            line_digests: Vec::new(),
        }
    }

    /// The lines at the start that a text shares with it.
    fn common_prefix(&self, text: &str) -> FileEdit {
        let same = lines(text).zip(&self.line_digests);
        let same = same.take_while(|((_, line), previous)| line == *previous);
        let ends = same.map(|((end, _), _)| end);
        let (lines, bytes) = ends.fold((0, 0), |(lines, _), end| (lines + 1, end));
        FileEdit::SamePrefix {
            bytes: u32::try_from(bytes).unwrap_or(0),
            lines,
        }
    }

    fn outline(self) -> Outline {
        let mut last = (0_u32, 0_u32);
        let lines = self.lines.into_iter().map(|(lines, bytes, length)| {
            let number = last.0.saturating_add(lines);
            let start = last.1.saturating_add(bytes);
            let end = start.saturating_add(length);
            last = (number, end);
            OutlineLine { number, start, end }
        });
        Outline::of_lines(lines.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_an_edit_stays() {
        let before = "one\ntwo\nthree\n";
        let mut record = TextRecord::new(0, before, &Outline::default());
        record.line_digests = lines(before).map(|(_, line)| line).collect();
        for (after, n_bytes, n_lines) in [
            ("one\n2\nthree\n", 4, 1),
            ("0\none\ntwo\nthree\n", 0, 0),
            ("one\ntwo\nthree\nfour", 14, 3),
            ("one\ntwo", 4, 1),
            ("", 0, 0),
        ] {
            let edit = record.common_prefix(after);
            for (at, line) in [(0, 1), (4, 2), (5, 2), (8, 3), (14, 4)] {
                assert_eq!(edit.offset(at), (at <= n_bytes).then_some(at), "{after:?}");
                assert_eq!(edit.line(line), (line <= n_lines).then_some(line));
            }
        }
    }

    #[test]
    fn outlines_are_read_back_from_their_records() {
        let text = "C\n      X = 1\n\n      END\n";
        let outline = Outline::of("a.f", text);
        let record = TextRecord::new(0, text, &outline);
        let lines = |outline: &Outline| -> Vec<(u32, u32, u32)> {
            let lines = outline.lines().iter();
            lines.map(|x| (x.number, x.start, x.end)).collect()
        };
        assert_eq!(lines(&record.outline()), lines(&outline));
    }
}
