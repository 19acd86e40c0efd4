//! Keywords without a following blank, as in fixed form: `GOTO10`, `DO10I=1,N`, `CALLF(X)`.

use crate::text::{Token, TokenKind};
use premiss_ast::syntax::TextRange;

/// Words that statements start with; a word precedes its own prefixes.
const KEYWORDS: [&str; 33] = [
    "doubleprecision",
    "doublecomplex",
    "equivalence",
    "subroutine",
    "blockdata",
    "continue",
    "character",
    "dimension",
    "parameter",
    "intrinsic",
    "implicit",
    "external",
    "function",
    "logical",
    "complex",
    "integer",
    "program",
    "common",
    "return",
    "elseif",
    "format",
    "write",
    "print",
    "assign",
    "data",
    "real",
    "call",
    "goto",
    "read",
    "save",
    "stop",
    "if",
    "do",
];

/// The possible splits of a statement's first word.
pub(super) fn readings(tokens: &[Token]) -> Vec<Vec<Token>> {
    let Some((first, rest)) = tokens.split_first() else {
        return Vec::new();
    };
    let TokenKind::Name(word) = &first.kind else {
        return Vec::new();
    };
    let mut readings = Vec::new();
    for keyword in KEYWORDS {
        let Some(tail) = word.strip_prefix(keyword) else {
            continue;
        };
        if tail.is_empty() {
            continue;
        }
        let mut split = vec![part(first, 0, keyword.len())];
        split.extend(tail_tokens(first, keyword.len(), tail));
        split.extend(rest.iter().cloned());
        // `REALFUNCTIONF(X)` starts with two keywords.
        if let Some(name) = tail
            .strip_prefix("function")
            .filter(|name| !name.is_empty())
        {
            let mut both = vec![part(first, 0, keyword.len())];
            let middle = keyword.len() + "function".len();
            both.push(part(first, keyword.len(), middle));
            both.push(part(first, middle, middle + name.len()));
            both.extend(rest.iter().cloned());
            readings.push(both);
        }
        readings.push(split);
    }
    readings
}

/// `10i` as a label and a name.
fn tail_tokens(first: &Token, from: usize, tail: &str) -> Vec<Token> {
    let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
    let mut list = Vec::new();
    if 0 < digits {
        let value = tail[..digits].parse().unwrap_or(i64::MAX);
        list.push(Token {
            kind: TokenKind::Integer(value),
            ..part(first, from, from + digits)
        });
    }
    if digits < tail.len() {
        list.push(part(first, from + digits, from + tail.len()));
    }
    list
}

/// A part of a name as a token.
fn part(whole: &Token, from: usize, to: usize) -> Token {
    let text = match &whole.kind {
        TokenKind::Name(name) => name.get(from..to).unwrap_or(""),
        _ => "",
    };
    let offset = |n: usize| whole.at.start + u32::try_from(n).unwrap_or(0);
    Token {
        kind: TokenKind::Name(text.into()),
        at: TextRange {
            start: offset(from),
            end: offset(to),
            ..whole.at
        },
        start: whole.start + from,
        end: whole.start + to,
    }
}
