//! Declarators, parameter lists and type names.

use super::Attributes;
use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::{At, Expression, Name, Parameter, Signature, TypeName};
use std::sync::Arc;

/// What stands behind the name in a declarator, nearest first.
enum Suffix {
    Array(Option<Arc<Expression>>),
    Function(Vec<Parameter>),
}

/// A declared name with its type.
pub(super) struct Declarator {
    /// `None` in a type name and for a parameter without one.
    pub(super) name: Option<Name>,
    pub(super) at: At,
    pub(super) kind: Arc<TypeName>,
    pub(super) attributes: Attributes,
}

impl Parser<'_> {
    /// A type as a cast or `sizeof` names it.
    pub(super) fn type_name(&mut self) -> Parsed<Arc<TypeName>> {
        let specifiers = self.specifiers(&mut Vec::new())?;
        let declarator = self.declarator(specifiers.kind)?;
        let mut attributes = specifiers.attributes;
        attributes.extend(declarator.attributes);
        attributes.vector = None;
        attributes.mode = None;
        Ok(attributes.of_typedef(declarator.kind))
    }

    /// A declarator (with or without a name) of something built on `base`.
    pub(super) fn declarator(&mut self, base: Arc<TypeName>) -> Parsed<Declarator> {
        self.nested(|parser| parser.declarator_here(base))
    }

    fn declarator_here(&mut self, mut base: Arc<TypeName>) -> Parsed<Declarator> {
        let mut attributes = self.attributes()?;
        while self.accept("*") || self.accept("^") {
            base = Arc::new(TypeName::Pointer(base));
            base = self.qualifiers()?.of_typedef(base);
        }
        if self.is("(") && self.opens_declarator() {
            let mut inner = self.parenthesized_declarator(base)?;
            inner.attributes.extend(attributes);
            return Ok(inner);
        }
        let at = self.at();
        let is_name = self.kind() == TokenKind::Word && !super::statements::is_keyword(self.word());
        let name = is_name.then(|| self.name_of(self.word()));
        if is_name {
            self.advance();
        }
        let kind = self.suffixed(base)?;
        attributes.extend(self.attributes()?);
        Ok(Declarator {
            name,
            at,
            kind: attributes.applied(kind),
            attributes,
        })
    }

    /// In `(*a)[n]` what stands outside the parentheses is nearer to the base: it is read first.
    fn parenthesized_declarator(&mut self, base: Arc<TypeName>) -> Parsed<Declarator> {
        let inner = self.position;
        self.skip_balanced()?;
        let outer = self.suffixed(base)?;
        let end = self.position;
        self.position = inner;
        self.expect("(")?;
        let mut declarator = self.declarator(outer)?;
        self.expect(")")?;
        self.position = end;
        let after = self.attributes()?;
        declarator.kind = after.applied(declarator.kind);
        declarator.attributes.extend(after);
        Ok(declarator)
    }

    /// Whether the parenthesis here holds a declarator, and not parameters.
    fn opens_declarator(&self) -> bool {
        let is_word = self.token_after(1).kind == TokenKind::Word;
        let is_attribute = self.word_after(1).starts_with("__attribute");
        self.is_after(1, "*")
            || self.is_after(1, "^")
            || self.is_after(1, "(")
            || (self.is_after(1, "[") && !self.is_after(2, "]"))
            || (is_word && (is_attribute || !self.starts_type_after(1)))
    }

    fn suffixed(&mut self, base: Arc<TypeName>) -> Parsed<Arc<TypeName>> {
        let mut suffixes = Vec::new();
        loop {
            if self.is("[") && !self.is_after(1, "[") {
                self.advance();
                suffixes.push(Suffix::Array(self.array_length()?));
            } else if self.accept("(") {
                let mut parameters = self.parameters()?;
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

    fn array_length(&mut self) -> Parsed<Option<Arc<Expression>>> {
        while matches!(self.word(), "static") || super::specifiers::is_qualifier(self.word()) {
            self.advance();
        }
        if self.accept("]") {
            return Ok(None);
        }
        if self.is("*") && self.is_after(1, "]") {
            self.advance();
            self.advance();
            return Ok(None);
        }
        let length = self.nested(Self::assignment)?;
        self.expect("]")?;
        Ok(Some(Arc::new(length)))
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        self.scoped(|parser| {
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
                parameters.push(parser.parameter()?);
                if !parser.accept(",") {
                    parser.expect(")")?;
                    return Ok(parameters);
                }
            }
        })
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let is_old_style = self.kind() == TokenKind::Word
            && !self.starts_type_after(0)
            && (self.is_after(1, ",") || self.is_after(1, ")"));
        if is_old_style {
            let at = self.at();
            let token = self.advance();
            let name = self.name_of(self.text_of(token));
            let kind = Arc::new(TypeName::Integer(super::literals::INT));
            return Ok(Parameter {
                name: Some(name),
                at,
                kind,
            });
        }
        let specifiers = self.specifiers(&mut Vec::new())?;
        let declarator = self.declarator(specifiers.kind)?;
        let kind = match &*declarator.kind {
            TypeName::Function(_) => Arc::new(TypeName::Pointer(declarator.kind)),
            _ => declarator.kind,
        };
        if let Some(name) = &declarator.name {
            self.declare(name, None);
        }
        Ok(Parameter {
            name: declarator.name,
            at: declarator.at,
            kind,
        })
    }
}
