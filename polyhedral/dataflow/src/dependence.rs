//! Dependences: pairs of iterations in which two accesses touch the same element.
//!
//! By definition (Kennedy and Allen, *Optimizing Compilers for Modern Architectures*, section 2.2),
//! an access in one iteration depends on another access in another iteration if both touch the same
//! element and the other executes first. It is *carried* by the outermost loop around both whose
//! iterations differ, and loop-independent where none do. Its kind depends on which of the two accesses store.
//!
//! In `for i { for j { a[i][j] = a[i][j - 1]; } }` what is stored at `(i, j)` is loaded at
//! `(i, j + 1)`: a flow dependence carried by the loop over `j`, with distance `(0, 1)` and
//! direction `(=, <)`.
//!
//! A scop has lines, not elements. Lowered with lines as long as an element, its lines are elements:
//! [`premiss_scop::lower_elements`] yields such scops. Nothing here checks this; for a scop with longer lines the
//! results are the dependences between lines.

use crate::kind::own_variables;
use crate::predecessor::accesses_in_order;
use premiss_isl::{Set, SetSpace};
use premiss_presburger::{Affine, Column, Refusal, System};
use premiss_scop::{
    Access, AccessKind, Direction, LoopId, NodeId, NodeKind, Piece, ReferenceId, Scop,
};

/// The kind of a dependence: which of its two accesses store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DependenceKind {
    /// What is stored is loaded later: a true dependence.
    Flow,
    /// What is loaded is stored over later.
    Anti,
    /// What is stored is stored over later.
    Output,
    /// What is loaded is loaded again: no reason to keep the order, but reuse.
    Input,
}

/// How the source's iteration of a loop compares with the sink's, in order of execution: in a loop that counts down,
/// the greater value is before the smaller one. In the carrying loop the source is before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// `<`: the source's is before.
    Before,
    /// `=`: they are the same.
    Same,
    /// `>`: the source's is after.
    After,
}

/// All pairs of iterations of two accesses that one loop, or none, carries.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The access that executes first.
    pub source: NodeId,
    /// The access that depends on it; it may be the same access in a later iteration.
    pub sink: NodeId,
    /// Which of the two store.
    pub kind: DependenceKind,
    /// The outermost loop around both whose iterations differ; `None` where the dependence is loop-independent.
    pub carrier: Option<LoopId>,
    /// The loops around both, outermost first.
    pub common: Vec<LoopId>,
    /// The pairs of iterations, as systems that are pairwise disjoint and not empty: over the parameters, the variables
    /// of all loops around the source, and those of all loops around the sink, outermost first. Variables are those of
    /// the program, but a loop with a step other than 1 or -1 counts its iterations from zero.
    pub pairs: Vec<System>,
    /// The direction vectors that occur, each with one sign for every loop of `common`.
    pub directions: Vec<Vec<Sign>>,
    /// For each loop of `common`, the sink's variable minus the source's, where all pairs agree. A
    /// loop that counts down has negative distances where it carries.
    pub distance: Vec<Option<i64>>,
}

/// All dependences of a scop, including those with another store in between (see [`nearest()`](crate::nearest())):
/// sources in order of execution, for each the sinks in that order, outer carriers first. `kind_of` yields whether a
/// reference loads or stores.
///
/// Lines are taken for elements: two accesses that touch different elements of one line count as dependent.
///
/// # Errors
/// [`Refusal::Budget`] where the budget of set operations runs out, [`Refusal::Overflow`] where a coefficient does not
/// fit, [`Refusal::Failed`] where isl fails.
pub fn dependences(
    scop: &Scop,
    kind_of: impl Fn(ReferenceId) -> AccessKind,
) -> Result<Vec<Dependence>, Refusal> {
    let accesses = accesses_in_order(scop);
    let mut all = Vec::new();
    for (place, (source, first)) in accesses.iter().enumerate() {
        for (later, (sink, second)) in accesses.iter().enumerate() {
            if first.space != second.space {
                continue;
            }
            let pair = Pair::new(scop, *source, *sink);
            let touching = touching(scop, (*source, first), (*sink, second))?;
            let kind = match (kind_of(first.reference), kind_of(second.reference)) {
                (AccessKind::Store, AccessKind::Load) => DependenceKind::Flow,
                (AccessKind::Load, AccessKind::Store) => DependenceKind::Anti,
                (AccessKind::Store, AccessKind::Store) => DependenceKind::Output,
                (AccessKind::Load, AccessKind::Load) => DependenceKind::Input,
            };
            let text_order = if place < later {
                TextualOrder::Forward
            } else {
                TextualOrder::Backward
            };
            for (level, set) in pair.carried(touching, text_order)? {
                all.push(pair.dependence(kind, level, &set)?);
            }
        }
    }
    Ok(all)
}

/// Whether the source stands before the sink.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextualOrder {
    Forward,
    Backward,
}

/// Two accesses, and the columns of pairs of their iterations.
pub(crate) struct Pair {
    source: NodeId,
    sink: NodeId,
    common: Vec<(LoopId, Direction)>,
    /// How many loops of the program are around the source, and around the sink.
    pub(crate) depths: (usize, usize),
    pub(crate) shape: SetSpace,
}

impl Pair {
    pub(crate) fn new(scop: &Scop, source: NodeId, sink: NodeId) -> Self {
        let (here, there) = (loops_around(scop, source), loops_around(scop, sink));
        let same = |pair: &(&SurroundingLoop, &SurroundingLoop)| pair.0.node == pair.1.node;
        let common = here.iter().zip(&there).take_while(same);
        Self {
            source,
            sink,
            common: common.map(|(x, _)| (x.id, x.direction)).collect(),
            depths: (here.len(), there.len()),
            shape: SetSpace {
                parameters: scop.parameters.len(),
                variables: here.len() + there.len(),
            },
        }
    }

    /// The pairs among `rest` that each loop carries, by its index among the common ones; loop-independent pairs last.
    fn carried(
        &self,
        mut rest: Set,
        text_order: TextualOrder,
    ) -> Result<Vec<(Option<usize>, Set)>, Refusal> {
        let mut found = Vec::new();
        for level in 0..self.common.len() {
            if rest.is_empty()? {
                return Ok(found);
            }
            let set = rest.intersect(&self.signed(level, Sign::Before)?)?;
            if !set.is_empty()? {
                found.push((Some(level), set));
            }
            rest = rest.intersect(&self.signed(level, Sign::Same)?)?;
        }
        if text_order == TextualOrder::Forward && !rest.is_empty()? {
            found.push((None, rest));
        }
        Ok(found)
    }

    /// The dependence of these pairs, of which there is at least one; the common loop at `level` carries them.
    pub(crate) fn dependence(
        &self,
        kind: DependenceKind,
        level: Option<usize>,
        set: &Set,
    ) -> Result<Dependence, Refusal> {
        let start = match level {
            Some(level) => [vec![Sign::Same; level], vec![Sign::Before]].concat(),
            None => vec![Sign::Same; self.common.len()],
        };
        let mut directions = Vec::new();
        self.directions(set, start, &mut directions)?;
        let distance = (0..self.common.len()).map(|place| self.distance(set, place));
        Ok(Dependence {
            source: self.source,
            sink: self.sink,
            kind,
            carrier: level.map(|level| self.common[level].0),
            common: self.common.iter().map(|x| x.0).collect(),
            pairs: set.coalesce()?.disjoint()?.systems()?,
            directions,
            distance: distance.collect::<Result<_, _>>()?,
        })
    }

    /// Adds the direction vectors in a set that begin with `start`.
    fn directions(
        &self,
        set: &Set,
        start: Vec<Sign>,
        found: &mut Vec<Vec<Sign>>,
    ) -> Result<(), Refusal> {
        let place = start.len();
        if place == self.common.len() {
            found.push(start);
            return Ok(());
        }
        for sign in [Sign::Before, Sign::Same, Sign::After] {
            let part = set.intersect(&self.signed(place, sign)?)?;
            if !part.is_empty()? {
                let longer = [&start[..], &[sign]].concat();
                self.directions(&part, longer, found)?;
            }
        }
        Ok(())
    }

    /// The distance in a common loop, where all pairs have the same.
    fn distance(&self, set: &Set, place: usize) -> Result<Option<i64>, Refusal> {
        let line = SetSpace {
            variables: 1,
            ..self.shape
        };
        let all = set.image(line, &[self.difference(place)?])?;
        let systems = all.coalesce()?.detect_equalities()?.systems()?;
        let column = Column::new(line.columns() - 1);
        let fixed = systems.iter().flat_map(|x| &x.equalities).find_map(|form| {
            let is_alone = form.support().eq([column]);
            let factor = form.coefficient(column);
            (is_alone && form.constant_term() % factor == 0).then(|| -form.constant_term() / factor)
        });
        let Some(value) = fixed else {
            return Ok(None);
        };
        let is_constant = all.is_subset(&Set::universe(line)?.fix(column, value)?)?;
        Ok(is_constant.then_some(value))
    }

    /// The sink's variable minus the source's, of a common loop.
    fn difference(&self, place: usize) -> Result<Affine, Refusal> {
        let columns = self.shape.columns();
        let first = Column::at_place(self.shape.parameters + place);
        let own = Affine::variable(columns, first.offset(self.depths.0));
        own.plus(-1, &Affine::variable(columns, first))
    }

    /// The index of a loop among the common ones.
    pub(crate) fn level(&self, id: LoopId) -> Option<usize> {
        self.common.iter().position(|(common, _)| *common == id)
    }

    /// How many iterations of a common loop the sink is after the source.
    pub(crate) fn later(&self, place: usize) -> Result<Affine, Refusal> {
        let forward = match self.common[place].1 {
            Direction::Ascending => 1,
            Direction::Descending => -1,
        };
        self.difference(place)?.times(forward)
    }

    /// The set of all pairs with a sign in a common loop.
    pub(crate) fn signed(&self, place: usize, sign: Sign) -> Result<Set, Refusal> {
        let mut system = System::universe(self.shape.columns() - 1);
        let later = self.later(place)?;
        let one = Affine::constant(later.columns(), 1);
        match sign {
            Sign::Same => system.equalities.push(later),
            Sign::Before => system.inequalities.push(later.plus(-1, &one)?),
            Sign::After => system.inequalities.push(later.complement()?),
        }
        Set::from_systems(self.shape, &[system])
    }
}

/// The pairs of iterations that touch the same element, over the program's own variables.
pub(crate) fn touching(
    scop: &Scop,
    source: (NodeId, &Access),
    sink: (NodeId, &Access),
) -> Result<Set, Refusal> {
    let n_parameters = scop.parameters.len();
    let depths = (scop.nodes[source.0].depth, scop.nodes[sink.0].depth);
    let shape = SetSpace {
        parameters: n_parameters,
        variables: depths.0 + depths.1,
    };
    let columns = shape.columns();
    let variables = |first: usize, depth: usize| -> Vec<Affine> {
        let own =
            (first..first + depth).map(|place| Affine::variable(columns, Column::at_place(place)));
        own.collect()
    };
    let here = variables(n_parameters, depths.0);
    let there = variables(n_parameters + depths.0, depths.1);
    let mut context = System::universe(columns - 1);
    context.require(&scop.context);
    let context = Set::from_systems(shape, &[context])?;
    let mut all = Set::empty(shape)?;
    for first in &source.1.pieces {
        let domain = domain(scop, first, shape, &here)?.intersect(&context)?;
        for second in &sink.1.pieces {
            let pairs = domain.intersect(&self::domain(scop, second, shape, &there)?)?;
            let mut same = System::universe(columns - 1);
            let column_forms = [
                column_forms(scop, columns, &here),
                column_forms(scop, columns, &there),
            ];
            for (a, b) in first.line.iter().zip(&second.line) {
                let (a, b) = (
                    a.substituted(&column_forms[0], columns)?,
                    b.substituted(&column_forms[1], columns)?,
                );
                same.equalities.push(a.plus(-1, &b)?);
            }
            all = all.union(&pairs.intersect(&Set::from_systems(shape, &[same])?)?)?;
        }
    }
    own(scop, all, (source.0, &here), (sink.0, &there))
}

/// The same pairs over the program's own variables; `here` and `there` are the columns of the source's
/// and the sink's loops.
fn own(
    scop: &Scop,
    pairs: Set,
    (source, here): (NodeId, &[Affine]),
    (sink, there): (NodeId, &[Affine]),
) -> Result<Set, Refusal> {
    let shape = pairs.shape();
    let columns = shape.columns();
    let mut own = Vec::new();
    for (node, variables) in [(source, here), (sink, there)] {
        let column_forms = column_forms(scop, columns, variables);
        for form in own_variables(scop, node)? {
            own.push(form.substituted(&column_forms, columns)?);
        }
    }
    let unstripped = SetSpace {
        variables: own.len(),
        ..shape
    };
    if unstripped == shape {
        return Ok(pairs);
    }
    pairs.image(unstripped, &own)
}

/// The iterations of a piece, over other columns.
fn domain(scop: &Scop, piece: &Piece, shape: SetSpace, map: &[Affine]) -> Result<Set, Refusal> {
    let own = SetSpace {
        parameters: scop.parameters.len(),
        variables: map.len(),
    };
    Set::from_systems(own, std::slice::from_ref(&piece.domain))?.preimage(shape, map)
}

/// One form for each column of a node but the constant one: parameters stay, variables are `map`.
fn column_forms(scop: &Scop, columns: usize, map: &[Affine]) -> Vec<Affine> {
    let parameters = Column::variables(scop.parameters.len());
    let stay = parameters.map(|column| Affine::variable(columns, column));
    stay.chain(map.iter().cloned()).collect()
}

/// A loop of the program around a node.
struct SurroundingLoop {
    /// Its outermost node.
    node: NodeId,
    id: LoopId,
    direction: Direction,
}

/// The loops of the program around a node, outermost first; one that is strip-mined is one loop.
fn loops_around(scop: &Scop, node: NodeId) -> Vec<SurroundingLoop> {
    let parent = |node: &NodeId| scop.nodes[*node].parent;
    let mut chain: Vec<NodeId> = std::iter::successors(parent(&node), parent).collect();
    chain.reverse();
    let mut loops: Vec<SurroundingLoop> = Vec::new();
    for node in chain {
        if let NodeKind::Loop { id, direction, .. } = scop.nodes[node].kind
            && loops.last().is_none_or(|around| around.id != id)
        {
            loops.push(SurroundingLoop {
                node,
                id,
                direction,
            });
        }
    }
    loops
}
