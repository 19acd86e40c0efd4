//! From a reuse relation to a symbolic histogram.

use crate::between::lines_between;
use crate::count_cache::CountCache;
use crate::form::{HistogramEntry, ReferenceHistogram, SymbolicHistogram};
use crate::gather::merge_entries;
use crate::shares::Shares;
use premiss_dataflow::{AccessReuse, ReuseRelation};
use premiss_presburger::{Affine, Budget, Column, Piece, Refusal, System, combine, count, united};
use premiss_scop::{NodeId, NodeKind, Scop};
use premiss_tree::ReferenceId;
use std::collections::BTreeSet;

/// The reuse-distance histogram of each access of a scop in closed form (definition 6 of the access model), for the
/// sizes in the scop's context. `relation` is that of the scop. Accesses are counted on all processors.
///
/// # Errors
/// [`Refusal::Budget`] where the budget runs out; another refusal where a number does not fit or a set cannot be
/// counted.
pub fn derive(
    scop: &Scop,
    relation: &ReuseRelation,
    budget: &mut Budget,
) -> Result<SymbolicHistogram, Refusal> {
    let known = CountCache::default();
    let shares = Shares::new(budget, relation.accesses.len());
    let accesses: Vec<(usize, &AccessReuse)> = relation.accesses.iter().enumerate().collect();
    let found = premiss_parallel::map(&accesses, |(idx, access)| {
        shares.spend(*idx, |budget| {
            reference_histogram(scop, relation, access, &known, budget)
        })
    });
    let references = shares.settle(found, budget)?;
    Ok(SymbolicHistogram {
        line_size: scop.line_size,
        parameters: scop.parameters.clone(),
        context: scop.context.clone(),
        references,
    })
}

fn reference_histogram(
    scop: &Scop,
    relation: &ReuseRelation,
    access: &AccessReuse,
    known: &CountCache,
    budget: &mut Budget,
) -> Result<ReferenceHistogram, Refusal> {
    let cold = cold_pieces(scop, access, budget)?;
    let mut entries = Vec::new();
    for reuse in &access.reuses {
        let lines = lines_between(scop, relation, reuse, known, budget)?;
        for domain in &reuse.domain {
            for piece in combine(domain, &lines, budget)? {
                entries.push(entry(scop, &piece, budget)?);
            }
        }
    }
    Ok(ReferenceHistogram {
        reference: reference(scop, access.sink),
        cold: united(cold),
        entries: merge_entries(entries)?,
    })
}

/// The number of accesses that are the first to touch their line, as pieces that add up.
pub(crate) fn cold_pieces(
    scop: &Scop,
    access: &AccessReuse,
    budget: &mut Budget,
) -> Result<Vec<Piece>, Refusal> {
    let mut cold = Vec::new();
    for domain in &access.cold {
        let all = iteration_columns(scop, domain);
        cold.extend(count(domain, &all, &context(scop, domain), budget)?);
    }
    Ok(cold)
}

/// Accesses of one distance, counted for each value of what the distance depends on.
fn entry(scop: &Scop, piece: &Piece, budget: &mut Budget) -> Result<HistogramEntry, Refusal> {
    let all = iteration_columns(scop, &piece.domain);
    let needed = needed(piece);
    let (axes, others): (Vec<Column>, Vec<Column>) =
        all.into_iter().partition(|column| needed.contains(column));
    let multiplicity = count(
        &piece.domain,
        &others,
        &context(scop, &piece.domain),
        budget,
    )?;
    Ok(HistogramEntry {
        axes,
        distance: unconstrained(piece, &needed)?,
        multiplicity,
    })
}

/// The columns that a piece's value depends on, those of floors and of what is in them included.
fn needed(piece: &Piece) -> BTreeSet<Column> {
    let mut open = piece.value.support();
    let mut found = BTreeSet::new();
    while let Some(column) = open.pop() {
        if found.insert(column)
            && let Some(floor) = piece.domain.floor_at(column)
        {
            open.extend(piece.domain.floors[floor].numerator.support());
        }
    }
    found
}

/// The value of a piece without its constraints, with the floors that it needs.
fn unconstrained(piece: &Piece, needed: &BTreeSet<Column>) -> Result<Piece, Refusal> {
    let variables = piece.domain.variables;
    let mut domain = System::universe(variables);
    let mut place: Vec<Column> = Column::first(1 + variables).collect();
    for (idx, floor) in piece.domain.floors.iter().enumerate() {
        if needed.contains(&piece.domain.floor_column(idx)) {
            let mut numerator = vec![0; domain.columns()];
            numerator[0] = floor.numerator.constant_term();
            for inner in floor.numerator.support() {
                numerator[place[inner]] = floor.numerator.coefficient(inner);
            }
            place.push(domain.add_floor(&Affine::new(numerator), floor.denominator));
        } else {
            place.push(Column::CONSTANT);
        }
    }
    let value = piece.value.renumbered(|column| place[column])?;
    Ok(Piece { domain, value })
}

/// The scop's context, over the variables of a domain.
pub(crate) fn context(scop: &Scop, domain: &System) -> System {
    let mut context = System::universe(domain.variables);
    context.require(&scop.context);
    context
}

/// The columns of loop variables.
pub(crate) fn iteration_columns(scop: &Scop, domain: &System) -> Vec<Column> {
    let columns = Column::variables(domain.variables);
    columns.skip(scop.parameters.len()).collect()
}

/// The reference of an access.
pub(crate) fn reference(scop: &Scop, node: NodeId) -> ReferenceId {
    match &scop.nodes[node].kind {
        NodeKind::Access(access) => access.reference,
        NodeKind::Loop { .. } => unreachable!("a sink is an access"),
    }
}
