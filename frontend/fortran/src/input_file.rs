//! A file of the program: its text or its stored summary, and what other files need to know about it.

use crate::names::{
    FileDefinitions, FileInput, FileSummary, ParsedFile, ProgramIndex, definitions_of_plain_file,
    summarize,
};
use crate::syntax::FortranFile;
use crate::text::{ExpandedText, SourceForm, expand_plain};
use crate::{parser, translate};
use premiss_ast::OriginMap;
use premiss_ast::syntax::{Unit, UnitId};
use premiss_incremental::FrontendReport;
use premiss_link::{Program, Queries};
use premiss_source::{Diagnostic, SourceMap};
use std::borrow::Cow;

/// A file.
pub(crate) struct InputFile<'m> {
    pub(crate) origins: OriginMap,
    pub(crate) form: SourceForm,
    pub(crate) content: FileContent<'m>,
}

/// The available content of a file.
pub(crate) enum FileContent<'m> {
    /// Its expanded text, ready to be parsed.
    Expanded(ExpandedText),
    /// The valid summary that an earlier run stored for its text, with its stored form.
    Summarized(FileSummary, &'m [u8]),
}

impl InputFile<'_> {
    /// Parses its text; `None` if there is a summary.
    pub(crate) fn parse(&self, unit: UnitId) -> Option<FortranFile> {
        match &self.content {
            FileContent::Expanded(expanded) => Some(parser::parse(unit, &expanded.text, self.form)),
            FileContent::Summarized(..) => None,
        }
    }

    /// The input of name resolution; `file` is the parsed text.
    pub(crate) fn input<'a>(
        &'a self,
        unit: UnitId,
        file: Option<&'a FortranFile>,
    ) -> Option<FileInput<'a>> {
        Some(match &self.content {
            FileContent::Expanded(ExpandedText { text, .. }) => FileInput::Parsed(ParsedFile {
                unit,
                text,
                file: file?,
            }),
            FileContent::Summarized(summary, _) => FileInput::Summarized(unit, summary),
        })
    }

    /// The stored form of its summary; empty if it has to be parsed in each run, for example because it includes other
    /// files.
    pub(crate) fn summary(
        &self,
        input: &FileInput,
        definitions: &FileDefinitions,
        index: &ProgramIndex,
    ) -> Cow<'_, [u8]> {
        match (&self.content, input) {
            (FileContent::Summarized(_, stored), _) => Cow::Borrowed(*stored),
            (FileContent::Expanded(expanded), FileInput::Parsed(source)) if expanded.is_plain => {
                summarize(source, definitions, index).into()
            }
            _ => Cow::default(),
        }
    }

    /// The sizes of the user that macros of its text use.
    pub(crate) fn used_sizes(&self) -> impl Iterator<Item = &String> {
        let expanded = match &self.content {
            FileContent::Expanded(expanded) => Some(&expanded.used_sizes),
            FileContent::Summarized(..) => None,
        };
        expanded.into_iter().flatten()
    }

    /// The diagnostics of expanding its text.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        match &self.content {
            FileContent::Expanded(expanded) => &expanded.diagnostics,
            FileContent::Summarized(..) => &[],
        }
    }

    /// The report before its functions are lowered, with the diagnostics of modules that are missing; empty if there is
    /// a summary.
    pub(crate) fn report(
        &self,
        program: &Program,
        file: Option<&FortranFile>,
        missing: &[Diagnostic],
    ) -> FrontendReport {
        let (FileContent::Expanded(expanded), Some(file)) = (&self.content, file) else {
            return FrontendReport::default();
        };
        let errors = file.errors.iter();
        let errors = errors.map(|(reason, at)| (reason.clone(), program.span(*at)));
        FrontendReport {
            diagnostics: [&expanded.diagnostics[..], missing].concat(),
            syntax_errors: errors.collect(),
            size_names: expanded.macros.clone(),
            ..FrontendReport::default()
        }
    }

    /// Translates a file with a summary whose syntax is needed after all.
    pub(crate) fn translate_deferred(
        &self,
        sources: &SourceMap,
        unit: UnitId,
        index: &ProgramIndex,
    ) -> Unit {
        let expanded = expand_plain(sources, self.origins.main()).unwrap_or_default();
        let text = &expanded.text;
        let file = parser::parse(unit, text, self.form);
        let source = ParsedFile {
            unit,
            text,
            file: &file,
        };
        translate::unit(index, &source, &definitions_of_plain_file(&source))
    }
}
