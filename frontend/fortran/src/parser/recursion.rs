//! The two mutually recursive rules of the grammar: expressions, which occur in type specifications and subscripts,
//! and statements, which may follow `IF (…)`.
//!
//! This module closes the recursion: the parts of the grammar call these rules as methods of the cursor.

use super::cursor::{Cursor, ParseResult};
use super::flat_statement::FlatStatement;
use super::{expressions, statements};
use crate::syntax::Expr;

impl Cursor<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> ParseResult<Expr> {
        expressions::expression(self)
    }

    /// A single statement.
    pub(super) fn statement(&mut self) -> ParseResult<FlatStatement> {
        statements::statement(self)
    }
}
