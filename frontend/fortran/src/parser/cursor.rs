//! A position in the tokens of a statement.

use crate::syntax::{Ident, NameKey};
use crate::text::{Token, TokenKind};
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;

/// The maximum nesting depth of expressions.
const MAX_DEPTH: u32 = 500;

/// A statement that could not be parsed.
#[derive(Debug, Clone)]
pub(super) struct ParseFailure {
    pub(super) reason: RejectReason,
    pub(super) at: TextRange,
}

/// A part of a statement, or the reason why it could not be parsed.
pub(super) type ParseResult<T> = Result<T, ParseFailure>;

/// The tokens of one statement, with a current position.
pub(super) struct Cursor<'t> {
    tokens: &'t [Token],
    position: usize,
    depth: u32,
    /// The place of the statement.
    pub(super) at: TextRange,
}

impl<'t> Cursor<'t> {
    /// A cursor at the first token of a statement.
    pub(super) fn new(tokens: &'t [Token], at: TextRange) -> Self {
        Self {
            tokens,
            position: 0,
            depth: 0,
            at,
        }
    }

    /// The next token.
    pub(super) fn peek(&self) -> Option<&'t TokenKind> {
        self.peek_after(0)
    }

    /// The token `n` tokens after the next one.
    pub(super) fn peek_after(&self, n: usize) -> Option<&'t TokenKind> {
        self.token(n).map(|token| &token.kind)
    }

    fn token(&self, n: usize) -> Option<&'t Token> {
        self.tokens.get(self.position + n)
    }

    /// Whether all tokens are consumed.
    pub(super) fn is_at_end(&self) -> bool {
        self.position == self.tokens.len()
    }

    /// Consumes the next token.
    pub(super) fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len());
    }

    /// The number of consumed tokens, for [`Cursor::back_to`].
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Returns to a position.
    pub(super) fn back_to(&mut self, position: usize) {
        self.position = position;
    }

    /// The place of the next token.
    pub(super) fn here(&self) -> TextRange {
        match self.token(0).or(self.tokens.last()) {
            Some(token) => token.at,
            None => self.at,
        }
    }

    /// From a place to the end of the last consumed token.
    pub(super) fn since(&self, start: TextRange) -> TextRange {
        match self
            .position
            .checked_sub(1)
            .and_then(|idx| self.tokens.get(idx))
        {
            Some(last) => start.to(last.at),
            None => start,
        }
    }

    /// Whether no blank separates the next token from the previous one.
    pub(super) fn is_adjacent(&self) -> bool {
        let before = self
            .position
            .checked_sub(1)
            .and_then(|idx| self.tokens.get(idx));
        matches!((before, self.token(0)), (Some(a), Some(b)) if a.end == b.start)
    }

    /// A syntax error at the next token.
    pub(super) fn failure(&self) -> ParseFailure {
        ParseFailure {
            reason: RejectReason::Syntax,
            at: self.here(),
        }
    }

    /// A syntax error at the next token, as a result.
    pub(super) fn fail<T>(&self) -> ParseResult<T> {
        Err(self.failure())
    }

    /// The failure of a statement that exceeds a limit.
    pub(super) fn exceed<T>(&self, limit: String) -> ParseResult<T> {
        Err(ParseFailure {
            reason: RejectReason::Budget { limit },
            at: self.here(),
        })
    }

    /// Whether the next token is this mark.
    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.is_mark_after(0, mark)
    }

    /// Whether the token `n` tokens after the next one is this mark.
    pub(super) fn is_mark_after(&self, n: usize, mark: &str) -> bool {
        matches!(self.peek_after(n), Some(TokenKind::Mark(found)) if *found == mark)
    }

    /// Whether a mark occurs in the rest of the statement.
    pub(super) fn has_mark(&self, mark: &str) -> bool {
        let rest = self.tokens.get(self.position..).unwrap_or(&[]);
        rest.iter()
            .any(|token| matches!(&token.kind, TokenKind::Mark(found) if *found == mark))
    }

    /// Consumes a mark, if it is next.
    pub(super) fn eat(&mut self, mark: &str) -> bool {
        let is_there = self.is_mark(mark);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// Consumes a mark, which must be next.
    pub(super) fn expect(&mut self, mark: &str) -> ParseResult<()> {
        match self.eat(mark) {
            true => Ok(()),
            false => self.fail(),
        }
    }

    /// Whether the next token is this word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(TokenKind::Name(found)) if **found == *word)
    }

    /// Consumes a word, if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// The name at the current position.
    pub(super) fn word(&self) -> Option<&'t NameKey> {
        match self.peek() {
            Some(TokenKind::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Consumes a name.
    pub(super) fn ident(&mut self) -> ParseResult<Ident> {
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

    /// Consumes a statement label.
    pub(super) fn label(&mut self) -> ParseResult<u32> {
        match self.peek() {
            Some(TokenKind::Integer(value)) => {
                self.advance();
                u32::try_from(*value).or_else(|_| self.fail())
            }
            _ => self.fail(),
        }
    }

    /// Expects the end of the statement.
    pub(super) fn end(&self) -> ParseResult<()> {
        match self.is_at_end() {
            true => Ok(()),
            false => self.fail(),
        }
    }

    /// Parses one level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<T> {
        if MAX_DEPTH <= self.depth {
            return self.exceed(format!("{MAX_DEPTH} levels of nesting in one expression"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A list of at least one item, separated by commas.
    pub(super) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut list = vec![read(self)?];
        while self.eat(",") {
            list.push(read(self)?);
        }
        Ok(list)
    }

    /// Skips parentheses with their contents.
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

    /// Skips the rest of the statement.
    pub(super) fn skip(&mut self) {
        self.position = self.tokens.len();
    }
}
