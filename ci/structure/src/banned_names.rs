//! Names that do not describe what they stand for.
//!
//! Participles, pronouns and prepositions are bad names: what was `told`, by whom, to which `other`? A name is banned
//! if the whole of it, in snake case, is one of these words; most of them may be part of a longer name (`last_read`,
//! `known_bits`), and a few may not (`is_minted`). Local variables and comments are exempt.

use crate::declarations::{Declaration, NameKind};

/// Banned for types, traits, modules, functions, fields, variants and renamed imports.
const NEVER: &[&str] = &[
    "asked", "deeds", "handed", "looked", "luck", "made", "minted", "noted", "said", "settled",
    "told",
];

/// Banned for types, traits, modules, functions, fields and renamed imports.
const NO_NAMES: &[&str] = &[
    "about", "around", "ask", "course", "doubts", "draft", "drawn", "each", "face", "further",
    "gathered", "given", "glance", "ground", "how", "judged", "kept", "known", "maker", "manner",
    "moved", "named", "opened", "others", "pictured", "roofed", "seen", "shown", "solved",
    "standing", "taken", "teller", "touched", "walked", "wanted", "who", "whole", "whose", "why",
    "written",
];

/// Banned for types, traits, modules and renamed imports: as functions and fields these are plain English
/// (`of` makes a value, `one` is the neutral element, `before` and `after` stand for two states).
const NO_THINGS: &[&str] = &[
    "after", "again", "another", "before", "both", "by", "found", "here", "how", "it", "later",
    "like", "none", "now", "of", "on", "one", "other", "own", "read", "same", "some", "that",
    "then", "there", "this", "what", "when", "where", "which",
];

/// Also banned for fields.
const NO_FIELDS: &[&str] = &["by", "found", "of", "on", "own", "when"];

/// Banned also as part of a name.
const NEVER_WITHIN: &[&str] = &[
    "asked", "deeds", "luck", "minted", "noted", "said", "settled", "told",
];

/// Whether a declared name is banned.
pub(crate) fn is_banned(declaration: &Declaration) -> bool {
    let name = snake_case(&declaration.name);
    let lists: &[&[&str]] = match declaration.kind {
        NameKind::Type | NameKind::Trait | NameKind::Module | NameKind::Rename => {
            &[NEVER, NO_NAMES, NO_THINGS]
        }
        NameKind::Function => &[NEVER, NO_NAMES],
        NameKind::Field => &[NEVER, NO_NAMES, NO_FIELDS],
        NameKind::Variant => &[NEVER],
    };
    let within = name.split('_').any(|word| NEVER_WITHIN.contains(&word));
    within || lists.iter().any(|list| list.contains(&name.as_str()))
}

/// `LastRead` as `last_read`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
