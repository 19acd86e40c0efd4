//! Headers of program units, and specifications by their first words.

use super::cursor::{Cursor, Parsed};
use super::declarations::plain_attribute;
use super::statements::{Flat, Header, is_procedure_word, is_type_word};
use crate::syntax::{Attribute, Ident, SpecificationKind as Spec, TypeSpec, UnitKind};
use crate::text::TokenKind;

impl Cursor<'_> {
    /// `PROGRAM`, `MODULE`, `SUBROUTINE`, `FUNCTION` with what may stand before them.
    pub(super) fn unit_header(&mut self) -> Parsed<Option<Flat>> {
        let start = self.position();
        let mut prefix = None;
        loop {
            let Some(word) = self.word().cloned() else {
                self.back_to(start);
                return Ok(None);
            };
            match &*word {
                "recursive" | "pure" | "elemental" | "impure" | "non_recursive" => self.advance(),
                "module" if matches!(self.peek_after(1), Some(TokenKind::Name(next)) if is_procedure_word(next)) =>
                {
                    self.advance();
                }
                "function" | "subroutine"
                    if matches!(self.peek_after(1), Some(TokenKind::Name(_))) =>
                {
                    return self.procedure_header(&word, prefix).map(Some);
                }
                "program" | "module" | "submodule" | "blockdata" | "block"
                    if start == self.position() =>
                {
                    return self.plain_header(&word, start);
                }
                _ if prefix.is_none() && is_type_word(&word) => match self.type_spec() {
                    Ok(kind) => prefix = Some(kind),
                    Err(_) => {
                        self.back_to(start);
                        return Ok(None);
                    }
                },
                _ => {
                    self.back_to(start);
                    return Ok(None);
                }
            }
        }
    }

    fn plain_header(&mut self, word: &str, start: usize) -> Parsed<Option<Flat>> {
        let at = self.here();
        self.advance();
        let kind = match word {
            "program" => UnitKind::Program,
            "module" | "submodule" => UnitKind::Module,
            "block" if self.eat_word("data") => UnitKind::BlockData,
            "blockdata" => UnitKind::BlockData,
            _ => {
                self.back_to(start);
                return Ok(None);
            }
        };
        if word == "submodule" {
            self.skip_parentheses();
        }
        if word == "module" && self.is_word("procedure") {
            self.advance();
            let names = self.list(|c| c.ident().map(|x| x.key))?;
            let names = names.into_iter().map(|name| (name.clone(), name)).collect();
            return Ok(Some(Flat::Procedures(names)));
        }
        let name = match self.is_at_end() && kind == UnitKind::BlockData {
            true => Ident { key: "".into(), at },
            false => self.ident()?,
        };
        self.end()?;
        Ok(Some(Flat::Unit(Box::new(Header {
            kind,
            name,
            dummies: Vec::new(),
            result: None,
            prefix: None,
        }))))
    }

    fn procedure_header(&mut self, word: &str, prefix: Option<TypeSpec>) -> Parsed<Flat> {
        self.advance();
        let name = self.ident()?;
        let mut dummies = Vec::new();
        if self.eat("(") && !self.eat(")") {
            dummies = self.list(|c| match c.eat("*") {
                true => Ok(None),
                false => c.ident().map(Some),
            })?;
            self.expect(")")?;
        }
        let mut result = None;
        if self.eat_word("result") {
            self.expect("(")?;
            result = Some(self.ident()?);
        }
        self.skip(); // BIND(C)
        let kind = match word {
            "function" => UnitKind::Function,
            _ => UnitKind::Subroutine,
        };
        Ok(Flat::Unit(Box::new(Header {
            kind,
            name,
            dummies,
            result,
            prefix,
        })))
    }

    pub(super) fn specification(&mut self, word: &str) -> Parsed<Option<Flat>> {
        if is_type_word(word) || matches!(word, "type" | "class" | "procedure") {
            return self.typed(word).map(Some);
        }
        let start = self.position();
        self.advance();
        let spec = match word {
            "implicit" => self.implicit()?,
            "parameter" => self.parameter()?,
            "common" => self.common()?,
            "equivalence" => self.equivalence()?,
            "namelist" => self.namelist()?,
            "data" => self.data()?,
            "use" => self.use_statement()?,
            "dimension" | "allocatable" | "pointer" | "target" | "external" | "intrinsic"
            | "optional" | "value" | "contiguous" => {
                self.eat("::");
                Spec::Attribute(plain_attribute(word), self.entities()?)
            }
            "intent" => {
                let intent = self.intent()?;
                self.eat("::");
                Spec::Attribute(Attribute::Intent(intent), self.entities()?)
            }
            "save" | "volatile" | "asynchronous" | "protected" | "private" | "public"
            | "sequence" | "import" | "format" | "bind" | "codimension" | "generic" | "final"
            | "enum" | "enumerator" => {
                self.skip();
                return Ok(Some(Flat::Nothing));
            }
            "interface" | "abstract" => return self.interface().map(Some),
            "entry" => {
                let name = self.ident()?;
                self.skip();
                return Ok(Some(Flat::Entry(name)));
            }
            _ => {
                self.back_to(start);
                return Ok(None);
            }
        };
        Ok(Some(Flat::Specification(Box::new(spec))))
    }

    /// A declaration, a derived type, or a `PROCEDURE` of one.
    fn typed(&mut self, word: &str) -> Parsed<Flat> {
        if word == "type" && !self.is_mark_after(1, "(") {
            return self.derived_type();
        }
        if word == "procedure" {
            return self.bound_procedures();
        }
        let spec = self.type_declaration()?;
        Ok(Flat::Specification(Box::new(spec)))
    }

    fn derived_type(&mut self) -> Parsed<Flat> {
        self.advance();
        let mut extends = None;
        while self.eat(",") {
            let is_extends = self.is_word("extends");
            self.advance();
            if self.eat("(") {
                let name = self.ident()?;
                extends = Some(name.key).filter(|_| is_extends);
                self.expect(")")?;
            }
        }
        self.eat("::");
        let name = self.ident()?;
        self.skip();
        Ok(Flat::DerivedType(name, extends))
    }

    fn bound_procedures(&mut self) -> Parsed<Flat> {
        self.advance();
        if self.is_mark("(") {
            self.skip_parentheses();
        }
        while self.eat(",") {
            self.advance();
            if self.is_mark("(") {
                self.skip_parentheses();
            }
        }
        self.eat("::");
        let names = self.list(|c| {
            let name = c.ident()?.key;
            let target = match c.eat("=>") {
                true => c.ident()?.key,
                false => name.clone(),
            };
            if c.is_mark("(") {
                c.skip_parentheses();
            }
            Ok((name, target))
        })?;
        self.skip();
        Ok(Flat::Procedures(names))
    }

    fn interface(&mut self) -> Parsed<Flat> {
        self.eat_word("interface");
        let name = match self.word() {
            Some(word) if !matches!(&**word, "operator" | "assignment") => Some(word.clone()),
            _ => None,
        };
        self.skip();
        Ok(Flat::Interface(name))
    }
}
