//! Translation units: sequences of external declarations (C11 6.9).

use super::declarations::external_declaration;
use super::parser::{Parser, Scope, SyntaxError};
use super::token::TokenKind;
use super::{Names, Unit, UnitId};
use crate::preprocess::Pragma;
use premiss_ast::syntax::Notation;
use std::sync::Arc;

/// A parsed unit.
pub(crate) struct Parse {
    pub(crate) unit: Unit,
    pub(crate) errors: Vec<SyntaxError>,
    /// The file scope at its end, for texts that continue it.
    pub(crate) scope: Arc<Scope>,
    /// Whether it completes a struct that an earlier text declares: both must be parsed as one text.
    pub(crate) changes_earlier: bool,
}

/// Parses the preprocessed text of a unit, of less than 2^32 bytes; `earlier` has the scopes of the texts before it,
/// in order.
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
    // Units are kept until all units of a program are lowered.
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
