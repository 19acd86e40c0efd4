//! Integer expressions over parameters and variables.

use crate::{ParameterId, TableId, VariableId};

/// An integer-valued function of parameters and of the current values of variables.
///
/// Values are mathematical integers that fit 64 bits. A result outside this range is an overflow, which the engines
/// report; it never wraps. Where the source's type wraps (unsigned arithmetic, a cast to a narrower type), the tree
/// has an explicit [`Expression::Wrap`]. An unsigned 64-bit value of 2^63 or more is represented by the negative
/// number with the same bits.
///
/// An operation on an unknown operand is unknown, except where the other operand alone determines the result: `0 &&
/// x`, `1 || x`, `0 * x`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// A constant.
    Integer(i64),
    /// A size, extremum or predicate.
    Parameter(ParameterId),
    /// The current value of a variable.
    Variable(VariableId),
    /// A value that depends on the program's data: unknown statically.
    Data,
    /// An operation on one operand.
    Unary(UnaryOperator, Box<Expression>),
    /// An operation on two operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// The second operand where the first is not zero, else the third.
    Select(Box<[Expression; 3]>),
    /// The operand reduced modulo 2^bits to the range of a type.
    Wrap(IntegerType, Box<Expression>),
    /// The entry of a table at an index counted from 0; unknown where the table has no such entry.
    Entry(TableId, Box<Expression>),
}

/// An operation on one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOperator {
    /// `-x`
    Negate,
    /// `~x`
    BitNot,
    /// 1 where `x` is zero, else 0.
    Not,
    /// `x` as an unsigned 64-bit number, for arithmetic that takes it as a mathematical integer; unknown where `x` is
    /// negative, as the number is 2^63 or more then, which no expression can have as its value.
    Unsigned,
}

/// An operation on two operands. Comparisons and logical operations yield 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinaryOperator {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// The quotient rounded towards zero; unknown where `b` is zero.
    Quotient,
    /// The remainder with the sign of `a`; unknown where `b` is zero.
    Remainder,
    /// The lesser operand.
    Minimum,
    /// The greater operand.
    Maximum,
    /// `a & b` on two's complement.
    BitAnd,
    /// `a | b` on two's complement.
    BitOr,
    /// `a ^ b` on two's complement.
    BitXor,
    /// `a * 2^b`; unknown where `b` is negative or 64 and more.
    ShiftLeft,
    /// `floor(a / 2^b)`; unknown where `b` is negative or 64 and more.
    ShiftRight,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a < b`, both taken as unsigned 64-bit numbers.
    LessUnsigned,
    /// `a <= b`, both taken as unsigned 64-bit numbers.
    LessEqualUnsigned,
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// 1 where neither operand is zero, else 0; both are evaluated.
    And,
    /// 1 where some operand is not zero, else 0; both are evaluated.
    Or,
}

/// A signed (two's complement) or unsigned integer type of 1 to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntegerType {
    /// Its width in bits.
    pub bits: u8,
    /// Whether it is signed.
    pub signed: bool,
}

impl IntegerType {
    /// The number of this type that is congruent to `value` modulo 2^bits; unsigned 64-bit numbers are represented by
    /// the signed ones with the same bits. A width outside 1 to 64 is clamped.
    #[must_use]
    pub fn wrap(self, value: i64) -> i64 {
        let unused = 64 - u32::from(self.bits.clamp(1, 64));
        let shifted = value << unused;
        if self.signed || unused == 0 {
            shifted >> unused
        } else {
            ((shifted.cast_unsigned()) >> unused).cast_signed()
        }
    }
}

impl From<i64> for Expression {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl Expression {
    /// The value of an integer constant; `None` for any other expression.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// Applies an operator, folding constants; the result is [`Expression::Data`] if the operand is.
    #[must_use]
    pub fn unary(operator: UnaryOperator, operand: Self) -> Self {
        if operand == Self::Data {
            return Self::Data;
        }
        let folded = operand.as_integer().and_then(|x| operator.apply(x));
        folded.map_or_else(|| Self::Unary(operator, Box::new(operand)), Self::Integer)
    }

    /// Applies an operator, folding constants, neutral elements (`x + 0`, `x * 1`) and absorbing ones (`x * 0`).
    #[must_use]
    pub fn binary(operator: BinaryOperator, left: Self, right: Self) -> Self {
        use BinaryOperator::{Add, And, Multiply, Or, Subtract};
        match (operator, &left, &right) {
            (_, Self::Integer(a), Self::Integer(b)) => {
                if let Some(value) = operator.apply(*a, *b) {
                    return Self::Integer(value);
                }
            }
            (Add, _, Self::Integer(0)) | (Subtract, _, Self::Integer(0)) => return left,
            (Add, Self::Integer(0), _) => return right,
            (Multiply, _, Self::Integer(1)) => return left,
            (Multiply, Self::Integer(1), _) => return right,
            (Multiply | And, _, Self::Integer(0)) | (Multiply | And, Self::Integer(0), _) => {
                return Self::Integer(0);
            }
            (Or, Self::Integer(x), _) | (Or, _, Self::Integer(x)) if *x != 0 => {
                return Self::Integer(1);
            }
            (And | Or, _, _) => {}
            (_, Self::Data, _) | (_, _, Self::Data) => return Self::Data,
            _ => {}
        }
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `condition ? then : otherwise`, folded where the condition is a constant or both arms are equal.
    #[must_use]
    pub fn select(condition: Self, then: Self, otherwise: Self) -> Self {
        match condition {
            Self::Integer(0) => otherwise,
            Self::Integer(_) => then,
            _ if then == otherwise => then,
            _ => Self::Select(Box::new([condition, then, otherwise])),
        }
    }

    /// Reduces an expression to the range of a type, folding constants.
    #[must_use]
    pub fn wrap(kind: IntegerType, operand: Self) -> Self {
        match operand {
            Self::Integer(value) => Self::Integer(kind.wrap(value)),
            Self::Data => Self::Data,
            Self::Wrap(inner, x) if inner == kind => Self::Wrap(inner, x),
            operand => Self::Wrap(kind, Box::new(operand)),
        }
    }

    /// The entry of a table at an index; [`Expression::Data`] if the index is.
    #[must_use]
    pub fn entry(table: TableId, index: Self) -> Self {
        match index {
            Self::Data => Self::Data,
            index => Self::Entry(table, Box::new(index)),
        }
    }

    /// Calls `visit` on this expression and on each subexpression, in pre-order.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Integer(_) | Self::Parameter(_) | Self::Variable(_) | Self::Data => {}
            Self::Unary(_, x) | Self::Wrap(_, x) | Self::Entry(_, x) => x.walk(visit),
            Self::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Self::Select(operands) => operands.iter().for_each(|x| x.walk(visit)),
        }
    }

    /// Whether this expression or one of its subexpressions satisfies the predicate.
    #[must_use]
    pub fn any(&self, mut predicate: impl FnMut(&Self) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |expression| found |= predicate(expression));
        found
    }
}

impl UnaryOperator {
    /// The result; `None` if it does not fit 64 bits.
    #[must_use]
    pub fn apply(self, x: i64) -> Option<i64> {
        match self {
            Self::Negate => x.checked_neg(),
            Self::BitNot => Some(!x),
            Self::Not => Some(i64::from(x == 0)),
            Self::Unsigned => (0 <= x).then_some(x),
        }
    }
}

impl BinaryOperator {
    /// The result; `None` if it does not fit 64 bits or is undefined (division by zero, a shift out of range).
    #[must_use]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Quotient => a.checked_div(b),
            Self::Remainder => a.checked_rem(b),
            Self::Minimum => Some(a.min(b)),
            Self::Maximum => Some(a.max(b)),
            Self::BitAnd => Some(a & b),
            Self::BitOr => Some(a | b),
            Self::BitXor => Some(a ^ b),
            Self::ShiftLeft => {
                let shift = u32::try_from(b).ok().filter(|shift| *shift < 63)?;
                a.checked_mul(1 << shift)
            }
            Self::ShiftRight => a.checked_shr(u32::try_from(b).ok()?),
            Self::Less => Some(i64::from(a < b)),
            Self::LessEqual => Some(i64::from(a <= b)),
            Self::LessUnsigned => Some(i64::from(a.cast_unsigned() < b.cast_unsigned())),
            Self::LessEqualUnsigned => Some(i64::from(a.cast_unsigned() <= b.cast_unsigned())),
            Self::Equal => Some(i64::from(a == b)),
            Self::NotEqual => Some(i64::from(a != b)),
            Self::And => Some(i64::from(a != 0 && b != 0)),
            Self::Or => Some(i64::from(a != 0 || b != 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_the_residue() {
        let unsigned = |bits| IntegerType {
            bits,
            signed: false,
        };
        let signed = |bits| IntegerType { bits, signed: true };
        assert_eq!(unsigned(32).wrap(-1), i64::from(u32::MAX));
        assert_eq!(unsigned(64).wrap(-1), -1);
        assert_eq!(signed(8).wrap(200), -56);
        assert_eq!(signed(32).wrap(-5), -5);
        assert_eq!(unsigned(1).wrap(3), 1);
    }

    #[test]
    fn a_negative_number_has_no_value_as_an_unsigned_one() {
        assert_eq!(UnaryOperator::Unsigned.apply(5), Some(5));
        assert_eq!(UnaryOperator::Unsigned.apply(-1), None);
        let open = Expression::unary(UnaryOperator::Unsigned, (-1).into());
        assert!(
            matches!(open, Expression::Unary(..)),
            "it stays an expression"
        );
    }

    #[test]
    fn unknown_operands_lose_to_deciding_ones() {
        let binary = Expression::binary;
        assert_eq!(
            binary(BinaryOperator::And, Expression::Data, 0.into()),
            0.into()
        );
        assert_eq!(
            binary(BinaryOperator::Or, 7.into(), Expression::Data),
            1.into()
        );
        assert_eq!(
            binary(BinaryOperator::Add, 7.into(), Expression::Data),
            Expression::Data
        );
    }

    #[test]
    fn what_does_not_fit_stays_an_expression() {
        let sum = Expression::binary(BinaryOperator::Add, i64::MAX.into(), 1.into());
        assert!(matches!(sum, Expression::Binary(..)));
    }
}
