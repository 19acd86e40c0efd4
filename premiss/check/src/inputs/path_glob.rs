//! Patterns of paths: `src/blas/*`, `third_party`, `*_test.c`.
//!
//! A pattern with a `/` matches paths relative to the folder of its file; one without matches names of files and
//! folders anywhere. A pattern that matches a folder matches all that is in it. `*` stays within a name, `**` does not.

use crate::paths::normalize;
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Path, PathBuf};

/// A pattern, and the folder that it is relative to.
#[derive(Clone, Debug)]
pub struct PathGlob {
    text: String,
    matcher: GlobMatcher,
    /// The folder of the file that contains it, absolute.
    folder: PathBuf,
    /// The current folder, absolute.
    current: PathBuf,
}

impl PathGlob {
    /// Parses a pattern in a file of `folder`, for paths relative to `current`; both are absolute.
    ///
    /// # Errors
    ///
    /// A message that says what is wrong with the pattern.
    pub fn new(text: &str, folder: &Path, current: &Path) -> Result<Self, String> {
        let pattern = text.strip_suffix('/').unwrap_or(text);
        if pattern.is_empty() {
            return Err("an empty pattern fits nothing".to_owned());
        }
        let mut builder = GlobBuilder::new(pattern.strip_prefix("./").unwrap_or(pattern));
        let glob = builder.literal_separator(true).build();
        let glob = glob.map_err(|error| error.kind().to_string())?;
        Ok(Self {
            text: text.to_owned(),
            matcher: glob.compile_matcher(),
            folder: folder.to_owned(),
            current: current.to_owned(),
        })
    }

    /// The pattern as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it matches a file, given by its path relative to the current folder.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let whole = normalize(&self.current.join(path));
        let Ok(path) = whole.strip_prefix(&self.folder) else {
            return false;
        };
        let is_of_names = !self.text.trim_end_matches('/').contains('/');
        let mut parts = path.ancestors().filter(|part| *part != Path::new(""));
        parts.any(|part| match is_of_names {
            true => part.file_name().is_some_and(|x| self.matcher.is_match(x)),
            false => self.matcher.is_match(part),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_of_names_or_of_paths() {
        let check = |glob: &str, path: &str, expected: bool| {
            let folder = Path::new("/no/such/repo");
            let glob = PathGlob::new(glob, folder, &folder.join("src")).expect("a pattern");
            assert_eq!(glob.matches(path), expected, "{glob:?} {path}");
        };
        check("src/blas/*", "blas/gemm.c", true);
        check("src/blas/*", "blas/old/gemm.c", true);
        check("src/*.c", "blas/gemm.c", false);
        check("src/**/*.c", "blas/old/gemm.c", true);
        check("blas", "blas/gemm.c", true);
        check("blas/", "blas/gemm.c", true);
        check("blas/*", "blas/gemm.c", false);
        check("*_test.c", "deep/down/a_test.c", true);
        check("*.c", "../lib/a.c", true);
        check("*.c", "../../elsewhere/a.c", false);
        assert!(PathGlob::new("a[", Path::new("/"), Path::new("/")).is_err());
        assert!(PathGlob::new("", Path::new("/"), Path::new("/")).is_err());
    }
}
