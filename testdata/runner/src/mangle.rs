//! Texts that are no longer programs, made from texts that are.

use proptest::prelude::{Strategy, any};

/// One change of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Takes bytes out.
    Cut,
    /// Says bytes twice.
    Repeat,
    /// Moves bytes to the end.
    Move,
    /// Puts in a token that C knows.
    Token,
    /// Replaces a byte by any other.
    Byte,
}

/// Tokens that change what comes after them.
const TOKENS: [&str; 28] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "*",
    "&",
    "++",
    "--",
    "-",
    "/*",
    "\"",
    "'",
    "\n#define n ",
    "\n#if ",
    "\n#else\n",
    "\n#include \"x.h\"\n",
    "for (",
    "while (1) ",
    "0x",
    "9223372036854775807",
    "n",
    "sizeof ",
    "return ",
    "?",
];

/// A change, and two numbers that say where and how much or with what.
pub fn changes() -> impl Strategy<Value = Vec<(Change, u16, u16)>> {
    let kinds = [
        Change::Cut,
        Change::Repeat,
        Change::Move,
        Change::Token,
        Change::Byte,
    ];
    let change = (0..kinds.len(), any::<u16>(), any::<u16>());
    let change = change.prop_map(move |(kind, place, amount)| (kinds[kind], place, amount));
    proptest::collection::vec(change, 1..6)
}

/// The text with all changes made, one after the other.
#[must_use]
pub fn mangled(text: &[u8], changes: &[(Change, u16, u16)]) -> Vec<u8> {
    let mut text = text.to_vec();
    for &(change, place, amount) in changes {
        let start = usize::from(place) % (text.len() + 1);
        let end = (start + usize::from(amount) % 60).min(text.len());
        match change {
            Change::Cut => {
                text.drain(start..end);
            }
            Change::Repeat => {
                let part = text[start..end].to_vec();
                text.splice(start..start, part);
            }
            Change::Move => {
                let part: Vec<u8> = text.drain(start..end).collect();
                text.extend(part);
            }
            Change::Token => {
                let token = TOKENS[usize::from(amount) % TOKENS.len()];
                text.splice(start..start, token.bytes());
            }
            Change::Byte => {
                if let Some(byte) = text.get_mut(start) {
                    *byte = amount.to_le_bytes()[0];
                }
            }
        }
    }
    text
}
