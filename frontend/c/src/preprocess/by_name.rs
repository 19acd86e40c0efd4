//! Headers that no include path has: found by name in the directories of the program, and reported.

use super::header_files::{Header, ResolvedHeader, includer, user_file};
use super::headers;
use super::report::Finding;
use super::state::Preprocessor;
use premiss_source::{FileId, Severity, Span, by_depth};

/// The file that a header name refers to in the directories of the program, if no include path has it: the best of
/// those that fit. Where others fit equally well and have another text, that is a guess, and a warning.
pub(super) fn find_nearby(
    ctx: &mut Preprocessor,
    header: &Header,
    place: Span,
) -> Option<ResolvedHeader> {
    if headers::is_standard(&header.name) {
        return None;
    }
    let nearby = &ctx.options.nearby;
    let fitting = by_depth(nearby.fitting(&header.name, includer(ctx)));
    let (path, rest) = fitting.split_first()?;
    let file = user_file(ctx, path)?;
    if ctx.by_name.insert(header.name.clone()) {
        let different = different(ctx, file.file, rest);
        report(ctx, header, (path, &different), place);
    }
    Some(file)
}

/// The best of the files that fit a header name in the directories of the program.
pub(super) fn nearest(ctx: &mut Preprocessor, header: &Header) -> Option<ResolvedHeader> {
    let nearby = &ctx.options.nearby;
    let fitting = by_depth(nearby.fitting(&header.name, includer(ctx)));
    user_file(ctx, fitting.first()?)
}

/// The files among `rest` that have another text than `file`, or cannot be read.
fn different<'r>(ctx: &mut Preprocessor, file: FileId, rest: &[&'r str]) -> Vec<&'r str> {
    let mut different = rest.to_vec();
    different.retain(|path| {
        let Some(alternative) = user_file(ctx, path) else {
            return true;
        };
        ctx.sources.file(alternative.file).text() != ctx.sources.file(file).text()
    });
    different
}

fn report(
    ctx: &mut Preprocessor,
    header: &Header,
    (path, different): (&str, &[&str]),
    place: Span,
) {
    let by_name = format!("the header {header} was found by its name alone: `{path}`");
    let (severity, message) = match different {
        [] => (Severity::Note, by_name),
        [one] => (
            Severity::Warning,
            format!("{by_name}; it may be `{one}` as well"),
        ),
        [one, rest @ ..] => (
            Severity::Warning,
            format!(
                "{by_name}; it may be `{one}` as well, or one of {} more",
                rest.len()
            ),
        ),
    };
    ctx.report.add(Finding {
        code: "header-by-name",
        severity,
        message,
        span: Some(place),
        help: Some("-I DIR names a folder to look for headers in"),
    });
}
