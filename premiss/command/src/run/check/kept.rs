//! What a check found, kept until something that it depends on is another.
//!
//! ```text
//! key      the program, what is asked (options, machine), each file with its path and content
//! entry    included files with their contents, those that were looked for and are not there, and what
//!          was found
//! ```
//!
//! Where an entry does not count, files that come to the same as in the last run over these paths are not looked at
//! again (`premiss_imperative::Memory` tells which):
//!
//! ```text
//! key      the program, what is asked, the paths of all files
//! entry    what each file asked for while it was lowered, and what it has
//! ```
//!
//! An entry counts where every included file is as it was. What is found depends on nothing else: no clock,
//! no place of the folder, no order of threads. So what is printed is the same as if it were looked for anew.

use super::look::{Found, Load, Question, found, look};
use super::record::{BeforeRecord, FoundRecord};
use crate::failure::Failure;
use crate::input;
use crate::run::selection::Opened;
use premiss_analyze::{Key, MeasureOptions, ReadOptions, Store};
use premiss_source::SourceMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The program that finds.
pub(super) const PROGRAM: (&str, &str) = (env!("CARGO_PKG_VERSION"), env!("PREMISS_PROGRAM"));

/// What a file of the store says.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// Paths that were looked for: the digest of what was there, or nothing.
    included: BTreeMap<String, Option<[u8; 32]>>,
    /// Names by which headers were looked for anywhere below the folders, with the paths that have them.
    nearby: BTreeMap<String, Vec<String>>,
    /// The files that came to those of the command line, in order.
    further: Vec<Further>,
    found: FoundRecord,
}

/// A file that is included.
#[derive(Serialize, Deserialize)]
enum Further {
    /// One of those that were looked for.
    Loaded(String),
    /// One that comes along with the program.
    Own { path: String, text: String },
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
) -> Result<Found, Failure> {
    let Question {
        measuring, profile, ..
    } = question;
    let store = measuring.store.as_deref().filter(|_| profile.is_empty());
    let Some(store) = store else {
        let load = &mut input::load_include;
        let after = look(sources, opened, question, None, load)?;
        return Ok(found(sources, &opened.mains(), after.rows));
    };
    let key = key(sources, opened, measuring, Digested::Contents);
    let read = |bytes: &[u8]| recalled(postcard::from_bytes(bytes).ok()?, sources, opened);
    if let Some((found, further)) = store.get(key, read) {
        for (path, bytes) in further {
            sources.add(path, bytes);
        }
        return Ok(found);
    }
    let of_paths = self::key(sources, opened, measuring, Digested::Paths);
    let read = |bytes: &[u8]| postcard::from_bytes::<BeforeRecord>(bytes).ok();
    let before = store.get(of_paths, read).unwrap_or_default();
    let (texts, before) = before.before(sources, opened);
    let mut included = BTreeMap::new();
    let load: &mut Load<'_> = &mut |path| {
        let bytes = input::load_include(path);
        included.insert(path.to_owned(), bytes.as_deref().map(digest));
        bytes
    };
    let after = look(sources, opened, question, Some(before), load)?;
    if !after.programs.is_empty() {
        keep(store, of_paths, &BeforeRecord::of(sources, &texts, &after));
    }
    let found = found(sources, &opened.mains(), after.rows);
    let entry = Entry {
        further: further(sources, opened, &included),
        included,
        nearby: opened.own.nearby.asked(),
        found: FoundRecord::of(&found),
    };
    keep(store, key, &entry);
    Ok(found)
}

fn keep(store: &Store, key: Key, entry: &impl Serialize) {
    if let Ok(bytes) = postcard::to_stdvec(entry) {
        store.put(key, &bytes);
    }
}

/// What of the files is in a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Digested {
    Paths,
    Contents,
}

/// What decides what is found, included files aside.
fn key(
    sources: &SourceMap,
    opened: &Opened,
    measuring: &MeasureOptions,
    digested: Digested,
) -> Key {
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
    part(format!("check {PROGRAM:?} {digested:?} {asked:?}").as_bytes());
    part(shown(&opened.own).as_bytes());
    for (file, options) in &opened.files {
        let file = sources.file(*file);
        part(file.path().as_bytes());
        part(shown(options).as_bytes());
        if digested == Digested::Contents {
            part(&file.invalid_bytes().to_le_bytes());
            part(file.text().as_bytes());
        }
    }
    hasher.finalize()
}

/// Options without the files nearby: what matters of these is known once they are asked.
pub(super) fn shown(options: &ReadOptions) -> String {
    let rest = ReadOptions {
        nearby: Arc::default(),
        ..options.clone()
    };
    format!("{rest:?}")
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// The files that were added to those of the command line.
fn further(
    sources: &SourceMap,
    opened: &Opened,
    included: &BTreeMap<String, Option<[u8; 32]>>,
) -> Vec<Further> {
    let added = sources.files().skip(opened.files.len());
    let one = |path: &str, text: &str| match included.get(path) {
        Some(Some(_)) => Further::Loaded(path.to_owned()),
        _ => Further::Own {
            path: path.to_owned(),
            text: text.to_owned(),
        },
    };
    added
        .map(|(_, file)| one(file.path(), file.text()))
        .collect()
}

/// Paths and contents, in order.
type Files = Vec<(String, Vec<u8>)>;

/// What an entry says, with the files to add, where everything is as it was.
fn recalled(entry: Entry, sources: &SourceMap, opened: &Opened) -> Option<(Found, Files)> {
    let mut contents = BTreeMap::new();
    for (path, known) in entry.included {
        let bytes = input::load_include(&path);
        if bytes.as_deref().map(digest) != known {
            return None;
        }
        contents.insert(path, bytes.unwrap_or_default());
    }
    let nearby = &opened.own.nearby;
    let is_same = |(name, paths): (&String, &Vec<String>)| nearby.named(name) == paths.as_slice();
    if !entry.nearby.iter().all(is_same) {
        return None;
    }
    let of_one = |further| match further {
        Further::Loaded(path) => {
            let bytes = contents.get(&path)?.clone();
            Some((path, bytes))
        }
        Further::Own { path, text } => Some((path, text.into_bytes())),
    };
    let files: Files = entry
        .further
        .into_iter()
        .map(of_one)
        .collect::<Option<_>>()?;
    let found = entry.found.found(sources.files().count() + files.len())?;
    Some((found, files))
}
