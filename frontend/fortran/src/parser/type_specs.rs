//! Type specifications as they are written: `INTEGER`, `REAL*8`, `CHARACTER(LEN = n)`, `TYPE(name)`.

use super::cursor::{Cursor, ParseResult};
use crate::syntax::{CharacterLength, Expr, ExprKind, KindSelector, TypeSpec};
use crate::text::TokenKind;

/// A type as written.
pub(super) fn type_spec(cursor: &mut Cursor) -> ParseResult<TypeSpec> {
    let Some(word) = cursor.word() else {
        return cursor.fail();
    };
    cursor.advance();
    Ok(match &**word {
        "integer" => TypeSpec::Integer(kind_selector(cursor)?),
        "real" => TypeSpec::Real(kind_selector(cursor)?),
        "logical" => TypeSpec::Logical(kind_selector(cursor)?),
        "complex" => TypeSpec::Complex(kind_selector(cursor)?),
        "byte" => TypeSpec::Integer(KindSelector::Bytes(1)),
        "doubleprecision" => TypeSpec::DoublePrecision,
        "doublecomplex" => TypeSpec::DoubleComplex,
        "double" if cursor.eat_word("precision") => TypeSpec::DoublePrecision,
        "double" if cursor.eat_word("complex") => TypeSpec::DoubleComplex,
        "character" => TypeSpec::Character(character_length(cursor)?),
        "type" | "class" => {
            let is_class = &**word == "class";
            cursor.expect("(")?;
            if cursor.eat("*") {
                cursor.expect(")")?;
                return Ok(TypeSpec::Class(None));
            }
            let name = cursor.ident()?.key;
            if cursor.is_mark("(") {
                cursor.skip_parentheses();
            }
            cursor.expect(")")?;
            match (&*name, is_class) {
                (_, true) => TypeSpec::Class(Some(name)),
                ("integer", _) => TypeSpec::Integer(KindSelector::Default),
                ("real", _) => TypeSpec::Real(KindSelector::Default),
                _ => TypeSpec::Derived(name),
            }
        }
        "procedure" => {
            cursor.skip_parentheses();
            TypeSpec::Procedure
        }
        _ => return cursor.fail(),
    })
}

/// `*8`, `(8)` or `(kind = dp)`
fn kind_selector(cursor: &mut Cursor) -> ParseResult<KindSelector> {
    if cursor.is_mark("*") && matches!(cursor.peek_after(1), Some(TokenKind::Integer(_))) {
        cursor.advance();
        let bytes = cursor.label()?;
        return Ok(KindSelector::Bytes(i64::from(bytes)));
    }
    if !cursor.eat("(") {
        return Ok(KindSelector::Default);
    }
    if cursor.is_word("kind") && cursor.is_mark_after(1, "=") {
        cursor.advance();
        cursor.advance();
    }
    let kind = cursor.expr()?;
    cursor.expect(")")?;
    Ok(KindSelector::Expr(Box::new(kind)))
}

/// `*10`, `*(*)`, `(len = n)`, `(n, kind = 1)`
fn character_length(cursor: &mut Cursor) -> ParseResult<Option<CharacterLength>> {
    if cursor.eat("*") {
        return star_length(cursor).map(Some);
    }
    if !cursor.eat("(") {
        return Ok(None);
    }
    let mut length = None;
    loop {
        let keyword = match cursor.word() {
            Some(name) if cursor.is_mark_after(1, "=") => {
                cursor.advance();
                cursor.advance();
                Some(name.clone())
            }
            _ => None,
        };
        let value = length_value(cursor)?;
        if keyword.as_deref().is_none_or(|name| name == "len") && length.is_none() {
            length = Some(value);
        }
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect(")")?;
    Ok(length)
}

fn length_value(cursor: &mut Cursor) -> ParseResult<CharacterLength> {
    if cursor.eat("*") {
        return Ok(CharacterLength::Assumed);
    }
    if cursor.eat(":") {
        return Ok(CharacterLength::Deferred);
    }
    Ok(CharacterLength::Expr(cursor.expr()?))
}

/// What follows the `*` of a length.
pub(super) fn star_length(cursor: &mut Cursor) -> ParseResult<CharacterLength> {
    if cursor.eat("(") {
        let length = length_value(cursor)?;
        cursor.expect(")")?;
        return Ok(length);
    }
    let at = cursor.here();
    let value = i64::from(cursor.label()?);
    Ok(CharacterLength::Expr(Expr {
        at,
        kind: ExprKind::Integer(value, None),
    }))
}

/// A type without its kind.
pub(super) fn bare_type_spec(cursor: &mut Cursor) -> ParseResult<TypeSpec> {
    let word = cursor.ident()?.key;
    Ok(match &*word {
        "integer" => TypeSpec::Integer(KindSelector::Default),
        "real" => TypeSpec::Real(KindSelector::Default),
        "logical" => TypeSpec::Logical(KindSelector::Default),
        "complex" => TypeSpec::Complex(KindSelector::Default),
        "character" => TypeSpec::Character(None),
        _ => return cursor.fail(),
    })
}

/// `(A-H, O-Z)`
pub(super) fn letter_ranges(cursor: &mut Cursor) -> ParseResult<Vec<(u8, u8)>> {
    cursor.expect("(")?;
    let list = cursor.list(|c| {
        let first = letter(c)?;
        let last = if c.eat("-") { letter(c)? } else { first };
        Ok((first, last))
    })?;
    cursor.expect(")")?;
    Ok(list)
}

fn letter(cursor: &mut Cursor) -> ParseResult<u8> {
    let name = cursor.ident()?;
    match name.key.as_bytes() {
        [letter] => Ok(*letter),
        _ => cursor.fail(),
    }
}
