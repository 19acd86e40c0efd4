//! Which accesses bring in the line that a reference reuses, and how often the reference misses as a result.

use crate::formula::{DistanceCount, Formula};
use crate::formula_builder::FormulaBuilder;
use crate::refusal::{Effort, NoClosedForm};
use crate::residue_classes::{SymbolicOptions, factors, symbolic_relation};
use crate::sharing::{Sharing, sharing};
use premiss_cache::CacheGeometry;
use premiss_dataflow::{AccessReuse, Reuse, ReuseRelation};
use premiss_distance::{ReferenceHistogram, SymbolicHistogram, derive};
use premiss_presburger::{Budget, Refusal};
use premiss_scop::{LineSpaceId, NodeId, NodeKind, Scop};
use premiss_tree::{ArrayId, LoopId, NestTree, ReferenceId};

/// Explanations of some references, with the histogram and scop that give meaning to their columns.
#[derive(Debug)]
pub struct Explanation {
    /// The histogram of the whole function, whose columns all formulas use.
    pub histogram: SymbolicHistogram,
    /// The scop of the tree.
    pub scop: Scop,
    /// The access that touched each line last.
    pub(crate) relation: ReuseRelation,
    /// One entry for each reference that was asked for, in order of execution.
    pub references: Vec<ReferenceExplanation>,
}

/// The sources of the reuses of one reference.
#[derive(Debug)]
pub struct ReferenceExplanation {
    /// The reference.
    pub id: ReferenceId,
    /// Its node in the scop.
    pub node: NodeId,
    /// The number of its accesses.
    pub accesses: Result<Formula, Refusal>,
    /// The number of its accesses that are the first to their line.
    pub cold: Result<Formula, Refusal>,
    /// Its reuses, grouped by the reference that touched the line last, the carrying loop, and the kind of sharing.
    pub reuses: Vec<ReuseExplanation>,
    /// Its misses in each level that was asked for, as if that were a fully associative LRU cache.
    pub misses: Vec<Result<Formula, Refusal>>,
}

/// The accesses whose line was touched last by one reference, with the reuse carried by one loop.
#[derive(Debug)]
pub struct ReuseExplanation {
    /// The reference that touched the line last.
    pub source: ReferenceId,
    /// The loop that carries the reuse; `None` if both accesses are in one iteration of all loops around both.
    pub carrier: Option<LoopId>,
    /// Whether source and sink touch the same element, as far as that is known.
    pub sharing: Sharing,
    /// The number of accesses at each distance, in distinct other lines.
    pub distances: Result<Vec<DistanceCount>, Refusal>,
    /// For each array touched between source and sink, the number of its lines in between.
    pub between: Vec<(ArrayId, Result<Vec<DistanceCount>, Refusal>)>,
    /// Their misses in each level that was asked for, as if that were a fully associative LRU cache.
    pub misses: Vec<Result<Formula, Refusal>>,
    /// The reuses of the relation that they are.
    pub(crate) reuses: Vec<Reuse>,
}

/// Explains those references of a function that `wanted` selects, with formulas in the sizes without a value, for the
/// residue class of remainders 0. Of `levels` only the capacity in lines is used.
///
/// # Errors
/// The function has no closed form.
pub fn explain(
    tree: &NestTree,
    wanted: &dyn Fn(ReferenceId) -> bool,
    levels: &[CacheGeometry],
    options: SymbolicOptions<'_>,
) -> Result<Explanation, NoClosedForm> {
    let factors = factors(tree, options)?;
    let (scop, relation, histogram) = symbolic_relation(tree, &factors, options)?;
    let context = ExplainContext {
        tree,
        scop: &scop,
        relation: &relation,
        histogram: &histogram,
        levels,
        effort: options.effort,
    };
    let parts = histogram.references.iter().zip(&relation.accesses);
    let parts = parts.filter(|(part, _)| wanted(part.reference));
    let references = parts
        .map(|(part, reuse)| context.reference(part, reuse))
        .collect();
    Ok(Explanation {
        references,
        histogram,
        scop,
        relation,
    })
}

/// The inputs of the explanations of one function.
struct ExplainContext<'a> {
    tree: &'a NestTree,
    scop: &'a Scop,
    relation: &'a ReuseRelation,
    histogram: &'a SymbolicHistogram,
    levels: &'a [CacheGeometry],
    effort: Effort,
}

/// The key by which reuses are grouped in an explanation.
type ReuseGroup = (NodeId, Option<LoopId>, Sharing);

impl ExplainContext<'_> {
    fn reference(&self, part: &ReferenceHistogram, access: &AccessReuse) -> ReferenceExplanation {
        let mut groups: Vec<(ReuseGroup, Vec<Reuse>)> = Vec::new();
        for reuse in &access.reuses {
            let carrier = reuse.carrier.and_then(|node| self.loop_of(node));
            let kind = sharing(self.tree, self.scop, access.sink, reuse);
            let group = (reuse.source, carrier, kind);
            match groups.iter_mut().find(|(known, _)| *known == group) {
                Some((_, reuses)) => reuses.push(reuse.clone()),
                None => groups.push((group, vec![reuse.clone()])),
            }
        }
        let mut builder = self.builder(self.histogram);
        let one = [part];
        ReferenceExplanation {
            id: part.reference,
            node: access.sink,
            accesses: builder.misses(&one, 0),
            cold: builder.cold(&one),
            misses: self.misses(&mut builder, part),
            reuses: groups
                .into_iter()
                .map(|(group, reuses)| self.reuse(access.sink, group, reuses))
                .collect(),
        }
    }

    fn reuse(
        &self,
        sink: NodeId,
        (source, carrier, sharing): ReuseGroup,
        reuses: Vec<Reuse>,
    ) -> ReuseExplanation {
        let whole = self.histogram(sink, &reuses, None);
        let mut between = Vec::new();
        for space in self
            .scop
            .spaces
            .keys()
            .filter(|space| self.touches(&reuses, *space))
        {
            let array = self.scop.spaces[space].array;
            let lines = self.histogram(sink, &reuses, Some(space));
            let lines = lines
                .and_then(|histogram| self.builder(&histogram).distances(&histogram.references[0]));
            between.push((array, lines));
        }
        let (distances, misses) = match &whole {
            Ok(histogram) => {
                let mut builder = self.builder(histogram);
                let part = &histogram.references[0];
                (builder.distances(part), self.misses(&mut builder, part))
            }
            Err(refusal) => (
                Err(*refusal),
                self.levels.iter().map(|_| Err(*refusal)).collect(),
            ),
        };
        ReuseExplanation {
            source: self.reference_of(source),
            carrier,
            sharing,
            distances,
            between,
            misses,
            reuses,
        }
    }

    fn misses(
        &self,
        builder: &mut FormulaBuilder<'_>,
        part: &ReferenceHistogram,
    ) -> Vec<Result<Formula, Refusal>> {
        let levels = self.levels.iter();
        levels
            .map(|level| builder.misses(&[part], level.lines()))
            .collect()
    }

    fn builder<'h>(&self, histogram: &'h SymbolicHistogram) -> FormulaBuilder<'h> {
        FormulaBuilder::new(histogram, self.effort.steps)
    }

    /// The histogram of only some reuses, counting the lines of one array or of all.
    fn histogram(
        &self,
        sink: NodeId,
        reuses: &[Reuse],
        space: Option<LineSpaceId>,
    ) -> Result<SymbolicHistogram, Refusal> {
        let footprints = self.relation.footprints.iter();
        let of_interest =
            footprints.filter(|((_, _, own), _)| space.is_none_or(|space| *own == space));
        let relation = ReuseRelation {
            accesses: vec![AccessReuse {
                sink,
                reuses: reuses.to_vec(),
                cold: Vec::new(),
            }],
            footprints: of_interest
                .map(|(key, systems)| (*key, systems.clone()))
                .collect(),
        };
        let mut budget = Budget::new(self.effort.steps);
        derive(self.scop, &relation, &mut budget)
    }

    /// Whether something between source and sink touches an array.
    fn touches(&self, reuses: &[Reuse], space: LineSpaceId) -> bool {
        let mut segments = reuses.iter().flat_map(|reuse| &reuse.between);
        segments.any(|segment| {
            let key = (segment.node, segment.part, space);
            let systems = self.relation.footprints.get(&key);
            systems.is_some_and(|systems| !systems.is_empty())
        })
    }

    fn loop_of(&self, node: NodeId) -> Option<LoopId> {
        match &self.scop.nodes[node].kind {
            NodeKind::Loop { id, .. } => Some(*id),
            NodeKind::Access(_) => None,
        }
    }

    fn reference_of(&self, node: NodeId) -> ReferenceId {
        match &self.scop.nodes[node].kind {
            NodeKind::Access(access) => access.reference,
            NodeKind::Loop { .. } => unreachable!("a source is an access"),
        }
    }
}
