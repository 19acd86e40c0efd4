//! From statements to program units.
//!
//! Every statement is read by itself, by its first words; blocks are put together afterwards. One that
//! cannot be read becomes a [`StatementKind::Error`](crate::syntax::StatementKind::Error), and what
//! surrounds it is kept.
//!
//! The parser is our own. Fortran's statements are told apart without a grammar (no word is reserved, and
//! fixed form does not need blanks), and by themselves, so that one that is not understood costs nothing
//! else; tree-sitter-fortran (0.6) has no fixed form, and gives up what surrounds an error.

mod builder;
mod construct_statements;
mod constructs;
mod cursor;
mod data_statements;
mod data_transfer;
mod declarations;
mod declared_names;
mod executables;
mod expressions;
mod flat_statement;
mod program_units;
mod recursion;
mod specifications;
mod split;
mod statements;
mod type_specs;
mod unit_headers;

use crate::syntax::{FortranFile, NameKey, WordSet};
use crate::text::{LogicalLine, SourceForm, Token, TokenKind, logical_lines, tokens};
use cursor::{Cursor, ParseFailure};
use flat_statement::FlatStatement;
use premiss_ast::Names;
use premiss_ast::syntax::{At, UnitId};

/// About how many bytes a file has for each of its statements, comments included.
const BYTES_OF_STATEMENT: usize = 80;

/// A statement by itself.
struct ParsedStatement {
    label: Option<u32>,
    /// The name of the construct that it opens.
    name: Option<NameKey>,
    at: At,
    flat: Result<FlatStatement, ParseFailure>,
}

/// Parses the text of a unit.
pub(crate) fn parse(unit: UnitId, text: &str, form: SourceForm) -> FortranFile {
    let mut lines = Vec::with_capacity(text.len() / BYTES_OF_STATEMENT);
    let mut names = Names::default();
    logical_lines(text, form, &mut |statement| {
        let tokens = tokens(&statement, unit, &mut names);
        lines.extend(line(&statement, &tokens, form, &mut names));
    });
    FortranFile {
        words: WordSet::of(&names),
        ..program_units::file(lines)
    }
}

fn line(
    statement: &LogicalLine,
    all: &[Token],
    form: SourceForm,
    names: &mut Names,
) -> Option<ParsedStatement> {
    let (first, last) = (all.first()?, all.last()?);
    let at = first.at.to(last.at);
    let (name, rest) = construct_name(all);
    let mut flat = read(rest, at);
    if flat.is_err() && form == SourceForm::Fixed {
        for split in split::readings(rest) {
            if let Ok(better) = read(&split, at) {
                flat = Ok(better);
                note_names(&split, names);
                break;
            }
        }
    }
    Some(ParsedStatement {
        label: statement.label,
        name,
        at,
        flat,
    })
}

fn note_names(tokens: &[Token], names: &mut Names) {
    for token in tokens {
        if let TokenKind::Name(name) = &token.kind {
            names.of(name);
        }
    }
}

fn read(tokens: &[Token], at: At) -> Result<FlatStatement, ParseFailure> {
    statements::statement(&mut Cursor::new(tokens, at))
}

/// `name: DO …`
fn construct_name(tokens: &[Token]) -> (Option<NameKey>, &[Token]) {
    match tokens {
        [first, colon, rest @ ..] if colon.kind == TokenKind::Mark(":") => match &first.kind {
            TokenKind::Name(name) => (Some(name.clone()), rest),
            _ => (None, tokens),
        },
        _ => (None, tokens),
    }
}
