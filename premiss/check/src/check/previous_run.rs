//! The record of a run in the cache, for the next run over the same paths.

use super::analyze_file::{FileResult, PreviousResults};
use super::cached_result::{CachedResult, EncodedBytes};
use super::file_texts::{FileTexts, TextRecord};
use super::include_deps::{CurrentIncludes, Digest, IncludeDependencies};
use crate::open::OpenedFiles;
use premiss_analyze::{ProgramRecord, parallel};
use premiss_source::SourceMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The record of a run in the cache.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct RunRecord {
    pub(super) includes: IncludeDependencies,
    /// The texts of all files that were read.
    texts: Vec<TextRecord>,
    /// The incremental state of the front end of each language, encoded so that it can be decoded in parallel with the
    /// results.
    programs: EncodedBytes,
    results: Vec<CachedResult>,
}

impl RunRecord {
    /// The record of a run over files with these texts.
    pub(super) fn new(
        includes: IncludeDependencies,
        texts: Vec<TextRecord>,
        programs: &[ProgramRecord],
        results: Vec<CachedResult>,
    ) -> Option<Self> {
        Some(Self {
            includes,
            texts,
            programs: EncodedBytes::encode(&programs)?,
            results,
        })
    }

    /// The texts of the open files, whose digests are given; the results that the run recorded for them; and the cached
    /// form of those whose spans did not move. `includes` is the current state of the included files.
    pub(super) fn restore(
        self,
        contents: (&SourceMap, &[Digest]),
        opened: &OpenedFiles,
        includes: CurrentIncludes,
    ) -> (FileTexts, PreviousResults, BTreeMap<u32, CachedResult>) {
        let (texts, spans) = FileTexts::compare(contents, opened, &includes.texts, self.texts);
        let (programs, decoded) = parallel::join(
            || self.programs.decode().unwrap_or_default(),
            || parallel::map(&self.results, |cached| cached.decode(&spans)),
        );
        let mut results: BTreeMap<u32, FileResult> = BTreeMap::new();
        let mut unmoved = BTreeMap::new();
        for (cached, decoded) in self.results.into_iter().zip(decoded) {
            let Some((result, has_moved)) = decoded else {
                continue;
            };
            results.insert(cached.file(), result);
            if !has_moved {
                unmoved.insert(cached.file(), cached);
            }
        }
        let previous = PreviousResults::new(&texts, includes, opened, programs, results);
        (texts, previous, unmoved)
    }
}

/// The cached form of results, taken from `previous` for `reused` files where it has them.
pub(super) fn cached_results(
    results: &[FileResult],
    previous: &BTreeMap<u32, CachedResult>,
    reused: &BTreeSet<u32>,
) -> Option<Vec<CachedResult>> {
    let cached = |result: &FileResult| {
        let file = result.report.file.as_u32();
        let same = previous.get(&file).filter(|_| reused.contains(&file));
        same.cloned().or_else(|| CachedResult::encode(result))
    };
    parallel::map(results, cached).into_iter().collect()
}
