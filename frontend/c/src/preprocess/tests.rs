//! The preprocessor as its users see it.

mod expansion;
mod hostile;
mod origins;
mod programs;

use premiss_source::{MemoryFiles, SourceMap};

use super::{MacroFlag, PreprocessOptions, Preprocessed, preprocess};

/// A program to preprocess: files by path, of which the first is the main one.
pub(super) struct Program {
    files: Vec<(&'static str, String)>,
    options: PreprocessOptions,
}

/// What came out, with the files that it speaks of.
pub(super) struct Outcome {
    pub(super) sources: SourceMap,
    pub(super) out: Preprocessed,
}

pub(super) fn program(main: impl Into<String>) -> Program {
    Program {
        files: vec![("main.c", main.into())],
        options: PreprocessOptions::default(),
    }
}

impl Program {
    pub(super) fn file(mut self, path: &'static str, text: impl Into<String>) -> Self {
        self.files.push((path, text.into()));
        self
    }

    pub(super) fn nearby(mut self, paths: &[&str]) -> Self {
        let files: super::NearbyFiles = paths.iter().map(ToString::to_string).collect();
        self.options.nearby = files.into();
        self
    }

    pub(super) fn folder(mut self, dir: &str) -> Self {
        self.options.include_dirs.push(dir.to_owned());
        self
    }

    pub(super) fn define(mut self, name: &str, value: &str) -> Self {
        let (name, value) = (name.to_owned(), value.to_owned());
        self.options.macros.push(MacroFlag::Define { name, value });
        self
    }

    pub(super) fn undefine(mut self, name: &str) -> Self {
        self.options.macros.push(MacroFlag::Undefine {
            name: name.to_owned(),
        });
        self
    }

    pub(super) fn with(mut self, name: &str, value: i64) -> Self {
        self.options.overrides.insert(name.to_owned(), value);
        self
    }

    pub(super) fn run(self) -> Outcome {
        let mut sources = SourceMap::new();
        let (path, text) = &self.files[0];
        let main = sources.add(*path, text.clone().into_bytes()).unwrap();
        let files: MemoryFiles = self.files.into_iter().collect();
        let out = preprocess(&mut sources, main, &self.options, &files);
        Outcome { sources, out }
    }

    /// Checks the text that is left, with each stretch of white space as one blank.
    #[track_caller]
    pub(super) fn check(self, expected: &str) -> Outcome {
        let outcome = self.run();
        assert_eq!(words(&outcome.out.text), words(expected));
        outcome
    }
}

/// Checks what a single file without problems becomes.
#[track_caller]
pub(super) fn check(input: &str, expected: &str) {
    program(input).check(expected).clean();
}

impl Outcome {
    #[track_caller]
    pub(super) fn clean(self) -> Self {
        assert_eq!(self.out.diagnostics, []);
        self
    }

    /// Checks the codes of the diagnostics and where each points, as text of the program.
    #[track_caller]
    pub(super) fn reports(self, expected: &[(&str, &str)]) -> Self {
        let place = |found: &premiss_source::Diagnostic| {
            let label = found.labels.first();
            label
                .map_or("", |label| self.sources.text(label.span))
                .to_owned()
        };
        let found = self.out.diagnostics.iter().map(|it| (it.code, place(it)));
        let found: Vec<(&str, String)> = found.collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (*a, b.as_str())).collect();
        assert_eq!(found, expected);
        self
    }
}

fn words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
