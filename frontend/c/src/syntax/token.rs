//! Tokens of preprocessed C text.

use super::{TextRange, UnitId};

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or keyword.
    Word,
    Number,
    Character,
    Text,
    Punctuator(&'static str),
    /// A character that does not start a token.
    Unknown,
    End,
}

/// A token with its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) at: TextRange,
}

/// Longer punctuators precede their prefixes.
const PUNCTUATORS: [&str; 54] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "[", "]", "(", ")",
    "{", "}", ".", "&", "*", "+", "-", "~", "!", "/", "%", "<", ">", "^", "|", "?", ":", ";", "=",
    ",", "#", "@", "\\",
];

/// Splits a text of less than 2^32 bytes into tokens; the last is [`TokenKind::End`]. Comments and
/// lines that start with `#` are skipped.
pub(super) fn tokens(text: &str, unit: UnitId) -> Vec<Token> {
    let mut lexer = Lexer {
        unit,
        bytes: text.as_bytes(),
        position: 0,
        line_is_blank: true,
    };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next();
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
    }
}

struct Lexer<'text> {
    unit: UnitId,
    bytes: &'text [u8],
    position: usize,
    line_is_blank: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Token {
        self.skip_space();
        let start = self.position;
        self.line_is_blank = false;
        let kind = self.kind();
        let offset = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
        Token {
            kind,
            at: TextRange {
                unit: self.unit,
                start: offset(start),
                end: offset(self.position),
            },
        }
    }

    fn skip_space(&mut self) {
        while self.position < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.line_is_blank = true;
                    self.position += 1;
                }
                (b'\\', b'\n') => self.position += 2,
                (b'\\', b'\r') if self.peek(2) == b'\n' => self.position += 3,
                (b'/', b'/') => self.skip_line(),
                (b'/', b'*') => self.skip_comment(),
                (b'#', _) if self.line_is_blank => self.skip_line(),
                (byte, _) if byte.is_ascii_whitespace() || byte == 0 || byte == 0x0b => {
                    self.position += 1;
                }
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        while self.position < self.bytes.len() && self.peek(0) != b'\n' {
            self.position += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        self.position = self.position.min(self.bytes.len());
    }

    fn skip_comment(&mut self) {
        self.position += 2;
        while self.position < self.bytes.len() && (self.peek(0), self.peek(1)) != (b'*', b'/') {
            self.position += 1;
        }
        self.position = (self.position + 2).min(self.bytes.len());
    }

    fn kind(&mut self) -> TokenKind {
        let Some(&byte) = self.bytes.get(self.position) else {
            return TokenKind::End;
        };
        match byte {
            b'"' => self.quoted(b'"'),
            b'\'' => self.quoted(b'\''),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            _ if is_word(byte) => self.word(),
            _ => self.punctuator(),
        }
    }

    fn quoted(&mut self, quote: u8) -> TokenKind {
        self.position += 1;
        while self.position < self.bytes.len() {
            match self.peek(0) {
                b'\n' => return TokenKind::Unknown,
                b'\\' => self.position = (self.position + 2).min(self.bytes.len()),
                byte => {
                    self.position += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        if quote == b'"' {
            TokenKind::Text
        } else {
            TokenKind::Character
        }
    }

    fn number(&mut self) -> TokenKind {
        loop {
            let byte = self.peek(0);
            let sign_follows = matches!(self.peek(1), b'+' | b'-');
            self.position += match byte {
                b'e' | b'E' | b'p' | b'P' if sign_follows => 2,
                b'.' => 1,
                _ if is_word(byte) => 1,
                _ => return TokenKind::Number,
            };
        }
    }

    fn word(&mut self) -> TokenKind {
        let start = self.position;
        while is_word(self.peek(0)) {
            self.position += 1;
        }
        let is_prefix = matches!(
            &self.bytes[start..self.position],
            b"L" | b"u" | b"U" | b"u8"
        );
        match self.peek(0) {
            quote @ (b'"' | b'\'') if is_prefix => self.quoted(quote),
            _ => TokenKind::Word,
        }
    }

    fn punctuator(&mut self) -> TokenKind {
        let rest = &self.bytes[self.position..];
        let mut likely = PUNCTUATORS
            .iter()
            .filter(|text| rest.first() == text.as_bytes().first());
        let found = likely.find(|text| rest.starts_with(text.as_bytes()));
        let Some(text) = found else {
            self.position += 1;
            return TokenKind::Unknown;
        };
        self.position += text.len();
        TokenKind::Punctuator(match *text {
            "<:" => "[",
            ":>" => "]",
            "<%" => "{",
            "%>" => "}",
            text => text,
        })
    }
}

/// Whether a byte can be part of a name, including bytes of characters beyond ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || 0x80 <= byte
}
