//! Finds the comments of a text, and the text without them.
//!
//! Lexers discard comments, so they are found separately here. The text need not be correct: only the starts and ends
//! of comments and literals matter.

use crate::source_form::is_free_form;
use std::ops::Range;

/// The comment syntax of a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentSyntax {
    /// `//` and `/* */`.
    C,
    /// `//` and `/* */`, nested.
    Rust,
    /// `!` to the end of the line.
    FreeFortran,
    /// `!` to the end of the line, and lines with `C`, `c`, `D`, `d` or `*` in column 1.
    FixedFortran,
}

/// The comments of a text, and the text without them.
#[derive(Debug)]
pub struct Commented {
    /// The byte ranges of the comments, including their delimiters, in order.
    pub comments: Vec<Range<usize>>,
    /// The text with blanks instead of comments and `_` instead of the contents of literals; it has the same length
    /// and line breaks.
    pub code: Vec<u8>,
}

impl CommentSyntax {
    /// The syntax of a file by the extension of its name; C if it is unknown. A file of Fortran whose extension says
    /// fixed form is in free form if its text is.
    pub fn of_file(path: &str, text: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "rs" => Self::Rust,
            "f" | "for" | "ftn" | "fpp" | "f77" if is_free_form(text) => Self::FreeFortran,
            "f" | "for" | "ftn" | "fpp" | "f77" => Self::FixedFortran,
            "f90" | "f95" | "f03" | "f08" | "f18" => Self::FreeFortran,
            _ => Self::C,
        }
    }

    /// Whether it is that of Fortran, in free or fixed form.
    pub fn is_fortran(self) -> bool {
        matches!(self, Self::FreeFortran | Self::FixedFortran)
    }
}

/// Finds the comments of a text in a language with this syntax.
pub fn commented(text: &str, syntax: CommentSyntax) -> Commented {
    let mut scanner = Scanner {
        text: text.as_bytes(),
        syntax,
        at: 0,
        comments: Commented {
            comments: Vec::new(),
            code: text.as_bytes().to_vec(),
        },
    };
    while scanner.at < scanner.text.len() {
        scanner.step();
    }
    scanner.comments
}

struct Scanner<'a> {
    text: &'a [u8],
    syntax: CommentSyntax,
    at: usize,
    comments: Commented,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let length = match self.syntax {
            CommentSyntax::C | CommentSyntax::Rust if rest.starts_with(b"//") => {
                self.line_comment(rest)
            }
            CommentSyntax::C if rest.starts_with(b"/*") => end_of(rest, 2, b"*/"),
            CommentSyntax::Rust if rest.starts_with(b"/*") => nested(rest),
            CommentSyntax::FixedFortran if self.is_comment_line(rest) => line(rest),
            CommentSyntax::FreeFortran | CommentSyntax::FixedFortran if rest.starts_with(b"!") => {
                line(rest)
            }
            _ => return self.code(rest),
        };
        let range = self.at..self.at + length;
        self.blank(range.clone(), b' ');
        self.comments.comments.push(range);
        self.at += length;
    }

    /// The length of a comment to the end of the line; in C, a `\` before the line break continues it.
    fn line_comment(&self, rest: &[u8]) -> usize {
        let mut length = line(rest);
        while self.syntax == CommentSyntax::C
            && rest[..length].trim_ascii_end().ends_with(b"\\")
            && length < rest.len()
        {
            length += 1 + line(&rest[length + 1..]);
        }
        length
    }

    fn is_comment_line(&self, rest: &[u8]) -> bool {
        let starts_line = self.at == 0 || self.text[self.at - 1] == b'\n';
        starts_line && matches!(rest.first(), Some(b'C' | b'c' | b'D' | b'd' | b'*'))
    }

    /// A literal, or a single character of code.
    fn code(&mut self, rest: &[u8]) {
        let length = match (self.syntax, rest[0]) {
            (CommentSyntax::Rust, b'\'') if !is_character(rest) => 1,
            (CommentSyntax::Rust, b'r') => {
                raw_literal(rest, self.at.checked_sub(1).map(|x| self.text[x]))
            }
            (CommentSyntax::C | CommentSyntax::Rust, quote @ (b'"' | b'\'')) => {
                escaped(rest, quote, self.syntax == CommentSyntax::Rust)
            }
            (_, quote @ (b'"' | b'\'')) => {
                let end = rest[1..].iter().position(|x| *x == quote || *x == b'\n');
                end.map_or(rest.len(), |end| end + 2)
            }
            _ => 1,
        };
        if 2 < length {
            self.blank(self.at + 1..self.at + length - 1, b'_');
        }
        self.at += length;
    }

    fn blank(&mut self, range: Range<usize>, with: u8) {
        for byte in &mut self.comments.code[range] {
            if *byte != b'\n' {
                *byte = with;
            }
        }
    }
}

/// The length of a line without its line break.
fn line(rest: &[u8]) -> usize {
    let end = rest.iter().position(|x| *x == b'\n');
    end.unwrap_or(rest.len())
}

/// The length up to and including a delimiter after some bytes.
fn end_of(rest: &[u8], after: usize, mark: &[u8]) -> usize {
    let mut windows = rest[after..].windows(mark.len());
    let found = windows.position(|x| x == mark);
    found.map_or(rest.len(), |x| after + x + mark.len())
}

fn nested(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of a literal with `\` escapes; in C, it ends with the line.
fn escaped(rest: &[u8], quote: u8, has_lines: bool) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'\n' if !has_lines => return at,
            x if x == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// Whether `'` begins a character literal of Rust rather than a lifetime.
fn is_character(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(x) if x.is_ascii() => rest.get(2) == Some(&b'\''),
        Some(_) => true,
        None => false,
    }
}

/// The length of `r"…"` and `r#"…"#`; 1 if there is no such literal.
fn raw_literal(rest: &[u8], before: Option<u8>) -> usize {
    let is_in_name = before.is_some_and(|x| x != b'b' && (x.is_ascii_alphanumeric() || x == b'_'));
    let n_marks = rest[1..].iter().take_while(|x| **x == b'#').count();
    if is_in_name || rest.get(1 + n_marks) != Some(&b'"') {
        return 1;
    }
    let mut end = vec![b'"'];
    end.extend(std::iter::repeat_n(b'#', n_marks));
    end_of(rest, n_marks + 2, &end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(syntax: CommentSyntax, text: &str, expected: &[&str]) {
        let found = commented(text, syntax);
        let comments: Vec<&str> = found.comments.iter().map(|x| &text[x.clone()]).collect();
        assert_eq!(comments, expected, "{text}");
    }

    #[test]
    fn comments_end_where_the_language_says() {
        check(
            CommentSyntax::C,
            "a; // x\nb /* y\n// z */ c",
            &["// x", "/* y\n// z */"],
        );
        check(
            CommentSyntax::C,
            "s = \"// no\"; c = '\"'; // yes",
            &["// yes"],
        );
        check(
            CommentSyntax::C,
            "s = \"\\\"//\"; // \\\n still\nx",
            &["// \\\n still"],
        );
        check(
            CommentSyntax::Rust,
            "/* a /* b */ c */ d",
            &["/* a /* b */ c */"],
        );
        check(
            CommentSyntax::Rust,
            "fn f<'a>(x: &'a str) { '\"'; r#\"//\"# } // e",
            &["// e"],
        );
        check(
            CommentSyntax::FreeFortran,
            "s = 'it''s ! no' ! yes\n",
            &["! yes"],
        );
        check(
            CommentSyntax::FixedFortran,
            "C one\n      X = 1 ! two\n* three\n      C = 2\n",
            &["C one", "! two", "* three"],
        );
    }

    #[test]
    fn code_keeps_its_places() {
        let found = commented("f(\"}\"); // }\n/* { */ g", CommentSyntax::C);
        let code = String::from_utf8(found.code).expect("it was text");
        assert_eq!(code, "f(\"_\");     \n        g");
    }
}
