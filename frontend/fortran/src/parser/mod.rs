//! From statements to program units.
//!
//! Every statement is read by itself, by its first words; blocks are put together afterwards. One that
//! cannot be read becomes a [`StatementKind::Error`](crate::syntax::StatementKind::Error), and what
//! surrounds it is kept.
//!
//! The parser is our own. Fortran's statements are told apart without a grammar (no word is reserved, and
//! fixed form does not need blanks), and by themselves, so that one that is not understood costs nothing
//! else; tree-sitter-fortran (0.6) has no fixed form, and gives up what surrounds an error.

mod blocks;
mod cursor;
mod declarations;
mod executables;
mod expressions;
mod split;
mod statements;
mod units;

use crate::syntax::{File, Key, Words};
use crate::text::{Form, Logical, Token, TokenKind, logical_lines, tokens};
use cursor::{Cursor, Failure};
use premiss_imperative::Names;
use premiss_imperative::syntax::{At, UnitId};
use statements::Flat;

/// About how many bytes a file has for each of its statements, comments included.
const BYTES_OF_STATEMENT: usize = 80;

/// A statement by itself.
struct Line {
    label: Option<u32>,
    /// The name of the construct that it opens.
    name: Option<Key>,
    at: At,
    flat: Result<Flat, Failure>,
}

/// Parses the text of a unit.
pub(crate) fn parse(unit: UnitId, text: &str, form: Form) -> File {
    let mut lines = Vec::with_capacity(text.len() / BYTES_OF_STATEMENT);
    let mut names = Names::default();
    logical_lines(text, form, &mut |statement| {
        let tokens = tokens(&statement, unit, &mut names);
        lines.extend(line(&statement, &tokens, form, &mut names));
    });
    File {
        words: Words::of(&names),
        ..blocks::file(lines)
    }
}

fn line(statement: &Logical, all: &[Token], form: Form, names: &mut Names) -> Option<Line> {
    let (first, last) = (all.first()?, all.last()?);
    let at = first.at.to(last.at);
    let (name, rest) = construct_name(all);
    let mut flat = read(rest, at);
    if flat.is_err() && form == Form::Fixed {
        for split in split::readings(rest) {
            if let Ok(better) = read(&split, at) {
                flat = Ok(better);
                note_names(&split, names);
                break;
            }
        }
    }
    Some(Line {
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

fn read(tokens: &[Token], at: At) -> Result<Flat, Failure> {
    statements::statement(&mut Cursor::new(tokens, at))
}

/// `name: DO …`
fn construct_name(tokens: &[Token]) -> (Option<Key>, &[Token]) {
    match tokens {
        [first, colon, rest @ ..] if colon.kind == TokenKind::Mark(":") => match &first.kind {
            TokenKind::Name(name) => (Some(name.clone()), rest),
            _ => (None, tokens),
        },
        _ => (None, tokens),
    }
}
