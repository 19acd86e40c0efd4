//! The lines that parts of the tree touch.
//!
//! With `F(access)` the relation from an iteration of the loops around an access to its line:
//!
//! ```text
//! G(loop): (prefix, u) -> lines   the union of F over the loop's children: one iteration
//! F(loop): prefix -> lines        all iterations: G without u
//! ```
//!
//! and, for an iteration `u`, the iterations after it, before it, or between two.

use crate::coalesce::coalesce;
use premiss_isl::{Set, SetSpace};
use premiss_presburger::{Affine, Column, Refusal, System};
use premiss_scop::{Access, Direction, LineSpaceId, NodeId, NodeKind, Scop};
use std::collections::HashMap;

/// A part of the executions of a node, and the variables that its footprint is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NodePart {
    /// All of it. Variables: those of the loops around it.
    Whole,
    /// The iterations of a loop after a given one. Variables: the loops around it, and its own for
    /// the given iteration.
    After,
    /// The iterations of a loop before a given one. Variables as for [`NodePart::After`].
    Before,
    /// The iterations of a loop strictly between two. Variables: the loops around it, and its own
    /// for the earlier and for the later of the two.
    Between,
}

/// The footprints of a scop's nodes, each derived once, when it is first needed.
pub(crate) struct Footprints<'s> {
    scop: &'s Scop,
    parts: HashMap<(NodeId, NodePart, LineSpaceId), Option<Set>>,
    iterations: HashMap<(NodeId, LineSpaceId), Option<Set>>,
}

impl<'s> Footprints<'s> {
    pub(crate) fn new(scop: &'s Scop) -> Self {
        Self {
            scop,
            parts: HashMap::new(),
            iterations: HashMap::new(),
        }
    }

    /// The lines of an array that a part of a node touches: a set over the part's variables and the
    /// coordinates of the line. `None` where the node does not touch the array at all.
    pub(crate) fn part(
        &mut self,
        node: NodeId,
        part: NodePart,
        space: LineSpaceId,
    ) -> Result<Option<Set>, Refusal> {
        let key = (node, part, space);
        if !self.parts.contains_key(&key) {
            let derived = match part {
                NodePart::Whole => self.derive_whole(node, space)?,
                NodePart::After => self.derive_beyond(node, space, Time::Later)?,
                NodePart::Before => self.derive_beyond(node, space, Time::Earlier)?,
                NodePart::Between => self.derive_between(node, space)?,
            };
            self.parts.insert(key, derived);
        }
        Ok(self.parts[&key].clone())
    }

    /// The lines of an array that one iteration of a loop touches: a set over the loops around it,
    /// its own variable, and the coordinates of the line.
    pub(crate) fn iteration(
        &mut self,
        node: NodeId,
        space: LineSpaceId,
    ) -> Result<Option<Set>, Refusal> {
        let key = (node, space);
        if !self.iterations.contains_key(&key) {
            let derived = self.derive_iteration(node, space)?;
            self.iterations.insert(key, derived);
        }
        Ok(self.iterations[&key].clone())
    }

    fn derive_iteration(
        &mut self,
        node: NodeId,
        space: LineSpaceId,
    ) -> Result<Option<Set>, Refusal> {
        let mut union: Option<Set> = None;
        for child in children(self.scop, node) {
            let Some(lines) = self.part(*child, NodePart::Whole, space)? else {
                continue;
            };
            union = Some(match union {
                None => lines,
                Some(set) => set.union(&lines)?,
            });
        }
        union
            .map(|set| coalesce(&set.detect_equalities()?.remove_redundancies()?))
            .transpose()
    }

    fn derive_whole(&mut self, node: NodeId, space: LineSpaceId) -> Result<Option<Set>, Refusal> {
        if let NodeKind::Access(access) = &self.scop.nodes[node].kind {
            return (access.space == space && !access.pieces.is_empty())
                .then(|| self.access_lines(node, access))
                .transpose();
        }
        let column = self.own_column(node);
        self.iteration(node, space)?
            .map(|set| coalesce(&set.project(column, 1)?))
            .transpose()
    }

    /// The line of an access, as a set over its iteration and the coordinates.
    fn access_lines(&self, node: NodeId, access: &Access) -> Result<Set, Refusal> {
        let rank = self.rank(access.space);
        let mut systems = Vec::with_capacity(access.pieces.len());
        for piece in &access.pieces {
            let mut system = with_more_variables(&piece.domain, rank);
            let first = Column::at_place(piece.domain.variables);
            for (index, form) in piece.line.iter().enumerate() {
                let coordinate = Affine::variable(system.columns(), first.offset(index));
                let line = form.widened(system.columns());
                system.equalities.push(line.plus(-1, &coordinate)?);
            }
            systems.push(system);
        }
        let shape = self.shape(self.scop.nodes[node].depth, rank);
        coalesce(&Set::from_systems(shape, &systems)?)
    }

    /// The iterations later or earlier than a given one.
    fn derive_beyond(
        &mut self,
        node: NodeId,
        space: LineSpaceId,
        time: Time,
    ) -> Result<Option<Set>, Refusal> {
        let Some(lines) = self.iteration(node, space)? else {
            return Ok(None);
        };
        let (given, other) = (self.own_column(node), self.own_column(node).offset(1));
        let (earlier, later) = match time {
            Time::Later => (given, other),
            Time::Earlier => (other, given),
        };
        let set = lines.insert(given, 1)?;
        let ordered = set.intersect(&self.ordered(node, set.shape(), &[(earlier, later)])?)?;
        Ok(Some(coalesce(&ordered.project(other, 1)?)?))
    }

    fn derive_between(&mut self, node: NodeId, space: LineSpaceId) -> Result<Option<Set>, Refusal> {
        let Some(lines) = self.iteration(node, space)? else {
            return Ok(None);
        };
        let first = self.own_column(node);
        let set = lines.insert(first, 2)?;
        let pairs = [(first, first.offset(2)), (first.offset(2), first.offset(1))];
        let ordered = set.intersect(&self.ordered(node, set.shape(), &pairs)?)?;
        Ok(Some(coalesce(&ordered.project(first.offset(2), 1)?)?))
    }

    /// The points at which the first column of each pair is an earlier iteration of the loop than
    /// the second.
    pub(crate) fn ordered(
        &self,
        node: NodeId,
        shape: SetSpace,
        pairs: &[(Column, Column)],
    ) -> Result<Set, Refusal> {
        let mut system = System::universe(shape.parameters + shape.variables);
        for (earlier, later) in pairs {
            let (less, more) = match direction(self.scop, node) {
                Direction::Ascending => (*earlier, *later),
                Direction::Descending => (*later, *earlier),
            };
            let mut form = vec![0; system.columns()];
            (form[0], form[less], form[more]) = (-1, -1, 1);
            system.inequalities.push(Affine::new(form));
        }
        Set::from_systems(shape, &[system])
    }

    /// The column of a loop's own variable, in sets over an iteration of it.
    pub(crate) fn own_column(&self, node: NodeId) -> Column {
        self.scop.variable_column(self.scop.nodes[node].depth)
    }

    pub(crate) fn rank(&self, space: LineSpaceId) -> usize {
        self.scop.spaces[space].coordinates.len()
    }

    fn shape(&self, depth: usize, rank: usize) -> SetSpace {
        SetSpace {
            parameters: self.scop.parameters.len(),
            variables: depth + rank,
        }
    }
}

/// On which side of a given iteration.
#[derive(Clone, Copy)]
enum Time {
    Later,
    Earlier,
}

/// The nodes inside a loop, in order; none inside an access.
pub(crate) fn children(scop: &Scop, node: NodeId) -> &[NodeId] {
    match &scop.nodes[node].kind {
        NodeKind::Loop { children, .. } => children,
        NodeKind::Access(_) => &[],
    }
}

/// The order in which a loop runs; ascending for an access, which runs once.
pub(crate) fn direction(scop: &Scop, node: NodeId) -> Direction {
    match &scop.nodes[node].kind {
        NodeKind::Loop { direction, .. } => *direction,
        NodeKind::Access(_) => Direction::Ascending,
    }
}

/// The same points with `more` free variables behind the others.
fn with_more_variables(system: &System, more: usize) -> System {
    let place = 1 + system.variables;
    let shift = |form: &Affine| {
        let (variables, floors) = form.coefficients().split_at(place);
        Affine::new([variables, &vec![0; more], floors].concat())
    };
    let mut wider = system.clone();
    wider.variables += more;
    for floor in &mut wider.floors {
        floor.numerator = shift(&floor.numerator);
    }
    wider
        .equalities
        .iter_mut()
        .for_each(|form| *form = shift(form));
    wider
        .inequalities
        .iter_mut()
        .for_each(|form| *form = shift(form));
    wider
}
