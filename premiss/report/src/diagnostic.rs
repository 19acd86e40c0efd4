//! Diagnostics with the source text that they concern.

use crate::Colour;
use crate::escape::{visible_in_place, visible_name};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents,
};
use premiss_source::{Diagnostic, Label, Severity, SourceFile, SourceMap};
use std::borrow::Cow;
use std::fmt;

/// Diagnostics beyond this number are only counted.
const MOST_SHOWN: usize = 50;
/// Source lines longer than this many bytes are not quoted.
const LONGEST_LINE: usize = 400;

/// Each diagnostic with its message, the quoted source, and the help; beyond fifty, diagnostics are only counted.
#[must_use]
pub fn render_diagnostics(
    sources: &SourceMap,
    diagnostics: &[Diagnostic],
    colour: Colour,
) -> String {
    let theme = match colour {
        Colour::Always => GraphicalTheme::unicode(),
        Colour::Never => GraphicalTheme::unicode_nocolor(),
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(100)
        .with_context_lines(1)
        .without_syntax_highlighting();
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        let shown = DiagnosticView::new(sources, diagnostic);
        // Writing to a string fails only if a span lies outside its file; the message is shown then.
        if handler.render_report(&mut text, &shown).is_err() {
            text.push_str(&diagnostic.message);
        }
        text.push('\n');
    }
    if let Some(more) = diagnostics.len().checked_sub(MOST_SHOWN + 1) {
        text.push_str(&format!("… and {} more\n", more + 1));
    }
    text
}

/// A diagnostic with its file, in the form that miette needs.
struct DiagnosticView<'a> {
    diagnostic: &'a Diagnostic,
    quoted: Option<Quoted<'a>>,
    labels: Vec<LabeledSpan>,
    help: String,
}

impl<'a> DiagnosticView<'a> {
    fn new(sources: &'a SourceMap, diagnostic: &'a Diagnostic) -> Self {
        let main = diagnostic.labels.first();
        let is_quoted = |label: &&Label| {
            let file = sources.file(label.span.file);
            let line = sources.start(label.span).line;
            main.is_some_and(|main| main.span.file == label.span.file)
                && file.line(line).len() <= LONGEST_LINE
        };
        let (quoted, others): (Vec<&Label>, Vec<&Label>) =
            diagnostic.labels.iter().partition(is_quoted);
        let mut help = diagnostic.help.clone().unwrap_or_default();
        for label in others {
            let path = sources.file(label.span.file).path();
            let at = sources.start(label.span);
            let place = format!("\nsee {path}:{}:{} {}", at.line, at.column, label.text);
            help.push_str(place.trim_end());
        }
        Self {
            diagnostic,
            quoted: quoted
                .first()
                .map(|x| Quoted::new(sources.file(x.span.file))),
            labels: quoted
                .iter()
                .map(|x| labeled(sources, x, main == Some(*x)))
                .collect(),
            help: help.trim_start().to_owned(),
        }
    }
}

/// The label on the first line of its span: the whole body of a loop would hide the message. The main label determines
/// the quoted lines.
fn labeled(sources: &SourceMap, label: &Label, is_main: bool) -> LabeledSpan {
    let start = label.span.start as usize;
    let first = sources.text(label.span).lines().next().unwrap_or("");
    let text = Some(label.text.clone()).filter(|text| !text.is_empty());
    match is_main {
        true => LabeledSpan::new_primary_with_span(text, (start, first.len())),
        false => LabeledSpan::new(text, start, first.len()),
    }
}

impl fmt::Debug for DiagnosticView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl fmt::Display for DiagnosticView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for DiagnosticView<'_> {}

impl miette::Diagnostic for DiagnosticView<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        Some(Box::new(self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Note => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let help = Some(&self.help).filter(|help| !help.is_empty())?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        let quoted = self.quoted.as_ref()?;
        Some(quoted)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// A file with its path.
struct Quoted<'a> {
    path: String,
    /// Its text, of which all is visible.
    text: Cow<'a, str>,
}

impl<'a> Quoted<'a> {
    fn new(file: &'a SourceFile) -> Self {
        Self {
            path: visible_name(file.path()),
            text: visible_in_place(file.text()),
        }
    }
}

impl SourceCode for Quoted<'_> {
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.path.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}
