//! Statements.

use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::{For, Name, Statement, StatementKind};

/// Whether a word is no name.
pub(super) fn is_keyword(word: &str) -> bool {
    super::specifiers::is_specifier_word(word)
        || matches!(
            word,
            "if" | "else"
                | "for"
                | "while"
                | "do"
                | "switch"
                | "case"
                | "default"
                | "return"
                | "break"
                | "continue"
                | "goto"
                | "sizeof"
                | "_Alignof"
                | "_Generic"
                | "_Static_assert"
                | "_Alignas"
                | "__attribute__"
                | "__attribute"
                | "__asm__"
                | "asm"
        )
}

impl Parser<'_> {
    /// A statement or declaration. What cannot be read is recorded and skipped.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let start = self.at();
        let kind = self.nested(Self::statement_kind)?;
        Ok(Statement {
            at: start.to(self.before()),
            kind,
        })
    }

    fn boxed(&mut self) -> Parsed<Box<Statement>> {
        Ok(Box::new(self.statement()?))
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        if self.is("{") {
            return self.block();
        }
        if self.accept(";") {
            return Ok(StatementKind::Empty);
        }
        match self.word() {
            "if" => self.if_statement(),
            "for" => self.for_statement(),
            "while" | "switch" => self.while_or_switch(),
            "do" => self.do_statement(),
            "return" => {
                self.advance();
                let value = match self.is(";") {
                    true => None,
                    false => Some(self.expression()?),
                };
                self.expect(";")?;
                Ok(StatementKind::Return(value))
            }
            "break" => self.jump(StatementKind::Break),
            "continue" => self.jump(StatementKind::Continue),
            "goto" => {
                self.advance();
                let is_label = self.kind() == TokenKind::Word && self.is_after(1, ";");
                let label = is_label.then(|| Name::from(self.word()));
                while !self.is(";") && self.kind() != TokenKind::End {
                    self.advance();
                }
                self.expect(";")?;
                Ok(StatementKind::Goto(label))
            }
            "case" | "default" => self.case(),
            "_Static_assert" | "static_assert" => {
                self.advance();
                self.skip_balanced()?;
                self.expect(";")?;
                Ok(StatementKind::Empty)
            }
            "asm" | "__asm__" | "__asm" => self.assembly(),
            _ => self.declaration_or_expression(),
        }
    }

    fn declaration_or_expression(&mut self) -> Parsed<StatementKind> {
        let is_label = self.kind() == TokenKind::Word && self.is_after(1, ":");
        if is_label {
            let label = Name::from(self.word());
            self.advance();
            self.advance();
            if self.is("}") {
                return Ok(StatementKind::Label(label, Box::new(self.empty())));
            }
            return Ok(StatementKind::Label(label, self.boxed()?));
        }
        if self.is("[") && self.is_after(1, "[") {
            self.skip_attributes()?;
            return self.statement_kind();
        }
        if self.word() == "__extension__" && !self.starts_type_after(1) {
            self.advance();
        }
        if self.word().starts_with("__attribute") && self.position_after_attributes_is_semicolon() {
            self.skip_attributes()?;
            self.expect(";")?;
            return Ok(StatementKind::Empty);
        }
        if self.starts_type_after(0) {
            return Ok(StatementKind::Declarations(self.declaration()?));
        }
        let expression = self.expression()?;
        self.expect(";")?;
        Ok(StatementKind::Expression(expression))
    }

    fn position_after_attributes_is_semicolon(&mut self) -> bool {
        let start = self.position;
        let is_read = self.skip_attributes().is_ok();
        let found = is_read && self.is(";");
        self.position = start;
        found
    }

    fn empty(&self) -> Statement {
        Statement {
            at: self.at(),
            kind: StatementKind::Empty,
        }
    }

    fn jump(&mut self, kind: StatementKind) -> Parsed<StatementKind> {
        self.advance();
        self.expect(";")?;
        Ok(kind)
    }

    fn assembly(&mut self) -> Parsed<StatementKind> {
        self.advance();
        while self.kind() == TokenKind::Word {
            self.advance();
        }
        self.skip_balanced()?;
        self.expect(";")?;
        Ok(StatementKind::Error(
            premiss_tree::RejectReason::Unsupported {
                construct: "inline assembly".to_owned(),
            },
        ))
    }

    fn block(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.scoped(|parser| {
            let mut statements = Vec::new();
            while !parser.accept("}") {
                if parser.kind() == TokenKind::End {
                    return Err(parser.error());
                }
                statements.push(parser.statement_or_error());
            }
            Ok(StatementKind::Block(statements))
        })
    }

    fn statement_or_error(&mut self) -> Statement {
        let (start, at) = (self.position, self.at());
        let n_scopes = self.scopes.len();
        match self.statement() {
            Ok(statement) => statement,
            Err(error) => {
                self.scopes.truncate(n_scopes);
                self.recover_in_block(start);
                self.errors.push(error.clone());
                Statement {
                    at: at.to(self.before()),
                    kind: StatementKind::Error(error.reason),
                }
            }
        }
    }

    fn if_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        let then = self.boxed()?;
        let otherwise = match self.accept_word("else") {
            true => Some(self.boxed()?),
            false => None,
        };
        Ok(StatementKind::If {
            condition,
            then,
            otherwise,
        })
    }

    fn while_or_switch(&mut self) -> Parsed<StatementKind> {
        let is_while = self.word() == "while";
        self.advance();
        self.expect("(")?;
        let value = self.expression()?;
        self.expect(")")?;
        let body = self.boxed()?;
        Ok(if is_while {
            StatementKind::While {
                condition: value,
                body,
            }
        } else {
            StatementKind::Switch { value, body }
        })
    }

    fn do_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let body = self.boxed()?;
        if !self.accept_word("while") {
            return Err(self.error());
        }
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        self.expect(";")?;
        Ok(StatementKind::DoWhile { body, condition })
    }

    fn case(&mut self) -> Parsed<StatementKind> {
        let value = if self.accept_word("default") {
            None
        } else {
            self.advance();
            Some(self.conditional()?)
        };
        self.expect(":")?;
        let statement = match self.is("}") {
            true => Box::new(self.empty()),
            false => self.boxed()?,
        };
        Ok(StatementKind::Case(value, statement))
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
        let start = self.at();
        self.advance();
        self.expect("(")?;
        self.scoped(|parser| {
            let initial = parser.for_initial()?;
            let condition = match parser.is(";") {
                true => None,
                false => Some(parser.expression()?),
            };
            parser.expect(";")?;
            let step = match parser.is(")") {
                true => None,
                false => Some(parser.expression()?),
            };
            parser.expect(")")?;
            let header = start.to(parser.before());
            let body = parser.statement()?;
            Ok(StatementKind::For(Box::new(For {
                header,
                initial,
                condition,
                step,
                body,
            })))
        })
    }

    fn for_initial(&mut self) -> Parsed<Statement> {
        let start = self.at();
        let kind = if self.starts_type_after(0) {
            StatementKind::Declarations(self.declaration()?)
        } else if self.accept(";") {
            StatementKind::Empty
        } else {
            let expression = self.expression()?;
            self.expect(";")?;
            StatementKind::Expression(expression)
        };
        Ok(Statement {
            at: start.to(self.before()),
            kind,
        })
    }
}
