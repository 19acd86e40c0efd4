//! Declarations, initializers, function definitions.

use super::Attributes;
use super::attributes;
use super::declarators;
use super::declarators::Declarator;
use super::literals::INT;
use super::parser::{Parsed, Parser, SyntaxError};
use super::specifier_set::Specifiers;
use super::token::TokenKind;
use super::{
    Declaration, Designator, Function, Initializer, Item, Lifetime, Linkage, Name, Object,
    Parameter, Part, Signature, TextRange, TypeName,
};
use premiss_ast::{always_ends_program, structured_loops, type_of_name, with_program_ends};
use premiss_tree::RejectReason;
use std::sync::Arc;

/// The parts of a function definition before its parameters.
struct Head {
    name: Name,
    at: TextRange,
    linkage: Linkage,
}

/// A declaration including its `;`.
pub(super) fn declaration(parser: &mut Parser) -> Parsed<Vec<Declaration>> {
    let mut declared = Vec::new();
    let specifiers = parser.declaration_specifiers(&mut declared)?;
    if parser.accept(";") {
        return Ok(declared);
    }
    let first = declarators::declarator(parser, specifiers.kind.clone())?;
    init_declarators(parser, &specifiers, first, &mut declared)?;
    Ok(declared)
}

/// For `typedef undeclared name;`, the one of the two names that says what the type is, if one does.
fn telling_name(name: &Name, kind: Arc<TypeName>) -> Arc<TypeName> {
    match &*kind {
        TypeName::Undeclared(other)
            if type_of_name(other).is_none() && type_of_name(name).is_some() =>
        {
            Arc::new(TypeName::Undeclared(name.clone()))
        }
        _ => kind,
    }
}

fn init_declarators(
    parser: &mut Parser,
    specifiers: &Specifiers,
    mut declarator: Declarator,
    declared: &mut Vec<Declaration>,
) -> Parsed<()> {
    loop {
        let Some(name) = declarator.name else {
            return Err(parser.error());
        };
        let after = attributes::attributes(parser)?;
        declarator.kind = after.applied(declarator.kind);
        if specifiers.is_typedef {
            let mut attributes = specifiers.attributes.clone();
            attributes.extend(declarator.attributes);
            attributes.extend(after);
            attributes.vector = None;
            attributes.mode = None;
            let kind = telling_name(&name, declarator.kind);
            parser.declare(&name, Some(attributes.of_typedef(kind)));
        } else {
            parser.declare(&name, None);
            let is_said = specifiers.attributes.never_returns
                || declarator.attributes.never_returns
                || after.never_returns;
            parser.note_return(&name, is_said);
            let initializer = match parser.accept("=") {
                true => Some(initializer(parser)?),
                false => None,
            };
            declared.push(Declaration::Object(Object {
                name,
                at: declarator.at,
                kind: declarator.kind,
                lifetime: specifiers.lifetime,
                is_const: specifiers.is_const,
                is_volatile: specifiers.is_volatile,
                initializer,
            }));
        }
        if parser.accept(";") {
            return Ok(());
        }
        parser.expect(",")?;
        declarator = declarators::declarator(parser, specifiers.kind.clone())?;
    }
}

fn initializer(parser: &mut Parser) -> Parsed<Initializer> {
    if parser.is("{") {
        return Ok(Initializer::List(parser.nested(Parser::initializer_list)?));
    }
    Ok(Initializer::Expression(parser.assignment_expression()?))
}

pub(super) fn initializer_list(parser: &mut Parser) -> Parsed<Vec<Part>> {
    parser.expect("{")?;
    let mut list = Vec::new();
    while !parser.accept("}") {
        let designators = designation(parser)?;
        parser.accept("=");
        let value = parser.nested(initializer)?;
        list.push(Part { designators, value });
        if !parser.accept(",") && !parser.is("}") {
            return Err(parser.error());
        }
    }
    Ok(list)
}

/// The designators `[2].x` of an initializer element, before its `=`.
fn designation(parser: &mut Parser) -> Parsed<Vec<Designator>> {
    let mut path = Vec::new();
    loop {
        if parser.accept("[") {
            let first = parser.nested(Parser::conditional_expression)?;
            path.push(match parser.accept("...") {
                true => Designator::Range(first, parser.nested(Parser::conditional_expression)?),
                false => Designator::Index(first),
            });
            parser.expect("]")?;
        } else if parser.accept(".") {
            let name = parser.word();
            if name.is_empty() {
                return Err(parser.error());
            }
            parser.advance();
            path.push(Designator::Member(parser.name_of(name)));
        } else {
            return Ok(path);
        }
    }
}

/// A declaration or function definition at file scope.
pub(super) fn external_declaration(parser: &mut Parser, items: &mut Vec<Item>) -> Parsed<()> {
    if parser.accept(";") {
        return Ok(());
    }
    if matches!(
        parser.word(),
        "_Static_assert" | "static_assert" | "asm" | "__asm__"
    ) {
        parser.advance();
        return parser.skip_balanced();
    }
    if parser.word() == "extern" && parser.token_after(1).kind == TokenKind::Text {
        return Err(parser.error());
    }
    let mut declared = Vec::new();
    let is_implicit_int = parser.is_after(1, "(") && !parser.starts_type_after(0);
    let specifiers = if is_implicit_int {
        Specifiers {
            kind: Arc::new(TypeName::Integer(INT)),
            lifetime: Lifetime::Extern,
            is_typedef: false,
            is_const: false,
            is_volatile: false,
            is_inline: false,
            attributes: Attributes::default(),
        }
    } else {
        parser.declaration_specifiers(&mut declared)?
    };
    if !parser.is(";") {
        let declarator = declarators::declarator(parser, specifiers.kind.clone())?;
        if let (TypeName::Function(signature), Some(name)) = (&*declarator.kind, &declarator.name)
            && !specifiers.is_typedef
            && (parser.is("{") || parser.starts_type_after(0))
        {
            items.extend(declared.into_iter().map(Item::Declaration));
            let head = Head {
                name: name.clone(),
                at: declarator.at,
                linkage: specifiers.linkage(),
            };
            let is_said =
                specifiers.attributes.never_returns || declarator.attributes.never_returns;
            parser.note_return(name, is_said);
            return function_definition(parser, head, signature, items);
        }
        init_declarators(parser, &specifiers, declarator, &mut declared)?;
    } else {
        parser.advance();
    }
    items.extend(declared.into_iter().map(Item::Declaration));
    Ok(())
}

fn function_definition(
    parser: &mut Parser,
    head: Head,
    signature: &Arc<Signature>,
    items: &mut Vec<Item>,
) -> Parsed<()> {
    let Head { name, at, linkage } = head;
    parser.declare(&name, None);
    let function = parser.scoped(|parser| {
        let signature = identifier_list_parameters(parser, signature)?;
        for parameter in &signature.parameters {
            if let Some(name) = &parameter.name {
                parser.declare(name, None);
            }
        }
        if !parser.is("{") {
            return Err(parser.error());
        }
        let body = parser.statement()?;
        let body = with_program_ends(body, &|name| parser.never_returns(name));
        let body = structured_loops(body);
        Ok(Function {
            name,
            at,
            signature,
            linkage,
            body,
            assumed_types: Vec::new(),
            assumed_kinds: Vec::new(),
        })
    })?;
    parser.note_return(&function.name, always_ends_program(&function.body));
    // Functions whose names only a macro that is not known would tell have other bodies.
    let definition = parser.text_between(function.at, parser.before());
    let count = parser.definitions.entry(definition).or_default();
    *count += 1;
    match *count {
        1 => items.push(Item::Function(Arc::new(function))),
        // Of a header that includes itself there may be thousands.
        2 => parser.errors.push(SyntaxError {
            at: function.at,
            reason: RejectReason::Redefinition {
                function: function.name.to_string(),
            },
        }),
        _ => {}
    }
    Ok(())
}

/// Sets the types of parameters that are declared between `)` and `{`, as in C before 1989.
fn identifier_list_parameters(
    parser: &mut Parser,
    signature: &Arc<Signature>,
) -> Parsed<Arc<Signature>> {
    if parser.is("{") {
        return Ok(signature.clone());
    }
    let mut parameters: Vec<Parameter> = signature.parameters.clone();
    while !parser.is("{") {
        for declaration in parser.declaration()? {
            let Declaration::Object(object) = declaration else {
                continue;
            };
            for parameter in &mut parameters {
                if parameter.name.as_ref() == Some(&object.name) {
                    parameter.kind = object.kind.clone();
                    parameter.at = object.at;
                }
            }
        }
    }
    let result = signature.result.clone();
    Ok(Arc::new(Signature {
        result,
        parameters,
        order: Vec::new(),
    }))
}
