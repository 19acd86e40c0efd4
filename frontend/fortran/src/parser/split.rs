//! Keywords without a following blank, as in fixed form: `GOTO10`, `DO10I=1,N`, `CALLF(X)`.

use crate::text::{LogicalLine, Token, TokenKind};
use premiss_ast::syntax::TextRange;

/// Words that statements start with; a word precedes its own prefixes.
const KEYWORDS: [&str; 48] = [
    "doubleprecision",
    "doublecomplex",
    "equivalence",
    "subroutine",
    "allocatable",
    "deallocate",
    "selectcase",
    "recursive",
    "interface",
    "elemental",
    "blockdata",
    "continue",
    "character",
    "dimension",
    "parameter",
    "intrinsic",
    "implicit",
    "external",
    "function",
    "optional",
    "namelist",
    "logical",
    "complex",
    "integer",
    "program",
    "pointer",
    "common",
    "return",
    "elseif",
    "format",
    "module",
    "target",
    "assign",
    "write",
    "print",
    "entry",
    "cycle",
    "pure",
    "exit",
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

/// The maximum number of keywords that are split from one word: `RECURSIVEREALFUNCTIONF(X)`.
const MAX_KEYWORDS: usize = 3;

/// The possible splits of a statement's first word, of the one behind `IF (…)`, and of the one behind a length:
/// `REAL*8FUNCTIONF(X)`.
pub(super) fn readings(tokens: &[Token], line: &LogicalLine) -> Vec<Vec<Token>> {
    let Some((first, rest)) = tokens.split_first() else {
        return Vec::new();
    };
    let mut readings = Vec::new();
    for mut split in splits(first, MAX_KEYWORDS, line) {
        split.extend(rest.iter().cloned());
        readings.push(split);
    }
    if let Some(action) = action_of_if(tokens) {
        for split in splits(&tokens[action], MAX_KEYWORDS, line) {
            let mut whole = tokens[..action].to_vec();
            whole.extend(split);
            whole.extend(tokens[action + 1..].iter().cloned());
            readings.push(whole);
        }
    }
    if let [_, star, length, word, rest @ ..] = tokens
        && star.kind == TokenKind::Mark("*")
    {
        for split in splits(word, 1, line) {
            let mut whole = vec![first.clone(), star.clone(), length.clone()];
            whole.extend(split);
            whole.extend(rest.iter().cloned());
            readings.push(whole);
        }
    }
    readings
}

/// The index of the statement behind `IF (…)`: `IF(X.GT.0)GOTO20`.
fn action_of_if(tokens: &[Token]) -> Option<usize> {
    let is_if = matches!(&tokens.first()?.kind, TokenKind::Name(word) if **word == *"if");
    let mut depth = 0_usize;
    for (idx, token) in tokens.iter().enumerate().skip(1).filter(|_| is_if) {
        match token.kind {
            TokenKind::Mark("(") => depth += 1,
            TokenKind::Mark(")") => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(idx + 1).filter(|idx| *idx < tokens.len());
        }
    }
    None
}

/// The splits of a word into at most so many keywords and the rest.
fn splits(word: &Token, n_keywords: usize, line: &LogicalLine) -> Vec<Vec<Token>> {
    let mut found = Vec::new();
    let TokenKind::Name(text) = &word.kind else {
        return found;
    };
    for keyword in KEYWORDS {
        let Some(tail) = text.strip_prefix(keyword).filter(|tail| !tail.is_empty()) else {
            continue;
        };
        let head = part(word, 0, keyword.len(), line);
        if 1 < n_keywords {
            let rest = part(word, keyword.len(), text.len(), line);
            for split in splits(&rest, n_keywords - 1, line) {
                let mut whole = vec![head.clone()];
                whole.extend(split);
                found.push(whole);
            }
        }
        let mut whole = vec![head];
        whole.extend(tail_tokens(word, keyword.len(), tail, line));
        found.push(whole);
    }
    found
}

/// `10i` as a label and a name.
fn tail_tokens(first: &Token, from: usize, tail: &str, line: &LogicalLine) -> Vec<Token> {
    let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
    let mut list = Vec::new();
    if 0 < digits {
        let value = tail[..digits].parse().unwrap_or(i64::MAX);
        list.push(Token {
            kind: TokenKind::Integer(value),
            ..part(first, from, from + digits, line)
        });
    }
    if digits < tail.len() {
        list.push(part(first, from + digits, from + tail.len(), line));
    }
    list
}

/// A part of a name as a token.
fn part(whole: &Token, from: usize, to: usize, line: &LogicalLine) -> Token {
    let text = match &whole.kind {
        TokenKind::Name(name) => name.get(from..to).unwrap_or(""),
        _ => "",
    };
    let (start, end) = (whole.start + from, whole.start + to);
    Token {
        kind: TokenKind::Name(text.into()),
        at: TextRange {
            start: line.place(start),
            end: line.place(end.max(1) - 1).saturating_add(1),
            ..whole.at
        },
        start,
        end,
    }
}
