//! How many of a part's accesses have at least some distance.

use crate::part::WeightedBox;
use crate::row::AxisRow;
use crate::total::total;
use premiss_arithmetic::univariate;
use premiss_arithmetic::{Interval, PackedPolynomial, add, multiply};
use premiss_presburger::Refusal;

/// The number of accesses with `threshold <= distance`, times the denominator of the multiplicity; `threshold` is times
/// the denominator of the distance.
///
/// An interval that holds the distances mostly decides: none or all accesses count. A distance that is affine makes one
/// more row. Otherwise the values of one axis are bisected until intervals decide or one value is left, and with it one
/// axis less; neighbouring values for which all accesses count are summed together. On the last axis the condition's
/// roots are found.
///
/// # Errors
/// A number does not fit.
pub(crate) fn at_least(part: &WeightedBox, threshold: i128) -> Result<i128, Refusal> {
    match verdict(&part.distance, &part.ranges, threshold)? {
        ThresholdSide::None => return Ok(0),
        ThresholdSide::All => return total(part),
        ThresholdSide::Some => {}
    }
    if part.axes() <= 1 {
        return line(part, 0, &[0][..part.axes()], threshold);
    }
    if let Some(row) = condition(part, threshold) {
        return part.with(row)?.map_or(Ok(0), |rest| total(&rest));
    }
    let mut walk = AxisScan {
        part,
        axis: steepest(part)?,
        threshold,
        sum: 0,
        all: None,
    };
    walk.halve(part.ranges[walk.axis])?;
    walk.finish()
}

enum ThresholdSide {
    None,
    Some,
    All,
}

/// Whether none, some or all distances in a box may reach the threshold, by an interval that holds them.
fn verdict(
    distance: &PackedPolynomial,
    ranges: &[Interval],
    threshold: i128,
) -> Result<ThresholdSide, Refusal> {
    let (least, greatest) = distance.bounds(ranges)?;
    Ok(if greatest < threshold {
        ThresholdSide::None
    } else if threshold <= least {
        ThresholdSide::All
    } else {
        ThresholdSide::Some
    })
}

/// `threshold <= distance` as a row, where the distance is affine and has a coefficient of one.
fn condition(part: &WeightedBox, threshold: i128) -> Option<AxisRow> {
    let (constant, coefficients) = part.distance.affine(part.axes())?;
    let mut row = AxisRow::new(constant.checked_sub(threshold)?);
    for (axis, coefficient) in coefficients.iter().enumerate() {
        row = row.plus(axis, i64::try_from(*coefficient).ok()?).ok()?;
    }
    row.tidy();
    row.coefficients.iter().any(|x| x.abs() == 1).then_some(row)
}

/// The axis along which the fewest values have to be examined one by one.
///
/// Along an axis the distance changes by some *spread*; values are examined one by one for about as long as the spreads
/// of the others may make up for that of the axis.
fn steepest(part: &WeightedBox) -> Result<usize, Refusal> {
    let mut spreads = Vec::with_capacity(part.axes());
    for axis in 0..part.axes() {
        let (least, greatest) = part.distance.derivative_bounds(axis, &part.ranges)?;
        let step = add(least, greatest)?.abs() / 2;
        spreads.push(multiply(step, part.extent(axis) - 1)?.max(1));
    }
    let all = spreads.iter().try_fold(0, |sum, x| add(sum, *x))?;
    let mut best = (i128::MAX, 0);
    for (axis, spread) in spreads.iter().enumerate() {
        let others = (all - spread).min(*spread);
        let single = multiply(part.extent(axis), others)? / spread;
        best = best.min((single, axis));
    }
    Ok(best.1)
}

/// The sum on a line along an axis, the others having values.
fn line(
    part: &WeightedBox,
    axis: usize,
    values: &[i128],
    threshold: i128,
) -> Result<i128, Refusal> {
    let Some((lo, hi)) = (match part.axes() {
        0 => Some((0, 0)),
        _ => part.line(axis, values)?,
    }) else {
        return Ok(0);
    };
    let mut excess = part.distance.univariate(axis, values)?;
    match excess.first_mut() {
        Some(constant) => *constant = add(*constant, -threshold)?,
        None => excess.push(-threshold),
    }
    let intervals = univariate::not_negative(&excess, lo, hi)?;
    let mut sum = 0;
    if !intervals.is_empty() {
        let weight = part.multiplicity.univariate(axis, values)?;
        for (from, to) in intervals {
            sum = add(sum, univariate::sum(&weight, from, to)?)?;
        }
    }
    Ok(sum)
}

/// The values of one axis, gone through in order.
struct AxisScan<'a> {
    part: &'a WeightedBox,
    axis: usize,
    threshold: i128,
    sum: i128,
    /// The last values for which all accesses count, not yet in the sum.
    all: Option<Interval>,
}

impl AxisScan<'_> {
    fn halve(&mut self, (lo, hi): Interval) -> Result<(), Refusal> {
        if lo == hi {
            return self.single(lo);
        }
        let Some(ranges) = self.part.ranges_within(self.axis, (lo, hi))? else {
            return Ok(());
        };
        match verdict(&self.part.distance, &ranges, self.threshold)? {
            ThresholdSide::None => Ok(()),
            ThresholdSide::All => self.take((lo, hi)),
            ThresholdSide::Some => {
                let middle = lo + (hi - lo) / 2;
                self.halve((lo, middle))?;
                self.halve((middle + 1, hi))
            }
        }
    }

    fn single(&mut self, value: i128) -> Result<(), Refusal> {
        let found = if self.part.axes() == 2 {
            line(self.part, 1 - self.axis, &[value; 2], self.threshold)?
        } else {
            let slice = self.part.at(self.axis, value)?;
            slice.map_or(Ok(0), |slice| at_least(&slice, self.threshold))?
        };
        self.sum = add(self.sum, found)?;
        Ok(())
    }

    fn take(&mut self, (lo, hi): Interval) -> Result<(), Refusal> {
        match &mut self.all {
            Some(all) if all.1 + 1 == lo => all.1 = hi,
            _ => {
                self.flush()?;
                self.all = Some((lo, hi));
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Refusal> {
        if let Some(range) = self.all.take()
            && let Some(part) = self.part.within(self.axis, range)?
        {
            self.sum = add(self.sum, total(&part)?)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<i128, Refusal> {
        self.flush()?;
        Ok(self.sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_arithmetic::Exponents;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// A part before anything is done to it, read as its definition says.
    #[derive(Clone, Debug)]
    struct Case {
        ends: Vec<(i128, i128)>,
        rows: Vec<Vec<i128>>,
        distance: Vec<(Vec<u32>, i128)>,
        multiplicity: Vec<(Vec<u32>, i128)>,
    }

    impl Case {
        /// The sum over all points of the box, one by one.
        fn enumerated(&self, threshold: i128) -> i128 {
            let mut sum = 0;
            let mut point: Vec<i128> = self.ends.iter().map(|ends| ends.0).collect();
            if self.ends.iter().any(|(lo, hi)| hi < lo) {
                return 0;
            }
            loop {
                let inside = |row: &Vec<i128>| {
                    let terms = row[1..].iter().zip(&point).map(|(a, x)| a * x);
                    0 <= row[0] + terms.sum::<i128>()
                };
                if self.rows.iter().all(inside) && threshold <= value(&self.distance, &point) {
                    sum += value(&self.multiplicity, &point);
                }
                let Some(axis) = (0..point.len()).find(|x| point[*x] < self.ends[*x].1) else {
                    return sum;
                };
                point[axis] += 1;
                for (slot, ends) in point.iter_mut().zip(&self.ends).take(axis) {
                    *slot = ends.0;
                }
            }
        }

        fn part(&self) -> Option<WeightedBox> {
            let axes = self.ends.len();
            let mut rows: Vec<AxisRow> = Vec::new();
            for (axis, (lo, hi)) in self.ends.iter().enumerate() {
                rows.extend([AxisRow::bound(axis, 1, -lo), AxisRow::bound(axis, -1, *hi)]);
            }
            rows.extend(self.rows.iter().map(|row| of_numbers(row)));
            let (distance, multiplicity) = (scaled(&self.distance), scaled(&self.multiplicity));
            let part = WeightedBox::new(axes, rows, distance, multiplicity).expect("bounded");
            part.and_then(|part| part.untangled().expect("small numbers"))
        }
    }

    fn of_numbers(numbers: &[i128]) -> AxisRow {
        let coefficients = numbers[1..].iter().enumerate();
        coefficients.fold(AxisRow::new(numbers[0]), |row, (axis, number)| {
            let number = i64::try_from(*number).expect("small");
            row.plus(axis, number).expect("few axes")
        })
    }

    fn value(terms: &[(Vec<u32>, i128)], point: &[i128]) -> i128 {
        let term = |(exponents, coefficient): &(Vec<u32>, i128)| {
            let powers = point.iter().zip(exponents).map(|(x, e)| x.pow(*e));
            coefficient * powers.product::<i128>()
        };
        terms.iter().map(term).sum()
    }

    fn scaled(terms: &[(Vec<u32>, i128)]) -> PackedPolynomial {
        let read = |(exponents, coefficient): &(Vec<u32>, i128)| {
            let mut all = Exponents::default();
            for (axis, exponent) in exponents.iter().enumerate() {
                all = all.times(axis, *exponent).expect("few");
            }
            (all, *coefficient)
        };
        PackedPolynomial::new(1, terms.iter().map(read).collect()).expect("small numbers")
    }

    fn polynomial(axes: usize) -> impl Strategy<Value = Vec<(Vec<u32>, i128)>> {
        let exponents = vec(0..3_u32, axes).prop_filter("of degree three at most", |exponents| {
            exponents.iter().sum::<u32>() <= 3
        });
        vec((exponents, -9..10_i128), 0..6)
    }

    /// Mostly coefficients as loops and lines have them.
    fn coefficient() -> impl Strategy<Value = i128> {
        prop_oneof![4 => -1..2_i128, 1 => Just(8), 1 => Just(-8), 1 => -3..4_i128]
    }

    fn case() -> impl Strategy<Value = Case> {
        (1..4_usize).prop_flat_map(|axes| {
            let row = (-12..20_i128, vec(coefficient(), axes), any::<bool>());
            let ends = vec((-9..6_i128, -1..16_i128), axes);
            let rows = vec(row, 0..5);
            (ends, rows, polynomial(axes), polynomial(axes)).prop_map(read)
        })
    }

    type RandomPart = (
        Vec<(i128, i128)>,
        Vec<(i128, Vec<i128>, bool)>,
        Vec<(Vec<u32>, i128)>,
        Vec<(Vec<u32>, i128)>,
    );

    fn read((ends, drawn, distance, multiplicity): RandomPart) -> Case {
        let mut rows = Vec::new();
        for (constant, coefficients, twice) in drawn {
            let row: Vec<i128> = std::iter::once(constant).chain(coefficients).collect();
            if twice && constant % 2 == 0 {
                // An equality, or a band as wide as a line.
                let mut opposite: Vec<i128> = row.iter().map(|x| -x).collect();
                opposite[0] += if constant % 4 == 0 { 0 } else { 7 };
                rows.push(opposite);
            }
            rows.push(row);
        }
        Case {
            ends: ends.iter().map(|(lo, more)| (*lo, lo + more)).collect(),
            rows,
            distance,
            multiplicity,
        }
    }

    fn check(case: &Case, thresholds: &[i128]) {
        let part = case.part();
        for threshold in thresholds {
            let found = part
                .as_ref()
                .map_or(Ok(0), |part| at_least(part, *threshold));
            let expected = case.enumerated(*threshold);
            assert_eq!(found, Ok(expected), "{case:?} from {threshold}");
        }
        let all = part.as_ref().map_or(Ok(0), total);
        assert_eq!(all, Ok(case.enumerated(i128::MIN)), "{case:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn parts_are_what_enumeration_finds(case in case(), threshold in -300..600_i128) {
            check(&case, &[threshold, 0, threshold / 10]);
        }
    }

    fn triangle(distance: Vec<(Vec<u32>, i128)>) -> Case {
        Case {
            ends: vec![(0, 39); 2],
            rows: vec![vec![0, 1, -1]],
            distance,
            multiplicity: vec![(vec![0, 0], 2), (vec![1, 1], 1)],
        }
    }

    #[test]
    fn products_are_cut_along_their_curve() {
        let product = triangle(vec![(vec![1, 1], 3), (vec![2, 0], 1)]);
        check(&product, &[0, 1, 100, 1000, 3000, 6083, 6084, 6085]);
    }

    #[test]
    fn squares_of_differences_are_untangled() {
        let mut square = triangle(vec![(vec![2, 0], 4), (vec![1, 1], -8), (vec![0, 2], 4)]);
        check(&square, &[-1, 0, 4, 5, 2000, 6084, 6085]);
        square.rows.push(vec![-5, -1, 1]);
        check(&square, &[0]);
    }

    #[test]
    fn lines_with_a_remainder_are_one_axis_less() {
        // 8x + r = 8y + s + 1 with remainders of 0 to 7.
        let case = Case {
            ends: vec![(0, 20), (0, 7), (0, 20), (0, 7)],
            rows: vec![vec![-1, 8, 1, -8, -1], vec![1, -8, -1, 8, 1]],
            distance: vec![(vec![1, 0, 1, 0], 3), (vec![0, 1, 0, 0], 1)],
            multiplicity: vec![(vec![0, 0, 0, 0], 1), (vec![0, 0, 0, 1], 1)],
        };
        check(&case, &[0, 1, 40, 600, 1206, 1207, 1208]);
        assert!(case.part().is_some_and(|part| part.axes() <= 3));
    }

    #[test]
    fn a_distance_without_bounds_is_refused() {
        let rows = vec![AxisRow::bound(0, 1, 0)];
        let constant = scaled(&[(vec![0], 1)]);
        let found = WeightedBox::new(1, rows, constant.clone(), constant);
        assert_eq!(found.err(), Some(Refusal::Unbounded));
    }

    #[test]
    fn oblique_bounds_are_projected() {
        // 0 <= x + y <= 5 and 0 <= x - y <= 4: no axis has a bound of its own.
        let numbers = [[0, 1, 1], [5, -1, -1], [0, 1, -1], [4, -1, 1]];
        let rows: Vec<AxisRow> = numbers.iter().map(|row| of_numbers(row)).collect();
        let one = scaled(&[(vec![0, 0], 1)]);
        let part = WeightedBox::new(2, rows, scaled(&[(vec![1, 0], 1)]), one);
        let part = part.expect("bounded").expect("not empty");
        let count = |threshold: i128| {
            let all = (-9..9_i128).flat_map(|x| (-9..9_i128).map(move |y| (x, y)));
            let inside =
                all.filter(|(x, y)| (0..=5).contains(&(x + y)) && (0..=4).contains(&(x - y)));
            inside.filter(|(x, _)| threshold <= *x).count()
        };
        for threshold in -1..6 {
            let found = at_least(&part, threshold).expect("small");
            assert_eq!(usize::try_from(found), Ok(count(threshold)));
        }
    }
}
