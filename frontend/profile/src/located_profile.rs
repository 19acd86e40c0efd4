//! A profile matched with the source files that it was measured on.
//!
//! Files match if one path is a suffix of the other: `src/k.c` of an analysis is `/home/me/app/src/k.c` of a profile.
//! A profile does not identify the version of the source, so it is checked for consistency with the text: functions
//! begin on the same lines, and all lines with counts have text.

use crate::gcov::{FileCounts, FunctionCount, LineCount, Profile};
use premiss_source::{FileId, SourceFile, SourceMap, Span};
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// The counts of the files of a source map that a profile contains.
#[derive(Debug)]
pub struct LocatedProfile<'a> {
    sources: &'a SourceMap,
    files: BTreeMap<FileId, &'a FileCounts>,
}

/// A line of a file.
pub(crate) type SourceLine = (FileId, u32);

/// Why a profile cannot be used for some files.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LocateError {
    /// It has none of the analysed files.
    #[error("the profile has nothing of {analysed}; it is of: {profiled}")]
    OtherFiles {
        /// The paths that were looked for.
        analysed: String,
        /// The paths in the profile.
        profiled: String,
    },
    /// A path matches several files of the profile.
    #[error("`{path}` can be several files of the profile: {candidates}; give a longer path")]
    Ambiguous {
        /// The path that was looked for.
        path: String,
        /// The matching paths in the profile.
        candidates: String,
    },
    /// The profile was measured on another version of the text.
    #[error(
        "the profile is of another version of `{path}`: {reason}; run the program again, compiled from \
         this source"
    )]
    OtherVersion {
        /// The file.
        path: String,
        /// What differs.
        reason: String,
    },
}

impl<'a> LocatedProfile<'a> {
    /// Matches the files of `sources` with those of a profile; at least one of the `analysed` files must be in it.
    ///
    /// # Errors
    /// If none of the analysed files is in the profile, a path matches several files of it, or its counts are
    /// inconsistent with the text.
    pub fn new(
        profile: &'a Profile,
        sources: &'a SourceMap,
        analysed: &[FileId],
    ) -> Result<Self, LocateError> {
        let mut files = BTreeMap::new();
        for (id, file) in sources.files() {
            if let Some(counts) = find(profile, file.path())? {
                check_lines(file, counts)?;
                files.insert(id, counts);
            }
        }
        if analysed.iter().any(|id| files.contains_key(id)) {
            return Ok(Self { sources, files });
        }
        let quoted = |paths: &mut dyn Iterator<Item = &str>| {
            let quoted: Vec<String> = paths.map(|path| format!("`{path}`")).collect();
            quoted.join(", ")
        };
        let paths = analysed.iter().map(|id| sources.file(*id).path());
        Err(LocateError::OtherFiles {
            analysed: quoted(&mut paths.into_iter()),
            profiled: match profile.files.is_empty() {
                true => "no file at all".to_owned(),
                false => quoted(&mut profile.files.keys().map(String::as_str)),
            },
        })
    }

    /// Checks that the function of a tree begins on the same line in the profile and in the source. A function or file
    /// that is not in the profile passes.
    ///
    /// # Errors
    /// [`LocateError::OtherVersion`] if it begins on another line.
    pub fn check(&self, tree: &NestTree) -> Result<(), LocateError> {
        let (file, line) = self.place(tree.span);
        let Some(counts) = self.files.get(&file) else {
            return Ok(());
        };
        if counts.functions.keys().any(|(start, _)| *start == line) {
            return Ok(());
        }
        let mut starts = counts.functions.keys();
        match starts.find(|(_, name)| is_named(name, &tree.function)) {
            None => Ok(()),
            Some((start, _)) => Err(LocateError::OtherVersion {
                path: self.sources.file(file).path().to_owned(),
                reason: format!(
                    "function `{}` begins on line {start} in it, on {line} here",
                    tree.function
                ),
            }),
        }
    }

    /// The line on which a span begins.
    pub(crate) fn place(&self, span: Span) -> SourceLine {
        (span.file, self.sources.start(span).line)
    }

    /// The lines of a span.
    pub(crate) fn places(&self, span: Span) -> impl Iterator<Item = SourceLine> {
        let last = Span {
            start: span.end.saturating_sub(1).max(span.start),
            ..span
        };
        let (first, last) = (self.sources.start(span).line, self.sources.start(last).line);
        (first..=last).map(move |line| (span.file, line))
    }

    pub(crate) fn line(&self, (file, line): SourceLine) -> Option<&'a LineCount> {
        self.files.get(&file)?.lines.get(&line)
    }

    /// The function around a line, by its first line, with its count.
    pub(crate) fn function(
        &self,
        (file, line): SourceLine,
    ) -> Option<(SourceLine, &'a FunctionCount)> {
        let functions = self.files.get(&file)?.functions.iter();
        let around =
            functions.filter(|((first, _), count)| *first <= line && line <= count.last_line);
        let ((first, _), count) = around.max_by_key(|((first, _), _)| *first)?;
        Some(((file, *first), count))
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        self.sources.text(span)
    }

    /// The text between two spans of one file.
    pub(crate) fn between(&self, from: Span, to: Span) -> &'a str {
        let span = Span {
            file: from.file,
            start: from.end.min(to.start),
            end: to.start,
        };
        self.sources.text(span)
    }
}

/// The counts of the file with that path.
fn find<'a>(profile: &'a Profile, path: &str) -> Result<Option<&'a FileCounts>, LocateError> {
    let wanted = components(path);
    let is_same = |(known, _): &(&String, &FileCounts)| {
        let known = components(known);
        let n_common = known.len().min(wanted.len());
        0 < n_common && known[known.len() - n_common..] == wanted[wanted.len() - n_common..]
    };
    let found: Vec<_> = profile.files.iter().filter(is_same).collect();
    match found[..] {
        [] => Ok(None),
        [(_, counts)] => Ok(Some(counts)),
        _ => {
            let paths: Vec<String> = found.iter().map(|(path, _)| format!("`{path}`")).collect();
            Err(LocateError::Ambiguous {
                path: path.to_owned(),
                candidates: paths.join(", "),
            })
        }
    }
}

/// The components of a path without `.`, with `..` resolved as far as possible.
fn components(path: &str) -> Vec<&str> {
    let mut components = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            name => components.push(name),
        }
    }
    components
}

/// Checks that all lines with counts exist and have text.
fn check_lines(file: &SourceFile, counts: &FileCounts) -> Result<(), LocateError> {
    let refuse = |reason: String| {
        Err(LocateError::OtherVersion {
            path: file.path().to_owned(),
            reason,
        })
    };
    let n_lines = file.line_count();
    for line in counts.lines.keys() {
        if *line == 0 || n_lines < *line as usize {
            return refuse(format!(
                "it has counts of line {line}, and the file has {n_lines}"
            ));
        }
        let text = file.line(*line).trim();
        if text.is_empty() || text.starts_with("//") {
            return refuse(format!("it has counts of line {line}, which has no code"));
        }
    }
    Ok(())
}

/// Whether a symbol of an object file denotes a function of that name: `f`, for Fortran `f_` and `__m_MOD_f`, and
/// `f.0` for a nested function.
fn is_named(symbol: &str, function: &str) -> bool {
    let function = function.rsplit([':', '%']).next().unwrap_or(function);
    let lower = function.to_ascii_lowercase();
    let stem = symbol.split('.').next().unwrap_or(symbol);
    stem == function
        || stem == lower
        || stem.strip_suffix('_') == Some(&lower)
        || stem
            .rsplit_once("_MOD_")
            .is_some_and(|(_, name)| name == lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_from_their_ends() {
        let of = |paths: &[&str]| Profile {
            files: paths
                .iter()
                .map(|x| ((*x).to_owned(), FileCounts::default()))
                .collect(),
        };
        let two = of(&["/app/a/k.c", "/app/b/k.c"]);
        assert!(matches!(
            find(&two, "k.c"),
            Err(LocateError::Ambiguous { .. })
        ));
        assert!(matches!(find(&two, "./b/k.c"), Ok(Some(_))));
        assert!(matches!(find(&two, "../app/b/k.c"), Ok(Some(_))));
        assert!(matches!(find(&two, "c/k.c"), Ok(None)));
        assert!(matches!(
            find(&of(&["/app/src/../b/k.c"]), "/app/b/k.c"),
            Ok(Some(_))
        ));
        assert!(matches!(find(&two, "xk.c"), Ok(None)));
    }

    #[test]
    fn symbols_name_functions() {
        for (symbol, function) in [
            ("f", "f"),
            ("F_new", "F_new"),
            ("solve_", "SOLVE"),
            ("__grid_MOD_solve", "solve"),
            ("inner.0", "inner"),
            ("f.constprop.0", "f"),
        ] {
            assert!(is_named(symbol, function), "{symbol} {function}");
        }
        assert!(!is_named("gf", "f"));
        assert!(!is_named("f_", "g"));
    }
}
