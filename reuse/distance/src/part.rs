//! Integer points of a polytope, each with a distance and a multiplicity.

use crate::row::{AxisRow, FAR, narrow};
use crate::shape::{ConstrainedBox, ROUNDS, drop_plain_rows, is_far};
use premiss_arithmetic::{Interval, PackedPolynomial, add, div_floor, multiply};
use premiss_presburger::Refusal;

/// For each integer point of a box that satisfies some rows, `multiplicity` accesses at the distance `distance`.
///
/// Parts are kept in least form by [`WeightedBox::reduced`]: no axis has one value only, none is determined by an
/// equality in which its coefficient is 1 or -1, and no row is implied by the box.
///
/// What has the place of the distance may also be something else that is a function of the axes.
#[derive(Clone, Debug)]
pub(crate) struct WeightedBox<D = PackedPolynomial> {
    /// The least and the greatest value of each axis.
    pub(crate) ranges: Vec<Interval>,
    pub(crate) rows: Vec<AxisRow>,
    pub(crate) distance: D,
    pub(crate) multiplicity: PackedPolynomial,
}

/// A function of axes.
pub(crate) trait OverAxes: Clone {
    /// Fixes an axis at a number and removes it.
    fn fix(&mut self, axis: usize, value: i128) -> Result<(), Refusal>;

    /// Substitutes a form for an axis. The form may contain the axis, which then stands for another number.
    fn replaced(&self, axis: usize, form: &AxisRow) -> Result<Self, Refusal>;

    /// Whether an axis occurs in it.
    fn depends_on(&self, axis: usize) -> bool;
}

impl OverAxes for PackedPolynomial {
    fn fix(&mut self, axis: usize, value: i128) -> Result<(), Refusal> {
        Ok(Self::fix(self, axis, value)?)
    }

    fn replaced(&self, axis: usize, form: &AxisRow) -> Result<Self, Refusal> {
        Ok(self.substituted(axis, form.constant, &form.coefficients)?)
    }

    fn depends_on(&self, axis: usize) -> bool {
        Self::depends_on(self, axis)
    }
}

impl OverAxes for () {
    fn fix(&mut self, _axis: usize, _value: i128) -> Result<(), Refusal> {
        Ok(())
    }

    fn replaced(&self, _axis: usize, _form: &AxisRow) -> Result<Self, Refusal> {
        Ok(())
    }

    fn depends_on(&self, _axis: usize) -> bool {
        false
    }
}

impl<D: OverAxes> WeightedBox<D> {
    /// The points of all axes that satisfy the rows; `None` where there is plainly none.
    ///
    /// # Errors
    /// An axis has no bounds, or a number does not fit.
    pub(crate) fn new(
        axes: usize,
        rows: Vec<AxisRow>,
        distance: D,
        multiplicity: PackedPolynomial,
    ) -> Result<Option<Self>, Refusal> {
        match ConstrainedBox::new(axes, rows)? {
            None => Ok(None),
            Some(shape) => Self::on(shape, distance, multiplicity),
        }
    }

    /// The points of a shape.
    ///
    /// # Errors
    /// A number does not fit.
    pub(crate) fn on(
        shape: ConstrainedBox,
        distance: D,
        multiplicity: PackedPolynomial,
    ) -> Result<Option<Self>, Refusal> {
        let part = Self {
            ranges: shape.ranges,
            rows: shape.rows,
            distance,
            multiplicity,
        };
        part.reduced()
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
        self.clone().fixed(axis, value)?.reduced()
    }

    /// The sum of a function of the points with each value of an axis.
    pub(crate) fn sum_over(
        &self,
        axis: usize,
        mut function: impl FnMut(&Self) -> Result<i128, Refusal>,
    ) -> Result<i128, Refusal> {
        let mut sum = 0;
        for value in self.ranges[axis].0..=self.ranges[axis].1 {
            if let Some(slice) = self.at(axis, value)? {
                sum = add(sum, function(&slice)?)?;
            }
        }
        Ok(sum)
    }

    /// A sum over both halves of an axis, as far as there are points in them.
    pub(crate) fn sum_halves(
        &self,
        axis: usize,
        mut function: impl FnMut(&Self) -> Result<i128, Refusal>,
    ) -> Result<i128, Refusal> {
        let (lo, hi) = self.ranges[axis];
        let middle = lo + (hi - lo) / 2;
        let mut sum = 0;
        for range in [(lo, middle), (middle + 1, hi)] {
            if let Some(half) = self.within(axis, range)? {
                sum = add(sum, function(&half)?)?;
            }
        }
        Ok(sum)
    }

    /// A sum over the points where a form is not negative, and over those where it is.
    pub(crate) fn sum_sides(
        &self,
        row: &AxisRow,
        mut function: impl FnMut(&Self) -> Result<i128, Refusal>,
    ) -> Result<i128, Refusal> {
        let mut opposite = row.negated()?;
        opposite.constant = add(opposite.constant, -1)?;
        let mut sum = 0;
        for mut side in [*row, opposite] {
            side.tidy();
            if let Some(side) = self.with(side)? {
                sum = add(sum, function(&side)?)?;
            }
        }
        Ok(sum)
    }

    /// The same accesses, whatever their distance is.
    pub(crate) fn without_distance(&self) -> WeightedBox<()> {
        WeightedBox {
            ranges: self.ranges.clone(),
            rows: self.rows.clone(),
            distance: (),
            multiplicity: self.multiplicity.clone(),
        }
    }

    /// The points with some values of an axis.
    pub(crate) fn within(&self, axis: usize, range: Interval) -> Result<Option<Self>, Refusal> {
        let mut part = self.clone();
        part.ranges[axis] = range;
        part.reduced()
    }

    /// The points that also satisfy `row`, which is tidy.
    pub(crate) fn with(&self, row: AxisRow) -> Result<Option<Self>, Refusal> {
        let mut part = self.clone();
        part.rows.push(row);
        part.reduced()
    }

    /// The ranges of all axes where `axis` is in `range`; `None` where there is plainly no point.
    pub(crate) fn ranges_within(
        &self,
        axis: usize,
        range: Interval,
    ) -> Result<Option<Vec<Interval>>, Refusal> {
        let mut ranges = self.ranges.clone();
        ranges[axis] = range;
        let possible = narrow(&self.rows, &mut ranges, 1)?;
        Ok(possible.then_some(ranges))
    }

    /// The range of an axis at given values of the others; `None` where it is empty.
    pub(crate) fn line(&self, axis: usize, values: &[i128]) -> Result<Option<Interval>, Refusal> {
        let (mut lo, mut hi) = self.ranges[axis];
        for row in &self.rows {
            let rest = row.rest(axis, values)?;
            let coefficient = i128::from(row.coefficients[axis]);
            if coefficient == 0 {
                if rest < 0 {
                    return Ok(None);
                }
            } else if 0 < coefficient {
                lo = lo.max(-div_floor(rest, coefficient));
            } else {
                hi = hi.min(div_floor(rest, -coefficient));
            }
        }
        Ok((lo <= hi).then_some((lo, hi)))
    }

    /// The same accesses in least form.
    pub(crate) fn reduced(mut self) -> Result<Option<Self>, Refusal> {
        loop {
            if !narrow(&self.rows, &mut self.ranges, ROUNDS)? {
                return Ok(None);
            }
            if is_far(&self.ranges) {
                return Err(Refusal::Unbounded);
            }
            if let Some(axis) = self.ranges.iter().position(|(lo, hi)| lo == hi) {
                let value = self.ranges[axis].0;
                self = self.fixed(axis, value)?;
                continue;
            }
            drop_plain_rows(&mut self.rows, &self.ranges)?;
            let Some((axis, form)) = self.dependent() else {
                return Ok(Some(self));
            };
            self = self.substituted(axis, &form)?;
        }
    }

    /// An axis that an equality determines, as a function of the others.
    fn dependent(&self) -> Option<(usize, AxisRow)> {
        if self.rows.len() < 2 {
            return None;
        }
        let coarse: Vec<AxisRow> = self
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

    /// What a row implies for the axes whose coefficients are multiples of its greatest one: `0 <= 8x - 8y + r - 1`
    /// with `r <= 7` implies `0 <= 8x - 8y + 6` and so `0 <= x - y`.
    fn coarse(&self, row: &AxisRow) -> Option<AxisRow> {
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

    /// Substitutes a form of the other axes for an axis and removes the axis.
    fn substituted(&self, axis: usize, form: &AxisRow) -> Result<Self, Refusal> {
        let mut part = self.renamed(axis, form)?;
        part.ranges.remove(axis);
        part.rows = part.rows.iter().map(|row| row.without(axis)).collect();
        part.distance.fix(axis, 0)?;
        part.multiplicity.fix(axis, 0)?;
        Ok(part)
    }

    /// Substitutes a form for an axis in rows and polynomials, and makes its range rows. The form may contain the axis,
    /// which then stands for another number.
    pub(crate) fn renamed(&self, axis: usize, form: &AxisRow) -> Result<Self, Refusal> {
        let mut rows = Vec::with_capacity(self.rows.len() + 2);
        let (lo, hi) = self.ranges[axis];
        let ends = [AxisRow::bound(axis, 1, -lo), AxisRow::bound(axis, -1, hi)];
        for row in self.rows.iter().chain(&ends) {
            rows.push(row.replaced(axis, form)?);
        }
        Ok(Self {
            ranges: self.ranges.clone(),
            rows,
            distance: self.distance.replaced(axis, form)?,
            multiplicity: self.multiplicity.replaced(axis, form)?,
        })
    }

    /// The same points with a form, but for its constant, as an axis instead of one on which it depends with the factor 1 or -1.
    pub(crate) fn with_axis_for(
        &self,
        axis: usize,
        row: &AxisRow,
    ) -> Result<Option<Self>, Refusal> {
        // `axis = sign · (new - others)`
        let sign = row.coefficients[axis];
        let mut others = *row;
        others.constant = 0;
        others.coefficients[axis] = 0;
        let form = AxisRow::new(0).plus_times(&others, -sign)?;
        let mut part = self.renamed(axis, &form.plus(axis, sign)?)?;
        part.ranges[axis] = (-FAR, FAR);
        part.reduced()
    }

    /// The points at which an axis is congruent to a residue, over `y` for its value `modulus · y + residue`.
    pub(crate) fn in_class(
        &self,
        axis: usize,
        modulus: i64,
        residue: i64,
    ) -> Result<Option<Self>, Refusal> {
        let (lo, hi) = self.ranges[axis];
        let wide = (i128::from(modulus), i128::from(residue));
        let form = AxisRow::new(wide.1).plus(axis, modulus)?;
        let mut part = self.renamed(axis, &form)?;
        part.ranges[axis] = (
            -div_floor(wide.1 - lo, wide.0),
            div_floor(hi - wide.1, wide.0),
        );
        part.reduced()
    }

    /// Fixes an axis at a number and removes it.
    fn fixed(mut self, axis: usize, value: i128) -> Result<Self, Refusal> {
        self.ranges.remove(axis);
        for row in &mut self.rows {
            *row = row.fixed(axis, value)?;
        }
        self.distance.fix(axis, value)?;
        self.multiplicity.fix(axis, value)?;
        Ok(self)
    }
}

impl WeightedBox {
    /// The same accesses with the difference or sum of two axes for one of them, where the distance
    /// depends on a square of it: `4x² - 8xy + 4y² + y` becomes `4u² + y` by `x = u + y`.
    ///
    /// Interval bounds of the former are wide, as `x²` and `-2xy` cancel each other.
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
                        let mut form = AxisRow::bound(x, 1, 0);
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
