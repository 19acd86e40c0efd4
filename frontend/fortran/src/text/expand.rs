//! The text of a unit: a file with the files of its `INCLUDE` lines, preprocessed if its extension is in capitals or
//! it has directives.

use super::preprocess::{
    MAX_LINE, MAX_REPLACEMENTS, Preprocessor, PreprocessorDirective, directive,
};
use crate::options::Options;
use premiss_ast::Run;
use premiss_source::{Diagnostic, FileId, Files, Label, Severity, SourceFile, SourceMap, Span};
use std::collections::BTreeSet;

/// The maximum depth of includes.
const MAX_DEPTH: usize = 64;
/// The maximum size of the expanded text, in bytes.
const MAX_TEXT: usize = 64 << 20;
/// The maximum number of includes of one file, directly and through other files.
const MAX_INCLUDES: usize = 10_000;
/// A line that is no statement, for text that is not read: what it is part of is not taken for complete.
const TEXT_NOT_READ: &str = "      ?\n";

/// A text with the places of its parts.
#[derive(Debug, Default)]
pub(crate) struct ExpandedText {
    pub(crate) text: String,
    /// Whether it is the unchanged text of its file.
    pub(crate) is_plain: bool,
    pub(crate) runs: Vec<Run>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The sizes of the user that macros of the text use.
    pub(crate) used_sizes: BTreeSet<String>,
    /// Macros whose value the user can give.
    pub(crate) macros: BTreeSet<String>,
}

/// Expands a file; included files come from `files`.
pub(crate) fn expand(
    sources: &mut SourceMap,
    main: FileId,
    options: &Options,
    files: &dyn Files,
) -> ExpandedText {
    let preprocessor = match is_preprocessed(sources.file(main)) {
        true => Preprocessor::new(options),
        false => Preprocessor::default(),
    };
    let mut expander = Expander {
        sources,
        options,
        files,
        preprocessor,
        out: ExpandedText::default(),
        open: Vec::new(),
        n_includes: 0,
        is_exhausted: false,
    };
    expander.file(main, 0);
    let open = expander.preprocessor.open_conditions();
    let mut out = expander.out;
    if let Some(span) = open {
        let message = "this condition has no `#endif`".to_owned();
        out.diagnostics
            .push(malformed_directive(span, message, "add the `#endif`"));
    }
    out.used_sizes = expander.preprocessor.used_sizes;
    out.macros = expander.preprocessor.size_names;
    out
}

/// The text of a file that needs no expansion: without directives and includes.
pub(crate) fn expand_plain(sources: &SourceMap, main: FileId) -> Option<ExpandedText> {
    let file = sources.file(main);
    let is_plain = |line: &str| !line.starts_with('#') && include_name(line).is_none();
    if is_preprocessed(file) || !file.text().lines().all(is_plain) {
        return None;
    }
    let mut text = file.text().to_owned();
    let end = text.len();
    if MAX_TEXT < end {
        return None;
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Some(ExpandedText {
        text,
        is_plain: true,
        runs: runs_of_plain_file(sources, main),
        ..ExpandedText::default()
    })
}

/// The runs of a text that is the unchanged text of its file.
pub(crate) fn runs_of_plain_file(sources: &SourceMap, main: FileId) -> Vec<Run> {
    let end = sources.file(main).text().len();
    let run = Run {
        start: 0,
        end,
        span: span(main, 0, end),
        copied: true,
    };
    if end == 0 { Vec::new() } else { vec![run] }
}

/// Whether a file is preprocessed: its extension is in capitals, or it has directives.
fn is_preprocessed(file: &SourceFile) -> bool {
    let extension = file.path().rsplit_once('.').map_or("", |(_, last)| last);
    let has_directive = |line: &str| matches!(directive(line), Some(found) if !matches!(found, PreprocessorDirective::Other));
    extension.starts_with('F')
        || extension.eq_ignore_ascii_case("fpp")
        || file.text().lines().any(has_directive)
}

fn malformed_directive(span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic {
        code: "malformed-directive",
        severity: Severity::Error,
        message,
        labels: vec![label(span)],
        help: Some(help.to_owned()),
        sizes: Vec::new(),
    }
}

fn label(span: Span) -> Label {
    Label {
        span,
        text: String::new(),
    }
}

struct Expander<'a> {
    sources: &'a mut SourceMap,
    options: &'a Options,
    files: &'a dyn Files,
    preprocessor: Preprocessor,
    out: ExpandedText,
    /// The paths of the files that are being read.
    open: Vec<String>,
    n_includes: usize,
    /// Whether the text has reached its maximum size, or includes their maximum number.
    is_exhausted: bool,
}

impl Expander<'_> {
    fn file(&mut self, file: FileId, depth: usize) {
        let source = self.sources.file(file);
        let text = source.text().to_owned();
        self.open.push(source.path().to_owned());
        let mut offset = 0;
        // Unchanged lines form one run.
        let mut pending = 0;
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next().filter(|_| !self.is_exhausted) {
            let start = offset;
            offset += line.len();
            let is_plain = !line.starts_with('#')
                && self.preprocessor.is_active()
                && !self.preprocessor.changes(line)
                && include_name(line).is_none();
            if is_plain {
                continue;
            }
            self.copy(file, &text, pending, start);
            pending = offset;
            let span = span(file, start, start + line.trim_end().len());
            if line.starts_with('#') {
                let mut whole = line.trim_end().to_owned();
                while whole.ends_with('\\')
                    && let Some(next) = lines.next()
                {
                    whole.pop();
                    whole.push_str(next.trim_end());
                    offset += next.len();
                    self.out.text.push('\n');
                }
                pending = offset;
                self.directive(&whole, span, depth);
                self.out.text.push('\n');
            } else if !self.preprocessor.is_active() {
                self.out.text.push('\n');
            } else if let Some(name) = include_name(line) {
                self.include(name, span, depth);
            } else {
                self.expanded_line(file, line, start);
            }
        }
        self.copy(file, &text, pending, offset);
        if !self.out.text.ends_with('\n') {
            self.out.text.push('\n');
        }
        self.open.pop();
    }

    /// Copies part of a file unchanged.
    fn copy(&mut self, file: FileId, text: &str, start: usize, end: usize) {
        if start < end && self.has_room(end - start, span(file, start, end)) {
            let at = self.out.text.len();
            self.out.text.push_str(&text[start..end]);
            self.run(at, span(file, start, end), true);
        }
    }

    fn run(&mut self, start: usize, span: Span, copied: bool) {
        self.out.runs.push(Run {
            start,
            end: self.out.text.len(),
            span,
            copied,
        });
    }

    /// Whether the text may grow by so many bytes; if not, the first such place is reported.
    fn has_room(&mut self, more: usize, at: Span) -> bool {
        let has_room = self.out.text.len() + more <= MAX_TEXT;
        if !has_room {
            let limit = format!("{MAX_TEXT} bytes of text with all includes and macros");
            self.exhaust(&limit, at);
        }
        has_room && !self.is_exhausted
    }

    /// Stops reading because of a limit.
    fn exhaust(&mut self, limit: &str, at: Span) {
        if !self.is_exhausted {
            self.is_exhausted = true;
            let message = format!("the budget ran out: {limit}; what follows is not read");
            let help = "include fewer files, or analyse parts of the file by themselves";
            self.skip_text("budget-exhausted", message, help, at);
        }
    }

    /// Reports text that is not read, and marks its place.
    fn skip_text(&mut self, code: &'static str, message: String, help: &str, at: Span) {
        self.out.diagnostics.push(Diagnostic {
            code,
            severity: Severity::Error,
            message,
            labels: vec![label(at)],
            help: Some(help.to_owned()),
            sizes: Vec::new(),
        });
        let start = self.out.text.len();
        self.out.text.push_str(TEXT_NOT_READ);
        self.run(start, at, false);
    }

    /// Adds a line with macros replaced.
    fn expanded_line(&mut self, file: FileId, line: &str, start: usize) {
        let whole = span(file, start, start + line.trim_end().len());
        let Some(pieces) = self.preprocessor.expand_line(line) else {
            let message = format!(
                "the budget ran out: {MAX_REPLACEMENTS} macro replacements and {MAX_LINE} bytes in one line; the line is not read"
            );
            let help = "shorten the macros that the line uses";
            return self.skip_text("budget-exhausted", message, help, whole);
        };
        for piece in pieces {
            if !self.has_room(piece.text.len(), whole) {
                return;
            }
            let at = self.out.text.len();
            self.out.text.push_str(&piece.text);
            let place = span(file, start + piece.start, start + piece.end);
            self.run(at, place, !piece.is_replacement);
        }
    }

    fn directive(&mut self, line: &str, span: Span, depth: usize) {
        let result = self.preprocessor.directive(line, span);
        match result {
            Ok(()) => {}
            Err(message) => {
                let help = "the line is read over; write the directive as C has it";
                let malformed = malformed_directive(span, message, help);
                self.out.diagnostics.push(malformed);
            }
        }
        if self.preprocessor.is_active()
            && let Some(PreprocessorDirective::Include(name)) = directive(line)
        {
            let name = name.trim_matches(['"', '<', '>']).to_owned();
            self.include(&name, span, depth);
        }
    }

    fn include(&mut self, name: &str, at: Span, depth: usize) {
        let includer = self.sources.file(at.file).path().to_owned();
        let folder = includer.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folders =
            std::iter::once(folder).chain(self.options.include_dirs.iter().map(String::as_str));
        let paths: Vec<String> = folders.map(|folder| join(folder, name)).collect();
        if depth >= MAX_DEPTH {
            let message =
                format!("`{name}` is included {MAX_DEPTH} files deep, and not read there");
            let help = "include files less deep";
            return self.skip_text("include-depth", message, help, at);
        }
        self.n_includes += 1;
        if MAX_INCLUDES < self.n_includes {
            let limit = format!("{MAX_INCLUDES} includes in one file");
            return self.exhaust(&limit, at);
        }
        let mut refusal = None;
        for path in paths {
            if self.open.contains(&path) {
                let message = format!("`{name}` includes itself, and is not read again");
                let help = "remove the include; the rest of the file is read";
                return self.skip_text("include-depth", message, help, at);
            }
            let bytes = self.files.read(&path);
            if let Err(error) = &bytes
                && error.is_refusal()
            {
                refusal.get_or_insert_with(|| format!("`{name}` is not read: `{path}`: {error}"));
            }
            if let Ok(bytes) = bytes
                && let Some(file) = self.sources.add(path, bytes)
            {
                return self.file(file, depth + 1);
            }
        }
        if refusal.is_none() && self.include_nearby((name, &includer), at, depth) {
            return;
        }
        let message = refusal.unwrap_or_else(|| format!("`{name}` is not there"));
        self.missing("missing-header", message, at);
    }

    /// Reads an included file that is found by its name alone; of several that fit equally well, the first.
    fn include_nearby(&mut self, (name, includer): (&str, &str), at: Span, depth: usize) -> bool {
        let nearby = self.options.nearby.clone();
        let fitting = nearby.fitting(name, includer);
        let Some((path, others)) = fitting.split_first() else {
            return false;
        };
        if self.open.iter().any(|open| open == path) {
            return false;
        }
        let Ok(bytes) = self.files.read(path) else {
            return false;
        };
        let Some(file) = self.sources.add((*path).to_owned(), bytes) else {
            return false;
        };
        let others = match others {
            [] => String::new(),
            _ => format!(", the first of those that fit: {}", fitting.join(", ")),
        };
        self.out.diagnostics.push(Diagnostic {
            code: "header-by-name",
            severity: Severity::Note,
            message: format!("`{name}` was found by its name alone: `{path}`{others}"),
            labels: vec![label(at)],
            help: Some("-I DIR names a folder to look for included files in".to_owned()),
            sizes: Vec::new(),
        });
        self.file(file, depth + 1);
        true
    }

    fn missing(&mut self, code: &'static str, message: String, at: Span) {
        self.out.diagnostics.push(Diagnostic {
            code,
            severity: Severity::Warning,
            message,
            labels: vec![label(at)],
            help: Some("give its folder with -I; what it declares has implicit types".to_owned()),
            sizes: Vec::new(),
        });
        self.out.text.push('\n');
    }
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    let narrow = |x: usize| u32::try_from(x).unwrap_or(u32::MAX);
    Span {
        file,
        start: narrow(start),
        end: narrow(end),
    }
}

/// The file name of an `INCLUDE 'name'` line.
fn include_name(line: &str) -> Option<&str> {
    let rest = line.trim();
    let word = rest.get(..7)?;
    if !word.eq_ignore_ascii_case("include") {
        return None;
    }
    let rest = rest[7..].trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let rest = &rest[1..];
    rest.find(quote).map(|end| &rest[..end])
}

fn join(folder: &str, name: &str) -> String {
    let name = name.trim_start_matches("./");
    match folder {
        "" | "." => name.to_owned(),
        _ if name.starts_with('/') => name.to_owned(),
        folder => format!("{}/{name}", folder.trim_end_matches('/')),
    }
}
