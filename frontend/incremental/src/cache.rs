//! The records of the previous run and of this one.

use crate::records::{ProgramRecord, SummaryRecord};
use premiss_source::{FileId, Outline, SourceMap};
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

/// The records of the previous run, and those that this one adds.
#[derive(Debug, Default)]
pub struct IncrementalCache {
    /// A fingerprint of the contents of each of the first files, independent of positions.
    texts: Vec<u64>,
    /// The numbers of the first files whose results of the previous run are lost.
    lost: BTreeSet<u32>,
    /// The numbers of the first files whose contents changed.
    changed: BTreeSet<u32>,
    /// The numbers of the first files that are equal byte for byte.
    identical: BTreeSet<u32>,
    /// The files that the first files included in the previous run, in order, with their current contents.
    included: Vec<PathAndBytes>,
    /// The paths looked up in the previous run where something else or nothing is now; `None` if unknown.
    moved_paths: Option<BTreeSet<String>>,
    earlier: Vec<ProgramRecord>,
    new: Mutex<Vec<ProgramRecord>>,
}

/// A path with the contents of its file.
pub type PathAndBytes = (String, Vec<u8>);

impl IncrementalCache {
    /// The cache of a run whose first files have the fingerprints `texts`, with the records `earlier` of the previous
    /// run. `lost` has the numbers of files whose earlier results are no longer available.
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

    /// States that the first files with the numbers in `files` are equal byte for byte to those of the previous run.
    #[must_use]
    pub fn with_identical_texts(self, files: BTreeSet<u32>) -> Self {
        Self {
            identical: files,
            ..self
        }
    }

    /// States what is known about the files of the previous run: the numbers of the first files that `changed`, the
    /// files `included` in that run with their current contents, and the paths that were looked up in that run and
    /// where something else or nothing is now (`moved_paths`).
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

    /// The texts that the files of one language include beyond those already in `sources`, in order. `None` unless no
    /// file has to be read: contents and results of lookups are unchanged, and the results of the previous run are
    /// available.
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
        // Spans identify texts by their numbers.
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

    /// The unit summaries of the files of a program, one per file, in order; `None` if there is no record or the set
    /// of texts differs. Whether a summary is still valid is checked by [`Self::is_valid`].
    #[must_use]
    pub fn summaries(&self, sources: &SourceMap, files: &[FileId]) -> Option<&[SummaryRecord]> {
        let earlier = self.earlier(files.first()?.as_u32())?;
        let all_are_text = sources.files().all(|(_, file)| file.invalid_bytes() == 0);
        let is_same = all_are_text && earlier.paths == Self::paths(sources);
        is_same.then_some(&earlier.summaries)
    }

    /// What the front end kept of each of the files, in order; empty for files that are not equal byte for byte.
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

    /// Whether a unit summary is still valid: the fingerprints of the file's contents and of the other inputs of its
    /// translation are unchanged.
    #[must_use]
    pub fn is_valid(&self, record: &SummaryRecord, file: FileId, translation: u64) -> bool {
        let text = self.texts.get(file.as_u32() as usize);
        text == Some(&record.text) && record.translation == translation
    }

    /// A fingerprint of the paths of all texts, as spans identify texts by their numbers.
    pub(crate) fn paths(sources: &SourceMap) -> u64 {
        let mut hasher = FxHasher::default();
        let paths = sources.files().map(|(_, file)| file.path());
        paths.for_each(|path| path.hash(&mut hasher));
        hasher.finish()
    }

    /// Records the paths looked up while the files of one language were read; `first` is the first of these files.
    /// Without a record of them, this has no effect.
    pub fn record_lookups(&self, first: FileId, paths: BTreeSet<String>) {
        let mut records = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        let mut programs = records.iter_mut();
        if let Some(program) = programs.find(|program| program.first == first.as_u32()) {
            program.looked_up_paths = paths;
        }
    }

    /// Copies the record of the previous run for a program that need not be read; `first` is its first file.
    pub fn carry_over(&self, first: FileId) {
        self.earlier(first.as_u32())
            .cloned()
            .into_iter()
            .for_each(|program| self.store(program));
    }

    /// The records of this run, one per program.
    #[must_use]
    pub fn into_records(self) -> Vec<ProgramRecord> {
        self.new
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A fingerprint of the contents of a file, independent of positions.
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

    /// The record of the previous run for the program with this first file.
    pub(crate) fn earlier(&self, first: u32) -> Option<&ProgramRecord> {
        self.earlier.iter().find(|program| program.first == first)
    }

    pub(crate) fn store(&self, program: ProgramRecord) {
        let mut records = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        records.push(program);
    }
}
