//! Attributes that affect layout (`packed`, `aligned`, `vector_size`, `mode`, `_Alignas`) and `noreturn`. All others are
//! skipped.

use super::keywords::is_qualifier;
use super::parser::{Parsed, Parser};
use super::{Alignment, Attributes, TypeName};
use premiss_tree::IntegerType;
use std::sync::Arc;

/// Whether a word starts an attribute (or names an assembler symbol, which occurs in the same places).
pub(super) fn is_attribute_word(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "_Alignas"
            | "alignas"
            | "__asm__"
            | "__asm"
            | "asm"
    )
}

pub(super) fn skip_attributes(parser: &mut Parser) -> Parsed<()> {
    attributes(parser).map(|_| ())
}

/// Parses all attributes at the current position.
pub(super) fn attributes(parser: &mut Parser) -> Parsed<Attributes> {
    let mut found = Attributes::default();
    loop {
        let word = parser.word();
        if is_attribute_word(word) {
            attribute_word(parser, word, &mut found)?;
        } else if parser.is("[") && parser.is_after(1, "[") {
            listed_attributes(parser, &mut found)?;
        } else {
            return Ok(found);
        }
    }
}

fn attribute_word(parser: &mut Parser, word: &str, found: &mut Attributes) -> Parsed<()> {
    parser.advance();
    while is_qualifier(parser.word()) {
        parser.advance();
    }
    if !parser.is("(") {
        return Ok(());
    }
    match word {
        "__attribute__" | "__attribute" => listed_attributes(parser, found),
        "_Alignas" | "alignas" => {
            let alignment = in_parentheses(parser, alignment_specifier)?;
            found.aligned.push(alignment);
            Ok(())
        }
        "__declspec" => {
            found.never_returns |= parser.word_after(1) == "noreturn";
            parser.skip_balanced()
        }
        _ => parser.skip_balanced(),
    }
}

/// `((a, b(x)))` or `[[a, b(x)]]`.
fn listed_attributes(parser: &mut Parser, found: &mut Attributes) -> Parsed<()> {
    let start = parser.position;
    parser.skip_balanced()?;
    let end = std::mem::replace(&mut parser.position, start + 2);
    let result = attribute_list(parser, end.saturating_sub(2), found);
    parser.position = end;
    result
}

fn attribute_list(parser: &mut Parser, end: usize, found: &mut Attributes) -> Parsed<()> {
    while parser.position < end {
        let word = parser.word();
        if parser.is("(") {
            parser.skip_balanced()?;
            continue;
        }
        parser.advance();
        attribute(parser, word.trim_matches('_'), found)?;
    }
    Ok(())
}

/// One attribute, after its name.
fn attribute(parser: &mut Parser, name: &str, found: &mut Attributes) -> Parsed<()> {
    let has_argument = parser.is("(");
    match name {
        "packed" => found.packed = true,
        "aligned" => {
            found.aligned.push(match has_argument {
                true => in_parentheses(parser, alignment_specifier)?,
                false => Alignment::Greatest,
            });
        }
        "vector_size" if has_argument => {
            let bytes = in_parentheses(parser, |parser| {
                parser.nested(Parser::conditional_expression)
            })?;
            found.vector = Some(Arc::new(bytes));
        }
        "mode" if has_argument => {
            let mode = parser.word_after(1).trim_matches('_');
            found.mode = Some(Arc::new(mode_type(mode)));
        }
        "noreturn" | "_Noreturn" => found.never_returns = true,
        "ms_struct" => found.is_foreign = true,
        _ => {}
    }
    Ok(())
}

fn in_parentheses<T>(
    parser: &mut Parser,
    read: impl FnOnce(&mut Parser) -> Parsed<T>,
) -> Parsed<T> {
    parser.expect("(")?;
    let result = read(parser)?;
    parser.expect(")")?;
    Ok(result)
}

fn alignment_specifier(parser: &mut Parser) -> Parsed<Alignment> {
    if parser.starts_type_after(0) {
        return Ok(Alignment::OfType(parser.nested(Parser::type_name)?));
    }
    let bytes = parser.nested(Parser::conditional_expression)?;
    Ok(Alignment::Bytes(Arc::new(bytes)))
}

/// Parses the qualifiers after a `*`; returns the attributes among them.
pub(super) fn qualifiers(parser: &mut Parser) -> Parsed<Attributes> {
    let mut found = attributes(parser)?;
    while is_qualifier(parser.word()) {
        parser.advance();
        found.extend(attributes(parser)?);
    }
    Ok(found)
}

/// The type for a machine mode.
fn mode_type(mode: &str) -> TypeName {
    let integer = |bits| TypeName::Integer(IntegerType { bits, signed: true });
    match mode {
        "QI" | "byte" => integer(8),
        "HI" => integer(16),
        "SI" => integer(32),
        "DI" | "word" | "pointer" => integer(64),
        "HF" => TypeName::Floating(2),
        "SF" => TypeName::Floating(4),
        "DF" => TypeName::Floating(8),
        "TI" | "XF" | "TF" => TypeName::Floating(16),
        _ => TypeName::Unknown("mode".into()),
    }
}
