//! Polynomials with integer coefficients in parameters, variables and whatever else has no simpler form: sums of
//! products in which equal ones are collected, so that equal numbers mostly have equal forms.
//!
//! ```text
//! 8 * (n * (i - 1)) + 8 * n      8·n·i
//! ```

use crate::domain::integers::{plus, times};
use premiss_tree::{BinaryOperator as Op, Expression, UnaryOperator, VariableId};

/// The maximum number of terms.
const MAX_TERMS: usize = 48;

/// A sum of products, each a coefficient and its factors in a fixed order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CanonicalSum {
    terms: Vec<(Vec<Expression>, i64)>,
}

impl CanonicalSum {
    /// The polynomial that an expression is; `None` if it depends on data, overflows or has too many terms.
    pub(crate) fn of(expression: &Expression) -> Option<Self> {
        match expression {
            Expression::Data => None,
            Expression::Integer(value) => Self::default().with(Vec::new(), *value),
            Expression::Unary(UnaryOperator::Negate, x) => {
                Self::of(x)?.times(&Self::of(&(-1).into())?)
            }
            Expression::Binary(Op::Add, a, b) => Self::of(a)?.plus(&Self::of(b)?),
            Expression::Binary(Op::Subtract, a, b) => Self::of(a)?.minus(&Self::of(b)?),
            Expression::Binary(Op::Multiply, a, b) => Self::of(a)?.times(&Self::of(b)?),
            other if other.any(|part| *part == Expression::Data) => None,
            other => Self::default().with(vec![other.clone()], 1),
        }
    }

    /// The polynomial of some terms.
    pub(crate) fn of_terms(
        terms: impl IntoIterator<Item = (Vec<Expression>, i64)>,
    ) -> Option<Self> {
        let mut terms = terms.into_iter();
        terms.try_fold(Self::default(), |sum, (factors, coefficient)| {
            sum.with(factors, coefficient)
        })
    }

    /// Its terms: factors and coefficients.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&[Expression], i64)> {
        self.terms
            .iter()
            .map(|(factors, coefficient)| (&factors[..], *coefficient))
    }

    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let mut terms = other.terms.iter().cloned();
        terms.try_fold(self.clone(), |sum, (factors, coefficient)| {
            sum.with(factors, coefficient)
        })
    }

    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(&Self::of(&(-1).into())?)?)
    }

    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                product = product.with([&a[..], b].concat(), x.checked_mul(*y)?)?;
            }
        }
        Some(product)
    }

    /// The constant that it is.
    pub(crate) fn as_integer(&self) -> Option<i64> {
        match &self.terms[..] {
            [] => Some(0),
            [(factors, coefficient)] if factors.is_empty() => Some(*coefficient),
            _ => None,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The same as an expression.
    pub(crate) fn to_expression(&self) -> Expression {
        let products = self.terms.iter().map(|(factors, coefficient)| {
            let product = factors
                .iter()
                .cloned()
                .reduce(|a, b| Expression::binary(Op::Multiply, a, b));
            product.map_or(Expression::Integer(*coefficient), |x| {
                times((*coefficient).into(), x)
            })
        });
        products.reduce(plus).unwrap_or(Expression::Integer(0))
    }

    /// The variables that occur in it.
    pub(crate) fn variables(&self) -> Vec<VariableId> {
        let mut variables = Vec::new();
        for factor in self.terms.iter().flat_map(|(factors, _)| factors) {
            factor.walk(&mut |part| {
                if let Expression::Variable(id) = part
                    && !variables.contains(id)
                {
                    variables.push(*id);
                }
            });
        }
        variables
    }

    /// It as `a·v + b` where `v` occurs in neither; `None` if it has another form.
    pub(crate) fn split_at(&self, variable: VariableId) -> Option<(Self, Self)> {
        let v = Expression::Variable(variable);
        let (mut of_variable, mut rest) = (Self::default(), Self::default());
        for (factors, coefficient) in &self.terms {
            let mut factors = factors.clone();
            let part = match factors.iter().position(|factor| *factor == v) {
                Some(idx) => {
                    factors.remove(idx);
                    &mut of_variable
                }
                None => &mut rest,
            };
            if factors.iter().any(|factor| factor.any(|part| *part == v)) {
                return None;
            }
            part.terms.push((factors, *coefficient));
        }
        Some((of_variable, rest))
    }

    /// The sum with another term.
    fn with(mut self, mut factors: Vec<Expression>, coefficient: i64) -> Option<Self> {
        factors.sort_by_cached_key(factor_key);
        match self.terms.iter().position(|(other, _)| *other == factors) {
            Some(idx) => {
                let sum = self.terms[idx].1.checked_add(coefficient)?;
                match sum {
                    0 => drop(self.terms.remove(idx)),
                    sum => self.terms[idx].1 = sum,
                }
            }
            None if coefficient == 0 => {}
            None => {
                // Constants last.
                let key = |factors: &[Expression]| {
                    let keys: Vec<String> = factors.iter().map(factor_key).collect();
                    (factors.is_empty(), keys)
                };
                let new = key(&factors);
                let idx = self.terms.partition_point(|(other, _)| key(other) < new);
                self.terms.insert(idx, (factors, coefficient));
            }
        }
        (self.terms.len() <= MAX_TERMS).then_some(self)
    }
}

/// A key for the order of factors, which is arbitrary and fixed.
fn factor_key(factor: &Expression) -> String {
    format!("{factor:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::ParameterId;

    fn n() -> Expression {
        Expression::Parameter(ParameterId::from_u32(0))
    }

    fn i() -> Expression {
        Expression::Variable(VariableId::from_u32(0))
    }

    fn product(a: Expression, b: Expression) -> Expression {
        Expression::binary(Op::Multiply, a, b)
    }

    #[test]
    fn equal_numbers_have_equal_forms() {
        let distributed = plus(product(n(), i()), product(n(), 3.into()));
        let factored = product(plus(i(), 3.into()), n());
        assert_eq!(CanonicalSum::of(&distributed), CanonicalSum::of(&factored));
        let difference = CanonicalSum::of(&distributed)
            .unwrap()
            .minus(&CanonicalSum::of(&factored).unwrap());
        assert!(difference.unwrap().is_zero());
    }

    #[test]
    fn the_coefficient_of_a_variable_may_be_a_size() {
        let sum = plus(product(n(), i()), 5.into());
        let variable = VariableId::from_u32(0);
        let (of_variable, rest) = CanonicalSum::of(&sum).unwrap().split_at(variable).unwrap();
        assert_eq!(of_variable.to_expression(), n());
        assert_eq!(rest.as_integer(), Some(5));
        assert_eq!(
            CanonicalSum::of(&product(i(), i()))
                .unwrap()
                .split_at(variable),
            None
        );
    }

    #[test]
    fn data_have_no_form() {
        assert_eq!(CanonicalSum::of(&plus(Expression::Data, 1.into())), None);
    }
}
