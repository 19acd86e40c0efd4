//! What kind of reuse a [`Reuse`] is, and how far apart its two iterations are.
//!
//! A reuse relation is about lines. Whether source and sink touch the same element or only the same line follows from a
//! second scop of the same tree, lowered with lines of one element: its "lines" are elements. Both scops have the same
//! accesses in the same order, and the loop variables of the second are affine in those of the first: `v = F·v1 + v2`
//! where `v` was strip-mined.

use crate::predecessor::accesses_in_order;
use crate::relation::Reuse;
use premiss_isl::{Set, SetSpace};
use premiss_presburger::{Affine, Column, Refusal, System};
use premiss_scop::{Access, LoopId, NodeId, NodeKind, Scop};

/// Whether a reference reuses what it touched itself: self or group reuse (Wolf and Lam 1991).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReuseOrigin {
    /// The source is the same reference: self reuse.
    Own,
    /// The source is another reference: group reuse.
    Group,
}

/// What is reused (Wolf and Lam 1991). Iterations without reuse are [`AccessReuse::cold`](crate::AccessReuse::cold).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Locality {
    /// The same element.
    Temporal,
    /// Another element of the same line.
    Spatial,
}

/// Iterations with reuse of one kind.
#[derive(Clone, Debug)]
pub struct ReuseKind {
    /// Self or group reuse.
    pub origin: ReuseOrigin,
    /// Temporal or spatial reuse.
    pub locality: Locality,
    /// The sink's iterations, over its columns; not empty, pairwise disjoint.
    pub domain: Vec<System>,
}

/// The kinds of a reuse, at most one temporal and one spatial, in this order; their domains partition that of the
/// reuse.
///
/// `elements` is the scop of the same tree at the same sizes, with lines of one element.
///
/// # Errors
/// [`Refusal::NotAffine`] where the scops are not of one tree at the same sizes, the scop of elements is strip-mined,
/// or a node is no access; [`Refusal::Budget`] where the budget of set operations runs out; [`Refusal::Overflow`] where
/// a coefficient does not fit; [`Refusal::Failed`] where isl fails.
pub fn kinds(
    scop: &Scop,
    elements: &Scop,
    sink: NodeId,
    reuse: &Reuse,
) -> Result<Vec<ReuseKind>, Refusal> {
    if scop.parameters != elements.parameters {
        return Err(Refusal::NotAffine);
    }
    let own = own_variables(scop, sink)?;
    let theirs = source_variables(scop, sink, reuse)?;
    let shape = SetSpace {
        parameters: scop.parameters.len(),
        variables: scop.nodes[sink].depth,
    };
    let ends = [(sink, own), (reuse.source, theirs)];
    let mut touched = Vec::new();
    for (node, variables) in &ends {
        touched.push(element(scop, elements, *node, variables, shape)?);
    }
    let all = Set::from_systems(shape, &reuse.domain)?;
    let mut spatial = all.clone();
    for (here, mine) in &touched[0] {
        for (there, its) in &touched[1] {
            let mut same = System::universe(shape.parameters + shape.variables);
            for (a, b) in mine.iter().zip(its) {
                same.equalities.push(a.plus(-1, b)?);
            }
            let same = Set::from_systems(shape, &[same])?;
            spatial = spatial.subtract(&here.intersect(there)?.intersect(&same)?)?;
        }
    }
    let is_own = access(scop, sink)?.reference == access(scop, reuse.source)?.reference;
    let origin = if is_own {
        ReuseOrigin::Own
    } else {
        ReuseOrigin::Group
    };
    let temporal = all.subtract(&spatial)?;
    let mut kinds = Vec::new();
    for (locality, set) in [(Locality::Temporal, temporal), (Locality::Spatial, spatial)] {
        if !set.is_empty()? {
            kinds.push(ReuseKind {
                origin,
                locality,
                domain: set.disjoint()?.systems()?,
            });
        }
    }
    Ok(kinds)
}

/// The distance vector of a reuse: the sink's iteration minus the source's, for each loop of the program around both,
/// outermost first, as forms over the sink's columns. Loops with a step of 1 or -1 count in their own variable, others
/// in iterations.
///
/// # Errors
/// [`Refusal::Overflow`] where a coefficient does not fit.
pub fn distance_vector(
    scop: &Scop,
    sink: NodeId,
    reuse: &Reuse,
) -> Result<Vec<(LoopId, Affine)>, Refusal> {
    let own = own_variables(scop, sink)?;
    let theirs = source_variables(scop, sink, reuse)?;
    let (here, there) = (loops_around(scop, sink), loops_around(scop, reuse.source));
    let common = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let mut ids: Vec<LoopId> = here[..common].iter().filter_map(|x| id(scop, *x)).collect();
    ids.dedup();
    let pairs = ids.into_iter().zip(own.iter().zip(&theirs));
    pairs.map(|(id, (a, b))| Ok((id, a.plus(-1, b)?))).collect()
}

/// The program's own variables of the loops around a node, over its columns.
pub(crate) fn own_variables(scop: &Scop, node: NodeId) -> Result<Vec<Affine>, Refusal> {
    let columns = scop.variable_column(scop.nodes[node].depth).number();
    let mut variables: Vec<Affine> = Vec::new();
    let mut outer = None;
    for (depth, around) in loops_around(scop, node).into_iter().enumerate() {
        let NodeKind::Loop { id, range, .. } = &scop.nodes[around].kind else {
            continue;
        };
        let own = Affine::variable(columns, scop.variable_column(depth));
        match (variables.last_mut(), range) {
            (Some(blocks), Some((0, last))) if outer == Some(*id) => {
                *blocks = own.plus(last + 1, blocks)?;
            }
            _ => variables.push(own),
        }
        outer = Some(*id);
    }
    Ok(variables)
}

/// The program's own variables of the loops around the source, over the sink's columns.
fn source_variables(scop: &Scop, sink: NodeId, reuse: &Reuse) -> Result<Vec<Affine>, Refusal> {
    let n_parameters = scop.parameters.len();
    let columns = 1 + n_parameters + scop.nodes[sink].depth;
    let stay = Column::variables(n_parameters).map(|column| Affine::variable(columns, column));
    let known: Vec<Affine> = stay.chain(reuse.map.iter().cloned()).collect();
    let variables = own_variables(scop, reuse.source)?;
    let substituted = variables.iter().map(|x| x.substituted(&known, columns));
    substituted.collect()
}

/// The element that an access touches when the loops around it have these values: on each piece,
/// where it holds and the element's coordinates.
fn element(
    scop: &Scop,
    elements: &Scop,
    node: NodeId,
    variables: &[Affine],
    shape: SetSpace,
) -> Result<Vec<(Set, Vec<Affine>)>, Refusal> {
    let place = accesses_in_order(scop).iter().position(|x| x.0 == node);
    let others = accesses_in_order(elements);
    let other = place.and_then(|place| others.get(place).copied());
    let (twin, access_to_elements) = other.ok_or(Refusal::NotAffine)?;
    let is_twin = access(scop, node)?.reference == access_to_elements.reference;
    if !is_twin || elements.nodes[twin].depth != variables.len() {
        return Err(Refusal::NotAffine);
    }
    let n_parameters = scop.parameters.len();
    let columns = 1 + n_parameters + shape.variables;
    let stay = Column::variables(n_parameters).map(|column| Affine::variable(columns, column));
    let known: Vec<Affine> = stay.chain(variables.iter().cloned()).collect();
    let own = SetSpace {
        parameters: n_parameters,
        variables: variables.len(),
    };
    let mut found = Vec::new();
    for piece in &access_to_elements.pieces {
        let domain = Set::from_systems(own, std::slice::from_ref(&piece.domain))?;
        let line = piece.line.iter().map(|x| x.substituted(&known, columns));
        found.push((
            domain.preimage(shape, variables)?,
            line.collect::<Result<_, _>>()?,
        ));
    }
    Ok(found)
}

fn access(scop: &Scop, node: NodeId) -> Result<&Access, Refusal> {
    match &scop.nodes[node].kind {
        NodeKind::Access(access) => Ok(access),
        NodeKind::Loop { .. } => Err(Refusal::NotAffine),
    }
}

/// The loops around a node, outermost first.
fn loops_around(scop: &Scop, node: NodeId) -> Vec<NodeId> {
    let parent = |node: &NodeId| scop.nodes[*node].parent;
    let mut chain: Vec<NodeId> = std::iter::successors(parent(&node), parent).collect();
    chain.reverse();
    chain
}

fn id(scop: &Scop, node: NodeId) -> Option<LoopId> {
    match &scop.nodes[node].kind {
        NodeKind::Loop { id, .. } => Some(*id),
        NodeKind::Access(_) => None,
    }
}
