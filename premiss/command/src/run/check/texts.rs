//! What the files of a run say, and where it stands now that some were edited.
//!
//! ```text
//! before    C  one            now   C  one, two           the same is said, two lines further down: what was
//!                                   C  three              found about it is found there
//!           X = A(I)                X = A(I)
//! ```

use crate::run::selection::Opened;
use premiss_analyze::parallel;
use premiss_source::{FileId, Outline, OutlineLine, SourceMap, Span};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The files that are open, in order.
pub(super) struct Texts {
    /// As they are kept: what is as it was needs no other form.
    all: Vec<TextRecord>,
    /// The numbers of those of which it is not known that they say what they said.
    changed: BTreeSet<u32>,
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
}

/// Where places in the files of an earlier run are now.
pub(super) struct Places {
    n_files: usize,
    /// By number; a file that is not here is as it was.
    files: BTreeMap<u32, Moved>,
    /// The numbers of these by path.
    numbers: BTreeMap<String, u32>,
}

/// A file that was edited.
enum Moved {
    /// It says what it said.
    Outlines {
        from: Outline,
        to: Outline,
    },
    Lost,
}

impl Texts {
    /// The texts of files that are open, with where what they said before is now.
    pub(super) fn after(
        sources: &SourceMap,
        opened: &Opened,
        (n_files, before): (usize, Vec<TextRecord>),
    ) -> (Self, Places) {
        let mut places = Places {
            n_files,
            files: BTreeMap::new(),
            numbers: BTreeMap::new(),
        };
        let mut before = before.into_iter();
        let (mut texts, mut changed) = (Vec::new(), BTreeSet::new());
        let wholes = parallel::map(&opened.files, |(file, _)| {
            digest(|hasher| sources.file(*file).text().hash(hasher))
        });
        for ((file, _), whole) in opened.files.iter().zip(wholes) {
            let mut old = before.next();
            if let Some(same) = old.take_if(|old| old.whole == whole) {
                texts.push(same);
                continue;
            }
            let (path, text) = (sources.file(*file).path(), sources.file(*file).text());
            let outline = Outline::of(path, text);
            let new = TextRecord::of(
                whole,
                digest(|hasher| outline.digest(text, hasher)),
                &outline,
            );
            if old.as_ref().is_none_or(|old| old.meaning != new.meaning) {
                changed.insert(file.as_u32());
            }
            if let Some(old) = old {
                let moved = match old.meaning == new.meaning {
                    true => Moved::Outlines {
                        from: old.outline(),
                        to: outline,
                    },
                    false => Moved::Lost,
                };
                places.files.insert(file.as_u32(), moved);
                places.numbers.insert(path.to_owned(), file.as_u32());
            }
            texts.push(new);
        }
        let texts = Self {
            all: texts,
            changed,
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

    pub(super) fn into_records(self) -> Vec<TextRecord> {
        self.all
    }
}

fn digest(feed: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    feed(&mut hasher);
    hasher.finish()
}

impl TextRecord {
    fn of(whole: u64, meaning: u64, outline: &Outline) -> Self {
        let mut last = (0, 0);
        let line = |line: &OutlineLine| {
            let between = (line.number - last.0, line.start - last.1);
            last = (line.number, line.end);
            (between.0, between.1, line.end - line.start)
        };
        Self {
            whole,
            meaning,
            lines: outline.lines().iter().map(line).collect(),
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
        }
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
        let Self::Outlines { from, to } = self else {
            return None;
        };
        let n_before = from.lines().partition_point(|line| line.start <= at);
        let idx = n_before.checked_sub(1)?;
        let (old, new) = (from.lines().get(idx)?, to.lines().get(idx)?);
        (at <= old.end).then(|| new.start + (at - old.start))
    }

    /// Which line an earlier line is now.
    fn line(&self, number: u32) -> Option<u32> {
        let Self::Outlines { from, to } = self else {
            return None;
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
        assert_eq!(Moved::Lost.line(1), None);
    }
}
