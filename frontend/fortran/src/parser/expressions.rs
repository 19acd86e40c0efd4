//! Expressions, by strength of operators.

use super::cursor::{Cursor, Parsed};
use crate::syntax::{
    Argument, ArgumentValue, BinaryOperator as Op, Expr, ExprKind, ImpliedDo, Key, Section,
    UnaryOperator,
};
use crate::text::TokenKind;
use premiss_imperative::syntax::At;
use std::sync::Arc;

/// The strength of `.not.`, of signs, and of `**`.
const NOT: u8 = 5;
const SIGN: u8 = 8;
const POWER: u8 = 10;

/// An operator between two operands.
enum Infix {
    Known(Op),
    Defined,
}

impl Cursor<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.operators(0)
    }

    fn operators(&mut self, least: u8) -> Parsed<Expr> {
        self.deeper(|c| c.operators_here(least))
    }

    fn operators_here(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.prefixed(least)?;
        while let Some((infix, strength)) = self.infix() {
            if strength < least {
                break;
            }
            self.advance();
            // `**` binds to the right, all others to the left.
            let right = match strength {
                POWER => self.operators(POWER)?,
                strength => self.operators(strength + 1)?,
            };
            let at = left.at.to(right.at);
            let kind = match infix {
                Infix::Known(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                Infix::Defined => ExprKind::Defined(vec![left, right]),
            };
            left = Expr { at, kind };
        }
        Ok(left)
    }

    fn prefixed(&mut self, least: u8) -> Parsed<Expr> {
        let start = self.here();
        let (operator, strength) = match self.peek() {
            Some(TokenKind::Mark("-")) => (UnaryOperator::Minus, SIGN),
            Some(TokenKind::Mark("+")) => (UnaryOperator::Plus, SIGN),
            Some(TokenKind::Dotted(name)) if &**name == "not" => (UnaryOperator::Not, NOT),
            Some(TokenKind::Dotted(name)) if !is_literal(name) => {
                self.advance();
                let operand = self.operators(POWER)?;
                return Ok(Expr {
                    at: start.to(operand.at),
                    kind: ExprKind::Defined(vec![operand]),
                });
            }
            _ => return self.primary(),
        };
        self.advance();
        // Many compilers take `a * -b`, where the sign reaches as far as a factor.
        let operand = self.operators((strength + 1).max(least.min(POWER)))?;
        Ok(Expr {
            at: start.to(operand.at),
            kind: ExprKind::Unary(operator, Box::new(operand)),
        })
    }

    fn infix(&self) -> Option<(Infix, u8)> {
        let known = |op, strength| Some((Infix::Known(op), strength));
        match self.peek()? {
            TokenKind::Mark(mark) => match *mark {
                "**" => known(Op::Power, POWER),
                "*" => known(Op::Multiply, 9),
                // `/)` ends a list.
                "/" if self.is_mark_after(1, ")") => None,
                "/" => known(Op::Divide, 9),
                "+" => known(Op::Add, SIGN),
                "-" => known(Op::Subtract, SIGN),
                "//" => known(Op::Concatenate, 7),
                "==" => known(Op::Equal, 6),
                "/=" => known(Op::NotEqual, 6),
                "<" => known(Op::Less, 6),
                "<=" => known(Op::LessEqual, 6),
                ">" => known(Op::Greater, 6),
                ">=" => known(Op::GreaterEqual, 6),
                _ => None,
            },
            TokenKind::Dotted(name) => match &**name {
                "eq" => known(Op::Equal, 6),
                "ne" => known(Op::NotEqual, 6),
                "lt" => known(Op::Less, 6),
                "le" => known(Op::LessEqual, 6),
                "gt" => known(Op::Greater, 6),
                "ge" => known(Op::GreaterEqual, 6),
                "and" => known(Op::And, 4),
                "or" => known(Op::Or, 3),
                "eqv" => known(Op::Equivalent, 2),
                "neqv" => known(Op::NotEquivalent, 2),
                "not" => None,
                name if is_literal(name) => None,
                _ => Some((Infix::Defined, 1)),
            },
            _ => None,
        }
    }

    /// A constant: no operator follows it.
    pub(super) fn constant(&mut self) -> Parsed<Expr> {
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let kind = match self.peek() {
            Some(TokenKind::Integer(value)) => {
                self.advance();
                ExprKind::Integer(*value, self.kind_suffix())
            }
            Some(TokenKind::Bits(value)) => {
                self.advance();
                ExprKind::Integer(*value, None)
            }
            Some(TokenKind::Real(value, is_double)) => {
                self.advance();
                ExprKind::Real(*value, *is_double, self.kind_suffix())
            }
            Some(TokenKind::Text(bytes)) => {
                self.advance();
                ExprKind::Text(bytes.clone())
            }
            Some(TokenKind::Dotted(name)) if is_literal(name) => {
                self.advance();
                let value = name.starts_with('t');
                self.kind_suffix();
                ExprKind::Logical(value)
            }
            Some(TokenKind::Mark("(")) if self.is_mark_after(1, "/") => {
                self.advance();
                self.advance();
                return self.constructor(start, &["/", ")"]);
            }
            Some(TokenKind::Mark("[")) => {
                self.advance();
                return self.constructor(start, &["]"]);
            }
            Some(TokenKind::Mark("(")) => return self.parenthesised(start),
            Some(TokenKind::Name(_)) => return self.designator(),
            _ => return self.fail(),
        };
        let at = self.since(start);
        let expr = Expr { at, kind };
        match expr.kind {
            ExprKind::Text(_) if self.is_mark("(") => self.suffixes(expr),
            _ => Ok(expr),
        }
    }

    /// `_8` or `_dp` behind a literal.
    fn kind_suffix(&mut self) -> Option<Key> {
        let name = self.word().filter(|_| self.is_adjacent())?;
        let kind = name.strip_prefix('_')?;
        self.advance();
        Some(Arc::from(kind))
    }

    fn parenthesised(&mut self, start: At) -> Parsed<Expr> {
        self.advance();
        let first = self.expr()?;
        if self.eat(",") {
            let list = self.list(Self::expr)?;
            if let (Some(loop_at), true) = (implied(&list), self.is_mark("=")) {
                return self.implied_do(start, first, list, loop_at);
            }
            self.expect(")")?;
            let [second] = <[Expr; 1]>::try_from(list).or_else(|_| self.fail())?;
            return Ok(Expr {
                at: self.since(start),
                kind: ExprKind::Complex(Box::new(first), Box::new(second)),
            });
        }
        self.expect(")")?;
        // Parentheses count as part of the place, and for nothing else.
        Ok(Expr {
            at: self.since(start),
            kind: first.kind,
        })
    }

    /// `(items, i = first, last, step)`, read up to the `=`.
    fn implied_do(
        &mut self,
        start: At,
        first_item: Expr,
        mut list: Vec<Expr>,
        variable: Key,
    ) -> Parsed<Expr> {
        list.pop();
        let mut items = vec![first_item];
        items.append(&mut list);
        self.expect("=")?;
        let first = self.expr()?;
        self.expect(",")?;
        let last = self.expr()?;
        let step = match self.eat(",") {
            true => Some(self.expr()?),
            false => None,
        };
        self.expect(")")?;
        Ok(Expr {
            at: self.since(start),
            kind: ExprKind::ImpliedDo(Box::new(ImpliedDo {
                items,
                variable,
                first,
                last,
                step,
            })),
        })
    }

    fn constructor(&mut self, start: At, close: &[&str]) -> Parsed<Expr> {
        let before = self.position();
        // `[REAL :: a, b]`
        if self.type_spec().is_err() || !self.eat("::") {
            self.back_to(before);
        }
        let items = match self.is_mark(close[0]) {
            true => Vec::new(),
            false => self.list(Self::expr)?,
        };
        for mark in close {
            self.expect(mark)?;
        }
        Ok(Expr {
            at: self.since(start),
            kind: ExprKind::Constructor(items),
        })
    }

    /// A name with what selects parts of it.
    pub(super) fn designator(&mut self) -> Parsed<Expr> {
        let name = self.ident()?;
        self.suffixes(Expr {
            at: name.at,
            kind: ExprKind::Name(name.key),
        })
    }

    fn suffixes(&mut self, mut base: Expr) -> Parsed<Expr> {
        loop {
            let start = base.at;
            let kind = if self.is_mark("(") {
                let arguments = self.arguments()?;
                ExprKind::Apply(Box::new(base), arguments)
            } else if self.eat("%") {
                let member = self.ident()?;
                ExprKind::Member(Box::new(base), member.key)
            } else {
                return Ok(base);
            };
            base = Expr {
                at: self.since(start),
                kind,
            };
        }
    }

    /// `(a, b, name = c, 1:n)`
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        self.expect("(")?;
        if self.eat(")") {
            return Ok(Vec::new());
        }
        let mut list = self.list(Self::argument)?;
        self.expect(")")?;
        // Most have one or two, and files have many.
        list.shrink_to_fit();
        Ok(list)
    }

    fn argument(&mut self) -> Parsed<Argument> {
        let keyword = match self.word() {
            Some(name) if self.is_mark_after(1, "=") => {
                self.advance();
                self.advance();
                Some(name.clone())
            }
            _ => None,
        };
        let value = self.argument_value()?;
        Ok(Argument { keyword, value })
    }

    fn argument_value(&mut self) -> Parsed<ArgumentValue> {
        let start = self.here();
        if self.is_mark("*") || self.is_mark("&") {
            self.advance();
            return Ok(match self.peek() {
                Some(TokenKind::Integer(_)) => {
                    self.advance();
                    ArgumentValue::Label
                }
                _ => ArgumentValue::Star,
            });
        }
        let first = match self.is_mark(":") || self.is_mark("::") {
            true => None,
            false => Some(self.expr()?),
        };
        let (last, step) = if self.eat("::") {
            (None, Some(self.expr()?))
        } else if self.eat(":") {
            let last = match self.is_mark(",") || self.is_mark(")") || self.is_mark(":") {
                true => None,
                false => Some(self.expr()?),
            };
            let step = match self.eat(":") {
                true => Some(self.expr()?),
                false => None,
            };
            (last, step)
        } else {
            return match first {
                Some(expr) => Ok(ArgumentValue::Expr(expr)),
                None => self.fail(),
            };
        };
        Ok(ArgumentValue::Section(Box::new(Section {
            at: self.since(start),
            first,
            last,
            step,
        })))
    }
}

fn is_literal(name: &str) -> bool {
    matches!(name, "true" | "false")
}

/// The variable of an implied loop, where a list ends in one.
fn implied(list: &[Expr]) -> Option<Key> {
    list.last().and_then(|last| last.as_name().cloned())
}
