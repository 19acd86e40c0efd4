//! Directives: comments that are addressed to premiss.
//!
//! ```text
//! // premiss:assume n >= 8          what the author states about sizes and data
//! x[i] += y[j];                     // premiss:ignore[PM001] why
//! ```

use crate::{Commented, FileId, SourceFile, Span};

/// The mark that every directive begins with; case does not matter.
pub const MARK: &str = "premiss:";

/// A directive in a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// Its place, from the mark on.
    pub span: Span,
    /// The text after the mark: `assume n >= 8`.
    pub content: String,
    /// The line of the directive, counted from 1.
    pub own_line: u32,
    /// The line that it applies to, counted from 1: its own if that has code, else the next one with code. Lines that
    /// begin with `#` do not count as code.
    pub line: u32,
}

/// Whether a text contains the mark of a directive.
#[must_use]
pub fn has_directives(text: &str) -> bool {
    marks(text).next().is_some()
}

/// The rest of the text after each mark.
pub fn marks(text: &str) -> impl Iterator<Item = &str> {
    let colons = text.match_indices(':').map(|(at, _)| at + 1);
    let is_mark = |end: &usize| {
        let start = end.checked_sub(MARK.len());
        let word = start.map(|start| &text.as_bytes()[start..*end]);
        word.is_some_and(|word| word.eq_ignore_ascii_case(MARK.as_bytes()))
    };
    colons.filter(is_mark).map(|end| &text[end..])
}

/// The directives in the comments of a file, in order. `commented` must be the result of
/// [`commented`](crate::commented()) for the text of `source`.
#[must_use]
pub fn directives(file: FileId, source: &SourceFile, commented: &Commented) -> Vec<Directive> {
    let text = source.text();
    let mut found = Vec::new();
    let code_lines = code_lines(commented);
    for comment in &commented.comments {
        let mut start = comment.start;
        for line in text[comment.clone()].split_inclusive('\n') {
            if let Some((at, content)) = content(line) {
                let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                let span = Span {
                    file,
                    start: offset(start + at),
                    end: offset(start + at + MARK.len() + content.len()),
                };
                let own_line = source.position(span.start).line;
                found.push(Directive {
                    span,
                    content: content.to_owned(),
                    own_line,
                    line: line_of(&code_lines, own_line),
                });
            }
            start += line.len();
        }
    }
    found
}

/// The numbers of the lines that have code, in order.
fn code_lines(commented: &Commented) -> Vec<u32> {
    let lines = commented.code.split(|x| *x == b'\n');
    let codes = (1..).zip(lines).filter(|(_, line)| {
        let line = line.trim_ascii();
        !line.is_empty() && !line.starts_with(b"#")
    });
    codes.map(|(line, _)| line).collect()
}

/// The first line from `own` on that has code, or `own` if there is none.
fn line_of(code_lines: &[u32], own: u32) -> u32 {
    let first = code_lines.partition_point(|line| *line < own);
    code_lines.get(first).copied().unwrap_or(own)
}

/// The position of a directive in a line of a comment, with the text after its mark.
fn content(line: &str) -> Option<(usize, &str)> {
    // The first character of a comment in fixed form may be a letter.
    let is_mark = |x: char| x.is_whitespace() || matches!(x, '/' | '*' | '!');
    let behind = |line: &str| line.len() - line.trim_start_matches(is_mark).len();
    let mut at = behind(line);
    let is_card = |x: &char| matches!(x, 'C' | 'c' | 'D' | 'd');
    if at == 0 && line.starts_with(|x| is_card(&x)) {
        at = 1 + behind(&line[1..]);
    }
    let is_directive = line
        .get(at..at + MARK.len())
        .is_some_and(|x| x.eq_ignore_ascii_case(MARK));
    let content = line[at..].get(MARK.len()..).filter(|_| is_directive)?;
    let content = content.trim_end();
    Some((at, content.strip_suffix("*/").unwrap_or(content).trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directive_is_for_the_next_line_that_has_code() {
        let text = "\n// a\nx\n#if 0\n\ny // b\n// c\n";
        let commented = crate::commented(text, crate::CommentSyntax::C);
        let lines = code_lines(&commented);
        let found = [1, 2, 3, 4, 6, 6, 7].map(|own| line_of(&lines, own));
        assert_eq!(found, [3, 3, 3, 6, 6, 6, 7]);
    }

    #[test]
    fn directives_begin_comments() {
        for (line, expected) in [
            ("// premiss:assume n >= 8", Some((3, "assume n >= 8"))),
            ("/* premiss:assume n >= 8 */", Some((3, "assume n >= 8"))),
            ("!PREMISS:assume n >= 8\n", Some((1, "assume n >= 8"))),
            ("C premiss:assume n >= 8", Some((2, "assume n >= 8"))),
            (" * premiss:", Some((3, ""))),
            ("// see premiss:assume", None),
            ("// premise", None),
            ("// prémiss:assume", None),
        ] {
            assert_eq!(content(line), expected, "{line}");
        }
    }
}
