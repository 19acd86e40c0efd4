//! Value-based dependences: those with no other store in between.

use crate::DependenceKind;
use crate::dependence::{Dependence, Pair};
use premiss_isl::Set;
use premiss_presburger::{Column, Refusal};
use premiss_scop::{NodeId, Scop};
use std::collections::BTreeMap;

/// The dependences of a scop without the pairs of iterations between which another access stores to the element. For
/// flow dependences, what remains gives for each load the store whose value it reads (Feautrier, *Dataflow analysis of
/// array and scalar references*, 1991).
///
/// `all` are those that [`dependences`](crate::dependences) yields for the scop. A pair `(a, b)` has
/// a store `c` in between if `c` depends on `a` and `b` on `c`.
///
/// # Errors
/// [`Refusal::Budget`] where the budget of set operations runs out, [`Refusal::Overflow`] where a coefficient does not
/// fit, [`Refusal::Failed`] where isl fails.
pub fn nearest(scop: &Scop, all: &[Dependence]) -> Result<Vec<Dependence>, Refusal> {
    let by_ends = ByEnds::new(scop, all)?;
    let mut found = Vec::new();
    for dependence in all {
        let pair = Pair::new(scop, dependence.source, dependence.sink);
        let mut rest = Set::from_systems(pair.shape, &dependence.pairs)?;
        for store in by_ends.stores_after(dependence.source) {
            if rest.is_empty()? {
                break;
            }
            if let Some(between) = by_ends.through(&pair, dependence, store)? {
                rest = rest.subtract(&between)?;
            }
        }
        if rest.is_empty()? {
            continue;
        }
        let place = |id| dependence.common.iter().position(|other| *other == id);
        let level = dependence.carrier.and_then(place);
        found.push(pair.dependence(dependence.kind, level, &rest)?);
    }
    Ok(found)
}

/// All pairs of iterations that depend on each other, by their accesses.
struct ByEnds {
    pairs: BTreeMap<(NodeId, NodeId), Set>,
    /// For each access, the stores that depend on it.
    stores: BTreeMap<NodeId, Vec<NodeId>>,
}

impl ByEnds {
    fn new(scop: &Scop, all: &[Dependence]) -> Result<Self, Refusal> {
        let mut pairs: BTreeMap<(NodeId, NodeId), Set> = BTreeMap::new();
        let mut stores: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for dependence in all {
            let (source, sink) = (dependence.source, dependence.sink);
            let shape = Pair::new(scop, source, sink).shape;
            let set = Set::from_systems(shape, &dependence.pairs)?;
            let set = match pairs.remove(&(source, sink)) {
                Some(known) => known.union(&set)?,
                None => set,
            };
            pairs.insert((source, sink), set);
            let known = stores.entry(source).or_default();
            let stores = matches!(
                dependence.kind,
                DependenceKind::Anti | DependenceKind::Output
            );
            if stores && !known.contains(&sink) {
                known.push(sink);
            }
        }
        Ok(Self { pairs, stores })
    }

    fn stores_after(&self, source: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.stores.get(&source).into_iter().flatten().copied()
    }

    /// The pairs of a source and a sink that have an iteration of a store in between.
    fn through(
        &self,
        pair: &Pair,
        ends: &Dependence,
        store: NodeId,
    ) -> Result<Option<Set>, Refusal> {
        let before = self.pairs.get(&(ends.source, store));
        let after = self.pairs.get(&(store, ends.sink));
        let (Some(before), Some(after)) = (before, after) else {
            return Ok(None);
        };
        // The columns are the source's, the store's, the sink's.
        let first = Column::at_place(pair.shape.parameters);
        let middle = before.shape().variables - pair.depths.0;
        let before = before.insert(Column::new(before.shape().columns()), pair.depths.1)?;
        let after = after.insert(first, pair.depths.0)?;
        let both = before.intersect(&after)?;
        both.project(first.offset(pair.depths.0), middle).map(Some)
    }
}
