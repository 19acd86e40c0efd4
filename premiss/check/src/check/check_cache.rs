//! The results of earlier checks, reused if nothing that they depend on has changed.
//!
//! ```text
//! key      the program, the options and the machine, each file with its path and content
//! entry    the included files with digests of their contents, those that were looked for and are not there, and
//!          the result of each file
//! ```
//!
//! If an entry is not valid, the files that have the same meaning as in the last run over these paths are not analyzed
//! again (`premiss_incremental` decides which, from the records in its `IncrementalCache`):
//!
//! ```text
//! key      the program, the options and the machine, the paths of all files
//! entry    what each file depended on while it was lowered, and its result
//! ```
//!
//! An entry is valid if no included file has changed ([`IncludeDependencies`]). Results depend on nothing else: no
//! clock, no location of the folder, no order of threads. So the output is the same as without a cache.

use super::analyze_file::{AnalysisOptions, CheckResult, FileResult, analyze_files, merge_results};
use super::cached_result::CachedResult;
use super::include_deps::{Digest, IncludeDependencies, digest};
use super::previous_run::{RunRecord, cached_results};
use super::span_map::SpanMap;
use crate::error::CheckError;
use crate::open::OpenedFiles;
use premiss_analyze::{CacheKey, DiskCache, MeasureOptions, PathAndBytes, ReadOptions, parallel};
use premiss_source::{Files, ObservedFiles, SourceMap};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// The version of the program, with a digest of its sources.
pub(super) const PROGRAM: (&str, &str) = (env!("CARGO_PKG_VERSION"), env!("PREMISS_PROGRAM"));

/// The results of a whole run in the cache.
#[derive(Serialize, Deserialize)]
struct CacheEntry {
    includes: IncludeDependencies,
    results: Vec<CachedResult>,
}

/// Cache entries that are being written in the background; dropping it waits for them.
#[derive(Default)]
pub struct CacheWriter(Vec<JoinHandle<()>>);

impl CacheWriter {
    fn write<T: Serialize>(
        &mut self,
        store: &Arc<DiskCache>,
        key: CacheKey,
        entry: impl FnOnce() -> Option<T> + Send + 'static,
    ) {
        let store = store.clone();
        let write = move || {
            let bytes = entry().and_then(|entry| postcard::to_stdvec(&entry).ok());
            if let Some(bytes) = bytes {
                store.put(key, &bytes);
            }
        };
        // If no thread can be started, the entry is not written.
        self.0.extend(thread::Builder::new().spawn(write));
    }
}

impl Drop for CacheWriter {
    fn drop(&mut self) {
        for writer in self.0.drain(..) {
            // A failed write leaves the cache without the entry.
            let _ = writer.join();
        }
    }
}

/// Analyzes files whose results are not in the cache.
///
/// # Errors
///
/// Those of [`analyze_files`].
pub(super) fn analyze_or_restore(
    sources: &mut SourceMap,
    opened: &OpenedFiles,
    options: AnalysisOptions<'_>,
) -> Result<(CheckResult, CacheWriter), CheckError> {
    let mut writer = CacheWriter::default();
    let AnalysisOptions {
        measuring, profile, ..
    } = options;
    let store = measuring.store.as_ref().filter(|_| profile.is_empty());
    let Some(store) = store else {
        let analyzed = analyze_files(sources, opened, options, None, options.host.files())?;
        let result = merge_results(sources, &opened.ids(), analyzed.results);
        return Ok((result, writer));
    };
    let files = options.host.files();
    let contents = parallel::map(&opened.files, |(file, _)| {
        digest(sources.file(*file).text().as_bytes())
    });
    let run_key = key(sources, opened, options, Some(&contents));
    let read = |bytes: &[u8]| restore(&postcard::from_bytes(bytes).ok()?, sources, opened, files);
    if let Some((results, included)) = store.get(run_key, read) {
        for (path, bytes) in included {
            sources.add(path, bytes);
        }
        return Ok((merge_results(sources, &opened.ids(), results), writer));
    }
    let paths_key = key(sources, opened, options, None);
    let read = |bytes: &[u8]| postcard::from_bytes::<RunRecord>(bytes).ok();
    let previous_run = store.get(paths_key, read).unwrap_or_default();
    let current = previous_run.includes.current(opened, files);
    let mut included = previous_run.includes.unchanged(&current);
    let nearby = current.nearby.clone();
    let (texts, previous, unmoved) = previous_run.restore((sources, &contents), opened, current);
    let observed = ObservedFiles::new(files, |path: &str, bytes: Option<&[u8]>| {
        included.insert(path.to_owned(), bytes.map(digest));
    });
    let analyzed = analyze_files(sources, opened, options, Some(previous), &observed)?;
    // Files that were not read did not look for their included files: these are known from the earlier run.
    let includes = IncludeDependencies::new(sources, opened, included, nearby);
    if let Some(results) = cached_results(&analyzed.results, &unmoved, &analyzed.reused) {
        if !analyzed.programs.is_empty() {
            let referenced = results.iter().flat_map(CachedResult::references).copied();
            let texts = texts.into_records(sources, &referenced.collect());
            let (includes, results) = (includes.clone(), results.clone());
            let programs = analyzed.programs;
            let record = move || RunRecord::new(includes, texts, &programs, results);
            writer.write(store, paths_key, record);
        }
        writer.write(store, run_key, move || {
            Some(CacheEntry { includes, results })
        });
    }
    let result = merge_results(sources, &opened.ids(), analyzed.results);
    Ok((result, writer))
}

/// A digest of all inputs of the results except included files; without digests of the contents of files, the key of
/// all runs over the same paths.
fn key(
    sources: &SourceMap,
    opened: &OpenedFiles,
    analysis: AnalysisOptions<'_>,
    contents: Option<&[Digest]>,
) -> CacheKey {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&bytes.len().to_le_bytes());
        hasher.update(bytes);
    };
    let options = MeasureOptions {
        store: None,
        ..analysis.measuring.clone()
    };
    // What must not be read is told in another way than what is not there.
    let is_confined = analysis.host.is_confined();
    // The debug form of options contains all of their fields.
    let has_contents = contents.is_some();
    part(format!("check {PROGRAM:?} {has_contents} {is_confined} {options:?}").as_bytes());
    part(debug_form(&opened.options).as_bytes());
    let mut contents = contents.into_iter().flatten();
    for (file, options) in &opened.files {
        let file = sources.file(*file);
        part(file.path().as_bytes());
        part(debug_form(options).as_bytes());
        if let Some(content) = contents.next() {
            part(&file.invalid_bytes().to_le_bytes());
            part(content);
        }
    }
    hasher.finalize()
}

/// All options except the files nearby: which of these matter is known once headers are looked for.
pub(super) fn debug_form(options: &ReadOptions) -> String {
    let rest = options.with_nearby(Arc::default());
    format!("{rest:?}")
}

/// The results of an entry, with the included files to add, if no file has changed.
fn restore(
    entry: &CacheEntry,
    sources: &SourceMap,
    opened: &OpenedFiles,
    files: &dyn Files,
) -> Option<(Vec<FileResult>, Vec<PathAndBytes>)> {
    let current = entry.includes.current(opened, files);
    let texts = current.is_unchanged().then_some(current.texts)?;
    let spans = SpanMap::identity(sources.files().count() + texts.len());
    let results = parallel::map(&entry.results, |cached| Some(cached.decode(&spans)?.0));
    Some((results.into_iter().collect::<Option<_>>()?, texts))
}
