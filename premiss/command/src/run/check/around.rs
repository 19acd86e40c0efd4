//! What was looked for besides the files of the command line, and what is there now.

use crate::run::selection::Opened;
use premiss_analyze::Text;
use premiss_source::{FileSystem, Files, SourceMap};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What was looked for.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Around {
    /// Paths that were looked for: the digest of what was there, or nothing.
    included: Included,
    /// Names by which headers were looked for anywhere below the folders, with the paths that have them.
    nearby: Nearby,
    /// The files that came to those of the command line, in order.
    further: Vec<Further>,
}

/// A digest of what a file says.
pub(super) type Digest = [u8; 32];

type Included = BTreeMap<String, Option<Digest>>;
type Nearby = BTreeMap<String, Vec<String>>;

/// A file that is included.
#[derive(Clone, Serialize, Deserialize)]
enum Further {
    /// One of those that were looked for.
    Loaded(String),
    /// One that comes along with the program.
    Own { path: String, text: String },
}

/// What is there now.
#[derive(Default)]
pub(super) struct Surroundings {
    /// The files that came to those of the command line, in order; empty where there is none any more.
    pub(super) texts: Vec<Text>,
    /// The paths where something else is now, or nothing any more.
    pub(super) moved: BTreeSet<String>,
    /// What was found by name; nothing where a name is found elsewhere now.
    pub(super) nearby: Option<Nearby>,
}

impl Surroundings {
    /// Whether everything is as it was.
    pub(super) fn is_same(&self) -> bool {
        self.moved.is_empty() && self.nearby.is_some()
    }
}

impl Around {
    /// Of files that were read, with the paths that were looked for; `nearby` is what was found by name for those that
    /// did not have to be read.
    pub(super) fn of(
        sources: &SourceMap,
        opened: &Opened,
        included: Included,
        nearby: Option<Nearby>,
    ) -> Self {
        let added = sources.files().skip(opened.files.len());
        let one = |path: &str, text: &str| match included.get(path) {
            Some(Some(_)) => Further::Loaded(path.to_owned()),
            _ => Further::Own {
                path: path.to_owned(),
                text: text.to_owned(),
            },
        };
        let further = added.map(|(_, file)| one(file.path(), file.text()));
        let mut asked = opened.own.preprocessor.nearby.lookups();
        asked.extend(nearby.unwrap_or_default());
        Self {
            further: further.collect(),
            nearby: asked,
            included,
        }
    }

    /// What is there now.
    pub(super) fn now(&self, opened: &Opened) -> Surroundings {
        let mut contents = BTreeMap::new();
        let mut moved = BTreeSet::new();
        for (path, known) in &self.included {
            let bytes = FileSystem.read(path);
            if bytes.as_deref().map(digest) != *known {
                moved.insert(path.clone());
            }
            contents.insert(path, bytes.unwrap_or_default());
        }
        let of_one = |further: &Further| match further {
            Further::Loaded(path) => {
                let bytes = contents.get(path).cloned();
                (path.clone(), bytes.unwrap_or_default())
            }
            Further::Own { path, text } => (path.clone(), text.clone().into_bytes()),
        };
        let texts = self.further.iter().map(of_one).collect();
        let named = &opened.own.preprocessor.nearby;
        let is_same =
            |(name, paths): (&String, &Vec<String>)| named.paths_of(name) == paths.as_slice();
        let is_same = self.nearby.iter().all(is_same);
        Surroundings {
            texts,
            moved,
            nearby: is_same.then(|| self.nearby.clone()),
        }
    }

    /// The paths where everything is as it was.
    pub(super) fn unmoved(&self, now: &Surroundings) -> Included {
        let mut included = self.included.clone();
        included.retain(|path, _| !now.moved.contains(path));
        included
    }
}

pub(super) fn digest(bytes: &[u8]) -> Digest {
    *blake3::hash(bytes).as_bytes()
}
