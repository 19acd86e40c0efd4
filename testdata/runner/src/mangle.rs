//! Texts that are no longer programs, made from texts that are.

use crate::decisions::Decisions;
use proptest::prelude::{Strategy, any};
use std::ops::Range;

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
    /// Replaces a number by one at the end of a range.
    Number,
    /// Says a line many times.
    Lines,
}

impl Change {
    const ALL: [Self; 7] = [
        Self::Cut,
        Self::Repeat,
        Self::Move,
        Self::Token,
        Self::Byte,
        Self::Number,
        Self::Lines,
    ];
}

/// Numbers at the ends of ranges.
const NUMBERS: [&str; 8] = [
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
];

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
    let change = (0..Change::ALL.len(), any::<u16>(), any::<u16>());
    let change = change.prop_map(|(kind, place, amount)| (Change::ALL[kind], place, amount));
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
            Change::Number => {
                let number = NUMBERS[usize::from(amount) % NUMBERS.len()];
                text.splice(number_from(&text, start), number.bytes());
            }
            Change::Lines => {
                let line = line_around(&text, start.min(text.len()));
                let lines = text[line.clone()].repeat(usize::from(amount) % 100);
                text.splice(line.start..line.start, lines);
            }
        }
    }
    text
}

/// The changes of a number, from one to five: the same for the same number.
#[must_use]
pub fn changes_of(number: u64) -> Vec<(Change, u16, u16)> {
    let mut decisions = Decisions::of(number);
    let mut any = || u16::try_from(decisions.below(1 << 16)).expect("16 bits");
    let n_changes = 1 + any() % 5;
    let mut change = || {
        (
            Change::ALL[usize::from(any()) % Change::ALL.len()],
            any(),
            any(),
        )
    };
    (0..n_changes).map(|_| change()).collect()
}

/// The first number from a place on; nothing where there is none.
fn number_from(text: &[u8], start: usize) -> Range<usize> {
    let rest = &text[start..];
    let first = rest.iter().position(u8::is_ascii_digit);
    let first = first.unwrap_or(rest.len());
    let length = rest[first..]
        .iter()
        .take_while(|x| x.is_ascii_digit())
        .count();
    start + first..start + first + length
}

/// The line that a place is in, with its end.
fn line_around(text: &[u8], at: usize) -> Range<usize> {
    let start = text[..at]
        .iter()
        .rposition(|x| *x == b'\n')
        .map_or(0, |at| at + 1);
    let end = text[at..].iter().position(|x| *x == b'\n');
    start..end.map_or(text.len(), |end| at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::{Change, changes_of, mangled};

    #[test]
    fn numbers_and_lines_are_changed() {
        let text = b"a[12] = 3;\nb\n";
        let number = mangled(text, &[(Change::Number, 1, 3)]);
        assert_eq!(number, b"a[2147483647] = 3;\nb\n");
        let lines = mangled(text, &[(Change::Lines, 11, 2)]);
        assert_eq!(lines, b"a[12] = 3;\nb\nb\nb\n");
    }

    #[test]
    fn the_same_number_makes_the_same_changes() {
        assert_eq!(changes_of(7), changes_of(7));
        assert_ne!(changes_of(7), changes_of(8));
    }
}
