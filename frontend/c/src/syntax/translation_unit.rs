//! A translation unit: external declarations, one after the other, up to the end of the text.

use super::declarations::external_declaration;
use super::parser::{Parser, Scope, SyntaxError};
use super::token::TokenKind;
use super::{Names, Unit, UnitId};
use crate::preprocess::Pragma;
use premiss_ast::syntax::Notation;
use std::sync::Arc;

/// A unit that was read.
pub(crate) struct Parse {
    pub(crate) unit: Unit,
    pub(crate) errors: Vec<SyntaxError>,
    /// What its names mean at its end, for texts that go on after it.
    pub(crate) scope: Arc<Scope>,
    /// Whether it completes a struct that an earlier text declares: both have to be parsed as one text.
    pub(crate) changes_earlier: bool,
}

/// Reads the preprocessed text of a unit, of less than 2^32 bytes; `earlier` is what names mean after the
/// texts that stand before it, the first one's first.
pub(crate) fn parse(
    unit: UnitId,
    (text, pragmas): (&str, &[Pragma]),
    earlier: &[Arc<Scope>],
    names: &mut Names,
) -> Parse {
    let mut parser = Parser::new(unit, (text, pragmas), earlier, std::mem::take(names));
    let mut items = Vec::new();
    while parser.kind() != TokenKind::End {
        let start = parser.position;
        if let Err(error) = external_declaration(&mut parser, &mut items) {
            parser.errors.push(error);
            parser.scopes.truncate(1);
            parser.depth = 0;
            parser.recover_at_file_scope(start);
        }
    }
    // Units are kept until all of a program are lowered.
    items.shrink_to_fit();
    parser.structs.shrink_to_fit();
    *names = parser.names;
    let unit = Unit {
        items,
        structs: parser.structs,
        has_error: !parser.errors.is_empty(),
        notation: Notation::C,
    };
    Parse {
        unit,
        errors: parser.errors,
        scope: Arc::new(parser.scopes.swap_remove(0)),
        changes_earlier: parser.changes_earlier,
    }
}
