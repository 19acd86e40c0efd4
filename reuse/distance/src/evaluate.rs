//! A symbolic histogram at given sizes.

use crate::form::{Entry, ReferenceHistogram, SymbolicHistogram};
use crate::frame::{Frame, number};
use crate::part::Part;
use crate::polynomial::{add, multiply};
use crate::threshold::at_least;
use crate::total::{narrowest, total};
use crate::univariate;
use premiss_histogram::{Bin, Distance, ReuseDistanceHistogram};
use premiss_presburger::{Budget, Piece, Refusal};
use premiss_tree::ReferenceId;

/// A histogram whose sizes are numbers: one for each access of the scop, in order.
#[derive(Debug)]
pub struct SizedHistogram {
    /// The references.
    pub references: Vec<SizedReference>,
}

/// The reuse distances of one reference at given sizes.
#[derive(Debug)]
pub struct SizedReference {
    /// The reference.
    pub reference: ReferenceId,
    /// Accesses that are the first to touch their line.
    cold: i128,
    /// Rising distances and numbers of accesses.
    constant: Vec<(i128, i128)>,
    /// Accesses whose distance depends on axes.
    varying: Vec<Part>,
}

impl SymbolicHistogram {
    /// The histogram at given values of the columns of its parameters.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub fn at(&self, values: &[i128]) -> Result<SizedHistogram, Refusal> {
        assert_eq!(values.len(), self.parameters.len(), "one value for each");
        let sized = |reference| sized_reference(reference, values);
        let references = self
            .references
            .iter()
            .map(sized)
            .collect::<Result<_, _>>()?;
        Ok(SizedHistogram { references })
    }
}

impl SizedReference {
    /// The misses in a fully associative LRU cache of so many lines.
    ///
    /// # Errors
    /// A number does not fit.
    pub fn misses(&self, capacity: u64) -> Result<u64, Refusal> {
        let capacity = i128::from(capacity);
        let mut total = self.cold;
        for (distance, accesses) in &self.constant {
            if capacity <= *distance {
                total = add(total, *accesses)?;
            }
        }
        for part in &self.varying {
            let threshold = multiply(capacity, part.distance.denominator)?;
            let scaled = at_least(part, threshold)?;
            total = add(total, scaled / part.multiplicity.denominator)?;
        }
        u64::try_from(total).map_err(|_| Refusal::Overflow)
    }

    /// The whole histogram; each value of the axes is a step of the budget.
    ///
    /// # Errors
    /// A number does not fit, or the budget ran out.
    pub fn histogram(&self, budget: &mut Budget) -> Result<ReuseDistanceHistogram, Refusal> {
        let mut histogram = ReuseDistanceHistogram::default();
        add_bin(&mut histogram, Distance::Infinite, self.cold)?;
        for (distance, accesses) in &self.constant {
            add_bin(&mut histogram, finite(*distance)?, *accesses)?;
        }
        for part in &self.varying {
            add_part(&mut histogram, part, budget)?;
        }
        Ok(histogram)
    }
}

/// Adds the accesses of a part, point by point.
fn add_part(
    histogram: &mut ReuseDistanceHistogram,
    part: &Part,
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
    let distances = part.distance.along(0, values)?;
    let weights = part.multiplicity.along(0, values)?;
    let (lo, hi) = match part.axes() {
        0 => (0, 0),
        _ => part.line(0, values)?.unwrap_or((0, -1)),
    };
    for value in lo..=hi {
        budget.spend(1)?;
        let distance = univariate::at(&distances, value)? / part.distance.denominator;
        let weight = univariate::at(&weights, value)? / part.multiplicity.denominator;
        add_bin(histogram, finite(distance)?, weight)?;
    }
    Ok(())
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

fn sized_reference(
    reference: &ReferenceHistogram,
    values: &[i128],
) -> Result<SizedReference, Refusal> {
    let mut sized = SizedReference {
        reference: reference.reference,
        cold: 0,
        constant: Vec::new(),
        varying: Vec::new(),
    };
    for piece in &reference.cold {
        sized.cold = add(sized.cold, number(piece, values)?)?;
    }
    for entry in &reference.entries {
        for piece in &entry.multiplicity {
            add_sized(&mut sized, entry, piece, values)?;
        }
    }
    merge_constant(&mut sized.constant)?;
    Ok(sized)
}

/// Adds the accesses of one piece of an entry.
fn add_sized(
    sized: &mut SizedReference,
    entry: &Entry,
    piece: &Piece,
    values: &[i128],
) -> Result<(), Refusal> {
    if entry.axes.is_empty() {
        let accesses = number(piece, values)?;
        if accesses != 0 {
            sized
                .constant
                .push((number(&entry.distance, values)?, accesses));
        }
        return Ok(());
    }
    if let Some(part) = Frame::new(entry, piece, values).part(entry, piece)? {
        add_reduced(sized, part)?;
    }
    Ok(())
}

/// Adds a part, whose axes may all have gone.
fn add_reduced(sized: &mut SizedReference, part: Part) -> Result<(), Refusal> {
    if part.multiplicity.is_zero() {
        return Ok(());
    }
    if part.distance.degree() == 0 {
        let distance = univariate::at(&part.distance.along(0, &[])?, 0)?;
        let accesses = total(&part)? / part.multiplicity.denominator;
        let distance = distance / part.distance.denominator;
        sized.constant.push((distance, accesses));
    } else {
        sized.varying.push(part);
    }
    Ok(())
}

/// Adds up accesses at the same distance.
fn merge_constant(constant: &mut Vec<(i128, i128)>) -> Result<(), Refusal> {
    constant.sort_unstable();
    let mut merged: Vec<(i128, i128)> = Vec::with_capacity(constant.len());
    for (distance, accesses) in constant.drain(..) {
        match merged.last_mut() {
            Some(last) if last.0 == distance => last.1 = add(last.1, accesses)?,
            _ => merged.push((distance, accesses)),
        }
    }
    *constant = merged;
    Ok(())
}
