//! Scalar expressions.

use super::Translator;
use super::make::{binary, cast, computed, integer};
use super::mathematics::power;
use crate::names::{Entity, Type};
use crate::syntax::{Argument, BinaryOperator as Op, Expr, ExprKind, UnaryOperator};
use premiss_imperative::syntax::{At, Binary, Expression, ExpressionKind as Kind, Real, Unary};
use premiss_tree::IntegerType;

/// The greatest exponent that is written as a product.
const MAX_EXPONENT: i64 = 8;

impl Translator<'_> {
    /// The value of a scalar expression.
    pub(super) fn expr(&mut self, expr: &Expr) -> Expression {
        let at = expr.at;
        match &expr.kind {
            ExprKind::Integer(value, _) => {
                let bits = match self.kind_of(expr) {
                    Type::Integer(bytes) => bytes * 8,
                    _ => 32,
                };
                Expression::new(
                    at,
                    Kind::Integer(*value, IntegerType { bits, signed: true }),
                )
            }
            ExprKind::Real(value, ..) => match self.kind_of(expr) {
                Type::Real(bytes) => {
                    Expression::new(at, Kind::Floating(Real(*value), bytes.into()))
                }
                _ => Expression::new(at, Kind::Floating(Real(*value), 8)),
            },
            ExprKind::Text(bytes) => match bytes[..] {
                [byte] => character(at, byte),
                _ => computed(at, Type::Character(None).name(), Vec::new()),
            },
            ExprKind::Logical(truth) => truth_value(at, *truth),
            ExprKind::Name(_) | ExprKind::Member(..) => self.load(expr),
            ExprKind::Apply(base, arguments) => self.applied(expr, base, arguments),
            ExprKind::Unary(operator, x) => {
                let operand = self.expr(x);
                let operator = match operator {
                    UnaryOperator::Plus => return operand,
                    UnaryOperator::Minus => Unary::Negate,
                    UnaryOperator::Not => Unary::Not,
                };
                if let (Unary::Negate, Kind::Integer(value, kind)) = (operator, &operand.kind) {
                    return Expression::new(at, Kind::Integer(value.wrapping_neg(), *kind));
                }
                Expression::new(at, Kind::Unary(operator, Box::new(operand)))
            }
            ExprKind::Binary(op, a, b) => self.operation(*op, a, b, at),
            // A complex number without an imaginary part is the real one.
            ExprKind::Complex(a, b) if is_zero(b) => {
                let value = self.expr(a);
                cast(at, self.kind_of(expr).name(), value)
            }
            ExprKind::Complex(a, b) => {
                let operands = vec![self.expr(a), self.expr(b)];
                computed(at, self.kind_of(expr).name(), operands)
            }
            ExprKind::Constructor(items) | ExprKind::Defined(items) => {
                let operands = items.iter().map(|x| self.expr(x)).collect();
                computed(at, self.kind_of(expr).name(), operands)
            }
            ExprKind::ImpliedDo(_) => computed(at, self.kind_of(expr).name(), Vec::new()),
        }
    }

    /// The value of a variable, element or component.
    fn load(&mut self, expr: &Expr) -> Expression {
        let kind = self.kind_of(expr);
        if let Some(name) = expr.as_name()
            && let Some(Entity::Constant { kind, value, .. }) =
                self.symbol(name).map(|symbol| symbol.entity)
            && !kind.is_integer()
            && self.bound_argument(name).is_none()
        {
            let value = self.expr(&value);
            return match kind {
                Type::Real(_) | Type::Complex(_) => cast(expr.at, kind.name(), value),
                _ => value,
            };
        }
        let is_text = matches!(kind, Type::Character(length) if length != Some(1));
        if is_text || 0 < self.rank_of(expr) {
            return computed(expr.at, kind.name(), Vec::new());
        }
        match self.place(expr) {
            Some(place) => place,
            None => computed(expr.at, kind.name(), Vec::new()),
        }
    }

    fn applied(&mut self, expr: &Expr, base: &Expr, arguments: &[Argument]) -> Expression {
        if let Some(key) = base.as_name()
            && self.associated(key).is_none()
            && !self.is_data(base)
            && !matches!(
                self.scope.lookup(key).map(|symbol| &symbol.entity),
                Some(Entity::Variable(variable)) if matches!(variable.kind, Type::Character(_))
            )
        {
            return self.function_reference(expr, key, arguments);
        }
        if let (ExprKind::Member(object, key), false) = (&base.kind, self.is_data(base))
            && !matches!(self.kind_of(base), Type::Character(_))
        {
            return self.bound_function(expr, object, key, arguments);
        }
        self.load(expr)
    }

    fn operation(&mut self, op: Op, a: &Expr, b: &Expr, at: At) -> Expression {
        let (a_kind, b_kind) = (self.kind_of(a), self.kind_of(b));
        let is_text = |kind: &Type| matches!(kind, Type::Character(_));
        if is_text(&a_kind) || is_text(&b_kind) {
            return self.of_texts(op, a, b, at);
        }
        if op == Op::Power {
            return self.power(a, b, at);
        }
        let (left, right) = (self.expr(a), self.expr(b));
        let op = match op {
            Op::Multiply => Binary::Multiply,
            Op::Divide => Binary::Divide,
            Op::Add => Binary::Add,
            Op::Subtract => Binary::Subtract,
            Op::Equal | Op::Equivalent => Binary::Equal,
            Op::NotEqual | Op::NotEquivalent => Binary::NotEqual,
            Op::Less => Binary::Less,
            Op::LessEqual => Binary::LessEqual,
            Op::Greater => Binary::Greater,
            Op::GreaterEqual => Binary::GreaterEqual,
            Op::And => return Expression::new(at, Kind::And(Box::new(left), Box::new(right))),
            Op::Or => return Expression::new(at, Kind::Or(Box::new(left), Box::new(right))),
            Op::Power | Op::Concatenate => {
                return computed(at, a_kind.name(), vec![left, right]);
            }
        };
        let both_integers = a_kind.is_integer() && b_kind.is_integer();
        match op {
            Binary::Add | Binary::Subtract | Binary::Multiply if both_integers => {
                binary(at, op, left, right)
            }
            _ => Expression::new(at, Kind::Binary(op, Box::new(left), Box::new(right))),
        }
    }

    /// Comparison and concatenation: single characters have values, longer texts none.
    fn of_texts(&mut self, op: Op, a: &Expr, b: &Expr, at: At) -> Expression {
        let is_single = |kind: Type| kind == Type::Character(Some(1));
        let are_single = is_single(self.kind_of(a)) && is_single(self.kind_of(b));
        let binary = match op {
            Op::Equal => Some(Binary::Equal),
            Op::NotEqual => Some(Binary::NotEqual),
            _ => None,
        };
        match binary {
            Some(op) if are_single => {
                let (left, right) = (self.expr(a), self.expr(b));
                Expression::new(at, Kind::Binary(op, Box::new(left), Box::new(right)))
            }
            _ if op == Op::Concatenate => computed(at, Type::Character(None).name(), Vec::new()),
            _ => computed(at, crate::names::types::LOGICAL.name(), Vec::new()),
        }
    }

    fn power(&mut self, a: &Expr, b: &Expr, at: At) -> Expression {
        let kind = self.kind_of(a);
        let exponent = crate::names::constants::integer(b, &self.scope);
        let is_plain = matches!(a.kind, ExprKind::Name(_) | ExprKind::Integer(..));
        match (kind.is_integer(), exponent) {
            (true, Some(exponent @ 1..=MAX_EXPONENT)) if is_plain => {
                let mut product = self.expr(a);
                for _ in 1..exponent {
                    let factor = self.expr(a);
                    product = binary(at, Binary::Multiply, product, factor);
                }
                product
            }
            (true, None) if matches!(a.kind, ExprKind::Integer(2, _)) => {
                let shift = self.expr(b);
                let one = integer(at, 1);
                let shifted = Kind::Binary(Binary::ShiftLeft, Box::new(one), Box::new(shift));
                cast(at, kind.name(), Expression::new(at, shifted))
            }
            _ => {
                let kind = match self.kind_of(b) {
                    Type::Integer(_) => kind,
                    other => kind.common(&other),
                };
                let operands = vec![self.expr(a), self.expr(b)];
                power(at, kind.name(), operands)
            }
        }
    }

    /// The first character of a text, as a number.
    pub(super) fn first_character(&mut self, expr: &Expr) -> Expression {
        match &expr.kind {
            ExprKind::Text(bytes) => match bytes.first() {
                Some(byte) => character(expr.at, *byte),
                None => character(expr.at, b' '),
            },
            ExprKind::Binary(Op::Concatenate, first, _) => self.first_character(first),
            _ if self.kind_of(expr) == Type::Character(Some(1)) => self.expr(expr),
            _ => computed(expr.at, Type::Character(Some(1)).name(), Vec::new()),
        }
    }
}

/// Whether an expression is the constant 0.
fn is_zero(expr: &Expr) -> bool {
    match expr.kind {
        ExprKind::Real(value, ..) => value == 0.0,
        ExprKind::Integer(value, _) => value == 0,
        _ => false,
    }
}

/// A character as a number.
fn character(at: At, byte: u8) -> Expression {
    let kind = IntegerType {
        bits: 8,
        signed: true,
    };
    Expression::new(at, Kind::Integer(i64::from(byte), kind))
}

pub(super) fn truth_value(at: At, truth: bool) -> Expression {
    let kind = IntegerType {
        bits: 32,
        signed: true,
    };
    Expression::new(at, Kind::Integer(i64::from(truth), kind))
}

/// The operator that computes a number.
pub(super) fn arithmetic(op: Op) -> Option<Binary> {
    match op {
        Op::Multiply => Some(Binary::Multiply),
        Op::Divide => Some(Binary::Divide),
        Op::Add => Some(Binary::Add),
        Op::Subtract => Some(Binary::Subtract),
        _ => None,
    }
}
