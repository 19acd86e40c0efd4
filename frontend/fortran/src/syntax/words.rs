//! The set of words in a file.

use premiss_ast::Names;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;

/// The names and keywords in a file, as a set of hashes. Membership has false positives, which only cost time.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct WordSet(Vec<u32>);

impl WordSet {
    /// The words that a parser has interned.
    pub(crate) fn collect(names: &Names) -> Self {
        let mut words: Vec<u32> = names.iter().map(|name| digest(name)).collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    /// Whether a word is in the file, up to false positives.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.0.binary_search(&digest(word)).is_ok()
    }

    /// The hashes of all words, sorted.
    pub(crate) fn digests(&self) -> &[u32] {
        &self.0
    }
}

/// The hash of a word.
pub(crate) fn digest(word: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    // The upper half is distributed better.
    (hasher.finish() >> u32::BITS) as u32
}
