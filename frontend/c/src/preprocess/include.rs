//! `#include`: which file is meant, and whether it is to be read again.

use std::fmt;

use premiss_source::{FileId, Severity, Span};

use super::budget::Limit;
use super::directives::Guard;
use super::report::Finding;
use super::token::{Kind, Name, Token};
use super::{Preprocessor, Reader, headers};

/// Tokens that opening a file counts for, so that files without tokens are not free.
const COST_OF_FILE: usize = 64;

/// The header that a directive names.
struct Header {
    name: String,
    /// `"…"`: looked for beside the including file first.
    quoted: bool,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.quoted {
            true => write!(f, "\"{}\"", self.name),
            false => write!(f, "<{}>", self.name),
        }
    }
}

/// A file that an `#include` stands for.
struct Found {
    file: FileId,
    builtin: bool,
}

impl Preprocessor<'_> {
    /// Reads the header that the rest of the line names.
    pub(super) fn include(&mut self, directive: &str, place: Span) {
        let header = self.header_of_line(place);
        self.end_line();
        let Some((header, span)) = header else {
            return self.malformed_directive("a header name is missing", place);
        };
        let place = place.cover(span);
        let found = match directive {
            "include_next" => self.find_next(&header),
            _ => self.find(&header),
        };
        let found = found.or_else(|| self.find_nearby(&header, place));
        let Some(found) = found else {
            return self.missing_header(&header, place);
        };
        if directive == "import" {
            self.once.insert(found.file);
        }
        self.enter(&found, place);
    }

    /// `__has_include ( … )`: whether the header is there, and how many tokens that takes.
    pub(super) fn has_include(&mut self, rest: &[Token]) -> Option<(bool, usize)> {
        if !rest.first()?.is(Name::LEFT_PARENTHESIS) {
            return None;
        }
        let close = rest
            .iter()
            .position(|token| token.is(Name::RIGHT_PARENTHESIS))?;
        let mut inner = rest[1..close].to_vec();
        if inner
            .first()
            .is_some_and(|token| token.kind == Kind::Identifier)
        {
            inner = self.expand_line(inner);
        }
        let header = self.header_of_tokens(&inner)?;
        Some((self.find(&header).is_some(), close + 1))
    }

    fn header_of_line(&mut self, place: Span) -> Option<(Header, Span)> {
        let reader = self.readers.last_mut()?;
        let text = self.sources.file(reader.lexer.file()).text();
        if let Some((name, span)) = reader.lexer.angled_header(text) {
            return Some((
                Header {
                    name,
                    quoted: false,
                },
                span,
            ));
        }
        let line = self.tokens_of_line();
        let span = line.last().map_or(place, |token| token.span);
        let is_string = line.first().is_some_and(|token| token.kind == Kind::String);
        let tokens = if is_string {
            line
        } else {
            self.expand_line(line)
        };
        Some((self.header_of_tokens(&tokens)?, span))
    }

    /// The header that expanded tokens name: a string, or what stands between `<` and `>`.
    fn header_of_tokens(&self, tokens: &[Token]) -> Option<Header> {
        let (first, rest) = tokens.split_first()?;
        let spelling = self.names.spelling(first.name);
        if first.kind == Kind::String {
            let name = spelling.strip_prefix('"')?.strip_suffix('"')?.to_owned();
            return Some(Header { name, quoted: true });
        }
        if !first.is(Name::LESS) {
            return None;
        }
        let length = rest.iter().position(|token| token.is(Name::GREATER))?;
        let mut name = String::new();
        for token in &rest[..length] {
            if token.space && !name.is_empty() {
                name.push(' ');
            }
            name.push_str(self.names.spelling(token.name));
        }
        Some(Header {
            name,
            quoted: false,
        })
    }

    fn find(&mut self, header: &Header) -> Option<Found> {
        if header.name.starts_with('/') {
            return self.written(&header.name);
        }
        if header.quoted {
            let beside = folder(self.includer());
            let folders = std::iter::once(beside.to_owned());
            let options = self.options;
            for dir in folders.chain(options.quote_dirs.iter().cloned()) {
                if let Some(found) = self.written(&join(&dir, &header.name)) {
                    return Some(found);
                }
            }
        }
        self.find_in_folders(header, 0)
    }

    /// Enters the files that the command line includes before the main one, the first of them last:
    /// files are read from the end of the list on.
    pub(super) fn enter_forced_includes(&mut self) {
        let options = self.options;
        let start = Span {
            file: self.main,
            start: 0,
            end: 0,
        };
        for name in options.forced_includes.iter().rev() {
            let header = Header {
                name: name.clone(),
                quoted: true,
            };
            let found = self.written(name);
            match found.or_else(|| self.find_in_folders(&header, 0)) {
                Some(found) => self.enter(&found, start),
                None => self.missing_header(&header, start),
            }
        }
    }

    /// `#include_next`: goes on after the folder that the including file was found in.
    fn find_next(&mut self, header: &Header) -> Option<Found> {
        let path = self.includer();
        let here = self
            .options
            .include_dirs
            .iter()
            .position(|dir| path == join(dir, &header.name));
        self.find_in_folders(header, here.map_or(0, |idx| idx + 1))
    }

    fn find_in_folders(&mut self, header: &Header, first: usize) -> Option<Found> {
        let options = self.options;
        for dir in options.include_dirs.iter().skip(first) {
            if let Some(found) = self.written(&join(dir, &header.name)) {
                return Some(found);
            }
        }
        let text = headers::text(&header.name)?;
        let path = format!("<{}>", header.name);
        let file = match self.known.by_path.get(&path) {
            Some(&file) => file?,
            None => self.add_file(path, text.as_bytes().to_vec())?,
        };
        Some(Found {
            file,
            builtin: true,
        })
    }

    /// The file that a header's name means below the folders of the program, where no include path has
    /// the header.
    fn find_nearby(&mut self, header: &Header, place: Span) -> Option<Found> {
        if headers::is_standard(&header.name) {
            return None;
        }
        let nearby = &self.options.nearby;
        let path = nearby.meant(&header.name, self.includer())?.to_owned();
        let found = self.written(&path)?;
        if self.by_name.insert(header.name.clone()) {
            self.report.add(Finding {
                code: "header-by-name",
                severity: Severity::Note,
                message: format!("the header {header} was found by its name alone: `{path}`"),
                span: Some(place),
                help: Some("-I DIR names a folder to look for headers in"),
            });
        }
        Some(found)
    }

    /// The path of the file that is being read.
    fn includer(&self) -> &str {
        let file = self.readers.last().map(|reader| reader.lexer.file());
        file.map_or("", |file| self.sources.file(file).path())
    }

    /// The file of that path, as somebody wrote it.
    fn written(&mut self, path: &str) -> Option<Found> {
        let file = self.load(path)?;
        Some(Found {
            file,
            builtin: false,
        })
    }

    /// The file of that path, read at most once.
    fn load(&mut self, path: &str) -> Option<FileId> {
        if let Some(&known) = self.known.by_path.get(path) {
            return known;
        }
        match (self.load_bytes)(path) {
            Some(bytes) => self.add_file(path.to_owned(), bytes),
            None => {
                self.known.by_path.insert(path.to_owned(), None);
                None
            }
        }
    }

    fn add_file(&mut self, path: String, bytes: Vec<u8>) -> Option<FileId> {
        let file = self.sources.add(path.clone(), bytes);
        self.known.by_path.insert(path, file);
        file
    }

    fn enter(&mut self, found: &Found, place: Span) {
        if self.is_done(found.file) || self.goes_on_after(found.file) {
            return;
        }
        let limit = Limit::IncludeDepth;
        if self.readers.len() >= limit.value() {
            self.report.add(Finding {
                code: "include-depth",
                severity: Severity::Warning,
                message: format!(
                    "the header is left out: the limit of {} {} is reached",
                    limit.value(),
                    limit.unit()
                ),
                span: Some(place),
                help: Some("an include guard keeps a header from including itself"),
            });
            return;
        }
        let length = self.sources.file(found.file).text().len();
        self.budget.charge_reading(COST_OF_FILE + length / 16);
        self.entered.insert(found.file);
        self.readers.push(Reader::new(found.file, found.builtin));
    }

    /// Whether reading the file would add nothing: its guard is defined, or it has `#pragma once`
    /// and was read, perhaps under another path.
    fn is_done(&self, file: FileId) -> bool {
        let guard = self.guards.get(&file);
        if guard.is_some_and(|guard| self.macros.get(*guard).is_some()) {
            return true;
        }
        let text = self.sources.file(file).text();
        self.once.iter().any(|&other| {
            let same = other == file || self.sources.file(other).text() == text;
            same && self.entered.contains(&other)
        })
    }

    /// Goes back to the including file; false where there is none.
    pub(super) fn leave_file(&mut self) -> bool {
        let Some(mut reader) = self.readers.pop() else {
            return false;
        };
        for flaw in std::mem::take(&mut reader.lexer.flaws) {
            self.flaw(flaw);
        }
        for condition in &reader.conditions {
            self.malformed_directive("`#if` has no `#endif`", condition.span);
        }
        if let Guard::Closed(name) = reader.guard {
            self.guards.insert(reader.lexer.file(), name);
        }
        self.keep_beginning(reader.lexer.file());
        !self.readers.is_empty()
    }

    fn missing_header(&mut self, header: &Header, place: Span) {
        self.note_reading();
        if !self.missing.insert(header.name.clone()) {
            return;
        }
        let standard = headers::is_standard(&header.name);
        let severity = if standard {
            Severity::Note
        } else {
            Severity::Warning
        };
        self.report.add(Finding {
            code: "missing-header",
            severity,
            message: format!("the header {header} was not found; what it declares is unknown"),
            span: Some(place),
            help: Some("-I DIR names a folder to look for headers in"),
        });
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(
        "",
        |(folder, _)| if folder.is_empty() { "/" } else { folder },
    )
}

/// A path in a folder, without `.` steps at the start.
fn join(folder: &str, name: &str) -> String {
    let mut name = name;
    while let Some(rest) = name.strip_prefix("./") {
        name = rest;
    }
    match folder {
        "" | "." => name.to_owned(),
        folder => format!("{}/{name}", folder.strip_suffix('/').unwrap_or(folder)),
    }
}
