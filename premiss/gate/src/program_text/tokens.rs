//! The tokens of a text in any of the languages, as far as their boundaries matter for comparing texts.

use premiss_source::{CommentSyntax, commented};
use std::borrow::Cow;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SourceToken<'s> {
    /// Its text; in Fortran, in lower case if it is no literal.
    pub(super) text: Cow<'s, str>,
    /// The offset of its first byte.
    pub(super) at: u32,
    /// Whether it is the first one of its line.
    pub(super) starts_line: bool,
}

impl SourceToken<'_> {
    /// Whether this is its text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether it is a name or keyword.
    pub(super) fn is_name(&self) -> bool {
        self.text
            .starts_with(|x: char| x.is_alphabetic() || x == '_')
    }
}

/// The tokens of a text: words, numbers, literals, and single punctuation characters.
pub(super) fn tokens(text: &str, syntax: CommentSyntax) -> Vec<SourceToken<'_>> {
    let code = commented(text, syntax).code;
    let mut tokens = Vec::new();
    let (mut at, mut starts_line) = (0, true);
    while at < code.len() {
        if code[at].is_ascii_whitespace() {
            starts_line |= code[at] == b'\n';
            at += 1;
            continue;
        }
        let end = at + length(&code[at..]);
        if let Some(text) = text.get(at..end) {
            let is_literal = text.starts_with(['"', '\'']);
            let text = match syntax.is_fortran() && !is_literal {
                true => Cow::Owned(text.to_ascii_lowercase()),
                false => Cow::Borrowed(text),
            };
            tokens.push(SourceToken {
                text,
                at: u32::try_from(at).unwrap_or(u32::MAX),
                starts_line,
            });
        }
        starts_line = false;
        at = end;
    }
    tokens
}

/// The length of the token at the start of a text; the contents of literals are `_` in it.
fn length(code: &[u8]) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || 128 <= *byte;
    let word = code.iter().take_while(|byte| is_part(byte)).count();
    match code[0] {
        quote @ (b'"' | b'\'') => {
            let inside = code[1..].iter().take_while(|byte| **byte == b'_').count();
            let is_closed = code.get(1 + inside) == Some(&quote);
            1 + if is_closed { inside + 1 } else { 0 }
        }
        _ => word.max(1),
    }
}
