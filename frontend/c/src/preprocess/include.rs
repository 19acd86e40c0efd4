//! `#include`: finds the file, and decides whether it must be read again.

use super::directives;
use super::expand;
use super::preamble_reuse;

use premiss_source::{FileId, Severity, Span};

use super::budget::Limit;
use super::by_name;
use super::header_files::{Header, ResolvedHeader, add_file, includer, user_file};
use super::headers;
use super::report::Finding;
use super::state::{Guard, HeaderRole, Preprocessor, Reader};
use super::templates::find_template;
use super::token::{Kind, Name, Token};

/// The work in tokens that opening a file counts as, so that empty files are not free.
const COST_OF_FILE: usize = 64;

/// Includes the header named by the rest of the line.
pub(super) fn include(ctx: &mut Preprocessor, directive: &str, place: Span) {
    let header = header_of_line(ctx, place);
    directives::end_line(ctx);
    let Some((header, span)) = header else {
        return ctx.malformed_directive("a header name is missing", place);
    };
    let place = place.cover(span);
    ctx.refusal = None;
    let found = match directive {
        "include_next" => find_next(ctx, &header),
        _ => find(ctx, &header),
    };
    let found = found
        .or_else(|| by_name::find_nearby(ctx, &header, place))
        .or_else(|| find_template(ctx, &header, place));
    let Some(found) = found else {
        return missing_header(ctx, &header, place);
    };
    if directive == "import" {
        ctx.once.insert(found.file);
    }
    enter(ctx, &found, place);
}

/// `__has_include ( … )`: whether the header exists, and the number of tokens consumed.
pub(super) fn has_include(ctx: &mut Preprocessor, rest: &[Token]) -> Option<(bool, usize)> {
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
        inner = expand::expand_line(ctx, inner);
    }
    let header = header_of_tokens(ctx, &inner)?;
    Some((find(ctx, &header).is_some(), close + 1))
}

fn header_of_line(ctx: &mut Preprocessor, place: Span) -> Option<(Header, Span)> {
    let reader = ctx.readers.last_mut()?;
    let text = ctx.sources.file(reader.lexer.file()).text();
    if let Some((name, span)) = reader.lexer.angled_header(text) {
        return Some((
            Header {
                name,
                quoted: false,
            },
            span,
        ));
    }
    let line = ctx.tokens_of_line();
    let span = line.last().map_or(place, |token| token.span);
    let is_string = line.first().is_some_and(|token| token.kind == Kind::String);
    let tokens = if is_string {
        line
    } else {
        expand::expand_line(ctx, line)
    };
    Some((header_of_tokens(ctx, &tokens)?, span))
}

/// The header that expanded tokens name: a string, or the text between `<` and `>`.
fn header_of_tokens(ctx: &Preprocessor, tokens: &[Token]) -> Option<Header> {
    let (first, rest) = tokens.split_first()?;
    let spelling = ctx.names.spelling(first.name);
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
        name.push_str(ctx.names.spelling(token.name));
    }
    Some(Header {
        name,
        quoted: false,
    })
}

/// The file of a header in the folders where headers are looked for.
pub(super) fn find(ctx: &mut Preprocessor, header: &Header) -> Option<ResolvedHeader> {
    if header.name.starts_with('/') {
        return user_file(ctx, &header.name);
    }
    if header.quoted {
        let beside = folder(includer(ctx));
        let folders = std::iter::once(beside.to_owned());
        let options = ctx.options;
        for dir in folders.chain(options.quote_dirs.iter().cloned()) {
            if let Some(found) = user_file(ctx, &join(&dir, &header.name)) {
                return Some(found);
            }
        }
    }
    find_in_folders(ctx, header, 0)
}

/// Enters the files that the command line includes before the main file, the first one last: files are read from the
/// top of the stack.
pub(super) fn enter_forced_includes(ctx: &mut Preprocessor) {
    let options = ctx.options;
    let start = Span {
        file: ctx.main,
        start: 0,
        end: 0,
    };
    for name in options.forced_includes.iter().rev() {
        ctx.refusal = None;
        let header = Header {
            name: name.clone(),
            quoted: true,
        };
        let found = user_file(ctx, name);
        match found.or_else(|| find_in_folders(ctx, &header, 0)) {
            Some(found) => enter(ctx, &found, start),
            None => missing_header(ctx, &header, start),
        }
    }
}

/// `#include_next`: continues the search after the directory in which the including file was found.
fn find_next(ctx: &mut Preprocessor, header: &Header) -> Option<ResolvedHeader> {
    let path = includer(ctx);
    let here = ctx
        .options
        .include_dirs
        .iter()
        .position(|dir| path == join(dir, &header.name));
    find_in_folders(ctx, header, here.map_or(0, |idx| idx + 1))
}

fn find_in_folders(
    ctx: &mut Preprocessor,
    header: &Header,
    first: usize,
) -> Option<ResolvedHeader> {
    let options = ctx.options;
    for dir in options.include_dirs.iter().skip(first) {
        if let Some(found) = user_file(ctx, &join(dir, &header.name)) {
            return Some(found);
        }
    }
    let text = headers::text(&header.name)?;
    let path = format!("<{}>", header.name);
    let file = match ctx.cache.by_path.get(&path) {
        Some(file) => file.clone().ok()?,
        None => add_file(ctx, path, Ok(text.as_bytes().to_vec())).ok()?,
    };
    Some(ResolvedHeader {
        file,
        role: HeaderRole::BuiltIn,
    })
}

fn enter(ctx: &mut Preprocessor, found: &ResolvedHeader, place: Span) {
    if is_guarded(ctx, found.file) || preamble_reuse::resume_after(ctx, found.file) {
        return;
    }
    let limit = Limit::IncludeDepth;
    if ctx.readers.len() >= limit.value() {
        ctx.report.add_once(Finding {
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
    let length = ctx.sources.file(found.file).text().len();
    if let Err(limit) = ctx.budget.enter_header(length) {
        return leave_out(ctx, limit, place);
    }
    ctx.budget.charge_reading(COST_OF_FILE + length / 16);
    ctx.entered.insert(found.file);
    ctx.readers.push(Reader::new(found.file, found.role));
}

/// Leaves out a header because of a limit on all headers; the first one is reported.
fn leave_out(ctx: &mut Preprocessor, limit: Limit, place: Span) {
    if !ctx.budget.leave_out_header() {
        return;
    }
    ctx.report.add(Finding {
        code: "include-limit",
        severity: Severity::Warning,
        message: format!(
            "this header and all after it are left out: the limit of {} {} is reached",
            limit.value(),
            limit.unit()
        ),
        span: Some(place),
        help: Some("an include guard, or `#pragma once`, keeps a header from being read again"),
    });
}

/// Whether reading the file would have no effect: its guard is defined, or it has `#pragma once` and was read,
/// possibly under another path.
fn is_guarded(ctx: &Preprocessor, file: FileId) -> bool {
    let guard = ctx.guards.get(&file);
    if guard.is_some_and(|guard| ctx.macros.get(*guard).is_some()) {
        return true;
    }
    let text = ctx.sources.file(file).text();
    ctx.once.iter().any(|&other| {
        let same = other == file || ctx.sources.file(other).text() == text;
        same && ctx.entered.contains(&other)
    })
}

/// Returns to the including file; false if there is none.
pub(super) fn leave_file(ctx: &mut Preprocessor) -> bool {
    let Some(mut reader) = ctx.readers.pop() else {
        return false;
    };
    for flaw in std::mem::take(&mut reader.lexer.flaws) {
        ctx.flaw(flaw);
    }
    for condition in &reader.conditions {
        ctx.malformed_directive("`#if` has no `#endif`", condition.span);
    }
    if let Guard::Closed(name) = reader.guard {
        ctx.guards.insert(reader.lexer.file(), name);
    }
    preamble_reuse::keep_preamble(ctx, reader.lexer.file());
    !ctx.readers.is_empty()
}

fn missing_header(ctx: &mut Preprocessor, header: &Header, place: Span) {
    preamble_reuse::end_preamble(ctx);
    if !ctx.missing.insert(header.name.clone()) {
        return;
    }
    let refusal = ctx.refusal.take();
    let severity = match headers::is_standard(&header.name) && refusal.is_none() {
        true => Severity::Note,
        false => Severity::Warning,
    };
    let why = refusal.map_or_else(
        || "was not found".to_owned(),
        |why| format!("is not read: {why}"),
    );
    ctx.report.add(Finding {
        code: "missing-header",
        severity,
        message: format!("the header {header} {why}; what it declares is unknown"),
        span: Some(place),
        help: Some("-I DIR names a folder to look for headers in"),
    });
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(
        "",
        |(folder, _)| if folder.is_empty() { "/" } else { folder },
    )
}

/// A path in a directory, without leading `.` components.
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
