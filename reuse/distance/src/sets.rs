//! Misses of set-associative LRU caches, without running a loop.
//!
//! An access misses if and only if it is the first to its line, or at least `ways` other lines of the same set were touched
//! since that line was. The reuse relation says which lines were touched in between, clause by clause. Here they become
//! *blocks*: sums of arithmetic progressions of lines, relative to the sink's own line ([`block`]). The question is how many
//! of them are multiples of the number of sets.
//!
//! In `for i { for j { for k { B[k][j] } } }` with 1,000 rows of 125 lines and 64 sets of 12 ways, 999 other lines of B, 125
//! lines apart, lie between two touches of a line in the loop over `j`. Each set gets 15 or 16 of them, so all miss.
//!
//! # Inside
//!
//! - `clauses` derives the lines in between, for iterations whose line was last touched by one source.
//! - `flatten`, `slices` and `join` make few and simple systems of the lines in between: two coordinates that count on from each
//!   other become one, residues of a coordinate are no longer told apart, and systems side by side become one, the sink's own
//!   line included.
//! - `block` turns a system into a block. What matters of it are a few forms in the sink's iteration (`forms`): how long it
//!   is in each direction, and where it starts. Most often they are numbers.
//! - `congruence` bounds the lines in one set in a few operations. `load` counts the lines in every set, once for each shape
//!   of a block.
//! - `open_forms` tells which forms still matter.
//! - `lean` cuts parts of the iterations so that as few axes as possible matter.
//! - `query` bisects these by the lengths of blocks until bounds decide. Where all lengths are known, `residues` counts the
//!   iterations whose starts have residues that miss.
//! - `recurrence` tells along which axes the same comes again, so that one period is looked at.
//! - `residue_class` tells iterations apart by residues that decide whether a block has any lines in the set.
//! - `sweep` goes along one axis where bounds leave few iterations open: a block has lines in the set for a few intervals of
//!   that axis (`hits`).
//! - `cells` needs no lengths: where few lines of a set lie within reach, each of them is met in a few boxes of iterations
//!   (`met`, in terms of `plane`), and a sweep over their ends tells where enough are (`covered`).
//! - `places` numbers lines as in memory, where most blocks stay while the sink moves: where there are many sets, a census of the
//!   lines in each of them decides large boxes of iterations.
//! - `class` does it for all sizes of a residue class at once, in which the number of sets does not see how long rows are.
//! - `pages` does the same for pages that rows are no multiple of: blocks consist of elements then.
//!
//! The oracle is the trace: `testdata/runner/tests/oracles/conflict_sets.rs` and `pages.rs` compare misses, reference by reference, on
//! kernels and on random nests, in random caches. `cargo bench -p premiss-testdata --bench sets -- large` prints what it costs.

mod block;
mod cells;
mod chambers;
mod class;
mod clauses;
mod congruence;
mod covered;
mod flatten;
mod forms;
mod hits;
mod join;
mod joint_bounds;
mod lean;
mod load;
mod met;
mod open_forms;
mod pages;
mod parts;
mod places;
mod plane;
mod query;
mod recurrence;
mod residue_class;
mod residues;
mod slices;
mod sweep;

use crate::derive::{cold_pieces, context, iteration_columns, reference};
use crate::frame::number;
use crate::shares::Shares;
use block::LineBlock;
pub use class::{ClassMisses, class_misses, sizes_that_move_lines};
use clauses::{Derivation, LinePlacement};
use forms::ConflictBox;
use lean::lean_parts;
use load::SetLoads;
pub use pages::{PageConflicts, page_conflicts};
use parts::FormParts;
use places::{DecidedByPlace, PlaceQuery};
use premiss_arithmetic::add;
use premiss_cache::CacheGeometry;
use premiss_dataflow::{AccessReuse, ReuseRelation};
use premiss_presburger::{Budget, Refusal};
use premiss_scop::{LineSpaceId, Scop};
use premiss_tree::ReferenceId;
use query::{ConflictQuery, LineNumbers};

/// The lines in each set are counted where bounds do not suffice: caches of more sets are refused.
const MOST_SETS: i64 = 1 << 20;

/// For each access of a scop, the lines that are touched between two touches of its line.
#[derive(Debug)]
pub struct ConflictSets {
    references: Vec<ReferenceConflicts>,
}

#[derive(Debug)]
struct ReferenceConflicts {
    reference: ReferenceId,
    /// The number of accesses that are the first to touch their line.
    cold: i128,
    clauses: Vec<Clause>,
}

/// Iterations whose line was last touched by one source.
#[derive(Debug)]
struct Clause {
    blocks: Vec<LineBlock>,
    /// Whether the sink's line is in them, too.
    has_own_line: bool,
    n_bounds: usize,
    parts: Vec<ConflictBox>,
    /// The same iterations with the sink's line as another form.
    placed: Vec<ConflictBox>,
}

/// The lines between two touches of each line, for a scop without symbolic sizes and its relation. `first_line` is the line
/// in which an array starts. Accesses are done on all processors.
///
/// # Errors
/// [`Refusal::Budget`] where the budget runs out, [`Refusal::NotAffine`] where the scop has symbolic sizes; another refusal
/// where a number does not fit or a set cannot be counted.
pub fn conflict_sets(
    scop: &Scop,
    relation: &ReuseRelation,
    first_line: &(dyn Fn(LineSpaceId) -> i64 + Sync),
    budget: &mut Budget,
) -> Result<ConflictSets, Refusal> {
    if !scop.parameters.is_empty() {
        return Err(Refusal::NotAffine);
    }
    let shares = Shares::new(budget, relation.accesses.len());
    let accesses: Vec<(usize, &AccessReuse)> = relation.accesses.iter().enumerate().collect();
    let found = premiss_parallel::map(&accesses, |(idx, access)| {
        let derivation = Derivation {
            scop,
            relation,
            placement: LinePlacement {
                first: first_line,
                weights: &|space| weights(scop, space),
            },
        };
        shares.spend(*idx, |budget| {
            ReferenceConflicts::derive(derivation, access, budget)
        })
    });
    let references = shares.settle(found, budget)?;
    Ok(ConflictSets { references })
}

impl ConflictSets {
    /// The misses of each access of the scop in an LRU cache of some geometry that sees all accesses, whose lines have the size of
    /// those of the scop.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where the budget runs out; another refusal where a number does not fit.
    pub fn misses(
        &self,
        geometry: CacheGeometry,
        budget: &mut Budget,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let sets = i64::try_from(geometry.sets).map_err(|_| Refusal::Overflow)?;
        if MOST_SETS < sets {
            return Err(Refusal::Budget);
        }
        let shares = Shares::new(budget, self.references.len());
        let all: Vec<(usize, &ReferenceConflicts)> = self.references.iter().enumerate().collect();
        let found = premiss_parallel::map(&all, |(idx, reference)| {
            shares.spend(*idx, |budget| reference.misses(sets, geometry.ways, budget))
        });
        shares.settle(found, budget)
    }
}

impl ReferenceConflicts {
    fn derive(
        derivation: Derivation<'_>,
        access: &AccessReuse,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        let mut cold = 0;
        for piece in cold_pieces(derivation.scop, access, budget)? {
            cold = add(cold, number(&piece, &[])?)?;
        }
        let mut clauses = Vec::new();
        for clause in derivation.clauses(access, budget)? {
            let n_bounds = clause.tables.bounds.forms().len();
            let mut lean = Vec::new();
            let (scop, domain) = (derivation.scop, &clause.domain);
            let forms = clause.tables.forms();
            let context = context(scop, domain);
            let iterations = iteration_columns(scop, domain);
            let parts = FormParts::new(forms, (domain, &context), &iterations, budget)?;
            for part in parts.at(&[])? {
                lean.extend(lean_parts(part, &clause.blocks, n_bounds)?);
            }
            let forms = clause.tables.forms().chain([&clause.sink_line]);
            let parts = FormParts::new(forms, (domain, &context), &iterations, budget)?;
            clauses.push(Clause {
                n_bounds,
                parts: lean,
                placed: parts.at(&[])?,
                blocks: clause.blocks,
                has_own_line: clause.has_own_line,
            });
        }
        Ok(Self {
            reference: reference(derivation.scop, access.sink),
            cold,
            clauses,
        })
    }

    fn misses(
        &self,
        sets: i64,
        ways: u64,
        budget: &mut Budget,
    ) -> Result<(ReferenceId, u64), Refusal> {
        let mut misses = self.cold;
        for clause in &self.clauses {
            misses = add(misses, clause.misses(sets, ways, budget)?)?;
        }
        let misses = u64::try_from(misses).map_err(|_| Refusal::Overflow)?;
        Ok((self.reference, misses))
    }
}

impl Clause {
    /// How many accesses miss.
    fn misses(&self, sets: i64, ways: u64, budget: &mut Budget) -> Result<i128, Refusal> {
        let loads = SetLoads::new(sets);
        let query = ConflictQuery {
            blocks: &self.blocks,
            loads: &loads,
            ways: ways.saturating_add(u64::from(self.has_own_line)),
            n_bounds: self.n_bounds,
            numbers: LineNumbers::Whole,
        };
        if let Some(misses) = self.misses_by_place(query, budget)? {
            return Ok(misses);
        }
        let mut misses = 0;
        for part in &self.parts {
            let scaled = query.misses(part, budget)?;
            misses = add(misses, scaled / part.multiplicity.denominator)?;
        }
        Ok(misses)
    }

    /// The same where the places of lines decide most of what neither bounds nor sweeps decide soon; else `None`.
    fn misses_by_place(
        &self,
        query: ConflictQuery<'_>,
        budget: &mut Budget,
    ) -> Result<Option<i128>, Refusal> {
        let are_hard = self.parts.iter().map(|part| query.is_hard(part));
        if !are_hard.collect::<Result<Vec<_>, _>>()?.contains(&true) {
            return Ok(None);
        }
        let by_place = PlaceQuery {
            blocks: &self.blocks,
            sets: query.loads.sets(),
            ways: query.ways,
            n_bounds: self.n_bounds,
        };
        let mut decided = Vec::with_capacity(self.placed.len());
        for part in &self.placed {
            match by_place.decide(part, budget)? {
                Some(own) => decided.push((own, part.multiplicity.denominator)),
                None => return Ok(None),
            }
        }
        let mut misses = 0;
        for (DecidedByPlace { misses: own, open }, denominator) in decided {
            misses = add(misses, own / denominator)?;
            for part in open {
                for part in lean_parts(part, &self.blocks, self.n_bounds)? {
                    let scaled = query.misses(&part, budget)?;
                    misses = add(misses, scaled / part.multiplicity.denominator)?;
                }
            }
        }
        Ok(Some(misses))
    }
}

/// How many lines a step of each coordinate is.
fn weights(scop: &Scop, space: LineSpaceId) -> Result<Vec<i64>, Refusal> {
    let coordinates = scop.spaces[space].coordinates.iter();
    let weights = coordinates.map(|x| x.constant_weight().ok_or(Refusal::NotAffine));
    weights.collect()
}
