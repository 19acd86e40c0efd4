//! Declaration specifiers: type specifiers, storage classes, attributes (C11 6.7).

use super::Attributes;
use super::attributes;
use super::keywords::{is_keyword, is_qualifier, is_specifier_word, is_storage_word, is_type_word};
use super::literals::INT;
use super::parser::{Parsed, Parser};
use super::records;
use super::specifier_set::{Specifiers, TypeWords};
use super::token::TokenKind;
use super::unknown_macros;
use super::{Declaration, Lifetime, TextRange, TypeName};
use std::sync::Arc;

/// Whether a type name or declaration starts `n` tokens ahead.
pub(super) fn starts_type_after(parser: &Parser, n: usize) -> bool {
    let word = parser.word_after(n);
    if word.is_empty() {
        return false;
    }
    if is_specifier_word(word) || matches!(word, "_Alignas" | "alignas") {
        return true;
    }
    if word.starts_with("__attribute") {
        return true;
    }
    match parser.lookup(word) {
        Some(meaning) => meaning.is_some(),
        None => looks_like_type(parser, n),
    }
}

/// Whether an undeclared name is used as a type: `word word`, `(word *)`, `word *word` before `,`, `)`, `;`, `=` or
/// `[`.
fn looks_like_type(parser: &Parser, n: usize) -> bool {
    if is_keyword(parser.word_after(n)) {
        return false;
    }
    let mut next = n + 1;
    let is_name = |idx| {
        let word = parser.word_after(idx);
        !word.is_empty() && (is_qualifier(word) || !is_keyword(word))
    };
    let is_macro =
        is_type_word(parser.word_after(next)) || is_storage_word(parser.word_after(next));
    if is_name(next) || is_macro {
        return true;
    }
    if !parser.is_after(next, "*") {
        return false;
    }
    while parser.is_after(next, "*") || is_qualifier(parser.word_after(next)) {
        next += 1;
    }
    if parser.is_after(next, ")") || parser.is_after(next, ",") {
        return true;
    }
    // `a * b;` as an expression statement has no effect: with undeclared names it is a declaration.
    let before = match (n, parser.position) {
        (0, 0) => ";",
        (0, _) => text_between(parser, parser.before()),
        _ => return false,
    };
    let ends: &[&str] = match before {
        // At file scope there is no multiplication.
        ";" | "}" if parser.is_at_file_scope() => &[",", ")", ";", "=", "[", "("],
        ";" | "{" | "}" | "(" | "," | ")" => &[",", ")", ";", "=", "["],
        _ => return false,
    };
    is_name(next) && ends.iter().any(|text| parser.is_after(next + 1, text))
}

fn text_between<'t>(parser: &Parser<'t>, at: TextRange) -> &'t str {
    parser.text_of(super::token::Token {
        kind: TokenKind::Unknown,
        at,
    })
}

/// Parses specifiers; adds the enumeration constants that they define to `declared`.
pub(super) fn declaration_specifiers(
    parser: &mut Parser,
    declared: &mut Vec<Declaration>,
) -> Parsed<Specifiers> {
    let mut basic = TypeWords::default();
    let mut named = None;
    let mut result = Specifiers {
        kind: Arc::new(TypeName::Integer(INT)),
        lifetime: Lifetime::Automatic,
        is_typedef: false,
        is_const: false,
        is_volatile: false,
        is_inline: false,
        attributes: Attributes::default(),
    };
    let start = parser.position;
    loop {
        result.attributes.extend(attributes::attributes(parser)?);
        let word = parser.word();
        let has_type = named.is_some() || basic.n_words > 0;
        if !has_type && unknown_macros::skip_before_type(parser) {
            continue;
        }
        match word {
            "" => break,
            "struct" | "union" => named = Some(parser.nested(records::struct_specifier)?),
            "enum" => named = Some(records::enum_specifier(parser, declared)?),
            "typeof" | "__typeof__" | "__typeof" => named = Some(typeof_specifier(parser)?),
            "_Atomic" if parser.is_after(1, "(") => {
                parser.advance();
                parser.advance();
                named = Some(parser.nested(Parser::type_name)?);
                parser.expect(")")?;
            }
            "complex" if basic.n_words > 0 => type_word(parser, &mut basic),
            _ if is_type_word(word) => type_word(parser, &mut basic),
            _ if is_qualifier(word) || is_storage_word(word) => {
                result.note(word);
                parser.advance();
            }
            _ if has_type => break,
            _ => match typedef_name(parser, start) {
                Some(kind) => named = Some(kind),
                None => break,
            },
        }
    }
    if parser.position == start {
        return Err(parser.error());
    }
    let kind = named.unwrap_or_else(|| Arc::new(basic.kind()));
    result.kind = result.attributes.applied(kind);
    Ok(result)
}

fn type_word(parser: &mut Parser, basic: &mut TypeWords) {
    basic.add(parser.word());
    parser.advance();
}

/// A typedef name, or an undeclared name in its place.
fn typedef_name(parser: &mut Parser, start: usize) -> Option<Arc<TypeName>> {
    let word = parser.word();
    // Behind `const` there is no multiplication: `const matrix * a`.
    let is_pointer = parser.position != start && parser.is_after(1, "*");
    let kind = match parser.lookup(word) {
        Some(Some(kind)) => kind.clone(),
        Some(None) => return None,
        None if is_pointer || parser.position == start || looks_like_type(parser, 0) => {
            // `real (*norm)(int);` as a member or parameter declares; among statements it calls.
            let is_certain =
                parser.must_declare && (parser.is_after(1, "(") || parser.is_after(1, "*"));
            let ends = parser.is_after(1, ")") || parser.is_after(1, ",") || is_certain;
            if !is_pointer && !looks_like_type(parser, 0) && !ends {
                return None;
            }
            Arc::new(TypeName::Undeclared(parser.name_of(word)))
        }
        None => return None,
    };
    parser.advance();
    Some(kind)
}

fn typeof_specifier(parser: &mut Parser) -> Parsed<Arc<TypeName>> {
    parser.advance();
    let is_type = parser.starts_type_after(1);
    parser.expect("(")?;
    let kind = if is_type {
        parser.nested(Parser::type_name)?
    } else {
        Arc::new(TypeName::TypeOf(Arc::new(
            parser.nested(Parser::expression)?,
        )))
    };
    parser.expect(")")?;
    Ok(kind)
}
