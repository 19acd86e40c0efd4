//! What earlier runs left, and what this one leaves.

use crate::records::{ProgramRecord, SummaryRecord};
use premiss_source::{FileId, Outline, SourceMap};
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

/// The records of the run before, and those of this one.
#[derive(Debug, Default)]
pub struct IncrementalCache {
    /// A fingerprint of what each of the first files says, wherever it stands there.
    texts: Vec<u64>,
    /// The numbers of those of them whose results of the run before are lost.
    lost: BTreeSet<u32>,
    /// The numbers of those that say something else than then.
    changed: BTreeSet<u32>,
    /// The numbers of those whose texts are the same in every byte.
    identical: BTreeSet<u32>,
    /// The texts that the first files included then, in order, as they are now.
    included: Vec<PathAndBytes>,
    /// The paths that were looked up then where something else is now; nothing where that cannot be told.
    moved_paths: Option<BTreeSet<String>>,
    earlier: Vec<ProgramRecord>,
    new: Mutex<Vec<ProgramRecord>>,
}

/// The path of a text, and what is there.
pub type PathAndBytes = (String, Vec<u8>);

impl IncrementalCache {
    /// For a run whose first texts are files with these fingerprints, with the records of the run before. The results
    /// of files that are `lost` are not there any more.
    #[must_use]
    pub fn new(texts: Vec<u64>, earlier: Vec<ProgramRecord>, lost: BTreeSet<u32>) -> Self {
        Self {
            texts,
            lost,
            changed: BTreeSet::new(),
            identical: BTreeSet::new(),
            included: Vec::new(),
            moved_paths: None,
            earlier,
            new: Mutex::default(),
        }
    }

    /// The same where the texts of the first files with the numbers in `files` are as they were in the run before, in
    /// every byte.
    #[must_use]
    pub fn with_identical_texts(self, files: BTreeSet<u32>) -> Self {
        Self {
            identical: files,
            ..self
        }
    }

    /// The same where the first files included these texts in the run before, as they are now. Of the first files, those
    /// with the numbers in `changed` say something else; of all paths that were looked up, something else is at those
    /// in `moved_paths`, or nothing is any more.
    #[must_use]
    pub fn with_included_texts(
        mut self,
        changed: BTreeSet<u32>,
        included: Vec<PathAndBytes>,
        moved_paths: BTreeSet<String>,
    ) -> Self {
        self.changed = changed;
        self.included = included;
        self.moved_paths = Some(moved_paths);
        self
    }

    /// The texts that files of one language come with, all of them in order, where no file has to be read: each says
    /// what it said, and the results of the run before are there.
    pub fn texts_of_unchanged(
        &self,
        sources: &SourceMap,
        files: &[FileId],
    ) -> Option<&[PathAndBytes]> {
        let earlier = self.earlier(files.first()?.as_u32())?;
        let is_same = |file: &FileId| {
            let number = file.as_u32();
            !self.changed.contains(&number) && !self.lost.contains(&number)
        };
        let all_are_text = sources.files().all(|(_, file)| file.invalid_bytes() == 0);
        if !all_are_text || !files.iter().all(is_same) {
            return None;
        }
        if !self
            .moved_paths
            .as_ref()?
            .is_disjoint(&earlier.looked_up_paths)
        {
            return None;
        }
        // Places name texts by their numbers.
        let n_first = self.texts.len();
        let included = &self.included;
        let here = sources.files().count().checked_sub(n_first)?;
        let added = sources.files().skip(n_first).zip(included);
        let mut added = added.map(|((_, file), (path, _))| file.path() == path);
        if included.len() < here || !added.all(|is_same| is_same) {
            return None;
        }
        included.get(here..earlier.n_texts.checked_sub(n_first)?)
    }

    /// What linking had to know of each file of a program, in order. A record still holds where
    /// [`Self::is_valid`] says so.
    #[must_use]
    pub fn summaries(&self, sources: &SourceMap, files: &[FileId]) -> Option<&[SummaryRecord]> {
        let earlier = self.earlier(files.first()?.as_u32())?;
        let all_are_text = sources.files().all(|(_, file)| file.invalid_bytes() == 0);
        let is_same = all_are_text && earlier.paths == Self::paths(sources);
        is_same.then_some(&earlier.summaries)
    }

    /// What their front end left of the files of a program, in order; nothing of those that are not as they were.
    #[must_use]
    pub fn frontend_summaries(&self, files: &[FileId]) -> Vec<&[u8]> {
        let first = files.first().map(|file| file.as_u32());
        let earlier = first.and_then(|first| self.earlier(first));
        let summaries = earlier.map_or(&[][..], |earlier| &earlier.summaries);
        let of_file = |(idx, file): (usize, &FileId)| {
            let is_identical = self.identical.contains(&file.as_u32());
            let summary = summaries.get(idx).filter(|_| is_identical);
            summary.map_or(&[][..], |summary| &summary.frontend_summary)
        };
        files.iter().enumerate().map(of_file).collect()
    }

    /// Whether what linking had to know of a file still holds: it says what it said, and what else its translation
    /// depends on has the same fingerprint.
    #[must_use]
    pub fn is_valid(&self, record: &SummaryRecord, file: FileId, translation: u64) -> bool {
        let text = self.texts.get(file.as_u32() as usize);
        text == Some(&record.text) && record.translation == translation
    }

    /// A fingerprint of the paths of all texts: places name texts by their numbers.
    pub(crate) fn paths(sources: &SourceMap) -> u64 {
        let mut hasher = FxHasher::default();
        let paths = sources.files().map(|(_, file)| file.path());
        paths.for_each(|path| path.hash(&mut hasher));
        hasher.finish()
    }

    /// Records the paths that were looked up while the files of one language were read, the first of which is given.
    pub fn record_lookups(&self, first: FileId, paths: BTreeSet<String>) {
        let mut records = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        let mut programs = records.iter_mut();
        if let Some(program) = programs.find(|program| program.first == first.as_u32()) {
            program.looked_up_paths = paths;
        }
    }

    /// Keeps the record of files that need not be read, the first of which is given.
    pub fn carry_over(&self, first: FileId) {
        self.earlier(first.as_u32())
            .cloned()
            .into_iter()
            .for_each(|program| self.store(program));
    }

    /// The records of this run.
    #[must_use]
    pub fn into_records(self) -> Vec<ProgramRecord> {
        self.new
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A fingerprint of what a file says, wherever that stands.
    pub(crate) fn text_fingerprint(&self, sources: &SourceMap, file: FileId) -> u64 {
        let fingerprint = self.texts.get(file.as_u32() as usize).copied();
        fingerprint.unwrap_or_else(|| {
            let file = sources.file(file);
            let mut hasher = FxHasher::default();
            let outline = Outline::of(file.path(), file.text());
            outline.digest(file.text(), &mut hasher);
            hasher.finish()
        })
    }

    pub(crate) fn is_lost(&self, file: FileId) -> bool {
        self.lost.contains(&file.as_u32())
    }

    /// The record of the run before of files, the first of which is given.
    pub(crate) fn earlier(&self, first: u32) -> Option<&ProgramRecord> {
        self.earlier.iter().find(|program| program.first == first)
    }

    pub(crate) fn store(&self, program: ProgramRecord) {
        let mut records = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        records.push(program);
    }
}
