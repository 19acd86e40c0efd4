//! Random systems are of all kinds.

use crate::common::{Sample, any_sample, enumerated, samples};
use crate::count::STEPS;
use premiss_presburger::{
    Affine, Budget, Column, Polynomial, Rational, Refusal, System, combine, sum,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

const SAMPLES: usize = 400;

/// The columns that constraints depend on, directly or by floors.
fn constrained(sample: &Sample) -> Vec<Column> {
    let system = &sample.system;
    let forms = system.equalities.iter().chain(&system.inequalities);
    let mut open: Vec<Column> = forms.flat_map(Affine::support).collect();
    let mut found = Vec::new();
    while let Some(column) = open.pop() {
        if !found.contains(&column) {
            found.push(column);
            if let Some(floor) = system.floor_at(column) {
                open.extend(system.floors[floor].numerator.support());
            }
        }
    }
    found
}

/// Whether constraints depend on a floor of counted columns: an existential variable, in other words.
fn has_existential(sample: &Sample) -> bool {
    let counted = sample.over();
    let needed = constrained(sample);
    let system = &sample.system;
    let mut floors = system.floors.iter().enumerate();
    floors.any(|(index, floor)| {
        needed.contains(&system.floor_column(index))
            && floor.numerator.support().any(|x| counted.contains(&x))
    })
}

/// At how many of the free values looked at there is no point, and at how many there is one.
fn empty_and_full(sample: &Sample) -> (usize, usize) {
    let counted = Sample {
        weight: Polynomial::one(),
        ..sample.clone()
    };
    let points = sample.free_points();
    let is_empty = |free: &&Vec<i128>| enumerated(&counted, free) == Rational::ZERO;
    let empty = points.iter().filter(is_empty).count();
    (empty, points.len() - empty)
}

#[test]
fn all_kinds_are_usual() {
    let mut runner = TestRunner::deterministic();
    let mut kinds = [
        ("with floors that matter", 0),
        ("with floors of counted columns", 0),
        ("with equalities", 0),
        ("empty everywhere", 0),
        ("empty for some sizes only", 0),
        ("never empty", 0),
    ];
    for _ in 0..SAMPLES {
        let tree = any_sample().new_tree(&mut runner);
        let sample = tree.expect("no filters").current();
        let needed = constrained(&sample);
        let (empty, full) = empty_and_full(&sample);
        let is_of_kind = [
            needed
                .iter()
                .any(|column| sample.system.floor_at(*column).is_some()),
            has_existential(&sample),
            !sample.system.equalities.is_empty(),
            full == 0,
            0 < empty && 0 < full,
            empty == 0,
        ];
        for (kind, holds) in kinds.iter_mut().zip(is_of_kind) {
            kind.1 += usize::from(holds);
        }
    }
    for (kind, count) in kinds {
        assert!(
            SAMPLES / 20 < count,
            "{count} of {SAMPLES} {kind}: {kinds:?}"
        );
    }
}

/// What the comparisons leave out is little.
#[test]
fn refusals_are_rare() {
    let mut runner = TestRunner::deterministic();
    let (mut too_much_work, mut too_large) = (0, 0);
    for _ in 0..SAMPLES {
        let tree = any_sample().new_tree(&mut runner);
        let sample = tree.expect("no filters").current();
        let universe = System::universe(sample.system.variables);
        let mut budget = Budget::new(STEPS);
        let over = sample.over();
        match sum(
            &sample.system,
            &sample.weight,
            &over,
            &universe,
            &mut budget,
        ) {
            Err(Refusal::Budget) => too_much_work += 1,
            Err(Refusal::Overflow) => too_large += 1,
            other => assert!(other.is_ok(), "{other:?}"),
        }
    }
    assert!(too_much_work < SAMPLES / 10, "{too_much_work} of {SAMPLES}");
    assert!(too_large < SAMPLES / 100, "{too_large} of {SAMPLES}");
}

/// The same for pieces of several systems that are combined: their floors may be too many for one.
#[test]
fn combinations_are_seldom_too_large() {
    let mut runner = TestRunner::deterministic();
    let mut too_large = 0;
    for _ in 0..SAMPLES / 4 {
        let tree = proptest::collection::vec(samples(2, 1), 1..4).new_tree(&mut runner);
        let universe = System::universe(3);
        let mut pieces = Vec::new();
        for part in tree.expect("no filters").current() {
            let mut budget = Budget::new(2_000);
            let found = sum(
                &part.system,
                &part.weight,
                &part.over(),
                &universe,
                &mut budget,
            );
            pieces.extend(found.unwrap_or_default());
        }
        let combined = combine(&universe, &pieces, &mut Budget::new(2_000));
        too_large += usize::from(combined.err() == Some(Refusal::Overflow));
    }
    assert!(
        too_large < SAMPLES / 4 / 20,
        "{too_large} of {}",
        SAMPLES / 4
    );
}
