//! Misses of set-associative LRU caches as functions of sizes, for sizes of one residue class.
//!
//! Which set a line is in depends on sizes: rows of `N` doubles are `N/8` lines apart. For `N = 512·x + r` and 64 sets it
//! does not, as `N/8 = 64·x + r/8`: strides and starts of blocks are numbers modulo the number of sets, and only lengths
//! depend on `x`. So the blocks of lines between two touches are what they are at given sizes, over one more column for
//! each size.
//!
//! Each clause is taken by chambers: where a direction has several lengths, the least of which holds, one is left in each.
//! Iterations and sizes are split by lengths until bounds decide ([`ClassQuery`]): in
//! `for i { for j { x[i] += a[j][i] } }`, at least `floor(N/64)` lines of a column of `a` are in the set of a line, so all
//! touches of `a` after the first one miss in 8 ways where `8 <= x`. What is decided is counted as a function of `x`. Where
//! few lengths are left and positions decide, as near the tip of a triangle, iterations are counted at as many sizes as
//! determine the function ([`series`]).

mod series;

use super::block::LineBlock;
use super::clauses::{ClauseBlocks, Derivation, LinePlacement};
use super::forms::interval;
use super::load::{SetLoads, Starts};
use super::open_forms::{FormsOfInterest, SetsOfWays, open_forms};
use super::query::{BLOCKS_PER_STEP, ConflictQuery, LineNumbers, do_miss};
use crate::derive::{cold_pieces, context, iteration_columns, reference};
use crate::frame::AxisFrame;
use crate::row::AxisRow;
use crate::shape::ConstrainedBox;
use premiss_cache::CacheGeometry;
use premiss_dataflow::{AccessReuse, ReuseRelation};
use premiss_presburger::{Affine, Budget, Column, Piece, Polynomial, Refusal, System, count};
use premiss_scop::{LineSpaceId, NodeKind, Scop};
use premiss_tree::{ParameterId, ReferenceId};
use series::{SizeCounter, SizeSeries, add_series};
use std::collections::BTreeSet;

/// Sizes beyond so many periods are not looked at.
const MOST_PERIODS: i64 = 1 << 20;

/// Forms with at most so many values more are not split, whatever the cache is.
const LEAST_VALUES: i64 = 64;

/// The misses of one access as a function of sizes.
#[derive(Debug)]
pub struct ClassMisses {
    /// The access.
    pub reference: ReferenceId,
    /// Pieces that add up, over the sizes of the scop; or why there are none.
    pub misses: Result<Vec<Piece>, Refusal>,
}

/// The misses of each access of a scop in an LRU cache that sees all accesses, whose lines have the size of those of the
/// scop, as functions of its symbolic sizes. `first_line` is the line in which an array starts, modulo the number of sets.
/// Each access may take so many steps; what some leave is shared among those that need more. Accesses are done on all
/// processors.
///
/// # Errors
/// [`Refusal::NotAffine`] where the set of a line depends on [sizes](sizes_that_move_lines). What cannot be decided for one
/// access is an error in its place.
pub fn class_misses(
    scop: &Scop,
    relation: &ReuseRelation,
    first_line: &(dyn Fn(LineSpaceId) -> i64 + Sync),
    geometry: CacheGeometry,
    steps: u64,
) -> Result<Vec<ClassMisses>, Refusal> {
    let sets = i64::try_from(geometry.sets).map_err(|_| Refusal::Overflow)?;
    if !sizes_that_move_lines(scop, sets).is_empty() {
        return Err(Refusal::NotAffine);
    }
    let weights = |space| weights_modulo(scop, space, sets);
    let derivation = Derivation {
        scop,
        relation,
        placement: LinePlacement {
            first: first_line,
            weights: &weights,
        },
    };
    let derive = |(access, steps): &(&AccessReuse, u64)| {
        let mut budget = Budget::new(*steps);
        let geometry = (sets, geometry.ways);
        let misses = misses(derivation, access, geometry, &mut budget);
        (misses, budget.left())
    };
    let accesses: Vec<(&AccessReuse, u64)> = relation.accesses.iter().map(|x| (x, steps)).collect();
    let (mut all, left): (Vec<_>, Vec<u64>) =
        premiss_parallel::map(&accesses, derive).into_iter().unzip();
    let is_short = |misses: &Result<Vec<Piece>, Refusal>| misses == &Err(Refusal::Budget);
    let n_short = all.iter().filter(|x| is_short(x)).count() as u64;
    let spare = left.into_iter().fold(0, u64::saturating_add);
    if let Some(share) = spare
        .checked_div(n_short)
        .filter(|share| 2 * steps <= *share)
    {
        let again = accesses.iter().zip(&all).filter(|(_, x)| is_short(x));
        let again: Vec<(&AccessReuse, u64)> = again.map(|(x, _)| (x.0, share)).collect();
        let mut found = premiss_parallel::map(&again, derive).into_iter();
        for misses in all.iter_mut().filter(|x| is_short(x)) {
            *misses = found.next().map_or(Err(Refusal::Failed), |x| x.0);
        }
    }
    let references = relation.accesses.iter().zip(all);
    let references = references.map(|(access, misses)| ClassMisses {
        reference: reference(scop, access.sink),
        misses,
    });
    Ok(references.collect())
}

/// The sizes on which it depends modulo the number of sets which line an access touches, or how long rows are: those that need
/// a class of a larger period.
#[must_use]
pub fn sizes_that_move_lines(scop: &Scop, sets: i64) -> Vec<ParameterId> {
    let mut moving = BTreeSet::new();
    for coordinate in scop.spaces.values().flat_map(|space| &space.coordinates) {
        if let Some(weight) = &coordinate.weight
            && constant_modulo(weight, sets).is_none()
        {
            moving.extend(weight.support().iter().map(|column| column.place()));
        }
    }
    for node in scop.nodes.values() {
        if let NodeKind::Access(access) = &node.kind
            && let Ok(weights) = weights_modulo(scop, access.space, sets)
        {
            // A row within a band starts where the rows before it end, which depends on how long these are.
            for piece in &access.pieces {
                moving.extend((0..scop.parameters.len()).filter(|place| {
                    let column = Column::at_place(*place);
                    let terms = piece.line.iter().zip(&weights);
                    let terms = terms.map(|(form, weight)| {
                        i128::from(*weight) * i128::from(form.coefficient(column))
                    });
                    terms.sum::<i128>() % i128::from(sets) != 0
                }));
            }
        }
    }
    moving
        .into_iter()
        .map(|place| scop.parameters[place].id)
        .collect()
}

/// How many lines a step of each coordinate of an array is, modulo the number of sets.
///
/// # Errors
/// [`Refusal::NotAffine`] where that depends on sizes.
fn weights_modulo(scop: &Scop, space: LineSpaceId, sets: i64) -> Result<Vec<i64>, Refusal> {
    let coordinates = scop.spaces[space].coordinates.iter();
    let weights = coordinates.map(|coordinate| {
        let weight = coordinate.weight.as_ref().ok_or(Refusal::Overflow)?;
        constant_modulo(weight, sets).ok_or(Refusal::NotAffine)
    });
    weights.collect()
}

/// The residue of a polynomial that has the same one everywhere, as its coefficients show.
fn constant_modulo(polynomial: &Polynomial, modulus: i64) -> Option<i64> {
    let mut residue = 0;
    for (monomial, coefficient) in polynomial.terms() {
        let own = coefficient.to_integer()?.rem_euclid(i128::from(modulus));
        match monomial.factors().next() {
            None => residue = own,
            Some(_) if own != 0 => return None,
            Some(_) => {}
        }
    }
    i64::try_from(residue).ok()
}

fn misses(
    derivation: Derivation<'_>,
    access: &AccessReuse,
    (sets, ways): (i64, u64),
    budget: &mut Budget,
) -> Result<Vec<Piece>, Refusal> {
    let mut pieces = cold_pieces(derivation.scop, access, budget)?;
    for clause in derivation.chambers(access, budget)? {
        let mut query = ClassQuery::new(derivation.scop, &clause, sets, ways)?;
        let everything = query.region(clause.domain.clone(), None)?;
        if let Some(region) = everything {
            query.settle(region, budget)?;
        }
        pieces.extend(query.finish()?);
    }
    Ok(pieces)
}

/// Iterations at some sizes.
struct ClassRegion {
    /// Over the sink's columns.
    system: System,
    /// The least and the greatest value of each form that bounds blocks.
    bounds: Vec<FormRange>,
    /// The same for each size.
    sizes: Vec<FormRange>,
    /// How many loop variables have ranges that grow with sizes.
    n_growing: usize,
}

/// The least and the greatest value of a form.
type FormRange = (i64, i64);

/// What is known of all iterations of a region.
enum RegionVerdict {
    Hits,
    Misses,
    /// At least and at most how many lines of each block are in the set of the sink's line.
    Open(Vec<(u64, u64)>),
}

/// How many accesses of a clause find their line evicted.
struct ClassQuery<'a> {
    clause: &'a ClauseBlocks,
    loads: SetLoads,
    ways: u64,
    /// The number of sizes.
    n_sizes: usize,
    /// The columns of loop variables.
    iterations: Vec<Column>,
    /// What is assumed of sizes, over the sink's columns.
    context: System,
    /// Where blocks start, modulo the number of sets.
    starts: Vec<Affine>,
    /// The residues at which each block may start.
    may_start: Vec<Starts>,
    decided: Vec<Piece>,
    series: Vec<SizeSeries>,
}

impl<'a> ClassQuery<'a> {
    fn new(scop: &Scop, clause: &'a ClauseBlocks, sets: i64, ways: u64) -> Result<Self, Refusal> {
        let variables = clause.domain.variables;
        let mut context = context(scop, &clause.domain);
        for column in Column::variables(scop.parameters.len()) {
            let size = Affine::variable(context.columns(), column);
            let most = Affine::constant(context.columns(), MOST_PERIODS);
            context.inequalities.push(most.plus(-1, &size)?);
        }
        let reduced = |form: &Affine| {
            let residues = form.coefficients().iter().map(|x| x.rem_euclid(sets));
            Affine::new(residues.collect())
        };
        let starts: Vec<Affine> = clause.tables.starts.forms().iter().map(reduced).collect();
        let sizes: Vec<Column> = Column::variables(scop.parameters.len()).collect();
        let mut of_sizes = starts
            .iter()
            .flat_map(|form| sizes.iter().map(|x| form.coefficient(*x)));
        if of_sizes.any(|coefficient| coefficient != 0) {
            return Err(Refusal::NotAffine);
        }
        let may_start = |block: &LineBlock| {
            let row = row_of_columns(&starts[block.start().place()], variables)?;
            Ok(Starts::of(&row, variables, sets))
        };
        let may_start = clause.blocks.iter().map(may_start);
        let may_start = may_start.collect::<Result<_, Refusal>>()?;
        Ok(Self {
            clause,
            loads: SetLoads::new(sets),
            ways: ways.saturating_add(u64::from(clause.has_own_line)),
            n_sizes: scop.parameters.len(),
            iterations: iteration_columns(scop, &clause.domain),
            starts,
            may_start,
            context,
            decided: Vec::new(),
            series: Vec::new(),
        })
    }

    /// The pieces of all regions that were settled.
    fn finish(self) -> Result<Vec<Piece>, Refusal> {
        let mut pieces = self.decided;
        for series in &self.series {
            pieces.extend(series.pieces()?);
        }
        Ok(pieces)
    }

    /// The iterations of a system, with what is known of forms already; `None` where there are plainly none.
    fn region(
        &self,
        system: System,
        before: Option<&[FormRange]>,
    ) -> Result<Option<ClassRegion>, Refusal> {
        let mut all = system.clone();
        all.require(&self.context);
        if all.is_infeasible() {
            return Ok(None);
        }
        let variables = system.variables;
        let columns: Vec<Column> = Column::variables(variables).collect();
        let frame = AxisFrame::new(&columns, variables, &[])?;
        let piece = Piece {
            domain: all,
            value: Polynomial::one(),
        };
        let Some(shape) = frame.shape(&piece)? else {
            return Ok(None);
        };
        let Some(narrowed) = ConstrainedBox::new(shape.columns.axes(), shape.rows)? else {
            return Ok(None);
        };
        let mut bounds = Vec::new();
        for (idx, form) in self.clause.tables.bounds.forms().iter().enumerate() {
            let (lo, hi) = interval(&shape.columns.row(form)?, &narrowed.ranges)?;
            let (least, most) = before.map_or((lo, hi), |before| before[idx]);
            bounds.push((lo.max(least), hi.min(most)));
        }
        let mut ranges = Vec::new();
        for column in columns {
            let own = Affine::variable(1 + variables, column);
            ranges.push(interval(&shape.columns.row(&own)?, &narrowed.ranges)?);
        }
        let iterations = ranges.split_off(self.n_sizes);
        let grows = |(lo, hi): &&FormRange| MOST_PERIODS / 2 < hi - lo;
        let is_empty = bounds.iter().any(|(lo, hi)| hi < lo);
        Ok((!is_empty).then_some(ClassRegion {
            system,
            bounds,
            sizes: ranges,
            n_growing: iterations.iter().filter(grows).count(),
        }))
    }

    /// Adds the misses of a region.
    fn settle(&mut self, region: ClassRegion, budget: &mut Budget) -> Result<(), Refusal> {
        let mut regions = vec![region];
        while let Some(region) = regions.pop() {
            match self.verdict(&region.bounds, budget)? {
                RegionVerdict::Hits => {}
                RegionVerdict::Misses => self.add_all(&region, budget)?,
                RegionVerdict::Open(lines) => {
                    regions.extend(self.settle_open(&region, &lines, budget)?);
                }
            }
        }
        Ok(())
    }

    /// Adds the misses of a region that bounds leave open, or of a part of it; returns the parts that are left.
    fn settle_open(
        &mut self,
        region: &ClassRegion,
        lines: &[(u64, u64)],
        budget: &mut Budget,
    ) -> Result<Vec<ClassRegion>, Refusal> {
        let lengths = self.open(FormsOfInterest::Lengths, &region.bounds, lines);
        if let Some((form, at)) = self.closing_split(region, &lengths, budget)? {
            let (lower, upper) = self.split(region, form, at)?;
            return Ok([lower, upper].into_iter().flatten().collect());
        }
        let is_narrow = |form: &usize| {
            let (lo, hi) = region.bounds[*form];
            lo == hi || (hi - lo <= self.most_values() && !self.is_of_sizes(*form))
        };
        if lengths.iter().all(is_narrow) {
            self.count(region, &lengths, budget)?;
            return Ok(Vec::new());
        }
        let all = self.open(FormsOfInterest::All, &region.bounds, lines);
        if let Some(end) = self.decided_end(&region.bounds, &all, budget)? {
            let (lower, upper) = self.split(region, end.form, end.at)?;
            let (decided, rest) = match end.is_upper {
                true => (upper, lower),
                false => (lower, upper),
            };
            if let Some(decided) = decided.filter(|_| end.is_missing) {
                self.add_all(&decided, budget)?;
            }
            return Ok(rest.into_iter().collect());
        }
        let extent = |form: &usize| region.bounds[*form].1 - region.bounds[*form].0;
        let widest = lengths.iter().copied().max_by_key(extent);
        let form = widest.ok_or(Refusal::Failed)?;
        let (lo, hi) = region.bounds[form];
        let (lower, upper) = self.split(region, form, lo + (hi - lo) / 2)?;
        Ok([lower, upper].into_iter().flatten().collect())
    }

    /// The forms that are open.
    fn open(
        &self,
        matter: FormsOfInterest,
        bounds: &[FormRange],
        lines: &[(u64, u64)],
    ) -> Vec<usize> {
        let geometry = SetsOfWays {
            sets: self.loads.sets(),
            ways: self.ways,
        };
        open_forms(&self.clause.blocks, geometry, matter, bounds, lines)
    }

    /// A form that is not open on at least half of its range, from one end on, and the last value of the lower part.
    fn closing_split(
        &self,
        region: &ClassRegion,
        forms: &[usize],
        budget: &mut Budget,
    ) -> Result<Option<(usize, i64)>, Refusal> {
        let mut bounds = region.bounds.clone();
        for form in forms {
            let (lo, hi) = bounds[*form];
            if hi - lo <= LEAST_VALUES {
                continue;
            }
            let middle = lo + (hi - lo) / 2;
            for (end, other) in [(hi, lo), (lo, hi)] {
                let mut is_open_to = |value: i64, budget: &mut Budget| {
                    bounds[*form] = (value.min(end), value.max(end));
                    let verdict = self.verdict(&bounds, budget)?;
                    Ok::<bool, Refusal>(match verdict {
                        RegionVerdict::Open(lines) => self
                            .open(FormsOfInterest::Lengths, &bounds, &lines)
                            .contains(form),
                        _ => false,
                    })
                };
                if is_open_to(middle, budget)? {
                    continue;
                }
                let (mut closed, mut open) = (middle, other);
                while 1 < (closed - open).abs() {
                    let value = open + (closed - open) / 2;
                    match is_open_to(value, budget)? {
                        true => open = value,
                        false => closed = value,
                    }
                }
                return Ok(Some((*form, closed.min(open))));
            }
            bounds[*form] = (lo, hi);
        }
        Ok(None)
    }

    /// Adds all iterations of a region.
    fn add_all(&mut self, region: &ClassRegion, budget: &mut Budget) -> Result<(), Refusal> {
        let all = self.all(&region.system, budget)?;
        self.decided.extend(all);
        Ok(())
    }

    /// What bounds on the lines of each block tell.
    fn verdict(&self, bounds: &[FormRange], budget: &mut Budget) -> Result<RegionVerdict, Refusal> {
        budget.spend(1 + self.clause.blocks.len() as u64 / BLOCKS_PER_STEP)?;
        let blocks = self.clause.blocks.iter();
        let rough = blocks.map(|block| block.rough_bounds(bounds, self.loads.sets()));
        let rough: Vec<(u64, u64)> = rough.collect();
        if let Some(verdict) = self.decided(&rough) {
            return Ok(verdict);
        }
        let mut all = Vec::with_capacity(rough.len());
        for ((block, starts), rough) in self.clause.blocks.iter().zip(&self.may_start).zip(rough) {
            all.push(match rough.0 == rough.1 {
                true => rough,
                false => block.bounds(bounds, *starts, &self.loads),
            });
        }
        budget.spend(self.loads.take_steps())?;
        Ok(self.decided(&all).unwrap_or(RegionVerdict::Open(all)))
    }

    /// The verdict by bounds on the lines of each block.
    fn decided(&self, lines: &[(u64, u64)]) -> Option<RegionVerdict> {
        Some(match do_miss(lines, self.ways)? {
            true => RegionVerdict::Misses,
            false => RegionVerdict::Hits,
        })
    }

    /// The values of a form, from one end of its range on, for which bounds decide: of a form of sizes alone if one has
    /// some, and else as many as can be.
    fn decided_end(
        &self,
        bounds: &[FormRange],
        forms: &[usize],
        budget: &mut Budget,
    ) -> Result<Option<DecidedEnd>, Refusal> {
        let mut best: Option<(bool, DecidedEnd)> = None;
        for form in forms {
            for is_upper in [true, false] {
                let Some(end) = self.end(bounds, *form, is_upper, budget)? else {
                    continue;
                };
                let is_of_sizes = self.is_of_sizes(*form);
                let is_better = best.as_ref().is_none_or(|(of_sizes, other)| {
                    (*of_sizes, other.share()) < (is_of_sizes, end.share())
                });
                if is_better {
                    best = Some((is_of_sizes, end));
                }
            }
        }
        Ok(best.map(|x| x.1))
    }

    fn is_of_sizes(&self, form: usize) -> bool {
        let mut support = self.clause.tables.bounds.forms()[form].support();
        support.all(|column| column.place() < self.n_sizes)
    }

    /// The decided values at one end of a form's range.
    fn end(
        &self,
        bounds: &[FormRange],
        form: usize,
        is_upper: bool,
        budget: &mut Budget,
    ) -> Result<Option<DecidedEnd>, Refusal> {
        let (lo, hi) = bounds[form];
        let mut bounds = bounds.to_vec();
        let mut verdict = |value: i64, budget: &mut Budget| {
            bounds[form] = if is_upper { (value, hi) } else { (lo, value) };
            Ok::<_, Refusal>(match self.verdict(&bounds, budget)? {
                RegionVerdict::Hits => Some(false),
                RegionVerdict::Misses => Some(true),
                RegionVerdict::Open(_) => None,
            })
        };
        let last = if is_upper { hi } else { lo };
        let Some(is_missing) = verdict(last, budget)? else {
            return Ok(None);
        };
        // Decided at `good`, open at `bad`.
        let (mut good, mut bad) = (last, if is_upper { lo } else { hi });
        while 1 < (good - bad).abs() {
            let middle = bad + (good - bad) / 2;
            match verdict(middle, budget)? {
                Some(_) => good = middle,
                None => bad = middle,
            }
        }
        Ok(Some(DecidedEnd {
            form,
            is_upper,
            is_missing,
            at: if is_upper { good - 1 } else { good },
            n_values: (last - good).abs() + 1,
            n_all: hi - lo + 1,
        }))
    }

    /// A region where a form is at most `at`, and where it is greater.
    fn split(
        &self,
        region: &ClassRegion,
        form: usize,
        at: i64,
    ) -> Result<(Option<ClassRegion>, Option<ClassRegion>), Refusal> {
        let own = &self.clause.tables.bounds.forms()[form];
        let width = region.system.columns();
        let own = own.widened(width);
        let upto = Affine::constant(width, at).plus(-1, &own)?;
        let beyond = own.plus(-at - 1, &Affine::constant(width, 1))?;
        let (lo, hi) = region.bounds[form];
        let part = |row: Affine, range: FormRange| {
            let mut system = region.system.clone();
            system.inequalities.push(row);
            let mut bounds = region.bounds.clone();
            bounds[form] = range;
            self.region(system, Some(&bounds))
        };
        Ok((part(upto, (lo, at))?, part(beyond, (at + 1, hi))?))
    }

    /// The number of iterations of a system.
    fn all(&self, system: &System, budget: &mut Budget) -> Result<Vec<Piece>, Refusal> {
        count(system, &self.iterations, &self.context, budget)
    }

    /// A form with at most so many values more is no longer split: numbers of lines from nothing to all ways of all sets decide.
    fn most_values(&self) -> i64 {
        let ways = i64::try_from(self.ways).unwrap_or(i64::MAX);
        ways.saturating_mul(self.loads.sets()).max(LEAST_VALUES)
    }

    /// Adds the misses of a region in which these forms are still open, by counts at single sizes.
    fn count(
        &mut self,
        region: &ClassRegion,
        open: &[usize],
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let mut all = self.all(&region.system, budget)?;
        let n_all = all.len();
        // Where a bound moves with a form, it is in its final order when it is so at both ends.
        for form in open {
            let (lo, hi) = region.bounds[*form];
            for end in [lo, hi] {
                let own = self.clause.tables.bounds.forms()[*form].widened(region.system.columns());
                let mut system = region.system.clone();
                let one = Affine::constant(own.columns(), 1);
                system.equalities.push(own.plus(-end, &one)?);
                all.extend(self.all(&system, budget)?);
            }
        }
        if n_all == 0 {
            return Ok(());
        }
        let counter = SizeCounter {
            system: &region.system,
            context: &self.context,
            iterations: &self.iterations,
            sizes: &region.sizes,
            n_growing: region.n_growing,
            bounds: self.clause.tables.bounds.forms(),
            starts: &self.starts,
            query: ConflictQuery {
                blocks: &self.clause.blocks,
                loads: &self.loads,
                ways: self.ways,
                n_bounds: self.clause.tables.bounds.forms().len(),
                numbers: LineNumbers::ModuloSets,
            },
        };
        let series = counter.series(&all, budget)?;
        add_series(&mut self.series, series, budget)
    }
}

/// Values of a form for which bounds decide.
struct DecidedEnd {
    form: usize,
    /// Whether they are the greatest ones of its range.
    is_upper: bool,
    /// Whether all accesses miss.
    is_missing: bool,
    /// The last value of the lower part of its range.
    at: i64,
    /// How many values they are,
    n_values: i64,
    /// out of so many.
    n_all: i64,
}

impl DecidedEnd {
    /// Which share of the values is decided, in millionths.
    fn share(&self) -> i128 {
        i128::from(self.n_values) * 1_000_000 / i128::from(self.n_all)
    }
}

/// A form over columns with an axis for each of them.
fn row_of_columns(form: &Affine, variables: usize) -> Result<AxisRow, Refusal> {
    let mut row = AxisRow::new(i128::from(form.constant_term()));
    for (axis, column) in Column::variables(variables).enumerate() {
        row = row.plus(axis, form.coefficient(column))?;
    }
    Ok(row)
}
