//! What a check found, kept until something that it depends on is another.
//!
//! ```text
//! key      the program, what is asked (options, machine), each file with its path and content
//! entry    included files with their contents, those that were looked for and are not there, and what
//!          each file has
//! ```
//!
//! Where an entry does not count, files that come to the same as in the last run over these paths are not looked at
//! again (`premiss_incremental::IncrementalCache` tells which):
//!
//! ```text
//! key      the program, what is asked, the paths of all files
//! entry    what each file asked for while it was lowered, and what it has
//! ```
//!
//! An entry counts where every included file is as it was ([`Around`]). What is found depends on nothing else: no clock,
//! no place of the folder, no order of threads. So what is printed is the same as if it were looked for anew.

use super::around::{Around, Digest, digest};
use super::earlier::{Earlier, kept_rows};
use super::look::{Found, Looked, Question, found, look};
use super::rows::KeptRow;
use super::texts::Places;
use crate::failure::Failure;
use crate::run::selection::Opened;
use premiss_analyze::{CacheKey, DiskCache, MeasureOptions, ReadOptions, Text, parallel};
use premiss_source::{FileSystem, ObservedFiles, SourceMap};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// The program that finds.
pub(super) const PROGRAM: (&str, &str) = (env!("CARGO_PKG_VERSION"), env!("PREMISS_PROGRAM"));

/// What a file of the store says of a whole run.
#[derive(Serialize, Deserialize)]
struct Entry {
    around: Around,
    rows: Vec<KeptRow>,
}

/// What is written to the store while something else is done; dropping it waits for that.
#[derive(Default)]
pub(crate) struct Keeping(Vec<JoinHandle<()>>);

impl Keeping {
    fn keep<T: Serialize>(
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
        // Where the system gives no thread, there is nothing in the store.
        self.0.extend(thread::Builder::new().spawn(write));
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        for writer in self.0.drain(..) {
            // What goes wrong with a store is the same as nothing being there.
            let _ = writer.join();
        }
    }
}

/// Looks at files, unless that was done before.
///
/// # Errors
///
/// Those of [`look`].
pub(super) fn look_or_recall(
    sources: &mut SourceMap,
    opened: &Opened,
    question: Question<'_>,
) -> Result<(Found, Keeping), Failure> {
    let mut keeping = Keeping::default();
    let Question {
        measuring, profile, ..
    } = question;
    let store = measuring.store.as_ref().filter(|_| profile.is_empty());
    let Some(store) = store else {
        let after = look(sources, opened, question, None, &FileSystem)?;
        return Ok((found(sources, &opened.mains(), after.rows), keeping));
    };
    let contents = parallel::map(&opened.files, |(file, _)| {
        digest(sources.file(*file).text().as_bytes())
    });
    let key = key(sources, opened, measuring, Some(&contents));
    let read = |bytes: &[u8]| recalled(&postcard::from_bytes(bytes).ok()?, sources, opened);
    if let Some((rows, further)) = store.get(key, read) {
        for (path, bytes) in further {
            sources.add(path, bytes);
        }
        return Ok((found(sources, &opened.mains(), rows), keeping));
    }
    let of_paths = self::key(sources, opened, measuring, None);
    let read = |bytes: &[u8]| postcard::from_bytes::<Earlier>(bytes).ok();
    let earlier = store.get(of_paths, read).unwrap_or_default();
    let now = earlier.around.now(opened);
    let mut included = earlier.around.unmoved(&now);
    let nearby = now.nearby.clone();
    let (texts, before, rows_before) = earlier.before((sources, &contents), opened, now);
    let observed = ObservedFiles::new(&FileSystem, |path: &str, bytes: Option<&[u8]>| {
        included.insert(path.to_owned(), bytes.map(digest));
    });
    let after = look(sources, opened, question, Some(before), &observed)?;
    drop(observed);
    // Who did not read files did not ask for what they ask for.
    let around = Around::of(sources, opened, included, nearby);
    if let Some(rows) = kept_rows(&after.rows, &rows_before, &after.known) {
        if !after.programs.is_empty() {
            let elsewhere = rows.iter().flat_map(KeptRow::elsewhere).copied();
            let texts = texts.into_records(sources, &elsewhere.collect());
            let (around, rows, programs) = (around.clone(), rows.clone(), after.programs);
            let earlier = move || Earlier::of(around, texts, &programs, rows);
            keeping.keep(store, of_paths, earlier);
        }
        keeping.keep(store, key, move || Some(Entry { around, rows }));
    }
    Ok((found(sources, &opened.mains(), after.rows), keeping))
}

/// What decides what is found, included files aside; without digests of the contents of files, that of runs over the same
/// paths.
fn key(
    sources: &SourceMap,
    opened: &Opened,
    measuring: &MeasureOptions,
    contents: Option<&[Digest]>,
) -> CacheKey {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&bytes.len().to_le_bytes());
        hasher.update(bytes);
    };
    let asked = MeasureOptions {
        store: None,
        ..measuring.clone()
    };
    // All that options say is in what they print as.
    let has_contents = contents.is_some();
    part(format!("check {PROGRAM:?} {has_contents} {asked:?}").as_bytes());
    part(shown(&opened.own).as_bytes());
    let mut contents = contents.into_iter().flatten();
    for (file, options) in &opened.files {
        let file = sources.file(*file);
        part(file.path().as_bytes());
        part(shown(options).as_bytes());
        if let Some(content) = contents.next() {
            part(&file.invalid_bytes().to_le_bytes());
            part(content);
        }
    }
    hasher.finalize()
}

/// Options without the files nearby: what matters of these is known once they are asked.
pub(super) fn shown(options: &ReadOptions) -> String {
    let rest = options.with_nearby(Arc::default());
    format!("{rest:?}")
}

/// What files have by an entry, with the files to add, where everything is as it was.
fn recalled(
    entry: &Entry,
    sources: &SourceMap,
    opened: &Opened,
) -> Option<(Vec<Looked>, Vec<Text>)> {
    let now = entry.around.now(opened);
    let texts = now.is_same().then_some(now.texts)?;
    let places = Places::unmoved(sources.files().count() + texts.len());
    let rows = parallel::map(&entry.rows, |row| Some(row.looked(&places)?.0));
    Some((rows.into_iter().collect::<Option<_>>()?, texts))
}
