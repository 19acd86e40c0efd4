//! What settings say about files: sizes, macros, and which files to leave out.

use super::path_glob::PathGlob;
use premiss_analyze::ReadOptions;
use std::collections::BTreeMap;

/// Settings of files, beside the options of a command line.
#[derive(Clone, Debug, Default)]
pub struct FileSettings {
    /// The sizes of all files.
    pub sizes: BTreeMap<String, i64>,
    /// The sizes of the files of a pattern; of two patterns that fit a file, the later one decides.
    pub sizes_of: Vec<(PathGlob, BTreeMap<String, i64>)>,
    /// Files to leave out, where they are found in folders or builds.
    pub exclude: Vec<PathGlob>,
}

impl FileSettings {
    /// The sizes of a file: those of all files, overridden by those of the patterns that fit it.
    #[must_use]
    pub fn sizes(&self, path: &str) -> BTreeMap<String, i64> {
        let mut sizes = self.sizes.clone();
        for (glob, own) in &self.sizes_of {
            if glob.matches(path) {
                sizes.extend(own.clone());
            }
        }
        sizes
    }

    /// Whether a file in a folder, or of a build, is to be left out.
    #[must_use]
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.iter().any(|glob| glob.matches(path))
    }

    /// Adds the sizes of a file to its options, where these neither give a value nor keep the size symbolic.
    pub(crate) fn complete(&self, path: &str, mut options: ReadOptions) -> ReadOptions {
        for (name, value) in self.sizes(path) {
            if !options.symbolic.contains(&name) {
                options.sizes.entry(name).or_insert(value);
            }
        }
        options
    }
}
