//! Sets without bounds are refused, and only what has bounds is counted.

use crate::common::{Sample, cases, config, enumerated_within, samples, total};
use premiss_presburger::{Affine, Budget, Column, Polynomial, Refusal, System, count};
use proptest::prelude::*;

/// As far as is looked for points: equalities give none beyond.
const WIDE: (i128, i128) = (-1500, 1500);

/// Without one bound of a counted column: the lower one, or the upper one.
fn open(mut sample: Sample, lower: bool) -> Sample {
    let column = Column::at_place(sample.free);
    let sign = if lower { 1 } else { -1 };
    let is_bound = |form: &Affine| {
        let others = form.support().filter(|x| *x != column);
        form.coefficient(column) == sign && others.count() <= usize::from(!lower)
    };
    let bounds = &mut sample.system.inequalities;
    if let Some(index) = bounds.iter().rposition(is_bound) {
        bounds.remove(index);
    }
    sample.weight = Polynomial::one();
    sample
}

fn unbounded_sample() -> impl Strategy<Value = Sample> {
    let sample = prop_oneof![1 => samples(0, 1), 3 => samples(1, 1)];
    (sample, any::<bool>()).prop_map(|(sample, lower)| open(sample, lower))
}

proptest! {
    #![proptest_config(config(cases()))]

    #[test]
    fn what_is_counted_is_bounded(sample in unbounded_sample()) {
        let universe = System::universe(sample.system.variables);
        let found = count(&sample.system, &sample.over(), &universe, &mut Budget::new(5_000));
        match found {
            Ok(pieces) => for free in sample.free_points() {
                let point = [&free[..], &[0]].concat();
                let expected = enumerated_within(WIDE, &sample, &free);
                prop_assert_eq!(total(&pieces, &point).0, expected, "at {:?}", free);
            },
            Err(Refusal::Unbounded) => {
                // Some constraint on the column must be missing.
                let system = &sample.system;
                let column = Column::at_place(sample.free);
                let is_free = system.equalities.iter().all(|form| form.coefficient(column) == 0);
                let signs = system.inequalities.iter().map(|form| form.coefficient(column).signum());
                let has_both = [1, -1].iter().all(|sign| signs.clone().any(|x| x == *sign));
                let floors = !system.floors.is_empty();
                prop_assert!(floors || (is_free && !has_both), "it has bounds");
            }
            other => prop_assert_eq!(other.err(), Some(Refusal::Budget)),
        }
    }
}

#[test]
fn both_outcomes_are_usual() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut counted, mut refused) = (0, 0);
    for _ in 0..300 {
        let sample = unbounded_sample()
            .new_tree(&mut runner)
            .expect("no filters")
            .current();
        let universe = System::universe(sample.system.variables);
        match count(
            &sample.system,
            &sample.over(),
            &universe,
            &mut Budget::new(5_000),
        ) {
            Ok(_) => counted += 1,
            Err(Refusal::Unbounded) => refused += 1,
            Err(_) => {}
        }
    }
    assert!(
        60 < counted && 60 < refused,
        "{counted} counted, {refused} refused"
    );
}
