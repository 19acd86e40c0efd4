//! Disjoint unions, combined pieces and emptiness of random systems are those of enumeration.

use crate::common::{
    affordable, any_sample, cases, columns_at, config, holds, points, samples, total,
};
use premiss_presburger::{
    Affine, Budget, Column, Piece, Rational, Refusal, System, combine, count, disjoint, sum,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config(cases()))]

    #[test]
    fn infeasible_is_empty_and_implied_holds(sample in any_sample()) {
        let system = &sample.system;
        let mut rest = system.clone();
        let form = rest.inequalities.remove(0);
        let (infeasible, implied) = (system.is_infeasible(), rest.implies(&form));
        let lean = system.without_redundant(&System::universe(system.variables)).expect("small");
        let shadow = system.shadow(sample.free).unwrap_or_default();
        let range = if system.variables < 4 { (-5, 8) } else { (-3, 3) };
        for point in points(system.variables, range) {
            let inside = holds(system, &point);
            prop_assert!(!(inside && infeasible));
            let at = |form: &Affine| form.at(&point[..sample.free]).expect("small");
            prop_assert!(!inside || shadow.iter().all(|form| 0 <= at(form)));
            prop_assert!(!implied || holds(&rest, &point) == inside);
            prop_assert_eq!(holds(&lean, &point), inside);
            prop_assert_eq!(system.contains(&point), Ok(inside));
        }
    }

    #[test]
    fn unions_become_disjoint(parts in prop::collection::vec(samples(1, 2), 1..5)) {
        let systems: Vec<System> = parts.into_iter().map(|part| part.system).collect();
        let union = affordable(disjoint(&systems, &System::universe(systems[0].variables), &mut Budget::new(20_000)))?;
        for point in points(3, (-6, 9)) {
            let hits = union.iter().filter(|system| holds(system, &point)).count();
            let expected = systems.iter().any(|system| holds(system, &point));
            prop_assert_eq!(hits, usize::from(expected), "at {:?}", point);
        }
    }
}

proptest! {
    #![proptest_config(config(cases() / 4))]

    #[test]
    fn combined_pieces_are_their_sum(
        parts in prop::collection::vec(samples(2, 1), 1..4),
        outer in samples(2, 1),
    ) {
        let mut domain = outer.system;
        domain.inequalities.retain(|form| form.support().all(|column| column.number() < 3));
        domain.equalities.clear();
        let mut pieces: Vec<Piece> = Vec::new();
        for part in &parts {
            let mut budget = Budget::new(2_000);
            let found = sum(&part.system, &part.weight, &part.over(), &domain, &mut budget);
            pieces.extend(affordable(found)?);
        }
        let combined = affordable(combine(&domain, &pieces, &mut Budget::new(2_000)))?;
        for free in points(2, (-5, 8)) {
            let point = [&free[..], &[0]].concat();
            let (value, hits) = total(&combined, &point);
            let inside = holds(&domain, &point);
            prop_assert_eq!(hits, usize::from(inside), "at {:?}", free);
            let expected = if inside { total(&pieces, &point).0 } else { Rational::ZERO };
            prop_assert_eq!(value, expected, "at {:?}", free);
        }
    }

    #[test]
    fn counting_twice_is_counting_once(sample in samples(1, 2)) {
        let universe = System::universe(sample.system.variables);
        let mut budget = Budget::new(1_000);
        let whole = affordable(count(&sample.system, &[2, 3].map(Column::new), &universe, &mut budget))?;
        let mut twice = Vec::new();
        for piece in affordable(count(&sample.system, &[3].map(Column::new), &universe, &mut budget))? {
            let outer = sum(&piece.domain, &piece.value, &[2].map(Column::new), &universe, &mut budget);
            if outer != Err(Refusal::Unbounded) {
                twice.extend(affordable(outer)?);
            } else {
                return Err(TestCaseError::reject("bounded only together"));
            }
        }
        for value in -4..8 {
            let point = [value, 0, 0];
            prop_assert_eq!(total(&whole, &point).0, total(&twice, &point).0);
            prop_assert_eq!(columns_at(&universe, &point).len(), 3);
        }
    }
}
