//! Every operation on random sets, compared with enumeration: which points of a box are in the
//! result is what [`System::contains`] says of the operands, and of nothing that isl made of them.

use std::collections::BTreeSet;

use premiss_isl::{Extremum, Set, SetSpace, with_budget};
use premiss_presburger::{Affine, Column, Refusal, System};
use proptest::collection::vec;
use proptest::prelude::*;

/// One parameter, two variables: columns 1, 2 and 3.
const SHAPE: SetSpace = SetSpace {
    parameters: 1,
    variables: 2,
};
const LINE: SetSpace = SetSpace {
    variables: 1,
    ..SHAPE
};
/// Every random set is within `0 ..= SIDE` in each column.
const SIDE: i64 = 5;

type Points = BTreeSet<Vec<i128>>;

/// All points of a box that surrounds the random sets.
fn surroundings(columns: usize) -> Vec<Vec<i128>> {
    (0..columns).fold(vec![vec![]], |points, _| {
        let extend = |point: &Vec<i128>| {
            let point = point.clone();
            let with = move |value| point.iter().copied().chain([value]).collect();
            (-1..=i128::from(SIDE) + 1).map(with)
        };
        points.iter().flat_map(extend).collect()
    })
}

fn points_of(variables: usize, systems: &[System]) -> Points {
    let inside = |point: &Vec<i128>| {
        let contains = |system: &System| system.contains(point).expect("small");
        systems.iter().any(contains)
    };
    surroundings(variables).into_iter().filter(inside).collect()
}

fn points(set: &Set) -> Points {
    let variables = set.shape().parameters + set.shape().variables;
    points_of(variables, &set.systems().expect("systems"))
}

fn set_of(systems: &[System]) -> Set {
    Set::from_systems(SHAPE, systems).expect("a set")
}

prop_compose! {
    fn coefficients(columns: usize)(
        constant in -7_i64..=7,
        rest in vec(prop_oneof![2 => Just(0), 3 => -3_i64..=3], columns - 1),
    ) -> Vec<i64> {
        [vec![constant], rest].concat()
    }
}

prop_compose! {
    fn system()(
        floors in vec((coefficients(5), 2_i64..=4), 0..=2),
        equalities in vec(coefficients(6), 0..=1),
        inequalities in vec(coefficients(6), 0..=3),
    ) -> System {
        let mut system = System::universe(3);
        for (numerator, denominator) in &floors {
            let columns = system.columns();
            system.add_floor(&Affine::new(numerator[..columns].to_vec()), *denominator);
        }
        let columns = system.columns();
        let forms = |rows: Vec<Vec<i64>>| -> Vec<Affine> {
            rows.into_iter().map(|row| Affine::new(row[..columns].to_vec())).collect()
        };
        system.equalities = forms(equalities);
        system.inequalities = forms(inequalities);
        for column in Column::variables(3) {
            let variable = Affine::variable(columns, column);
            let side = Affine::constant(columns, SIDE);
            system.inequalities.push(side.plus(-1, &variable).expect("small"));
            system.inequalities.push(variable);
        }
        system
    }
}

fn systems() -> impl Strategy<Value = Vec<System>> {
    vec(system(), 0..=2)
}

/// The points without a column.
fn without(points: &Points, column: Column) -> Points {
    let drop_column = |point: &Vec<i128>| {
        let mut point = point.clone();
        point.remove(column.place());
        point
    };
    points.iter().map(drop_column).collect()
}

/// The value of an extremum at a point of its domain.
fn value(extremum: &Extremum, point: &[i128]) -> i128 {
    let first = point.len();
    let mut columns = point.to_vec();
    columns.resize(first + extremum.floors.len(), 0);
    for (index, floor) in extremum.floors.iter().enumerate() {
        let numerator = floor.numerator.at(&columns).expect("small");
        columns[first + index] = numerator.div_euclid(i128::from(floor.denominator));
    }
    extremum.value.at(&columns).expect("small")
}

/// What the extrema say of every point: the values there are for it.
fn values(extrema: &[Extremum]) -> Vec<(Vec<i128>, i128)> {
    let mut all: Vec<(Vec<i128>, i128)> = Vec::new();
    for extremum in extrema {
        let of = |point: Vec<i128>| (point.clone(), value(extremum, &point));
        all.extend(points(&extremum.domain).into_iter().map(of));
    }
    all.sort();
    all
}

proptest! {
    #[test]
    fn there_and_back(a in systems()) {
        prop_assert_eq!(points(&set_of(&a)), points_of(3, &a));
    }

    #[test]
    fn floors_come_before_what_uses_them(a in systems()) {
        for system in set_of(&a).systems().expect("systems") {
            for (index, floor) in system.floors.iter().enumerate() {
                let mut behind = (index..system.floors.len()).map(|index| system.floor_column(index));
                prop_assert!(behind.all(|column| floor.numerator.coefficient(column) == 0));
            }
        }
    }

    #[test]
    fn two_sets(a in systems(), b in systems()) {
        let (p, q) = (points_of(3, &a), points_of(3, &b));
        let (a, b) = (set_of(&a), set_of(&b));
        prop_assert_eq!(points(&a.union(&b).expect("a set")), &p | &q);
        prop_assert_eq!(points(&a.intersect(&b).expect("a set")), &p & &q);
        prop_assert_eq!(points(&a.subtract(&b).expect("a set")), &p - &q);
        prop_assert_eq!(&points(&a.gist(&b).expect("a set")) & &q, &p & &q);
        prop_assert_eq!(a.is_subset(&b), Ok(p.is_subset(&q)));
        prop_assert_eq!(a.is_equal(&b), Ok(p == q));
        prop_assert_eq!(a.is_empty(), Ok(p.is_empty()));
    }

    #[test]
    fn other_forms_of_one_set(a in systems()) {
        let expected = points_of(3, &a);
        let a = set_of(&a);
        let forms = [a.coalesce(), a.detect_equalities(), a.remove_redundancies()];
        for other in forms {
            let other = other.expect("a set");
            prop_assert_eq!(points(&other), expected.clone());
            prop_assert_eq!(other.is_equal(&a), Ok(true));
        }
        prop_assert!(expected.is_subset(&points(&a.simple_hull().expect("a set"))));
        let apart = a.disjoint().expect("a set").systems().expect("systems");
        let all: Vec<Points> = apart.iter().map(|one| points_of(3, std::slice::from_ref(one))).collect();
        prop_assert_eq!(all.iter().map(Points::len).sum::<usize>(), expected.len());
        prop_assert_eq!(all.into_iter().flatten().collect::<Points>(), expected);
    }

    #[test]
    fn fewer_and_more_columns(a in systems(), column in (2_usize..=3).prop_map(Column::new), at in (2_usize..=4).prop_map(Column::new)) {
        let expected = points_of(3, &a);
        let a = set_of(&a);
        let projected = a.project(column, 1).expect("a set");
        prop_assert_eq!(points(&projected), without(&expected, column));
        let inserted = a.insert(at, 1).expect("a set");
        prop_assert_eq!(inserted.involves(at), Ok(false));
        let grown = |value| move |point: &Vec<i128>| {
            let mut point = point.clone();
            point.insert(at.place(), value);
            point
        };
        let all = (-1..=i128::from(SIDE) + 1).flat_map(|value| expected.iter().map(grown(value)));
        prop_assert_eq!(points(&inserted), all.collect::<Points>());
    }

    #[test]
    fn fixed_columns(a in systems(), column in (1_usize..=3).prop_map(Column::new), at in -1..=SIDE + 1) {
        let mut expected = points_of(3, &a);
        expected.retain(|point| point[column.place()] == i128::from(at));
        prop_assert_eq!(points(&set_of(&a).fix(column, at).expect("a set")), expected);
    }

    #[test]
    fn images(a in systems(), map in coefficients(4)) {
        let form = Affine::new(map);
        let image = set_of(&a).image(LINE, std::slice::from_ref(&form)).expect("a set");
        let mut expected = Points::new();
        for point in points_of(3, &a) {
            expected.insert(vec![point[0], form.at(&point).expect("small")]);
        }
        let near = surroundings(2).into_iter().collect::<Points>();
        prop_assert_eq!(points(&image), &expected & &near);
    }

    #[test]
    fn preimages(a in systems(), first in coefficients(3), second in coefficients(3)) {
        let map = [Affine::new(first), Affine::new(second)];
        let preimage = set_of(&a).preimage(LINE, &map).expect("a set");
        let inside = |x: &Vec<i128>| {
            let image = [x[0], map[0].at(x).expect("small"), map[1].at(x).expect("small")];
            a.iter().any(|system| system.contains(&image).expect("small"))
        };
        let expected: Points = surroundings(2).into_iter().filter(inside).collect();
        prop_assert_eq!(points(&preimage), expected);
    }

    #[test]
    fn extrema(a in systems(), column in (2_usize..=3).prop_map(Column::new)) {
        let all = points_of(3, &a);
        let a = set_of(&a);
        let rests = without(&all, column);
        let range = |rest: &Vec<i128>| {
            let fits = |point: &&Vec<i128>| without(&Points::from([(*point).clone()]), column).contains(rest);
            let mut values = all.iter().filter(fits).map(|point| point[column.place()]);
            let first = values.next().expect("a point");
            values.fold((first, first), |(least, most), x| (least.min(x), most.max(x)))
        };
        let expected: Vec<_> = rests.iter().map(|rest| (rest.clone(), range(rest))).collect();
        let most: Vec<_> = expected.iter().map(|(rest, range)| (rest.clone(), range.1)).collect();
        let least: Vec<_> = expected.into_iter().map(|(rest, range)| (rest, range.0)).collect();
        prop_assert_eq!(values(&a.maximum(column).expect("bounded")), most);
        prop_assert_eq!(values(&a.minimum(column).expect("bounded")), least);
    }

    #[test]
    fn columns_that_nothing_mentions(a in system(), column in (1_usize..=3).prop_map(Column::new)) {
        let set = set_of(std::slice::from_ref(&a));
        if !set.involves(column).expect("known") {
            let free = surroundings(3).into_iter().all(|point| {
                let mut moved = point.clone();
                moved[column.place()] += 1;
                set.systems().expect("systems").iter().all(|system| system.contains(&point) == system.contains(&moved))
            });
            prop_assert!(free);
        }
        if !set.has_floors().expect("known") {
            prop_assert!(set.systems().expect("systems").iter().all(|system| system.floors.is_empty()));
        }
    }

    #[test]
    fn a_budget_ends_or_changes_nothing(a in systems(), b in systems(), operations in 0_u64..3000) {
        let (p, q) = (points_of(3, &a), points_of(3, &b));
        let (x, y) = (set_of(&a), set_of(&b));
        let work = || {
            let image = x.subtract(&y)?.disjoint()?.project(Column::new(2), 1)?;
            let most = x.union(&y)?.maximum(Column::new(3))?;
            Set::from_systems(LINE, &image.coalesce()?.systems()?)?.union(&most.first().map_or_else(|| Set::empty(LINE), |most| Ok(most.domain.clone()))?)?;
            Ok(image)
        };
        match with_budget(operations, work) {
            Ok(image) => prop_assert_eq!(points(&image), without(&(&p - &q), Column::new(2))),
            Err(refusal) => prop_assert_eq!(refusal, Refusal::Budget),
        }
        prop_assert_eq!(points(&x), p);
        prop_assert_eq!(points(&y), q);
    }
}
