//! The files that a run read beyond those of the command line, the paths at which it found none, and what of these has
//! changed since.

use crate::open::OpenedFiles;
use premiss_analyze::PathAndBytes;
use premiss_source::{Files, SourceMap};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The files that a run depends on, beyond those of the command line.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct IncludeDependencies {
    /// The digest of the file at each path that was looked up; `None` if there was none.
    included: Included,
    /// The names by which headers were looked up anywhere below the folders, with the paths that have them.
    nearby: Nearby,
    /// The files added to those of the command line, in order.
    files: Vec<IncludedFile>,
}

/// A digest of the bytes of a file.
pub(super) type Digest = [u8; 32];

pub(super) type Included = BTreeMap<String, Option<Digest>>;
pub(super) type Nearby = BTreeMap<String, Vec<String>>;

/// A file that is included.
#[derive(Clone, Serialize, Deserialize)]
enum IncludedFile {
    /// A file at a path that was looked up.
    Loaded(String),
    /// A file that is part of premiss.
    Builtin { path: String, text: String },
}

/// The current state of the files that an earlier run depended on.
#[derive(Clone, Default)]
pub(super) struct CurrentIncludes {
    /// The files added to those of the command line, in order; empty for those that no longer exist.
    pub(super) texts: Vec<PathAndBytes>,
    /// The paths whose file has changed, is gone, or is new.
    pub(super) changed: BTreeSet<String>,
    /// The headers found by name; `None` if a name is found elsewhere now.
    pub(super) nearby: Option<Nearby>,
}

impl CurrentIncludes {
    /// Whether nothing has changed.
    pub(super) fn is_unchanged(&self) -> bool {
        self.changed.is_empty() && self.nearby.is_some()
    }
}

impl IncludeDependencies {
    /// The dependencies of files that were read, with the paths that were looked up; `nearby` has the headers found by
    /// name for files that did not have to be read.
    pub(super) fn new(
        sources: &SourceMap,
        opened: &OpenedFiles,
        included: Included,
        nearby: Option<Nearby>,
    ) -> Self {
        let added = sources.files().skip(opened.files.len());
        let file_of = |path: &str, text: &str| match included.get(path) {
            Some(Some(_)) => IncludedFile::Loaded(path.to_owned()),
            _ => IncludedFile::Builtin {
                path: path.to_owned(),
                text: text.to_owned(),
            },
        };
        let files = added.map(|(_, file)| file_of(file.path(), file.text()));
        let mut found_by_name = opened.options.preprocessor.nearby.lookups();
        found_by_name.extend(nearby.unwrap_or_default());
        Self {
            files: files.collect(),
            nearby: found_by_name,
            included,
        }
    }

    /// The current state of these files.
    pub(super) fn current(&self, opened: &OpenedFiles, files: &dyn Files) -> CurrentIncludes {
        let mut contents = BTreeMap::new();
        let mut changed = BTreeSet::new();
        for (path, digest_before) in &self.included {
            let bytes = files.read(path).ok();
            if bytes.as_deref().map(digest) != *digest_before {
                changed.insert(path.clone());
            }
            contents.insert(path, bytes.unwrap_or_default());
        }
        let text_of = |file: &IncludedFile| match file {
            IncludedFile::Loaded(path) => {
                let bytes = contents.get(path).cloned();
                (path.clone(), bytes.unwrap_or_default())
            }
            IncludedFile::Builtin { path, text } => (path.clone(), text.clone().into_bytes()),
        };
        let texts = self.files.iter().map(text_of).collect();
        let nearby = &opened.options.preprocessor.nearby;
        let is_same =
            |(name, paths): (&String, &Vec<String>)| nearby.paths_of(name) == paths.as_slice();
        let is_same = self.nearby.iter().all(is_same);
        CurrentIncludes {
            texts,
            changed,
            nearby: is_same.then(|| self.nearby.clone()),
        }
    }

    /// The paths that have not changed.
    pub(super) fn unchanged(&self, current: &CurrentIncludes) -> Included {
        let mut included = self.included.clone();
        included.retain(|path, _| !current.changed.contains(path));
        included
    }
}

pub(super) fn digest(bytes: &[u8]) -> Digest {
    *blake3::hash(bytes).as_bytes()
}
