//! Values of expressions: an integer, or not known.

use super::Failure;
use premiss_tree::{
    BinaryOperator, Expression, IntegerType, ParameterId, PrimaryMap, Table, TableId,
    UnaryOperator, VariableId,
};
use std::collections::BTreeMap;

/// An integer, or `None` where only running the program would tell.
pub(super) type Value = Option<i64>;

/// The values of parameters and variables at one moment. A name that is absent is unknown.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    pub(super) parameters: BTreeMap<ParameterId, i64>,
    pub(super) variables: BTreeMap<VariableId, i64>,
    pub(super) tables: PrimaryMap<TableId, Table>,
}

impl Environment {
    pub(super) fn assign(&mut self, variable: VariableId, value: Value) {
        match value {
            Some(value) => self.variables.insert(variable, value),
            None => self.variables.remove(&variable),
        };
    }

    /// The value of an expression; an error where it does not fit 64 bits.
    pub(super) fn value(&self, expression: &Expression) -> Result<Value, Failure> {
        Ok(match expression {
            Expression::Integer(value) => Some(*value),
            Expression::Parameter(id) => self.parameters.get(id).copied(),
            Expression::Variable(id) => self.variables.get(id).copied(),
            Expression::Data => None,
            Expression::Unary(operator, x) => match self.value(x)? {
                Some(x) => Some(fit(unary(*operator, x.into()))?),
                None => None,
            },
            Expression::Binary(operator, a, b) => {
                binary(*operator, self.value(a)?, self.value(b)?)?
            }
            Expression::Select(operands) => {
                let [condition, then, otherwise] = &**operands;
                match self.value(condition)? {
                    Some(0) => self.value(otherwise)?,
                    Some(_) => self.value(then)?,
                    None => None,
                }
            }
            Expression::Wrap(kind, x) => self.value(x)?.map(|x| wrap(*kind, x)),
            Expression::Entry(id, index) => {
                let entries = &self.tables[*id].entries;
                let index = self.value(index)?.filter(|index| 0 <= *index);
                let index = index.and_then(|index| usize::try_from(index).ok());
                index
                    .filter(|index| *index < entries.len())
                    .map(|index| entries[index])
            }
        })
    }
}

fn unary(operator: UnaryOperator, x: i128) -> i128 {
    match operator {
        UnaryOperator::Negate => -x,
        UnaryOperator::BitNot => -x - 1,
        UnaryOperator::Not => i128::from(x == 0),
        UnaryOperator::Unsigned => x.rem_euclid(1 << 64),
    }
}

/// In three-valued logic: one operand may decide alone.
fn binary(operator: BinaryOperator, a: Value, b: Value) -> Result<Value, Failure> {
    use BinaryOperator::{And, Multiply, Or};
    let either = |decides: fn(i64) -> bool| a.is_some_and(decides) || b.is_some_and(decides);
    match operator {
        Multiply | And if either(|x| x == 0) => return Ok(Some(0)),
        Or if either(|x| x != 0) => return Ok(Some(1)),
        _ => {}
    }
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(None);
    };
    fold(operator, a.into(), b.into()).map(fit).transpose()
}

/// `None` where the operation is not defined for these operands.
fn fold(operator: BinaryOperator, a: i128, b: i128) -> Option<i128> {
    let unsigned = |x: i128| x.rem_euclid(1 << 64);
    let shift = u32::try_from(b).ok().filter(|shift| *shift < 64);
    Some(match operator {
        BinaryOperator::Add => a + b,
        BinaryOperator::Subtract => a - b,
        BinaryOperator::Multiply => a * b,
        BinaryOperator::Quotient => a.checked_div(b)?,
        BinaryOperator::Remainder => a.checked_rem(b)?,
        BinaryOperator::Minimum => a.min(b),
        BinaryOperator::Maximum => a.max(b),
        BinaryOperator::BitAnd => a & b,
        BinaryOperator::BitOr => a | b,
        BinaryOperator::BitXor => a ^ b,
        BinaryOperator::ShiftLeft => a * (1 << shift?),
        BinaryOperator::ShiftRight => a.div_euclid(1 << shift?),
        BinaryOperator::Less => i128::from(a < b),
        BinaryOperator::LessEqual => i128::from(a <= b),
        BinaryOperator::LessUnsigned => i128::from(unsigned(a) < unsigned(b)),
        BinaryOperator::LessEqualUnsigned => i128::from(unsigned(a) <= unsigned(b)),
        BinaryOperator::Equal => i128::from(a == b),
        BinaryOperator::NotEqual => i128::from(a != b),
        BinaryOperator::And => i128::from(a != 0 && b != 0),
        BinaryOperator::Or => i128::from(a != 0 || b != 0),
    })
}

fn fit(value: i128) -> Result<i64, Failure> {
    i64::try_from(value).map_err(|_| Failure::Overflow)
}

fn wrap(kind: IntegerType, x: i64) -> i64 {
    let modulus = 1_i128 << kind.bits;
    let residue = i128::from(x).rem_euclid(modulus);
    let negative = kind.signed || kind.bits == 64;
    let value = if negative && modulus / 2 <= residue {
        residue - modulus
    } else {
        residue
    };
    i64::try_from(value).expect("a residue modulo 2^64 fits as a signed number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_agrees_with_the_tree() {
        for bits in [1, 7, 8, 16, 31, 32, 63, 64] {
            for signed in [false, true] {
                let kind = IntegerType { bits, signed };
                for x in [0, 1, -1, 127, 128, -129, 1 << 31, i64::MIN, i64::MAX] {
                    assert_eq!(wrap(kind, x), kind.wrap(x), "{x} as {kind:?}");
                }
            }
        }
    }

    #[test]
    fn one_operand_can_decide() {
        assert_eq!(binary(BinaryOperator::And, None, Some(0)), Ok(Some(0)));
        assert_eq!(binary(BinaryOperator::Or, Some(2), None), Ok(Some(1)));
        assert_eq!(binary(BinaryOperator::Quotient, Some(2), Some(0)), Ok(None));
        assert!(binary(BinaryOperator::Add, Some(i64::MAX), Some(1)).is_err());
    }
}
