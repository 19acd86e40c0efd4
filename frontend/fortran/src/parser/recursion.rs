//! The two judgments of the grammar that are recursive: an expression, which type specifications and
//! subscripts have inside, and a statement, which may stand behind `IF (…)`.
//!
//! This is the one place that ties the parts of the grammar together: they call these as methods of the
//! cursor.

use super::cursor::{Cursor, ParseResult};
use super::flat_statement::FlatStatement;
use super::{expressions, statements};
use crate::syntax::Expr;

impl Cursor<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> ParseResult<Expr> {
        expressions::expression(self)
    }

    /// A statement by itself.
    pub(super) fn statement(&mut self) -> ParseResult<FlatStatement> {
        statements::statement(self)
    }
}
