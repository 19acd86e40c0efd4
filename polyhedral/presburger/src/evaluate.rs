//! Values of pieces at numbers, fast.
//!
//! Each floor that several pieces share is computed once, powers of columns are looked up, and
//! polynomials are integers over their common denominator.

use std::collections::BTreeMap;

use crate::rows::RowMatrix;
use crate::space::Space;
use crate::{Column, Piece, Rational, Refusal};
use premiss_arithmetic::multiply;

/// Pieces over the same variables, ready for evaluation at many points.
#[derive(Clone, Debug)]
pub struct Evaluator {
    variables: usize,
    /// Numerators, each over the columns before, and denominators.
    floors: Vec<(Vec<i64>, i64)>,
    /// Products of two earlier columns or products, behind the floors.
    products: Vec<(usize, usize)>,
    pieces: Vec<Compiled>,
}

#[derive(Clone, Debug)]
struct Compiled {
    /// Forms that are zero.
    equalities: Vec<Sparse>,
    /// Forms that are not negative.
    inequalities: Vec<Sparse>,
    /// Integer coefficients of products.
    terms: Vec<(usize, i128)>,
    constant: i128,
    denominator: i128,
}

/// The constant, and the columns with their coefficients.
#[derive(Clone, Debug)]
struct Sparse {
    constant: i128,
    terms: Vec<(usize, i64)>,
}

impl Evaluator {
    /// Pieces over so many variables, ready.
    #[must_use]
    pub fn new(variables: usize, pieces: &[Piece]) -> Self {
        let mut space = Space::new(variables);
        let maps: Vec<Vec<Column>> = pieces
            .iter()
            .map(|piece| space.absorb(&piece.domain))
            .collect();
        let mut products = Products {
            first: space.width() - 1,
            pairs: Vec::new(),
            indices: BTreeMap::new(),
        };
        let mut compiled = Vec::new();
        for (piece, map) in pieces.iter().zip(&maps) {
            compiled.push(compile(&space, piece, map, &mut products));
        }
        let floors = (0..space.floors.len()).map(|index| space.quotient(index));
        Self {
            variables,
            floors: floors.collect(),
            products: products.pairs,
            pieces: compiled,
        }
    }

    /// The sum of the values of the pieces whose domain has the point, given by its variables.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub fn at(&self, point: &[i128]) -> Result<Rational, Refusal> {
        assert_eq!(point.len(), self.variables, "one value for each variable");
        let mut values = point.to_vec();
        values.reserve(self.floors.len() + self.products.len());
        for (numerator, denominator) in &self.floors {
            let mut sum = i128::from(numerator[0]);
            for (coefficient, x) in numerator[1..].iter().zip(&values) {
                let term = multiply(i128::from(*coefficient), *x)?;
                sum = sum.checked_add(term).ok_or(Refusal::Overflow)?;
            }
            values.push(sum.div_euclid(i128::from(*denominator)));
        }
        let mut sum = Rational::ZERO;
        let columns = values.len();
        for piece in &self.pieces {
            if !piece.holds(&values[..columns])? {
                continue;
            }
            // Products only where some piece needs them.
            while values.len() < columns + self.products.len() {
                let (a, b) = self.products[values.len() - columns];
                values.push(multiply(values[a], values[b])?);
            }
            sum = sum.plus(piece.value(&values)?)?;
        }
        Ok(sum)
    }
}

impl Compiled {
    fn holds(&self, values: &[i128]) -> Result<bool, Refusal> {
        for form in &self.inequalities {
            if form.at(values)? < 0 {
                return Ok(false);
            }
        }
        for form in &self.equalities {
            if form.at(values)? != 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn value(&self, values: &[i128]) -> Result<Rational, Refusal> {
        let mut sum = self.constant;
        for (index, coefficient) in &self.terms {
            let term = multiply(*coefficient, values[*index])?;
            sum = sum.checked_add(term).ok_or(Refusal::Overflow)?;
        }
        match self.denominator {
            1 => Ok(Rational::integer(sum)),
            _ => Ok(Rational::new(sum, self.denominator)?),
        }
    }
}

impl Sparse {
    fn of(row: &[i64]) -> Self {
        let terms = row[1..].iter().copied().enumerate();
        Self {
            constant: i128::from(row[0]),
            terms: terms.filter(|(_, coefficient)| *coefficient != 0).collect(),
        }
    }

    fn at(&self, values: &[i128]) -> Result<i128, Refusal> {
        let mut sum = self.constant;
        for (index, coefficient) in &self.terms {
            let term = multiply(i128::from(*coefficient), values[*index])?;
            sum = sum.checked_add(term).ok_or(Refusal::Overflow)?;
        }
        Ok(sum)
    }
}

/// Products of columns as a chain of multiplications.
struct Products {
    /// The index of the first product.
    first: usize,
    pairs: Vec<(usize, usize)>,
    indices: BTreeMap<(usize, usize), usize>,
}

impl Products {
    /// The index of the product of these columns; none for the empty product.
    fn of(&mut self, factors: impl Iterator<Item = Column>) -> Option<usize> {
        let mut whole = None;
        for column in factors {
            let own = column.place();
            whole = Some(match whole {
                None => own,
                Some(other) => {
                    let next = self.first + self.pairs.len();
                    let pairs = &mut self.pairs;
                    *self.indices.entry((other, own)).or_insert_with(|| {
                        pairs.push((other, own));
                        next
                    })
                }
            });
        }
        whole
    }
}

fn compile(space: &Space, piece: &Piece, map: &[Column], products: &mut Products) -> Compiled {
    let sparse = |rows: RowMatrix| rows.iter().map(Sparse::of).collect();
    let (terms, denominator) = piece.value.scaled_terms();
    let mut constant = 0;
    let mut own = Vec::new();
    for (monomial, numerator) in terms {
        match products.of(monomial.factors().map(|column| map[column])) {
            Some(index) => own.push((index, *numerator)),
            None => constant = *numerator,
        }
    }
    Compiled {
        equalities: sparse(space.rows(&piece.domain.equalities, map)),
        inequalities: sparse(space.rows(&piece.domain.inequalities, map)),
        terms: own,
        constant,
        denominator,
    }
}
