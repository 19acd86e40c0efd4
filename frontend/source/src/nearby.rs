//! Headers that no include path has, found by name in the directories of a program.
//!
//! A package that has not been built, or whose build defines include paths that are not passed on, has its headers
//! nevertheless: `#include <gsl/gsl_vector.h>` refers to `vector/gsl_vector.h` if that is the only file of that name.
//! A package that chooses one of several when it is built (`memory/dynamic/sizes.h`, `memory/static/sizes.h`) has
//! several that fit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// The files below the directories of a program, by name.
#[derive(Debug, Default)]
pub struct NearbyFiles {
    /// Paths by their last component.
    paths: BTreeMap<String, Vec<String>>,
    /// The last components of headers that were looked up.
    lookups: Mutex<BTreeSet<String>>,
}

impl PartialEq for NearbyFiles {
    fn eq(&self, other: &Self) -> bool {
        self.paths == other.paths
    }
}

impl Eq for NearbyFiles {}

impl FromIterator<String> for NearbyFiles {
    fn from_iter<I: IntoIterator<Item = String>>(paths: I) -> Self {
        let mut files = Self::default();
        for path in paths {
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            files.paths.entry(name).or_default().push(path);
        }
        files
    }
}

impl NearbyFiles {
    /// The last components of headers that were looked up, each with the paths that end in it: no results depend on
    /// other files in this table.
    #[must_use]
    pub fn lookups(&self) -> BTreeMap<String, Vec<String>> {
        let lookups = self.lookups.lock().unwrap_or_else(PoisonError::into_inner);
        let of_one = |name: &String| (name.clone(), self.paths_of(name).to_vec());
        lookups.iter().map(of_one).collect()
    }

    /// The paths whose last component is `name`.
    #[must_use]
    pub fn paths_of(&self, name: &str) -> &[String] {
        self.paths.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files that a header name may refer to in an including file, in the order of their names: those with the
    /// longest common suffix, and among these those with the longest common path with the including file.
    ///
    /// ```text
    /// <gsl/gsl_math.h>    gsl/gsl_math.h before gsl_math.h
    /// "defs.h" in b/x.c   b/include/defs.h before a/defs.h
    /// ```
    #[must_use]
    pub fn fitting(&self, name: &str, includer: &str) -> Vec<&str> {
        let last = name.rsplit('/').next().unwrap_or_default();
        let mut lookups = self.lookups.lock().unwrap_or_else(PoisonError::into_inner);
        lookups.insert(last.to_owned());
        drop(lookups);
        let fit = |path: &str| {
            let tail = n_common(path.rsplit('/'), name.rsplit('/'));
            (tail, n_common(path.split('/'), includer.split('/')))
        };
        let paths = self.paths_of(last);
        let best = paths.iter().map(|path| fit(path)).max();
        let fitting = paths.iter().filter(|path| Some(fit(path)) == best);
        let mut fitting: Vec<&str> = fitting.map(String::as_str).collect();
        fitting.sort_unstable();
        fitting
    }
}

/// The files that a header may be, with the one that is taken first: the one with the fewest components, then by name.
///
/// ```text
/// support/patches/inline.h, inline.h    inline.h, support/patches/inline.h
/// ```
#[must_use]
pub fn by_depth(mut fitting: Vec<&str>) -> Vec<&str> {
    fitting.sort_by_key(|path| (path.split('/').count(), *path));
    fitting
}

/// The length of the common prefix of two sequences.
fn n_common<'t>(a: impl Iterator<Item = &'t str>, b: impl Iterator<Item = &'t str>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::{NearbyFiles, by_depth};

    #[test]
    fn the_best_ending_then_the_nearest_counts() {
        let paths = [
            "a/defs.h",
            "b/include/defs.h",
            "gsl_math.h",
            "gsl/gsl_math.h",
        ];
        let files: NearbyFiles = paths.iter().map(ToString::to_string).collect();
        assert_eq!(files.fitting("defs.h", "b/x.c"), ["b/include/defs.h"]);
        assert_eq!(
            files.fitting("include/defs.h", "a/x.c"),
            ["b/include/defs.h"]
        );
        assert_eq!(
            files.fitting("defs.h", "c/x.c"),
            ["a/defs.h", "b/include/defs.h"]
        );
        assert_eq!(files.fitting("gsl/gsl_math.h", "x.c"), ["gsl/gsl_math.h"]);
        assert!(files.fitting("none.h", "x.c").is_empty());
    }

    #[test]
    fn of_files_that_fit_equally_well_the_one_with_the_fewest_folders_comes_first() {
        assert_eq!(by_depth(vec!["a/b/d.h", "c/d.h"]), ["c/d.h", "a/b/d.h"]);
        assert_eq!(by_depth(vec!["c/d.h", "b/d.h"]), ["b/d.h", "c/d.h"]);
    }
}
