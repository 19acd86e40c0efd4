//! Random systems, and what enumeration says of them.

use std::borrow::Cow;

use premiss_presburger::{Affine, Column, Piece, Polynomial, Rational, Refusal, System};
use proptest::prelude::*;

/// A system over `free` columns and then `counted` ones.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) free: usize,
    pub(crate) counted: usize,
    pub(crate) system: System,
    pub(crate) weight: Polynomial,
}

/// Counted columns lie in this range.
pub(crate) const BOX: (i128, i128) = (-6, 11);

impl Sample {
    /// The free values looked at: fewer in each direction where there are more directions.
    pub(crate) fn free_points(&self) -> Vec<Vec<i128>> {
        match self.free {
            0 | 1 => points(self.free, (-4, 7)),
            2 => points(2, (-2, 5)),
            _ => points(self.free, (-2, 2)),
        }
    }

    pub(crate) fn over(&self) -> Vec<Column> {
        let variables = Column::variables(self.free + self.counted);
        variables.skip(self.free).collect()
    }
}

#[derive(Clone, Debug)]
struct Bound {
    low: i64,
    high: i64,
    by_free: bool,
}

fn coefficient() -> impl Strategy<Value = i64> {
    prop_oneof![5 => Just(0), 3 => Just(1_i64), 3 => Just(-1), 1 => -9..=9_i64]
}

fn row() -> impl Strategy<Value = Vec<i64>> {
    (-9..=9_i64, prop::collection::vec(coefficient(), 9)).prop_map(|(constant, mut row)| {
        row.insert(0, constant);
        row
    })
}

fn bound() -> impl Strategy<Value = Bound> {
    (-6..=2_i64, 0..=8_i64, any::<bool>()).prop_map(|(low, extent, by_free)| Bound {
        low,
        high: (low + extent).min(4),
        by_free,
    })
}

/// Systems whose counted columns lie within `BOX` for all free values looked at.
pub(crate) fn samples(free: usize, counted: usize) -> impl Strategy<Value = Sample> {
    let floors = prop::collection::vec((row(), 2..=9_i64), 0..=2);
    let rows = prop::collection::vec(row(), 0..=4);
    let equalities = prop_oneof![
        3 => prop::collection::vec(row(), 0..=0),
        2 => prop::collection::vec(row(), 1..=1),
        1 => prop::collection::vec(row(), 2..=2)
    ];
    let bounds = prop::collection::vec(bound(), counted);
    let weight = prop::collection::vec((row(), row()), 0..=2);
    (floors, rows, equalities, bounds, weight).prop_map(move |parts| {
        let (floors, rows, equalities, bounds, weight) = parts;
        let mut system = System::universe(free + counted);
        for (numerator, denominator) in floors {
            let numerator = Affine::new(numerator[..system.columns()].to_vec());
            system.add_floor(&numerator, denominator);
        }
        let columns = system.columns();
        let cut = |row: &Vec<i64>| Affine::new(row[..columns].to_vec());
        system.inequalities = rows.iter().map(cut).collect();
        system.equalities = equalities.iter().map(cut).collect();
        for (index, bound) in bounds.iter().enumerate() {
            let own = Affine::variable(columns, Column::at_place(free + index));
            let low = own.plus(-bound.low, &Affine::constant(columns, 1));
            let mut high = Affine::constant(columns, bound.high);
            if bound.by_free && 0 < free {
                let parameter = Affine::variable(columns, Column::at_place(index % free));
                high = high.plus(1, &parameter).expect("small");
            }
            system.inequalities.push(low.expect("small"));
            system
                .inequalities
                .push(high.plus(-1, &own).expect("small"));
        }
        let poly = |row: &Vec<i64>| Polynomial::from_affine(&cut(row)).expect("small");
        let weight = weight.iter().fold(Polynomial::one(), |acc, (a, b)| {
            let product = poly(a).times(&poly(b)).expect("small");
            acc.plus(&product).expect("small")
        });
        Sample {
            free,
            counted,
            system,
            weight,
        }
    })
}

/// A sample with some numbers of columns.
pub(crate) fn any_sample() -> impl Strategy<Value = Sample> {
    prop_oneof![
        samples(0, 2),
        samples(1, 1),
        samples(1, 2),
        samples(1, 3),
        samples(2, 1),
        samples(2, 2),
        samples(3, 1),
        samples(3, 2)
    ]
}

/// All points of a box.
pub(crate) fn points(dimensions: usize, range: (i128, i128)) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..dimensions {
        let longer = |point: &Vec<i128>| {
            let point = point.clone();
            let extended = move |value| [&point[..], &[value]].concat();
            (range.0..=range.1).map(extended).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The values of all columns at a point of the variables.
pub(crate) fn columns_at(system: &System, point: &[i128]) -> Vec<i128> {
    let mut values = point.to_vec();
    for floor in &system.floors {
        let coefficients = floor.numerator.coefficients();
        let terms = coefficients[1..].iter().zip(&values);
        let sum: i128 = terms.map(|(c, x)| i128::from(*c) * x).sum();
        let numerator = sum + i128::from(coefficients[0]);
        values.push(numerator.div_euclid(i128::from(floor.denominator)));
    }
    values
}

/// Whether a point satisfies all constraints, by definition.
pub(crate) fn holds(system: &System, point: &[i128]) -> bool {
    let values = match system.floors.is_empty() {
        true => Cow::Borrowed(point),
        false => Cow::Owned(columns_at(system, point)),
    };
    let value = |form: &Affine| {
        let coefficients = form.coefficients();
        let terms = coefficients[1..].iter().zip(values.iter());
        i128::from(coefficients[0]) + terms.map(|(c, x)| i128::from(*c) * x).sum::<i128>()
    };
    system.equalities.iter().all(|form| value(form) == 0)
        && system.inequalities.iter().all(|form| 0 <= value(form))
}

/// The sum of the weight over the points of a sample with these free values.
pub(crate) fn enumerated(sample: &Sample, free: &[i128]) -> Rational {
    enumerated_within(BOX, sample, free)
}

/// The same with other bounds for all counted columns.
pub(crate) fn enumerated_within(within: (i128, i128), sample: &Sample, free: &[i128]) -> Rational {
    let mut sum = Rational::ZERO;
    let extent = within.1 - within.0 + 1;
    let dimensions = u32::try_from(sample.counted).expect("small");
    for index in 0..extent.pow(dimensions) {
        let digit = |place| within.0 + index / extent.pow(place) % extent;
        let mut point = free.to_vec();
        point.extend((0..dimensions).map(digit));
        if holds(&sample.system, &point) {
            let values = columns_at(&sample.system, &point);
            sum = sum
                .plus(sample.weight.at(&values).expect("small"))
                .expect("small");
        }
    }
    sum
}

/// The sum of the values of the pieces whose domain has the point, and how many these are.
pub(crate) fn total(pieces: &[Piece], point: &[i128]) -> (Rational, usize) {
    let (mut sum, mut hits) = (Rational::ZERO, 0);
    for piece in pieces.iter().filter(|piece| holds(&piece.domain, point)) {
        let values = columns_at(&piece.domain, point);
        sum = sum
            .plus(piece.value.at(&values).expect("small"))
            .expect("small");
        hits += 1;
    }
    (sum, hits)
}

/// The result, or another sample where the refusal is one that every sample may meet: `variety` tells
/// that few do.
pub(crate) fn affordable<T>(result: Result<T, Refusal>) -> Result<T, TestCaseError> {
    match result {
        Err(Refusal::Budget) => Err(TestCaseError::reject("too much work")),
        Err(Refusal::Overflow) => Err(TestCaseError::reject("too large numbers")),
        other => Ok(other.expect("bounded")),
    }
}

/// How many samples are tried.
pub(crate) fn cases() -> u32 {
    let wanted = std::env::var("PREMISS_CASES").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(400)
}

/// Samples are not written to files; what fails is to become a test of its own.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        max_global_rejects: 1024 + cases,
        ..ProptestConfig::with_cases(cases)
    }
}
