//! Headers that a build makes of templates: `config.h` of `config.h.in`, with the answers of Linux with glibc.
//!
//! ```text
//! #undef HAVE_STRDUP                        #define HAVE_STRDUP 1
//! #cmakedefine HAVE_STRDUP                  #define HAVE_STRDUP 1
//! #cmakedefine01 HAVE_WIDGETS               #define HAVE_WIDGETS 0
//! #cmakedefine HAVE_WIDGETS @HAVE_WIDGETS@  nothing: no answer is known
//! #define WIDTH @WIDTH@                     nothing
//! @DEFINE_WIDTH@                            nothing
//! #define VERSION "@VERSION@"               as it stands: a text
//! ```

use super::by_name;
use super::configure_answers::answer;
use super::header_files::{Header, ResolvedHeader};
use super::include::find;
use super::report::Finding;
use super::state::{HeaderRole, Preprocessor};
use premiss_source::{FileId, Severity, Span};

/// What the names of templates end with behind the name of the header, or behind it without `.h`.
const ENDS: [&str; 5] = [".in", ".cmake", ".cmake.in", ".cmakein", ".meson"];

/// The header that a build would make of a template, if there is one for it.
pub(super) fn find_template(
    ctx: &mut Preprocessor,
    header: &Header,
    place: Span,
) -> Option<ResolvedHeader> {
    let stem = header.name.strip_suffix(".h").unwrap_or(&header.name);
    let names = [header.name.as_str(), stem].into_iter();
    let mut names = names.flat_map(|name| ENDS.map(|end| format!("{name}{end}")));
    let template = names.find_map(|name| {
        let template = Header {
            name,
            quoted: header.quoted,
        };
        find(ctx, &template).or_else(|| by_name::nearest(ctx, &template))
    })?;
    if ctx.by_name.insert(header.name.clone()) {
        report(ctx, header, template.file, place);
    }
    Some(ResolvedHeader {
        file: filled_file(ctx, template.file)?,
        role: HeaderRole::User,
    })
}

/// The file with the text that the build would make of a template.
fn filled_file(ctx: &mut Preprocessor, template: FileId) -> Option<FileId> {
    if let Some(file) = ctx.cache.filled_templates.get(&template) {
        return Some(*file);
    }
    let file = ctx.sources.file(template);
    let (path, text) = (file.path().to_owned(), filled(file.text()));
    let made = ctx.sources.add(path, text.into_bytes())?;
    ctx.cache.filled_templates.insert(template, made);
    Some(made)
}

fn report(ctx: &mut Preprocessor, header: &Header, template: FileId, place: Span) {
    let path = ctx.sources.file(template).path();
    let message = format!(
        "the header {header} is one that the build makes; `{path}` was read with the headers, functions and sizes of \
         types that Linux with glibc has, and with nothing else defined"
    );
    ctx.report.add(Finding {
        code: "header-template",
        severity: Severity::Note,
        message,
        span: Some(place),
        help: Some("-I DIR names a folder with the header that was made"),
    });
}

/// The text of the header, with as many lines as the template has.
fn filled(template: &str) -> String {
    let lines = template.lines().map(filled_line);
    lines.collect::<Vec<String>>().join("\n") + "\n"
}

fn filled_line(line: &str) -> String {
    let Some((directive, rest)) = directive(line) else {
        return match has_question(line) {
            true => String::new(),
            false => line.to_owned(),
        };
    };
    let name_end = rest.find(|it| !is_name_part(it)).unwrap_or(rest.len());
    let (name, value) = rest.split_at(name_end);
    match (directive, answer(name)) {
        ("undef" | "cmakedefine", Some(known)) => format!("#define {name} {known}"),
        ("cmakedefine01", known) => {
            let known = known.unwrap_or_else(|| "0".to_owned());
            format!("#define {name} {known}")
        }
        ("define", Some(known)) if has_question(value) => format!("#define {name} {known}"),
        ("define", None) if has_question(value) => String::new(),
        ("cmakedefine", None) => String::new(),
        _ => line.to_owned(),
    }
}

/// The name of a directive, and what stands behind it.
fn directive(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start().strip_prefix('#')?.trim_start();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    Some((&line[..end], line[end..].trim_start()))
}

/// Whether `@NAME@` or `${NAME}` stands in a text, and not within a string.
fn has_question(text: &str) -> bool {
    let mut outside = text.split('"').step_by(2);
    outside.any(|part| {
        let mut between = part.split('@').skip(1);
        let is_name = |it: &str| !it.is_empty() && it.chars().all(is_name_part);
        part.contains("${") || (part.matches('@').count() > 1 && between.any(is_name))
    })
}

/// Whether a character is a part of names.
pub(super) fn is_name_part(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn questions_are_answered_or_left_out() {
        let lines = [
            ("#undef HAVE_STRDUP", "#define HAVE_STRDUP 1"),
            ("# undef HAVE_WIDGETS", "# undef HAVE_WIDGETS"),
            ("#cmakedefine HAVE_STRDUP 1", "#define HAVE_STRDUP 1"),
            ("#cmakedefine HAVE_WIDGETS @HAVE_WIDGETS@", ""),
            ("#cmakedefine01 HAVE_STRDUP", "#define HAVE_STRDUP 1"),
            ("  #cmakedefine01 HAVE_WIDGETS", "#define HAVE_WIDGETS 0"),
            ("#define SIZEOF_LONG @SIZEOF_LONG@", "#define SIZEOF_LONG 8"),
            ("#define WIDTH ${WIDTH}", ""),
            (
                "#define VERSION \"@VERSION@\"",
                "#define VERSION \"@VERSION@\"",
            ),
            ("@DEFINE_WIDTH@", ""),
            ("typedef @TYPE@ number;", ""),
            (
                "int f (void); /* me@here.org */",
                "int f (void); /* me@here.org */",
            ),
            ("", ""),
        ];
        for (template, made) in lines {
            assert_eq!(filled(template), format!("{made}\n"), "{template}");
        }
        assert_eq!(filled("a\n@X@\nb"), "a\n\nb\n");
    }
}
