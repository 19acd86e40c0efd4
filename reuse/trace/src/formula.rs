//! Integer expressions at given sizes, ready to be evaluated often.
//!
//! With the sizes fixed, nearly every expression is affine in the variables (`8*(i*n + j)` becomes
//! `8n*i + 8*j`); those are kept as [`Affine`], the rest as trees.

use premiss_tree::{
    BinaryOperator, EntityRef, Expression, IntegerType, NestTree, ParameterId, Table,
    UnaryOperator, VariableId,
};
use std::collections::BTreeMap;

/// The values of the variables at one moment; `None` where only running the program determines them.
pub(crate) type Values = Vec<Option<i64>>;

/// `constant + sum of coefficient * variable`, variables rising and coefficients not zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Affine {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(VariableId, i64)>,
}

/// An expression at given sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Formula {
    Affine(Affine),
    Unary(UnaryOperator, Box<Formula>),
    Binary(BinaryOperator, Box<Formula>, Box<Formula>),
    Select(Box<[Formula; 3]>),
    Wrap(IntegerType, Box<Formula>),
    Entry(Table, Box<Formula>),
    Unknown,
}

impl Affine {
    pub(crate) fn constant(constant: i64) -> Self {
        Self {
            constant,
            terms: Vec::new(),
        }
    }

    pub(crate) fn variable(variable: VariableId) -> Self {
        Self {
            constant: 0,
            terms: vec![(variable, 1)],
        }
    }

    /// The coefficient of a variable.
    pub(crate) fn coefficient(&self, variable: VariableId) -> i64 {
        self.terms
            .iter()
            .find(|(other, _)| *other == variable)
            .map_or(0, |(_, coefficient)| *coefficient)
    }

    /// `self + factor * other`; `None` where a coefficient does not fit.
    pub(crate) fn add_scaled(&self, factor: i64, other: &Self) -> Option<Self> {
        let mut terms: BTreeMap<VariableId, i64> = self.terms.iter().copied().collect();
        for (variable, coefficient) in &other.terms {
            let sum = terms.entry(*variable).or_default();
            *sum = sum.checked_add(factor.checked_mul(*coefficient)?)?;
        }
        terms.retain(|_, coefficient| *coefficient != 0);
        Some(Self {
            constant: self
                .constant
                .checked_add(factor.checked_mul(other.constant)?)?,
            terms: terms.into_iter().collect(),
        })
    }

    fn evaluate(&self, values: &Values) -> Option<i64> {
        let mut sum = self.constant;
        for (variable, coefficient) in &self.terms {
            let value = values[variable.index()]?;
            sum = sum.checked_add(coefficient.checked_mul(value)?)?;
        }
        Some(sum)
    }
}

impl Formula {
    /// Fixes the sizes of an expression of a tree; a parameter without a value is unknown.
    pub(crate) fn new(
        expression: &Expression,
        tree: &NestTree,
        sizes: &BTreeMap<ParameterId, i64>,
    ) -> Self {
        let new = |expression: &Expression| Self::new(expression, tree, sizes);
        match expression {
            Expression::Integer(value) => Self::Affine(Affine::constant(*value)),
            Expression::Parameter(id) => sizes
                .get(id)
                .map_or(Self::Unknown, |size| Self::Affine(Affine::constant(*size))),
            Expression::Variable(id) => Self::Affine(Affine::variable(*id)),
            Expression::Data => Self::Unknown,
            Expression::Unary(operator, x) => Self::unary(*operator, new(x)),
            Expression::Binary(operator, a, b) => Self::binary(*operator, new(a), new(b)),
            Expression::Select(operands) => {
                let [condition, then, otherwise] = &**operands;
                match new(condition).as_constant() {
                    Some(0) => new(otherwise),
                    Some(_) => new(then),
                    None => Self::Select(Box::new([condition, then, otherwise].map(new))),
                }
            }
            Expression::Wrap(kind, x) => {
                let operand = new(x);
                match operand.as_constant() {
                    Some(value) => Self::Affine(Affine::constant(kind.wrap(value))),
                    None => Self::Wrap(*kind, Box::new(operand)),
                }
            }
            Expression::Entry(id, index) => {
                let (table, index) = (&tree.tables[*id], new(index));
                match index.as_constant() {
                    Some(index) => table
                        .entry(index)
                        .map_or(Self::Unknown, |value| Self::Affine(Affine::constant(value))),
                    None => Self::Entry(table.clone(), Box::new(index)),
                }
            }
        }
    }

    fn unary(operator: UnaryOperator, operand: Self) -> Self {
        let folded = match (operator, &operand) {
            (UnaryOperator::Negate, Self::Affine(x)) => Affine::default().add_scaled(-1, x),
            (_, Self::Affine(x)) if x.terms.is_empty() => {
                operator.apply(x.constant).map(Affine::constant)
            }
            _ => None,
        };
        folded.map_or_else(|| Self::Unary(operator, Box::new(operand)), Self::Affine)
    }

    fn binary(operator: BinaryOperator, left: Self, right: Self) -> Self {
        let folded = match (&left, &right) {
            (Self::Affine(a), Self::Affine(b)) => fold(operator, a, b),
            _ => None,
        };
        folded.map_or_else(
            || Self::Binary(operator, Box::new(left), Box::new(right)),
            Self::Affine,
        )
    }

    /// The value, where no variable decides it.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        match self {
            Self::Affine(x) if x.terms.is_empty() => Some(x.constant),
            _ => None,
        }
    }

    /// The affine form, where it is one.
    pub(crate) fn as_affine(&self) -> Option<&Affine> {
        match self {
            Self::Affine(x) => Some(x),
            _ => None,
        }
    }

    /// The value; `None` where only running the program determines it, or it is not defined, or does not fit 64 bits.
    pub(crate) fn evaluate(&self, values: &Values) -> Option<i64> {
        match self {
            Self::Affine(x) => x.evaluate(values),
            Self::Unknown => None,
            Self::Unary(operator, x) => operator.apply(x.evaluate(values)?),
            Self::Wrap(kind, x) => Some(kind.wrap(x.evaluate(values)?)),
            Self::Entry(table, index) => table.entry(index.evaluate(values)?),
            Self::Select(operands) => {
                let [condition, then, otherwise] = &**operands;
                let chosen = if condition.evaluate(values)? == 0 {
                    otherwise
                } else {
                    then
                };
                chosen.evaluate(values)
            }
            Self::Binary(operator, a, b) => {
                apply_in_three_valued_logic(*operator, a.evaluate(values), || b.evaluate(values))
            }
        }
    }

    /// Whether the value is unknown because an unsigned number in it is 2^63 or more.
    pub(crate) fn is_beyond(&self, values: &Values) -> bool {
        match self {
            Self::Affine(_) | Self::Unknown => false,
            Self::Unary(UnaryOperator::Unsigned, x) => x.evaluate(values).is_some_and(|x| x < 0),
            Self::Unary(_, x) | Self::Wrap(_, x) | Self::Entry(_, x) => x.is_beyond(values),
            Self::Binary(_, a, b) => a.is_beyond(values) || b.is_beyond(values),
            Self::Select(operands) => {
                let [condition, then, otherwise] = &**operands;
                match condition.evaluate(values) {
                    Some(0) => otherwise.is_beyond(values),
                    Some(_) => then.is_beyond(values),
                    None => false,
                }
            }
        }
    }

    /// Whether its form tells that all its values are multiples of a factor; what only running the program determines
    /// counts as one.
    pub(crate) fn is_multiple_of(&self, factor: u64) -> bool {
        use BinaryOperator::{Add, Maximum, Minimum, Multiply, Subtract};
        let divides = |x: i64| x.unsigned_abs().is_multiple_of(factor);
        match self {
            Self::Affine(x) => divides(x.constant) && x.terms.iter().all(|(_, x)| divides(*x)),
            Self::Unknown => true,
            Self::Unary(UnaryOperator::Negate, x) => x.is_multiple_of(factor),
            Self::Binary(Add | Subtract | Minimum | Maximum, a, b) => {
                a.is_multiple_of(factor) && b.is_multiple_of(factor)
            }
            Self::Binary(Multiply, a, b) => [a, b].iter().any(|x| match &***x {
                Self::Unknown => false,
                x => x.is_multiple_of(factor),
            }),
            Self::Select(operands) => operands[1..].iter().all(|x| x.is_multiple_of(factor)),
            Self::Unary(..) | Self::Binary(..) | Self::Wrap(..) | Self::Entry(..) => false,
        }
    }

    /// Calls `visit` with every variable that it depends on.
    pub(crate) fn variables(&self, visit: &mut impl FnMut(VariableId)) {
        match self {
            Self::Affine(x) => x.terms.iter().for_each(|(variable, _)| visit(*variable)),
            Self::Unknown => {}
            Self::Unary(_, x) | Self::Wrap(_, x) | Self::Entry(_, x) => x.variables(visit),
            Self::Binary(_, a, b) => {
                a.variables(visit);
                b.variables(visit);
            }
            Self::Select(operands) => operands.iter().for_each(|x| x.variables(visit)),
        }
    }
}

fn fold(operator: BinaryOperator, a: &Affine, b: &Affine) -> Option<Affine> {
    match operator {
        BinaryOperator::Add => a.add_scaled(1, b),
        BinaryOperator::Subtract => a.add_scaled(-1, b),
        BinaryOperator::Multiply if a.terms.is_empty() => {
            Affine::default().add_scaled(a.constant, b)
        }
        BinaryOperator::Multiply if b.terms.is_empty() => {
            Affine::default().add_scaled(b.constant, a)
        }
        _ if a.terms.is_empty() && b.terms.is_empty() => {
            operator.apply(a.constant, b.constant).map(Affine::constant)
        }
        _ => None,
    }
}

/// Applies an operator to values that may be unknown; the right one is evaluated only if needed.
fn apply_in_three_valued_logic(
    operator: BinaryOperator,
    left: Option<i64>,
    right: impl FnOnce() -> Option<i64>,
) -> Option<i64> {
    use BinaryOperator::{And, Multiply, Or};
    let decides = |value: i64| match operator {
        And | Multiply if value == 0 => Some(0),
        Or if value != 0 => Some(1),
        _ => None,
    };
    if let Some(decided) = left.and_then(decides) {
        return Some(decided);
    }
    let right = right();
    if let Some(decided) = right.and_then(decides) {
        return Some(decided);
    }
    operator.apply(left?, right?)
}
