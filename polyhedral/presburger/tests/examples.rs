//! Counts that can be checked by hand.

use premiss_presburger::{
    Affine, Budget, Column, Evaluator, Polynomial, Refusal, System, combine, count, disjoint, sum,
};

fn columns<const N: usize>(numbers: [usize; N]) -> [Column; N] {
    numbers.map(Column::new)
}

/// A system over so many variables with these forms not negative.
fn system(variables: usize, rows: &[&[i64]]) -> System {
    let mut system = System::universe(variables);
    system.inequalities = rows.iter().map(|row| Affine::new(row.to_vec())).collect();
    system
}

/// The combined count, each piece as `value if conditions`.
fn counted(system: &System, over: &[Column], context: &System, names: &[&str]) -> Vec<String> {
    let mut budget = Budget::new(10_000);
    let pieces = count(system, over, context, &mut budget).expect("bounded");
    let pieces = combine(context, &pieces, &mut budget).expect("small");
    let text = |piece: &premiss_presburger::Piece| {
        let names = piece.domain.names(names);
        let lean = piece.domain.without_redundant(context).expect("small");
        let conditions = lean.conditions(&lean.names(&names[..lean.variables]));
        format!(
            "{} if {}",
            piece.value.formula(&names),
            conditions.join(" and ")
        )
    };
    pieces.iter().map(text).collect()
}

#[test]
fn a_triangle() {
    // 0 <= i <= j < N; at N = -1 the polynomial happens to be nothing as well.
    let triangle = system(3, &[&[0, 0, 1, 0], &[0, 0, -1, 1], &[-1, 1, 0, -1]]);
    let found = counted(&triangle, &columns([2, 3]), &System::universe(3), &["N"]);
    assert_eq!(found, ["N^2/2 + N/2 if N >= -1", "0 if N <= -2"]);
    let context = system(3, &[&[-1, 1, 0, 0]]);
    assert_eq!(
        counted(&triangle, &columns([2, 3]), &context, &["N"]),
        ["N^2/2 + N/2 if "]
    );
}

#[test]
fn lines_of_a_row() {
    // 8c <= i <= 8c + 7 for some 0 <= i < N: the lines that N elements touch.
    let touched = system(2, &[&[0, 0, 1], &[-1, 1, -8]]);
    let context = system(2, &[&[-1, 1, 0]]);
    let found = counted(&touched, &columns([2]), &context, &["N"]);
    assert_eq!(found, ["floor((N+7)/8) if "]);
}

#[test]
fn a_floor_of_a_number_is_that_number() {
    // 0 <= i < N + floor(7/4).
    let mut touched = system(2, &[&[0, 0, 1]]);
    touched.add_floor(&Affine::constant(3, 7), 4);
    touched.inequalities.push(Affine::new(vec![-1, 1, -1, 1]));
    let context = system(2, &[&[-1, 1, 0]]);
    let found = counted(&touched, &columns([2]), &context, &["N"]);
    assert_eq!(found, ["N + 1 if "]);
}

#[test]
fn known_remainders_leave_no_floor() {
    // 8c <= 8n + r - 1 with 0 <= r < 8: n lines, and one more for 0 < r.
    let touched = system(3, &[&[0, 0, 0, 1], &[-1, 8, 1, -8]]);
    let context = system(3, &[&[0, 1, 0, 0], &[0, 0, 1, 0], &[7, 0, -1, 0]]);
    let found = counted(&touched, &columns([3]), &context, &["n", "r"]);
    assert_eq!(found, ["n if r <= 0", "n + 1 if r >= 1"]);
}

#[test]
fn even_numbers() {
    // 0 <= x <= N, x = 2·floor(x/2)
    let mut even = system(2, &[&[0, 0, 1], &[0, 1, -1]]);
    let half = even.add_floor(&Affine::variable(3, Column::new(2)), 2);
    let double = Affine::variable(4, half).times(-2).expect("small");
    even.equalities.push(
        double
            .plus(1, &Affine::variable(4, Column::new(2)))
            .expect("small"),
    );
    let context = system(2, &[&[0, 1, 0]]);
    let mut budget = Budget::new(1_000);
    let pieces = count(&even, &columns([2]), &context, &mut budget).expect("bounded");
    let evaluator = Evaluator::new(2, &pieces);
    for n in 0..40 {
        let found = evaluator.at(&[n, 0]).expect("fits").to_integer();
        assert_eq!(found, Some(n / 2 + 1), "N = {n}");
    }
}

#[test]
fn solutions_of_an_equation() {
    // 3x + 5y = N, 0 <= x, 0 <= y: how N is paid with coins of 3 and 5.
    let mut coins = system(3, &[&[0, 0, 1, 0], &[0, 0, 0, 1]]);
    coins.equalities = vec![Affine::new(vec![0, -1, 3, 5])];
    let mut budget = Budget::new(1_000);
    let pieces =
        count(&coins, &columns([2, 3]), &System::universe(3), &mut budget).expect("bounded");
    let evaluator = Evaluator::new(3, &pieces);
    for n in -5..100_i128 {
        let ways = (0..=n / 5)
            .filter(|y| 0 <= n - 5 * y && (n - 5 * y) % 3 == 0)
            .count();
        let found = evaluator.at(&[n, 0, 0]).expect("fits").to_integer();
        assert_eq!(found, i128::try_from(ways).ok(), "N = {n}");
    }
}

#[test]
fn sums_of_a_weight() {
    // Σ i·N over 1 <= i <= N
    let interval = system(2, &[&[-1, 0, 1], &[0, 1, -1]]);
    let [n, i] = columns([1, 2]).map(|column| Polynomial::variable(column).expect("small"));
    let weight = n.times(&i).expect("small");
    let context = system(2, &[&[0, 1, 0]]);
    let mut budget = Budget::new(100);
    let pieces = sum(&interval, &weight, &columns([2]), &context, &mut budget).expect("bounded");
    let [piece] = &pieces[..] else {
        panic!("one piece: {pieces:?}");
    };
    assert_eq!(
        piece.value.formula(&piece.domain.names(&["N"])),
        "N^3/2 + N^2/2"
    );
}

#[test]
fn what_has_no_bound_is_refused() {
    let ray = system(2, &[&[0, 0, 1]]);
    let universe = System::universe(2);
    let ask =
        |system: &System, steps| count(system, &columns([2]), &universe, &mut Budget::new(steps));
    assert_eq!(ask(&ray, 100), Err(Refusal::Unbounded));
    let empty = system(2, &[&[0, 0, 1], &[-1, 1, 0], &[0, -1, 0]]);
    assert_eq!(ask(&empty, 100), Ok(Vec::new()));
    assert_eq!(
        ask(&system(2, &[&[0, 0, 1], &[0, 1, -1]]), 1),
        Err(Refusal::Budget)
    );
}

#[test]
fn coefficients_at_their_limits_are_refused_or_right() {
    let extreme = system(2, &[&[i64::MIN, 0, 1], &[i64::MAX, i64::MIN, -3]]);
    let universe = System::universe(2);
    let result = count(&extreme, &columns([2]), &universe, &mut Budget::new(1_000));
    assert!(
        matches!(result, Ok(_) | Err(Refusal::Overflow)),
        "{result:?}"
    );
    // 2^63·(x + y + 1) <= 0 <= x + y: no point, if it is noticed without overflow.
    let opposed = system(2, &[&[i64::MIN, i64::MIN, i64::MIN], &[0, 1, 1]]);
    let result = count(&opposed, &columns([2]), &universe, &mut Budget::new(1_000));
    assert!(result.is_err() || result == Ok(Vec::new()), "{result:?}");
}

#[test]
fn gaps_between_integers_are_empty() {
    // 1 <= 2x <= 1, and 3x + 6y = 4
    assert!(system(1, &[&[-1, 2], &[1, -2]]).is_infeasible());
    let mut odd = System::universe(2);
    odd.equalities = vec![Affine::new(vec![-4, 3, 6])];
    assert!(odd.is_infeasible());
    assert!(!system(1, &[&[-2, 2], &[2, -2]]).is_infeasible());
    let interval = system(1, &[&[-3, 1], &[5, -1]]);
    assert!(interval.implies(&Affine::new(vec![-2, 1])));
    assert!(!interval.implies(&Affine::new(vec![-4, 1])));
}

#[test]
fn overlapping_intervals() {
    let [a, b] = [
        system(1, &[&[0, 1], &[9, -1]]),
        system(1, &[&[-5, 1], &[14, -1]]),
    ];
    let union = disjoint(&[a, b], &System::universe(1), &mut Budget::new(100)).expect("small");
    let conditions: Vec<Vec<String>> = union
        .iter()
        .map(|part| {
            let lean = part.without_redundant(&System::universe(1)).expect("small");
            lean.conditions(&lean.names(&["x"]))
        })
        .collect();
    assert_eq!(conditions, [["x >= 0", "x <= 9"], ["x <= 14", "x >= 10"]]);
}

/// Found by random search: bounds divided again and again, whose sums outgrow 128 bits.
#[test]
fn sums_that_do_not_fit_are_refused() {
    let mut set = System::universe(4);
    set.add_floor(&Affine::new(vec![2, -1, 0, 1, 0]), 8);
    set.add_floor(&Affine::new(vec![-5, 0, -1, 0, 1, 0]), 4);
    let rows = [
        [0, 0, -1, 1, 9, 0, 7],
        [1, 1, -6, 1, -1, 1, 0],
        [0, 0, 0, -1, 0, 1, 0],
        [-3, 0, -1, -1, -1, -1, 1],
        [3, 0, 0, 1, 0, 0, 0],
        [-2, 0, 0, -1, 0, 0, 0],
        [1, 0, 0, 0, 1, 0, 0],
        [3, 0, 1, 0, -1, 0, 0],
    ];
    set.inequalities = rows.map(|row| Affine::new(row.to_vec())).to_vec();
    let floor = |column| {
        Polynomial::from_affine(&Affine::variable(7, Column::new(column)))
            .expect("a column of the system")
    };
    let weight = floor(5).times(&floor(6)).expect("small");
    let context = System::universe(4);
    let found = sum(
        &set,
        &weight,
        &columns([3, 4]),
        &context,
        &mut Budget::new(5_000),
    );
    assert_eq!(found, Err(Refusal::Overflow));
}

#[test]
fn hundreds_of_sizes_hide_no_contradiction() {
    // x + y <= most, 2 <= x, 2 <= y, and 0 <= n or n <= x + y for each of 300 others.
    let infeasible = |most: i64| {
        let mut rows = vec![vec![0; 303]; 303];
        (rows[0][0], rows[0][1], rows[0][2]) = (most, -1, -1);
        (rows[1][0], rows[1][1]) = (-2, 1);
        (rows[2][0], rows[2][2]) = (-2, 1);
        for (idx, row) in rows.iter_mut().enumerate().skip(3) {
            match idx % 3 {
                0 => (row[idx], row[1], row[2]) = (-1, 1, 1),
                _ => row[idx] = 1,
            }
        }
        let rows: Vec<&[i64]> = rows.iter().map(Vec::as_slice).collect();
        system(302, &rows).is_infeasible()
    };
    assert!(infeasible(3));
    assert!(!infeasible(4));
}
