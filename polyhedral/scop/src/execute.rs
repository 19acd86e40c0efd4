//! Symbolic execution: a tree becomes loops and accesses whose domains and offsets are polynomials
//! in iterators and sizes, case by case.
//!
//! Each loop is executed once, for any value of its variable. A variable that the body changes by the same amount in
//! every iteration is its value on entry plus that amount times the number of iterations before, and one that is
//! exchanged for others holds what one of them did on entry; any other variable that the body changes is unknown at the
//! head of the loop until assigned.

use crate::condition::{Cases, Conjunction, Constraint, Disjoint, product};
use crate::evaluate::{Evaluator, Values, VariableValue};
use crate::iteration_range::IterationRange;
use crate::partial_truth::{PartialTruth, as_possible, take_certainty};
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::{ExpressionSite, Obstacle, Reject};
use crate::rotation::{Rotation, rotations};
use crate::scop::{Certainty, Direction};
use premiss_tree::{EntityRef, Expression, Loop, LoopId, NestTree, Node, ReferenceId, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Each loop with assignments is executed twice, and so are the loops within it, down to this depth.
const MOST_REHEARSALS: usize = 6;

/// From this depth on, only loops in which a variable may depend on its own earlier value.
const LARGE_REHEARSALS: usize = 2;

/// The most work of rehearsals in one outermost loop. A node takes the squares of the numbers of constraints of the cases
/// in which it is executed: deciding whether they can hold takes as long. A nest of ten loops takes some ten thousands,
/// one of a hundred loops a hundred millions.
const MOST_REHEARSED: usize = 1 << 22;

/// A loop or an access.
#[derive(Clone, Debug)]
pub(crate) enum NestItem {
    Loop {
        id: LoopId,
        /// The number of the symbol that its variable is.
        iterator: usize,
        direction: Direction,
        body: Vec<NestItem>,
    },
    Access(AccessItem),
}

/// An access: where it executes, with its offset in bytes there. The cases exclude each other.
#[derive(Clone, Debug)]
pub(crate) struct AccessItem {
    pub(crate) reference: ReferenceId,
    pub(crate) certainty: Certainty,
    pub(crate) cases: Vec<(Conjunction, Polynomial)>,
}

/// Executes a tree under the assumptions `start`; yields its items and the number of iterators. Conditions on variables
/// that may hold `data` make accesses possible; `None` rejects them.
pub(crate) fn execute(
    tree: &NestTree,
    data: Option<&BTreeSet<VariableId>>,
    evaluator: &mut Evaluator,
    start: &Conjunction,
) -> Result<(Vec<NestItem>, usize), Reject> {
    // A variable that nothing assigns holds loaded data.
    let unassigned = |_| Err(Obstacle::Data);
    let mut executor = Executor {
        tree,
        data,
        evaluator,
        values: tree.variables.keys().map(unassigned).collect(),
        path: vec![start.clone()],
        inside: None,
        n_iterators: 0,
        rehearsals: 0,
        rehearsed: 0,
    };
    let items = executor.block(&tree.body)?;
    Ok((items, executor.n_iterators))
}

pub(crate) struct Executor<'a> {
    pub(crate) tree: &'a NestTree,
    /// The variables that may hold data, where conditions on data are admitted.
    data: Option<&'a BTreeSet<VariableId>>,
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) values: Values,
    /// The condition under which the next node is executed.
    pub(crate) path: Disjoint,
    inside: Option<LoopId>,
    n_iterators: usize,
    /// How many loops around are executed only to see how they change variables.
    rehearsals: usize,
    /// The work of rehearsals in the current outermost loop so far.
    rehearsed: usize,
}

impl Executor<'_> {
    fn block(&mut self, nodes: &[Node]) -> Result<Vec<NestItem>, Reject> {
        let mut items = Vec::new();
        for node in nodes {
            if 0 < self.rehearsals {
                self.rehearse()?;
            }
            match node {
                Node::Access(id) => items.extend(self.access(*id)?),
                Node::Loop(inner) => items.extend(self.repeat(inner)?),
                Node::Assign { variable, value } => {
                    let value = self.evaluator.value(value, &self.values);
                    let value = value.and_then(|value| value.pruned(&self.path));
                    let is_whole = self.has_no_holes();
                    let value = value.and_then(|value| is_whole.map(|()| value));
                    self.values[variable.index()] = value;
                }
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => items.extend(self.branch(condition, then, otherwise)?),
                Node::Opaque(id) => return Err(Reject::Opaque(*id)),
                Node::Operations(_) => {}
            }
        }
        Ok(items)
    }

    /// Takes the work of a node of a rehearsal. A rehearsal that fails tells nothing, and nobody sees its error.
    fn rehearse(&mut self) -> Result<(), Reject> {
        let squares = self.path.iter().map(|case| case.len() * case.len());
        self.rehearsed += squares.sum::<usize>();
        match self.rehearsed <= MOST_REHEARSED {
            true => Ok(()),
            false => {
                Err(Obstacle::Cases(MOST_REHEARSED).at(ExpressionSite::Condition(self.inside)))
            }
        }
    }

    /// Fails where the last evaluation may have no value on the current path, unless a constraint on sizes alone rules
    /// that out: then it is required.
    pub(crate) fn has_no_holes(&mut self) -> Result<(), Obstacle> {
        let holes = std::mem::take(&mut self.evaluator.holes);
        for (hole, obstacle) in holes {
            let wraps = obstacle == Obstacle::Wraps;
            // What is carried is not known in a rehearsal: the execution that counts decides.
            if (wraps && 0 < self.rehearsals)
                || product(&self.path, &vec![hole.clone()])?.is_empty()
            {
                continue;
            }
            let constraint = excluding(&hole)?.filter(|_| wraps).ok_or(obstacle)?;
            self.evaluator.required.insert(constraint);
        }
        Ok(())
    }

    fn access(&mut self, id: ReferenceId) -> Result<Vec<NestItem>, Reject> {
        let offset = &self.tree.references[id].offset;
        let offset = self.evaluator.value(offset, &self.values);
        let is_whole = self.has_no_holes();
        let cases = offset.and_then(|cases| {
            is_whole?;
            cases.within(&self.path)
        });
        let is_affine = |cases: &Cases| {
            let mut constraints = cases.0.iter().flat_map(|(domain, _)| domain);
            constraints.all(|constraint| constraint.polynomial().is_affine())
        };
        let cases = cases.and_then(|cases| match is_affine(&cases) {
            true => Ok(cases),
            false => Err(Obstacle::NonAffine),
        });
        if self.path.is_empty() {
            return Ok(Vec::new());
        }
        let cases = cases.map_err(|obstacle| obstacle.at(ExpressionSite::Address(id)))?;
        let (mut certain, mut possible) = (Vec::new(), Vec::new());
        for (mut case, offset) in cases.0 {
            match take_certainty(&mut case) {
                true => certain.push((case, offset)),
                false => possible.push((case, offset)),
            }
        }
        let item = |certainty, cases| {
            NestItem::Access(AccessItem {
                reference: id,
                certainty,
                cases,
            })
        };
        if possible.is_empty() {
            return Ok(vec![item(Certainty::Certain, certain)]);
        }
        let mut items = vec![item(Certainty::Possible, possible)];
        if !certain.is_empty() {
            items.insert(0, item(Certainty::Certain, certain));
        }
        Ok(items)
    }

    /// Where a condition holds, fails, or is for data to decide.
    fn partial_truth(&mut self, condition: &Expression) -> Result<PartialTruth, Obstacle> {
        match self.data {
            None => self
                .evaluator
                .truth(condition, &self.values)
                .map(PartialTruth::from),
            Some(data) => self.evaluator.partial_truth(condition, &self.values, data),
        }
    }

    fn branch(
        &mut self,
        condition: &Expression,
        then: &[Node],
        otherwise: &[Node],
    ) -> Result<Vec<NestItem>, Reject> {
        let found = self.partial_truth(condition);
        let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Condition(self.inside));
        let place = ExpressionSite::Condition(self.inside);
        let found = match found {
            Ok(found) => found,
            Err(obstacle) if makes_no_access(then) && makes_no_access(otherwise) => {
                for variable in assigned(then, otherwise) {
                    self.values[variable.index()] = Err(obstacle);
                }
                return Ok(Vec::new());
            }
            Err(obstacle) => return Err(at(obstacle)),
        };
        self.has_no_holes().map_err(|obstacle| obstacle.at(place))?;
        let path = self.path.clone();
        let before = self.values.clone();
        let narrowed =
            |side: &Disjoint| product(&path, side).map_err(|obstacle| obstacle.at(place));
        let (mut holds, mut fails) = (narrowed(&found.holds)?, narrowed(&found.fails)?);
        let open = as_possible(narrowed(&found.open)?);
        holds.extend(open.iter().cloned());
        fails.extend(open);
        let mut items = Vec::new();
        if !holds.is_empty() {
            self.path = holds.clone();
            items = self.block(then)?;
        }
        let after_then = std::mem::replace(&mut self.values, before);
        if !fails.is_empty() {
            self.path = fails.clone();
            items.extend(self.block(otherwise)?);
        }
        self.path = path;
        match (holds.is_empty(), fails.is_empty()) {
            (false, true) => self.values = after_then,
            (true, _) => {}
            (false, false) => self.join(&found, &after_then, &assigned(then, otherwise)),
        }
        Ok(items)
    }

    /// The values after a branch that changes some variables.
    fn join(&mut self, truth: &PartialTruth, after_then: &Values, changed: &BTreeSet<VariableId>) {
        for index in changed.iter().map(|variable| variable.index()) {
            if self.values[index] == after_then[index] {
                continue;
            }
            let joined = match (&after_then[index], &self.values[index]) {
                (Ok(then), Ok(otherwise)) => truth.choose(then, otherwise),
                (Err(obstacle), _) | (_, Err(obstacle)) => Err(*obstacle),
            };
            self.values[index] = joined.and_then(|value| value.pruned(&self.path));
        }
    }

    fn repeat(&mut self, inner: &Loop) -> Result<Option<NestItem>, Reject> {
        if self.path.is_empty() {
            return Ok(None);
        }
        // Why nothing is known of a loop says more than that its header is not affine.
        if let Some(id) = inner.rejection() {
            return Err(Reject::Opaque(id));
        }
        let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Header(inner.id));
        let step = self
            .evaluator
            .value(&inner.step, &self.values)
            .map_err(at)?;
        let step = step.single().and_then(Polynomial::as_constant);
        let step = step
            .filter(|step| *step != 0)
            .ok_or(Reject::Step(inner.id))?;
        let iterator = self.n_iterators;
        let mut depth = 1;
        let iteration_range = if self.leads_away(inner, step)? {
            None
        } else {
            let factors = self.factors_of_trips(inner, step).map_err(at)?;
            depth = depth.max(factors.len());
            let iteration_range = match &factors[..] {
                [] => self.iteration_range(inner, step, iterator),
                factors => self.product_range(inner, step, iterator, factors),
            };
            let iteration_range = iteration_range.map_err(at)?;
            self.has_no_holes().map_err(at)?;
            Some(iteration_range).filter(|iteration_range| !iteration_range.domain.is_empty())
        };
        self.n_iterators += depth;
        let Some(iteration_range) = iteration_range else {
            let first = self.evaluator.value(&inner.first, &self.values);
            // Its holes have been checked above.
            self.evaluator.holes.clear();
            self.values[inner.variable.index()] = first;
            return Ok(None);
        };
        if self.inside.is_none() {
            self.rehearsed = 0;
        }
        let around = (self.path.clone(), self.inside);
        self.path.clone_from(&iteration_range.domain);
        self.inside = Some(inner.id);
        let body = self.iterations(inner, iterator, &iteration_range, &around.0);
        (self.path, self.inside) = around;
        let nest = |body: Vec<NestItem>, iterator: usize| {
            vec![NestItem::Loop {
                id: inner.id,
                iterator,
                direction: iteration_range.direction,
                body,
            }]
        };
        let outermost_last = (iterator..iterator + depth).rev();
        Ok(outermost_last.fold(body?, nest).pop())
    }

    /// Executes the body for any iteration, and leaves the values after the loop; `around` is the condition under which
    /// the loop is entered.
    fn iterations(
        &mut self,
        inner: &Loop,
        iterator: usize,
        iteration_range: &IterationRange,
        around: &Disjoint,
    ) -> Result<Vec<NestItem>, Reject> {
        let entry = self.values.clone();
        let mut changed = BTreeSet::new();
        Node::assigned(&inner.body, &mut changed);
        let (inductions, rotations) = self.recurrences(inner, iterator, iteration_range, &changed);
        let moved = |delta: &Polynomial, entry: &Cases, count: &Result<Cases, Obstacle>| {
            let sum = |entry: &Polynomial, count: &Polynomial| entry.plus(1, &count.times(delta)?);
            entry.combine(count.as_ref().map_err(|obstacle| *obstacle)?, sum)
        };
        for variable in &changed {
            self.values[variable.index()] = Err(Obstacle::Variable(*variable));
        }
        for (variable, delta) in &inductions {
            let value = entry[variable.index()].clone();
            let value = value.and_then(|entry| moved(delta, &entry, &iteration_range.gone));
            let value = value.and_then(|value| value.pruned(&self.path));
            self.values[variable.index()] = value;
        }
        for rotation in &rotations {
            let value = self.rotated(rotation, &entry, &iteration_range.gone);
            let value = value.and_then(|value| value.pruned(&self.path));
            self.values[rotation.variable().index()] = value;
        }
        self.values[inner.variable.index()] = iteration_range.variable.pruned(&self.path);
        let items = self.block(&inner.body)?;
        for variable in &changed {
            self.values[variable.index()] = Err(Obstacle::Variable(*variable));
        }
        for (variable, delta) in &inductions {
            let value = entry[variable.index()].clone();
            let value = value.and_then(|entry| moved(delta, &entry, &iteration_range.trips));
            self.values[variable.index()] = value.and_then(|value| value.pruned(around));
        }
        for rotation in &rotations {
            let value = self.rotated(rotation, &entry, &iteration_range.trips);
            let value = value.and_then(|value| value.pruned(around));
            self.values[rotation.variable().index()] = value;
        }
        let last = iteration_range.last.clone();
        self.values[inner.variable.index()] = last.and_then(|value| value.pruned(around));
        Ok(items)
    }

    /// What a variable that is exchanged holds after so many iterations.
    fn rotated(
        &mut self,
        rotation: &Rotation,
        entry: &Values,
        count: &VariableValue,
    ) -> VariableValue {
        let before = |variable: VariableId| entry[variable.index()].clone();
        rotation.value(before, count, self.evaluator)
    }

    /// The variables that each iteration changes by the same amount, with the amount, and those that are exchanged.
    fn recurrences(
        &mut self,
        inner: &Loop,
        iterator: usize,
        iteration_range: &IterationRange,
        changed: &BTreeSet<VariableId>,
    ) -> (Vec<(VariableId, Polynomial)>, Vec<Rotation>) {
        let is_worth_it = match self.rehearsals {
            MOST_REHEARSALS => false,
            LARGE_REHEARSALS.. => has_recurrence(&inner.body),
            _ => has_assignment(&inner.body),
        };
        if !is_worth_it {
            return (Vec::new(), Vec::new());
        }
        let before = (self.values.clone(), self.path.clone(), self.n_iterators);
        for variable in changed {
            let symbol = Polynomial::symbol(Symbol::Carried(*variable));
            self.values[variable.index()] = Ok(Cases::always(symbol));
        }
        self.values[inner.variable.index()] = Ok(iteration_range.variable.clone());
        self.rehearsals += 1;
        let executed = self.block(&inner.body);
        self.rehearsals -= 1;
        self.evaluator.holes.clear();
        let after = std::mem::replace(&mut self.values, before.0);
        (self.path, self.n_iterators) = (before.1, before.2);
        if executed.is_err() {
            return (Vec::new(), Vec::new());
        }
        let single = |variable: &VariableId| {
            let value = after[variable.index()].as_ref().ok()?;
            Some((*variable, value.single()?))
        };
        let after: BTreeMap<VariableId, &Polynomial> = changed.iter().filter_map(single).collect();
        let mut inductions = Vec::new();
        for (variable, value) in &after {
            let start = Polynomial::symbol(Symbol::Carried(*variable));
            let delta = value.plus(-1, &start);
            let is_fixed = |symbol: Symbol| match symbol {
                Symbol::Carried(_) | Symbol::Floor(_) | Symbol::Chance => false,
                Symbol::Iterator(number) => number < iterator,
                Symbol::Size(_) => true,
            };
            if let Ok(delta) = delta
                && !delta.mentions(|symbol| !is_fixed(symbol))
            {
                inductions.push((*variable, delta));
            }
        }
        (inductions, rotations(&after))
    }
}

/// The constraint on sizes that excludes a case, where it is one constraint on sizes: `1 <= n` for `n - 1 < 0`.
fn excluding(case: &Conjunction) -> Result<Option<Constraint>, Obstacle> {
    let [Constraint::NotNegative(form)] = &case.iter().collect::<Vec<_>>()[..] else {
        return Ok(None);
    };
    let is_of_sizes = !form.mentions(|symbol| !matches!(symbol, Symbol::Size(_)));
    if !is_of_sizes || !form.is_affine() {
        return Ok(None);
    }
    let opposite = form.scaled(-1)?.plus_constant(-1)?;
    Ok(Some(Constraint::NotNegative(opposite)))
}

fn any_node(nodes: &[Node], predicate: fn(&Node) -> bool) -> bool {
    let mut found = false;
    for node in nodes {
        node.walk(&mut |node| found |= predicate(node));
    }
    found
}

fn has_assignment(nodes: &[Node]) -> bool {
    any_node(nodes, |node| matches!(node, Node::Assign { .. }))
}

/// Whether a variable may be assigned a value that depends on its own, by way of others too: `a = b; b = a + 1` does
/// so, `a = b; b = x[i]` does not.
fn has_recurrence(nodes: &[Node]) -> bool {
    let mut sources: BTreeMap<VariableId, BTreeSet<VariableId>> = BTreeMap::new();
    let mut collect = |node: &Node| {
        let (Node::Assign { variable, .. } | Node::Loop(Loop { variable, .. })) = node else {
            return;
        };
        let sources = sources.entry(*variable).or_default();
        for expression in node.expressions() {
            expression.walk(&mut |part| {
                if let Expression::Variable(source) = part {
                    sources.insert(*source);
                }
            });
        }
    };
    nodes.iter().for_each(|node| node.walk(&mut collect));
    // Without a cycle, there is always one that depends on no other.
    loop {
        let is_open = |of: &BTreeSet<VariableId>| of.iter().any(|x| sources.contains_key(x));
        let open: BTreeMap<_, _> = sources
            .iter()
            .filter(|(_, of)| is_open(of))
            .map(|(variable, of)| (*variable, of.clone()))
            .collect();
        if open.len() == sources.len() {
            return !open.is_empty();
        }
        sources = open;
    }
}

/// The variables that either side of a branch assigns.
fn assigned(then: &[Node], otherwise: &[Node]) -> BTreeSet<VariableId> {
    let mut variables = BTreeSet::new();
    Node::assigned(then, &mut variables);
    Node::assigned(otherwise, &mut variables);
    variables
}

fn makes_no_access(nodes: &[Node]) -> bool {
    !any_node(nodes, |node| {
        matches!(node, Node::Access(_) | Node::Opaque(_) | Node::Loop(_))
    })
}

/// `0 <= polynomial` as a conjunction.
pub(crate) fn not_negative(polynomial: Polynomial) -> Conjunction {
    Conjunction::from([Constraint::NotNegative(polynomial)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::BinaryOperator;

    /// `variable = source + 1`, or data.
    fn assign(variable: usize, source: Option<usize>) -> Node {
        let value = source.map_or(Expression::Data, |source| {
            let source = Expression::Variable(VariableId::new(source));
            Expression::binary(BinaryOperator::Add, source, Expression::Integer(1))
        });
        Node::Assign {
            variable: VariableId::new(variable),
            value,
        }
    }

    #[test]
    fn what_depends_on_itself_does_so_by_way_of_others_too() {
        let chain = [assign(0, Some(1)), assign(1, Some(2)), assign(2, None)];
        assert!(!has_recurrence(&chain));
        // The value of a variable that the body does not assign is the same in each iteration.
        assert!(!has_recurrence(&[assign(0, Some(1)), assign(1, Some(3))]));
        assert!(has_recurrence(&[assign(0, Some(0))]));
        let ring = [assign(0, Some(1)), assign(1, Some(2)), assign(2, Some(0))];
        assert!(has_recurrence(&ring));
        let inside = Node::Branch {
            condition: Expression::Data,
            then: vec![assign(1, Some(0))],
            otherwise: Vec::new(),
        };
        assert!(has_recurrence(&[assign(0, Some(1)), inside]));
    }
}
