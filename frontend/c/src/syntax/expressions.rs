//! Expressions.

use super::parser::{Parsed, Parser};
use super::token::TokenKind;
use super::{At, Binary, Designator, Expression, ExpressionKind, TypeName, Unary, literals};
use std::sync::Arc;

/// What a binary operator of the grammar makes.
enum Infix {
    Plain(Binary),
    And,
    Or,
}

/// An operator with its precedence.
fn infix(text: &str) -> Option<(u8, Infix)> {
    use Infix::Plain;
    Some(match text {
        "||" => (1, Infix::Or),
        "&&" => (2, Infix::And),
        "|" => (3, Plain(Binary::BitOr)),
        "^" => (4, Plain(Binary::BitXor)),
        "&" => (5, Plain(Binary::BitAnd)),
        "==" => (6, Plain(Binary::Equal)),
        "!=" => (6, Plain(Binary::NotEqual)),
        "<" => (7, Plain(Binary::Less)),
        "<=" => (7, Plain(Binary::LessEqual)),
        ">" => (7, Plain(Binary::Greater)),
        ">=" => (7, Plain(Binary::GreaterEqual)),
        "<<" => (8, Plain(Binary::ShiftLeft)),
        ">>" => (8, Plain(Binary::ShiftRight)),
        "+" => (9, Plain(Binary::Add)),
        "-" => (9, Plain(Binary::Subtract)),
        "*" => (10, Plain(Binary::Multiply)),
        "/" => (10, Plain(Binary::Divide)),
        "%" => (10, Plain(Binary::Remainder)),
        _ => return None,
    })
}

fn assignment(text: &str) -> Option<Option<Binary>> {
    Some(match text {
        "=" => None,
        "+=" => Some(Binary::Add),
        "-=" => Some(Binary::Subtract),
        "*=" => Some(Binary::Multiply),
        "/=" => Some(Binary::Divide),
        "%=" => Some(Binary::Remainder),
        "<<=" => Some(Binary::ShiftLeft),
        ">>=" => Some(Binary::ShiftRight),
        "&=" => Some(Binary::BitAnd),
        "^=" => Some(Binary::BitXor),
        "|=" => Some(Binary::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        let mut left = self.assignment()?;
        while self.accept(",") {
            let right = self.assignment()?;
            let at = left.at.to(right.at);
            left = self.make(at, ExpressionKind::Comma(Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parsed<Expression> {
        self.nested(|parser| {
            let left = parser.conditional()?;
            let TokenKind::Punctuator(text) = parser.kind() else {
                return Ok(left);
            };
            let Some(operator) = assignment(text) else {
                return Ok(left);
            };
            parser.advance();
            let right = parser.assignment()?;
            let at = left.at.to(right.at);
            let kind = ExpressionKind::Assign(operator, Box::new(left), Box::new(right));
            parser.make(at, kind)
        })
    }

    /// A conditional expression: what a constant expression may be.
    pub(super) fn conditional(&mut self) -> Parsed<Expression> {
        let condition = self.binary(1)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        if self.is(":") {
            // `a ?: b` evaluates `a` once: it has no equal among the other expressions.
            self.advance();
            let otherwise = self.nested(Self::conditional)?;
            let at = condition.at.to(otherwise.at);
            return self.make(at, ExpressionKind::Unsupported("a `?:` without a middle"));
        }
        let then = self.nested(Self::expression)?;
        self.expect(":")?;
        let otherwise = self.nested(Self::conditional)?;
        let at = condition.at.to(otherwise.at);
        let operands = Box::new([condition, then, otherwise]);
        self.make(at, ExpressionKind::Conditional(operands))
    }

    fn binary(&mut self, least: u8) -> Parsed<Expression> {
        let mut left = self.cast()?;
        while let TokenKind::Punctuator(text) = self.kind() {
            let Some((precedence, operator)) = infix(text) else {
                break;
            };
            if precedence < least {
                break;
            }
            self.advance();
            let right = self.binary(precedence + 1)?;
            let at = left.at.to(right.at);
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Infix::Plain(operator) => ExpressionKind::Binary(operator, left_box, right_box),
                Infix::And => ExpressionKind::And(left_box, right_box),
                Infix::Or => ExpressionKind::Or(left_box, right_box),
            };
            left = self.make(at, kind)?;
        }
        Ok(left)
    }

    fn cast(&mut self) -> Parsed<Expression> {
        if !self.is("(") || !self.starts_type_after(1) {
            return self.nested(Self::unary);
        }
        let start = self.at();
        self.advance();
        let kind = self.type_name()?;
        self.expect(")")?;
        if self.is("{") {
            let literal = self.compound_literal(start, kind)?;
            return self.postfix(literal);
        }
        let operand = self.nested(Self::cast)?;
        let at = start.to(operand.at);
        self.make(at, ExpressionKind::Cast(kind, Box::new(operand)))
    }

    fn compound_literal(&mut self, start: At, kind: Arc<TypeName>) -> Parsed<Expression> {
        let list = self.initializer_list()?;
        let at = start.to(self.before());
        self.make(at, ExpressionKind::CompoundLiteral(kind, list))
    }

    fn unary(&mut self) -> Parsed<Expression> {
        let start = self.at();
        let TokenKind::Punctuator(text) = self.kind() else {
            return self.keyword_or_postfix();
        };
        let make: fn(Box<Expression>) -> ExpressionKind = match text {
            "+" => |x| ExpressionKind::Unary(Unary::Plus, x),
            "-" => |x| ExpressionKind::Unary(Unary::Negate, x),
            "~" => |x| ExpressionKind::Unary(Unary::BitNot, x),
            "!" => |x| ExpressionKind::Unary(Unary::Not, x),
            "&" => ExpressionKind::AddressOf,
            "*" => ExpressionKind::Dereference,
            "++" => |operand| ExpressionKind::Increment {
                by: 1,
                is_prefix: true,
                operand,
            },
            "--" => |operand| ExpressionKind::Increment {
                by: -1,
                is_prefix: true,
                operand,
            },
            "&&" => return Err(self.error()),
            _ => return self.keyword_or_postfix(),
        };
        self.advance();
        let operand = self.nested(Self::cast)?;
        let at = start.to(operand.at);
        self.make(at, make(Box::new(operand)))
    }

    fn keyword_or_postfix(&mut self) -> Parsed<Expression> {
        let start = self.at();
        match self.word() {
            "sizeof" => {
                self.advance();
                self.sizeof(start)
            }
            "_Alignof" | "alignof" | "__alignof__" | "__alignof" => {
                self.advance();
                self.alignof(start)
            }
            "__extension__" => {
                self.advance();
                self.nested(Self::cast)
            }
            "__real__" | "__imag__" | "__real" | "__imag" => {
                // The part of a complex number is its value as data.
                self.advance();
                self.nested(Self::cast)
            }
            _ => {
                let primary = self.primary()?;
                self.postfix(primary)
            }
        }
    }

    fn sizeof(&mut self, start: At) -> Parsed<Expression> {
        if self.is("(") && self.starts_type_after(1) {
            let open = self.at();
            self.advance();
            let kind = self.type_name()?;
            self.expect(")")?;
            if !self.is("{") {
                return self.make(start.to(self.before()), ExpressionKind::SizeofType(kind));
            }
            let literal = self.compound_literal(open, kind)?;
            let operand = Box::new(self.postfix(literal)?);
            let at = start.to(operand.at);
            return self.make(at, ExpressionKind::SizeofExpression(operand));
        }
        let operand = self.nested(Self::unary)?;
        let at = start.to(operand.at);
        self.make(at, ExpressionKind::SizeofExpression(Box::new(operand)))
    }

    fn alignof(&mut self, start: At) -> Parsed<Expression> {
        if self.is("(") && self.starts_type_after(1) {
            self.advance();
            let kind = self.type_name()?;
            self.expect(")")?;
            return self.make(start.to(self.before()), ExpressionKind::AlignofType(kind));
        }
        let operand = self.nested(Self::unary)?;
        let at = start.to(operand.at);
        self.make(at, ExpressionKind::AlignofExpression(Box::new(operand)))
    }

    /// `offsetof(T, a.b[3])`; its name has been read.
    fn offset_of(&mut self, start: At) -> Parsed<Expression> {
        self.expect("(")?;
        let kind = self.type_name()?;
        self.expect(",")?;
        let mut steps = Vec::new();
        loop {
            if self.accept("[") {
                steps.push(Designator::Index(self.nested(Self::expression)?));
                self.expect("]")?;
            } else if self.accept(")") {
                break;
            } else {
                self.accept(".");
                let word = self.word();
                if word.is_empty() {
                    return Err(self.error());
                }
                steps.push(Designator::Member(self.name_of(word)));
                self.advance();
            }
        }
        let at = start.to(self.before());
        self.make(at, ExpressionKind::OffsetOf(kind, steps))
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let token = self.token();
        match token.kind {
            TokenKind::Word => self.name(),
            TokenKind::Number => {
                let kind = literals::number(self.text_of(token)).ok_or_else(|| self.error())?;
                self.advance();
                self.make(token.at, kind)
            }
            TokenKind::Character => {
                let value = literals::character(self.text_of(token));
                self.advance();
                self.make(token.at, ExpressionKind::Integer(value, literals::INT))
            }
            TokenKind::Text => {
                let mut size = 1;
                while self.kind() == TokenKind::Text {
                    let token = self.advance();
                    size += literals::text_length(self.text_of(token));
                }
                self.make(token.at.to(self.before()), ExpressionKind::Text(size))
            }
            TokenKind::Punctuator("(") => self.parenthesized(),
            TokenKind::Punctuator(_) | TokenKind::Unknown | TokenKind::End => Err(self.error()),
        }
    }

    fn name(&mut self) -> Parsed<Expression> {
        let token = self.token();
        let text = self.text_of(token);
        match text {
            "__builtin_offsetof" | "offsetof" if self.is_after(1, "(") => {
                self.advance();
                self.offset_of(token.at)
            }
            "_Generic" if self.is_after(1, "(") => {
                self.advance();
                self.generic(token.at)
            }
            "__builtin_va_arg" | "va_arg" | "__builtin_types_compatible_p"
                if self.is_after(1, "(") =>
            {
                self.advance();
                self.skip_balanced()?;
                let at = token.at.to(self.before());
                self.make(at, ExpressionKind::Unsupported("a compiler builtin"))
            }
            _ if super::statements::is_keyword(text) => Err(self.error()),
            _ => {
                self.advance();
                let name = self.name_of(text);
                self.make(token.at, ExpressionKind::Name(name))
            }
        }
    }

    /// What follows `_Generic`.
    fn generic(&mut self, start: At) -> Parsed<Expression> {
        self.expect("(")?;
        let control = Box::new(self.assignment()?);
        let mut list = Vec::new();
        while self.accept(",") {
            let kind = match self.word() == "default" {
                true => {
                    self.advance();
                    None
                }
                false => Some(self.type_name()?),
            };
            self.expect(":")?;
            list.push((kind, self.assignment()?));
        }
        self.expect(")")?;
        let at = start.to(self.before());
        self.make(at, ExpressionKind::Generic(control, list))
    }

    /// What stands in parentheses; they count to its extent.
    fn parenthesized(&mut self) -> Parsed<Expression> {
        let start = self.at();
        self.advance();
        if self.is("{") {
            let block = self.nested(Self::statement)?;
            self.expect(")")?;
            let at = start.to(self.before());
            return self.make(at, ExpressionKind::StatementExpression(Box::new(block)));
        }
        let mut inner = self.nested(Self::expression)?;
        self.expect(")")?;
        inner.at = start.to(self.before());
        Ok(inner)
    }

    fn postfix(&mut self, mut base: Expression) -> Parsed<Expression> {
        let start = base.at;
        loop {
            let TokenKind::Punctuator(text) = self.kind() else {
                return Ok(base);
            };
            let kind = match text {
                "[" => {
                    self.advance();
                    let index = self.nested(Self::expression)?;
                    self.expect("]")?;
                    ExpressionKind::Index(Box::new(base), Box::new(index))
                }
                "(" => {
                    self.advance();
                    let mut arguments = self.arguments()?;
                    arguments.shrink_to_fit();
                    ExpressionKind::Call(Box::new(base), arguments)
                }
                "." | "->" => {
                    self.advance();
                    let name = self.word();
                    if name.is_empty() {
                        return Err(self.error());
                    }
                    self.advance();
                    ExpressionKind::Member {
                        base: Box::new(base),
                        name: self.name_of(name),
                        through_pointer: text == "->",
                    }
                }
                "++" | "--" => {
                    self.advance();
                    ExpressionKind::Increment {
                        by: if text == "++" { 1 } else { -1 },
                        is_prefix: false,
                        operand: Box::new(base),
                    }
                }
                _ => return Ok(base),
            };
            base = self.make(start.to(self.before()), kind)?;
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expression>> {
        let mut arguments = Vec::new();
        if self.accept(")") {
            return Ok(arguments);
        }
        loop {
            if self.starts_type_after(0) && !self.is_after(1, "(") {
                // A type as an argument, as of `va_arg` and its like.
                let start = self.at();
                self.type_name()?;
                let at = start.to(self.before());
                arguments
                    .push(self.make(at, ExpressionKind::Unsupported("a type as an argument"))?);
            } else {
                arguments.push(self.assignment()?);
            }
            if !self.accept(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }
}
