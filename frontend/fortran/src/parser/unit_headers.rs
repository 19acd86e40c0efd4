//! First statements of program units: `PROGRAM`, `MODULE`, `SUBROUTINE`, `FUNCTION`.

use super::cursor::{Cursor, ParseResult};
use super::flat_statement::{FlatStatement, UnitHeader};
use super::{flat_statement, type_specs};
use crate::syntax::{Ident, NameKey, PassedObject, ProcedureBinding, TypeSpec, UnitKind};
use crate::text::TokenKind;

/// `PROGRAM`, `MODULE`, `SUBROUTINE`, `FUNCTION` with their prefixes.
pub(super) fn unit_header(cursor: &mut Cursor) -> ParseResult<Option<FlatStatement>> {
    let start = cursor.position();
    let mut prefix = None;
    let mut is_elemental = false;
    loop {
        let Some(word) = cursor.word().cloned() else {
            cursor.back_to(start);
            return Ok(None);
        };
        match &*word {
            "recursive" | "pure" | "elemental" | "impure" | "non_recursive" => {
                is_elemental |= &*word == "elemental";
                cursor.advance();
            }
            "module" if matches!(cursor.peek_after(1), Some(TokenKind::Name(next)) if flat_statement::is_procedure_word(next)) =>
            {
                cursor.advance();
            }
            "function" | "subroutine"
                if matches!(cursor.peek_after(1), Some(TokenKind::Name(_))) =>
            {
                return procedure_header(cursor, &word, prefix, is_elemental).map(Some);
            }
            "program" | "module" | "submodule" | "blockdata" | "block"
                if start == cursor.position() =>
            {
                return plain_header(cursor, &word, start);
            }
            _ if prefix.is_none() && is_type_prefix(cursor, &word) => {
                match type_specs::type_spec(cursor) {
                    Ok(kind) => prefix = Some(kind),
                    Err(_) => {
                        cursor.back_to(start);
                        return Ok(None);
                    }
                }
            }
            _ => {
                cursor.back_to(start);
                return Ok(None);
            }
        }
    }
}

/// Whether a word begins the type of a function: `REAL`, `TYPE(name)`.
fn is_type_prefix(cursor: &Cursor, word: &str) -> bool {
    let is_derived = matches!(word, "type" | "class") && cursor.is_mark_after(1, "(");
    is_derived || flat_statement::is_type_word(word)
}

fn plain_header(
    cursor: &mut Cursor,
    word: &str,
    start: usize,
) -> ParseResult<Option<FlatStatement>> {
    let at = cursor.here();
    cursor.advance();
    let kind = match word {
        "program" => UnitKind::Program,
        "module" | "submodule" => UnitKind::Module,
        "block" if cursor.eat_word("data") => UnitKind::BlockData,
        "blockdata" => UnitKind::BlockData,
        _ => {
            cursor.back_to(start);
            return Ok(None);
        }
    };
    if word == "submodule" {
        cursor.skip_parentheses();
    }
    if word == "module" && cursor.is_word("procedure") {
        cursor.advance();
        cursor.eat("::");
        let names = cursor.list(|c| c.ident().map(|x| x.key))?;
        let binding = |name: NameKey| ProcedureBinding {
            target: name.clone(),
            name,
            passed: PassedObject::First,
        };
        let names = names.into_iter().map(binding).collect();
        return Ok(Some(FlatStatement::Procedures(names)));
    }
    let name = match cursor.is_at_end() && kind == UnitKind::BlockData {
        true => Ident { key: "".into(), at },
        false => cursor.ident()?,
    };
    cursor.end()?;
    Ok(Some(FlatStatement::Unit(Box::new(UnitHeader {
        kind,
        name,
        dummies: Vec::new(),
        result: None,
        prefix: None,
        is_elemental: false,
    }))))
}

fn procedure_header(
    cursor: &mut Cursor,
    word: &str,
    prefix: Option<TypeSpec>,
    is_elemental: bool,
) -> ParseResult<FlatStatement> {
    cursor.advance();
    let name = cursor.ident()?;
    let dummies = dummy_arguments(cursor)?;
    let mut result = None;
    if cursor.eat_word("result") {
        cursor.expect("(")?;
        result = Some(cursor.ident()?);
    }
    cursor.skip(); // BIND(C)
    let kind = match word {
        "function" => UnitKind::Function,
        _ => UnitKind::Subroutine,
    };
    Ok(FlatStatement::Unit(Box::new(UnitHeader {
        kind,
        name,
        dummies,
        result,
        prefix,
        is_elemental,
    })))
}

/// `(a, b, *)`, or nothing.
fn dummy_arguments(cursor: &mut Cursor) -> ParseResult<Vec<Option<Ident>>> {
    if !cursor.eat("(") || cursor.eat(")") {
        return Ok(Vec::new());
    }
    let dummies = cursor.list(|c| match c.eat("*") {
        true => Ok(None),
        false => c.ident().map(Some),
    })?;
    cursor.expect(")")?;
    Ok(dummies)
}
