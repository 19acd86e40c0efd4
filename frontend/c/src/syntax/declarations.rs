//! Declarations, initializers, function definitions.

use super::Attributes;
use super::declarators::Declarator;
use super::literals::INT;
use super::parser::{Parsed, Parser};
use super::specifiers::Specifiers;
use super::token::TokenKind;
use super::{
    At, Declaration, Designator, Function, Initializer, Item, Lifetime, Linkage, Name, Object,
    Parameter, Part, Signature, TypeName,
};
use premiss_ast::structured_loops;
use std::sync::Arc;

/// What is known of a function before its parameters are.
struct Head {
    name: Name,
    at: At,
    linkage: Linkage,
}

impl Parser<'_> {
    /// A declaration up to and with its `;`.
    pub(super) fn declaration(&mut self) -> Parsed<Vec<Declaration>> {
        let mut declared = Vec::new();
        let specifiers = self.specifiers(&mut declared)?;
        if self.accept(";") {
            return Ok(declared);
        }
        let first = self.declarator(specifiers.kind.clone())?;
        self.rest_of_declaration(&specifiers, first, &mut declared)?;
        Ok(declared)
    }

    fn rest_of_declaration(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: Declarator,
        declared: &mut Vec<Declaration>,
    ) -> Parsed<()> {
        loop {
            let Some(name) = declarator.name else {
                return Err(self.error());
            };
            let after = self.attributes()?;
            declarator.kind = after.applied(declarator.kind);
            if specifiers.is_typedef {
                let mut attributes = specifiers.attributes.clone();
                attributes.extend(declarator.attributes);
                attributes.extend(after);
                attributes.vector = None;
                attributes.mode = None;
                self.declare(&name, Some(attributes.of_typedef(declarator.kind)));
            } else {
                self.declare(&name, None);
                let initializer = match self.accept("=") {
                    true => Some(self.initializer()?),
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
            if self.accept(";") {
                return Ok(());
            }
            self.expect(",")?;
            declarator = self.declarator(specifiers.kind.clone())?;
        }
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        if self.is("{") {
            return Ok(Initializer::List(self.nested(Self::initializer_list)?));
        }
        Ok(Initializer::Expression(self.assignment()?))
    }

    pub(super) fn initializer_list(&mut self) -> Parsed<Vec<Part>> {
        self.expect("{")?;
        let mut list = Vec::new();
        while !self.accept("}") {
            let designators = self.designators()?;
            self.accept("=");
            let value = self.nested(Self::initializer)?;
            list.push(Part { designators, value });
            if !self.accept(",") && !self.is("}") {
                return Err(self.error());
            }
        }
        Ok(list)
    }

    /// The path `[2].x` before the `=` of a part.
    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut path = Vec::new();
        loop {
            if self.accept("[") {
                let first = self.nested(Self::conditional)?;
                path.push(match self.accept("...") {
                    true => Designator::Range(first, self.nested(Self::conditional)?),
                    false => Designator::Index(first),
                });
                self.expect("]")?;
            } else if self.accept(".") {
                let name = self.word();
                if name.is_empty() {
                    return Err(self.error());
                }
                self.advance();
                path.push(Designator::Member(self.name_of(name)));
            } else {
                return Ok(path);
            }
        }
    }

    /// A declaration or function definition at file scope.
    pub(super) fn top_level(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        if matches!(
            self.word(),
            "_Static_assert" | "static_assert" | "asm" | "__asm__"
        ) {
            self.advance();
            return self.skip_balanced();
        }
        if self.word() == "extern" && self.token_after(1).kind == TokenKind::Text {
            return Err(self.error());
        }
        let mut declared = Vec::new();
        let is_implicit_int = self.is_after(1, "(") && !self.starts_type_after(0);
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
            self.specifiers(&mut declared)?
        };
        if !self.is(";") {
            let declarator = self.declarator(specifiers.kind.clone())?;
            if let (TypeName::Function(signature), Some(name)) =
                (&*declarator.kind, &declarator.name)
                && !specifiers.is_typedef
                && (self.is("{") || self.starts_type_after(0))
            {
                items.extend(declared.into_iter().map(Item::Declaration));
                let head = Head {
                    name: name.clone(),
                    at: declarator.at,
                    linkage: specifiers.linkage(),
                };
                return self.function(head, signature, items);
            }
            self.rest_of_declaration(&specifiers, declarator, &mut declared)?;
        } else {
            self.advance();
        }
        items.extend(declared.into_iter().map(Item::Declaration));
        Ok(())
    }

    fn function(
        &mut self,
        head: Head,
        signature: &Arc<Signature>,
        items: &mut Vec<Item>,
    ) -> Parsed<()> {
        let Head { name, at, linkage } = head;
        self.declare(&name, None);
        let function = self.scoped(|parser| {
            let signature = parser.old_style_parameters(signature)?;
            for parameter in &signature.parameters {
                if let Some(name) = &parameter.name {
                    parser.declare(name, None);
                }
            }
            if !parser.is("{") {
                return Err(parser.error());
            }
            let body = structured_loops(parser.statement()?);
            Ok(Function {
                name,
                at,
                signature,
                linkage,
                body,
            })
        })?;
        items.push(Item::Function(Arc::new(function)));
        Ok(())
    }

    /// Gives the parameters the types that stand between `)` and `{`, as C did before 1989.
    fn old_style_parameters(&mut self, signature: &Arc<Signature>) -> Parsed<Arc<Signature>> {
        if self.is("{") {
            return Ok(signature.clone());
        }
        let mut parameters: Vec<Parameter> = signature.parameters.clone();
        while !self.is("{") {
            for declaration in self.declaration()? {
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
}
