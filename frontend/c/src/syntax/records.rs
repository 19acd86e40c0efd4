//! Structs, unions and enumerations.

use super::literals::INT;
use super::parser::{Parsed, Parser};
use super::specifiers::Specifiers;
use super::{
    Declaration, Enumeration, Expression, ExpressionKind, Field, Name, Packing, Struct, StructId,
    TypeName, Unary,
};
use std::sync::Arc;

impl Parser<'_> {
    pub(super) fn struct_specifier(&mut self) -> Parsed<Arc<TypeName>> {
        let is_union = self.word() == "union";
        self.advance();
        let mut attributes = self.attributes()?;
        let tag = Some(self.word()).filter(|word| !word.is_empty());
        let tag = tag.map(|tag| self.name_of(tag));
        if tag.is_some() {
            self.advance();
        }
        let id = self.struct_id(tag, self.is("{"));
        if !self.accept("{") {
            return Ok(Arc::new(TypeName::Struct(id)));
        }
        let mut fields = self.fields()?;
        fields.shrink_to_fit();
        attributes.extend(self.attributes()?);
        let packing = match self.packings.at(self.before().end) {
            Packing::Natural => None,
            packing => Some(packing),
        };
        self.structs[id.row] = Struct {
            fields: Some(fields),
            is_union,
            is_at_file_scope: self.is_at_file_scope(),
            attributes,
            packing,
        };
        Ok(Arc::new(TypeName::Struct(id)))
    }

    /// The row of a tag: the one in scope, or a new one.
    fn struct_id(&mut self, tag: Option<Name>, defines: bool) -> StructId {
        let known = tag.as_ref().and_then(|tag| {
            let is_own = defines && !self.is_at_file_scope();
            let limit = if is_own { 1 } else { usize::MAX };
            let mut scopes = self.all_scopes().take(limit);
            scopes.find_map(|scope| scope.structs.get(tag).copied())
        });
        match known {
            Some(id) if defines && id.unit != self.unit => self.changes_earlier = true,
            Some(id) => return id,
            None => {}
        }
        let id = StructId {
            unit: self.unit,
            row: self.structs.len(),
        };
        self.structs.push(Struct::default());
        if let (Some(tag), Some(scope)) = (tag, self.scopes.last_mut()) {
            scope.structs.insert(tag, id);
        }
        id
    }

    fn fields(&mut self) -> Parsed<Vec<Field>> {
        let mut fields = Vec::new();
        while !self.accept("}") {
            if self.accept(";") {
                continue;
            }
            if self.word() == "_Static_assert" {
                self.advance();
                self.skip_balanced()?;
                continue;
            }
            let specifiers = self.specifiers(&mut Vec::new())?;
            if self.is(";") {
                self.nameless_member(&specifiers, &mut fields);
            }
            while !self.accept(";") {
                fields.push(self.field(&specifiers)?);
                if !self.accept(",") && !self.is(";") {
                    return Err(self.error());
                }
            }
        }
        Ok(fields)
    }

    /// A struct or union without a tag is a member; anything else declares none.
    fn nameless_member(&self, specifiers: &Specifiers, fields: &mut Vec<Field>) {
        let TypeName::Struct(id) = *specifiers.kind else {
            return;
        };
        let has_tag = self
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

    fn field(&mut self, specifiers: &Specifiers) -> Parsed<Field> {
        let declarator = self.declarator(specifiers.kind.clone())?;
        let width = match self.accept(":") {
            true => Some(Arc::new(self.nested(Self::conditional)?)),
            false => None,
        };
        let after = self.attributes()?;
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
        &mut self,
        declared: &mut Vec<Declaration>,
    ) -> Parsed<Arc<TypeName>> {
        self.advance();
        let mut attributes = self.attributes()?;
        let tag = Some(self.word()).filter(|word| !word.is_empty());
        let tag = tag.map(|tag| self.name_of(tag));
        if tag.is_some() {
            self.advance();
        }
        let fixed = self.enumeration_base()?;
        if !self.is("{") {
            let known = tag.and_then(|tag| {
                let mut scopes = self.all_scopes();
                scopes.find_map(|scope| scope.enumerations.get(&tag).cloned())
            });
            let int = || Arc::new(TypeName::Integer(INT));
            return Ok(fixed.or(known).unwrap_or_else(int));
        }
        let values = self.enumerators(declared)?;
        attributes.extend(self.attributes()?);
        let is_int = !attributes.packed && values.iter().all(|(base, _)| is_small(base.as_deref()));
        let kind = match fixed {
            Some(kind) => kind,
            None if is_int => Arc::new(TypeName::Integer(INT)),
            None => Arc::new(TypeName::Enumeration(Arc::new(Enumeration {
                values,
                packed: attributes.packed,
            }))),
        };
        if let (Some(tag), Some(scope)) = (tag, self.scopes.last_mut()) {
            scope.enumerations.insert(tag, kind.clone());
        }
        Ok(kind)
    }

    /// `: T` behind the tag of an enumeration.
    fn enumeration_base(&mut self) -> Parsed<Option<Arc<TypeName>>> {
        if !self.is(":") || !self.starts_type_after(1) {
            return Ok(None);
        }
        self.advance();
        Ok(Some(self.specifiers(&mut Vec::new())?.kind))
    }

    /// The constants in braces, with their values.
    fn enumerators(
        &mut self,
        declared: &mut Vec<Declaration>,
    ) -> Parsed<Vec<(Option<Arc<Expression>>, i64)>> {
        self.expect("{")?;
        let mut values = Vec::new();
        let mut base = None;
        let mut plus = 0;
        while !self.accept("}") {
            let name = self.name_of(self.word());
            if name.is_empty() {
                return Err(self.error());
            }
            self.advance();
            self.skip_attributes()?;
            if self.accept("=") {
                base = Some(Arc::new(self.nested(Self::conditional)?));
                plus = 0;
            }
            self.declare(&name, None);
            let base = base.clone();
            values.push((base.clone(), plus));
            declared.push(Declaration::Enumerator { name, base, plus });
            plus += 1;
            if !self.accept(",") && !self.is("}") {
                return Err(self.error());
            }
        }
        Ok(values)
    }
}

/// Whether a value is written as a number that an `int` surely holds, with some after it.
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
