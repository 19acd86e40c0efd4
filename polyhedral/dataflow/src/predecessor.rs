//! For each access, the accesses that touched its line last.
//!
//! From the access the tree is climbed. At each node on the way, the siblings before it are
//! searched, nearest first, and then the last earlier iteration of the loop around that touched the
//! line, its children last first. What is found is taken out of the iterations still to be
//! explained; what is left at the root is the first to touch its line.
//!
//! In `for i { for j { A[j] } B[i] }`, with lines of one element: `A[j]` at `(i, j)` finds nothing
//! earlier in its own `j` loop, climbs, and finds at `i - 1` the same `j`; in between are the
//! iterations of the `j` loop after `j`, then `B[i - 1]`, then those before `j`.

use crate::coalesce::coalesce;
use crate::floors::{Ranges, without_floors};
use crate::footprint::{Footprints, NodePart, children};
use crate::footprint_table::named_footprints;
use crate::iterations::Iterations;
use crate::last::{IterationLimit, Last, LastIteration};
use crate::possible::AccessRoles;
use crate::relation::{AccessReuse, DistanceBound, Reuse, ReuseRelation, Segment};
use premiss_isl::{Set, SetSpace};
use premiss_presburger::{Affine, Column, Refusal, System};
use premiss_scop::{Access, LineSpaceId, NodeId, NodeKind, Piece, Scop};
use std::rc::Rc;

/// For each access of a scop: which access touched its line last, and what executed in between
/// (definition 6 of the access model: the lines whose number is the reuse distance).
///
/// # Errors
/// [`Refusal::Budget`] where the budget of set operations runs out, [`Refusal::Overflow`] where a coefficient does not
/// fit, [`Refusal::NotAffine`] where a predecessor's iteration is no affine function of the access's on a few pieces,
/// [`Refusal::Remainder`] where that may be so for sizes of one class, [`Refusal::Failed`] where isl fails.
pub fn analyze(scop: &Scop) -> Result<ReuseRelation, Refusal> {
    debug_assert!(scop.is_certain(), "what is possible has bounds");
    analyze_where(scop, DistanceBound::Upper, None)
}

/// The same for lower or upper distances, where data decide whether some accesses execute.
///
/// In `for i { A[0]; if (?) B[i]; A[0]; }`, the second `A[0]` has the first as its source, and for upper distances the
/// line of `B[i]` in between. For lower ones there is nothing in between, and `B[i]` is no sink.
///
/// # Errors
/// As [`analyze`].
pub fn analyze_bound(scop: &Scop, bound: DistanceBound) -> Result<ReuseRelation, Refusal> {
    analyze_where(scop, bound, None)
}

/// The same for the accesses to one space alone, and with the lines of the others in between.
///
/// # Errors
/// As [`analyze`].
pub fn analyze_space(
    scop: &Scop,
    bound: DistanceBound,
    space: LineSpaceId,
) -> Result<ReuseRelation, Refusal> {
    analyze_where(scop, bound, Some(space))
}

fn analyze_where(
    scop: &Scop,
    bound: DistanceBound,
    only: Option<LineSpaceId>,
) -> Result<ReuseRelation, Refusal> {
    let roles = AccessRoles::new(scop, bound);
    let mut footprints = Footprints::new(&roles.sources);
    let mut last = Last::new(&roles.sources);
    let mut accesses = Vec::new();
    let sinks = accesses_in_order(&roles.sinks).into_iter();
    for (node, access) in sinks.filter(|(_, access)| only.is_none_or(|only| only == access.space)) {
        let mut search = PredecessorSearch {
            scop: &roles.sources,
            roles: &roles,
            footprints: &mut footprints,
            last: &mut last,
            node,
            space: access.space,
            line: &[],
            carrier: None,
            reuses: Vec::new(),
        };
        accesses.push(search.access(access)?);
    }
    if !scop.is_certain() {
        footprints = Footprints::new(&roles.between);
    }
    let footprints = named_footprints(scop, &mut footprints, &accesses, only)?;
    Ok(ReuseRelation {
        accesses,
        footprints,
    })
}

/// The search for the predecessors of one access.
struct PredecessorSearch<'a, 's> {
    /// The scop of the sources.
    scop: &'s Scop,
    roles: &'s AccessRoles<'s>,
    footprints: &'a mut Footprints<'s>,
    last: &'a mut Last<'s>,
    /// The sink.
    node: NodeId,
    space: LineSpaceId,
    /// The sink's line on the piece being searched.
    line: &'a [Affine],
    /// The loop whose earlier iterations are being searched.
    carrier: Option<NodeId>,
    reuses: Vec<Reuse>,
}

impl<'s> PredecessorSearch<'_, 's> {
    fn access(&mut self, access: &'s Access) -> Result<AccessReuse, Refusal> {
        let mut cold = Vec::new();
        for piece in &access.pieces {
            let domain = Set::from_systems(self.shape(), std::slice::from_ref(&piece.domain))?;
            let mut search = PredecessorSearch {
                line: &piece.line,
                reuses: std::mem::take(&mut self.reuses),
                footprints: self.footprints,
                last: self.last,
                ..*self
            };
            let rest = search.climb(Iterations::of(domain)?)?;
            self.reuses = search.reuses;
            cold.extend(rest.set().disjoint()?.systems()?);
        }
        Ok(AccessReuse {
            sink: self.node,
            reuses: std::mem::take(&mut self.reuses),
            cold,
        })
    }

    /// Explains iterations from the sink upwards; yields those that nothing explains.
    fn climb(&mut self, mut rest: Iterations) -> Result<Iterations, Refusal> {
        let mut node = self.node;
        let mut head = Vec::new();
        loop {
            let depth = self.scop.nodes[node].depth;
            self.carrier = None;
            for sibling in self.siblings_before(node) {
                if rest.is_empty()? {
                    return Ok(rest);
                }
                rest = self.descend(sibling, &self.identity(depth), rest, &head)?;
                head.push(self.segment(sibling, NodePart::Whole, self.identity(depth)));
            }
            let Some(parent) = self.scop.nodes[node].parent else {
                return Ok(rest);
            };
            self.carrier = Some(parent);
            rest = self.earlier_iterations(parent, rest, &head)?;
            if rest.is_empty()? {
                return Ok(rest);
            }
            head.push(self.segment(parent, NodePart::Before, self.identity(depth)));
            node = parent;
        }
    }

    /// Explains iterations by the last earlier iteration of a loop around the sink.
    fn earlier_iterations(
        &mut self,
        around: NodeId,
        mut rest: Iterations,
        head: &[Segment],
    ) -> Result<Iterations, Refusal> {
        let depth = self.scop.nodes[around].depth;
        let now = self.identity(depth + 1);
        let arguments = [&now, self.line].concat();
        for piece in self.extrema(around, IterationLimit::Before)?.iter() {
            for (touched, earlier) in self.applied(piece, &arguments, &rest)? {
                let mut map = self.identity(depth);
                map.push(earlier.clone());
                let mut segments = head.to_vec();
                let step = now[depth].plus(-1, &earlier)?;
                if !(step.is_constant() && step.constant_term().abs() == 1) {
                    let pair = [&map[..], &now[depth..]].concat();
                    segments.push(self.segment(around, NodePart::Between, pair));
                }
                rest = self.iteration(around, &map, rest, &touched, segments)?;
            }
            if rest.is_empty()? {
                break;
            }
        }
        Ok(rest)
    }

    /// Explains iterations by the last touch inside a node, executed at `map`.
    fn descend(
        &mut self,
        node: NodeId,
        map: &[Affine],
        mut rest: Iterations,
        segments: &[Segment],
    ) -> Result<Iterations, Refusal> {
        if self
            .footprints
            .part(node, NodePart::Whole, self.space)?
            .is_none()
        {
            return Ok(rest);
        }
        if let NodeKind::Access(source) = &self.scop.nodes[node].kind {
            return self.source(node, source, map, rest, segments);
        }
        let arguments = [map, self.line].concat();
        for piece in self.extrema(node, IterationLimit::None)?.iter() {
            for (touched, iteration) in self.applied(piece, &arguments, &rest)? {
                let mut inner = map.to_vec();
                inner.push(iteration);
                let mut longer = segments.to_vec();
                longer.push(self.segment(node, NodePart::After, inner.clone()));
                rest = self.iteration(node, &inner, rest, &touched, longer)?;
            }
            if rest.is_empty()? {
                break;
            }
        }
        Ok(rest)
    }

    /// Explains sinks by the last touch within one iteration of a loop, which is known to touch the lines of `touched`,
    /// a part of `rest`.
    fn iteration(
        &mut self,
        node: NodeId,
        map: &[Affine],
        rest: Iterations,
        touched: &Set,
        segments: Vec<Segment>,
    ) -> Result<Iterations, Refusal> {
        let known = self.reuses.len();
        let open = Iterations::of(touched.clone())?;
        let left = self.children_last_first(node, map, open, segments)?;
        if self.reuses.len() == known {
            return Ok(rest);
        }
        match left.is_empty()? {
            true => rest.without(touched),
            false => rest.without(&touched.subtract(left.set())?),
        }
    }

    fn children_last_first(
        &mut self,
        node: NodeId,
        map: &[Affine],
        mut rest: Iterations,
        mut segments: Vec<Segment>,
    ) -> Result<Iterations, Refusal> {
        let scop = self.scop;
        for child in children(scop, node).iter().rev() {
            rest = self.descend(*child, map, rest, &segments)?;
            if rest.is_empty()? {
                break;
            }
            segments.push(self.segment(*child, NodePart::Whole, map.to_vec()));
        }
        Ok(rest)
    }

    /// Takes the iterations whose line a source touches when executed at `map`.
    fn source(
        &mut self,
        node: NodeId,
        source: &Access,
        map: &[Affine],
        mut rest: Iterations,
        segments: &[Segment],
    ) -> Result<Iterations, Refusal> {
        let substitution = self.substitution(map);
        let mut solved = Vec::new();
        for piece in &source.pieces {
            let Some(same) = self.same_line(piece, &substitution)? else {
                continue;
            };
            if let Some(part) = rest.within(&[same])? {
                rest = rest.without(&part)?;
                solved.push(part);
            }
        }
        let Some(first) = solved.pop() else {
            return Ok(rest);
        };
        let domain = solved
            .iter()
            .try_fold(first, |union, part| union.union(part))?;
        let domain = coalesce(&domain)?;
        self.reuses.push(Reuse {
            hull: single(domain.simple_hull()?.systems()?, self.shape()),
            domain: domain.disjoint()?.systems()?,
            line: self.line.to_vec(),
            source: node,
            map: map.to_vec(),
            carrier: self.carrier,
            may_return: segments
                .iter()
                .any(|segment| self.roles.hides(segment.node, self.space)),
            between: segments.to_vec(),
        });
        Ok(rest)
    }

    /// The iterations of the sink for which a piece of a source, executed at the values of its columns, touches the
    /// sink's line; `None` where there are obviously none.
    fn same_line(&self, piece: &Piece, substitution: &[Affine]) -> Result<Option<System>, Refusal> {
        let columns = self.columns();
        let mut equalities = Vec::with_capacity(self.line.len());
        for (form, sink) in piece.line.iter().zip(self.line) {
            let gap = form.substituted(substitution, columns)?.plus(-1, sink)?;
            if gap.is_constant() && gap.constant_term() != 0 {
                return Ok(None);
            }
            equalities.push(gap);
        }
        let Some(mut system) = piece.domain.preimage(columns - 1, substitution)? else {
            return Ok(None);
        };
        let width = system.columns();
        let own = equalities.iter().map(|form| form.widened(width));
        system.equalities.extend(own);
        Ok(Some(system))
    }

    /// The iterations among `rest` for which a piece of a loop's last iterations holds, and that
    /// iteration as a function of the sink's, part by part.
    fn applied(
        &self,
        piece: &LastIteration,
        arguments: &[Affine],
        rest: &Iterations,
    ) -> Result<Vec<(Set, Affine)>, Refusal> {
        let substitution = self.substitution(arguments);
        let variables = self.columns() - 1;
        let mut domain = Vec::with_capacity(piece.domain.len());
        for system in &piece.domain {
            domain.extend(system.preimage(variables, &substitution)?);
        }
        let Some(touched) = rest.within(&domain)? else {
            return Ok(Vec::new());
        };
        let ranges = Ranges {
            columns: self.ranges(),
            sizes: self.scop.parameters.len(),
            domain: &touched,
        };
        let mut parts = Vec::new();
        for case in without_floors(&piece.extremum, &substitution, &ranges)? {
            if case.conditions.is_empty() {
                parts.push((touched.clone(), case.value));
                continue;
            }
            let mut system = System::universe(self.columns() - 1);
            system.inequalities = case.conditions;
            let part = touched.intersect(&Set::from_systems(self.shape(), &[system])?)?;
            if !part.is_empty()? {
                parts.push((part, case.value));
            }
        }
        Ok(parts)
    }

    /// The ranges of the sink's columns, where these are small and known.
    fn ranges(&self) -> Vec<Option<(i64, i64)>> {
        let mut ranges = vec![None; self.columns()];
        let mut node = self.scop.nodes[self.node].parent;
        while let Some(around) = node {
            if let NodeKind::Loop { range, .. } = &self.scop.nodes[around].kind {
                ranges[self.footprints.own_column(around)] = *range;
            }
            node = self.scop.nodes[around].parent;
        }
        ranges
    }

    fn extrema(
        &mut self,
        node: NodeId,
        limit: IterationLimit,
    ) -> Result<Rc<[LastIteration]>, Refusal> {
        self.last
            .iteration(self.footprints, node, self.space, limit)
    }

    /// The nodes before a node under the same parent, nearest first.
    fn siblings_before(&self, node: NodeId) -> Vec<NodeId> {
        let all = match self.scop.nodes[node].parent {
            Some(parent) => children(self.scop, parent),
            None => &self.scop.roots,
        };
        let before = all.iter().take_while(|sibling| **sibling != node);
        let mut nearest_first: Vec<NodeId> = before.copied().collect();
        nearest_first.reverse();
        nearest_first
    }

    fn segment(&self, node: NodeId, part: NodePart, map: Vec<Affine>) -> Segment {
        Segment { node, part, map }
    }

    /// The sink's own outermost `depth` loop variables.
    fn identity(&self, depth: usize) -> Vec<Affine> {
        (0..depth)
            .map(|depth| Affine::variable(self.columns(), self.scop.variable_column(depth)))
            .collect()
    }

    /// One form for each column but the constant one: parameters stay, variables are `map`.
    fn substitution(&self, map: &[Affine]) -> Vec<Affine> {
        let parameters = Column::variables(self.scop.parameters.len());
        let stay = parameters.map(|column| Affine::variable(self.columns(), column));
        stay.chain(map.iter().cloned()).collect()
    }

    fn shape(&self) -> SetSpace {
        SetSpace {
            parameters: self.scop.parameters.len(),
            variables: self.scop.nodes[self.node].depth,
        }
    }

    fn columns(&self) -> usize {
        1 + self.scop.parameters.len() + self.scop.nodes[self.node].depth
    }
}

/// The accesses of a scop in order of execution of the tree.
#[must_use]
pub fn accesses_in_order(scop: &Scop) -> Vec<(NodeId, &Access)> {
    let mut found = Vec::new();
    let mut open: Vec<NodeId> = scop.roots.iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        match &scop.nodes[node].kind {
            NodeKind::Access(access) => found.push((node, access)),
            NodeKind::Loop { children, .. } => open.extend(children.iter().rev()),
        }
    }
    found
}

/// The one system of a hull.
fn single(mut systems: Vec<System>, shape: SetSpace) -> System {
    match systems.pop() {
        Some(system) if systems.is_empty() => system,
        _ => System::universe(shape.parameters + shape.variables),
    }
}
