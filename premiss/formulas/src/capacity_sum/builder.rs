//! Sums the accesses whose distance is at least the capacity of a cache.

use super::count_form::{CountForm, LoopedPieces};
use super::loop_bounds::bounds;
use crate::columns::{axes_of, form, in_narrower_system, known_columns, placed, renumbered};
use premiss_distance::{HistogramEntry, SymbolicHistogram};
use premiss_presburger::{
    Affine, Budget, Column, Floor, Piece, Polynomial, Rational, Refusal, System, sum, united,
};
use std::collections::BTreeSet;

/// The sum so far. Columns are the sizes, the capacity, one computed number, the loop variables, and floors.
pub(super) struct CapacitySum {
    n_sizes: usize,
    context: System,
    computed: Vec<Piece>,
    /// The summands, each with the index of the computed number that it depends on.
    pieces: Vec<(Option<usize>, Piece)>,
    looped: Vec<LoopedPieces>,
    budget: Budget,
}

/// The condition that a distance is at least the capacity.
struct Far {
    /// The condition holds where this row is not negative.
    row: Affine,
    /// The value of the computed number, if the row needs it.
    computed: Option<Polynomial>,
    /// The columns of the loop variables that are enumerated.
    looped: BTreeSet<Column>,
}

impl CapacitySum {
    pub(super) fn new(histogram: &SymbolicHistogram, steps: u64) -> Self {
        Self {
            n_sizes: histogram.parameters.len(),
            context: context(histogram),
            computed: Vec::new(),
            pieces: Vec::new(),
            looped: Vec::new(),
            budget: Budget::new(steps),
        }
    }

    /// Adds first accesses, which miss in every cache.
    pub(super) fn add_cold(&mut self, piece: &Piece) -> Result<(), Refusal> {
        let variables = piece.domain.variables;
        let width = self.n_sizes + 2;
        let piece = renumbered(piece, width, |column| {
            in_narrower_system(column, variables, width)
        })?;
        self.pieces.push((None, piece));
        Ok(())
    }

    /// Adds the accesses of an entry whose distance is at least the capacity.
    pub(super) fn add(&mut self, entry: &HistogramEntry) -> Result<(), Refusal> {
        let axes: BTreeSet<Column> = entry.axes.iter().map(|axis| axis.offset(2)).collect();
        for part in &entry.multiplicity {
            let (mut domain, weight, distance) = self.wide(entry, part)?;
            let far = self.far(&distance, &domain)?;
            let bare = domain.clone();
            domain.inequalities.push(far.row.clone());
            let summed: Vec<Column> = axes.difference(&far.looped).copied().collect();
            let mut context = System::universe(domain.variables);
            context.require(&self.context);
            let found = sum(&domain, &weight, &summed, &context, &mut self.budget)?;
            match far.looped.is_empty() {
                true => self.keep(&found, &bare, far)?,
                false => self.keep_looped(&found, &bare, far)?,
            }
        }
        Ok(())
    }

    /// The domain of a part, its weight and the distance, in the columns of this sum.
    fn wide(
        &self,
        entry: &HistogramEntry,
        part: &Piece,
    ) -> Result<(System, Polynomial, Polynomial), Refusal> {
        let n_sizes = self.n_sizes;
        let variables = part.domain.variables;
        let wide = |column: Column| beside_capacity(column, n_sizes);
        let mut domain = placed(&part.domain, variables + 2, wide);
        let weight = part.value.renumbered(wide)?;
        let before = domain.floors.len();
        domain.require(&System {
            equalities: Vec::new(),
            inequalities: Vec::new(),
            ..placed(&entry.distance.domain, variables + 2, wide)
        });
        let distance = entry.distance.value.renumbered(|column| {
            let behind = if column.number() <= variables {
                0
            } else {
                before
            };
            wide(column).offset(behind)
        })?;
        Ok((domain, weight, distance))
    }

    /// The condition that a distance is at least the capacity.
    fn far(&self, distance: &Polynomial, domain: &System) -> Result<Far, Refusal> {
        let (terms, denominator) = distance.scaled_terms();
        let mut looped = BTreeSet::new();
        'known: loop {
            let known = known_columns(domain, self.n_sizes, &looped);
            let mut row = vec![0_i64; domain.columns()];
            let mut apart = Vec::new();
            for (monomial, coefficient) in terms {
                let columns: Vec<Column> = monomial.factors().collect();
                match columns[..] {
                    [] => row[0] = to_i64(*coefficient)?,
                    [column] => row[column] = to_i64(*coefficient)?,
                    _ => {
                        let others = columns.iter().filter(|x| !known.contains(x));
                        let axes: BTreeSet<Column> = others
                            .flat_map(|column| axes_of(domain, *column, self.n_sizes))
                            .collect();
                        if !axes.is_empty() {
                            looped.extend(axes);
                            continue 'known;
                        }
                        apart.push((*monomial, -coefficient));
                    }
                }
            }
            let [capacity, computed] = [0, 1].map(|idx| Column::at_place(self.n_sizes + idx));
            let value = match apart.is_empty() {
                true => {
                    row[capacity] = to_i64(-denominator)?;
                    None
                }
                false => {
                    row[computed] = -1;
                    let lines = Polynomial::variable(capacity)?;
                    let lines = lines.scaled(Rational::integer(denominator))?;
                    Some(Polynomial::from_scaled_terms(apart, 1)?.plus(&lines)?)
                }
            };
            return Ok(Far {
                row: Affine::new(row),
                computed: value,
                looped,
            });
        }
    }

    fn keep(&mut self, found: &[Piece], domain: &System, far: Far) -> Result<(), Refusal> {
        let width = self.n_sizes + 2;
        let computed = match far.computed {
            None => None,
            Some(value) => {
                let number = self.number(&value, domain, &[])?;
                let known = self.computed.iter().position(|known| *known == number);
                Some(known.unwrap_or_else(|| {
                    self.computed.push(number);
                    self.computed.len() - 1
                }))
            }
        };
        for piece in found {
            let variables = piece.domain.variables;
            let piece = renumbered(piece, width, |column| {
                in_narrower_system(column, variables, width)
            })?;
            self.pieces.push((computed, piece));
        }
        Ok(())
    }

    fn keep_looped(&mut self, found: &[Piece], domain: &System, far: Far) -> Result<(), Refusal> {
        let given = self.n_sizes + 1;
        let loops: Vec<Column> = far.looped.into_iter().collect();
        let bounds = bounds(domain, &loops, given)?;
        let value = far.computed.unwrap_or_default();
        let computed = self.number(&value, domain, &loops)?;
        let width = given + loops.len() + 1;
        let mut pieces = Vec::new();
        for piece in found {
            let variables = piece.domain.variables;
            let place = |column: Column| {
                Column::new(match column.number() {
                    number if number <= given => number,
                    number if number == given + 1 => width,
                    number if number <= variables => {
                        let index = loops.iter().position(|x| *x == column);
                        index.map_or(width, |index| given + 1 + index)
                    }
                    number => number - variables + width,
                })
            };
            pieces.push(renumbered(piece, width, place)?);
        }
        let same = |known: &&mut LoopedPieces| known.bounds == bounds && known.computed == computed;
        match self.looped.iter_mut().find(same) {
            Some(known) => known.pieces.extend(pieces),
            None => self.looped.push(LoopedPieces {
                bounds,
                computed,
                pieces,
            }),
        }
        Ok(())
    }

    /// A number over the given columns and loop variables that is a polynomial in a domain's columns.
    fn number(
        &self,
        value: &Polynomial,
        domain: &System,
        loops: &[Column],
    ) -> Result<Piece, Refusal> {
        let given = self.n_sizes + 1;
        let known = known_columns(domain, self.n_sizes, &loops.iter().copied().collect());
        let is_kept = |idx: &usize| known.contains(&domain.floor_column(*idx));
        let kept: Vec<usize> = (0..domain.floors.len()).filter(is_kept).collect();
        let floors = kept.iter().map(|idx| domain.floor_column(*idx));
        let all: Vec<Column> = loops.iter().copied().chain(floors).collect();
        let place = |column: Column| match all.iter().position(|x| *x == column) {
            Some(index) => Column::at_place(given + index),
            None => column.min(Column::new(given)),
        };
        let width = 1 + given + all.len();
        let floor = |idx: &usize| {
            let floor = &domain.floors[*idx];
            Floor {
                numerator: form(&floor.numerator, width, place),
                denominator: floor.denominator,
            }
        };
        let mut number = Piece {
            domain: System::universe(given + loops.len()),
            value: value.renumbered(place)?,
        };
        number.domain.floors = kept.iter().map(floor).collect();
        Ok(number)
    }

    /// The form of the sum.
    pub(super) fn finish(mut self) -> Result<CountForm, Refusal> {
        let (given, n_computed) = (self.n_sizes + 1, self.computed.len());
        let before = self.n_sizes + 2;
        let pieces = self.pieces.iter().map(|(computed, piece)| {
            let own = computed.map_or(given, |index| given + 1 + index);
            let place = |column: Column| {
                Column::new(match column.number() {
                    number if number <= given => number,
                    number if number == before => own,
                    number => number - before + given + n_computed,
                })
            };
            renumbered(piece, given + n_computed, place)
        });
        let pieces = united(pieces.collect::<Result<_, _>>()?);
        for looped in &mut self.looped {
            looped.pieces = united(std::mem::take(&mut looped.pieces));
        }
        Ok(CountForm {
            columns: given,
            pieces,
            computed: self.computed,
            looped: self.looped,
        })
    }
}

/// A column of an entry's system among those of the sum: the capacity and a computed number stand behind the sizes.
fn beside_capacity(column: Column, n_sizes: usize) -> Column {
    match column.number() <= n_sizes {
        true => column,
        false => column.offset(2),
    }
}

fn to_i64(number: i128) -> Result<i64, Refusal> {
    i64::try_from(number).map_err(|_| Refusal::Overflow)
}

/// The constraints that sizes and capacity are assumed to satisfy.
fn context(histogram: &SymbolicHistogram) -> System {
    let n_sizes = histogram.parameters.len();
    let mut context = placed(&histogram.context, n_sizes + 2, |column| {
        beside_capacity(column, n_sizes)
    });
    let mut row = vec![0; context.columns()];
    row[n_sizes + 1] = 1;
    context.inequalities.push(Affine::new(row));
    context
}
