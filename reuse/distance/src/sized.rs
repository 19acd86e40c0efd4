//! A histogram at given sizes.

use crate::form::{HistogramEntry, ReferenceHistogram};
use crate::frame::{EntryFrame, number};
use crate::line::WeightedLine;
use crate::part::WeightedBox;
use crate::threshold::at_least;
use crate::total::{narrowest, total};
use premiss_arithmetic::univariate;
use premiss_arithmetic::{Interval, add, multiply};
use premiss_histogram::{Bin, Distance, ReuseDistanceHistogram};
use premiss_presburger::{Budget, Refusal};
use premiss_tree::ReferenceId;

/// A histogram at given sizes.
#[derive(Debug)]
pub struct SizedHistogram {
    /// One entry for each access of the scop, in order of execution of the tree.
    pub references: Vec<SizedReference>,
}

/// The reuse distances of one reference at given sizes.
#[derive(Debug)]
pub struct SizedReference {
    /// The reference.
    pub reference: ReferenceId,
    /// The number of accesses that are the first to touch their line.
    pub(crate) cold: i128,
    /// Distances and numbers of accesses.
    pub(crate) constant: Vec<(i128, i128)>,
    /// Accesses whose distance depends on one axis.
    pub(crate) lines: Vec<WeightedLine>,
    /// Others whose distance depends on axes.
    pub(crate) varying: Vec<WeightedBox>,
}

impl SizedReference {
    /// A reference's histogram at given sizes.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub(crate) fn of(reference: &ReferenceHistogram, values: &[i128]) -> Result<Self, Refusal> {
        let mut sized = Self {
            reference: reference.reference,
            cold: 0,
            constant: Vec::new(),
            lines: Vec::new(),
            varying: Vec::new(),
        };
        for piece in &reference.cold {
            sized.cold = add(sized.cold, number(piece, values)?)?;
        }
        for entry in &reference.entries {
            sized.add_entry(entry, values)?;
        }
        Ok(sized)
    }

    /// Adds the accesses of an entry.
    fn add_entry(&mut self, entry: &HistogramEntry, values: &[i128]) -> Result<(), Refusal> {
        if entry.axes.is_empty() {
            let accesses = entry.multiplicity.iter();
            let accesses = accesses.map(|piece| number(piece, values));
            return self.add_constant(accesses, || number(&entry.distance, values));
        }
        let mut frame = EntryFrame::new(entry, values)?;
        for piece in &entry.multiplicity {
            if let Some(part) = frame.part(piece)? {
                self.add(part)?;
            }
        }
        Ok(())
    }

    /// Adds accesses at one distance; `distance` is called only where there are some.
    pub(crate) fn add_constant(
        &mut self,
        mut accesses: impl Iterator<Item = Result<i128, Refusal>>,
        distance: impl FnOnce() -> Result<i128, Refusal>,
    ) -> Result<(), Refusal> {
        let accesses = accesses.try_fold(0, |sum, number| Ok::<_, Refusal>(add(sum, number?)?))?;
        if accesses != 0 {
            self.constant.push((distance()?, accesses));
        }
        Ok(())
    }

    /// Adds a part, whose axes may all have gone.
    pub(crate) fn add(&mut self, part: WeightedBox) -> Result<(), Refusal> {
        if part.multiplicity.is_zero() {
            return Ok(());
        }
        if part.distance.degree() == 0 {
            let distance = univariate::at(&part.distance.univariate(0, &[])?, 0)?;
            let accesses = total(&part)? / part.multiplicity.denominator;
            let distance = distance / part.distance.denominator;
            self.constant.push((distance, accesses));
        } else {
            self.varying.push(part);
        }
        Ok(())
    }

    /// The misses of the reference in a fully associative LRU cache of `capacity` lines.
    ///
    /// # Errors
    /// [`Refusal::Overflow`] where a number does not fit; another refusal where a polytope cannot be summed.
    pub fn misses(&self, capacity: u64) -> Result<u64, Refusal> {
        let capacity = i128::from(capacity);
        let mut total = self.cold;
        for (distance, accesses) in &self.constant {
            if capacity <= *distance {
                total = add(total, *accesses)?;
            }
        }
        for line in &self.lines {
            total = add(total, line.at_least(capacity)?)?;
        }
        for part in &self.varying {
            let threshold = multiply(capacity, part.distance.denominator)?;
            let scaled = at_least(part, threshold)?;
            total = add(total, scaled / part.multiplicity.denominator)?;
        }
        u64::try_from(total).map_err(|_| Refusal::Overflow)
    }

    /// The whole histogram; each value of the axes takes a step of the budget.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where the budget runs out, [`Refusal::Overflow`] where a number does not fit.
    pub fn histogram(&self, budget: &mut Budget) -> Result<ReuseDistanceHistogram, Refusal> {
        let mut histogram = ReuseDistanceHistogram::default();
        add_bin(&mut histogram, Distance::Infinite, self.cold)?;
        for (distance, accesses) in &self.constant {
            add_bin(&mut histogram, finite(*distance)?, *accesses)?;
        }
        for line in &self.lines {
            let multiplicity = |value| line.multiplicity.at(value);
            let distance = |value| line.distance.at(value);
            add_points(&mut histogram, line.range, multiplicity, distance, budget)?;
        }
        for part in &self.varying {
            add_part(&mut histogram, part, budget)?;
        }
        Ok(histogram)
    }
}

/// Adds accesses point by point; where there are none the distance may be anything.
fn add_points(
    histogram: &mut ReuseDistanceHistogram,
    (lo, hi): Interval,
    multiplicity: impl Fn(i128) -> Result<i128, Refusal>,
    distance: impl Fn(i128) -> Result<i128, Refusal>,
    budget: &mut Budget,
) -> Result<(), Refusal> {
    for value in lo..=hi {
        budget.spend(1)?;
        let accesses = multiplicity(value)?;
        if accesses != 0 {
            add_bin(histogram, finite(distance(value)?)?, accesses)?;
        }
    }
    Ok(())
}

/// Adds the accesses of a part, point by point.
fn add_part(
    histogram: &mut ReuseDistanceHistogram,
    part: &WeightedBox,
    budget: &mut Budget,
) -> Result<(), Refusal> {
    if 1 < part.axes() {
        let axis = narrowest(part);
        for value in part.ranges[axis].0..=part.ranges[axis].1 {
            budget.spend(1)?;
            if let Some(slice) = part.at(axis, value)? {
                add_part(histogram, &slice, budget)?;
            }
        }
        return Ok(());
    }
    let values = &[0][..part.axes()];
    let distances = part.distance.univariate(0, values)?;
    let weights = part.multiplicity.univariate(0, values)?;
    let range = match part.axes() {
        0 => (0, 0),
        _ => part.line(0, values)?.unwrap_or((0, -1)),
    };
    let multiplicity = |value| Ok(univariate::at(&weights, value)? / part.multiplicity.denominator);
    let distance = |value| Ok(univariate::at(&distances, value)? / part.distance.denominator);
    add_points(histogram, range, multiplicity, distance, budget)
}

fn finite(distance: i128) -> Result<Distance, Refusal> {
    let distance = u64::try_from(distance).map_err(|_| Refusal::Overflow)?;
    Ok(Distance::Finite(distance))
}

fn add_bin(
    histogram: &mut ReuseDistanceHistogram,
    distance: Distance,
    accesses: i128,
) -> Result<(), Refusal> {
    histogram.add(Bin {
        lower: distance,
        upper: distance,
        certain: u64::try_from(accesses).map_err(|_| Refusal::Overflow)?,
        possible: 0,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::AxisRow;
    use premiss_arithmetic::{Exponents, PackedPolynomial};

    /// `for i < 50 { for j < i { .. } }` with distance `i + j`, and some accesses at others.
    fn triangle() -> SizedReference {
        let axis = |axis| Exponents::default().times(axis, 1).expect("few");
        let rows = [
            AxisRow::bound(1, 1, 0),
            AxisRow::bound(0, 1, -1).plus(1, -1).expect("few"),
            AxisRow::bound(0, -1, 49),
        ];
        let distance = PackedPolynomial::new(1, vec![(axis(0), 1), (axis(1), 1)]).expect("small");
        let one = PackedPolynomial::new(1, vec![(Exponents::default(), 1)]).expect("small");
        let part = WeightedBox::new(2, rows.to_vec(), distance, one).expect("bounded");
        SizedReference {
            reference: ReferenceId::from_u32(0),
            cold: 3,
            constant: vec![(7, 5), (60, 2)],
            lines: Vec::new(),
            varying: part.into_iter().collect(),
        }
    }

    #[test]
    fn misses_are_the_histogram_from_a_distance_on() {
        let sized = triangle();
        let histogram = sized.histogram(&mut Budget::new(10_000)).expect("enough");
        for capacity in 0..110 {
            let bins = histogram.bins();
            let expected = bins.filter(|bin| Distance::Finite(capacity) <= bin.lower);
            let expected: u64 = expected.map(|bin| bin.certain).sum();
            assert_eq!(sized.misses(capacity), Ok(expected), "{capacity} lines");
        }
        assert_eq!(sized.misses(0), Ok(3 + 5 + 2 + 49 * 50 / 2));
    }

    #[test]
    fn a_histogram_ends_with_its_budget() {
        let refused = triangle().histogram(&mut Budget::new(100));
        assert_eq!(refused.err(), Some(Refusal::Budget));
    }
}
