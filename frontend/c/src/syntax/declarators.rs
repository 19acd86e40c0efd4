//! Declarators, parameter lists and type names.

use super::Attributes;
use super::attributes;
use super::keywords::{is_keyword, is_qualifier};
use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::unknown_macros;
use super::{Expression, Name, Parameter, Signature, TextRange, TypeName};
use std::sync::Arc;

/// The suffixes of the name in a declarator, nearest first.
enum Suffix {
    Array(Option<Arc<Expression>>),
    Function(Vec<Parameter>),
}

/// A declared name with its type.
pub(super) struct Declarator {
    /// `None` in a type name and for an unnamed parameter.
    pub(super) name: Option<Name>,
    pub(super) at: TextRange,
    pub(super) kind: Arc<TypeName>,
    pub(super) attributes: Attributes,
}

/// A type name, as in a cast or `sizeof`.
pub(super) fn type_name(parser: &mut Parser) -> Parsed<Arc<TypeName>> {
    let specifiers = parser.declaration_specifiers(&mut Vec::new())?;
    let declarator = declarator(parser, specifiers.kind)?;
    let mut attributes = specifiers.attributes;
    attributes.extend(declarator.attributes);
    attributes.vector = None;
    attributes.mode = None;
    Ok(attributes.of_typedef(declarator.kind))
}

/// A declarator (with or without a name) of a type derived from `base`.
pub(super) fn declarator(parser: &mut Parser, base: Arc<TypeName>) -> Parsed<Declarator> {
    parser.nested(|parser| pointer_declarator(parser, base))
}

fn pointer_declarator(parser: &mut Parser, mut base: Arc<TypeName>) -> Parsed<Declarator> {
    let mut attributes = attributes::attributes(parser)?;
    unknown_macros::skip_before_name(parser);
    while parser.accept("*") || parser.accept("^") {
        base = Arc::new(TypeName::Pointer(base));
        base = attributes::qualifiers(parser)?.of_typedef(base);
        unknown_macros::skip_before_name(parser);
    }
    if parser.is("(") && opens_declarator(parser) {
        let mut inner = parenthesized_declarator(parser, base)?;
        inner.attributes.extend(attributes);
        return Ok(inner);
    }
    let at = parser.at();
    let is_name = parser.kind() == TokenKind::Word && !is_keyword(parser.word());
    let name = is_name.then(|| parser.name_of(parser.word()));
    if is_name {
        parser.advance();
    }
    let kind = declarator_suffix(parser, base)?;
    attributes.extend(attributes::attributes(parser)?);
    unknown_macros::skip_after_declarator(parser)?;
    Ok(Declarator {
        name,
        at,
        kind: attributes.applied(kind),
        attributes,
    })
}

/// In `(*a)[n]`, the part outside of the parentheses is nearer to the base type: it is parsed first.
fn parenthesized_declarator(parser: &mut Parser, base: Arc<TypeName>) -> Parsed<Declarator> {
    let inner = parser.position;
    parser.skip_balanced()?;
    let outer = declarator_suffix(parser, base)?;
    let end = parser.position;
    parser.position = inner;
    parser.expect("(")?;
    let mut declarator = declarator(parser, outer)?;
    parser.expect(")")?;
    parser.position = end;
    let after = attributes::attributes(parser)?;
    declarator.kind = after.applied(declarator.kind);
    declarator.attributes.extend(after);
    Ok(declarator)
}

/// Whether the parenthesis here contains a declarator rather than parameters.
fn opens_declarator(parser: &Parser) -> bool {
    let is_word = parser.token_after(1).kind == TokenKind::Word;
    let is_attribute = parser.word_after(1).starts_with("__attribute");
    parser.is_after(1, "*")
        || parser.is_after(1, "^")
        || parser.is_after(1, "(")
        || (parser.is_after(1, "[") && !parser.is_after(2, "]"))
        || (is_word && (is_attribute || !parser.starts_type_after(1)))
}

fn declarator_suffix(parser: &mut Parser, base: Arc<TypeName>) -> Parsed<Arc<TypeName>> {
    let mut suffixes = Vec::new();
    loop {
        if parser.is("[") && !parser.is_after(1, "[") {
            parser.advance();
            suffixes.push(Suffix::Array(array_declarator(parser)?));
        } else if parser.accept("(") {
            let mut parameters = parameter_list(parser)?;
            parameters.shrink_to_fit();
            suffixes.push(Suffix::Function(parameters));
        } else {
            break;
        }
    }
    let wrap = |inner, suffix| {
        Arc::new(match suffix {
            Suffix::Array(length) => TypeName::Array(inner, length),
            Suffix::Function(parameters) => TypeName::Function(Arc::new(Signature {
                result: inner,
                parameters,
                order: Vec::new(),
            })),
        })
    };
    Ok(suffixes.into_iter().rev().fold(base, wrap))
}

fn array_declarator(parser: &mut Parser) -> Parsed<Option<Arc<Expression>>> {
    while matches!(parser.word(), "static") || is_qualifier(parser.word()) {
        parser.advance();
    }
    if parser.accept("]") {
        return Ok(None);
    }
    if parser.is("*") && parser.is_after(1, "]") {
        parser.advance();
        parser.advance();
        return Ok(None);
    }
    let length = parser.nested(Parser::assignment_expression)?;
    parser.expect("]")?;
    Ok(Some(Arc::new(length)))
}

fn parameter_list(parser: &mut Parser) -> Parsed<Vec<Parameter>> {
    parser.scoped(|parser| {
        let mut parameters = Vec::new();
        if parser.accept(")") {
            return Ok(parameters);
        }
        if parser.word() == "void" && parser.is_after(1, ")") {
            parser.advance();
            parser.advance();
            return Ok(parameters);
        }
        loop {
            if parser.accept("...") {
                parser.expect(")")?;
                return Ok(parameters);
            }
            parameters.push(parameter_declaration(parser)?);
            if !parser.accept(",") {
                parser.expect(")")?;
                return Ok(parameters);
            }
        }
    })
}

fn parameter_declaration(parser: &mut Parser) -> Parsed<Parameter> {
    let is_old_style = parser.kind() == TokenKind::Word
        && !parser.starts_type_after(0)
        && (parser.is_after(1, ",") || parser.is_after(1, ")"));
    if is_old_style {
        let at = parser.at();
        let token = parser.advance();
        let name = parser.name_of(parser.text_of(token));
        let kind = Arc::new(TypeName::Integer(super::literals::INT));
        return Ok(Parameter {
            name: Some(name),
            at,
            kind,
        });
    }
    let specifiers = parser.certain_specifiers()?;
    let declarator = declarator(parser, specifiers.kind)?;
    let kind = match &*declarator.kind {
        TypeName::Function(_) => Arc::new(TypeName::Pointer(declarator.kind)),
        _ => declarator.kind,
    };
    if let Some(name) = &declarator.name {
        parser.declare(name, None);
    }
    Ok(Parameter {
        name: declarator.name,
        at: declarator.at,
        kind,
    })
}
