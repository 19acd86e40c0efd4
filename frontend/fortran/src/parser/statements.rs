//! Parses one statement: an assignment if it can be one, else by one of the parsers for statements that begin with
//! keywords (`executables`, `construct_statements`, `specifications`, `unit_headers`).

use super::cursor::{Cursor, ParseResult};
use super::flat_statement::FlatStatement;
use super::{construct_statements, executables, expressions, specifications, unit_headers};
use crate::syntax::StatementKind as Exec;

/// Parses a statement.
pub(super) fn statement(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    if let Some(flat) = assignment(cursor)? {
        return Ok(flat);
    }
    let Some(word) = cursor.word().cloned() else {
        return cursor.fail();
    };
    if let Some(flat) = construct_statements::construct_statement(cursor, &word)? {
        return Ok(flat);
    }
    if let Some(flat) = unit_headers::unit_header(cursor)? {
        return Ok(flat);
    }
    if let Some(spec) = specifications::specification(cursor, &word)? {
        return Ok(spec);
    }
    match executables::executable(cursor, &word)? {
        Some(exec) => Ok(FlatStatement::Executable(exec)),
        None => cursor.fail(),
    }
}

/// `x = e` and `p => e`: keywords are not reserved, so only the `=` identifies them.
fn assignment(cursor: &mut Cursor) -> ParseResult<Option<FlatStatement>> {
    if cursor.word().is_none() {
        return Ok(None);
    }
    let start = cursor.position();
    skip_designator(cursor);
    let is_pointer = cursor.is_mark("=>");
    let is_assignment = is_pointer || cursor.is_mark("=");
    cursor.back_to(start);
    if !is_assignment {
        return Ok(None);
    }
    let left = expressions::designator(cursor)?;
    cursor.advance();
    let right = cursor.expr()?;
    cursor.end()?;
    Ok(Some(match is_pointer {
        true => FlatStatement::Executable(Exec::PointTo(left, right)),
        false => FlatStatement::Assignment(left, right),
    }))
}

/// Skips a name with its part selectors.
fn skip_designator(cursor: &mut Cursor) {
    cursor.advance();
    loop {
        if cursor.is_mark("(") {
            cursor.skip_parentheses();
        } else if cursor.is_mark("%") {
            cursor.advance();
            cursor.advance();
        } else {
            return;
        }
    }
}
