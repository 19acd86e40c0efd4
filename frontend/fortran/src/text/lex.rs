//! Tokens of a statement.

use super::logical_line::LogicalLine;
use premiss_ast::Names;
use premiss_ast::syntax::{TextRange, UnitId};
use std::sync::Arc;

/// The kinds of tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    /// A name or keyword, in lower case.
    Name(Arc<str>),
    /// An integer.
    Integer(i64),
    /// A real number; the flag is set if its exponent letter is `D`.
    Real(f64, bool),
    Text(Arc<[u8]>),
    /// A bit pattern such as `Z'FF'`.
    Bits(i64),
    /// `.and.` and similar, without the periods.
    Dotted(Arc<str>),
    /// Any other mark.
    Mark(&'static str),
    /// A character that does not occur in statements.
    Stray,
}

/// A token with its place in the source and in its statement.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) at: TextRange,
    /// The range of its bytes in the statement.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Longer marks precede their prefixes.
const MARKS: [&str; 25] = [
    "**", "//", "==", "/=", "<=", ">=", "=>", "::", "(", ")", ",", "=", "+", "-", "*", "/", "<",
    ">", ":", "%", "[", "]", "$", "@", "?",
];

/// The tokens of a statement; `names` interns the names of its file.
pub(crate) fn tokens(statement: &LogicalLine, unit: UnitId, names: &mut Names) -> Vec<Token> {
    let text = &statement.text;
    let mut tokens = Vec::with_capacity(text.len() / 2 + 1);
    let mut position = 0;
    while position < text.len() {
        if text[position].is_ascii_whitespace() {
            position += 1;
            continue;
        }
        let (kind, end) = token(text, position, names);
        let last = end.max(position + 1) - 1;
        let at = TextRange {
            unit,
            start: statement.place(position),
            end: statement.place(last).saturating_add(1),
        };
        tokens.push(Token {
            kind,
            at,
            start: position,
            end,
        });
        position = end;
    }
    tokens
}

fn token(text: &[u8], start: usize, names: &mut Names) -> (TokenKind, usize) {
    let byte = text[start];
    match byte {
        b'\'' | b'"' => literal(text, start),
        b'0'..=b'9' => number(text, start),
        b'.' if text.get(start + 1).is_some_and(u8::is_ascii_digit) => number(text, start),
        b'.' => match dotted_operator(text, start) {
            Some((name, end)) => (TokenKind::Dotted(names.of(&name)), end),
            None => (TokenKind::Stray, start + 1),
        },
        _ if is_name_start(byte) => word(text, start, names),
        _ => {
            let rest = &text[start..];
            let mut marks = MARKS.iter().filter(|mark| mark.as_bytes()[0] == byte);
            let mark = marks.find(|mark| rest.starts_with(mark.as_bytes()));
            match mark {
                Some(mark) => (TokenKind::Mark(mark), start + mark.len()),
                None => (TokenKind::Stray, start + 1),
            }
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn word(text: &[u8], start: usize, names: &mut Names) -> (TokenKind, usize) {
    let length = text[start..].iter().take_while(|b| is_name_part(**b));
    let end = start + length.count();
    let mut name = String::with_capacity(end - start);
    let letters = text[start..end].iter();
    name.extend(letters.map(|byte| char::from(byte.to_ascii_lowercase())));
    if let (Some(b'\'' | b'"'), Some(radix)) = (text.get(end), radix(&name)) {
        let (kind, past) = literal(text, end);
        if let TokenKind::Text(digits) = kind {
            let digits = String::from_utf8_lossy(&digits).into_owned();
            let value = i64::from_str_radix(digits.trim(), radix).unwrap_or(i64::MAX);
            return (TokenKind::Bits(value), past);
        }
    }
    (TokenKind::Name(names.of(&name)), end)
}

fn radix(letter: &str) -> Option<u32> {
    Some(match letter {
        "z" | "x" => 16,
        "o" => 8,
        "b" => 2,
        _ => return None,
    })
}

/// A literal; a doubled quote in it is a single one.
fn literal(text: &[u8], start: usize) -> (TokenKind, usize) {
    let quote = text[start];
    let mut bytes = Vec::new();
    let mut position = start + 1;
    while let Some(byte) = text.get(position) {
        if *byte == quote {
            if text.get(position + 1) != Some(&quote) {
                return (TokenKind::Text(bytes.into()), position + 1);
            }
            position += 1;
        }
        bytes.push(*byte);
        position += 1;
    }
    (TokenKind::Stray, text.len())
}

/// The text between periods, and the end of the operator. Old programs contain `.AND .` and `. GE.`, as blanks are
/// insignificant in fixed form.
fn dotted_operator(text: &[u8], start: usize) -> Option<(String, usize)> {
    let rest = &text[start + 1..];
    let is_inside = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b' ';
    let length = rest.iter().take_while(is_inside).count();
    let letters = rest[..length].iter().filter(|byte| **byte != b' ');
    let name: String = letters
        .map(|byte| byte.to_ascii_lowercase() as char)
        .collect();
    if name.is_empty() || rest.get(length) != Some(&b'.') {
        return None;
    }
    Some((name, start + length + 2))
}

/// A number; in `1.eq.2` the period belongs to the operator.
fn number(text: &[u8], start: usize) -> (TokenKind, usize) {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or(&[]);
        from + rest.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let whole = digits(start);
    let mut end = whole;
    let mut is_real = false;
    if text.get(end) == Some(&b'.') && !starts_operator(text, end) {
        is_real = true;
        end = digits(end + 1);
    }
    let mut is_double = false;
    if let Some(letter @ (b'e' | b'E' | b'd' | b'D' | b'q' | b'Q')) = text.get(end) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let past = digits(end + 1 + sign);
        if end + 1 + sign < past {
            is_real = true;
            is_double = matches!(letter, b'd' | b'D');
            end = past;
        }
    }
    if !is_real {
        let value = String::from_utf8_lossy(&text[start..end]);
        return (TokenKind::Integer(value.parse().unwrap_or(i64::MAX)), end);
    }
    let value = String::from_utf8_lossy(&text[start..end]).to_ascii_lowercase();
    let value = value.replace(['d', 'q'], "e");
    (
        TokenKind::Real(value.parse().unwrap_or(f64::NAN), is_double),
        end,
    )
}

/// Whether a period starts `.eq.` or similar rather than the fraction of a number.
fn starts_operator(text: &[u8], point: usize) -> bool {
    let is_exponent = |name: &str| matches!(name, "e" | "d" | "q");
    dotted_operator(text, point).is_some_and(|(name, _)| !is_exponent(&name))
}
