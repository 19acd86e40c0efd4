//! The accesses of one of two loops that may be fused.

use super::scalars::Scalars;
use crate::subject::{Site, Subject};
use premiss_tree::{
    AccessKind, ArrayId, Comparison, Expression, Loop, NestTree, Node, ReferenceId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A loop whose accesses are all known, with the walks of its references.
pub(super) struct LoopAccesses<'a> {
    pub(super) inner: &'a Loop,
    walks: Vec<ReferenceWalk>,
    scalars: Scalars,
}

/// How a reference moves.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ReferenceWalk {
    id: ReferenceId,
    pub(super) array: ArrayId,
    is_store: bool,
    size: i64,
    /// Its byte offset in the first iteration of all loops.
    first: i64,
    /// The strides in bytes with the loops around both loops.
    outer_strides: Vec<i64>,
    /// The stride in bytes with this loop.
    stride: i64,
    /// The stride in bytes and the trip count of each loop inside.
    inside: Vec<(i64, i64)>,
}

impl<'a> LoopAccesses<'a> {
    /// The accesses of a loop; `None` if some access or trip count is unknown.
    pub(super) fn new(subject: &Subject<'_>, inner: &'a Loop) -> Option<Self> {
        let tree = subject.tree();
        if tree.work.ended_by_data.contains(&inner.id) {
            return None;
        }
        let mut accesses = Self {
            inner,
            walks: Vec::new(),
            scalars: Scalars::new(tree, inner)?,
        };
        let mut trips = BTreeMap::new();
        let mut is_known = true;
        for node in &inner.body {
            node.walk(&mut |node| match node {
                Node::Loop(inner) => {
                    let runs =
                        runs(tree, inner).filter(|_| !tree.work.ended_by_data.contains(&inner.id));
                    is_known &= runs.is_some();
                    trips.insert(inner.id, runs.unwrap_or(0));
                }
                Node::Access(id) => {
                    let walk = walk_of(subject, inner, *id, &trips);
                    is_known &= walk.is_some();
                    accesses.walks.extend(walk);
                }
                Node::Opaque(_) => is_known = false,
                Node::Branch { .. } | Node::Assign { .. } | Node::Operations(_) => {}
            });
        }
        is_known.then_some(accesses)
    }

    /// The walk of a site in the loop; its first reference stands for all.
    pub(super) fn of(&self, site: &Site<'_>) -> Option<&ReferenceWalk> {
        let id = site.references.first()?.id;
        self.walks.iter().find(|walk| walk.id == id)
    }

    /// Whether some reference touches the same elements in the same iterations.
    pub(super) fn has_same_walk(&self, other: &ReferenceWalk) -> bool {
        let is_alike = |one: &ReferenceWalk| {
            let place = |x: &ReferenceWalk| (x.array, x.first, x.stride);
            place(one) == place(other)
                && one.outer_strides == other.outer_strides
                && one.inside == other.inside
        };
        self.walks.iter().any(is_alike)
    }

    /// Whether different iterations touch different elements of an array.
    pub(super) fn keeps_apart(&self, array: ArrayId) -> bool {
        are_apart(&self.of_array(array))
    }

    fn of_array(&self, array: ArrayId) -> Vec<&ReferenceWalk> {
        let all = self.walks.iter();
        all.filter(|walk| walk.array == array).collect()
    }

    /// The most lines that one iteration touches.
    pub(super) fn lines_of_iteration(&self, line: u64) -> u64 {
        let lines = self.walks.iter().map(|walk| walk.lines(line));
        lines.fold(0, u64::saturating_add)
    }
}

impl ReferenceWalk {
    /// The range of bytes touched in the first iteration, end excluded.
    fn range(&self) -> (i128, i128) {
        let first = i128::from(self.first);
        let (mut low, mut high) = (first, first + i128::from(self.size));
        for (stride, runs) in &self.inside {
            let far = i128::from(*stride) * i128::from(runs - 1);
            low += far.min(0);
            high += far.max(0);
        }
        (low, high)
    }

    /// The most lines touched in one iteration.
    fn lines(&self, line: u64) -> u64 {
        let (low, high) = self.range();
        let dense = u64::try_from((high - low) / i128::from(line.max(1))).unwrap_or(u64::MAX);
        let accesses = self
            .inside
            .iter()
            .map(|(_, runs)| u64::try_from(*runs).unwrap_or(0));
        let accesses = accesses.fold(1, u64::saturating_mul);
        dense.saturating_add(2).min(accesses.saturating_mul(2))
    }
}

/// Whether references to one array touch different elements in different iterations: they have the same stride, which
/// is at least the bytes that they span together.
fn are_apart(walks: &[&ReferenceWalk]) -> bool {
    let Some(one) = walks.first() else {
        return true;
    };
    let ranges = walks.iter().map(|walk| walk.range());
    let low = ranges.clone().map(|(low, _)| low).min();
    let high = ranges.map(|(_, high)| high).max();
    let span = high.zip(low).map(|(high, low)| high - low);
    let moves_alike =
        |x: &&ReferenceWalk| x.stride == one.stride && x.outer_strides == one.outer_strides;
    walks.iter().all(moves_alike)
        && span.is_some_and(|span| span <= i128::from(one.stride.unsigned_abs()))
}

/// Whether two loops have the same iterations, as far as sizes tell.
pub(super) fn same_iterations(tree: &NestTree, first: &Loop, second: &Loop) -> bool {
    first.comparison == second.comparison && expressions(tree, first) == expressions(tree, second)
}

/// Whether two loops with the same iterations, and only arithmetic between them, can be fused: no variable passes a
/// value from one to the other, and of arrays that one of them stores to, each iteration touches its own elements.
pub(super) fn can_fuse(
    tree: &NestTree,
    first: &LoopAccesses<'_>,
    between: &[Node],
    second: &LoopAccesses<'_>,
) -> bool {
    if !first.scalars.let_pass(tree, between, &second.scalars) {
        return false;
    }
    let arrays: BTreeSet<ArrayId> = first.walks.iter().map(|walk| walk.array).collect();
    arrays.into_iter().all(|array| {
        let all: Vec<&ReferenceWalk> = first
            .of_array(array)
            .into_iter()
            .chain(second.of_array(array))
            .collect();
        let is_shared = all.len() != first.of_array(array).len();
        let is_stored = all.iter().any(|walk| walk.is_store);
        !is_shared || !is_stored || are_apart(&all)
    })
}

fn expressions(tree: &NestTree, inner: &Loop) -> [Expression; 3] {
    [&inner.first, &inner.bound, &inner.step]
        .map(|x| constant(tree, x).map_or_else(|| x.clone(), Expression::Integer))
}

fn walk_of(
    subject: &Subject<'_>,
    outer: &Loop,
    id: ReferenceId,
    trips: &BTreeMap<premiss_tree::LoopId, i64>,
) -> Option<ReferenceWalk> {
    let (reference, formula) = (&subject.tree().references[id], subject.formula(id)?);
    let strides: Option<Vec<i64>> = formula.strides.iter().map(|x| subject.bytes(x)).collect();
    let strides = strides?;
    let at = formula
        .strides
        .iter()
        .position(|stride| stride.id == outer.id)?;
    let inside = formula.strides[at + 1..].iter().zip(&strides[at + 1..]);
    let inside: Option<Vec<(i64, i64)>> = inside
        .map(|(stride, bytes)| Some((*bytes, (*trips.get(&stride.id)?).max(1))))
        .collect();
    Some(ReferenceWalk {
        id,
        array: reference.array,
        is_store: reference.kind == AccessKind::Store,
        size: i64::from(reference.size),
        first: subject.value(formula.first.as_ref()?)?,
        outer_strides: strides[..at].to_vec(),
        stride: strides[at],
        inside: inside?,
    })
}

/// The trip count of a loop, if only sizes decide it.
fn runs(tree: &NestTree, inner: &Loop) -> Option<i64> {
    let value = |expression: &Expression| constant(tree, expression).map(i128::from);
    let (first, bound, step) = (
        value(&inner.first)?,
        value(&inner.bound)?,
        value(&inner.step)?,
    );
    let distance = match inner.comparison {
        Comparison::Less if 0 < step => bound - first,
        Comparison::LessEqual if 0 < step => bound - first + 1,
        Comparison::Greater if step < 0 => first - bound,
        Comparison::GreaterEqual if step < 0 => first - bound + 1,
        _ => return None,
    };
    let step = step.abs();
    i64::try_from((distance.max(0) + step - 1) / step).ok()
}

/// The value of an expression in sizes and constants.
fn constant(tree: &NestTree, expression: &Expression) -> Option<i64> {
    match expression {
        Expression::Integer(value) => Some(*value),
        Expression::Parameter(id) => {
            tree.work
                .parameters
                .get(*id)
                .or(tree.parameters.get(*id))?
                .value
        }
        Expression::Unary(operator, x) => operator.apply(constant(tree, x)?),
        Expression::Binary(operator, a, b) => {
            operator.apply(constant(tree, a)?, constant(tree, b)?)
        }
        Expression::Wrap(kind, x) => Some(kind.wrap(constant(tree, x)?)),
        Expression::Select(operands) => match constant(tree, &operands[0])? {
            0 => constant(tree, &operands[2]),
            _ => constant(tree, &operands[1]),
        },
        Expression::Variable(_) | Expression::Data | Expression::Entry(..) => None,
    }
}
