//! The last iteration of a loop that touched a line.

use crate::coalesce::coalesce;
use crate::footprint::{Footprints, direction};
use crate::groups::meeting_along;
use premiss_isl::{Extremum, Set};
use premiss_presburger::{Refusal, System};
use premiss_scop::{Direction, LineSpaceId, NodeId, Scop};
use std::collections::HashMap;
use std::rc::Rc;

/// The last iterations of a scop's loops, each derived once, when it is first needed.
pub(crate) struct Last<'s> {
    scop: &'s Scop,
    memo: HashMap<(NodeId, LineSpaceId, IterationLimit), Rc<[LastIteration]>>,
}

/// The last iteration of a loop that touched a line, on a part where it is one form.
pub(crate) struct LastIteration {
    /// The iteration and its domain.
    pub(crate) extremum: Extremum,
    /// Systems of which the domain is the union.
    pub(crate) domain: Vec<System>,
}

/// Among which iterations of the loop the last one is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum IterationLimit {
    /// All: over the loops around, and the coordinates of the line.
    None,
    /// Those before a given one: over the loops around, the given iteration, and the coordinates.
    Before,
}

impl<'s> Last<'s> {
    pub(crate) fn new(scop: &'s Scop) -> Self {
        Self {
            scop,
            memo: HashMap::new(),
        }
    }

    /// The last iteration of a loop that touches a line, piece by piece.
    pub(crate) fn iteration(
        &mut self,
        footprints: &mut Footprints<'_>,
        node: NodeId,
        space: LineSpaceId,
        limit: IterationLimit,
    ) -> Result<Rc<[LastIteration]>, Refusal> {
        let key = (node, space, limit);
        if !self.memo.contains_key(&key) {
            let derived = match footprints.iteration(node, space)? {
                None => Vec::new(),
                Some(lines) => self.derive(footprints, &lines, node, limit)?,
            };
            self.memo.insert(key, derived.into());
        }
        Ok(Rc::clone(&self.memo[&key]))
    }

    fn derive(
        &self,
        footprints: &Footprints<'_>,
        lines: &Set,
        node: NodeId,
        limit: IterationLimit,
    ) -> Result<Vec<LastIteration>, Refusal> {
        let column = footprints.own_column(node);
        let (candidates, own) = match limit {
            IterationLimit::None => (lines.clone(), column),
            IterationLimit::Before => {
                let set = lines.insert(column, 1)?;
                let pairs = [(column.offset(1), column)];
                let earlier = footprints.ordered(node, set.shape(), &pairs)?;
                (set.intersect(&earlier)?, column.offset(1))
            }
        };
        let mut pieces = Vec::new();
        for group in meeting_along(candidates.systems()?, own)? {
            let group = Set::from_systems(candidates.shape(), &group)?;
            pieces.extend(match direction(self.scop, node) {
                Direction::Ascending => group.maximum(own)?,
                Direction::Descending => group.minimum(own)?,
            });
        }
        joined(pieces)
    }
}

/// Pieces with equal values as one.
fn joined(pieces: Vec<Extremum>) -> Result<Vec<LastIteration>, Refusal> {
    let mut result: Vec<Extremum> = Vec::new();
    for piece in pieces {
        let same =
            |known: &&mut Extremum| (&known.value, &known.floors) == (&piece.value, &piece.floors);
        match result.iter_mut().find(same) {
            Some(known) => known.domain = known.domain.union(&piece.domain)?,
            None => result.push(piece),
        }
    }
    let finished = |mut extremum: Extremum| {
        extremum.domain = coalesce(&extremum.domain)?;
        let domain = extremum.domain.systems()?;
        Ok(LastIteration { extremum, domain })
    };
    result.into_iter().map(finished).collect()
}
