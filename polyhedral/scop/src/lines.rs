//! From subscripts to the names of lines.
//!
//! Rows of S bytes that are no multiple of the line L share lines with their neighbours; p = L/gcd(S,
//! L) of them are a *band*, which holds whole lines only. The coordinates of a line are the band, and
//! within it the line, for each place w of the row within its band:
//!
//! ```text
//! row = p·H + w        (H, floor((w·S + bytes) / L))
//! ```
//!
//! Bands nest: within a band of planes the rows are counted on from plane to plane, and the rows of all its planes make
//! whole bands of rows. So coordinates are in bijection with lines. Where rows are multiples of the line, p is 1 and
//! the band is the row.

use crate::columns::{Columns, PieceBuilder, residue};
use crate::condition::{Conjunction, Constraint};
use crate::delinearise::ArrayRows;
use crate::evaluate::FloorOf;
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use crate::scop::{LineCoordinate, SymbolicParameter};
use crate::strip::{Factors, Strip};
use premiss_arithmetic::gcd;
use premiss_presburger::{self as presburger, Affine, Column, Rational};

/// An access falls into no more pieces than this.
const MOST_PIECES: usize = 4096;

/// A band has no more rows than this: each is a piece by itself, and pieces are compared with each other.
const MOST_ROWS: i64 = 16;

/// How the lines of an array are named.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    pub(crate) strides: Vec<Polynomial>,
    pub(crate) lengths: Vec<Polynomial>,
    /// For each stride, how many rows make a band.
    pub(crate) bands: Vec<i64>,
    /// For each stride, by what its subscript is divided into two coordinates, if at all.
    pub(crate) splits: Vec<Option<i64>>,
    pub(crate) line: i64,
    /// The place of the array's first byte in its line.
    pub(crate) start: i64,
}

impl Naming {
    pub(crate) fn new(
        rows: &ArrayRows,
        line: i64,
        start: i64,
        sizes: &[SymbolicParameter],
    ) -> Result<Self, Obstacle> {
        let mut bands = Vec::new();
        for stride in &rows.strides {
            for (product, coefficient) in stride.terms() {
                if let Some(Symbol::Size(number)) = product.first()
                    && coefficient % line != 0
                {
                    return Err(residue(&sizes[*number], coefficient, line));
                }
            }
            let band = line / gcd(stride.constant_term(), line);
            if MOST_ROWS < band {
                return Err(Obstacle::Cases(MOST_PIECES));
            }
            bands.push(band);
        }
        Ok(Self {
            splits: vec![None; bands.len()],
            strides: rows.strides.clone(),
            lengths: rows.lengths.clone(),
            bands,
            line,
            start,
        })
    }

    /// The length of a row in bytes, where rows share lines and their length depends on sizes.
    pub(crate) fn shared(&self) -> Option<&Polynomial> {
        let is_shared = self.bands.iter().any(|band| 1 < *band);
        let row = self.strides.last().filter(|_| is_shared)?;
        row.as_constant().is_none().then_some(row)
    }

    /// Requires the blocks that make the lines of an access affine.
    pub(crate) fn require(
        &self,
        subscripts: &[Polynomial],
        factors: &mut Factors<'_>,
    ) -> Result<(), Obstacle> {
        let moduli = self.bands.iter().copied().chain([self.line]);
        for (subscript, modulus) in subscripts.iter().zip(moduli) {
            factors.require(subscript, modulus)?;
        }
        Ok(())
    }

    /// Splits the subscripts of each dimension whose subscripts are all made of blocks of one length: into the block
    /// and the place in it.
    pub(crate) fn split(&mut self, subscripts: &[Vec<Polynomial>], strips: &[Strip]) {
        for (idx, split) in self.splits.iter_mut().enumerate() {
            if self.bands[idx] == 1 {
                *split = common_block(subscripts.iter().map(|all| &all[idx]), strips);
            }
        }
    }

    /// The coordinates of the lines.
    pub(crate) fn coordinates(&self) -> Vec<LineCoordinate> {
        let mut all = Vec::new();
        for ((stride, band), split) in self.strides.iter().zip(&self.bands).zip(&self.splits) {
            let rows = |count: i64| lines_in_rows(stride, count, self.line);
            all.push(LineCoordinate {
                range: None,
                weight: rows(split.unwrap_or(*band)),
            });
            if let Some(block) = split {
                all.push(LineCoordinate {
                    range: Some((0, block - 1)),
                    weight: rows(1),
                });
            }
        }
        let last = match self.strides.last() {
            Some(_) => self.lines_in_band(),
            None => None,
        };
        all.push(LineCoordinate {
            range: last,
            weight: Some(presburger::Polynomial::one()),
        });
        all
    }

    /// The lines of an innermost band, where these are few.
    fn lines_in_band(&self) -> Option<(i64, i64)> {
        let bytes = self.strides.last()?.as_constant()?;
        let lines = bytes.checked_mul(*self.bands.last()?)? / self.line;
        (lines <= 16).then_some((0, lines - 1))
    }

    /// The parts of one case of an access's domain, each with its line.
    pub(crate) fn parts(
        &self,
        columns: &Columns<'_>,
        floors: &[FloorOf],
        domain: &Conjunction,
        subscripts: &[Polynomial],
    ) -> Result<Vec<PieceBuilder>, Obstacle> {
        let mut parts = vec![PieceBuilder::default()];
        for number in floors_in(floors, domain, subscripts) {
            parts = refine(columns, &parts, |part| {
                let floor = &floors[number];
                let numerator = columns.form(&floor.numerator, &part.floors)?;
                let mut next = Vec::new();
                for quotient in columns.divided(&numerator, floor.denominator)? {
                    let mut part = part.clone();
                    part.floors.insert(number, quotient.quotient);
                    next.push((part, quotient.conditions));
                }
                Ok(next)
            })?;
        }
        parts = refine(columns, &parts, |part| {
            let mut part = part.clone();
            let mut conditions = Vec::new();
            for constraint in domain {
                let form = columns.form(constraint.polynomial(), &part.floors)?;
                match constraint {
                    Constraint::Zero(_) => columns.add_zero(&mut part, form)?,
                    Constraint::NotNegative(_) => conditions.push(form),
                }
            }
            Ok(vec![(part, conditions)])
        })?;
        let mut named = Vec::new();
        for part in &parts {
            self.name(columns, part, subscripts, &mut named)?;
        }
        Ok(named)
    }

    fn name(
        &self,
        columns: &Columns<'_>,
        part: &PieceBuilder,
        subscripts: &[Polynomial],
        named: &mut Vec<PieceBuilder>,
    ) -> Result<(), Obstacle> {
        // How many rows or bytes the places within the bands so far add to the next subscript.
        let mut open = vec![(part.clone(), Polynomial::constant(self.start))];
        for (idx, band) in self.bands.iter().enumerate() {
            let mut next = Vec::new();
            for (part, carried) in &open {
                let carried = if idx == 0 {
                    Polynomial::default()
                } else {
                    carried.clone()
                };
                let row = carried.plus(1, &subscripts[idx])?;
                let row = columns.form(&row, &part.floors)?;
                let length = &self.lengths[idx];
                match (band, self.splits[idx]) {
                    (1, None) => {
                        let mut part = part.clone();
                        part.line.push(row);
                        next.push((part, Polynomial::default()));
                    }
                    (1, Some(block)) => {
                        for quotient in columns.divided(&row, block)? {
                            let mut part = part.clone();
                            part.line.extend([quotient.quotient, quotient.rest]);
                            let part = narrowed(columns, part, quotient.conditions)?;
                            next.extend(part.map(|part| (part, Polynomial::default())));
                        }
                    }
                    (band, _) => {
                        for (part, place) in in_band(columns, part, &row, *band)? {
                            next.push((part, length.scaled(place)?));
                        }
                    }
                }
                limit(named.len() + next.len())?;
            }
            open = next;
        }
        for (part, carried) in &open {
            let bytes = carried.plus(1, &subscripts[self.bands.len()])?;
            let bytes = columns.form(&bytes, &part.floors)?;
            for quotient in columns.divided(&bytes, self.line)? {
                let mut part = part.clone();
                part.line.push(quotient.quotient);
                named.extend(narrowed(columns, part, quotient.conditions)?);
            }
            limit(named.len())?;
        }
        Ok(())
    }
}

/// How many lines so many rows of `stride` bytes are, over the columns of sizes; `None` where that does not fit.
fn lines_in_rows(stride: &Polynomial, count: i64, line: i64) -> Option<presburger::Polynomial> {
    let share = Rational::new(count.into(), line.into()).ok()?;
    let mut lines = presburger::Polynomial::integer(0);
    for (product, coefficient) in stride.terms() {
        let factor = share.times(Rational::integer(coefficient.into())).ok()?;
        let mut term = presburger::Polynomial::constant(factor);
        for symbol in product {
            let Symbol::Size(number) = symbol else {
                return None;
            };
            let size = presburger::Polynomial::variable(Column::at_place(*number)).ok()?;
            term = term.times(&size).ok()?;
        }
        lines = lines.plus(&term).ok()?;
    }
    Some(lines)
}

/// The parts for each place of a row in its band, with that place.
fn in_band(
    columns: &Columns<'_>,
    part: &PieceBuilder,
    row: &Affine,
    band: i64,
) -> Result<Vec<(PieceBuilder, i64)>, Obstacle> {
    let one = Affine::constant(columns.width, 1);
    let mut all = Vec::new();
    for quotient in columns.divided(row, band)? {
        for place in 0..band {
            let mut part = part.clone();
            let here = quotient.rest.plus(-place, &one)?;
            if here.is_constant() {
                if here.constant_term() != 0 {
                    continue;
                }
            } else {
                part.zeros.push(here);
            }
            part.line.push(quotient.quotient.clone());
            let part = narrowed(columns, part, quotient.conditions.clone())?;
            all.extend(part.map(|part| (part, place)));
        }
    }
    Ok(all)
}

/// A part with more constraints; `None` where nothing is left of it.
fn narrowed(
    columns: &Columns<'_>,
    mut part: PieceBuilder,
    conditions: Vec<Affine>,
) -> Result<Option<PieceBuilder>, Obstacle> {
    for form in conditions {
        if !columns.add(&mut part, form)? {
            return Ok(None);
        }
    }
    Ok(columns.may_hold(&part).then_some(part))
}

/// Replaces each part by others with more constraints.
fn refine(
    columns: &Columns<'_>,
    parts: &[PieceBuilder],
    mut function: impl FnMut(&PieceBuilder) -> Result<Vec<(PieceBuilder, Vec<Affine>)>, Obstacle>,
) -> Result<Vec<PieceBuilder>, Obstacle> {
    let mut all = Vec::new();
    for part in parts {
        for (part, conditions) in function(part)? {
            all.extend(narrowed(columns, part, conditions)?);
        }
        limit(all.len())?;
    }
    Ok(all)
}

fn limit(count: usize) -> Result<(), Obstacle> {
    if MOST_PIECES < count {
        return Err(Obstacle::Cases(MOST_PIECES));
    }
    Ok(())
}

/// The floors that forms depend on, inner ones first.
fn floors_in(floors: &[FloorOf], domain: &Conjunction, subscripts: &[Polynomial]) -> Vec<usize> {
    let mut needed = vec![false; floors.len()];
    let note = |needed: &mut [bool], polynomial: &Polynomial| {
        polynomial.mentions(|symbol| {
            if let Symbol::Floor(number) = symbol {
                needed[number] = true;
            }
            false
        });
    };
    let constraints = domain.iter().map(Constraint::polynomial);
    constraints
        .chain(subscripts)
        .for_each(|x| note(&mut needed, x));
    // A floor stands behind those within it.
    for number in (0..floors.len()).rev() {
        if needed[number] {
            note(&mut needed, &floors[number].numerator);
        }
    }
    (0..floors.len()).filter(|number| needed[*number]).collect()
}

/// The length of blocks that all subscripts of a dimension are made of.
fn common_block<'a>(
    subscripts: impl Iterator<Item = &'a Polynomial>,
    strips: &[Strip],
) -> Option<i64> {
    let mut block = None;
    let mut sizes = Vec::new();
    for subscript in subscripts {
        let mut has_iterator = false;
        for (product, coefficient) in subscript.terms() {
            match product {
                [] => {}
                [Symbol::Size(_)] => sizes.push(coefficient),
                [Symbol::Iterator(number)] if !has_iterator && coefficient == 1 => {
                    has_iterator = true;
                    match strips[*number] {
                        Strip::Blocks(factor) if block.is_none_or(|block| block == factor) => {
                            block = Some(factor);
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }
    block.filter(|block| sizes.iter().all(|coefficient| coefficient % block == 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delinearise::{Touch, rows};
    use crate::strip::Dimension;
    use crate::test_forms::{between, form};
    use premiss_presburger::{Column, System};
    use std::collections::BTreeMap;

    /// The lines of 16 bytes of `a[i][j]`, whose rows have `elements` elements of 8 bytes, by `i` and `j`.
    fn lines_of_matrix(rows_in_array: i64, elements: i64) -> BTreeMap<(i64, i64), Vec<i128>> {
        let [i, j] = [0, 1].map(Symbol::Iterator);
        let mut domain = between(i, 0, rows_in_array - 1);
        domain.extend(between(j, 0, elements - 1));
        let offset = form(0, &[(i, 8 * elements), (j, 8)]);
        let touch = Touch {
            domain: &domain,
            offset: &offset,
            size: 8,
        };
        let declared = [Polynomial::constant(8 * elements)];
        let rows = rows(&[touch], &declared, 16).expect("it keeps to its rows");
        assert_eq!(rows.strides, declared);
        let mut naming = Naming::new(&rows, 16, 0, &[]).expect("there are no sizes");
        let strips = strips(&naming, &rows, &domain);
        naming.split(&rows.subscripts, &strips);
        let first = |number: usize| match strips[..number] {
            [] | [Strip::Whole | Strip::Few(..)] => Column::new(1 + number),
            _ => Column::new(2 + number),
        };
        let places = BTreeMap::from([0, 1].map(|number| (number, first(number))));
        let columns = Columns {
            width: 5,
            sizes: &[],
            places: &places,
            strips: &strips,
            context: &System::universe(0),
        };
        let parts = naming.parts(&columns, &[], &domain, &rows.subscripts[0]);
        let parts = parts.expect("it is affine in pieces");
        let mut found = BTreeMap::new();
        for (row, column) in (0..rows_in_array).flat_map(|i| (0..elements).map(move |j| (i, j))) {
            let mut point = [0; 4];
            for (number, value) in [row, column].into_iter().enumerate() {
                let place = places[&number].place();
                match strips[number] {
                    Strip::Blocks(factor) => {
                        point[place] = i128::from(value / factor);
                        point[place + 1] = i128::from(value % factor);
                    }
                    Strip::Whole | Strip::Few(..) => point[place] = i128::from(value),
                }
            }
            let contains = |part: &&PieceBuilder| columns.system(part).contains(&point) == Ok(true);
            let holding: Vec<&PieceBuilder> = parts.iter().filter(contains).collect();
            let [part] = &holding[..] else {
                panic!("{row}, {column} is in {} parts", holding.len());
            };
            let at = |form: &Affine| form.at(&point).expect("it is small");
            let line: Vec<i128> = part.line.iter().map(at).collect();
            let coordinates = naming.coordinates();
            assert_eq!(line.len(), coordinates.len());
            for (value, coordinate) in line.iter().zip(coordinates) {
                let (first, last) = coordinate.range.unwrap_or((0, i64::MAX));
                assert!(i128::from(first) <= *value && *value <= i128::from(last));
            }
            found.insert((row, column), line);
        }
        found
    }

    fn strips(naming: &Naming, rows: &ArrayRows, domain: &Conjunction) -> Vec<Strip> {
        let mut factors = Factors::new(2, &[]);
        let subscripts = &rows.subscripts[0];
        naming
            .require(subscripts, &mut factors)
            .expect("it is small");
        let dimension = |(subscript, unit)| Dimension {
            subscripts: vec![subscript],
            unit,
            is_of_elements: false,
        };
        let dimensions: Vec<_> = subscripts.iter().zip([1, 16]).map(dimension).collect();
        factors.close(&[domain], &dimensions).expect("it is small");
        factors.strips(&[domain])
    }

    #[test]
    fn elements_have_the_same_coordinates_if_and_only_if_they_share_a_line() {
        // Rows of 2, 4 and 6 elements are whole lines; of 3 and 5, two rows make a band.
        for elements in 2..=6 {
            for rows_in_array in [1, 2, 5, 8] {
                let named = lines_of_matrix(rows_in_array, elements);
                let byte = |(i, j): &(i64, i64)| 8 * (elements * i + j);
                for (one, line) in &named {
                    for (other, its) in &named {
                        let is_same = byte(one) / 16 == byte(other) / 16;
                        assert_eq!(line == its, is_same, "{elements}: {one:?}, {other:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_band_has_as_many_rows_as_make_whole_lines_and_names_these_if_they_are_few() {
        let band = |bytes: i64, line: i64| {
            let rows = ArrayRows {
                strides: vec![Polynomial::constant(bytes)],
                lengths: vec![Polynomial::constant(bytes)],
                subscripts: Vec::new(),
                required: Conjunction::new(),
            };
            let naming = Naming::new(&rows, line, 0, &[]).expect("there are no sizes");
            let last = naming.coordinates().pop().expect("there is a line");
            (naming.bands[0], last.range)
        };
        assert_eq!(band(64, 64), (1, Some((0, 0))));
        assert_eq!(band(128, 64), (1, Some((0, 1))));
        assert_eq!(band(72, 64), (8, Some((0, 8))));
        assert_eq!(band(96, 64), (2, Some((0, 2))));
        assert_eq!(band(80, 48), (3, Some((0, 4))));
        assert_eq!(band(64 * 17, 64), (1, None));
    }
}
