//! Attributes, as far as they decide where things lie: `packed`, `aligned`, `vector_size`, `mode`,
//! `_Alignas`. All others are read over.

use super::parser::{Parsed, Parser};
use super::{Alignment, Attributes, TypeName};
use premiss_tree::IntegerType;
use std::sync::Arc;

/// Whether a word starts an attribute (or names an assembler symbol, which stands in the same places).
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

impl Parser<'_> {
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        self.attributes().map(|_| ())
    }

    /// Reads all attributes that stand here.
    pub(super) fn attributes(&mut self) -> Parsed<Attributes> {
        let mut found = Attributes::default();
        loop {
            let word = self.word();
            if is_attribute_word(word) {
                self.attribute_word(word, &mut found)?;
            } else if self.is("[") && self.is_after(1, "[") {
                self.listed_attributes(&mut found)?;
            } else {
                return Ok(found);
            }
        }
    }

    fn attribute_word(&mut self, word: &str, found: &mut Attributes) -> Parsed<()> {
        self.advance();
        while super::specifiers::is_qualifier(self.word()) {
            self.advance();
        }
        if !self.is("(") {
            return Ok(());
        }
        match word {
            "__attribute__" | "__attribute" => self.listed_attributes(found),
            "_Alignas" | "alignas" => {
                let alignment = self.in_parentheses(Self::alignment)?;
                found.aligned.push(alignment);
                Ok(())
            }
            _ => self.skip_balanced(),
        }
    }

    /// `((a, b(x)))` or `[[a, b(x)]]`.
    fn listed_attributes(&mut self, found: &mut Attributes) -> Parsed<()> {
        let start = self.position;
        self.skip_balanced()?;
        let end = std::mem::replace(&mut self.position, start + 2);
        let result = self.attribute_list(end.saturating_sub(2), found);
        self.position = end;
        result
    }

    fn attribute_list(&mut self, end: usize, found: &mut Attributes) -> Parsed<()> {
        while self.position < end {
            let word = self.word();
            if self.is("(") {
                self.skip_balanced()?;
                continue;
            }
            self.advance();
            self.attribute(word.trim_matches('_'), found)?;
        }
        Ok(())
    }

    /// One attribute; its name has been read.
    fn attribute(&mut self, name: &str, found: &mut Attributes) -> Parsed<()> {
        let has_argument = self.is("(");
        match name {
            "packed" => found.packed = true,
            "aligned" => {
                found.aligned.push(match has_argument {
                    true => self.in_parentheses(Self::alignment)?,
                    false => Alignment::Greatest,
                });
            }
            "vector_size" if has_argument => {
                let bytes = self.in_parentheses(|parser| parser.nested(Self::conditional))?;
                found.vector = Some(Arc::new(bytes));
            }
            "mode" if has_argument => {
                let mode = self.word_after(1).trim_matches('_');
                found.mode = Some(Arc::new(mode_type(mode)));
            }
            "ms_struct" => found.is_foreign = true,
            _ => {}
        }
        Ok(())
    }

    fn in_parentheses<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect("(")?;
        let result = read(self)?;
        self.expect(")")?;
        Ok(result)
    }

    fn alignment(&mut self) -> Parsed<Alignment> {
        if self.starts_type_after(0) {
            return Ok(Alignment::OfType(self.nested(Self::type_name)?));
        }
        let bytes = self.nested(Self::conditional)?;
        Ok(Alignment::Bytes(Arc::new(bytes)))
    }
}

/// The type of a machine mode.
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
