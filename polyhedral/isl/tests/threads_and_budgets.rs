//! Contexts of several threads, what is allowed to each, and that nothing is left behind.

use std::thread;

use premiss_isl::{Extremum, Set, SetSpace, with_budget};
use premiss_presburger::{Affine, Column, Refusal, System};

const SHAPE: SetSpace = SetSpace {
    parameters: 1,
    variables: 2,
};

const LINE: SetSpace = SetSpace {
    variables: 1,
    ..SHAPE
};

fn form(coefficients: &[i64]) -> Affine {
    Affine::new(coefficients.to_vec())
}

/// `{ (i, j) : 0 <= i, j < n; i + 2j divisible by `stride` }`.
fn grid(stride: i64) -> Result<Set, Refusal> {
    let mut system = System::universe(3);
    let rows: [&[i64]; 4] = [
        &[0, 0, 1, 0],
        &[-1, 1, -1, 0],
        &[0, 0, 0, 1],
        &[-1, 1, 0, -1],
    ];
    system.inequalities = rows.map(form).to_vec();
    system.add_floor(&form(&[0, 0, 1, 2]), stride);
    system.equalities.push(form(&[0, 0, 1, 2, -stride]));
    Set::from_systems(SHAPE, &[system])
}

/// Work through all kinds of operations; the number of points at n = 12.
fn work(stride: i64) -> Result<usize, Refusal> {
    let (all, some) = (grid(stride)?, grid(2 * stride)?);
    let rest = all.subtract(&some)?.coalesce()?;
    let both = rest.union(&some)?.gist(&Set::universe(SHAPE)?)?;
    let flipped = both.image(
        SHAPE,
        &[
            Affine::variable(4, Column::new(3)),
            Affine::variable(4, Column::new(2)),
        ],
    )?;
    let back = flipped.preimage(
        SHAPE,
        &[
            Affine::variable(4, Column::new(3)),
            Affine::variable(4, Column::new(2)),
        ],
    )?;
    assert_eq!(back.is_equal(&all), Ok(true));
    let widest = all
        .maximum(Column::new(3))?
        .into_iter()
        .map(|piece| piece.domain);
    let projected = widest.reduce(|a, b| a.union(&b).expect("a set"));
    assert_eq!(
        projected.map(|set| set.is_equal(&all.project(Column::new(3), 1)?)),
        Some(Ok(true))
    );
    let systems = back.disjoint()?.fix(Column::new(1), 12)?.systems()?;
    let inside = |i: i128, j: i128| {
        let contains = |system: &&System| system.contains(&[12, i, j]).expect("small");
        systems.iter().filter(contains).count()
    };
    Ok((0..144).map(|x| inside(x / 12, x % 12)).sum())
}

/// Counted directly.
fn expected(stride: i64) -> usize {
    let points = (0..144).filter(|x| (x / 12 + 2 * (x % 12)) % stride == 0);
    points.count()
}

#[test]
fn every_thread_works_on_its_own() {
    let thread = |stride: i64| {
        thread::spawn(move || {
            for _ in 0..20 {
                assert_eq!(work(stride), Ok(expected(stride)));
            }
        })
    };
    let threads: Vec<_> = (2..8).map(thread).collect();
    for thread in threads {
        thread.join().expect("no thread fails");
    }
}

#[test]
fn a_budget_is_of_one_thread() {
    let outcome = with_budget(0, || {
        let other = thread::spawn(|| work(3)).join().expect("no panic");
        assert_eq!(other, Ok(expected(3)));
        work(3)
    });
    assert_eq!(outcome, Err(Refusal::Budget));
    assert_eq!(work(3), Ok(expected(3)));
}

/// The union of the domains of a greatest or least value.
fn domains(extrema: &[Extremum]) -> Result<Set, Refusal> {
    let line = Set::empty(LINE)?;
    extrema
        .iter()
        .try_fold(line, |all, extremum| all.union(&extremum.domain))
}

/// Wherever an operation is broken off, its operands and everything after are sound, and where it is
/// not, it has the result that it has without a budget.
#[test]
fn every_operation_can_be_broken_off_anywhere() {
    let (all, some) = (grid(3).expect("a set"), grid(4).expect("a set"));
    let form = [form(&[0, 0, 1, -1])];
    let distances = all.image(LINE, &form).expect("a set");
    // Made anew for each attempt: isl keeps what it finds out about a set.
    let both = || all.union(&some);
    type Work<'a> = Box<dyn Fn() -> Result<Set, Refusal> + 'a>;
    let works: Vec<Work> = vec![
        Box::new(|| grid(3)),
        Box::new(|| all.subtract(&some)),
        Box::new(|| all.intersect(&some)),
        Box::new(|| both()?.disjoint()),
        Box::new(|| both()?.coalesce()),
        Box::new(|| both()?.simple_hull()),
        Box::new(|| both()?.detect_equalities()),
        Box::new(|| both()?.remove_redundancies()),
        Box::new(|| both()?.gist(&some)),
        Box::new(|| Set::from_systems(SHAPE, &both()?.systems()?)),
        Box::new(|| {
            if both()?.is_equal(&all)? {
                both()
            } else {
                grid(5)
            }
        }),
        Box::new(|| {
            if all.subtract(&both()?)?.is_empty()? {
                both()
            } else {
                grid(5)
            }
        }),
        Box::new(|| both()?.project(Column::new(2), 1)),
        Box::new(|| both()?.insert(Column::new(2), 2)?.fix(Column::new(2), 1)),
        Box::new(|| both()?.image(LINE, &form)),
        Box::new(|| distances.preimage(SHAPE, &form)),
        Box::new(|| domains(&both()?.maximum(Column::new(2))?)),
        Box::new(|| domains(&both()?.minimum(Column::new(3))?)),
    ];
    for (index, work) in works.iter().enumerate() {
        let expected = work().expect("a set");
        // Every budget up to a thousand, then ever larger ones.
        let mut ended = 0;
        for operations in (0..1000).chain((10..24).map(|power| 1 << power)) {
            match with_budget(operations, work) {
                Ok(set) => {
                    ended += 1;
                    assert_eq!(
                        set.is_equal(&expected),
                        Ok(true),
                        "work {index}, {operations}"
                    );
                }
                Err(refusal) => assert_eq!(refusal, Refusal::Budget, "work {index}"),
            }
        }
        assert!(
            (1..1014).contains(&ended),
            "work {index} ended {ended} times"
        );
    }
    assert_eq!(all.is_equal(&grid(3).expect("a set")), Ok(true));
    assert_eq!(some.is_equal(&grid(4).expect("a set")), Ok(true));
}

/// The least budget that is enough for some work. It varies by a few operations, as isl keeps some
/// of the memory that it gave back.
fn cost(work: impl Fn() -> Result<(), Refusal>) -> u64 {
    let mut costs = 0..1_000_000;
    let enough = costs.find(|operations| with_budget(*operations, &work).is_ok());
    enough.expect("work that ends")
}

#[test]
fn inner_work_counts_against_the_outer_budget() {
    let single = || grid(5).map(drop);
    let one = cost(single);
    let about = |expected: u64| expected - one / 8..=expected + one / 8;
    for inner in [one + one / 8, 10 * one, u64::MAX] {
        assert!(about(one).contains(&cost(|| with_budget(inner, single))));
    }
    let twice = || {
        with_budget(10 * one, single)?;
        single()
    };
    assert!(about(2 * one).contains(&cost(twice)));
    let half_refused = || {
        assert_eq!(with_budget(one / 2, single), Err(Refusal::Budget));
        single()
    };
    assert!(about(one + one / 2).contains(&cost(half_refused)));
    let deeper = || with_budget(3 * one, || with_budget(u64::MAX, twice));
    assert!(about(2 * one).contains(&cost(deeper)));
    let too_deep = || with_budget(one + one / 2, || with_budget(u64::MAX, twice));
    assert_eq!(with_budget(u64::MAX, too_deep), Err(Refusal::Budget));
}

#[test]
fn a_panic_within_leaves_no_budget_behind() {
    let broken = || with_budget(0, || -> Result<(), Refusal> { panic!("on purpose") });
    std::panic::catch_unwind(broken).expect_err("a panic");
    assert_eq!(work(3), Ok(expected(3)));
}
