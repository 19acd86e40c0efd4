//! Small sets, by hand.

use premiss_isl::{Set, SetSpace, with_budget};
use premiss_presburger::{Affine, Column, Refusal, System};

const LINE: SetSpace = SetSpace {
    parameters: 1,
    variables: 1,
};
const PLANE: SetSpace = SetSpace {
    parameters: 1,
    variables: 2,
};

fn form(coefficients: &[i64]) -> Affine {
    Affine::new(coefficients.to_vec())
}

fn system(variables: usize, inequalities: &[&[i64]]) -> System {
    let mut system = System::universe(variables);
    system.inequalities = inequalities.iter().map(|row| form(row)).collect();
    system
}

/// `{ i : 0 <= i < n }`.
fn interval() -> Set {
    let inside = system(2, &[&[0, 0, 1], &[-1, 1, -1]]);
    Set::from_systems(LINE, &[inside]).expect("a set")
}

#[test]
fn greatest_even_number() {
    let mut even = system(2, &[&[0, 0, 1], &[-1, 1, -1]]);
    even.add_floor(&Affine::variable(3, Column::new(2)), 2);
    even.equalities.push(form(&[0, 0, 1, -2]));
    let even = Set::from_systems(LINE, &[even]).expect("a set");
    assert!(even.has_floors().expect("known"));
    let greatest = even.maximum(Column::new(2)).expect("bounded");
    assert_eq!(greatest.len(), 1, "{greatest:?}");
    let found = &greatest[0];
    for n in 1..20 {
        let numerator = found.floors[0].numerator.at(&[n, 0]).expect("fits");
        let floor = numerator.div_euclid(i128::from(found.floors[0].denominator));
        assert_eq!(found.value.at(&[n, floor]), Ok((n - 1) / 2 * 2));
    }
}

#[test]
fn no_greatest_number() {
    let half = system(2, &[&[0, 0, 1]]);
    let half = Set::from_systems(LINE, &[half]).expect("a set");
    assert_eq!(
        half.maximum(Column::new(2)).unwrap_err(),
        Refusal::Unbounded
    );
}

#[test]
fn a_square_projects_to_its_side() {
    let side = interval();
    let (below, above) = (
        side.insert(Column::new(2), 1),
        side.insert(Column::new(3), 1),
    );
    let square = below.and_then(|set| set.intersect(&above?)).expect("a set");
    assert_eq!(square.shape(), PLANE);
    for column in [2, 3].map(Column::new) {
        let projected = square.project(column, 1).expect("a set");
        assert_eq!(projected.is_equal(&side), Ok(true), "{projected:?}");
    }
    let sum = square.image(LINE, &[form(&[0, 0, 1, 1])]).expect("a set");
    let sums = Set::from_systems(LINE, &[system(2, &[&[0, 0, 1], &[-2, 2, -1]])]);
    let sums = sums.expect("a set");
    let some = Set::from_systems(LINE, &[system(2, &[&[-1, 1, 0]])]).expect("a set");
    assert_eq!(
        sum.is_equal(&sums.intersect(&some).expect("a set")),
        Ok(true)
    );
}

#[test]
fn large_coefficients_pass_and_larger_ones_are_refused() {
    let large = system(2, &[&[i64::MAX, 0, -1], &[i64::MAX, 0, 1]]);
    let set = Set::from_systems(LINE, std::slice::from_ref(&large)).expect("a set");
    assert_eq!(set.systems().expect("fits").len(), 1);
    let twice = set.image(LINE, &[form(&[0, 0, 2])]).expect("a set");
    assert_eq!(twice.systems().unwrap_err(), Refusal::Overflow);
    assert_eq!(set.systems().expect("fits"), [large]);
}

#[test]
fn a_budget_ends_what_it_is_for() {
    let side = interval();
    let work = || {
        side.insert(Column::new(2), 1)?
            .is_equal(&side.insert(Column::new(3), 1)?)
    };
    assert_eq!(with_budget(0, work), Err(Refusal::Budget));
    assert_eq!(work(), Ok(false));
    assert_eq!(with_budget(100_000, work), Ok(false));
}

#[test]
fn a_set_is_printed_also_where_nothing_is_allowed() {
    let side = interval();
    assert_eq!(format!("{side:?}"), "[p0] -> { [i0] : 0 <= i0 < p0 }");
    let printed = with_budget(0, || Ok(format!("{side:?}"))).expect("no operation");
    assert!(printed.starts_with("a set (the effort"), "{printed}");
}
