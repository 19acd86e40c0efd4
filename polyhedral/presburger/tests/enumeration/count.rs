//! Counts and sums of random systems are those of enumeration.

use crate::common::{
    Sample, affordable, any_sample, cases, columns_at, config, enumerated, samples, total,
};
use premiss_presburger::{Budget, Column, Evaluator, Piece, System, sum};
use proptest::prelude::*;

/// As much work as is done for one sample.
pub(crate) const STEPS: u64 = 5_000;

/// Sums, and compares at all free values.
fn check(sample: &Sample, context: &System) -> Result<(), TestCaseError> {
    let mut budget = Budget::new(STEPS);
    let over = sample.over();
    let pieces = sum(&sample.system, &sample.weight, &over, context, &mut budget);
    let pieces = affordable(pieces)?;
    no_counted_column(&pieces, &over)?;
    let evaluator = Evaluator::new(sample.system.variables, &pieces);
    for free in sample.free_points() {
        let point = [&free[..], &vec![0; sample.counted]].concat();
        if crate::common::holds(context, &point) {
            let found = total(&pieces, &point).0;
            prop_assert_eq!(found, enumerated(sample, &free), "at {:?}", free);
            prop_assert_eq!(evaluator.at(&point), Ok(found));
        }
    }
    Ok(())
}

fn no_counted_column(pieces: &[Piece], over: &[Column]) -> Result<(), TestCaseError> {
    for Piece { domain, value } in pieces {
        let floors = domain.floors.iter().map(|floor| &floor.numerator);
        let forms = domain.equalities.iter().chain(&domain.inequalities);
        for form in forms.chain(floors) {
            prop_assert!(form.support().all(|column| !over.contains(&column)));
        }
        prop_assert!(value.support().iter().all(|column| !over.contains(column)));
        prop_assert!(columns_at(domain, &vec![0; domain.variables]).len() < 256);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(cases()))]

    #[test]
    fn sums_are_those_of_enumeration(sample in any_sample()) {
        check(&sample, &System::universe(sample.system.variables))?;
    }

    #[test]
    fn within_a_context_too(sample in samples(2, 2), context in samples(2, 2)) {
        let mut outside = context.system;
        // Bounds on counted columns are not heeded; constraints on them must not be there.
        outside.inequalities.retain(|form| form.support().all(|column| column.number() < 3));
        outside.equalities.clear();
        check(&sample, &outside)?;
    }
}

proptest! {
    #![proptest_config(config(cases() / 8))]

    #[test]
    fn of_four_columns_too(sample in samples(0, 4)) {
        check(&sample, &System::universe(4))?;
    }
}
