//! Writes the resulting tokens as text, and records the place of each.

use premiss_source::SourceMap;

use super::token::{Kind, Names, Token};
use premiss_ast::Run;

/// The text so far.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) text: String,
    pub(super) runs: Vec<Run>,
    last: Option<Token>,
}

/// A state of the output for a later [`Output::rewind`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    text: usize,
    runs: usize,
    last_run: Option<Run>,
    last: Option<Token>,
}

impl Output {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            text: self.text.len(),
            runs: self.runs.len(),
            last_run: self.runs.last().copied(),
            last: self.last,
        }
    }

    /// Discards what was written since the mark.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.runs.truncate(mark.runs);
        if let (Some(run), Some(last)) = (self.runs.last_mut(), mark.last_run) {
            *run = last;
        }
        self.last = mark.last;
    }

    /// Appends a token.
    pub(super) fn write(&mut self, token: Token, names: &Names, sources: &SourceMap) {
        let spelling = names.spelling(token.name);
        let written = !token.from_macro;
        let copied = written && spelling.len() == (token.span.end - token.span.start) as usize;
        if copied && self.extend_run(token, spelling, sources) {
            self.last = Some(token);
            return;
        }
        self.separate(token, spelling);
        let start = self.text.len();
        self.text.push_str(spelling);
        let end = self.text.len();
        match self.runs.last_mut() {
            Some(run) if !copied && !run.copied && run.span == token.span => run.end = end,
            _ => self.runs.push(Run {
                start,
                end,
                span: token.span,
                copied,
            }),
        }
        self.last = Some(token);
    }

    /// Extends the last run to this token, if only white space is between them in the file.
    fn extend_run(&mut self, token: Token, spelling: &str, sources: &SourceMap) -> bool {
        let Some(run) = self.runs.last_mut() else {
            return false;
        };
        if !run.copied || run.span.file != token.span.file || token.span.start < run.span.end {
            return false;
        }
        let file = sources.file(token.span.file).text();
        let gap = file.get(run.span.end as usize..token.span.start as usize);
        let Some(gap) = gap.filter(|gap| is_plain_space(gap)) else {
            return false;
        };
        if gap.is_empty() && token.spaced() {
            return false;
        }
        self.text.push_str(gap);
        self.text.push_str(spelling);
        run.span.end = token.span.end;
        run.end = self.text.len();
        true
    }

    /// Writes the white space that the token needs before it.
    fn separate(&mut self, token: Token, spelling: &str) {
        let Some(last) = self.last else {
            return;
        };
        if token.newline {
            self.text.push('\n');
        } else if token.space || would_merge(&self.text, last, spelling) {
            self.text.push(' ');
        }
    }
}

/// Longer gaps start a new run, so that blanks need no memory.
const LONGEST_GAP: usize = 256;

fn is_plain_space(gap: &str) -> bool {
    gap.len() <= LONGEST_GAP && gap.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n'))
}

/// Whether a token directly after the text would be lexed as a part of the last token.
fn would_merge(text: &str, last: Token, spelling: &str) -> bool {
    let (Some(&left), Some(&right)) = (text.as_bytes().last(), spelling.as_bytes().first()) else {
        return false;
    };
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    match last.kind {
        Kind::Identifier => is_word(right) || matches!(right, b'"' | b'\''),
        Kind::Number => match right {
            b'+' | b'-' => matches!(left, b'e' | b'E' | b'p' | b'P'),
            _ => is_word(right) || right == b'.',
        },
        Kind::Punctuator => match left {
            b'+' | b'-' | b'&' | b'|' | b'<' | b'>' | b'=' | b'#' | b':' | b'%' => {
                right == left || matches!(right, b'=' | b'>' | b':' | b'%')
            }
            b'*' | b'!' | b'^' => right == b'=',
            b'/' => matches!(right, b'/' | b'*' | b'='),
            b'.' => right == b'.' || right.is_ascii_digit(),
            _ => false,
        },
        Kind::Other => true,
        Kind::Character | Kind::String | Kind::Placemarker => false,
    }
}
