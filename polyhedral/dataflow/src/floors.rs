//! A loop's last iteration without floors.
//!
//! With rows `8·i1 + i2` of strip-mined loops, the last iteration that touched a row is
//! `floor(row / 8)`: at a sink whose own row is `8·j1 + j2` with `0 <= j2 < 8`, that is `j1`. In
//! general a floor `floor((m·f + r) / m)` is `f + q` where `m·q <= r < m·(q + 1)`, and if `r` is
//! made of variables with small ranges there are few `q`.

use premiss_arithmetic::gcd;
use premiss_isl::{Extremum, Set};
use premiss_presburger::{Affine, Column, Refusal, System};

/// A floor is refused where its greatest and least value differ by more than this.
const CASES: i64 = 64;
/// Bounds beyond this are not looked for.
const FAR: i64 = 1 << 16;

/// A value that holds under conditions.
pub(crate) struct GuardedValue {
    /// Forms that are not negative.
    pub(crate) conditions: Vec<Affine>,
    /// The value.
    pub(crate) value: Affine,
}

/// What is known of the columns that a value is over.
pub(crate) struct Ranges<'a> {
    /// By column, where a small range is known at once.
    pub(crate) columns: Vec<Option<(i64, i64)>>,
    /// How many of the columns are sizes; they come first.
    pub(crate) sizes: usize,
    /// The set on which the value is needed.
    pub(crate) domain: &'a Set,
}

/// The value of an extremum, its columns replaced by forms over other columns.
///
/// # Errors
/// [`Refusal::Remainder`] where a floor takes too many values unless the remainder of a size is known,
/// [`Refusal::NotAffine`] where it does so anyway.
pub(crate) fn without_floors(
    extremum: &Extremum,
    substitution: &[Affine],
    ranges: &Ranges<'_>,
) -> Result<Vec<GuardedValue>, Refusal> {
    let width = ranges.columns.len();
    let mut cases = vec![(Vec::new(), substitution.to_vec())];
    for floor in &extremum.floors {
        let mut next = Vec::new();
        for (conditions, known) in cases {
            let columns = &floor.numerator.coefficients()[..=known.len()];
            let numerator = Affine::new(columns.to_vec()).substituted(&known, width)?;
            for case in quotients(&numerator, floor.denominator, ranges)? {
                let mut longer: Vec<Affine> = conditions.clone();
                longer.extend(case.conditions);
                let mut more = known.clone();
                more.push(case.value);
                next.push((longer, more));
            }
        }
        cases = next;
    }
    let finish = |(conditions, known): (Vec<Affine>, Vec<Affine>)| {
        Ok(GuardedValue {
            conditions,
            value: extremum.value.substituted(&known, width)?,
        })
    };
    cases.into_iter().map(finish).collect()
}

/// `floor(numerator / denominator)`, case by case.
fn quotients(
    numerator: &Affine,
    denominator: i64,
    ranges: &Ranges<'_>,
) -> Result<Vec<GuardedValue>, Refusal> {
    let coefficients = numerator.coefficients();
    let is_multiple = |column: usize| column != 0 && coefficients[column] % denominator == 0;
    let part = |wanted: bool, scale: i64| {
        let pick = |(column, x): (usize, &i64)| {
            if is_multiple(column) == wanted {
                *x / scale
            } else {
                0
            }
        };
        Affine::new(coefficients.iter().enumerate().map(pick).collect())
    };
    let quotient = DividedForm {
        integral: part(true, denominator),
        rest: part(false, 1),
    };
    let (DividedForm { integral, rest }, (least, greatest)) =
        match bounds(&quotient.rest, &ranges.columns)? {
            Some(known) => (quotient, known),
            None => bounded(quotient, denominator, ranges)?,
        };
    let (first, last) = (
        least.div_euclid(denominator),
        greatest.div_euclid(denominator),
    );
    if CASES < last - first {
        return Err(unknown(&rest, denominator, ranges.sizes));
    }
    let one = Affine::constant(rest.columns(), 1);
    let case = |quotient: i64| {
        let start = quotient * denominator;
        let mut conditions = Vec::new();
        if least < start {
            conditions.push(rest.plus(-start, &one)?);
        }
        if start + denominator <= greatest {
            conditions.push(rest.times(-1)?.plus(start + denominator - 1, &one)?);
        }
        Ok(GuardedValue {
            conditions,
            value: integral.plus(quotient, &one)?,
        })
    };
    (first..=last).map(case).collect()
}

/// The numerator `denominator·integral + rest` of a quotient.
struct DividedForm {
    integral: Affine,
    rest: Affine,
}

/// A quotient whose rest is bounded on a set, with the bounds.
///
/// Where the rest is unbounded, a constraint of the set may show a multiple of the denominator that the numerator is
/// close to: for `floor(i / 4)` where `0 <= i - 4·t <= 3`, that is `4·t`.
fn bounded(
    quotient: DividedForm,
    denominator: i64,
    ranges: &Ranges<'_>,
) -> Result<(DividedForm, (i64, i64)), Refusal> {
    let systems = ranges.domain.systems()?;
    match bounds_on(&quotient.rest, &systems) {
        Err(Refusal::NotAffine) => {}
        found => return Ok((quotient, found?)),
    }
    for system in &systems {
        for form in system.equalities.iter().chain(&system.inequalities) {
            for form in [form.clone(), form.times(-1)?] {
                let Some(moved) = close_to(&quotient, &form, denominator)? else {
                    continue;
                };
                if let Ok(known) = bounds_on(&moved.rest, &systems) {
                    return Ok((moved, known));
                }
            }
        }
    }
    Err(unknown(&quotient.rest, denominator, ranges.sizes))
}

/// Why the rest of a quotient has no bounds: the last iteration of `for (i = 0; i < n; i++)` in blocks of eight is in
/// block `floor((n - 1) / 8)`, which is affine once the remainder of `n` by eight is known.
fn unknown(rest: &Affine, denominator: i64, sizes: usize) -> Refusal {
    let modulus = |column: Column| denominator / gcd(rest.coefficient(column), denominator);
    let open = |column: &Column| column.place() < sizes && 1 < modulus(*column);
    match rest.support().find(open) {
        Some(column) => Refusal::Remainder(column, modulus(column)),
        None => Refusal::NotAffine,
    }
}

/// The quotient whose rest has the coefficients that `form` gives the variables, where what remains of the numerator is
/// a multiple of the denominator.
fn close_to(
    quotient: &DividedForm,
    form: &Affine,
    denominator: i64,
) -> Result<Option<DividedForm>, Refusal> {
    let width = quotient.rest.columns();
    if form.support().any(|column| width <= column.number()) {
        return Ok(None);
    }
    let mut coefficients = form.coefficients()[..width].to_vec();
    coefficients[0] = quotient.rest.constant_term();
    let rest = Affine::new(coefficients);
    let more = quotient.rest.plus(-1, &rest)?;
    let mut multiple = more.coefficients().to_vec();
    if multiple.iter().any(|x| x % denominator != 0) {
        return Ok(None);
    }
    multiple.iter_mut().for_each(|x| *x /= denominator);
    let integral = quotient.integral.plus(1, &Affine::new(multiple))?;
    Ok(Some(DividedForm { integral, rest }))
}

/// The least and the greatest value that ranges allow a form; `None` where a range is not known.
fn bounds(form: &Affine, ranges: &[Option<(i64, i64)>]) -> Result<Option<(i64, i64)>, Refusal> {
    let (mut least, mut greatest) = (form.constant_term(), form.constant_term());
    for column in form.support() {
        let Some((from, to)) = ranges[column] else {
            return Ok(None);
        };
        let coefficient = form.coefficient(column);
        let ends = [coefficient.checked_mul(from), coefficient.checked_mul(to)];
        let [Some(a), Some(b)] = ends else {
            return Err(Refusal::Overflow);
        };
        least = least.checked_add(a.min(b)).ok_or(Refusal::Overflow)?;
        greatest = greatest.checked_add(a.max(b)).ok_or(Refusal::Overflow)?;
    }
    Ok(Some((least, greatest)))
}

/// Bounds of a form on a set, found by bisection.
fn bounds_on(form: &Affine, systems: &[System]) -> Result<(i64, i64), Refusal> {
    let least = greatest_lower_bound(form, systems)?;
    let greatest = -greatest_lower_bound(&form.times(-1)?, systems)?;
    Ok((least, greatest))
}

/// The greatest lower bound of a form that elimination proves, between `-FAR` and `FAR`.
fn greatest_lower_bound(form: &Affine, systems: &[System]) -> Result<i64, Refusal> {
    let is_bound = |value: i64| -> Result<bool, Refusal> {
        let excess = form.plus(-value, &Affine::constant(form.columns(), 1))?;
        let holds = |system: &System| system.implies(&excess.widened(system.columns()));
        Ok(systems.iter().all(holds))
    };
    let (mut below, mut beyond) = (-FAR, FAR);
    if !is_bound(below)? {
        return Err(Refusal::NotAffine);
    }
    while below + 1 < beyond {
        let middle = below + (beyond - below) / 2;
        if is_bound(middle)? {
            below = middle;
        } else {
            beyond = middle;
        }
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_isl::SetSpace;
    use premiss_presburger::{Column, Floor};

    const PLANE: SetSpace = SetSpace {
        parameters: 0,
        variables: 2,
    };

    /// `floor((constant + a·x + b·y) / 8)` as an extremum over the columns `x` and `y`.
    fn eighth([constant, a, b]: [i64; 3]) -> Extremum {
        Extremum {
            domain: Set::universe(PLANE).expect("it is small"),
            value: Affine::variable(4, Column::new(3)),
            floors: vec![Floor {
                numerator: Affine::new(vec![constant, a, b, 0]),
                denominator: 8,
            }],
        }
    }

    /// Its cases where `y` has a range, or on a set.
    fn cases(
        of: [i64; 3],
        range: Option<(i64, i64)>,
        domain: &Set,
    ) -> Result<Vec<GuardedValue>, Refusal> {
        let columns = [1, 2].map(|column| Affine::variable(3, Column::new(column)));
        let ranges = Ranges {
            columns: vec![None, None, range],
            sizes: 0,
            domain,
        };
        without_floors(&eighth(of), &columns, &ranges)
    }

    /// The values of the cases that hold at a point.
    fn values(cases: &[GuardedValue], point: [i128; 2]) -> Vec<i128> {
        let at = |form: &Affine| form.at(&point).expect("it is small");
        let holds = |case: &&GuardedValue| case.conditions.iter().all(|form| 0 <= at(form));
        cases.iter().filter(holds).map(|x| at(&x.value)).collect()
    }

    #[test]
    fn a_place_within_a_block_leaves_the_block_alone() {
        let plane = Set::universe(PLANE).expect("it is small");
        let found = cases([0, 8, 1], Some((0, 7)), &plane).expect("y has a range");
        let [only] = &found[..] else {
            panic!("there is one case");
        };
        assert!(only.conditions.is_empty());
        assert_eq!(only.value, Affine::variable(3, Column::new(1)));
    }

    #[test]
    fn cases_of_a_floor_exclude_each_other_and_hold_everywhere() {
        let plane = Set::universe(PLANE).expect("it is small");
        for of in [[3, 8, 1], [-3, 8, 1], [5, -16, 3], [0, 8, -5]] {
            let found = cases(of, Some((0, 7)), &plane).expect("y has a range");
            for (x, y) in (-2..3_i128).flat_map(|x| (0..8_i128).map(move |y| (x, y))) {
                let numerator = i128::from(of[0]) + i128::from(of[1]) * x + i128::from(of[2]) * y;
                let expected = numerator.div_euclid(8);
                assert_eq!(values(&found, [x, y]), [expected], "{of:?} at {x}, {y}");
            }
        }
    }

    #[test]
    fn the_set_may_say_how_near_a_multiple_the_numerator_is() {
        // 0 <= y - 8·x <= 7, so floor(y / 8) = x, although y itself has no bounds.
        let mut near = System::universe(2);
        near.inequalities.push(Affine::new(vec![0, -8, 1]));
        near.inequalities.push(Affine::new(vec![7, 8, -1]));
        let near = Set::from_systems(PLANE, &[near]).expect("it is small");
        let found = cases([0, 0, 1], None, &near).expect("the set bounds it");
        for point in [[0, 0], [0, 7], [3, 24], [-2, -9]] {
            assert_eq!(values(&found, point), [point[0]], "{point:?}");
        }
        let plane = Set::universe(PLANE).expect("it is small");
        let refused = cases([0, 0, 1], None, &plane);
        assert_eq!(refused.err(), Some(Refusal::NotAffine), "nothing bounds it");
    }

    #[test]
    fn a_size_that_decides_a_floor_is_named_with_what_its_remainder_must_be_known_by() {
        let plane = Set::universe(PLANE).expect("it is small");
        let columns = [1, 2].map(|column| Affine::variable(3, Column::new(column)));
        for (coefficient, modulus) in [(1, 8), (6, 4), (-2, 4)] {
            let ranges = Ranges {
                columns: vec![None, None, Some((0, 7))],
                sizes: 1,
                domain: &plane,
            };
            let refused = without_floors(&eighth([-1, coefficient, 1]), &columns, &ranges);
            let expected = Refusal::Remainder(Column::new(1), modulus);
            assert_eq!(refused.err(), Some(expected), "{coefficient}");
        }
    }
}
