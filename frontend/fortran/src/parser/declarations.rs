//! Declarations.

use super::cursor::{Cursor, Parsed};
use crate::syntax::{
    Attribute, DataSet, Dimension, Entity, Expr, ExprKind, Ident, Intent, Key, Kind, Length,
    SpecificationKind as Spec, TypeSpec, Upper, Use,
};
use crate::text::TokenKind;

impl Cursor<'_> {
    /// A type as written.
    pub(super) fn type_spec(&mut self) -> Parsed<TypeSpec> {
        let Some(word) = self.word() else {
            return self.fail();
        };
        self.advance();
        Ok(match &**word {
            "integer" => TypeSpec::Integer(self.kind()?),
            "real" => TypeSpec::Real(self.kind()?),
            "logical" => TypeSpec::Logical(self.kind()?),
            "complex" => TypeSpec::Complex(self.kind()?),
            "byte" => TypeSpec::Integer(Kind::Bytes(1)),
            "doubleprecision" => TypeSpec::DoublePrecision,
            "doublecomplex" => TypeSpec::DoubleComplex,
            "double" if self.eat_word("precision") => TypeSpec::DoublePrecision,
            "double" if self.eat_word("complex") => TypeSpec::DoubleComplex,
            "character" => TypeSpec::Character(self.character_length()?),
            "type" | "class" => {
                let is_class = &**word == "class";
                self.expect("(")?;
                if self.eat("*") {
                    self.expect(")")?;
                    return Ok(TypeSpec::Class(None));
                }
                let name = self.ident()?.key;
                if self.is_mark("(") {
                    self.skip_parentheses();
                }
                self.expect(")")?;
                match (&*name, is_class) {
                    (_, true) => TypeSpec::Class(Some(name)),
                    ("integer", _) => TypeSpec::Integer(Kind::Default),
                    ("real", _) => TypeSpec::Real(Kind::Default),
                    _ => TypeSpec::Derived(name),
                }
            }
            "procedure" => {
                self.skip_parentheses();
                TypeSpec::Procedure
            }
            _ => return self.fail(),
        })
    }

    /// `*8`, `(8)` or `(kind = dp)`
    fn kind(&mut self) -> Parsed<Kind> {
        if self.is_mark("*") && matches!(self.peek_after(1), Some(TokenKind::Integer(_))) {
            self.advance();
            let bytes = self.label()?;
            return Ok(Kind::Bytes(i64::from(bytes)));
        }
        if !self.eat("(") {
            return Ok(Kind::Default);
        }
        if self.is_word("kind") && self.is_mark_after(1, "=") {
            self.advance();
            self.advance();
        }
        let kind = self.expr()?;
        self.expect(")")?;
        Ok(Kind::Expr(Box::new(kind)))
    }

    /// `*10`, `*(*)`, `(len = n)`, `(n, kind = 1)`
    fn character_length(&mut self) -> Parsed<Option<Length>> {
        if self.eat("*") {
            return self.star_length().map(Some);
        }
        if !self.eat("(") {
            return Ok(None);
        }
        let mut length = None;
        loop {
            let keyword = match self.word() {
                Some(name) if self.is_mark_after(1, "=") => {
                    self.advance();
                    self.advance();
                    Some(name.clone())
                }
                _ => None,
            };
            let value = self.length_value()?;
            if keyword.as_deref().is_none_or(|name| name == "len") && length.is_none() {
                length = Some(value);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(length)
    }

    fn length_value(&mut self) -> Parsed<Length> {
        if self.eat("*") {
            return Ok(Length::Assumed);
        }
        if self.eat(":") {
            return Ok(Length::Deferred);
        }
        Ok(Length::Expr(self.expr()?))
    }

    /// What follows the `*` of a length.
    fn star_length(&mut self) -> Parsed<Length> {
        if self.eat("(") {
            let length = self.length_value()?;
            self.expect(")")?;
            return Ok(length);
        }
        let at = self.here();
        let value = i64::from(self.label()?);
        Ok(Length::Expr(Expr {
            at,
            kind: ExprKind::Integer(value, None),
        }))
    }

    /// `, DIMENSION(10), INTENT(IN) ::`, or nothing.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut list = Vec::new();
        while self.eat(",") {
            list.push(self.attribute()?);
        }
        Ok(list)
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let word = self.ident()?.key;
        Ok(match &*word {
            "dimension" => Attribute::Dimension(self.shape()?),
            "intent" => Attribute::Intent(self.intent()?),
            _ => {
                if self.is_mark("(") {
                    self.skip_parentheses();
                }
                plain_attribute(&word)
            }
        })
    }

    pub(super) fn intent(&mut self) -> Parsed<Intent> {
        self.expect("(")?;
        let mut intent = None;
        while let Some(word) = self.word() {
            intent = Some(match (&**word, intent) {
                ("in", _) => Intent::In,
                ("out", Some(Intent::In)) | ("inout", _) => Intent::InOut,
                _ => Intent::Out,
            });
            self.advance();
        }
        self.expect(")")?;
        intent.map_or_else(|| self.fail(), Ok)
    }

    /// `(10, 0:n, *)`
    pub(super) fn shape(&mut self) -> Parsed<Vec<Dimension>> {
        self.expect("(")?;
        let list = self.list(Self::dimension)?;
        self.expect(")")?;
        Ok(list)
    }

    fn dimension(&mut self) -> Parsed<Dimension> {
        let plain = |upper| Dimension { lower: None, upper };
        if self.eat("*") {
            return Ok(plain(Upper::Assumed));
        }
        if self.eat(":") {
            return Ok(plain(Upper::Deferred));
        }
        let first = self.expr()?;
        if !self.eat(":") {
            return Ok(plain(Upper::Bound(first)));
        }
        let upper = if self.eat("*") {
            Upper::Assumed
        } else if self.is_mark(",") || self.is_mark(")") {
            Upper::Deferred
        } else {
            Upper::Bound(self.expr()?)
        };
        Ok(Dimension {
            lower: Some(first),
            upper,
        })
    }

    pub(super) fn entities(&mut self) -> Parsed<Vec<Entity>> {
        self.list(Self::entity)
    }

    pub(super) fn entity(&mut self) -> Parsed<Entity> {
        let name = self.ident()?;
        let mut entity = Entity {
            name,
            shape: None,
            length: None,
            initial: None,
        };
        // `a(10)*8` and `a*8(10)` are both there.
        for _ in 0..2 {
            if self.is_mark("(") {
                entity.shape = Some(self.shape()?);
            }
            if self.eat("*") {
                entity.length = Some(self.star_length()?);
            }
        }
        if self.is_mark("[") {
            self.skip_parentheses();
        }
        if self.eat("=>") || self.eat("=") {
            entity.initial = Some(self.expr()?);
        } else if self.is_mark("/") {
            self.skip_values();
        }
        Ok(entity)
    }

    /// Passes over `/1, 2/`, an old way to give values.
    fn skip_values(&mut self) {
        self.advance();
        while !self.is_at_end() && !self.eat("/") {
            self.advance();
        }
    }

    /// A declaration that starts with a type.
    pub(super) fn type_declaration(&mut self) -> Parsed<Spec> {
        let kind = self.type_spec()?;
        let attributes = match self.has_mark("::") {
            true => self.attributes()?,
            // `CHARACTER*8, NAME`
            false => {
                self.eat(",");
                Vec::new()
            }
        };
        self.eat("::");
        let entities = self.entities()?;
        self.end()?;
        Ok(Spec::Type {
            kind,
            attributes,
            entities,
        })
    }

    /// `IMPLICIT NONE`, `IMPLICIT REAL*8 (A-H, O-Z), INTEGER (I-N)`
    pub(super) fn implicit(&mut self) -> Parsed<Spec> {
        if self.eat_word("none") {
            self.skip();
            return Ok(Spec::Implicit(Vec::new()));
        }
        let rules = self.list(|c| {
            let before = c.position();
            let kind = match c.type_spec() {
                Ok(kind) if c.is_mark("(") => kind,
                // `IMPLICIT REAL (A-H)`: what was read as a kind are the letters.
                _ => {
                    c.back_to(before);
                    c.bare_type_spec()?
                }
            };
            Ok((kind, c.letters()?))
        })?;
        self.end()?;
        Ok(Spec::Implicit(rules))
    }

    /// A type without its kind.
    fn bare_type_spec(&mut self) -> Parsed<TypeSpec> {
        let word = self.ident()?.key;
        Ok(match &*word {
            "integer" => TypeSpec::Integer(Kind::Default),
            "real" => TypeSpec::Real(Kind::Default),
            "logical" => TypeSpec::Logical(Kind::Default),
            "complex" => TypeSpec::Complex(Kind::Default),
            "character" => TypeSpec::Character(None),
            _ => return self.fail(),
        })
    }

    fn letters(&mut self) -> Parsed<Vec<(u8, u8)>> {
        self.expect("(")?;
        let list = self.list(|c| {
            let first = c.letter()?;
            let last = if c.eat("-") { c.letter()? } else { first };
            Ok((first, last))
        })?;
        self.expect(")")?;
        Ok(list)
    }

    fn letter(&mut self) -> Parsed<u8> {
        let name = self.ident()?;
        match name.key.as_bytes() {
            [letter] => Ok(*letter),
            _ => self.fail(),
        }
    }

    /// `PARAMETER (N = 5, M = 2*N)`
    pub(super) fn parameter(&mut self) -> Parsed<Spec> {
        let has_parentheses = self.eat("(");
        let list = self.list(|c| {
            let name = c.ident()?;
            c.expect("=")?;
            Ok((name, c.expr()?))
        })?;
        if has_parentheses {
            self.expect(")")?;
        }
        self.end()?;
        Ok(Spec::Parameter(list))
    }

    /// `COMMON /BLOCK/ A(10), N /OTHER/ B`
    pub(super) fn common(&mut self) -> Parsed<Spec> {
        let mut blocks = Vec::new();
        while !self.is_at_end() {
            let mut name = Key::from("");
            if self.eat("//") {
            } else if self.eat("/") {
                if let Some(word) = self.word() {
                    name = word.clone();
                    self.advance();
                }
                self.expect("/")?;
            }
            let mut entities = vec![self.entity_of_common()?];
            while self.eat(",") {
                if self.is_mark("/") || self.is_mark("//") {
                    break;
                }
                entities.push(self.entity_of_common()?);
            }
            blocks.push((name, entities));
        }
        Ok(Spec::Common(blocks))
    }

    /// `NAMELIST /group/ n, m /other/ k`
    pub(super) fn namelist(&mut self) -> Parsed<Spec> {
        let mut groups = Vec::new();
        while self.eat("/") {
            let group = self.ident()?.key;
            self.expect("/")?;
            let mut names = vec![self.ident()?.key];
            while self.eat(",") && !self.is_mark("/") {
                names.push(self.ident()?.key);
            }
            groups.push((group, names));
        }
        self.end()?;
        Ok(Spec::Namelist(groups))
    }

    fn entity_of_common(&mut self) -> Parsed<Entity> {
        let name = self.ident()?;
        let shape = match self.is_mark("(") {
            true => Some(self.shape()?),
            false => None,
        };
        Ok(Entity {
            name,
            shape,
            length: None,
            initial: None,
        })
    }

    pub(super) fn equivalence(&mut self) -> Parsed<Spec> {
        let sets = self.list(|c| {
            c.expect("(")?;
            let set = c.list(Self::designator)?;
            c.expect(")")?;
            Ok(set)
        })?;
        self.end()?;
        Ok(Spec::Equivalence(sets))
    }

    /// `DATA A, B /1.0, 2*3.0/, C /4/`
    pub(super) fn data(&mut self) -> Parsed<Spec> {
        let mut sets = Vec::new();
        while !self.is_at_end() {
            let objects = self.list(|c| match c.is_mark("(") {
                true => c.constant(),
                false => c.designator(),
            })?;
            self.expect("/")?;
            let values = self.list(Self::data_value)?;
            self.expect("/")?;
            self.eat(",");
            sets.push(DataSet { objects, values });
        }
        Ok(Spec::Data(sets))
    }

    fn data_value(&mut self) -> Parsed<(Option<Expr>, Expr)> {
        let first = self.data_constant()?;
        if !self.eat("*") {
            return Ok((None, first));
        }
        Ok((Some(first), self.data_constant()?))
    }

    /// A constant with its sign: the slash behind it ends the list.
    fn data_constant(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.eat("+");
        if !self.eat("-") {
            return self.constant();
        }
        let kind = match self.data_constant()?.kind {
            ExprKind::Integer(x, kind) => ExprKind::Integer(x.wrapping_neg(), kind),
            ExprKind::Real(x, double, kind) => ExprKind::Real(-x, double, kind),
            other => other,
        };
        Ok(Expr {
            at: self.since(start),
            kind,
        })
    }

    /// `USE m, ONLY: a => b, c`
    pub(super) fn use_statement(&mut self) -> Parsed<Spec> {
        while self.eat(",") {
            self.ident()?; // INTRINSIC
        }
        self.eat("::");
        let module = self.ident()?.key;
        let mut names = Vec::new();
        let mut only = false;
        if self.eat(",") {
            if self.is_word("only") && self.is_mark_after(1, ":") {
                self.advance();
                self.advance();
                only = true;
            }
            while !self.is_at_end() {
                self.renamed(&mut names)?;
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.end()?;
        Ok(Spec::Use(Use {
            module,
            only,
            names,
        }))
    }

    fn renamed(&mut self, names: &mut Vec<(Key, Key)>) -> Parsed<()> {
        let local: Ident = self.ident()?;
        if self.is_mark("(") {
            // `OPERATOR(+)`, `ASSIGNMENT(=)`
            self.skip_parentheses();
            return Ok(());
        }
        let original = match self.eat("=>") {
            true => self.ident()?.key,
            false => local.key.clone(),
        };
        names.push((local.key, original));
        Ok(())
    }
}

/// An attribute that is one word.
pub(super) fn plain_attribute(word: &str) -> Attribute {
    match word {
        "parameter" => Attribute::Parameter,
        "allocatable" => Attribute::Allocatable,
        "pointer" => Attribute::Pointer,
        "save" => Attribute::Save,
        "external" => Attribute::External,
        "value" => Attribute::Value,
        "optional" => Attribute::Optional,
        _ => Attribute::Other,
    }
}
