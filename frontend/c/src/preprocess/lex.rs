//! Lexes characters to preprocessing tokens: line splices, comments, tokens (C11 5.1.1.2, phases 2 and 3).
//!
//! Tokens keep their place in the file, splices included; their spelling has no splices.

use premiss_source::{FileId, Span};

use super::token::{Kind, Name, Names, Token};

/// An error in the characters themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flaw {
    UnterminatedComment(Span),
    UnterminatedLiteral(Span),
}

/// A position in a text, from which tokens are read.
#[derive(Clone, Debug)]
pub(super) struct Lexer {
    file: FileId,
    pos: usize,
    /// The end of the last character taken, before any splice that follows.
    end: usize,
    /// Whether no token of the line has been taken yet.
    line_start: bool,
    pub(super) flaws: Vec<Flaw>,
}

impl Lexer {
    pub(super) fn new(file: FileId) -> Self {
        Self {
            file,
            pos: 0,
            end: 0,
            line_start: true,
            flaws: Vec::new(),
        }
    }

    /// The next token, on whichever line.
    pub(super) fn next(&mut self, text: &str, names: &mut Names) -> Option<Token> {
        let mut space = false;
        loop {
            space |= self.skip_space(text);
            match text.as_bytes().get(self.pos) {
                Some(b'\n') => {
                    self.pos += 1;
                    self.line_start = true;
                }
                Some(_) => return Some(self.token(text, names, space)),
                None => return None,
            }
        }
    }

    /// The next token of this line.
    pub(super) fn next_in_line(&mut self, text: &str, names: &mut Names) -> Option<Token> {
        let space = self.skip_space(text);
        match text.as_bytes().get(self.pos) {
            Some(b'\n') | None => None,
            Some(_) => Some(self.token(text, names, space)),
        }
    }

    /// The file that is read.
    pub(super) fn file(&self) -> FileId {
        self.file
    }

    /// Skips to the next `#` at the start of a line, and past it; `None` at the end of the file.
    pub(super) fn skip_to_directive(&mut self, text: &str) -> Option<Span> {
        loop {
            self.skip_space(text);
            match text.as_bytes().get(self.pos) {
                None => return None,
                Some(b'\n') => {
                    self.pos += 1;
                    self.line_start = true;
                }
                Some(b'#') if self.line_start => {
                    let start = self.pos;
                    self.bump(text);
                    self.line_start = false;
                    return Some(self.span(start));
                }
                Some(_) => self.skip_line(text),
            }
        }
    }

    /// Skips to the line break or end of the file.
    pub(super) fn skip_line(&mut self, text: &str) {
        let bytes = text.as_bytes();
        loop {
            self.skip_space(text);
            match bytes.get(self.pos) {
                None | Some(b'\n') => return,
                Some(&quote @ (b'"' | b'\'')) => {
                    self.bump(text);
                    self.skip_literal(text, quote);
                }
                Some(_) => self.bump(text),
            }
            self.line_start = false;
        }
    }

    /// The rest of the line without comments and splices, with its place.
    pub(super) fn rest_of_line(&mut self, text: &str) -> (String, Span) {
        self.skip_space(text);
        let start = self.pos;
        self.end = start;
        let mut rest = String::new();
        loop {
            let from = self.pos;
            if self.skip_space(text) && from != start {
                rest.push(' ');
            }
            let from = self.pos;
            match text.as_bytes().get(from) {
                None | Some(b'\n') => break,
                Some(&quote @ (b'"' | b'\'')) => {
                    self.bump(text);
                    self.skip_literal(text, quote);
                }
                Some(_) => self.bump_char(text),
            }
            rest.push_str(&without_splices(&text[from..self.end]));
        }
        rest.truncate(rest.trim_end().len());
        (rest, self.span(start))
    }

    /// The header name between `<` and `>`, if it is the next token of the line.
    pub(super) fn angled_header(&mut self, text: &str) -> Option<(String, Span)> {
        self.skip_space(text);
        let start = self.pos;
        let rest = text.get(start..)?.strip_prefix('<')?;
        let length = rest.find(['>', '\n'])?;
        if !rest[length..].starts_with('>') {
            return None;
        }
        self.pos = start + 1 + length;
        self.bump(text);
        Some((rest[..length].to_owned(), self.span(start)))
    }

    /// Skips white space, comments and splices, but no significant line break.
    fn skip_space(&mut self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut space = false;
        loop {
            match bytes.get(self.pos) {
                Some(b' ' | b'\t' | b'\r' | 0x0B | 0x0C) => self.pos += 1,
                Some(b'\\') => {
                    let after = after_splices(bytes, self.pos);
                    if after == self.pos {
                        return space;
                    }
                    self.pos = after;
                    continue;
                }
                Some(b'/') => {
                    let second = after_splices(bytes, self.pos + 1);
                    match bytes.get(second) {
                        Some(b'/') => self.skip_line_comment(bytes, second + 1),
                        Some(b'*') => self.skip_block_comment(bytes, second + 1),
                        _ => return space,
                    }
                }
                _ => return space,
            }
            space = true;
        }
    }

    fn skip_line_comment(&mut self, bytes: &[u8], from: usize) {
        self.pos = from;
        while let Some(&byte) = bytes.get(self.pos) {
            match byte {
                b'\n' => return,
                b'\\' => self.pos = after_splices(bytes, self.pos).max(self.pos + 1),
                _ => self.pos += 1,
            }
        }
    }

    fn skip_block_comment(&mut self, bytes: &[u8], from: usize) {
        let start = self.pos;
        let mut pos = from;
        while let Some(&byte) = bytes.get(pos) {
            pos += 1;
            if byte == b'*' {
                let after = after_splices(bytes, pos);
                if bytes.get(after) == Some(&b'/') {
                    self.pos = after + 1;
                    return;
                }
            }
        }
        self.pos = bytes.len();
        self.end = start + 2;
        self.flaws.push(Flaw::UnterminatedComment(self.span(start)));
    }

    fn token(&mut self, text: &str, names: &mut Names, space: bool) -> Token {
        let start = self.pos;
        let bytes = text.as_bytes();
        let byte = bytes.get(start).copied().unwrap_or(0);
        let known = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => {
                (self.identifier_or_literal(text), None)
            }
            b'0'..=b'9' => (self.number(text), None),
            b'.' if self.second_is_digit(bytes) => (self.number(text), None),
            b'"' | b'\'' => (self.literal(text, byte), None),
            _ => self.punctuator(text),
        };
        let name = known.1.unwrap_or_else(|| {
            let raw = &text[start..self.end];
            if raw.contains('\\') {
                names.intern(&without_splices(raw))
            } else {
                names.intern(raw)
            }
        });
        let newline = std::mem::replace(&mut self.line_start, false);
        Token {
            kind: known.0,
            name,
            span: self.span(start),
            space,
            newline,
            from_macro: false,
            painted: false,
        }
    }

    fn identifier_or_literal(&mut self, text: &str) -> Kind {
        let bytes = text.as_bytes();
        let start = self.pos;
        while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80..) =
            bytes.get(self.pos)
        {
            self.bump(text);
        }
        match bytes.get(self.pos) {
            Some(&quote @ (b'"' | b'\'')) if self.end - start <= 2 => {
                match &text[start..self.end] {
                    "L" | "u" | "U" | "u8" => self.literal(text, quote),
                    _ => Kind::Identifier,
                }
            }
            _ => Kind::Identifier,
        }
    }

    fn number(&mut self, text: &str) -> Kind {
        let bytes = text.as_bytes();
        let mut last = 0;
        while let Some(&byte) = bytes.get(self.pos) {
            let after_exponent = matches!(last, b'e' | b'E' | b'p' | b'P');
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | 0x80.. => {}
                b'+' | b'-' if after_exponent => {}
                _ => break,
            }
            last = byte;
            self.bump(text);
        }
        Kind::Number
    }

    fn literal(&mut self, text: &str, quote: u8) -> Kind {
        let start = self.pos;
        self.bump(text);
        if !self.skip_literal(text, quote) {
            self.flaws.push(Flaw::UnterminatedLiteral(self.span(start)));
            return Kind::Other;
        }
        if quote == b'"' {
            Kind::String
        } else {
            Kind::Character
        }
    }

    /// Skips past the closing quote; false if the line ends first.
    fn skip_literal(&mut self, text: &str, quote: u8) -> bool {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.pos) {
            if byte == b'\n' {
                return false;
            }
            self.bump(text);
            if byte == quote {
                return true;
            }
            if byte == b'\\' && bytes.get(self.pos).is_some_and(|&next| next != b'\n') {
                self.bump(text);
            }
        }
        false
    }

    fn second_is_digit(&self, bytes: &[u8]) -> bool {
        let second = after_splices(bytes, self.pos + 1);
        bytes.get(second).is_some_and(u8::is_ascii_digit)
    }

    fn punctuator(&mut self, text: &str) -> (Kind, Option<Name>) {
        let bytes = text.as_bytes();
        let mut next = [0; 4];
        let mut pos = self.pos;
        for slot in &mut next {
            *slot = bytes.get(pos).copied().unwrap_or(0);
            pos = after_splices(bytes, pos + 1);
        }
        let Some((name, length)) = punctuator(next) else {
            self.bump_char(text);
            return (Kind::Other, None);
        };
        for _ in 0..length {
            self.bump(text);
        }
        (Kind::Punctuator, Some(name))
    }

    /// Takes one byte and the splices that follow it.
    fn bump(&mut self, text: &str) {
        self.end = self.pos + 1;
        self.pos = after_splices(text.as_bytes(), self.end);
    }

    fn bump_char(&mut self, text: &str) {
        let length = text[self.pos..].chars().next().map_or(1, char::len_utf8);
        self.pos += length - 1;
        self.bump(text);
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            file: self.file,
            start: offset(start),
            end: offset(self.end.max(start)),
        }
    }
}

/// The position after any line splices at `pos`.
fn after_splices(bytes: &[u8], mut pos: usize) -> usize {
    while bytes.get(pos) == Some(&b'\\') {
        let mut next = pos + 1;
        while let Some(b' ' | b'\t' | b'\r') = bytes.get(next) {
            next += 1;
        }
        if bytes.get(next) != Some(&b'\n') {
            return pos;
        }
        pos = next + 1;
    }
    pos
}

fn without_splices(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut clean = String::with_capacity(raw.len());
    let (mut from, mut pos) = (0, 0);
    while pos < bytes.len() {
        let after = after_splices(bytes, pos);
        if after == pos {
            pos += 1;
        } else {
            clean.push_str(&raw[from..pos]);
            (from, pos) = (after, after);
        }
    }
    clean.push_str(&raw[from..]);
    clean
}

/// The longest punctuator that four characters start with, and its length; digraphs are replaced by their equivalents.
fn punctuator(next: [u8; 4]) -> Option<(Name, usize)> {
    let found = match next {
        [b'%', b':', b'%', b':'] => (Name::PASTE, 4),
        [b'.', b'.', b'.', _] => (Name::ELLIPSIS, 3),
        [b'<', b'<', b'=', _] => (Name::SHIFT_LEFT_ASSIGN, 3),
        [b'>', b'>', b'=', _] => (Name::SHIFT_RIGHT_ASSIGN, 3),
        [first, second, ..] => match pair(first, second) {
            Some(name) => (name, 2),
            None => (single(first)?, 1),
        },
    };
    Some(found)
}

fn pair(first: u8, second: u8) -> Option<Name> {
    Some(match [first, second] {
        [b'-', b'>'] => Name::ARROW,
        [b'+', b'+'] => Name::INCREMENT,
        [b'-', b'-'] => Name::DECREMENT,
        [b'<', b'<'] => Name::SHIFT_LEFT,
        [b'>', b'>'] => Name::SHIFT_RIGHT,
        [b'<', b'='] => Name::LESS_EQUAL,
        [b'>', b'='] => Name::GREATER_EQUAL,
        [b'=', b'='] => Name::EQUAL,
        [b'!', b'='] => Name::NOT_EQUAL,
        [b'&', b'&'] => Name::AND_AND,
        [b'|', b'|'] => Name::OR_OR,
        [b'*', b'='] => Name::TIMES_ASSIGN,
        [b'/', b'='] => Name::DIVIDE_ASSIGN,
        [b'%', b'='] => Name::REMAINDER_ASSIGN,
        [b'+', b'='] => Name::ADD_ASSIGN,
        [b'-', b'='] => Name::SUBTRACT_ASSIGN,
        [b'&', b'='] => Name::AND_ASSIGN,
        [b'^', b'='] => Name::XOR_ASSIGN,
        [b'|', b'='] => Name::OR_ASSIGN,
        [b'#', b'#'] => Name::PASTE,
        [b'%', b':'] => Name::HASH,
        [b'<', b':'] => Name::LEFT_BRACKET,
        [b':', b'>'] => Name::RIGHT_BRACKET,
        [b'<', b'%'] => Name::LEFT_BRACE,
        [b'%', b'>'] => Name::RIGHT_BRACE,
        _ => return None,
    })
}

fn single(byte: u8) -> Option<Name> {
    Some(match byte {
        b'#' => Name::HASH,
        b'(' => Name::LEFT_PARENTHESIS,
        b')' => Name::RIGHT_PARENTHESIS,
        b'[' => Name::LEFT_BRACKET,
        b']' => Name::RIGHT_BRACKET,
        b'{' => Name::LEFT_BRACE,
        b'}' => Name::RIGHT_BRACE,
        b'.' => Name::DOT,
        b'&' => Name::AMPERSAND,
        b'*' => Name::STAR,
        b'+' => Name::PLUS,
        b'-' => Name::MINUS,
        b'~' => Name::TILDE,
        b'!' => Name::NOT,
        b'/' => Name::SLASH,
        b'%' => Name::PERCENT,
        b'<' => Name::LESS,
        b'>' => Name::GREATER,
        b'^' => Name::CARET,
        b'|' => Name::PIPE,
        b'?' => Name::QUESTION,
        b':' => Name::COLON,
        b';' => Name::SEMICOLON,
        b'=' => Name::ASSIGN,
        b',' => Name::COMMA,
        _ => return None,
    })
}
