//! Integer arithmetic as C does it, in expressions that do not wrap.
//!
//! Signed overflow is undefined in C, so signed results never wrap. Unsigned 64-bit sums,
//! differences and products need no wrap either: an expression holds them modulo 2^64, and what is
//! sensitive to the sign (comparison, division, shifts to the right, conversion to something wider)
//! is told apart where the value may have its top bit set. Narrower unsigned results wrap, except
//! where they cannot leave their range, and except sums and products of iterators, sizes and small
//! constants: those count elements or iterations, of which an array or loop indexed in 32 bits has
//! fewer than 2^32, or the program itself is wrong.

use super::Lowering;
use super::types::{self, INT};
use super::value::Value;
use crate::syntax::{Binary, Unary};
use premiss_tree::{BinaryOperator as Op, Expression, IntegerType, UnaryOperator};

/// The greatest constant that counts as small: a stride or an offset, not a hash's multiplier.
const SMALL: i64 = 1 << 16;

/// `x - y`.
pub(super) fn minus(x: Expression, y: Expression) -> Expression {
    if x == y && x != Expression::Data {
        return 0.into();
    }
    match (&x, y.as_integer().and_then(i64::checked_neg)) {
        (_, Some(negative)) => plus(x, negative.into()),
        _ => Expression::binary(Op::Subtract, x, y),
    }
}

/// `x + y`, constants gathered at the right end.
pub(super) fn plus(x: Expression, y: Expression) -> Expression {
    if x.as_integer().is_some() && y.as_integer().is_none() {
        return plus(y, x);
    }
    if let (Expression::Binary(operator @ (Op::Add | Op::Subtract), a, b), Some(c)) =
        (&x, y.as_integer())
        && let Some(b) = b.as_integer()
    {
        let sum = match operator {
            Op::Add => b.checked_add(c),
            _ => c.checked_sub(b),
        };
        if let Some(sum) = sum {
            return plus((**a).clone(), sum.into());
        }
    }
    match y.as_integer() {
        Some(c) if c < 0 && x.as_integer().is_none() => match c.checked_neg() {
            Some(positive) => Expression::binary(Op::Subtract, x, positive.into()),
            None => Expression::binary(Op::Add, x, y),
        },
        _ => Expression::binary(Op::Add, x, y),
    }
}

/// `x * y`, a constant factor first; it is multiplied into sums and other constant factors.
pub(super) fn times(x: Expression, y: Expression) -> Expression {
    if y.as_integer().is_some() && x.as_integer().is_none() {
        return times(y, x);
    }
    let (Some(c), Expression::Binary(operator, a, b)) = (x.as_integer(), &y) else {
        return Expression::binary(Op::Multiply, x, y);
    };
    match (operator, a.as_integer(), b.as_integer()) {
        (Op::Multiply, Some(a), _) => {
            if let Some(product) = c.checked_mul(a) {
                return times(product.into(), (**b).clone());
            }
        }
        (Op::Add | Op::Subtract, _, Some(b)) => {
            let signed = if *operator == Op::Add {
                Some(b)
            } else {
                b.checked_neg()
            };
            if let Some(product) = signed.and_then(|b| c.checked_mul(b)) {
                return plus(times(c.into(), (**a).clone()), product.into());
            }
        }
        _ => {}
    }
    Expression::binary(Op::Multiply, x, y)
}

impl Lowering<'_> {
    /// A number that the expression is never less than, where one can be told. Values of unsigned
    /// sizes and variables count as at least 0: sizes of 2^63 and more do not occur.
    pub(super) fn least(&self, expression: &Expression) -> Option<i64> {
        match expression {
            Expression::Integer(value) => Some(*value),
            Expression::Parameter(id) => {
                let row = &self.parameters[id.as_u32() as usize];
                (!row.kind.signed).then_some(0)
            }
            Expression::Variable(id) => match self.open.get(id) {
                Some(least) => *least,
                None => {
                    let kind = self.variable(*id).kind;
                    (!kind.signed && kind.bits < 64).then_some(0)
                }
            },
            Expression::Data => None,
            Expression::Unary(UnaryOperator::Not, _) => Some(0),
            Expression::Unary(..) => None,
            Expression::Select(operands) => {
                Some(self.least(&operands[1])?.min(self.least(&operands[2])?))
            }
            Expression::Wrap(kind, _) => (!kind.signed && kind.bits < 64).then_some(0),
            Expression::Entry(id, _) => self.least_entry(*id),
            Expression::Binary(operator, a, b) => self.least_of_binary(*operator, a, b),
        }
    }

    fn least_of_binary(&self, operator: Op, a: &Expression, b: &Expression) -> Option<i64> {
        let non_negative = |x: &Expression| self.least(x).filter(|least| 0 <= *least);
        match operator {
            Op::Add => self.least(a)?.checked_add(self.least(b)?),
            Op::Multiply => non_negative(a)?.checked_mul(non_negative(b)?),
            Op::Subtract => self.least(a)?.checked_sub(b.as_integer()?),
            Op::Quotient | Op::Remainder | Op::ShiftRight => {
                non_negative(a)?;
                non_negative(b).map(|_| 0)
            }
            Op::Minimum => Some(self.least(a)?.min(self.least(b)?)),
            Op::Maximum => Some(self.least(a)?.max(self.least(b)?)),
            Op::BitAnd => non_negative(a).or_else(|| non_negative(b)).map(|_| 0),
            Op::BitOr | Op::BitXor | Op::ShiftLeft => {
                non_negative(a)?;
                non_negative(b).map(|_| 0)
            }
            _ => Some(0),
        }
    }

    /// Whether the value is surely not negative.
    pub(super) fn is_natural(&self, expression: &Expression) -> bool {
        self.least(expression).is_some_and(|least| 0 <= least)
    }

    /// Whether it is made of iterators, sizes and small constants by sums and products.
    fn counts(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Integer(value) => (0..=SMALL).contains(value),
            Expression::Parameter(_) => true,
            Expression::Variable(id) => self.open.contains_key(id) || self.variable(*id).is_fixed,
            Expression::Binary(Op::Add | Op::Multiply, a, b) => self.counts(a) && self.counts(b),
            Expression::Binary(Op::Subtract, a, b) => {
                self.counts(a) && b.as_integer().is_some() && self.is_natural(expression)
            }
            Expression::Binary(Op::Minimum | Op::Maximum | Op::Quotient, a, b) => {
                self.counts(a) && self.counts(b)
            }
            _ => false,
        }
    }

    /// A result of arithmetic in a type, reduced to its range where it may leave it.
    fn reduced(&self, value: Expression, kind: IntegerType) -> Expression {
        if kind.signed || kind.bits == 64 || (self.counts(&value) && self.is_natural(&value)) {
            return value;
        }
        Expression::wrap(kind, value)
    }

    /// Converts a value from one integer type to another.
    pub(super) fn convert_integer(
        &self,
        value: Expression,
        from: IntegerType,
        to: IntegerType,
    ) -> Expression {
        let widens = if from.signed == to.signed {
            from.bits <= to.bits
        } else if to.signed {
            from.bits < to.bits || to.bits == 64
        } else {
            // To unsigned: 64 bits hold a negative number as its residue; otherwise it must be none.
            to.bits == 64 || (from.bits <= to.bits && self.is_natural(&value))
        };
        if widens || self.is_truth(&value) {
            return value;
        }
        Expression::wrap(to, value)
    }

    /// Whether the value is 0 or 1 by its form.
    pub(super) fn is_truth(&self, value: &Expression) -> bool {
        match value {
            Expression::Integer(value) => (0..=1).contains(value),
            Expression::Unary(operator, _) => *operator == UnaryOperator::Not,
            Expression::Binary(operator, ..) => matches!(
                operator,
                Op::Less
                    | Op::LessEqual
                    | Op::LessUnsigned
                    | Op::LessEqualUnsigned
                    | Op::Equal
                    | Op::NotEqual
                    | Op::And
                    | Op::Or
            ),
            _ => false,
        }
    }

    pub(super) fn unary_integer(&self, operator: Unary, x: Expression, kind: IntegerType) -> Value {
        let result = types::promoted(kind);
        let value = match operator {
            Unary::Plus => x,
            Unary::Negate => {
                let negated = match &x {
                    Expression::Unary(UnaryOperator::Negate, inner) => (**inner).clone(),
                    _ => Expression::unary(UnaryOperator::Negate, x),
                };
                self.reduced(negated, result)
            }
            Unary::BitNot => self.reduced(Expression::unary(UnaryOperator::BitNot, x), result),
            Unary::Not => return Value::Integer(negation(x), INT),
        };
        Value::Integer(value, result)
    }

    pub(super) fn binary_integer(
        &self,
        operator: Binary,
        (a, a_kind): (Expression, IntegerType),
        (b, b_kind): (Expression, IntegerType),
    ) -> Value {
        if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) {
            return self.shift(operator, a, b, types::promoted(a_kind));
        }
        let kind = types::common(a_kind, b_kind);
        let a = self.convert_integer(a, a_kind, kind);
        let b = self.convert_integer(b, b_kind, kind);
        if operator.is_comparison() {
            return Value::Integer(self.compare(operator, a, b, kind), INT);
        }
        let value = match operator {
            Binary::Add => self.reduced(plus(a, b), kind),
            Binary::Subtract => self.reduced(minus(a, b), kind),
            Binary::Multiply => self.reduced(times(a, b), kind),
            Binary::Divide => self.divide(Op::Quotient, &a, &b, kind),
            Binary::Remainder => self.divide(Op::Remainder, &a, &b, kind),
            Binary::Minimum | Binary::Maximum if !kind.signed && kind.bits == 64 => {
                Expression::Data
            }
            Binary::Minimum => Expression::binary(Op::Minimum, a, b),
            Binary::Maximum => Expression::binary(Op::Maximum, a, b),
            Binary::BitAnd => Expression::binary(Op::BitAnd, a, b),
            Binary::BitOr => Expression::binary(Op::BitOr, a, b),
            _ => Expression::binary(Op::BitXor, a, b),
        };
        Value::Integer(value, kind)
    }

    fn shift(&self, operator: Binary, a: Expression, b: Expression, kind: IntegerType) -> Value {
        let value = match operator {
            Binary::ShiftLeft if kind.bits == 64 && !kind.signed && a.as_integer().is_none() => {
                // The bits that are shifted out of 64 are lost: as a product that is modulo 2^64.
                match b.as_integer() {
                    Some(bits @ 0..62) => times((1_i64 << bits).into(), a),
                    _ => Expression::Data,
                }
            }
            Binary::ShiftLeft => {
                let shifted = Expression::binary(Op::ShiftLeft, a, b);
                if kind.signed || kind.bits == 64 {
                    shifted
                } else {
                    Expression::wrap(kind, shifted)
                }
            }
            _ => self.unless_huge(Expression::binary(Op::ShiftRight, a.clone(), b), &a, kind),
        };
        Value::Integer(value, kind)
    }

    fn divide(
        &self,
        operator: Op,
        a: &Expression,
        b: &Expression,
        kind: IntegerType,
    ) -> Expression {
        let value = match (operator, b.as_integer()) {
            (Op::Quotient, Some(1)) => a.clone(),
            _ => Expression::binary(operator, a.clone(), b.clone()),
        };
        let value = self.unless_huge(value, a, kind);
        self.unless_huge(value, b, kind)
    }

    /// The value where `operand` is less than 2^63, as a number of its type.
    fn unless_huge(
        &self,
        value: Expression,
        operand: &Expression,
        kind: IntegerType,
    ) -> Expression {
        if kind.signed || kind.bits < 64 || self.is_natural(operand) || value == Expression::Data {
            return value;
        }
        let is_small = Expression::binary(Op::LessEqual, 0.into(), operand.clone());
        Expression::select(is_small, value, Expression::Data)
    }

    /// Compares two numbers of one type.
    fn compare(
        &self,
        operator: Binary,
        a: Expression,
        b: Expression,
        kind: IntegerType,
    ) -> Expression {
        let is_signed =
            kind.signed || kind.bits < 64 || (self.is_natural(&a) && self.is_natural(&b));
        let (less, less_equal) = if is_signed {
            (Op::Less, Op::LessEqual)
        } else {
            (Op::LessUnsigned, Op::LessEqualUnsigned)
        };
        match operator {
            Binary::Less => Expression::binary(less, a, b),
            Binary::LessEqual => Expression::binary(less_equal, a, b),
            Binary::Greater => Expression::binary(less, b, a),
            Binary::GreaterEqual => Expression::binary(less_equal, b, a),
            Binary::Equal => Expression::binary(Op::Equal, a, b),
            _ => Expression::binary(Op::NotEqual, a, b),
        }
    }
}

/// `!x`.
pub(super) fn negation(x: Expression) -> Expression {
    match x {
        Expression::Binary(Op::Less, a, b) => Expression::Binary(Op::LessEqual, b, a),
        Expression::Binary(Op::LessEqual, a, b) => Expression::Binary(Op::Less, b, a),
        Expression::Binary(Op::Equal, a, b) => Expression::Binary(Op::NotEqual, a, b),
        Expression::Binary(Op::NotEqual, a, b) => Expression::Binary(Op::Equal, a, b),
        other => Expression::unary(UnaryOperator::Not, other),
    }
}

/// `condition ? a : b`, as a minimum or maximum where it is one.
pub(super) fn choose(condition: Expression, a: Expression, b: Expression) -> Expression {
    if let Expression::Binary(Op::Less | Op::LessEqual, left, right) = &condition {
        if **left == a && **right == b {
            return Expression::binary(Op::Minimum, a, b);
        }
        if **left == b && **right == a {
            return Expression::binary(Op::Maximum, a, b);
        }
    }
    if condition == Expression::Data && a != b {
        return Expression::Data;
    }
    Expression::select(condition, a, b)
}
