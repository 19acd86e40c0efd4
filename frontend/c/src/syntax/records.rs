//! Structs, unions and enumerations.

use super::attributes;
use super::declarators;
use super::literals::INT;
use super::parser::{Parsed, Parser};
use super::specifier_set::Specifiers;
use super::unknown_macros;
use super::{
    Declaration, Enumeration, Expression, ExpressionKind, Field, Name, Packing, Struct, StructId,
    TypeName, Unary,
};
use std::sync::Arc;

pub(super) fn struct_specifier(parser: &mut Parser) -> Parsed<Arc<TypeName>> {
    let is_union = parser.word() == "union";
    parser.advance();
    let mut attributes = attributes::attributes(parser)?;
    unknown_macros::skip_before_tag(parser);
    let tag = Some(parser.word()).filter(|word| !word.is_empty());
    let tag = tag.map(|tag| parser.name_of(tag));
    if tag.is_some() {
        parser.advance();
    }
    let id = declare_tag(parser, tag, parser.is("{"));
    if !parser.accept("{") {
        return Ok(Arc::new(TypeName::Struct(id)));
    }
    let mut fields = struct_declarations(parser)?;
    fields.shrink_to_fit();
    attributes.extend(attributes::attributes(parser)?);
    let packing = match parser.packings.at(parser.before().end) {
        Packing::Natural => None,
        packing => Some(packing),
    };
    parser.structs[id.row] = Struct {
        fields: Some(fields),
        is_union,
        is_at_file_scope: parser.is_at_file_scope(),
        attributes,
        packing,
    };
    Ok(Arc::new(TypeName::Struct(id)))
}

/// The struct id of a tag: that in scope, or a new one.
fn declare_tag(parser: &mut Parser, tag: Option<Name>, defines: bool) -> StructId {
    let known = tag.as_ref().and_then(|tag| {
        let is_own = defines && !parser.is_at_file_scope();
        let limit = if is_own { 1 } else { usize::MAX };
        let mut scopes = parser.all_scopes().take(limit);
        scopes.find_map(|scope| scope.structs.get(tag).copied())
    });
    match known {
        Some(id) if defines && id.unit != parser.unit => parser.changes_earlier = true,
        Some(id) => return id,
        None => {}
    }
    let id = StructId {
        unit: parser.unit,
        row: parser.structs.len(),
    };
    parser.structs.push(Struct::default());
    if let (Some(tag), Some(scope)) = (tag, parser.scopes.last_mut()) {
        scope.structs.insert(tag, id);
    }
    id
}

fn struct_declarations(parser: &mut Parser) -> Parsed<Vec<Field>> {
    let mut fields = Vec::new();
    while !parser.accept("}") {
        if parser.accept(";") {
            continue;
        }
        if parser.word() == "_Static_assert" {
            parser.advance();
            parser.skip_balanced()?;
            continue;
        }
        let specifiers = parser.certain_specifiers()?;
        if parser.is(";") {
            anonymous_member(parser, &specifiers, &mut fields);
        }
        while !parser.accept(";") {
            fields.push(struct_declarator(parser, &specifiers)?);
            if !parser.accept(",") && !parser.is(";") {
                return Err(parser.error());
            }
        }
    }
    Ok(fields)
}

/// A struct or union without a tag is a member; any other type without a declarator declares none.
fn anonymous_member(parser: &Parser, specifiers: &Specifiers, fields: &mut Vec<Field>) {
    let TypeName::Struct(id) = *specifiers.kind else {
        return;
    };
    let has_tag = parser
        .all_scopes()
        .any(|s| s.structs.values().any(|x| *x == id));
    if !has_tag {
        fields.push(Field {
            name: None,
            kind: specifiers.kind.clone(),
            width: None,
            attributes: specifiers.attributes.clone(),
        });
    }
}

fn struct_declarator(parser: &mut Parser, specifiers: &Specifiers) -> Parsed<Field> {
    let declarator = declarators::declarator(parser, specifiers.kind.clone())?;
    let width = match parser.accept(":") {
        true => Some(Arc::new(parser.nested(Parser::conditional_expression)?)),
        false => None,
    };
    let after = attributes::attributes(parser)?;
    let kind = after.applied(declarator.kind);
    let mut attributes = specifiers.attributes.clone();
    attributes.extend(declarator.attributes);
    attributes.extend(after);
    Ok(Field {
        name: declarator.name,
        kind,
        width,
        attributes,
    })
}

pub(super) fn enum_specifier(
    parser: &mut Parser,
    declared: &mut Vec<Declaration>,
) -> Parsed<Arc<TypeName>> {
    parser.advance();
    let mut attributes = attributes::attributes(parser)?;
    let tag = Some(parser.word()).filter(|word| !word.is_empty());
    let tag = tag.map(|tag| parser.name_of(tag));
    if tag.is_some() {
        parser.advance();
    }
    let fixed = enumeration_base(parser)?;
    if !parser.is("{") {
        let known = tag.and_then(|tag| {
            let mut scopes = parser.all_scopes();
            scopes.find_map(|scope| scope.enumerations.get(&tag).cloned())
        });
        let int = || Arc::new(TypeName::Integer(INT));
        return Ok(fixed.or(known).unwrap_or_else(int));
    }
    let values = enumerator_list(parser, declared)?;
    attributes.extend(attributes::attributes(parser)?);
    let is_int = !attributes.packed && values.iter().all(|(base, _)| is_small(base.as_deref()));
    let kind = match fixed {
        Some(kind) => kind,
        None if is_int => Arc::new(TypeName::Integer(INT)),
        None => Arc::new(TypeName::Enumeration(Arc::new(Enumeration {
            values,
            packed: attributes.packed,
        }))),
    };
    if let (Some(tag), Some(scope)) = (tag, parser.scopes.last_mut()) {
        scope.enumerations.insert(tag, kind.clone());
    }
    Ok(kind)
}

/// `: T` after the tag of an enumeration.
fn enumeration_base(parser: &mut Parser) -> Parsed<Option<Arc<TypeName>>> {
    if !parser.is(":") || !parser.starts_type_after(1) {
        return Ok(None);
    }
    parser.advance();
    Ok(Some(parser.declaration_specifiers(&mut Vec::new())?.kind))
}

/// The enumerators in braces, with their values.
fn enumerator_list(
    parser: &mut Parser,
    declared: &mut Vec<Declaration>,
) -> Parsed<Vec<(Option<Arc<Expression>>, i64)>> {
    parser.expect("{")?;
    let mut values = Vec::new();
    let mut base = None;
    let mut plus = 0;
    while !parser.accept("}") {
        let name = parser.name_of(parser.word());
        if name.is_empty() {
            return Err(parser.error());
        }
        parser.advance();
        attributes::skip_attributes(parser)?;
        if parser.accept("=") {
            base = Some(Arc::new(parser.nested(Parser::conditional_expression)?));
            plus = 0;
        }
        parser.declare(&name, None);
        let base = base.clone();
        values.push((base.clone(), plus));
        declared.push(Declaration::Enumerator { name, base, plus });
        plus += 1;
        if !parser.accept(",") && !parser.is("}") {
            return Err(parser.error());
        }
    }
    Ok(values)
}

/// Whether a value is written as a number that fits `int`, with some values after it.
fn is_small(base: Option<&Expression>) -> bool {
    let Some(base) = base else {
        return true;
    };
    match &base.kind {
        ExpressionKind::Integer(value, _) => (0..1 << 30).contains(value),
        ExpressionKind::Unary(Unary::Negate, operand) => is_small(Some(operand)),
        _ => false,
    }
}
