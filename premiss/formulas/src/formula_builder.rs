//! Counts as formulas in the sizes of a program.
//!
//! A derived histogram has for each reference the number of accesses at each distance, piece by piece. Here the pieces
//! become the formulas of reports: the number of accesses, of cold misses, and of misses in a cache of a given
//! capacity. With a single size, the pieces are combined into one formula for each range of it; with several, into
//! disjoint cases if that takes few steps, and else into cases that add up.

use crate::columns::in_narrower_system;
use crate::formula::{DistanceCount, Formula, FormulaCase, Piecewise, grouped};
use crate::merge_cases::joined;
use crate::regimes::{between, end, extremes, least, regimes};
use premiss_arithmetic::lcm;
use premiss_distance::{HistogramEntry, PreparedHistogram, ReferenceHistogram, SymbolicHistogram};
use premiss_presburger::{
    Affine, Budget, Column, Floor, Piece, Polynomial, Rational, Refusal, System, combine, sum,
};

/// Cases with conditions on several sizes are made disjoint only up to this number.
const MOST_DISJOINT: usize = 12;

/// Makes formulas from a histogram.
#[derive(Debug)]
pub struct FormulaBuilder<'a> {
    histogram: &'a SymbolicHistogram,
    /// The constraints that the sizes are assumed to satisfy.
    context: System,
    budget: Budget,
}

impl<'a> FormulaBuilder<'a> {
    /// For formulas in the sizes of a histogram, within `steps` counting steps over all calls. With several sizes,
    /// formulas hold where the column of each is at least 1: empty loops are of little interest, and would multiply the
    /// cases.
    #[must_use]
    pub fn new(histogram: &'a SymbolicHistogram, steps: u64) -> Self {
        let mut context = histogram.context.clone();
        let width = context.columns();
        let n_sizes = histogram.parameters.len();
        for column in (1..=n_sizes).filter(|_| 1 < n_sizes) {
            let mut row = vec![0; width];
            (row[0], row[column]) = (-1, 1);
            context.inequalities.push(Affine::new(row));
        }
        Self {
            histogram,
            context,
            budget: Budget::new(steps),
        }
    }

    /// The number of first accesses to lines by these references.
    ///
    /// # Errors
    /// [`Refusal::Budget`] if the steps ran out; a number does not fit 128 bits.
    pub fn cold(&mut self, references: &[&ReferenceHistogram]) -> Result<Formula, Refusal> {
        let cold = references.iter().flat_map(|reference| &reference.cold);
        self.of_pieces(cold)
    }

    /// The sum of pieces that depend on sizes alone.
    ///
    /// # Errors
    /// A number does not fit 128 bits.
    pub(crate) fn of_pieces<'p>(
        &mut self,
        pieces: impl IntoIterator<Item = &'p Piece>,
    ) -> Result<Formula, Refusal> {
        let cases = pieces.into_iter().map(|piece| self.case(piece));
        let cases = cases.collect::<Result<_, _>>()?;
        self.together(cases)
    }

    /// The misses of these references in a fully associative LRU cache of `lines` lines; for 0 lines, all of their
    /// accesses.
    ///
    /// # Errors
    /// As for [`Self::cold`]; [`Refusal::NotAffine`] where a polynomial in loop variables that cannot be resolved
    /// decides which accesses miss.
    pub fn misses(
        &mut self,
        references: &[&ReferenceHistogram],
        lines: u64,
    ) -> Result<Formula, Refusal> {
        let mut cases = Vec::new();
        for reference in references {
            for piece in &reference.cold {
                cases.push(self.case(piece)?);
            }
            for entry in &reference.entries {
                cases.extend(self.far(entry, lines)?);
            }
        }
        self.together(cases)
    }

    /// The accesses of a reference that are not cold, one entry for each distance.
    ///
    /// # Errors
    /// As for [`Self::cold`].
    pub fn distances(
        &mut self,
        reference: &ReferenceHistogram,
    ) -> Result<Vec<DistanceCount>, Refusal> {
        let mut groups: Vec<(&HistogramEntry, Vec<FormulaCase>)> = Vec::new();
        for entry in &reference.entries {
            let cases = self.far(entry, 0)?;
            let same = |known: &&mut (&HistogramEntry, Vec<FormulaCase>)| {
                known.0.axes == entry.axes && known.0.distance == entry.distance
            };
            match groups.iter_mut().find(same) {
                Some((_, known)) => known.extend(cases),
                None => groups.push((entry, cases)),
            }
        }
        let mut counts = Vec::new();
        for (entry, cases) in groups {
            let accesses = self.together(cases)?;
            if !accesses.cases.is_empty() {
                counts.push(DistanceCount {
                    axes: entry.axes.clone(),
                    distance: entry.distance.clone(),
                    accesses,
                });
            }
        }
        counts.sort_by_key(|count| (count.distance.value.degree(), count.axes.len()));
        Ok(counts)
    }

    /// The accesses of an entry at a distance of at least `lines` lines.
    fn far(&mut self, entry: &HistogramEntry, lines: u64) -> Result<Vec<FormulaCase>, Refusal> {
        let mut cases = Vec::new();
        for piece in &entry.multiplicity {
            let mut domain = piece.domain.clone();
            let distance = with_floors(&mut domain, &entry.distance)?;
            let excess = distance.minus(&Polynomial::integer(lines.into()))?;
            let weight = piece.value.clone();
            if lines == 0 || is_never_negative(&excess) {
                cases.extend(self.summed(&domain, &weight, &entry.axes)?);
            } else if excess.degree() < 2 {
                let form = scaled_affine(&excess, domain.columns())?;
                domain.inequalities.push(form);
                cases.extend(self.summed(&domain, &weight, &entry.axes)?);
            } else if entry.axes.is_empty() {
                let whole = Piece {
                    domain,
                    value: weight,
                };
                let mut case = self.case(&whole)?;
                case.not_negative
                    .push(self.over_sizes(&excess, whole.domain.variables)?);
                cases.push(case);
            } else {
                let part = HistogramEntry {
                    multiplicity: vec![piece.clone()],
                    ..entry.clone()
                };
                cases.extend(self.far_of_one_size(&part, &domain, &excess, lines)?);
            }
        }
        Ok(cases)
    }

    /// The same for a distance that is not affine, in a single size: except for a few sizes, all values of the axes
    /// have a distance of at least `lines`, or none has.
    fn far_of_one_size(
        &mut self,
        part: &HistogramEntry,
        domain: &System,
        excess: &Polynomial,
        lines: u64,
    ) -> Result<Vec<FormulaCase>, Refusal> {
        let [_] = self.histogram.parameters.as_slice() else {
            return Err(Refusal::NotAffine);
        };
        let (least, most) = extremes(excess, domain, &part.axes)?;
        let mut cases = Vec::new();
        for mut case in self.summed(domain, &part.multiplicity[0].value, &part.axes)? {
            case.not_negative.push(least.clone());
            cases.push(case);
        }
        let alone = self.alone(part);
        for size in between(&least, &most)? {
            let at = i64::try_from(size).map_err(|_| Refusal::Overflow)?;
            let accesses = alone.at(&[size])?.references[0].misses(lines)?;
            if accesses != 0 {
                let mut domain = System::universe(1);
                domain.equalities.push(Affine::new(vec![-at, 1]));
                cases.push(FormulaCase {
                    domain,
                    not_negative: Vec::new(),
                    value: Polynomial::integer(accesses.into()),
                });
            }
        }
        Ok(cases)
    }

    /// An evaluator of the accesses of one entry.
    fn alone(&self, part: &HistogramEntry) -> PreparedHistogram {
        let histogram = SymbolicHistogram {
            line_size: self.histogram.line_size,
            parameters: self.histogram.parameters.clone(),
            context: self.histogram.context.clone(),
            references: vec![ReferenceHistogram {
                reference: self.histogram.references[0].reference,
                cold: Vec::new(),
                entries: vec![part.clone()],
            }],
        };
        histogram.prepared()
    }

    fn summed(
        &mut self,
        domain: &System,
        weight: &Polynomial,
        axes: &[Column],
    ) -> Result<Vec<FormulaCase>, Refusal> {
        let mut context = System::universe(domain.variables);
        context.require(&self.context);
        let pieces = sum(domain, weight, axes, &context, &mut self.budget)?;
        pieces.iter().map(|piece| self.case(piece)).collect()
    }

    /// A piece that depends only on sizes, over their columns.
    fn case(&self, piece: &Piece) -> Result<FormulaCase, Refusal> {
        let variables = piece.domain.variables;
        let column = self.column(variables);
        let floors = piece.domain.floors.len();
        let width = 1 + self.histogram.parameters.len() + floors;
        let form = |form: &Affine| {
            let mut coefficients = vec![0; width];
            coefficients[0] = form.constant_term();
            for old in form.support() {
                coefficients[column(old)] = form.coefficient(old);
            }
            Affine::new(coefficients)
        };
        let floor = |floor: &Floor| Floor {
            numerator: form(&floor.numerator),
            denominator: floor.denominator,
        };
        let inequalities = piece.domain.inequalities.iter().map(form);
        let matters = |form: &Affine| {
            let coefficients = form.coefficients();
            let known = &self.context.inequalities;
            let n_sizes = self.histogram.parameters.len();
            let least: i64 = match n_sizes {
                0 | 1 => coefficients[0],
                _ => coefficients.iter().fold(0, |sum, x| sum.saturating_add(*x)),
            };
            // No assumptions are made on floors.
            let has_floors = coefficients[1 + n_sizes..].iter().any(|x| *x != 0);
            let may_fail = least < 0 || coefficients[1..].iter().any(|x| *x < 0);
            let is_known = |known: &Affine| {
                known.coefficients()[..] == coefficients[..known.columns().min(width)]
            };
            has_floors || (may_fail && !known.iter().any(is_known))
        };
        Ok(FormulaCase {
            domain: System {
                variables: self.histogram.parameters.len(),
                floors: piece.domain.floors.iter().map(floor).collect(),
                equalities: piece.domain.equalities.iter().map(form).collect(),
                inequalities: inequalities.filter(matters).collect(),
            },
            not_negative: Vec::new(),
            value: self.over_sizes(&piece.value, variables)?,
        })
    }

    /// A polynomial over the columns of sizes and floors only.
    fn over_sizes(&self, value: &Polynomial, variables: usize) -> Result<Polynomial, Refusal> {
        value.renumbered(self.column(variables))
    }

    /// The new index of a column of a system after the columns of loops are removed.
    fn column(&self, variables: usize) -> impl Fn(Column) -> Column {
        let n_sizes = self.histogram.parameters.len();
        move |column| in_narrower_system(column, variables, n_sizes)
    }

    fn together(&mut self, cases: Vec<FormulaCase>) -> Result<Formula, Refusal> {
        let cases: Vec<FormulaCase> = grouped(cases)?;
        if self.histogram.parameters.len() == 1
            && let Some(cases) = regimes(&cases, least(&self.context), end(&self.context))?
        {
            return Ok(Formula {
                cases,
                piecewise: Piecewise::Disjoint,
            });
        }
        if cases.len() < 2 {
            return Ok(Formula {
                cases,
                piecewise: Piecewise::Disjoint,
            });
        }
        Ok(self.disjoint_cases(cases))
    }

    /// Makes cases in several sizes disjoint, if they are few.
    fn disjoint_cases(&mut self, cases: Vec<FormulaCase>) -> Formula {
        let is_plain = |case: &FormulaCase| case.not_negative.is_empty();
        let context = &self.context;
        if cases.iter().all(is_plain) && cases.len() <= MOST_DISJOINT {
            let piece = |case: &FormulaCase| Piece {
                domain: case.domain.clone(),
                value: case.value.clone(),
            };
            let pieces: Vec<Piece> = cases.iter().map(piece).collect();
            let mut budget = Budget::new(self.budget.left().min(100_000));
            if let Ok(apart) = combine(context, &pieces, &mut budget)
                && apart.len() <= cases.len().max(3)
            {
                let of_one = apart.iter().filter(|piece| !piece.value.is_zero());
                let apart: Result<Vec<FormulaCase>, _> =
                    of_one.map(|piece| self.case(piece)).collect();
                if let Ok(cases) = apart.and_then(joined) {
                    return Formula {
                        cases,
                        piecewise: Piecewise::Disjoint,
                    };
                }
            }
        }
        Formula {
            cases,
            piecewise: Piecewise::Sum,
        }
    }
}

/// Adds the floors of a piece to a system; returns the piece's value over the columns of the system.
fn with_floors(domain: &mut System, piece: &Piece) -> Result<Polynomial, Refusal> {
    let (variables, before) = (domain.variables, domain.floors.len());
    let mut bare = piece.domain.clone();
    bare.equalities.clear();
    bare.inequalities.clear();
    domain.require(&bare);
    piece
        .value
        .renumbered(|column| match column.number() <= variables {
            true => column,
            false => column.offset(before),
        })
}

/// Whether a polynomial is a constant that is not negative.
fn is_never_negative(excess: &Polynomial) -> bool {
    excess
        .to_constant()
        .is_some_and(|value| 0 <= value.numerator())
}

/// A polynomial of degree one, times its common denominator, as an affine form.
fn scaled_affine(polynomial: &Polynomial, columns: usize) -> Result<Affine, Refusal> {
    let mut denominator = 1_i128;
    for (_, coefficient) in polynomial.terms() {
        denominator = lcm(denominator, coefficient.denominator()).ok_or(Refusal::Overflow)?;
    }
    let mut coefficients = vec![0; columns];
    for (monomial, coefficient) in polynomial.terms() {
        let column = monomial.factors().next().unwrap_or(Column::CONSTANT);
        let scaled = coefficient.times(Rational::new(denominator, 1)?)?;
        let whole = scaled.to_integer().ok_or(Refusal::Overflow)?;
        coefficients[column] = i64::try_from(whole).map_err(|_| Refusal::Overflow)?;
    }
    Ok(Affine::new(coefficients))
}
