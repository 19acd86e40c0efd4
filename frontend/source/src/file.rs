//! Files and the positions in them.

use cranelift_entity::{PrimaryMap, entity_impl};
use std::sync::OnceLock;

/// Identifies a file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A range of bytes of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file that the bytes are in.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset of the end, exclusive.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; `self` if they are in different files.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A position as shown by editors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

/// One file, decoded to text.
#[derive(Debug)]
pub struct SourceFile {
    path: String,
    text: String,
    /// Computed on first use, as most files are not mentioned in reports.
    line_starts: OnceLock<Vec<u32>>,
    invalid_bytes: usize,
}

/// All files of one analysis.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: PrimaryMap<FileId, SourceFile>,
}

impl SourceMap {
    /// A map without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file with the path that reports show, and its contents.
    ///
    /// Returns `None` if the file has 2^32 bytes or more.
    pub fn add(&mut self, path: impl Into<String>, bytes: Vec<u8>) -> Option<FileId> {
        SourceFile::new(path, bytes).map(|file| self.push(file))
    }

    /// Adds a file.
    pub fn push(&mut self, file: SourceFile) -> FileId {
        self.files.push(file)
    }

    /// Removes all files but the first `n_files`.
    pub fn truncate(&mut self, n_files: usize) {
        let files = std::mem::take(&mut self.files);
        self.files = files
            .into_iter()
            .map(|(_, file)| file)
            .take(n_files)
            .collect();
    }

    /// The file with this id.
    ///
    /// # Panics
    ///
    /// If the map has no such file.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// All files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }

    /// The text of a span; empty if it is not within the file or not at character boundaries.
    ///
    /// # Panics
    ///
    /// If the map has no such file.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        let text = self.files[span.file].text();
        text.get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// The position of a span's start.
    ///
    /// # Panics
    ///
    /// If the map has no such file.
    #[must_use]
    pub fn start(&self, span: Span) -> Position {
        self.files[span.file].position(span.start)
    }

    /// The position of a span's end, just past its last character.
    ///
    /// # Panics
    ///
    /// If the map has no such file.
    #[must_use]
    pub fn end(&self, span: Span) -> Position {
        self.files[span.file].position(span.end)
    }
}

impl SourceFile {
    /// Decodes a file with the path that reports show.
    ///
    /// Returns `None` if it has 2^32 bytes or more.
    pub fn new(path: impl Into<String>, bytes: Vec<u8>) -> Option<Self> {
        u32::try_from(bytes.len()).ok()?;
        let (text, invalid_bytes) = decode(bytes);
        Some(Self {
            path: path.into(),
            text,
            line_starts: OnceLock::new(),
            invalid_bytes,
        })
    }

    /// The byte offsets of the starts of its lines.
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let newlines = self.text.bytes().zip(1..);
            let newlines = newlines.filter(|(byte, _)| *byte == b'\n');
            let later = newlines.map(|(_, next)| next);
            std::iter::once(0).chain(later).collect()
        })
    }

    /// The path that reports show.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text; byte offsets in it are offsets in the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of bytes of the file that are not UTF-8; they are decoded to `?`.
    #[must_use]
    pub fn invalid_bytes(&self) -> usize {
        self.invalid_bytes
    }

    /// The number of lines; text after the last line break counts as a line, even if it is empty.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.line_starts().len()
    }

    /// The text of a line (counted from 1) without its line break; empty if there is no such line.
    #[must_use]
    pub fn line(&self, line: u32) -> &str {
        let idx = (line as usize).wrapping_sub(1);
        let starts = self.line_starts();
        let Some(&start) = starts.get(idx) else {
            return "";
        };
        let end = starts
            .get(idx + 1)
            .map_or(self.text.len(), |&next| next as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// The position of a byte offset; an offset past the end counts as the end.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let starts = self.line_starts();
        let line_idx = starts.partition_point(|&start| start <= offset) - 1;
        let start = starts[line_idx] as usize;
        let end = (offset as usize).clamp(start, self.text.len());
        let before = &self.text.as_bytes()[start..end];
        let is_first_byte = |byte: &&u8| (**byte & 0xC0) != 0x80;
        let column = before.iter().filter(is_first_byte).count() + 1;
        Position {
            line: u32::try_from(line_idx + 1).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }
}

/// Decodes bytes as UTF-8; each byte that is not part of a valid character becomes `?`.
fn decode(bytes: Vec<u8>) -> (String, usize) {
    let mut bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, 0),
        Err(error) => error.into_bytes(),
    };
    let mut invalid = 0;
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&bytes[from..]) {
        let bad = from + error.valid_up_to();
        let length = error.error_len().unwrap_or(bytes.len() - bad);
        bytes[bad..bad + length].fill(b'?');
        invalid += length;
        from = bad + length;
    }
    (String::from_utf8_lossy(&bytes).into_owned(), invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", "aé\nx".into()).unwrap();
        let at = |offset| sources.file(file).position(offset);
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(3), Position { line: 1, column: 3 });
        assert_eq!(at(4), Position { line: 2, column: 1 });
        assert_eq!(at(99), Position { line: 2, column: 2 });
        assert_eq!(sources.file(file).line(2), "x");
        assert_eq!(sources.file(file).line(3), "");
    }

    #[test]
    fn bytes_that_are_no_text_keep_their_place() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.c", b"a\xffb\xe2\x82c".to_vec()).unwrap();
        assert_eq!(sources.file(file).text(), "a?b??c");
        assert_eq!(sources.file(file).invalid_bytes(), 3);
    }
}
