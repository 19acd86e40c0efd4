//! The parts of an entry's accesses at given sizes.

use crate::columns::Columns;
use crate::form::HistogramEntry;
use crate::part::WeightedBox;
use crate::row::AxisRow;
use premiss_arithmetic::{PackedPolynomial, add, multiply};
use premiss_presburger::{Affine, Column, Monomial, Piece, Refusal, System};

/// The value of a piece in which no axis is left; zero where its domain does not hold.
pub(crate) fn number(piece: &Piece, values: &[i128]) -> Result<i128, Refusal> {
    let system = &piece.domain;
    let (terms, denominator) = piece.value.scaled_terms();
    let is_universe = system.equalities.is_empty() && system.inequalities.is_empty();
    if let ([(Monomial::ONE, constant)], true) = (terms, is_universe) {
        return exact_quotient(*constant, denominator);
    }
    let mut point = values.to_vec();
    point.resize(system.variables, 0);
    let columns = system.values(&point)?;
    for form in &system.equalities {
        if form.at(&columns)? != 0 {
            return Ok(0);
        }
    }
    for form in &system.inequalities {
        if form.at(&columns)? < 0 {
            return Ok(0);
        }
    }
    let mut sum = 0;
    for (monomial, coefficient) in terms {
        let mut factors = monomial.factors();
        let term = factors.try_fold(*coefficient, |x, column| {
            multiply(x, columns[column.place()])
        })?;
        sum = add(sum, term)?;
    }
    exact_quotient(sum, denominator)
}

/// A quotient that is an integer.
pub(crate) fn exact_quotient(numerator: i128, denominator: i128) -> Result<i128, Refusal> {
    if denominator == 1 {
        return Ok(numerator);
    }
    assert_eq!(numerator % denominator, 0, "a count is a whole number");
    Ok(numerator / denominator)
}

/// What all pieces over the same axes share at given sizes.
pub(crate) struct AxisFrame {
    n_axes: usize,
    columns: Columns,
}

/// The points of a piece over axes, and its value there.
pub(crate) struct PieceShape {
    /// Each column as a form in the axes.
    pub(crate) columns: Columns,
    /// What the axes satisfy, those of floors included.
    pub(crate) rows: Vec<AxisRow>,
    pub(crate) value: PackedPolynomial,
    /// Whether no axis is a function of the others.
    is_plain: bool,
}

impl AxisFrame {
    /// The frame of pieces over so many variables of which some are axes, at given sizes.
    pub(crate) fn new(axes: &[Column], variables: usize, values: &[i128]) -> Result<Self, Refusal> {
        Ok(Self {
            n_axes: axes.len(),
            columns: Columns::new(values, variables, axes)?,
        })
    }

    /// A piece over the axes; `None` where its value is plainly nothing.
    pub(crate) fn shape(&self, piece: &Piece) -> Result<Option<PieceShape>, Refusal> {
        let Some((mut columns, equalities)) = self.solve_equalities(&piece.domain)? else {
            return Ok(None);
        };
        let is_plain = columns.axes() == self.n_axes;
        let mut rows = Vec::new();
        for row in equalities {
            rows.extend([row, row.negated()?]);
        }
        let own = add_floors(&mut columns, piece, &mut rows)?;
        let system = &piece.domain;
        for form in system
            .equalities
            .iter()
            .filter(|form| !is_free(form, system))
        {
            let row = columns.row(form)?;
            rows.extend([row, row.negated()?]);
        }
        for form in &system.inequalities {
            let row = columns.row(form)?;
            if row.coefficients.iter().any(|x| *x != 0) {
                rows.push(row);
            } else if row.constant < 0 {
                return Ok(None);
            }
        }
        let value = columns.polynomial(&piece.value)?;
        if value.is_zero() {
            // Its domain may then be without bounds.
            return Ok(None);
        }
        columns.forget_floors(own);
        Ok(Some(PieceShape {
            columns,
            rows,
            value,
            is_plain,
        }))
    }

    /// The columns where the equalities without floors of a system hold, and the equalities that determine no axis;
    /// `None` where an equality cannot hold.
    fn solve_equalities(
        &self,
        system: &System,
    ) -> Result<Option<(Columns, Vec<AxisRow>)>, Refusal> {
        let mut columns = self.columns.clone();
        if system.equalities.is_empty() {
            return Ok(Some((columns, Vec::new())));
        }
        let mut open: Vec<&Affine> = Vec::new();
        open.extend(
            system
                .equalities
                .iter()
                .filter(|form| is_free(form, system)),
        );
        loop {
            let before = open.len();
            let mut left = Vec::new();
            for form in open {
                let row = columns.row(form)?;
                if row.coefficients.iter().all(|x| *x == 0) {
                    if row.constant != 0 {
                        return Ok(None);
                    }
                } else if !columns.solve(&row)? {
                    left.push(form);
                }
            }
            if left.len() == before {
                let rows = left.into_iter().map(|form| columns.row(form));
                let rows = rows.collect::<Result<_, _>>()?;
                return Ok(Some((columns, rows)));
            }
            open = left;
        }
    }
}

/// What all pieces of an entry's multiplicity share at given sizes.
pub(crate) struct EntryFrame<'a> {
    entry: &'a HistogramEntry,
    frame: AxisFrame,
    /// The distance where no axis is known and it has no floors.
    distance: Option<PackedPolynomial>,
}

impl<'a> EntryFrame<'a> {
    /// The frame of an entry at given sizes.
    pub(crate) fn new(entry: &'a HistogramEntry, values: &[i128]) -> Result<Self, Refusal> {
        let variables = entry.distance.domain.variables;
        Ok(Self {
            entry,
            frame: AxisFrame::new(&entry.axes, variables, values)?,
            distance: None,
        })
    }

    /// The accesses of one piece of an entry's multiplicity; `None` where there are plainly none.
    pub(crate) fn part(&mut self, piece: &Piece) -> Result<Option<WeightedBox>, Refusal> {
        let Some(mut shape) = self.frame.shape(piece)? else {
            return Ok(None);
        };
        let distance = self.distance(&mut shape)?;
        let axes = shape.columns.axes();
        match WeightedBox::new(axes, shape.rows, distance, shape.value)? {
            None => Ok(None),
            Some(part) => part.untangled(),
        }
    }

    /// The distance over the columns of a shape, to which what defines its floors is added.
    fn distance(&mut self, shape: &mut PieceShape) -> Result<PackedPolynomial, Refusal> {
        let distance = &self.entry.distance;
        let is_shared = shape.is_plain && distance.domain.floors.is_empty();
        if is_shared && let Some(known) = &self.distance {
            return Ok(known.clone());
        }
        for floor in &distance.domain.floors {
            let rows = shape.columns.add_floor(floor)?;
            shape.rows.extend(rows.into_iter().flatten());
        }
        let polynomial = shape.columns.polynomial(&distance.value)?;
        if is_shared {
            self.distance = Some(polynomial.clone());
        }
        Ok(polynomial)
    }
}

/// Whether a form of a system contains no floor.
fn is_free(form: &Affine, system: &System) -> bool {
    form.support()
        .all(|column| column.place() < system.variables)
}

/// Adds the columns of a piece's floors and the rows that define them; returns how many floors there are. Floors on
/// which nothing depends have no value: they may be of variables that are summed out.
fn add_floors(
    columns: &mut Columns,
    piece: &Piece,
    rows: &mut Vec<AxisRow>,
) -> Result<usize, Refusal> {
    let floors = &piece.domain.floors;
    if floors.is_empty() {
        return Ok(0);
    }
    for (floor, is_needed) in floors.iter().zip(needed_floors(piece)) {
        if is_needed {
            rows.extend(columns.add_floor(floor)?.into_iter().flatten());
        } else {
            columns.skip_floor();
        }
    }
    Ok(floors.len())
}

/// For each floor of a piece whether its value or its constraints depend on it.
fn needed_floors(piece: &Piece) -> Vec<bool> {
    let system = &piece.domain;
    let mut needed = vec![false; system.floors.len()];
    let mut open = piece.value.support();
    for form in system.equalities.iter().chain(&system.inequalities) {
        open.extend(form.support());
    }
    while let Some(column) = open.pop() {
        if let Some(floor) = system.floor_at(column)
            && !needed[floor]
        {
            needed[floor] = true;
            open.extend(system.floors[floor].numerator.support());
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_presburger::Column;

    /// `4·(x - y)² - 7·(x - y) + 3` accesses where `x = y + 1` and `1 <= y`: none at all.
    #[test]
    fn no_accesses_need_no_bounds() {
        let variable = |column| Affine::variable(4, Column::new(column));
        let one = Affine::constant(4, 1);
        let gap = variable(2).plus(-1, &variable(3)).expect("small");
        let mut domain = System::universe(3);
        domain.equalities.push(gap.plus(-1, &one).expect("small"));
        let bound = variable(3).plus(-1, &one).expect("small");
        domain.inequalities.push(bound);
        let polynomial = |form: &Affine| premiss_presburger::Polynomial::from_affine(form);
        let rises = gap.times(4).and_then(|x| x.plus(-3, &one));
        let falls = gap.plus(-1, &one);
        let value = polynomial(&rises.expect("small")).expect("small");
        let value = value.times(&polynomial(&falls.expect("small")).expect("small"));
        let value = value.expect("small");
        let distance = Piece {
            domain: System::universe(3),
            value: polynomial(&variable(2)).expect("small"),
        };
        let entry = HistogramEntry {
            axes: [2, 3].map(Column::new).to_vec(),
            distance,
            multiplicity: Vec::new(),
        };
        let mut frame = EntryFrame::new(&entry, &[5]).expect("small");
        let found = frame.part(&Piece { domain, value });
        assert!(found.expect("small").is_none());
    }
}
