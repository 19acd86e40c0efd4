//! The settings of files: sizes, and which files to skip.

use super::path_glob::PathGlob;
use premiss_analyze::ReadOptions;
use std::collections::BTreeMap;

/// The settings of files, besides the options of a command line.
#[derive(Clone, Debug, Default)]
pub struct FileSettings {
    /// The sizes for all files.
    pub sizes: BTreeMap<String, i64>,
    /// The sizes for the files that match a pattern; if several match, later ones take precedence.
    pub sizes_of: Vec<(PathGlob, BTreeMap<String, i64>)>,
    /// Files to skip if they are found in folders or builds.
    pub exclude: Vec<PathGlob>,
}

impl FileSettings {
    /// The sizes for a file: those for all files, overridden by those of matching patterns.
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

    /// Whether to skip a file that is in a folder or of a build.
    #[must_use]
    pub fn excludes(&self, path: &str) -> bool {
        self.exclude.iter().any(|glob| glob.matches(path))
    }

    /// Adds the sizes for a file to its options, unless these give the size a value or keep it symbolic.
    pub(crate) fn complete(&self, path: &str, mut options: ReadOptions) -> ReadOptions {
        for (name, value) in self.sizes(path) {
            if !options.symbolic.contains(&name) {
                options.sizes.entry(name).or_insert(value);
            }
        }
        options
    }
}
