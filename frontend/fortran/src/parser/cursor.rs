//! A place among the tokens of a statement.

use crate::syntax::{Ident, NameKey};
use crate::text::{Token, TokenKind};
use premiss_ast::syntax::At;
use premiss_tree::RejectReason;

/// How deep expressions may nest.
const MAX_DEPTH: u32 = 500;

/// A statement that could not be read.
#[derive(Debug, Clone)]
pub(super) struct ParseFailure {
    pub(super) reason: RejectReason,
    pub(super) at: At,
}

pub(super) type Parsed<T> = Result<T, ParseFailure>;

/// The tokens of one statement, and how far they have been read.
pub(super) struct Cursor<'t> {
    tokens: &'t [Token],
    position: usize,
    depth: u32,
    /// Where the statement stands.
    pub(super) at: At,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(tokens: &'t [Token], at: At) -> Self {
        Self {
            tokens,
            position: 0,
            depth: 0,
            at,
        }
    }

    pub(super) fn peek(&self) -> Option<&'t TokenKind> {
        self.peek_after(0)
    }

    /// The token after so many others.
    pub(super) fn peek_after(&self, n: usize) -> Option<&'t TokenKind> {
        self.token(n).map(|token| &token.kind)
    }

    fn token(&self, n: usize) -> Option<&'t Token> {
        self.tokens.get(self.position + n)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.position == self.tokens.len()
    }

    pub(super) fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len());
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn back_to(&mut self, position: usize) {
        self.position = position;
    }

    /// Where the next token stands.
    pub(super) fn here(&self) -> At {
        match self.token(0).or(self.tokens.last()) {
            Some(token) => token.at,
            None => self.at,
        }
    }

    /// From a place to the end of the last token that was read.
    pub(super) fn since(&self, start: At) -> At {
        match self
            .position
            .checked_sub(1)
            .and_then(|idx| self.tokens.get(idx))
        {
            Some(last) => start.to(last.at),
            None => start,
        }
    }

    /// Whether the next token follows the one before without a blank.
    pub(super) fn is_adjacent(&self) -> bool {
        let before = self
            .position
            .checked_sub(1)
            .and_then(|idx| self.tokens.get(idx));
        matches!((before, self.token(0)), (Some(a), Some(b)) if a.end == b.start)
    }

    pub(super) fn failure(&self) -> ParseFailure {
        ParseFailure {
            reason: RejectReason::Syntax,
            at: self.here(),
        }
    }

    pub(super) fn fail<T>(&self) -> Parsed<T> {
        Err(self.failure())
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.is_mark_after(0, mark)
    }

    pub(super) fn is_mark_after(&self, n: usize, mark: &str) -> bool {
        matches!(self.peek_after(n), Some(TokenKind::Mark(found)) if *found == mark)
    }

    /// Whether a mark stands somewhere in what is left.
    pub(super) fn has_mark(&self, mark: &str) -> bool {
        let rest = self.tokens.get(self.position..).unwrap_or(&[]);
        rest.iter()
            .any(|token| matches!(&token.kind, TokenKind::Mark(found) if *found == mark))
    }

    pub(super) fn eat(&mut self, mark: &str) -> bool {
        let is_there = self.is_mark(mark);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub(super) fn expect(&mut self, mark: &str) -> Parsed<()> {
        match self.eat(mark) {
            true => Ok(()),
            false => self.fail(),
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(TokenKind::Name(found)) if **found == *word)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// The name that stands here.
    pub(super) fn word(&self) -> Option<&'t NameKey> {
        match self.peek() {
            Some(TokenKind::Name(name)) => Some(name),
            _ => None,
        }
    }

    pub(super) fn ident(&mut self) -> Parsed<Ident> {
        let at = self.here();
        let Some(key) = self.word() else {
            return self.fail();
        };
        self.advance();
        Ok(Ident {
            key: key.clone(),
            at,
        })
    }

    pub(super) fn label(&mut self) -> Parsed<u32> {
        match self.peek() {
            Some(TokenKind::Integer(value)) => {
                self.advance();
                u32::try_from(*value).or_else(|_| self.fail())
            }
            _ => self.fail(),
        }
    }

    pub(super) fn end(&self) -> Parsed<()> {
        match self.is_at_end() {
            true => Ok(()),
            false => self.fail(),
        }
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if MAX_DEPTH <= self.depth {
            let limit = format!("{MAX_DEPTH} levels of nesting in one expression");
            return Err(ParseFailure {
                reason: RejectReason::Budget { limit },
                at: self.here(),
            });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A list with commas, of at least one.
    pub(super) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut list = vec![read(self)?];
        while self.eat(",") {
            list.push(read(self)?);
        }
        Ok(list)
    }

    /// Passes over what stands in parentheses.
    pub(super) fn skip_parentheses(&mut self) {
        let mut depth = 0;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Mark("(" | "[") => depth += 1,
                TokenKind::Mark(")" | "]") => depth -= 1,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// Passes over all that is left.
    pub(super) fn skip(&mut self) {
        self.position = self.tokens.len();
    }
}
