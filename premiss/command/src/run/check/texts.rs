//! What the files of a run say, and where it stands now that some were edited.
//!
//! ```text
//! before    C  one            now   C  one, two           the same is said, two lines further down: what was
//!                                   C  three              found about it is found there
//!           X = A(I)                X = A(I)
//! ```
//!
//! Where a file says something else, what stands before the first line that is another is still where it was.

use super::around::{Digest, digest};
use crate::run::selection::Opened;
use premiss_analyze::Text;
use premiss_source::{FileId, Outline, OutlineLine, SourceFile, SourceMap, Span};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The files that are open, in order.
pub(super) struct Texts {
    /// As they are kept: what is as it was needs no other form.
    all: Vec<TextRecord>,
    /// The numbers of those of which it is not known that they say what they said.
    changed: BTreeSet<u32>,
    /// The numbers of those that are the same in every byte.
    untouched: BTreeSet<u32>,
}

/// What a file says, in the form in which it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct TextRecord {
    /// A digest of all of it.
    whole: u64,
    /// A digest of what it says.
    meaning: u64,
    /// How many lines and bytes are left out before each line, and how many bytes it has.
    lines: Vec<(u32, u32, u32)>,
    /// A digest of each line, all lines counted; none where nothing that was found about other files is in it.
    each: Vec<u32>,
}

/// Where places in the files of an earlier run are now.
pub(super) struct Places {
    n_files: usize,
    /// By number; a file that is not here is as it was.
    files: BTreeMap<u32, Moved>,
    /// The numbers of these by path.
    numbers: BTreeMap<String, u32>,
    n_followed: u32,
}

/// What of a file is as it was.
enum Same {
    Bytes,
    /// What it says.
    Meaning,
    Nothing,
}

/// A file that was edited.
enum Moved {
    /// It says what it said.
    Outlines { from: Outline, to: Outline },
    /// It says what it said in so many bytes from its start, which are so many lines.
    Beginning { bytes: u32, lines: u32 },
}

impl Texts {
    /// The texts of files that are open, with where what they said before is now, and what those said that came to
    /// them, which are `further` now.
    pub(super) fn after(
        (sources, contents): (&SourceMap, &[Digest]),
        opened: &Opened,
        further: &[Text],
        before: Vec<TextRecord>,
    ) -> (Self, Places) {
        let mut places = Places::unmoved(before.len());
        let mut before = before.into_iter();
        let mut texts = Vec::new();
        let (mut changed, mut untouched) = (BTreeSet::new(), BTreeSet::new());
        for ((file, _), content) in opened.files.iter().zip(contents) {
            let file = sources.file(*file);
            let text = (file.path(), file.text());
            let number = places.n_followed;
            let (text, same) = places.follow(before.next(), text, whole(content));
            match same {
                Same::Bytes => untouched.insert(number),
                Same::Meaning => false,
                Same::Nothing => changed.insert(number),
            };
            texts.push(text);
        }
        for (path, bytes) in further {
            let text = String::from_utf8_lossy(bytes);
            let whole = whole(&digest(text.as_bytes()));
            places.follow(before.next(), (path, &text), whole);
        }
        let texts = Self {
            all: texts,
            changed,
            untouched,
        };
        (texts, places)
    }

    /// Digests of what they say.
    pub(super) fn meanings(&self) -> Vec<u64> {
        self.all.iter().map(|text| text.meaning).collect()
    }

    /// The numbers of those of which it is not known that they say what they said.
    pub(super) fn changed(&self) -> &BTreeSet<u32> {
        &self.changed
    }

    /// The numbers of those that are the same in every byte.
    pub(super) fn untouched(&self) -> &BTreeSet<u32> {
        &self.untouched
    }

    /// The records of these and of the files that came to them. Something that was found about others is in the files
    /// with the numbers in `places`.
    pub(super) fn into_records(
        self,
        sources: &SourceMap,
        places: &BTreeSet<u32>,
    ) -> Vec<TextRecord> {
        let mut known = self.all.into_iter();
        let record = |(id, file): (FileId, &SourceFile)| {
            let (path, text) = (file.path(), file.text());
            let mut record = known.next().unwrap_or_else(|| {
                let whole = whole(&digest(text.as_bytes()));
                TextRecord::of(whole, text, &Outline::of(path, text))
            });
            record.each = match places.contains(&id.as_u32()) {
                true => lines(text).map(|(_, line)| line).collect(),
                false => Vec::new(),
            };
            record
        };
        sources.files().map(record).collect()
    }
}

/// The offset just past each line of a text, with a digest of the line.
fn lines(text: &str) -> impl Iterator<Item = (usize, u32)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        let mut hasher = FxHasher::default();
        line.hash(&mut hasher);
        // The upper half is the better one.
        u32::try_from(hasher.finish() >> u32::BITS)
            .ok()
            .map(|digest| (*end, digest))
    })
}

/// As much of a digest as tells texts apart.
fn whole(content: &Digest) -> u64 {
    content
        .iter()
        .rev()
        .take(8)
        .fold(0, |whole, byte| whole << 8 | u64::from(*byte))
}

impl TextRecord {
    fn of(whole: u64, text: &str, outline: &Outline) -> Self {
        let mut meaning = DefaultHasher::new();
        outline.digest(text, &mut meaning);
        let mut last = (0, 0);
        let line = |line: &OutlineLine| {
            let between = (line.number - last.0, line.start - last.1);
            last = (line.number, line.end);
            (between.0, between.1, line.end - line.start)
        };
        Self {
            whole,
            meaning: meaning.finish(),
            lines: outline.lines().iter().map(line).collect(),
            each: Vec::new(),
        }
    }

    /// How much a text has in common with it, from the start on.
    fn beginning(&self, text: &str) -> Moved {
        let same = lines(text).zip(&self.each);
        let same = same.take_while(|((_, line), known)| line == *known);
        let ends = same.map(|((end, _), _)| end);
        let (lines, bytes) = ends.fold((0, 0), |(lines, _), end| (lines + 1, end));
        Moved::Beginning {
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

impl Places {
    /// Files that are as they were, so many of them.
    pub(super) fn unmoved(n_files: usize) -> Self {
        Self {
            n_files,
            files: BTreeMap::new(),
            numbers: BTreeMap::new(),
            n_followed: 0,
        }
    }

    /// Follows the next file, which is now what is given, with a digest of its text; what that says, and what of it
    /// is as it was.
    fn follow(
        &mut self,
        before: Option<TextRecord>,
        (path, text): (&str, &str),
        whole: u64,
    ) -> (TextRecord, Same) {
        let number = self.n_followed;
        self.n_followed += 1;
        let mut before = before;
        if let Some(same) = before.take_if(|before| before.whole == whole) {
            return (same, Same::Bytes);
        }
        let outline = Outline::of(path, text);
        let now = TextRecord::of(whole, text, &outline);
        let Some(before) = before else {
            return (now, Same::Nothing);
        };
        let (same, moved) = match before.meaning == now.meaning {
            true => {
                let from = before.outline();
                (Same::Meaning, Moved::Outlines { from, to: outline })
            }
            false => (Same::Nothing, before.beginning(text)),
        };
        self.files.insert(number, moved);
        self.numbers.insert(path.to_owned(), number);
        (now, same)
    }

    /// The file of a number, if there is one.
    pub(super) fn file(&self, number: u32) -> Option<FileId> {
        let is_there = usize::try_from(number).is_ok_and(|number| number < self.n_files);
        is_there.then(|| FileId::from_u32(number))
    }

    /// Where the bytes of a file are now; nothing where that cannot be told.
    pub(super) fn span(&self, file: u32, start: u32, end: u32) -> Option<Span> {
        let id = self.file(file)?;
        let Some(moved) = self.files.get(&file) else {
            return Some(Span {
                file: id,
                start,
                end,
            });
        };
        // The start of a file stands for what has no place in it, too.
        let has_place = 0 < end;
        Some(Span {
            file: id,
            start: moved.place(start).filter(|_| has_place)?,
            end: moved.place(end)?,
        })
    }

    /// Which line of a file a line is now; nothing where that cannot be told.
    pub(super) fn line(&self, path: &str, line: u32) -> Option<u32> {
        let number = self.numbers.get(path);
        match number.and_then(|number| self.files.get(number)) {
            None => Some(line),
            Some(moved) => moved.line(line),
        }
    }
}

impl Moved {
    /// Where a byte of the earlier text stands now.
    fn place(&self, at: u32) -> Option<u32> {
        let (from, to) = match self {
            Self::Outlines { from, to } => (from, to),
            Self::Beginning { bytes, .. } => return (at <= *bytes).then_some(at),
        };
        let n_before = from.lines().partition_point(|line| line.start <= at);
        let idx = n_before.checked_sub(1)?;
        let (old, new) = (from.lines().get(idx)?, to.lines().get(idx)?);
        (at <= old.end).then(|| new.start + (at - old.start))
    }

    /// Which line an earlier line is now.
    fn line(&self, number: u32) -> Option<u32> {
        let (from, to) = match self {
            Self::Outlines { from, to } => (from, to),
            Self::Beginning { lines, .. } => return (number <= *lines).then_some(number),
        };
        let lines = from.lines();
        let idx = lines.binary_search_by_key(&number, |line| line.number);
        Some(to.lines().get(idx.ok()?)?.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, places: &[(u32, Option<u32>)]) {
        let [from, to] = [before, after].map(|text| Outline::of("a.f", text));
        let moved = Moved::Outlines { from, to };
        for (at, now) in places {
            assert_eq!(moved.place(*at), *now, "{at} of {before:?} in {after:?}");
        }
    }

    #[test]
    fn places_move_with_their_lines() {
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
        let moved = Moved::Outlines { from, to };
        assert_eq!((moved.line(1), moved.line(2)), (Some(2), None));
    }

    #[test]
    fn what_stands_before_an_edit_stays() {
        let before = "one\ntwo\nthree\n";
        let mut record = TextRecord::of(0, before, &Outline::default());
        record.each = lines(before).map(|(_, line)| line).collect();
        for (after, n_bytes, n_lines) in [
            ("one\n2\nthree\n", 4, 1),
            ("0\none\ntwo\nthree\n", 0, 0),
            ("one\ntwo\nthree\nfour", 14, 3),
            ("one\ntwo", 4, 1),
            ("", 0, 0),
        ] {
            let moved = record.beginning(after);
            for (at, line) in [(0, 1), (4, 2), (5, 2), (8, 3), (14, 4)] {
                assert_eq!(moved.place(at), (at <= n_bytes).then_some(at), "{after:?}");
                assert_eq!(moved.line(line), (line <= n_lines).then_some(line));
            }
        }
    }
}
