//! What a run leaves for the next one over the same paths.

use super::around::{Around, Digest, Surroundings};
use super::look::{Before, Looked};
use super::rows::{Bytes, KeptRow};
use super::texts::{TextRecord, Texts};
use crate::run::selection::Opened;
use premiss_analyze::{ProgramMemory, parallel};
use premiss_source::SourceMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a run leaves.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Earlier {
    pub(super) around: Around,
    /// Of all files that were read.
    texts: Vec<TextRecord>,
    /// What is remembered of the files of each language, read beside the rows.
    programs: Bytes,
    rows: Vec<KeptRow>,
}

impl Earlier {
    /// Of a run over files with these texts.
    pub(super) fn of(
        around: Around,
        texts: Vec<TextRecord>,
        programs: &[ProgramMemory],
        rows: Vec<KeptRow>,
    ) -> Option<Self> {
        Some(Self {
            around,
            texts,
            programs: Bytes::of(&programs)?,
            rows,
        })
    }

    /// What was left of the files that are open, of which digests are given; what they say; and the rows of those of which
    /// all is where it was. `now` is what came to them.
    pub(super) fn before(
        self,
        contents: (&SourceMap, &[Digest]),
        opened: &Opened,
        now: Surroundings,
    ) -> (Texts, Before, BTreeMap<u32, KeptRow>) {
        let (texts, places) = Texts::after(contents, opened, &now.texts, self.texts);
        let (programs, looked) = parallel::join(
            || self.programs.read().unwrap_or_default(),
            || parallel::map(&self.rows, |row| row.looked(&places)),
        );
        let mut rows: BTreeMap<u32, Looked> = BTreeMap::new();
        let mut kept = BTreeMap::new();
        for (row, looked) in self.rows.into_iter().zip(looked) {
            let Some((looked, is_moved)) = looked else {
                continue;
            };
            rows.insert(row.file(), looked);
            if !is_moved {
                kept.insert(row.file(), row);
            }
        }
        let before = Before::new(&texts, now, opened, programs, rows);
        (texts, before, kept)
    }
}

/// The rows of files; those that are `unchanged` are as an earlier run left them, where it did.
pub(super) fn kept_rows(
    rows: &[Looked],
    before: &BTreeMap<u32, KeptRow>,
    unchanged: &BTreeSet<u32>,
) -> Option<Vec<KeptRow>> {
    let row = |looked: &Looked| {
        let file = looked.row.file.as_u32();
        let known = before.get(&file).filter(|_| unchanged.contains(&file));
        known.cloned().or_else(|| KeptRow::of(looked))
    };
    parallel::map(rows, row).into_iter().collect()
}
