//! A symbolic histogram made ready for evaluation.
//!
//! What can be done without numbers is done once: what depends on the sizes alone is separated from what depends on
//! axes too ([`QuantityTable`]), and domains that several pieces share are prepared once ([`DomainTable`]). Pieces with
//! floors of axes are left as they are.

use crate::domain_table::{DomainId, DomainTable, Points};
use crate::form::{HistogramEntry, ReferenceHistogram, SymbolicHistogram};
use crate::line::{Cubic, WeightedLine};
use crate::part::WeightedBox;
use crate::sized::{SizedHistogram, SizedReference};
use crate::sizes::{Quantities, QuantityId, QuantitySum, QuantityTable};
use premiss_arithmetic::{Exponents, PackedPolynomial, add};
use premiss_presburger::{Column, Piece, Refusal};
use std::collections::BTreeMap;

/// A symbolic histogram prepared for evaluation at many sizes.
#[derive(Debug)]
pub struct PreparedHistogram {
    sizes: QuantityTable,
    places: DomainTable,
    references: Vec<PreparedReference>,
}

/// The distances of one reference.
#[derive(Debug)]
struct PreparedReference {
    cold: Vec<Weight>,
    entries: Vec<PreparedEntry>,
    /// Accesses that are left as they are, as those of a histogram.
    left: ReferenceHistogram,
}

/// The pieces of an entry that are ready.
#[derive(Debug)]
struct PreparedEntry {
    axes: usize,
    distance: ParametricPolynomial,
    multiplicity: Vec<Weight>,
}

/// A value on a domain.
#[derive(Debug)]
struct Weight {
    place: DomainId,
    value: ParametricPolynomial,
}

/// A polynomial in axes whose coefficients are functions of the sizes.
#[derive(Debug)]
struct ParametricPolynomial {
    denominator: i128,
    /// Rising in their exponents.
    terms: Vec<(Exponents, QuantitySum)>,
}

impl SymbolicHistogram {
    /// Prepares the histogram for evaluation at many sizes.
    #[must_use]
    pub fn prepared(&self) -> PreparedHistogram {
        let mut prepared = PreparedHistogram {
            sizes: QuantityTable::new(self.parameters.len()),
            places: DomainTable::default(),
            references: Vec::with_capacity(self.references.len()),
        };
        for reference in &self.references {
            let reference = prepared.reference(reference);
            prepared.references.push(reference);
        }
        prepared
    }

    /// The histogram at given sizes: `values` has the `x` of each of the parameters, where a size is
    /// `factor·x + residue`. To evaluate at several sizes, use [`SymbolicHistogram::prepared`].
    ///
    /// # Errors
    /// [`Refusal::Overflow`] where a number does not fit 128 bits, [`Refusal::Unbounded`] where an axis has no bounds.
    ///
    /// # Panics
    /// There is not one value for each parameter.
    pub fn at(&self, values: &[i128]) -> Result<SizedHistogram, Refusal> {
        self.prepared().at(values)
    }
}

impl PreparedHistogram {
    /// The histogram at given sizes, `values` as for [`SymbolicHistogram::at`].
    ///
    /// # Errors
    /// As for [`SymbolicHistogram::at`].
    ///
    /// # Panics
    /// There is not one value for each parameter.
    pub fn at(&self, values: &[i128]) -> Result<SizedHistogram, Refusal> {
        let quantities = self.sizes.at(values)?;
        let points = self.places.at(&quantities);
        let references = self.references.iter().map(|reference| {
            let mut sized = SizedReference::of(&reference.left, values)?;
            sized.constant.reserve(reference.entries.len());
            for weight in &reference.cold {
                sized.cold = add(sized.cold, weight.number(&quantities, &points)?)?;
            }
            for entry in &reference.entries {
                entry.add_to(&mut sized, &quantities, &points)?;
            }
            Ok::<_, Refusal>(sized)
        });
        let references = references.collect::<Result<_, _>>()?;
        Ok(SizedHistogram { references })
    }

    fn reference(&mut self, reference: &ReferenceHistogram) -> PreparedReference {
        let mut left = ReferenceHistogram {
            reference: reference.reference,
            cold: Vec::new(),
            entries: Vec::new(),
        };
        let (mut cold, mut entries) = (Vec::new(), Vec::new());
        for piece in &reference.cold {
            match self.weight(piece, &[]) {
                Some(weight) => cold.push(weight),
                None => left.cold.push(piece.clone()),
            }
        }
        for entry in &reference.entries {
            let (prepared, others) = self.entry(entry);
            entries.extend(prepared);
            if !others.is_empty() {
                left.entries.push(HistogramEntry {
                    axes: entry.axes.clone(),
                    distance: entry.distance.clone(),
                    multiplicity: others,
                });
            }
        }
        PreparedReference {
            cold,
            entries,
            left,
        }
    }

    /// The pieces that can be made ready, and the others.
    fn entry(&mut self, entry: &HistogramEntry) -> (Option<PreparedEntry>, Vec<Piece>) {
        let distance = self.sizes.names(&entry.distance.domain);
        let distance = distance.and_then(|names| self.value(&entry.distance, &entry.axes, &names));
        let Some(distance) = distance else {
            return (None, entry.multiplicity.clone());
        };
        let (mut multiplicity, mut others) = (Vec::new(), Vec::new());
        for piece in &entry.multiplicity {
            match self.weight(piece, &entry.axes) {
                Some(weight) => multiplicity.push(weight),
                None => others.push(piece.clone()),
            }
        }
        let prepared = PreparedEntry {
            axes: entry.axes.len(),
            distance,
            multiplicity,
        };
        (
            (!prepared.multiplicity.is_empty()).then_some(prepared),
            others,
        )
    }

    fn weight(&mut self, piece: &Piece, axes: &[Column]) -> Option<Weight> {
        let names = self.sizes.names(&piece.domain)?;
        let value = self.value(piece, axes, &names)?;
        let place = self
            .places
            .of(&piece.domain, axes, &names, &mut self.sizes)?;
        Some(Weight { place, value })
    }

    /// A piece's value; `None` where it contains a column that is neither an axis nor has a quantity.
    fn value(
        &mut self,
        piece: &Piece,
        axes: &[Column],
        names: &[Option<QuantityId>],
    ) -> Option<ParametricPolynomial> {
        let (scaled, denominator) = piece.value.scaled_terms();
        let mut by_exponents: BTreeMap<Exponents, Vec<(QuantityId, i64)>> = BTreeMap::new();
        for (monomial, coefficient) in scaled {
            let mut exponents = Exponents::default();
            let mut factors = Vec::new();
            for column in monomial.factors() {
                if let Some(quantity) = names[column] {
                    factors.push(quantity);
                } else {
                    let axis = axes.iter().position(|axis| *axis == column)?;
                    exponents = exponents.times(axis, 1).ok()?;
                }
            }
            let product = self.sizes.product(factors.into_iter())?;
            let coefficient = i64::try_from(*coefficient).ok()?;
            let terms = by_exponents.entry(exponents).or_default();
            terms.push((product, coefficient));
        }
        let mut terms = Vec::with_capacity(by_exponents.len());
        for (exponents, sum) in by_exponents {
            terms.push((exponents, self.sizes.sum(&sum)?));
        }
        Some(ParametricPolynomial { denominator, terms })
    }
}

impl PreparedEntry {
    /// Adds the accesses at some sizes.
    fn add_to(
        &self,
        sized: &mut SizedReference,
        quantities: &Quantities<'_>,
        points: &[Points],
    ) -> Result<(), Refusal> {
        if self.axes == 0 {
            let accesses = self.multiplicity.iter();
            let accesses = accesses.map(|weight| weight.number(quantities, points));
            return sized.add_constant(accesses, || self.distance.number(quantities));
        }
        if self.axes == 1 && self.is_cubic() {
            return self.add_lines(sized, quantities, points);
        }
        let mut distance: Option<PackedPolynomial> = None;
        for weight in self.held(points) {
            let multiplicity = weight.value.at(quantities)?;
            if multiplicity.is_zero() {
                // Its domain may then be without bounds.
                continue;
            }
            let Some(shape) = points[weight.place].clone()? else {
                continue;
            };
            let distance = match &distance {
                Some(known) => known.clone(),
                None => distance.insert(self.distance.at(quantities)?).clone(),
            };
            if let Some(part) = WeightedBox::on(shape, distance, multiplicity)?
                && let Some(part) = part.untangled()?
            {
                sized.add(part)?;
            }
        }
        Ok(())
    }

    /// The pieces whose domains hold somewhere, or are refused.
    fn held(&self, points: &[Points]) -> impl Iterator<Item = &Weight> {
        let weights = self.multiplicity.iter();
        weights.filter(|weight| !matches!(points[weight.place], Ok(None)))
    }

    /// Whether all polynomials are of degree three at most in one axis.
    fn is_cubic(&self) -> bool {
        let mut weights = self.multiplicity.iter();
        self.distance.is_cubic() && weights.all(|weight| weight.value.is_cubic())
    }

    /// Adds the accesses at some sizes where there is one axis.
    fn add_lines(
        &self,
        sized: &mut SizedReference,
        quantities: &Quantities<'_>,
        points: &[Points],
    ) -> Result<(), Refusal> {
        let mut distance: Option<Cubic> = None;
        for weight in self.held(points) {
            let multiplicity = weight.value.cubic(quantities)?;
            if multiplicity.len() == 0 {
                continue;
            }
            let Ok(Some(shape)) = &points[weight.place] else {
                return points[weight.place].clone().map(|_| ());
            };
            let distance = match distance {
                Some(known) => known,
                None => *distance.insert(self.distance.cubic(quantities)?),
            };
            sized.lines.push(WeightedLine {
                range: shape.ranges[0],
                distance,
                multiplicity,
            });
        }
        Ok(())
    }
}

impl Weight {
    /// The value where there are no axes; zero where the domain does not hold.
    fn number(&self, quantities: &Quantities<'_>, points: &[Points]) -> Result<i128, Refusal> {
        match &points[self.place] {
            Ok(None) => Ok(0),
            Ok(Some(_)) => self.value.number(quantities),
            Err(refusal) => Err(*refusal),
        }
    }
}

impl ParametricPolynomial {
    /// Whether it is a polynomial in the first axis of degree three at most.
    fn is_cubic(&self) -> bool {
        let mut terms = self.terms.iter();
        terms.all(|(exponents, _)| exponents.first_exponent() <= 3)
    }

    /// The polynomial as a [`Cubic`].
    fn cubic(&self, quantities: &Quantities<'_>) -> Result<Cubic, Refusal> {
        let mut coefficients = [0; 4];
        for (exponents, sum) in &self.terms {
            coefficients[exponents.first_exponent()] = quantities.of(*sum)?;
        }
        Ok(Cubic {
            coefficients,
            denominator: self.denominator,
        })
    }

    /// As a polynomial in axes.
    fn at(&self, quantities: &Quantities<'_>) -> Result<PackedPolynomial, Refusal> {
        let terms = self.terms.iter();
        let terms = terms.map(|(exponents, sum)| Ok((*exponents, quantities.of(*sum)?)));
        PackedPolynomial::from_sorted(self.denominator, terms)
    }

    /// The number that it is where there are no axes.
    fn number(&self, quantities: &Quantities<'_>) -> Result<i128, Refusal> {
        let scaled = match self.terms[..] {
            [] => 0,
            [(_, sum)] => quantities.of(sum)?,
            _ => unreachable!("without axes there is one term"),
        };
        crate::frame::exact_quotient(scaled, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_presburger::{Affine, Budget, System};
    use premiss_scop::SymbolicParameter;
    use premiss_tree::{ParameterId, ReferenceId};

    /// Over a size `n` and axes `x` and `y`: `constant + a·n + b·x + c·y`.
    fn form(row: [i64; 4]) -> Affine {
        Affine::new(row.to_vec())
    }

    fn piece(inequalities: &[[i64; 4]], value: [i64; 4]) -> Piece {
        let mut domain = System::universe(3);
        domain.inequalities = inequalities.iter().map(|row| form(*row)).collect();
        let value = premiss_presburger::Polynomial::from_affine(&form(value)).expect("small");
        Piece { domain, value }
    }

    fn entry(axes: &[usize], distance: [i64; 4], multiplicity: Vec<Piece>) -> HistogramEntry {
        HistogramEntry {
            axes: axes.iter().copied().map(Column::new).collect(),
            distance: piece(&[], distance),
            multiplicity,
        }
    }

    /// The same constraints with a floor of a form by two that is at most two.
    fn with_half(mut piece: Piece, numerator: [i64; 4]) -> Piece {
        piece.domain.add_floor(&form(numerator), 2);
        let bound = Affine::new(vec![2, 0, 0, 0, -1]);
        piece.domain.inequalities.push(bound);
        piece
    }

    fn histogram(entries: Vec<HistogramEntry>) -> SymbolicHistogram {
        let parameter = SymbolicParameter {
            id: ParameterId::from_u32(0),
            factor: 8,
            residue: 3,
        };
        SymbolicHistogram {
            line_size: 64,
            parameters: vec![parameter],
            context: System::universe(1),
            references: vec![ReferenceHistogram {
                reference: ReferenceId::from_u32(0),
                cold: vec![piece(&[[-2, 1, 0, 0]], [5, 1, 0, 0])],
                entries,
            }],
        }
    }

    /// Compares what was made ready with the entries as they are, which `left` many pieces stay.
    fn check(histogram: &SymbolicHistogram, left: usize) {
        let prepared = histogram.prepared();
        let others = prepared.references[0].left.entries.iter();
        let others: usize = others.map(|entry| entry.multiplicity.len()).sum();
        assert_eq!(others, left);
        for size in 0..12 {
            let sized = prepared.at(&[size]).expect("small");
            let plain = SizedReference::of(&histogram.references[0], &[size]).expect("small");
            for capacity in 0..60 {
                let found = sized.references[0].misses(capacity);
                assert_eq!(found, plain.misses(capacity), "{size}, {capacity} lines");
            }
            let histogram = |sized: &SizedReference| sized.histogram(&mut Budget::new(10_000));
            assert_eq!(histogram(&sized.references[0]), histogram(&plain), "{size}");
        }
    }

    #[test]
    fn what_is_made_ready_counts_as_it_did() {
        let band = [[-1, 0, 1, 0], [0, 1, -1, 0]];
        let square = [[0, 0, 1, 0], [0, 1, -1, 0], [0, 0, 0, 1], [0, 1, 0, -1]];
        let flat = vec![
            piece(&[[-3, 1, 0, 0]], [0, 2, 0, 0]),
            piece(&[[7, -1, 0, 0]], [4, 0, 0, 0]),
        ];
        let late = [[-1, 0, 1, 0], [0, 1, -1, 0], [-4, 1, 0, 0]];
        check(
            &histogram(vec![
                entry(&[], [1, 3, 0, 0], flat),
                entry(&[2], [9, 2, -1, 0], vec![piece(&band, [0, 0, 3, 0])]),
                entry(&[2], [0, 0, 4, 0], vec![piece(&late, [1, 1, 0, 0])]),
                entry(&[2, 3], [2, 0, 3, 1], vec![piece(&square, [1, 0, 0, 1])]),
            ]),
            0,
        );
    }

    #[test]
    fn floors_of_sizes_are_made_ready_and_those_of_axes_are_left() {
        let band = [[-1, 0, 1, 0], [0, 1, -1, 0]];
        let plain = piece(&band, [1, 0, 1, 0]);
        let of_size = with_half(plain.clone(), [1, 1, 0, 0]);
        let of_axis = with_half(plain, [0, 0, 1, 0]);
        check(
            &histogram(vec![entry(&[2], [9, 2, -1, 0], vec![of_size, of_axis])]),
            1,
        );
    }
}
