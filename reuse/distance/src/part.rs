//! Integer points of a polytope, each with a distance and a multiplicity.

use crate::polynomial::{AXES, Polynomial, Range, add, multiply};
use crate::projection::first_range;
use premiss_presburger::Refusal;

/// `0 <= constant + Σ coefficients · axes`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) constant: i128,
    pub(crate) coefficients: [i64; AXES],
}

/// For each integer point of a box that satisfies some rows, so many accesses at such a distance.
///
/// Parts are kept in least form by [`Part::reduced`]: no axis has one value only, none is a function
/// of the others that an equality with a coefficient of one says, and no row is plain from the box.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The least and the greatest value of each axis.
    pub(crate) ranges: Vec<Range>,
    pub(crate) rows: Vec<Row>,
    pub(crate) distance: Polynomial,
    pub(crate) multiplicity: Polynomial,
}

/// Stands for no bound; numbers of this size do not occur in arithmetic that is checked.
const FAR: i128 = 1 << 100;

/// After so many rounds ranges are not narrowed further.
const ROUNDS: usize = 8;

impl Row {
    fn new(constant: i128) -> Self {
        Self {
            constant,
            coefficients: [0; AXES],
        }
    }

    /// A row of numbers, the constant first.
    ///
    /// # Errors
    /// There are too many or they are too large.
    pub(crate) fn read(numbers: &[i128]) -> Result<Self, Refusal> {
        let mut row = Self::new(numbers[0]);
        for (index, number) in numbers[1..].iter().enumerate() {
            let slot = row.coefficients.get_mut(index).ok_or(Refusal::Overflow)?;
            *slot = i64::try_from(*number).map_err(|_| Refusal::Overflow)?;
        }
        Ok(row)
    }

    /// `0 <= sign · axis + constant`
    pub(crate) fn bound(axis: usize, sign: i64, constant: i128) -> Self {
        let mut row = Self::new(constant);
        row.coefficients[axis] = sign;
        row
    }

    /// The value, an axis and those whose coefficients are zero not regarded.
    pub(crate) fn rest(&self, axis: usize, values: &[i128]) -> Result<i128, Refusal> {
        let mut sum = self.constant;
        for (other, value) in values.iter().enumerate() {
            if other != axis && self.coefficients[other] != 0 {
                sum = add(sum, multiply(i128::from(self.coefficients[other]), *value)?)?;
            }
        }
        Ok(sum)
    }

    /// Divides by the common factor; the constant is rounded down.
    pub(crate) fn tidy(&mut self) {
        let common = self.coefficients.iter().fold(0, |x, y| gcd(x, *y));
        if 1 < common {
            self.constant = self.constant.div_euclid(i128::from(common));
            self.coefficients.iter_mut().for_each(|x| *x /= common);
        }
    }

    fn is_opposite(&self, other: &Self) -> bool {
        let mut both = self.coefficients.iter().zip(&other.coefficients);
        self.constant == -other.constant && both.all(|(a, b)| *a == -*b)
    }

    /// Without an axis; those after it move up.
    fn without(mut self, axis: usize) -> Self {
        self.coefficients.copy_within(axis + 1.., axis);
        self.coefficients[AXES - 1] = 0;
        self
    }

    /// With a form for an axis.
    fn replaced(&self, axis: usize, form: &Self) -> Result<Self, Refusal> {
        let factor = self.coefficients[axis];
        let mut row = *self;
        row.coefficients[axis] = 0;
        if factor != 0 {
            let term = multiply(i128::from(factor), form.constant)?;
            row.constant = add(row.constant, term)?;
            for (slot, x) in row.coefficients.iter_mut().zip(&form.coefficients) {
                let term = factor.checked_mul(*x);
                *slot = term
                    .and_then(|x| slot.checked_add(x))
                    .ok_or(Refusal::Overflow)?;
            }
            row.tidy();
        }
        Ok(row)
    }
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a.wrapping_rem(b));
    }
    a.saturating_abs()
}

impl Part {
    /// The points of all axes that satisfy the rows; nothing where there is plainly none.
    ///
    /// # Errors
    /// An axis has no bounds, or a number does not fit.
    pub(crate) fn new(
        axes: usize,
        rows: Vec<Row>,
        distance: Polynomial,
        multiplicity: Polynomial,
    ) -> Result<Option<Self>, Refusal> {
        if AXES < axes {
            return Err(Refusal::Overflow);
        }
        let mut part = Self {
            ranges: vec![(-FAR, FAR); axes],
            rows,
            distance,
            multiplicity,
        };
        part.rows.iter_mut().for_each(Row::tidy);
        match part.clone().reduced() {
            Err(Refusal::Unbounded) => part.projected()?.map_or(Ok(None), Self::reduced),
            other => other,
        }
    }

    /// With ranges by Fourier and Motzkin, where narrowing one axis after another found none.
    fn projected(mut self) -> Result<Option<Self>, Refusal> {
        for axis in 0..self.axes() {
            let order = std::iter::once(axis).chain((0..self.axes()).filter(|x| *x != axis));
            let order: Vec<usize> = order.collect();
            let number = |row: &Row| {
                let axes = order.iter().map(|x| i128::from(row.coefficients[*x]));
                std::iter::once(row.constant).chain(axes).collect()
            };
            let rows = self.rows.iter().map(number).collect();
            match first_range(self.axes(), rows)? {
                None => return Ok(None),
                Some(range) => self.ranges[axis] = range,
            }
        }
        Ok(Some(self))
    }

    /// The number of axes.
    pub(crate) fn axes(&self) -> usize {
        self.ranges.len()
    }

    /// How many values an axis has at most.
    pub(crate) fn extent(&self, axis: usize) -> i128 {
        self.ranges[axis].1 - self.ranges[axis].0 + 1
    }

    /// The points with one value of an axis, over the others.
    pub(crate) fn at(&self, axis: usize, value: i128) -> Result<Option<Self>, Refusal> {
        self.fixed(axis, value)?.reduced()
    }

    /// The points with some values of an axis.
    pub(crate) fn within(&self, axis: usize, range: Range) -> Result<Option<Self>, Refusal> {
        let mut part = self.clone();
        part.ranges[axis] = range;
        part.reduced()
    }

    /// The points that satisfy a row too, which is tidy.
    pub(crate) fn with(&self, row: Row) -> Result<Option<Self>, Refusal> {
        let mut part = self.clone();
        part.rows.push(row);
        part.reduced()
    }

    /// The ranges of all axes where one has some values: nothing where there is plainly no point.
    pub(crate) fn ranges_within(
        &self,
        axis: usize,
        range: Range,
    ) -> Result<Option<Vec<Range>>, Refusal> {
        let mut ranges = self.ranges.clone();
        ranges[axis] = range;
        let possible = narrow(&self.rows, &mut ranges, 1)?;
        Ok(possible.then_some(ranges))
    }

    /// The range of an axis where the others have values; nothing where it is empty.
    pub(crate) fn line(&self, axis: usize, values: &[i128]) -> Result<Option<Range>, Refusal> {
        let (mut lo, mut hi) = self.ranges[axis];
        for row in &self.rows {
            let rest = row.rest(axis, values)?;
            let coefficient = i128::from(row.coefficients[axis]);
            if coefficient == 0 {
                if rest < 0 {
                    return Ok(None);
                }
            } else if 0 < coefficient {
                lo = lo.max(-floor(rest, coefficient));
            } else {
                hi = hi.min(floor(rest, -coefficient));
            }
        }
        Ok((lo <= hi).then_some((lo, hi)))
    }

    /// The same accesses in least form.
    fn reduced(mut self) -> Result<Option<Self>, Refusal> {
        loop {
            if !narrow(&self.rows, &mut self.ranges, ROUNDS)? {
                return Ok(None);
            }
            if self.ranges.iter().any(|(lo, hi)| *lo == -FAR || *hi == FAR) {
                return Err(Refusal::Unbounded);
            }
            if let Some(axis) = self.ranges.iter().position(|(lo, hi)| lo == hi) {
                self = self.fixed(axis, self.ranges[axis].0)?;
                continue;
            }
            self.drop_plain_rows()?;
            let Some((axis, form)) = self.dependent() else {
                return Ok(Some(self));
            };
            self = self.substituted(axis, &form)?;
        }
    }

    /// Drops rows that hold in the whole box.
    fn drop_plain_rows(&mut self) -> Result<(), Refusal> {
        let mut kept: Vec<Row> = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let mut least = row.constant;
            for (range, coefficient) in self.ranges.iter().zip(row.coefficients) {
                if coefficient != 0 {
                    let end = if coefficient < 0 { range.1 } else { range.0 };
                    least = add(least, multiply(i128::from(coefficient), end)?)?;
                }
            }
            if least < 0 && !kept.contains(row) {
                kept.push(*row);
            }
        }
        self.rows = kept;
        Ok(())
    }

    /// An axis that an equality gives as a function of the others.
    fn dependent(&self) -> Option<(usize, Row)> {
        let coarse: Vec<Row> = self
            .rows
            .iter()
            .filter_map(|row| self.coarse(row))
            .collect();
        let mut rows = self.rows.iter().chain(&coarse).enumerate();
        rows.find_map(|(index, row)| {
            let axis = row.coefficients.iter().position(|x| x.abs() == 1)?;
            let mut earlier = self.rows.iter().chain(&coarse).take(index);
            if !earlier.any(|x| x.is_opposite(row)) {
                return None;
            }
            let sign = -row.coefficients[axis];
            let mut form = *row;
            form.constant *= i128::from(sign);
            form.coefficients.iter_mut().for_each(|x| *x *= sign);
            form.coefficients[axis] = 0;
            Some((axis, form))
        })
    }

    /// What a row says of the axes whose coefficients are multiples of its greatest one: of
    /// `0 <= 8x - 8y + r - 1` with `r <= 7` it is `0 <= 8x - 8y + 6` and so `0 <= x - y`.
    fn coarse(&self, row: &Row) -> Option<Row> {
        let greatest = row.coefficients.iter().map(|x| x.saturating_abs()).max()?;
        if greatest < 2 {
            return None;
        }
        let mut result = *row;
        for (axis, (lo, hi)) in self.ranges.iter().enumerate() {
            let coefficient = row.coefficients[axis];
            if coefficient % greatest != 0 {
                let end = if coefficient < 0 { *lo } else { *hi };
                let term = multiply(i128::from(coefficient), end).ok()?;
                result.constant = add(result.constant, term).ok()?;
                result.coefficients[axis] = 0;
            }
        }
        result.tidy();
        Some(result)
    }

    /// With a form of the other axes for an axis, which is then no more.
    fn substituted(&self, axis: usize, form: &Row) -> Result<Self, Refusal> {
        let mut part = self.renamed(axis, form)?;
        part.ranges.remove(axis);
        part.rows = part.rows.iter().map(|row| row.without(axis)).collect();
        part.distance = part.distance.without(axis)?;
        part.multiplicity = part.multiplicity.without(axis)?;
        Ok(part)
    }

    /// With a form for an axis in rows and polynomials, and its range made rows. The form may contain
    /// the axis, which then means another number.
    fn renamed(&self, axis: usize, form: &Row) -> Result<Self, Refusal> {
        let mut rows = Vec::with_capacity(self.rows.len() + 2);
        let (lo, hi) = self.ranges[axis];
        let ends = [Row::bound(axis, 1, -lo), Row::bound(axis, -1, hi)];
        for row in self.rows.iter().chain(&ends) {
            rows.push(row.replaced(axis, form)?);
        }
        let replace =
            |polynomial: &Polynomial| polynomial.replaced(axis, form.constant, &form.coefficients);
        Ok(Self {
            ranges: self.ranges.clone(),
            rows,
            distance: replace(&self.distance)?,
            multiplicity: replace(&self.multiplicity)?,
        })
    }

    /// With a number for an axis, which is then no more.
    fn fixed(&self, axis: usize, value: i128) -> Result<Self, Refusal> {
        let mut ranges = self.ranges.clone();
        ranges.remove(axis);
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let row = row.replaced(axis, &Row::new(value))?;
            rows.push(row.without(axis));
        }
        Ok(Self {
            ranges,
            rows,
            distance: self.distance.fixed(axis, value)?,
            multiplicity: self.multiplicity.fixed(axis, value)?,
        })
    }

    /// The same accesses with the difference or sum of two axes for one of them, where the distance
    /// depends on a square of it: `4x² - 8xy + 4y² + y` becomes `4u² + y` by `x = u + y`.
    ///
    /// Intervals of the former say little, as `x²` and `-2xy` cancel each other.
    pub(crate) fn untangled(self) -> Result<Option<Self>, Refusal> {
        if self.axes() < 2 || self.distance.degree() < 2 {
            return Ok(Some(self));
        }
        for x in 0..self.axes() {
            for y in 0..self.axes() {
                let mixed = self.distance.quadratic(x, y)?;
                let squares = [
                    self.distance.quadratic(x, x)?,
                    self.distance.quadratic(y, y)?,
                ];
                if x == y || mixed == 0 || squares.contains(&0) {
                    continue;
                }
                for sign in [1, -1] {
                    if squares[0] + squares[1] + mixed * i128::from(sign) == 0 {
                        let mut form = Row::bound(x, 1, 0);
                        form.coefficients[y] = sign;
                        let mut part = self.renamed(x, &form)?;
                        part.ranges[x] = (-FAR, FAR);
                        return part.reduced();
                    }
                }
            }
        }
        Ok(Some(self))
    }
}

/// Rounds down; the divisor is positive.
pub(crate) fn floor(x: i128, divisor: i128) -> i128 {
    if divisor == 1 {
        x
    } else {
        x.div_euclid(divisor)
    }
}

/// Narrows ranges to what the rows leave of them; whether there may be a point.
fn narrow(rows: &[Row], ranges: &mut [Range], rounds: usize) -> Result<bool, Refusal> {
    for _ in 0..rounds {
        let mut changed = false;
        for row in rows {
            changed |= narrow_by(row, ranges)?;
        }
        if ranges.iter().any(|(lo, hi)| hi < lo) {
            return Ok(false);
        }
        if !changed {
            break;
        }
    }
    let contradicts = |row: &Row| row.constant < 0 && row.coefficients.iter().all(|x| *x == 0);
    Ok(!rows.iter().any(contradicts))
}

/// Narrows by one row: each axis must make up for what the others give at most.
fn narrow_by(row: &Row, ranges: &mut [Range]) -> Result<bool, Refusal> {
    let mut greatest = row.constant;
    let mut endless = None;
    for (axis, range) in ranges.iter().enumerate() {
        let coefficient = i128::from(row.coefficients[axis]);
        if coefficient == 0 {
            continue;
        }
        let end = if coefficient < 0 { range.0 } else { range.1 };
        if FAR <= end.abs() {
            if endless.is_some() {
                return Ok(false);
            }
            endless = Some(axis);
        } else {
            greatest = add(greatest, multiply(coefficient, end)?)?;
        }
    }
    let mut changed = false;
    for (axis, range) in ranges.iter_mut().enumerate() {
        let coefficient = i128::from(row.coefficients[axis]);
        if coefficient == 0 || endless.is_some_and(|other| other != axis) {
            continue;
        }
        let end = if coefficient < 0 { range.0 } else { range.1 };
        let own = if endless.is_some() {
            0
        } else {
            coefficient * end
        };
        let others = greatest - own;
        if 0 < coefficient {
            let bound = -floor(others, coefficient);
            changed |= range.0 < bound;
            range.0 = range.0.max(bound);
        } else {
            let bound = floor(others, -coefficient);
            changed |= bound < range.1;
            range.1 = range.1.min(bound);
        }
        if range.1 < range.0 {
            return Ok(true);
        }
    }
    Ok(changed)
}
