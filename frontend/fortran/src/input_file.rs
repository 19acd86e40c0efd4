//! A file on its way into the program: its text or the summary of it, and what others have to know of it.

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

/// What there is of a file.
pub(crate) enum FileContent<'m> {
    /// Its text, ready to be parsed.
    Expanded(ExpandedText),
    /// The summary that an earlier run has made of it, which still is that of its text, with its stored form.
    Summarized(FileSummary, &'m [u8]),
}

impl InputFile<'_> {
    /// The syntax of its text; `None` where there is a summary.
    pub(crate) fn parse(&self, unit: UnitId) -> Option<FortranFile> {
        match &self.content {
            FileContent::Expanded(expanded) => Some(parser::parse(unit, &expanded.text, self.form)),
            FileContent::Summarized(..) => None,
        }
    }

    /// What linking starts from; `file` is the syntax of its text.
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

    /// The stored form of its summary; empty where it has to be parsed each time, as where it has text of other
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

    /// The given sizes that macros of its text have taken.
    pub(crate) fn used_sizes(&self) -> impl Iterator<Item = &String> {
        let expanded = match &self.content {
            FileContent::Expanded(expanded) => Some(&expanded.used_sizes),
            FileContent::Summarized(..) => None,
        };
        expanded.into_iter().flatten()
    }

    /// What expanding its text has to report.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        match &self.content {
            FileContent::Expanded(expanded) => &expanded.diagnostics,
            FileContent::Summarized(..) => &[],
        }
    }

    /// What there is to report of it before its functions are lowered: nothing, where there is a summary.
    pub(crate) fn report(&self, program: &Program, file: Option<&FortranFile>) -> FrontendReport {
        let (FileContent::Expanded(expanded), Some(file)) = (&self.content, file) else {
            return FrontendReport::default();
        };
        let errors = file.errors.iter();
        let errors = errors.map(|(reason, at)| (reason.clone(), program.span(*at)));
        FrontendReport {
            diagnostics: expanded.diagnostics.clone(),
            syntax_errors: errors.collect(),
            size_names: expanded.macros.clone(),
            ..FrontendReport::default()
        }
    }

    /// Translates a file of which there is a summary: its text is needed after all.
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
