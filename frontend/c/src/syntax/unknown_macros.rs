//! Macros whose headers were not found, where declarations have attributes: they say nothing, and are skipped.
//!
//! ```text
//! INLINE_DECL size_t f (int n);      void STDCALL f (int n);      static int n UNUSED;
//! ^^^^^^^^^^^ before a type               ^^^^^^^ before a name                 ^^^^^^ behind a declarator
//! DEPRECATED("use g") int f (int n);
//! ^^^^^^^^^^^^^^^^^^^ before a type, with arguments
//! ```
//!
//! Taken for a type, the first would make `size_t` the name that is declared, and no type from there on.

use super::keywords::{is_keyword, is_qualifier, is_specifier_word, is_storage_word, is_type_word};
use super::parser::{Parsed, Parser};
use super::token::TokenKind;

/// The most tokens of a macro with arguments that is skipped.
const MOST_TOKENS: usize = 64;

/// Skips such a macro at the place of a specifier, an undeclared name before a type; whether there is one.
pub(super) fn skip_before_type(parser: &mut Parser) -> bool {
    let is_macro = is_before_type(parser);
    if is_macro {
        parser.advance();
        return true;
    }
    match end_of_macros_before_type(parser) {
        Some(n_tokens) => parser.position += n_tokens,
        None => return false,
    }
    true
}

/// The number of tokens of such macros in a row, some with arguments, before a type: `API DEPRECATED("use g") int`.
fn end_of_macros_before_type(parser: &Parser) -> Option<usize> {
    let mut end = 0;
    while is_undeclared(parser, end) && is_spelled_as_macro(parser.word_after(end)) {
        end += 1;
        if parser.is_after(end, "(") {
            end = end_of_arguments(parser, end)?;
        }
        if end > MOST_TOKENS {
            return None;
        }
    }
    let word = parser.word_after(end);
    let is_type = match parser.lookup(word) {
        Some(meaning) => meaning.is_some(),
        None if is_keyword(word) => is_specifier_word(word),
        None => is_name(parser, end) && (is_name(parser, end + 1) || parser.is_after(end + 1, "*")),
    };
    (end > 0 && is_type).then_some(end)
}

/// What is behind the parenthesis that closes the one `n` tokens ahead.
fn end_of_arguments(parser: &Parser, n: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let close = (n..n + MOST_TOKENS).find(|n| {
        depth += usize::from(parser.is_after(*n, "("));
        depth = depth.saturating_sub(usize::from(parser.is_after(*n, ")")));
        depth == 0
    });
    close.map(|close| close + 1)
}

/// Skips such macros at the place of a declared name: undeclared names in the spelling of macros before a name or `*`.
pub(super) fn skip_before_name(parser: &mut Parser) {
    while is_undeclared(parser, 0)
        && is_spelled_as_macro(parser.word())
        && (parser.is_after(1, "*") || is_name(parser, 1))
        && !(is_spelled_as_macro(parser.word_after(1)) && is_end_of_declarator(parser, 2))
    {
        parser.advance();
    }
}

/// Skips such a macro at the place of a tag: `struct API point {`.
pub(super) fn skip_before_tag(parser: &mut Parser) {
    if is_name(parser, 0) && is_name(parser, 1) && parser.is_after(2, "{") {
        parser.advance();
    }
}

/// Skips such macros behind a declarator: undeclared names, with arguments or without, before what ends it.
pub(super) fn skip_after_declarator(parser: &mut Parser) -> Parsed<()> {
    while is_undeclared(parser, 0) && is_spelled_as_macro(parser.word()) {
        let start = parser.position;
        parser.advance();
        if parser.is("(") {
            parser.skip_balanced()?;
        }
        if !is_end_of_declarator(parser, 0) && !is_undeclared(parser, 0) {
            parser.position = start;
            return Ok(());
        }
    }
    Ok(())
}

/// Whether the undeclared name here is no type, since one follows it.
fn is_before_type(parser: &Parser) -> bool {
    if !is_undeclared(parser, 0) {
        return false;
    }
    let mut n = 1;
    while is_qualifier(parser.word_after(n)) || is_storage_word(parser.word_after(n)) {
        n += 1;
    }
    let word = parser.word_after(n);
    let is_declarator = is_name(parser, n + 1)
        || is_qualifier(parser.word_after(n + 1))
        || parser.is_after(n + 1, "*");
    match parser.lookup(word) {
        _ if is_type_word(word) => true,
        Some(meaning) => meaning.is_some() && is_declarator,
        // `API widget *make (void)`: two undeclared names, of which one may be the type.
        None => {
            is_name(parser, n)
                && is_declarator
                && is_spelled_as_macro(parser.word())
                && !is_spelled_as_macro(parser.word_after(n + 1))
        }
    }
}

fn is_end_of_declarator(parser: &Parser, n: usize) -> bool {
    let ends = [";", ",", ")", "=", "{"];
    ends.iter().any(|end| parser.is_after(n, end))
}

/// Whether a name that nothing declares is `n` tokens ahead.
pub(super) fn is_undeclared(parser: &Parser, n: usize) -> bool {
    is_name(parser, n) && parser.lookup(parser.word_after(n)).is_none()
}

fn is_name(parser: &Parser, n: usize) -> bool {
    parser.token_after(n).kind == TokenKind::Word && !is_keyword(parser.word_after(n))
}

/// Whether a name is written as macros and words of compilers are: `API_EXPORT`, `__stdcall`.
fn is_spelled_as_macro(word: &str) -> bool {
    let mut letters = word.chars().filter(|it| it.is_alphabetic());
    word.len() > 1 && (word.starts_with("__") || letters.all(char::is_uppercase))
}
