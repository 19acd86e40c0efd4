//! Object-like macros that are integers: the user can give them a value.

use super::condition;
use super::macros::{Candidate, Macro, Piece};
use super::preprocessed::ObjectMacro;
use super::state::Preprocessor;
use super::token::{Kind, Name};
use std::collections::{BTreeMap, HashMap};

/// The macros of the program that are integers.
pub(super) fn integer_macros(ctx: &Preprocessor) -> BTreeMap<String, ObjectMacro> {
    let mut known = HashMap::new();
    let mut found = BTreeMap::new();
    for (&name, candidate) in ctx.candidates.iter() {
        if is_integer(ctx, name, &mut known, 0) {
            let name = ctx.names.spelling(name).to_owned();
            found.insert(name, object_macro(ctx, candidate));
        }
    }
    found
}

pub(super) fn object_macro(ctx: &Preprocessor, candidate: &Candidate) -> ObjectMacro {
    ObjectMacro {
        defined_at: candidate.defined_at,
        value: replacement_text(ctx, &candidate.definition),
    }
}

/// Whether a macro's replacement list looks like an integer expression: numbers, names of such macros, operators and
/// parentheses. `known` caches the results.
pub(super) fn is_integer(
    ctx: &Preprocessor,
    name: Name,
    known: &mut HashMap<Name, bool>,
    depth: usize,
) -> bool {
    const DEPTH: usize = 8;
    if let Some(&answer) = known.get(&name) {
        return answer;
    }
    known.insert(name, false); // for macros that name themselves
    let Some(candidate) = ctx.candidates.get(&name).filter(|_| depth < DEPTH) else {
        return false;
    };
    let mut n_operands = 0;
    let fits = candidate.definition.body.iter().all(|piece| {
        let Piece::Token(token) = piece else {
            return false;
        };
        let spelling = ctx.names.spelling(token.name);
        n_operands += usize::from(token.kind != Kind::Punctuator);
        match token.kind {
            Kind::Number => condition::is_integer(spelling),
            Kind::Identifier => is_integer(ctx, token.name, known, depth + 1),
            Kind::Punctuator => {
                matches!(
                    spelling,
                    "(" | ")" | "+" | "-" | "*" | "/" | "%" | "<<" | ">>"
                )
            }
            _ => false,
        }
    });
    let answer = fits && n_operands > 0;
    known.insert(name, answer);
    answer
}

pub(super) fn replacement_text(ctx: &Preprocessor, definition: &Macro) -> String {
    let mut text = String::new();
    for piece in &definition.body {
        if let Piece::Token(token) = piece {
            if token.space && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(ctx.names.spelling(token.name));
        }
    }
    text
}
