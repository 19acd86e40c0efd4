//! Headers of constructs that cannot be parsed.
//!
//! `IF (n > 1 000) THEN` is a syntax error in free form, but the words `IF` and `THEN` say that it guards the block
//! behind it. It becomes a header with an unknown condition, so that what it guards is not taken for unguarded.

use super::cursor::ParseFailure;
use super::flat_statement::{FlatStatement, UnparsedBlock};
use crate::syntax::{CaseRange, Expr, ExprKind, LoopControl, NameKey};
use crate::text::{Token, TokenKind};

/// The header that a statement is by its words, with an unknown expression; `None` if it does not open or divide a
/// construct.
pub(super) fn header(
    tokens: &[Token],
    words: &[NameKey],
    failure: &ParseFailure,
) -> Option<FlatStatement> {
    let (first, rest) = tokens.split_first()?;
    let word = word(first)?;
    if matches!(
        rest.first().map(|token| &token.kind),
        Some(TokenKind::Mark("="))
    ) {
        return None;
    }
    let unknown = || Expr {
        at: failure.at,
        kind: ExprKind::Unparsed(failure.reason.clone(), words.to_vec()),
    };
    let block = |ended_by| {
        let reason = failure.reason.clone();
        FlatStatement::UnparsedBlock(UnparsedBlock { reason, ended_by })
    };
    let second = rest.first().and_then(self::word).unwrap_or("");
    let is_then = tokens.last().and_then(self::word);
    let is_then = is_then.is_some_and(|last| last.ends_with("then"));
    Some(match word {
        "if" if is_then => FlatStatement::IfThen(unknown()),
        "else" if second == "if" && is_then => FlatStatement::ElseIf(unknown()),
        "elseif" if is_then => FlatStatement::ElseIf(unknown()),
        "else" if second == "where" => FlatStatement::ElseWhere(Some(unknown())),
        "elsewhere" => FlatStatement::ElseWhere(Some(unknown())),
        "select" | "selectcase" => FlatStatement::Select(unknown()),
        "case" => FlatStatement::Case(vec![CaseRange::Unparsed(unknown())]),
        "where" if is_closed(rest) => FlatStatement::Where(unknown()),
        "forall" if is_closed(rest) => block("forall"),
        "associate" => block("associate"),
        _ => {
            let label = loop_label(word, rest)?;
            FlatStatement::Do(label, Box::new(LoopControl::While(unknown())))
        }
    })
}

fn word(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Name(name) => Some(name),
        _ => None,
    }
}

/// The label in the header of a `DO` loop; the outer `None` for other statements.
fn loop_label(word: &str, rest: &[Token]) -> Option<Option<u32>> {
    let tail = word.strip_prefix("do")?;
    if matches!(tail, "" | "while" | "concurrent") {
        return Some(match rest.first().map(|token| &token.kind) {
            Some(TokenKind::Integer(label)) => u32::try_from(*label).ok(),
            _ => None,
        });
    }
    // `DO10I=1,N`
    let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
    let label = tail.get(..digits)?.parse().ok()?;
    Some(Some(label))
}

/// Whether a statement ends with the parenthesis that closes its first one: nothing follows `WHERE (…)`.
fn is_closed(rest: &[Token]) -> bool {
    let mut depth = 0_i64;
    for (idx, token) in rest.iter().enumerate() {
        match token.kind {
            TokenKind::Mark("(" | "[") => depth += 1,
            TokenKind::Mark(")" | "]") => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return idx + 1 == rest.len();
        }
    }
    true
}
