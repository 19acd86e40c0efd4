//! Input and output statements: the items that they read and write.

use super::cursor::{Cursor, ParseResult};
use super::expressions;
use crate::syntax::{ArgumentValue, Expr, ExprKind, StatementKind as Exec, TransferDirection};

/// An input or output statement.
pub(super) fn transfer(cursor: &mut Cursor, word: &str) -> ParseResult<Option<Exec>> {
    let direction = match word {
        "read" => TransferDirection::In,
        "write" | "print" => TransferDirection::Out,
        "open" | "close" | "inquire" | "rewind" | "backspace" | "endfile" | "flush" | "wait" => {
            return file_control(cursor, word).map(Some);
        }
        _ => return Ok(None),
    };
    let mut list = Vec::new();
    let has_control = word != "print" && cursor.is_mark("(") && has_control_list(cursor);
    if has_control {
        control_list(cursor, word, &mut list)?;
    } else {
        list.extend(format(cursor)?.map(|group| (group_direction(direction), group)));
        if !cursor.eat(",") {
            cursor.end()?;
            return Ok(Some(Exec::Transfer(list)));
        }
    }
    cursor.eat(",");
    if !cursor.is_at_end() {
        let items = cursor.list(Cursor::expr)?;
        list.extend(items.into_iter().map(|item| (direction, item)));
    }
    cursor.end()?;
    Ok(Some(Exec::Transfer(list)))
}

/// Whether the parentheses after `READ` are its control list: `READ (A), B` reads with a format.
fn has_control_list(cursor: &mut Cursor) -> bool {
    let before = cursor.position();
    cursor.skip_parentheses();
    let is_control = !cursor.is_mark(",");
    cursor.back_to(before);
    is_control
}

/// A format without parentheses if it is a name: it may be that of a `NAMELIST` group.
fn format(cursor: &mut Cursor) -> ParseResult<Option<Expr>> {
    if cursor.eat("*") {
        return Ok(None);
    }
    let format = cursor.expr()?;
    Ok(Some(format).filter(|format| format.as_name().is_some()))
}

/// `(UNIT = 5, FMT = *, IOSTAT = IERR, END = 10)`, the control list of a statement that starts with a word.
fn control_list(
    cursor: &mut Cursor,
    word: &str,
    list: &mut Vec<(TransferDirection, Expr)>,
) -> ParseResult<()> {
    for (position, argument) in expressions::arguments(cursor)?.into_iter().enumerate() {
        let ArgumentValue::Expr(expr) = argument.value else {
            continue;
        };
        let direction = match argument.keyword.as_deref() {
            Some(keyword) => specifier_direction(word, keyword),
            // An internal file is text; a name after it is a format or a group.
            None if position == 1 => specifier_direction(word, "nml"),
            None => TransferDirection::Out,
        };
        if !matches!(expr.kind, ExprKind::Text(_) | ExprKind::Integer(..)) {
            list.push((direction, expr));
        }
    }
    Ok(())
}

/// `OPEN`, `INQUIRE` and similar: `INQUIRE (IOLENGTH = n) list` also stores to `n`.
fn file_control(cursor: &mut Cursor, word: &str) -> ParseResult<Exec> {
    let mut list = Vec::new();
    if cursor.is_mark("(") {
        control_list(cursor, word, &mut list)?;
    }
    if word == "inquire" && !cursor.is_at_end() {
        let items = cursor.list(Cursor::expr)?;
        items.iter().for_each(|item| counters(item, &mut list));
    }
    cursor.skip();
    Ok(Exec::Transfer(list))
}

/// The variables of implied DO loops in an item of `INQUIRE (IOLENGTH = n)`, which is not evaluated.
fn counters(item: &Expr, list: &mut Vec<(TransferDirection, Expr)>) {
    if let ExprKind::ImpliedDo(inner) = &item.kind {
        inner.items.iter().for_each(|item| counters(item, list));
        let kind = ExprKind::Name(inner.variable.clone());
        list.push((TransferDirection::In, Expr { at: item.at, kind }));
    }
}

/// Whether a statement loads or stores the value of a specifier such as `IOSTAT=`.
///
/// `INQUIRE` stores to all specifiers except those that select the file; other statements store to those that report
/// their outcome. Example: `OPEN (NEWUNIT = iu, RECL = n)` stores to `iu`, and `INQUIRE (iu, RECL = n)` to `n`.
fn specifier_direction(word: &str, keyword: &str) -> TransferDirection {
    match (word, keyword) {
        (_, "iostat" | "iomsg" | "newunit" | "id" | "pending") | ("read", "size") => {
            TransferDirection::In
        }
        ("inquire", "unit" | "file" | "err") => TransferDirection::Out,
        ("inquire", "nml") => TransferDirection::Out,
        ("inquire", _) => TransferDirection::In,
        ("read", "nml" | "fmt") => TransferDirection::GroupIn,
        (_, "nml" | "fmt") => TransferDirection::GroupOut,
        _ => TransferDirection::Out,
    }
}

/// The same direction for the variables of a group.
fn group_direction(direction: TransferDirection) -> TransferDirection {
    match direction {
        TransferDirection::In | TransferDirection::GroupIn => TransferDirection::GroupIn,
        TransferDirection::Out | TransferDirection::GroupOut => TransferDirection::GroupOut,
    }
}
