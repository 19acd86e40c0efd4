//! Conjunctions of constraints, conditions and values that depend on cases.

use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use premiss_presburger::{Affine, Column, System};
use std::collections::{BTreeMap, BTreeSet};

/// A value or a condition falls into no more cases than this.
pub(crate) const MOST_CASES: usize = 128;

/// A case depends on no more constraints than this: what is done with a case takes steps that grow with the square of
/// their number, and is done for every node of a tree.
const MOST_CONSTRAINTS: usize = 256;

/// A constraint on a polynomial.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Constraint {
    /// It is zero.
    Zero(Polynomial),
    /// It is zero or more.
    NotNegative(Polynomial),
}

impl Constraint {
    pub(crate) fn polynomial(&self) -> &Polynomial {
        match self {
            Self::Zero(polynomial) | Self::NotNegative(polynomial) => polynomial,
        }
    }
}

/// Constraints that hold together.
pub(crate) type Conjunction = BTreeSet<Constraint>;

/// Conjunctions of which at most one holds.
pub(crate) type Disjoint = Vec<Conjunction>;

/// The cases in which a condition holds and those in which it fails: disjoint, and together everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ConditionCases {
    pub(crate) holds: Disjoint,
    pub(crate) fails: Disjoint,
}

/// A value that is one polynomial in each of some cases; exactly one case holds everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cases(pub(crate) Vec<(Conjunction, Polynomial)>);

/// Both conjunctions; `None` where they contradict each other on sight.
pub(crate) fn both(a: &Conjunction, b: &Conjunction) -> Option<Conjunction> {
    let mut all = a.clone();
    for constraint in b {
        let value = constraint.polynomial().as_constant();
        match (constraint, value) {
            (Constraint::Zero(_), Some(0)) | (Constraint::NotNegative(_), Some(0..)) => {}
            (_, Some(_)) => return None,
            (_, None) => {
                all.insert(constraint.clone());
            }
        }
    }
    Some(all)
}

/// All conjunctions of one member of `a` and one of `b`, without those that cannot hold.
pub(crate) fn product(a: &Disjoint, b: &Disjoint) -> Result<Disjoint, Obstacle> {
    if let [only] = &b[..]
        && only.is_empty()
    {
        return Ok(a.clone());
    }
    let mut all = Vec::new();
    for left in a {
        for right in b {
            let Some(joined) = both(left, right) else {
                continue;
            };
            if MOST_CONSTRAINTS < joined.len() {
                return Err(Obstacle::Constraints(MOST_CONSTRAINTS));
            }
            all.extend(Some(joined).filter(may_be));
            limit(all.len())?;
        }
    }
    Ok(all)
}

pub(crate) fn limit(count: usize) -> Result<(), Obstacle> {
    if MOST_CASES < count {
        return Err(Obstacle::Cases(MOST_CASES));
    }
    Ok(())
}

/// Whether a conjunction may hold for sizes that are not negative. `false` is certain; `true` is not, as products of
/// symbols and floors count as independent variables.
pub(crate) fn may_be(conjunction: &Conjunction) -> bool {
    may_all_be(conjunction.iter())
}

/// As [`may_be`], of the conjunction of some constraints.
pub(crate) fn may_all_be<'a>(constraints: impl Iterator<Item = &'a Constraint> + Clone) -> bool {
    !linear_system(constraints).1.is_infeasible()
}

/// Constraints as a system whose variables are the products of symbols, those of sizes alone first; these are not
/// negative.
pub(crate) fn linear_system<'a>(
    constraints: impl Iterator<Item = &'a Constraint> + Clone,
) -> (Vec<&'a [Symbol]>, System) {
    let terms = constraints.clone().flat_map(|x| x.polynomial().terms());
    let products: BTreeSet<&[Symbol]> = terms.map(|(product, _)| product).collect();
    let mut products: Vec<&[Symbol]> = products.into_iter().filter(|x| !x.is_empty()).collect();
    products.sort_by_key(|product| !is_of_sizes(product));
    let numbered = products.iter().enumerate();
    let columns: BTreeMap<&[Symbol], Column> = numbered
        .map(|(place, product)| (*product, Column::at_place(place)))
        .collect();
    let form = |polynomial: &Polynomial| {
        let mut row = vec![0; 1 + columns.len()];
        for (product, coefficient) in polynomial.terms() {
            let column = columns.get(product).copied().unwrap_or(Column::CONSTANT);
            row[column] = coefficient;
        }
        Affine::new(row)
    };
    let mut system = System::universe(columns.len());
    for constraint in constraints {
        match constraint {
            Constraint::Zero(polynomial) => system.equalities.push(form(polynomial)),
            Constraint::NotNegative(polynomial) => system.inequalities.push(form(polynomial)),
        }
    }
    for (product, column) in &columns {
        if is_of_sizes(product) {
            let size = Affine::variable(1 + columns.len(), *column);
            system.inequalities.push(size);
        }
    }
    (products, system)
}

/// Whether sizes alone are multiplied.
pub(crate) fn is_of_sizes(product: &[Symbol]) -> bool {
    product
        .iter()
        .all(|symbol| matches!(symbol, Symbol::Size(_)))
}

impl ConditionCases {
    fn of(holds: &[Constraint], fails: &[&[Constraint]]) -> Self {
        let nothing = Conjunction::new();
        let conjunction = |list: &[Constraint]| both(&nothing, &list.iter().cloned().collect());
        Self {
            holds: conjunction(holds).into_iter().collect(),
            fails: fails.iter().filter_map(|list| conjunction(list)).collect(),
        }
    }

    /// `0 <= polynomial`.
    pub(crate) fn not_negative(polynomial: &Polynomial) -> Result<Self, Obstacle> {
        let negative = polynomial.scaled(-1)?.plus_constant(-1)?;
        Ok(Self::of(
            &[Constraint::NotNegative(polynomial.clone())],
            &[&[Constraint::NotNegative(negative)]],
        ))
    }

    /// `polynomial == 0`.
    pub(crate) fn zero(polynomial: &Polynomial) -> Result<Self, Obstacle> {
        let below = polynomial.scaled(-1)?.plus_constant(-1)?;
        let above = polynomial.plus_constant(-1)?;
        Ok(Self::of(
            &[Constraint::Zero(polynomial.clone())],
            &[
                &[Constraint::NotNegative(below)],
                &[Constraint::NotNegative(above)],
            ],
        ))
    }

    pub(crate) fn not(self) -> Self {
        Self {
            holds: self.fails,
            fails: self.holds,
        }
    }

    pub(crate) fn and(self, other: &Self) -> Result<Self, Obstacle> {
        let holds = product(&self.holds, &other.holds)?;
        let mut fails = product(&self.holds, &other.fails)?;
        fails.extend(self.fails);
        limit(fails.len())?;
        Ok(Self { holds, fails })
    }

    pub(crate) fn or(self, other: &Self) -> Result<Self, Obstacle> {
        Ok(self.not().and(&other.clone().not())?.not())
    }

    /// One value where it holds, another where it does not.
    pub(crate) fn choose(&self, then: &Cases, otherwise: &Cases) -> Result<Cases, Obstacle> {
        if then == otherwise {
            return Ok(then.clone());
        }
        let mut all = Cases(Vec::new());
        for (guards, cases) in [(&self.holds, then), (&self.fails, otherwise)] {
            all.0.extend(cases.within(guards)?.0);
        }
        limit(all.0.len())?;
        Ok(all)
    }
}

impl Cases {
    pub(crate) fn always(polynomial: Polynomial) -> Self {
        Self(vec![(Conjunction::new(), polynomial)])
    }

    /// The polynomial, where there is but one.
    pub(crate) fn single(&self) -> Option<&Polynomial> {
        match &self.0[..] {
            [(_, polynomial)] => Some(polynomial),
            _ => None,
        }
    }

    /// The cases that may hold under one of the guards, with the guards.
    pub(crate) fn within(&self, guards: &Disjoint) -> Result<Self, Obstacle> {
        let mut all = Vec::new();
        for (case, polynomial) in &self.0 {
            let found = product(guards, &vec![case.clone()])?;
            all.extend(found.into_iter().map(|case| (case, polynomial.clone())));
        }
        limit(all.len())?;
        Ok(Self(all))
    }

    /// The cases that may hold under one of the guards, without the guards. A single case becomes unconditional.
    pub(crate) fn pruned(&self, guards: &Disjoint) -> Result<Self, Obstacle> {
        if self.0.len() < 2 {
            return Ok(self.clone());
        }
        let mut kept = Vec::new();
        for (case, polynomial) in &self.0 {
            if !product(guards, &vec![case.clone()])?.is_empty() {
                kept.push((case.clone(), polynomial.clone()));
            }
        }
        if let [(case, _)] = &mut kept[..] {
            case.clear();
        }
        Ok(Self(kept))
    }

    /// A function of the polynomials of two values.
    pub(crate) fn combine(
        &self,
        other: &Self,
        mut function: impl FnMut(&Polynomial, &Polynomial) -> Result<Polynomial, Obstacle>,
    ) -> Result<Self, Obstacle> {
        let mut all = Vec::new();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let joined = product(&vec![left.clone()], &vec![right.clone()])?;
                for case in joined {
                    all.push((case, function(a, b)?));
                }
            }
            limit(all.len())?;
        }
        Ok(Self(all))
    }

    /// Another value for each case.
    pub(crate) fn map(
        &self,
        mut function: impl FnMut(&Polynomial) -> Result<Self, Obstacle>,
    ) -> Result<Self, Obstacle> {
        let mut all = Vec::new();
        for (case, polynomial) in &self.0 {
            all.extend(function(polynomial)?.within(&vec![case.clone()])?.0);
            limit(all.len())?;
        }
        Ok(Self(all))
    }

    /// Where a condition on the polynomials holds.
    pub(crate) fn condition(
        &self,
        mut function: impl FnMut(&Polynomial) -> Result<ConditionCases, Obstacle>,
    ) -> Result<ConditionCases, Obstacle> {
        let mut all = ConditionCases {
            holds: Vec::new(),
            fails: Vec::new(),
        };
        for (case, polynomial) in &self.0 {
            let found = function(polynomial)?;
            let case = vec![case.clone()];
            all.holds.extend(product(&case, &found.holds)?);
            all.fails.extend(product(&case, &found.fails)?);
            limit(all.holds.len().max(all.fails.len()))?;
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_forms::{Point, between, form};

    const X: Symbol = Symbol::Iterator(0);
    const Y: Symbol = Symbol::Iterator(1);
    const N: Symbol = Symbol::Size(0);

    fn not_negative(constant: i64, terms: &[(Symbol, i64)]) -> ConditionCases {
        ConditionCases::not_negative(&form(constant, terms)).expect("it is small")
    }

    fn zero(constant: i64, terms: &[(Symbol, i64)]) -> ConditionCases {
        ConditionCases::zero(&form(constant, terms)).expect("it is small")
    }

    /// Checks that at each point exactly one case holds, one of `holds` where the condition is true.
    fn check(condition: &ConditionCases, expected: impl Fn(i64, i64) -> bool) {
        for (x, y) in (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y))) {
            let point = Point {
                iterators: &[x, y],
                sizes: &[],
                floors: &[],
            };
            let count = |cases: &Disjoint| cases.iter().filter(|x| point.satisfies(x)).count();
            let found = (count(&condition.holds), count(&condition.fails));
            let expected = if expected(x, y) { (1, 0) } else { (0, 1) };
            assert_eq!(found, expected, "{x}, {y}");
        }
    }

    #[test]
    fn a_condition_and_its_parts_hold_or_fail_in_one_case_everywhere() {
        let above = not_negative(-1, &[(X, 1)]);
        let same = zero(0, &[(X, 1), (Y, -1)]);
        check(&above, |x, _| 1 <= x);
        check(&same, |x, y| x == y);
        check(&same.clone().not(), |x, y| x != y);
        let both = above.clone().and(&same).expect("few cases");
        check(&both, |x, y| 1 <= x && x == y);
        let some = above.or(&same).expect("few cases");
        check(&some, |x, y| 1 <= x || x == y);
    }

    #[test]
    fn what_constants_decide_has_no_case_for_the_other_answer() {
        let counts = |x: &ConditionCases| (x.holds.len(), x.fails.len());
        assert_eq!(counts(&not_negative(0, &[])), (1, 0));
        assert_eq!(counts(&not_negative(-1, &[])), (0, 1));
        assert_eq!(counts(&zero(0, &[])), (1, 0));
        assert_eq!(counts(&zero(2, &[])), (0, 1));
    }

    #[test]
    fn sizes_are_not_negative_and_whole_and_iterators_are_whole() {
        let possible = |constraint: Constraint| may_be(&Conjunction::from([constraint]));
        let below = |symbol| possible(Constraint::NotNegative(form(-1, &[(symbol, -1)])));
        assert!(!below(N) && below(X));
        let half = |symbol| possible(Constraint::Zero(form(-1, &[(symbol, 2)])));
        assert!(!half(N) && !half(X));
        // 3 <= x and 2·x <= 7
        let mut narrow = between(X, 3, 9);
        narrow.insert(Constraint::NotNegative(form(7, &[(X, -2)])));
        assert!(may_be(&narrow));
        narrow.insert(Constraint::NotNegative(form(-4, &[(X, 1)])));
        assert!(!may_be(&narrow));
    }

    #[test]
    fn a_case_depends_on_so_many_constraints() {
        let other_than = |value: i64| zero(-value, &[(X, 1), (Y, -4)]).holds;
        let size = i64::try_from(MOST_CONSTRAINTS).expect("a small number");
        let distinct = |count: i64| -> Conjunction {
            (0..count)
                .map(|value| Constraint::NotNegative(form(value, &[(X, 1), (Y, value)])))
                .collect()
        };
        let most = vec![distinct(size)];
        let nothing = vec![Conjunction::new()];
        assert_eq!(product(&nothing, &most).map(|all| all.len()), Ok(1));
        let refused = Err(Obstacle::Constraints(MOST_CONSTRAINTS));
        assert_eq!(product(&most, &other_than(5)), refused);
    }

    #[test]
    fn a_choice_between_equal_values_makes_no_cases() {
        let condition = not_negative(0, &[(X, 1)]);
        let [one, two] = [1, 2].map(|x| Cases::always(Polynomial::constant(x)));
        let same = condition.choose(&one, &one).expect("few cases");
        assert_eq!(same, one);
        let chosen = condition.choose(&one, &two).expect("few cases");
        assert_eq!(chosen.0.len(), 2);
        // Where x is known to be positive, only the first is left, and it holds everywhere.
        let pruned = chosen.pruned(&vec![between(X, 1, 5)]).expect("few cases");
        assert_eq!(pruned, one);
    }
}
