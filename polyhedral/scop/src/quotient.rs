//! Quotients and remainders by forms, such as sizes: where iterations wrap around.

use crate::condition::{Cases, Conjunction, Constraint, limit, may_be, product};
use crate::evaluate::{Evaluator, VariableValue};
use crate::polynomial::Polynomial;
use crate::reject::Obstacle;
use premiss_tree::BinaryOperator as Op;

/// By how many times the divisor the rest of a division of polynomials may be off.
const TURNS: [i64; 5] = [-2, -1, 0, 1, 2];

impl Evaluator {
    /// `x / d` or `x % d` of the values of two expressions.
    pub(crate) fn by_form(&mut self, operator: Op, left: &Cases, right: &Cases) -> VariableValue {
        let mut all = Cases(Vec::new());
        for (left_case, x) in &left.0 {
            for (right_case, divisor) in &right.0 {
                let here = product(&vec![left_case.clone()], &vec![right_case.clone()])?;
                let split = Division::of(x, divisor)?;
                for hole in split.holes()? {
                    let met = product(&here, &vec![hole])?.into_iter();
                    self.holes
                        .extend(met.map(|hole| (hole, Obstacle::NonAffine)));
                }
                all.0.extend(split.cases(operator)?.within(&here)?.0);
                limit(all.0.len())?;
            }
        }
        Ok(all)
    }
}

/// `x = quotient·divisor + rest` as polynomials: the quotient of the numbers is off by `floor(rest / divisor)`.
///
/// With `x = i + n - 1` and `n` as divisor, the quotient is 1 and the rest `i - 1`. For `1 <= i <= n` the remainder is
/// `i - 1`, and for `i = 0` it is `n - 1`. There are few cases where the rest is less than some times the divisor; all
/// others are holes.
struct Division<'a> {
    divisor: &'a Polynomial,
    quotient: Polynomial,
    rest: Polynomial,
}

impl<'a> Division<'a> {
    fn of(x: &Polynomial, divisor: &'a Polynomial) -> Result<Self, Obstacle> {
        let (quotient, rest) = x.divided(divisor)?;
        Ok(Self {
            divisor,
            quotient,
            rest,
        })
    }

    /// Where the rest is in `turn·divisor..(turn + 1)·divisor`, that is `turn·divisor` and more.
    fn turned(&self, turn: i64) -> Result<(Conjunction, Polynomial), Obstacle> {
        let inner = self.rest.plus(-turn, self.divisor)?;
        let room = self.divisor.plus(-1, &inner)?.plus_constant(-1)?;
        let within = [inner.clone(), room].map(Constraint::NotNegative);
        Ok((within.into(), inner))
    }

    /// The quotient rounded towards zero, or its remainder, as C, Fortran and Rust have them.
    fn cases(&self, operator: Op) -> Result<Cases, Obstacle> {
        let mut all = Vec::new();
        for turn in TURNS {
            let (within, inner) = self.turned(turn)?;
            let quotient = self.quotient.plus_constant(turn)?;
            if quotient.as_constant() == Some(-1) {
                // -divisor <= x < 0
                let mut multiple = within.clone();
                multiple.insert(Constraint::Zero(inner.clone()));
                let mut others = within;
                others.insert(Constraint::NotNegative(inner.plus_constant(-1)?));
                let of = |quotient: i64, remainder: Polynomial| match operator {
                    Op::Quotient => Polynomial::constant(quotient),
                    _ => remainder,
                };
                all.push((multiple, of(-1, Polynomial::default())));
                all.push((others, of(0, inner.plus(-1, self.divisor)?)));
            } else {
                let value = if operator == Op::Quotient {
                    quotient
                } else {
                    inner
                };
                all.push((within, value));
            }
        }
        all.retain(|(case, _)| may_be(case));
        Ok(Cases(all))
    }

    /// Where there is no value: where the divisor is not positive or the rest too far off, and where the number that is
    /// divided is so far below zero that rounding towards zero makes more cases.
    fn holes(&self) -> Result<Vec<Conjunction>, Obstacle> {
        let [first, .., last] = TURNS;
        let below = self.rest.scaled(-1)?.plus(first, self.divisor)?;
        let beyond = self.rest.plus(-(last + 1), self.divisor)?;
        let outside = [self.divisor.scaled(-1)?, below.plus_constant(-1)?, beyond];
        let outside = outside.map(|form| Conjunction::from([Constraint::NotNegative(form)]));
        let mut holes = Vec::from(outside);
        for turn in TURNS {
            let quotient = self.quotient.plus_constant(turn)?;
            if quotient.as_constant().is_none_or(|quotient| quotient < -1) {
                let (mut within, _) = self.turned(turn)?;
                let negative = quotient.scaled(-1)?.plus_constant(-1)?;
                within.insert(Constraint::NotNegative(negative));
                holes.push(within);
            }
        }
        holes.retain(may_be);
        Ok(holes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polynomial::Symbol;
    use crate::test_forms::{Point, form};

    const I: Symbol = Symbol::Iterator(0);
    const N: Symbol = Symbol::Size(0);

    /// The values of a division at a point, and whether a hole has it.
    fn at(split: &Division<'_>, operator: Op, point: Point<'_>) -> (Vec<i64>, bool) {
        let cases = split.cases(operator).expect("it is small");
        let here = cases.0.iter().filter(|(case, _)| point.satisfies(case));
        let values = here.map(|(_, value)| point.value(value)).collect();
        let holes = split.holes().expect("it is small");
        (values, holes.iter().any(|hole| point.satisfies(hole)))
    }

    #[test]
    fn a_division_has_one_value_or_is_a_hole() {
        let divisor = form(0, &[(N, 1)]);
        let dividends = [
            form(1, &[(I, 1)]),
            form(-1, &[(I, 1), (N, 1)]),
            form(0, &[(I, 3)]),
            form(0, &[(I, -1)]),
            form(-1, &[(I, 1), (N, -1)]),
        ];
        let mut n_values = 0;
        for dividend in &dividends {
            let split = Division::of(dividend, &divisor).expect("it is small");
            for (i, n) in (-9..=9).flat_map(|i| (0..=5).map(move |n| (i, n))) {
                let point = Point {
                    iterators: &[i],
                    sizes: &[n],
                    floors: &[],
                };
                let x = point.value(dividend);
                for operator in [Op::Quotient, Op::Remainder] {
                    let (values, is_hole) = at(&split, operator, point);
                    match operator.apply(x, n).filter(|_| !is_hole) {
                        Some(value) => assert_eq!(values, [value], "{x} by {n}"),
                        None => assert!(is_hole, "{x} by {n}"),
                    }
                    n_values += usize::from(!is_hole);
                }
            }
        }
        assert!(400 < n_values, "{n_values} divisions have a value");
    }
}
