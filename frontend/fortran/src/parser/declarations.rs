//! Type declaration statements: attributes, array specifications and the entities that they declare.

use super::cursor::{Cursor, ParseResult};
use super::type_specs;
use crate::syntax::{
    Attribute, Dimension, EntityDeclaration, Intent, SpecificationKind as Spec, UpperBound,
};

/// A declaration that starts with a type.
pub(super) fn type_declaration(cursor: &mut Cursor) -> ParseResult<Spec> {
    let kind = type_specs::type_spec(cursor)?;
    let (attributes, is_complete) = match cursor.has_mark("::") {
        true => attributes(cursor)?,
        // `CHARACTER*8, NAME`
        false => {
            cursor.eat(",");
            (Vec::new(), true)
        }
    };
    cursor.eat("::");
    let entities = entities(cursor)?;
    cursor.end()?;
    let has_dimension = |one: &Attribute| matches!(one, Attribute::Dimension(_));
    let are_arrays = attributes.iter().any(has_dimension)
        || entities.iter().all(|entity| entity.shape.is_some());
    if !is_complete && !are_arrays {
        return cursor.fail();
    }
    Ok(Spec::Type {
        kind,
        attributes,
        entities,
    })
}

/// `, DIMENSION(10), INTENT(IN) ::`, or nothing, and whether it is all that is declared.
///
/// In `REAL, POINTER CONTIG :: a(:)` the word `CONTIG` is a macro of a file that is not there. All that it can add is
/// more attributes, and of those, only the shape of a name without one would change what is counted.
fn attributes(cursor: &mut Cursor) -> ParseResult<(Vec<Attribute>, bool)> {
    let mut list = Vec::new();
    let mut is_complete = !skip_macros(cursor);
    while cursor.eat(",") {
        list.push(attribute(cursor)?);
        is_complete &= !skip_macros(cursor);
    }
    Ok((list, is_complete))
}

/// Skips words that are no attributes, as no comma is before them; returns whether there is one.
fn skip_macros(cursor: &mut Cursor) -> bool {
    let mut is_any = false;
    while cursor.word().is_some() {
        is_any = true;
        cursor.advance();
        if cursor.is_mark("(") {
            cursor.skip_parentheses();
        }
    }
    is_any
}

fn attribute(cursor: &mut Cursor) -> ParseResult<Attribute> {
    let word = cursor.ident()?.key;
    Ok(match &*word {
        "dimension" => Attribute::Dimension(array_spec(cursor)?),
        "intent" => Attribute::Intent(intent(cursor)?),
        _ => {
            if cursor.is_mark("(") {
                cursor.skip_parentheses();
            }
            plain_attribute(&word)
        }
    })
}

/// `(IN)`, `(OUT)`, `(INOUT)` or `(IN OUT)`
pub(super) fn intent(cursor: &mut Cursor) -> ParseResult<Intent> {
    cursor.expect("(")?;
    let mut intent = None;
    while let Some(word) = cursor.word() {
        intent = Some(match (&**word, intent) {
            ("in", _) => Intent::In,
            ("out", Some(Intent::In)) | ("inout", _) => Intent::InOut,
            _ => Intent::Out,
        });
        cursor.advance();
    }
    cursor.expect(")")?;
    intent.map_or_else(|| cursor.fail(), Ok)
}

/// `(10, 0:n, *)`
pub(super) fn array_spec(cursor: &mut Cursor) -> ParseResult<Vec<Dimension>> {
    cursor.expect("(")?;
    let list = cursor.list(dimension)?;
    cursor.expect(")")?;
    Ok(list)
}

fn dimension(cursor: &mut Cursor) -> ParseResult<Dimension> {
    let plain = |upper| Dimension { lower: None, upper };
    if cursor.eat("*") {
        return Ok(plain(UpperBound::Assumed));
    }
    if cursor.eat(":") {
        return Ok(plain(UpperBound::Deferred));
    }
    let first = cursor.expr()?;
    if !cursor.eat(":") {
        return Ok(plain(UpperBound::Bound(first)));
    }
    let upper = if cursor.eat("*") {
        UpperBound::Assumed
    } else if cursor.is_mark(",") || cursor.is_mark(")") {
        UpperBound::Deferred
    } else {
        UpperBound::Bound(cursor.expr()?)
    };
    Ok(Dimension {
        lower: Some(first),
        upper,
    })
}

/// Entities separated by commas.
pub(super) fn entities(cursor: &mut Cursor) -> ParseResult<Vec<EntityDeclaration>> {
    cursor.list(entity)
}

fn entity(cursor: &mut Cursor) -> ParseResult<EntityDeclaration> {
    let name = cursor.ident()?;
    let mut entity = EntityDeclaration {
        name,
        shape: None,
        length: None,
        initial: None,
    };
    // Both `a(10)*8` and `a*8(10)` are accepted.
    for _ in 0..2 {
        if cursor.is_mark("(") {
            entity.shape = Some(array_spec(cursor)?);
        }
        if cursor.eat("*") {
            entity.length = Some(type_specs::star_length(cursor)?);
        }
    }
    if cursor.is_mark("[") {
        cursor.skip_parentheses();
    }
    if cursor.eat("=>") || cursor.eat("=") {
        entity.initial = Some(cursor.expr()?);
    } else if cursor.is_mark("/") {
        skip_values(cursor);
    }
    Ok(entity)
}

/// Skips `/1, 2/`, an obsolete form of initialization.
fn skip_values(cursor: &mut Cursor) {
    cursor.advance();
    while !cursor.is_at_end() && !cursor.eat("/") {
        cursor.advance();
    }
}

/// An attribute that is one word.
pub(super) fn plain_attribute(word: &str) -> Attribute {
    match word {
        "parameter" => Attribute::Parameter,
        "allocatable" => Attribute::Allocatable,
        "pointer" => Attribute::Pointer,
        "save" => Attribute::Save,
        "external" => Attribute::External,
        "value" => Attribute::Value,
        "optional" => Attribute::Optional,
        _ => Attribute::Other,
    }
}
