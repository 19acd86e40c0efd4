//! Structs, unions and enumerations.

use super::literals::INT;
use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::{Declaration, Field, Name, Struct, StructId, TypeName};
use std::rc::Rc;

impl Parser<'_> {
    pub(super) fn struct_specifier(&mut self) -> Parsed<Rc<TypeName>> {
        let is_union = self.word() == "union";
        self.advance();
        let packed = self.is_packed_attribute();
        self.skip_attributes()?;
        let tag = Some(self.word()).filter(|word| !word.is_empty());
        let tag = tag.map(Name::from);
        if tag.is_some() {
            self.advance();
        }
        let id = self.struct_id(tag, self.is("{"));
        if !self.accept("{") {
            return Ok(Rc::new(TypeName::Struct(id)));
        }
        let fields = self.fields()?;
        let packed = packed || self.is_packed_attribute();
        self.skip_attributes()?;
        self.structs[id.0] = Struct {
            fields: Some(fields),
            is_union,
            packed,
        };
        Ok(Rc::new(TypeName::Struct(id)))
    }

    fn is_packed_attribute(&self) -> bool {
        self.word().starts_with("__attribute")
            && (1..6).any(|n| matches!(self.word_after(n), "packed" | "__packed__"))
    }

    /// The row of a tag: the one in scope, or a new one.
    fn struct_id(&mut self, tag: Option<Name>, defines: bool) -> StructId {
        let known = tag.as_ref().and_then(|tag| {
            let mut scopes = self.scopes.iter().rev();
            let limit = if defines { 1 } else { usize::MAX };
            scopes
                .by_ref()
                .take(limit)
                .find_map(|scope| scope.structs.get(tag).copied())
        });
        if let Some(id) = known {
            return id;
        }
        let id = StructId(self.structs.len());
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
                fields.push(Field {
                    name: None,
                    kind: specifiers.kind.clone(),
                    is_bit_field: false,
                });
            }
            while !self.accept(";") {
                let declarator = self.declarator(specifiers.kind.clone())?;
                let is_bit_field = self.accept(":");
                if is_bit_field {
                    self.nested(Self::conditional)?;
                }
                self.skip_attributes()?;
                fields.push(Field {
                    name: declarator.name,
                    kind: declarator.kind,
                    is_bit_field,
                });
                if !self.accept(",") && !self.is(";") {
                    return Err(self.error());
                }
            }
        }
        Ok(fields)
    }

    pub(super) fn enum_specifier(
        &mut self,
        declared: &mut Vec<Declaration>,
    ) -> Parsed<Rc<TypeName>> {
        self.advance();
        self.skip_attributes()?;
        if self.kind() == TokenKind::Word {
            self.advance();
        }
        let kind = Rc::new(TypeName::Integer(INT));
        if !self.accept("{") {
            return Ok(kind);
        }
        let mut base = None;
        let mut plus = 0;
        while !self.accept("}") {
            let name = Name::from(self.word());
            if name.is_empty() {
                return Err(self.error());
            }
            self.advance();
            self.skip_attributes()?;
            if self.accept("=") {
                base = Some(Rc::new(self.nested(Self::conditional)?));
                plus = 0;
            }
            self.declare(&name, None);
            let base = base.clone();
            declared.push(Declaration::Enumerator { name, base, plus });
            plus += 1;
            if !self.accept(",") && !self.is("}") {
                return Err(self.error());
            }
        }
        Ok(kind)
    }
}
