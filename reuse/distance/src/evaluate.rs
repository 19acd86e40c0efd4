//! A symbolic histogram at given sizes.

use crate::form::{Entry, ReferenceHistogram, SymbolicHistogram};
use crate::region::{Region, Row, Scaled};
use crate::univariate;
use premiss_histogram::{Bin, Distance, ReuseDistanceHistogram};
use premiss_presburger::{Affine, Piece, Rational, Refusal, System};
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
    /// Distances and numbers of accesses.
    constant: Vec<(i128, i128)>,
    /// Accesses whose distance depends on axes.
    varying: Vec<Varying>,
}

/// For each point of a region, so many accesses at such a distance.
#[derive(Debug)]
struct Varying {
    region: Region,
    distance: Scaled,
    multiplicity: Scaled,
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
                total += accesses;
            }
        }
        for part in &self.varying {
            total += part.at_least(capacity)?;
        }
        u64::try_from(total).map_err(|_| Refusal::Overflow)
    }

    /// The whole histogram; the work grows with the number of values of the axes.
    ///
    /// # Errors
    /// A number does not fit.
    pub fn histogram(&self) -> Result<ReuseDistanceHistogram, Refusal> {
        let mut histogram = ReuseDistanceHistogram::default();
        add(&mut histogram, Distance::Infinite, self.cold)?;
        for (distance, accesses) in &self.constant {
            let distance = u64::try_from(*distance).map_err(|_| Refusal::Overflow)?;
            add(&mut histogram, Distance::Finite(distance), *accesses)?;
        }
        for part in &self.varying {
            part.add_to(&mut histogram)?;
        }
        Ok(histogram)
    }
}

impl Varying {
    /// The accesses with at least this distance.
    fn at_least(&self, distance: i128) -> Result<i128, Refusal> {
        let threshold = distance
            .checked_mul(self.distance.denominator)
            .ok_or(Refusal::Overflow)?;
        let mut total = 0;
        self.region.for_each_line(&mut |values, lo, hi| {
            let mut excess = self.distance.along_last(values)?;
            match excess.first_mut() {
                Some(constant) => *constant -= threshold,
                None => excess.push(-threshold),
            }
            let intervals = univariate::not_negative(&excess, lo, hi)?;
            if !intervals.is_empty() {
                let weight = self.multiplicity.along_last(values)?;
                for (from, to) in intervals {
                    total += univariate::sum(&weight, from, to)?;
                }
            }
            Ok(())
        })?;
        Ok(total / self.multiplicity.denominator)
    }

    fn add_to(&self, histogram: &mut ReuseDistanceHistogram) -> Result<(), Refusal> {
        self.region.for_each_line(&mut |values, lo, hi| {
            let distances = self.distance.along_last(values)?;
            let weights = self.multiplicity.along_last(values)?;
            for value in lo..=hi {
                let distance = univariate::at(&distances, value)? / self.distance.denominator;
                let weight = univariate::at(&weights, value)? / self.multiplicity.denominator;
                let distance = u64::try_from(distance).map_err(|_| Refusal::Overflow)?;
                add(histogram, Distance::Finite(distance), weight)?;
            }
            Ok(())
        })
    }
}

fn add(
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
        sized.cold += number(piece, values)?;
    }
    for entry in &reference.entries {
        for piece in &entry.multiplicity {
            add_sized(&mut sized, entry, piece, values)?;
        }
    }
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
    let floors = piece.domain.floors.len();
    let frame = Frame {
        values,
        axes: &entry.axes,
        width: entry.axes.len() + floors + entry.distance.domain.floors.len(),
    };
    let mut rows = frame.rows(&piece.domain, entry.axes.len())?;
    rows.extend(frame.rows(&entry.distance.domain, entry.axes.len() + floors)?);
    let order = order(frame.width, &rows)?;
    let Some(region) = Region::new(frame.width, reordered(&rows, &order))? else {
        return Ok(());
    };
    let distance = frame.scaled(&entry.distance, entry.axes.len() + floors, &order)?;
    let multiplicity = frame.scaled(piece, entry.axes.len(), &order)?;
    sized.varying.push(Varying {
        region,
        distance,
        multiplicity,
    });
    Ok(())
}

/// The value of a piece in which no axis is left; zero where its domain does not hold.
fn number(piece: &Piece, values: &[i128]) -> Result<i128, Refusal> {
    let mut point = values.to_vec();
    point.resize(piece.domain.variables, 0);
    if !piece.domain.contains(&point)? {
        return Ok(0);
    }
    let columns = piece.domain.values(&point)?;
    whole(piece.value.at(&columns)?)
}

fn whole(value: Rational) -> Result<i128, Refusal> {
    Ok(value.to_integer().expect("a count is a whole number"))
}

/// Where the columns of an entry's systems go, sizes being numbers.
#[derive(Clone, Copy)]
struct Frame<'a> {
    values: &'a [i128],
    axes: &'a [usize],
    /// Axes, and floors as further ones.
    width: usize,
}

impl Frame<'_> {
    /// The constraints of a system, its floors being the axes from `floors` on.
    fn rows(self, system: &System, floors: usize) -> Result<Vec<Row>, Refusal> {
        let mut rows = Vec::new();
        for form in &system.inequalities {
            rows.push(self.row(form, system, floors)?);
        }
        for form in &system.equalities {
            let row = self.row(form, system, floors)?;
            rows.push(row.iter().map(|x| -x).collect());
            rows.push(row);
        }
        for (index, floor) in system.floors.iter().enumerate() {
            let denominator = i128::from(floor.denominator);
            let mut rest = self.row(&floor.numerator, system, floors)?;
            rest[1 + floors + index] -= denominator;
            let mut below: Row = rest.iter().map(|x| -x).collect();
            below[0] += denominator - 1;
            rows.extend([rest, below]);
        }
        Ok(rows)
    }

    fn row(self, form: &Affine, system: &System, floors: usize) -> Result<Row, Refusal> {
        let mut row = vec![0; 1 + self.width];
        row[0] = i128::from(form.constant_term());
        for column in form.support() {
            let coefficient = i128::from(form.coefficient(column));
            match self.place(column, system, floors) {
                Place::Number(value) => {
                    let term = coefficient.checked_mul(value);
                    row[0] = term
                        .and_then(|term| term.checked_add(row[0]))
                        .ok_or(Refusal::Overflow)?;
                }
                Place::Axis(axis) => row[1 + axis] += coefficient,
            }
        }
        Ok(row)
    }

    /// The value of a piece as a polynomial in the axes, in a given order.
    fn scaled(self, piece: &Piece, floors: usize, order: &[usize]) -> Result<Scaled, Refusal> {
        let mut terms: Vec<(Vec<u32>, Rational)> = Vec::new();
        for (monomial, coefficient) in piece.value.terms() {
            let mut exponents = vec![0; self.width];
            let mut factor = coefficient;
            for (column, power) in monomial.powers() {
                let power = u32::try_from(power).map_err(|_| Refusal::Overflow)?;
                match self.place(column, &piece.domain, floors) {
                    Place::Number(value) => {
                        let value = value.checked_pow(power).ok_or(Refusal::Overflow)?;
                        factor = factor.times(Rational::new(value, 1)?)?;
                    }
                    Place::Axis(axis) => {
                        let place = order.iter().position(|x| *x == axis);
                        exponents[place.expect("an order has all axes")] += power;
                    }
                }
            }
            terms.push((exponents, factor));
        }
        common_denominator(terms)
    }

    fn place(self, column: usize, system: &System, floors: usize) -> Place {
        if column <= self.values.len() {
            return Place::Number(self.values[column - 1]);
        }
        if system.variables < column {
            return Place::Axis(floors + column - system.variables - 1);
        }
        let axis = self.axes.iter().position(|axis| *axis == column);
        Place::Axis(axis.expect("all columns but the axes are summed out"))
    }
}

/// What a column has become.
enum Place {
    Number(i128),
    Axis(usize),
}

fn common_denominator(terms: Vec<(Vec<u32>, Rational)>) -> Result<Scaled, Refusal> {
    let mut denominator = 1_i128;
    for (_, coefficient) in &terms {
        let step = coefficient.denominator() / gcd(denominator, coefficient.denominator());
        denominator = denominator.checked_mul(step).ok_or(Refusal::Overflow)?;
    }
    let scale = |(exponents, coefficient): (Vec<u32>, Rational)| {
        let factor = denominator / coefficient.denominator();
        let whole = coefficient.numerator().checked_mul(factor);
        Ok((exponents, whole.ok_or(Refusal::Overflow)?))
    };
    let terms = terms.into_iter().map(scale).collect::<Result<_, _>>()?;
    Ok(Scaled { denominator, terms })
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

/// The axes by rising extent: all values of all but the last are gone through.
fn order(width: usize, rows: &[Row]) -> Result<Vec<usize>, Refusal> {
    let mut extents = Vec::with_capacity(width);
    for axis in 0..width {
        let mut first: Vec<usize> = (0..width).filter(|other| *other != axis).collect();
        first.insert(0, axis);
        let extent = match Region::new(width, reordered(rows, &first))? {
            None => 0,
            Some(region) => region.first_extent()?,
        };
        extents.push((extent, axis));
    }
    extents.sort_unstable();
    Ok(extents.into_iter().map(|(_, axis)| axis).collect())
}

fn reordered(rows: &[Row], order: &[usize]) -> Vec<Row> {
    let reorder = |row: &Row| {
        let axes = order.iter().map(|axis| row[1 + axis]);
        std::iter::once(row[0]).chain(axes).collect()
    };
    rows.iter().map(reorder).collect()
}
