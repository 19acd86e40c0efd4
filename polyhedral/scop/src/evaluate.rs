//! Expressions as polynomials in iterators, sizes and floors, case by case.

use crate::condition::{Cases, ConditionCases, Conjunction, Constraint, Disjoint, limit, product};
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use crate::table::Runs;
use premiss_tree::{
    BinaryOperator as Op, EntityRef, Expression, IntegerType, ParameterId, PrimaryMap,
    SecondaryMap, TableId, UnaryOperator,
};

/// `floor(numerator / denominator)`, the denominator greater than 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FloorOf {
    pub(crate) numerator: Polynomial,
    pub(crate) denominator: i64,
}

/// The value of a variable, or why it is not known.
pub(crate) type VariableValue = Result<Cases, Obstacle>;

/// The values of all variables. Copies share what they have in common: branches and loops keep the values before them.
pub(crate) type Values = imbl::Vector<VariableValue>;

/// Evaluates expressions; owns the table of floors.
#[derive(Debug)]
pub(crate) struct Evaluator {
    pub(crate) sizes: SecondaryMap<ParameterId, Option<Polynomial>>,
    pub(crate) floors: Vec<FloorOf>,
    pub(crate) tables: PrimaryMap<TableId, Runs>,
    /// Cases in which an evaluated expression has no value, and why; the caller must rule them out.
    pub(crate) holes: Vec<(Conjunction, Obstacle)>,
    /// Constraints on sizes that rule out holes; the caller must take them for granted.
    pub(crate) required: Conjunction,
}

/// The numbers of the floors that a form mentions.
fn floors_in(form: &Polynomial) -> impl Iterator<Item = usize> {
    let symbols = form.terms().flat_map(|(product, _)| product);
    symbols.filter_map(|symbol| match symbol {
        Symbol::Floor(number) => Some(*number),
        _ => None,
    })
}

/// One side of a comparison.
#[derive(Clone, Copy)]
pub(crate) enum ComparisonSide<'a> {
    Tree(&'a Expression),
    Known(&'a Cases),
}

impl Evaluator {
    pub(crate) fn value(&mut self, expression: &Expression, values: &Values) -> VariableValue {
        match expression {
            Expression::Integer(value) => Ok(Cases::always(Polynomial::constant(*value))),
            Expression::Parameter(id) => match &self.sizes[*id] {
                Some(polynomial) => Ok(Cases::always(polynomial.clone())),
                None => Err(Obstacle::Data),
            },
            Expression::Variable(id) => values[id.index()].clone(),
            Expression::Data => Err(Obstacle::Data),
            Expression::Unary(operator, x) => match operator {
                UnaryOperator::Negate => negated(&self.value(x, values)?),
                UnaryOperator::BitNot => negated(&self.value(x, values)?)?
                    .map(|x| Ok(Cases::always(x.plus_constant(-1)?))),
                UnaryOperator::Not => self.truth_value(expression, values),
                UnaryOperator::Unsigned => {
                    let x = self.value(x, values)?;
                    self.unsigned(x)
                }
            },
            Expression::Binary(operator, a, b) => self.binary(*operator, a, b, expression, values),
            Expression::Select(operands) => {
                let [condition, then, otherwise] = &**operands;
                let condition = self.truth(condition, values)?;
                match (&condition.holds[..], &condition.fails[..]) {
                    ([], _) => self.value(otherwise, values),
                    (_, []) => self.value(then, values),
                    _ => {
                        let then =
                            self.evaluate_where(&condition.holds, |e| e.value(then, values))?;
                        let otherwise =
                            self.evaluate_where(&condition.fails, |e| e.value(otherwise, values))?;
                        condition.choose(&then, &otherwise)
                    }
                }
            }
            Expression::Wrap(kind, x) => {
                let operand = self.value(x, values)?;
                operand.map(|x| self.wrapped(*kind, x))
            }
            Expression::Entry(id, index) => {
                let index = self.value(index, values)?;
                self.entry(*id, &index)
            }
        }
    }

    fn binary(
        &mut self,
        operator: Op,
        a: &Expression,
        b: &Expression,
        whole: &Expression,
        values: &Values,
    ) -> VariableValue {
        match operator {
            Op::Less
            | Op::LessEqual
            | Op::LessUnsigned
            | Op::LessEqualUnsigned
            | Op::Equal
            | Op::NotEqual
            | Op::And
            | Op::Or => return self.truth_value(whole, values),
            _ => {}
        }
        let left = self.value(a, values)?;
        let right = self.value(b, values)?;
        match operator {
            Op::Add => left.combine(&right, |a, b| a.plus(1, b)),
            Op::Subtract => left.combine(&right, |a, b| a.plus(-1, b)),
            Op::Multiply => left.combine(&right, Polynomial::times),
            Op::Minimum => self
                .at_most(
                    ComparisonSide::Known(&left),
                    ComparisonSide::Known(&right),
                    values,
                )?
                .choose(&left, &right),
            Op::Maximum => self
                .at_most(
                    ComparisonSide::Known(&left),
                    ComparisonSide::Known(&right),
                    values,
                )?
                .choose(&right, &left),
            Op::Quotient | Op::Remainder if !is_constant(&right) => {
                self.by_form(operator, &left, &right)
            }
            _ => self.by_constant(operator, &left, &right),
        }
    }

    /// Operations whose right operand must be a constant.
    fn by_constant(&mut self, operator: Op, left: &Cases, right: &Cases) -> VariableValue {
        let by = right.single().and_then(Polynomial::as_constant);
        let by = by.ok_or(Obstacle::NonAffine)?;
        if let Some(a) = left.single().and_then(Polynomial::as_constant) {
            let value = operator.apply(a, by).ok_or(Obstacle::Data)?;
            return Ok(Cases::always(Polynomial::constant(value)));
        }
        let power = |shift: i64| {
            u32::try_from(shift)
                .ok()
                .filter(|s| *s < 63)
                .map(|s| 1_i64 << s)
        };
        match operator {
            Op::ShiftLeft => {
                let factor = power(by).ok_or(Obstacle::Data)?;
                left.map(|x| Ok(Cases::always(x.scaled(factor)?)))
            }
            Op::ShiftRight => {
                let divisor = power(by).ok_or(Obstacle::NonAffine)?;
                left.map(|x| Ok(Cases::always(self.floor(x, divisor)?)))
            }
            Op::BitAnd if 0 <= by && by.checked_add(1).is_some_and(|x| x & by == 0) => {
                left.map(|x| Ok(Cases::always(self.remainder(x, by + 1)?)))
            }
            Op::Quotient => self.towards_zero(left, by, Self::floor, by.signum()),
            Op::Remainder => self.towards_zero(left, by, Self::remainder, 1),
            _ => Err(Obstacle::NonAffine),
        }
    }

    /// `sign·f(x, |by|)` where `x` is not negative, else `−sign·f(−x, |by|)`.
    fn towards_zero(
        &mut self,
        left: &Cases,
        by: i64,
        function: fn(&mut Self, &Polynomial, i64) -> Result<Polynomial, Obstacle>,
        sign: i64,
    ) -> VariableValue {
        let by = by
            .checked_abs()
            .filter(|by| *by != 0)
            .ok_or(Obstacle::Data)?;
        left.map(|x| {
            let upper = Cases::always(function(self, x, by)?.scaled(sign)?);
            let lower = function(self, &x.scaled(-1)?, by)?.scaled(-sign)?;
            ConditionCases::not_negative(x)?.choose(&upper, &Cases::always(lower))
        })
    }

    /// `x` modulo `by`, not negative.
    pub(crate) fn remainder(&mut self, x: &Polynomial, by: i64) -> Result<Polynomial, Obstacle> {
        x.plus(-by, &self.floor(x, by)?)
    }

    /// `floor(x / by)`; terms whose coefficients `by` divides, and the whole part of the constant, are taken out of the
    /// floor.
    pub(crate) fn floor(&mut self, x: &Polynomial, by: i64) -> Result<Polynomial, Obstacle> {
        if !x.is_affine() {
            return Err(Obstacle::NonAffine);
        }
        let mut outside = Polynomial::default();
        for (product, coefficient) in x.terms() {
            let whole = coefficient.div_euclid(by);
            if product.is_empty() || coefficient % by == 0 {
                let term = product.first().map_or(Polynomial::constant(1), |symbol| {
                    Polynomial::symbol(*symbol)
                });
                outside = outside.plus(whole, &term)?;
            }
        }
        let inside = x.plus(-by, &outside)?;
        if inside.as_constant().is_some() {
            return Ok(outside);
        }
        let floor = FloorOf {
            numerator: inside,
            denominator: by,
        };
        let known = self.floors.iter().position(|other| *other == floor);
        let number = known.unwrap_or_else(|| {
            self.floors.push(floor);
            self.floors.len() - 1
        });
        outside.plus(1, &Polynomial::symbol(Symbol::Floor(number)))
    }

    /// A domain with what the floors in it and in a form are: `0 <= n - 2·f <= 1` for half of `n`.
    pub(crate) fn with_floors(
        &self,
        domain: &Conjunction,
        form: &Polynomial,
    ) -> Result<Conjunction, Obstacle> {
        let mut all = domain.clone();
        let of = |form: &Polynomial| floors_in(form).collect::<Vec<_>>();
        let mut open = of(form);
        open.extend(domain.iter().flat_map(|x| of(x.polynomial())));
        while let Some(number) = open.pop() {
            let floor = &self.floors[number];
            let own = Polynomial::symbol(Symbol::Floor(number));
            let rest = floor.numerator.plus(-floor.denominator, &own)?;
            let room = rest.scaled(-1)?.plus_constant(floor.denominator - 1)?;
            if all.insert(Constraint::NotNegative(rest)) {
                open.extend(of(&floor.numerator));
            }
            all.insert(Constraint::NotNegative(room));
        }
        Ok(all)
    }

    /// Values as unsigned 64-bit numbers: negative ones are holes.
    fn unsigned(&mut self, x: Cases) -> VariableValue {
        for (case, x) in &x.0 {
            let fails = ConditionCases::not_negative(x)?.fails;
            let holes = product(&vec![case.clone()], &fails)?.into_iter();
            self.holes.extend(holes.map(|hole| (hole, Obstacle::Wraps)));
        }
        Ok(x)
    }

    fn truth_value(&mut self, expression: &Expression, values: &Values) -> VariableValue {
        let [one, zero] = [1, 0].map(|value| Cases::always(Polynomial::constant(value)));
        self.truth(expression, values)?.choose(&one, &zero)
    }

    /// Where an expression is not zero.
    pub(crate) fn truth(
        &mut self,
        expression: &Expression,
        values: &Values,
    ) -> Result<ConditionCases, Obstacle> {
        match expression {
            Expression::Unary(UnaryOperator::Not, x) => Ok(self.truth(x, values)?.not()),
            Expression::Binary(operator, a, b) => {
                let (left, right) = (ComparisonSide::Tree(a), ComparisonSide::Tree(b));
                match operator {
                    Op::And | Op::Or => self.logical(*operator, a, b, values),
                    Op::LessEqual => self.at_most(left, right, values),
                    Op::Less => Ok(self.at_most(right, left, values)?.not()),
                    Op::LessEqualUnsigned => self.at_most_unsigned(a, b, values),
                    Op::LessUnsigned => Ok(self.at_most_unsigned(b, a, values)?.not()),
                    Op::Equal => self.equal(a, b, values),
                    Op::NotEqual => Ok(self.equal(a, b, values)?.not()),
                    _ => self.not_zero(expression, values),
                }
            }
            _ => self.not_zero(expression, values),
        }
    }

    fn not_zero(
        &mut self,
        expression: &Expression,
        values: &Values,
    ) -> Result<ConditionCases, Obstacle> {
        let value = self.value(expression, values)?;
        Ok(value.condition(ConditionCases::zero)?.not())
    }

    /// `a && b` or `a || b`; one operand may decide where the other is not known.
    fn logical(
        &mut self,
        operator: Op,
        a: &Expression,
        b: &Expression,
        values: &Values,
    ) -> Result<ConditionCases, Obstacle> {
        let left = self.truth(a, values);
        let right = match &left {
            Ok(left) => {
                let open = match operator {
                    Op::And => &left.holds,
                    _ => &left.fails,
                };
                self.evaluate_where(open, |e| e.truth(b, values))
            }
            Err(_) => self.truth(b, values),
        };
        for side in [&left, &right] {
            match (operator, side) {
                (Op::And, Ok(known)) if known.holds.is_empty() => return Ok(known.clone()),
                (Op::Or, Ok(known)) if known.fails.is_empty() => return Ok(known.clone()),
                _ => {}
            }
        }
        match operator {
            Op::And => left?.and(&right?),
            _ => left?.or(&right?),
        }
    }

    /// Evaluates what matters in `cases` only: holes outside of them are dropped.
    fn evaluate_where<T>(
        &mut self,
        cases: &Disjoint,
        evaluate: impl FnOnce(&mut Self) -> Result<T, Obstacle>,
    ) -> Result<T, Obstacle> {
        let before = std::mem::take(&mut self.holes);
        let found = evaluate(self);
        let holes = std::mem::replace(&mut self.holes, before);
        for (hole, obstacle) in holes {
            let met = product(cases, &vec![hole])?;
            self.holes
                .extend(met.into_iter().map(|hole| (hole, obstacle)));
        }
        found
    }

    /// The entry of a table, run by run; an index outside of the table is a hole.
    fn entry(&mut self, id: TableId, index: &Cases) -> VariableValue {
        let mut all = Cases(Vec::new());
        for (case, index) in &index.0 {
            let table = &self.tables[id];
            let case = vec![case.clone()];
            let missed = product(&case, &table.has(index)?.fails)?;
            all.0.extend(table.at(index)?.within(&case)?.0);
            limit(all.0.len())?;
            let holes = missed.into_iter().map(|hole| (hole, Obstacle::Outside(id)));
            self.holes.extend(holes);
        }
        Ok(all)
    }

    fn equal(
        &mut self,
        a: &Expression,
        b: &Expression,
        values: &Values,
    ) -> Result<ConditionCases, Obstacle> {
        let (left, right) = (self.value(a, values)?, self.value(b, values)?);
        let difference = left.combine(&right, |a, b| a.plus(-1, b))?;
        difference.condition(ConditionCases::zero)
    }

    /// `a <= b`. Minima and maxima become more constraints instead of more cases.
    pub(crate) fn at_most(
        &mut self,
        a: ComparisonSide<'_>,
        b: ComparisonSide<'_>,
        values: &Values,
    ) -> Result<ConditionCases, Obstacle> {
        if let ComparisonSide::Tree(Expression::Binary(op @ (Op::Minimum | Op::Maximum), x, y)) = a
        {
            let left = self.at_most(ComparisonSide::Tree(x), b, values)?;
            let right = self.at_most(ComparisonSide::Tree(y), b, values)?;
            return match op {
                Op::Maximum => left.and(&right),
                _ => left.or(&right),
            };
        }
        if let ComparisonSide::Tree(Expression::Binary(op @ (Op::Minimum | Op::Maximum), x, y)) = b
        {
            let left = self.at_most(a, ComparisonSide::Tree(x), values)?;
            let right = self.at_most(a, ComparisonSide::Tree(y), values)?;
            return match op {
                Op::Minimum => left.and(&right),
                _ => left.or(&right),
            };
        }
        let left = self.term(a, values)?;
        let right = self.term(b, values)?;
        let difference = right.combine(&left, |b, a| b.plus(-1, a))?;
        difference.condition(ConditionCases::not_negative)
    }

    fn term(&mut self, term: ComparisonSide<'_>, values: &Values) -> VariableValue {
        match term {
            ComparisonSide::Tree(expression) => self.value(expression, values),
            ComparisonSide::Known(cases) => Ok(cases.clone()),
        }
    }

    /// `a <= b` as unsigned numbers of 64 bits: negative ones are above all others.
    fn at_most_unsigned(
        &mut self,
        a: &Expression,
        b: &Expression,
        values: &Values,
    ) -> Result<ConditionCases, Obstacle> {
        let (left, right) = (self.value(a, values)?, self.value(b, values)?);
        let plain = self.at_most(
            ComparisonSide::Known(&left),
            ComparisonSide::Known(&right),
            values,
        )?;
        let left_is_low = left.condition(ConditionCases::not_negative)?;
        let right_is_low = right.condition(ConditionCases::not_negative)?;
        let same = left_is_low.clone().and(&right_is_low)?;
        let same = same.or(&left_is_low.clone().not().and(&right_is_low.clone().not())?)?;
        let across = left_is_low.and(&right_is_low.not())?;
        same.and(&plain)?.or(&across)
    }

    /// A value reduced to the range of a type: as it is where it lies within, and moved by 2^bits
    /// where it lies next to it. Farther values are holes.
    fn wrapped(&mut self, kind: IntegerType, x: &Polynomial) -> VariableValue {
        if let Some(value) = x.as_constant() {
            return Ok(Cases::always(Polynomial::constant(kind.wrap(value))));
        }
        let bits = u32::from(kind.bits);
        if 62 < bits {
            // Values of 64 bits are held as the signed ones of the same bits.
            let is_whole = bits == 64;
            return is_whole
                .then(|| Cases::always(x.clone()))
                .ok_or(Obstacle::Wraps);
        }
        let modulus = 1_i64 << bits;
        let least = if kind.signed { -(modulus / 2) } else { 0 };
        let above = |least: i64| ConditionCases::not_negative(&x.plus_constant(-least)?);
        let mut all = Cases(Vec::new());
        for turn in [0, -1, 1] {
            let start = least + turn * modulus;
            let inside = above(start)?.and(&above(start + modulus)?.not())?;
            let value = Cases::always(x.plus_constant(-turn * modulus)?);
            all.0.extend(value.within(&inside.holds)?.0);
        }
        let below = above(least - modulus)?.fails;
        let beyond = above(least + 2 * modulus)?.holds;
        let holes = below.into_iter().chain(beyond);
        self.holes.extend(holes.map(|hole| (hole, Obstacle::Wraps)));
        Ok(all)
    }
}

fn is_constant(x: &Cases) -> bool {
    x.single().and_then(Polynomial::as_constant).is_some()
}

fn negated(x: &Cases) -> VariableValue {
    x.map(|x| Ok(Cases::always(x.scaled(-1)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::may_be;
    use crate::test_forms::Point;
    use premiss_tree::{Table, VariableId};

    const U8: IntegerType = IntegerType {
        bits: 8,
        signed: false,
    };

    fn evaluator(tables: &[&[i64]]) -> Evaluator {
        let table = |entries: &&[i64]| Table {
            name: "t".to_owned(),
            entries: (*entries).into(),
        };
        Evaluator {
            sizes: SecondaryMap::new(),
            floors: Vec::new(),
            tables: tables.iter().map(|x| Runs::of(&table(x))).collect(),
            holes: Vec::new(),
            required: Conjunction::new(),
        }
    }

    /// The variable of the only loop.
    fn variable() -> Expression {
        Expression::Variable(VariableId::new(0))
    }

    fn variables() -> Values {
        let iterator = Polynomial::symbol(Symbol::Iterator(0));
        Values::unit(Ok(Cases::always(iterator)))
    }

    /// The value of an expression where the variable has a value; `None` in a hole.
    fn at(evaluator: &mut Evaluator, expression: &Expression, variable: i64) -> Option<i64> {
        evaluator.holes.clear();
        let cases = evaluator.value(expression, &variables());
        let cases = cases.expect("it is affine in pieces");
        let point = Point {
            iterators: &[variable],
            sizes: &[],
            floors: &evaluator.floors,
        };
        let mut holding = cases.0.iter().filter(|(case, _)| point.satisfies(case));
        let value = holding.next().map(|(_, x)| point.value(x));
        assert!(holding.next().is_none(), "cases exclude each other");
        let is_hole = evaluator
            .holes
            .iter()
            .any(|(hole, _)| point.satisfies(hole));
        assert!(value.is_some() || is_hole, "cases and holes are everywhere");
        value.filter(|_| !is_hole)
    }

    fn by(operator: Op, right: i64) -> Expression {
        Expression::binary(operator, variable(), right.into())
    }

    #[test]
    fn quotients_round_towards_zero_and_remainders_have_the_sign_of_what_is_divided() {
        for divisor in [1, 3, 4, -4] {
            let mut evaluator = evaluator(&[]);
            for x in -9..=9 {
                let quotient = at(&mut evaluator, &by(Op::Quotient, divisor), x);
                let rest = at(&mut evaluator, &by(Op::Remainder, divisor), x);
                assert_eq!((quotient, rest), (Some(x / divisor), Some(x % divisor)));
            }
        }
        let by_zero = by(Op::Quotient, 0);
        assert_eq!(
            evaluator(&[]).value(&by_zero, &variables()),
            Err(Obstacle::Data)
        );
    }

    #[test]
    fn shifts_and_masks_round_down() {
        let mut evaluator = evaluator(&[]);
        for x in -9..=9_i64 {
            assert_eq!(
                at(&mut evaluator, &by(Op::ShiftRight, 2), x),
                Some(x.div_euclid(4))
            );
            assert_eq!(
                at(&mut evaluator, &by(Op::BitAnd, 7), x),
                Some(x.rem_euclid(8))
            );
            assert_eq!(at(&mut evaluator, &by(Op::ShiftLeft, 3), x), Some(8 * x));
        }
        let no_mask = by(Op::BitAnd, 5);
        let refused = evaluator.value(&no_mask, &variables());
        assert_eq!(refused, Err(Obstacle::NonAffine));
    }

    #[test]
    fn what_the_divisor_divides_needs_no_floor() {
        let mut evaluator = evaluator(&[]);
        // (8·v + 12) >> 2 = 2·v + 3
        let sum = Expression::binary(Op::Add, by(Op::Multiply, 8), 12.into());
        let shifted = Expression::binary(Op::ShiftRight, sum, 2.into());
        let value = evaluator
            .value(&shifted, &variables())
            .expect("it is affine");
        let expected = crate::test_forms::form(3, &[(Symbol::Iterator(0), 2)]);
        assert_eq!(value.single(), Some(&expected));
        assert!(evaluator.floors.is_empty());
        // Equal floors are one, whatever whole part stands beside them.
        let moved = |by: i64| {
            let sum = Expression::binary(Op::Add, variable(), by.into());
            Expression::binary(Op::ShiftRight, sum, 2.into())
        };
        for by in [1, 5, -3] {
            assert_eq!(
                at(&mut evaluator, &moved(by), 6),
                Some((6 + by).div_euclid(4))
            );
        }
        assert_eq!(evaluator.floors.len(), 1);
    }

    #[test]
    fn a_value_next_to_the_range_of_its_type_is_moved_into_it_and_a_farther_one_is_a_hole() {
        let mut evaluator = evaluator(&[]);
        let wrapped = Expression::wrap(U8, variable());
        for (x, expected) in [
            (0, Some(0)),
            (255, Some(255)),
            (256, Some(0)),
            (511, Some(255)),
            (512, None),
            (-1, Some(255)),
            (-256, Some(0)),
            (-257, None),
        ] {
            assert_eq!(at(&mut evaluator, &wrapped, x), expected, "{x}");
        }
        let signed = IntegerType { signed: true, ..U8 };
        let wrapped = Expression::wrap(signed, variable());
        for (x, expected) in [(127, Some(127)), (128, Some(-128)), (-129, Some(127))] {
            assert_eq!(at(&mut evaluator, &wrapped, x), expected, "{x}");
        }
    }

    #[test]
    fn a_negative_number_is_a_hole_as_an_unsigned_one() {
        let mut evaluator = evaluator(&[]);
        let unsigned = Expression::unary(UnaryOperator::Unsigned, by(Op::Subtract, 3));
        for (x, expected) in [(2, None), (3, Some(0)), (9, Some(6))] {
            assert_eq!(at(&mut evaluator, &unsigned, x), expected, "{x}");
        }
    }

    #[test]
    fn an_unsigned_comparison_has_negative_numbers_above_all_others() {
        let mut evaluator = evaluator(&[]);
        for x in [-3_i64, -2, -1, 0, 1, 4, 5, 6] {
            for bound in [-2_i64, 0, 5] {
                let (wide, limit) = (x.cast_unsigned(), bound.cast_unsigned());
                let less = at(&mut evaluator, &by(Op::LessUnsigned, bound), x);
                assert_eq!(less, Some(i64::from(wide < limit)), "{x} < {bound}");
                let most = at(&mut evaluator, &by(Op::LessEqualUnsigned, bound), x);
                assert_eq!(most, Some(i64::from(wide <= limit)), "{x} <= {bound}");
            }
        }
    }

    #[test]
    fn the_lesser_and_the_greater_of_two_values_are_cases() {
        let mut evaluator = evaluator(&[]);
        for x in 0..6 {
            assert_eq!(at(&mut evaluator, &by(Op::Minimum, 3), x), Some(x.min(3)));
            assert_eq!(at(&mut evaluator, &by(Op::Maximum, 3), x), Some(x.max(3)));
        }
    }

    #[test]
    fn an_entry_that_no_arm_needs_beyond_its_table_is_no_hole() {
        let mut evaluator = evaluator(&[&[4, 0, -4]]);
        let entry = Expression::entry(TableId::new(0), variable());
        for (x, expected) in [(-1, None), (0, Some(4)), (2, Some(-4)), (3, None)] {
            assert_eq!(at(&mut evaluator, &entry, x), expected, "{x}");
        }
        // 0 <= v && v < 3 ? t[v] : 9
        let from = Expression::binary(Op::LessEqual, 0.into(), variable());
        let inside = Expression::binary(Op::And, from, by(Op::Less, 3));
        let guarded = Expression::select(inside, entry, 9.into());
        for (x, expected) in [(-1, 9), (0, 4), (1, 0), (2, -4), (3, 9)] {
            assert_eq!(at(&mut evaluator, &guarded, x), Some(expected), "{x}");
        }
        assert!(!evaluator.holes.iter().any(|(hole, _)| may_be(hole)));
    }

    #[test]
    fn one_operand_may_decide_where_the_other_is_data() {
        let mut evaluator = evaluator(&[]);
        let truth = |evaluator: &mut Evaluator, operator: Op, known: i64| {
            let both = [Box::new(Expression::Data), Box::new(known.into())];
            let [a, b] = both;
            evaluator.truth(&Expression::Binary(operator, a, b), &variables())
        };
        let never = truth(&mut evaluator, Op::And, 0).expect("zero decides");
        assert!(never.holds.is_empty() && !never.fails.is_empty());
        let always = truth(&mut evaluator, Op::Or, 1).expect("one decides");
        assert!(always.fails.is_empty() && !always.holds.is_empty());
        assert_eq!(truth(&mut evaluator, Op::And, 1), Err(Obstacle::Data));
        assert_eq!(truth(&mut evaluator, Op::Or, 0), Err(Obstacle::Data));
    }
}
