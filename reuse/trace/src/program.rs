//! A tree at given sizes: the steps that the walk executes.
//!
//! What can be known about a loop without running it is found here once: whether its body is a
//! straight line of accesses that move by fixed strides ([`Straight`]), and whether its iterations
//! differ only by where they are in memory ([`Uniform`]).

use crate::formula::Formula;
use crate::straight::{self, Straight};
use crate::uniform::{self, Uniform};
use premiss_tree::{
    AccessKind, ArrayId, BinaryOperator, Comparison, Expression, LoopId, NestTree, Node,
    ParameterId, ReferenceId, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A tree at given sizes.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) body: Vec<ProgramStep>,
}

/// One step of a program; [`premiss_tree::Node`] at given sizes.
#[derive(Debug)]
pub(crate) enum ProgramStep {
    Access(AccessStep),
    Loop(Box<LoopStep>),
    Branch {
        condition: Formula,
        then: Vec<ProgramStep>,
        otherwise: Vec<ProgramStep>,
        /// The variables that an arm assigns.
        assigned: Vec<VariableId>,
    },
    Assign {
        variable: VariableId,
        value: Formula,
    },
    Opaque,
}

/// An access whose address is that of its array plus `offset` bytes.
#[derive(Debug)]
pub(crate) struct AccessStep {
    pub(crate) reference: ReferenceId,
    pub(crate) array: ArrayId,
    pub(crate) kind: AccessKind,
    pub(crate) size: u32,
    pub(crate) offset: Formula,
}

impl AccessStep {
    /// How many lines of `line_size` bytes an access touches at most, where its array is at `base`. Elements of unknown
    /// address count as aligned, as everywhere.
    pub(crate) fn most_lines(&self, line_size: u64, base: u64) -> u64 {
        let size = u64::from(self.size.max(1));
        let fits = line_size.is_multiple_of(size) && base.is_multiple_of(size);
        match fits && self.offset.is_multiple_of(size) {
            true => 1,
            false => (size - 1).div_ceil(line_size) + 1,
        }
    }
}

/// A counted loop.
#[derive(Debug)]
pub(crate) struct LoopStep {
    pub(crate) header: LoopCounter,
    pub(crate) body: Vec<ProgramStep>,
    /// Whether the body accesses an array, or may.
    pub(crate) may_access: bool,
    /// The variables that the body assigns, inner iterators among them.
    pub(crate) assigned: BTreeSet<VariableId>,
    /// Present where an iteration is a straight line of accesses that move by fixed strides.
    pub(crate) straight: Option<Straight>,
    /// Present where all iterations make the same accesses, only elsewhere.
    pub(crate) uniform: Option<Uniform>,
    /// The body of the first iteration, where that is certain and data decide about all others: `body` is theirs.
    pub(crate) first_body: Option<Vec<ProgramStep>>,
}

/// How deep loops with a first iteration of its own may stand in such iterations: each has its body twice.
const MOST_FIRST_BODIES: u32 = 4;

impl Program {
    pub(crate) fn new(tree: &NestTree, sizes: &BTreeMap<ParameterId, i64>) -> Self {
        Self {
            body: Compiler {
                tree,
                sizes,
                first_bodies: MOST_FIRST_BODIES,
            }
            .steps(&tree.body),
        }
    }
}

struct Compiler<'a> {
    tree: &'a NestTree,
    sizes: &'a BTreeMap<ParameterId, i64>,
    /// How much deeper first iterations may have bodies of their own.
    first_bodies: u32,
}

impl Compiler<'_> {
    fn steps(&self, nodes: &[Node]) -> Vec<ProgramStep> {
        let is_step = |node: &&Node| !matches!(node, Node::Operations(_));
        nodes
            .iter()
            .filter(is_step)
            .map(|node| self.step(node))
            .collect()
    }

    fn step(&self, node: &Node) -> ProgramStep {
        match node {
            Node::Access(id) => ProgramStep::Access(self.access(*id)),
            Node::Loop(node) => ProgramStep::Loop(Box::new(self.loop_step(node))),
            Node::Branch {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise),
            Node::Assign { variable, value } => ProgramStep::Assign {
                variable: *variable,
                value: self.formula(value),
            },
            Node::Opaque(_) => ProgramStep::Opaque,
            Node::Operations(_) => unreachable!("operations are no steps: they were left out"),
        }
    }

    fn branch(&self, condition: &Expression, then: &[Node], otherwise: &[Node]) -> ProgramStep {
        let (then, otherwise) = (self.steps(then), self.steps(otherwise));
        let mut assigned = BTreeSet::new();
        collect_assigned(&then, &mut assigned);
        collect_assigned(&otherwise, &mut assigned);
        ProgramStep::Branch {
            condition: truth(self.formula(condition)),
            then,
            otherwise,
            assigned: assigned.into_iter().collect(),
        }
    }

    fn formula(&self, expression: &Expression) -> Formula {
        Formula::new(expression, self.tree, self.sizes)
    }

    fn access(&self, id: ReferenceId) -> AccessStep {
        let reference = &self.tree.references[id];
        AccessStep {
            reference: id,
            array: reference.array,
            kind: reference.kind,
            size: reference.size,
            offset: self.formula(&reference.offset),
        }
    }

    fn loop_step(&self, node: &premiss_tree::Loop) -> LoopStep {
        let header = LoopCounter {
            id: node.id,
            variable: node.variable,
            first: self.formula(&node.first),
            comparison: node.comparison,
            bound: self.formula(&node.bound),
            step: self.formula(&node.step),
        };
        let may_access = Node::may_access(&node.body);
        let Some(certain) = node.certain_first().filter(|_| 0 < self.first_bodies) else {
            return LoopStep::new(header, self.steps(&node.body), may_access);
        };
        let inside = Self {
            first_bodies: self.first_bodies - 1,
            ..*self
        };
        let others = inside.branch(&Expression::Data, certain, &[]);
        LoopStep {
            first_body: Some(inside.steps(certain)),
            ..LoopStep::new(header, vec![others], may_access)
        }
    }
}

/// How a loop counts.
#[derive(Debug)]
pub(crate) struct LoopCounter {
    pub(crate) id: LoopId,
    pub(crate) variable: VariableId,
    pub(crate) first: Formula,
    pub(crate) comparison: Comparison,
    pub(crate) bound: Formula,
    pub(crate) step: Formula,
}

impl LoopStep {
    /// A loop with what is known of its iterations.
    pub(crate) fn new(header: LoopCounter, body: Vec<ProgramStep>, may_access: bool) -> Self {
        let mut assigned = BTreeSet::new();
        collect_assigned(&body, &mut assigned);
        let step = header.step.as_constant();
        Self {
            may_access,
            straight: straight::analyse(header.variable, &body),
            uniform: step
                .and_then(|step| uniform::analyse(header.variable, step, &body, &assigned)),
            header,
            body,
            assigned,
            first_body: None,
        }
    }
}

/// The value of an iterator; `None` where it does not fit.
pub(crate) fn value_at(first: i64, step: i64, iteration: u64) -> Option<i64> {
    let distance = i64::try_from(iteration).ok()?.checked_mul(step)?;
    first.checked_add(distance)
}

/// How often a loop runs; `None` where it never ends.
pub(crate) fn trips(first: i64, comparison: Comparison, bound: i64, step: i64) -> Option<u64> {
    let (distance, step) = match comparison {
        Comparison::Less => (i128::from(bound) - i128::from(first), i128::from(step)),
        Comparison::LessEqual => (i128::from(bound) - i128::from(first) + 1, step.into()),
        Comparison::Greater => (i128::from(first) - i128::from(bound), -i128::from(step)),
        Comparison::GreaterEqual => (i128::from(first) - i128::from(bound) + 1, -i128::from(step)),
        Comparison::NotEqual => {
            let distance = i128::from(bound) - i128::from(first);
            let step = i128::from(step);
            if distance == 0 {
                return Some(0);
            }
            let jumps_over = step == 0 || distance % step != 0 || distance / step < 0;
            return (!jumps_over).then(|| u64::try_from(distance / step).ok())?;
        }
    };
    if distance <= 0 {
        return Some(0);
    }
    if step <= 0 {
        return None;
    }
    u64::try_from((distance + step - 1) / step).ok()
}

/// A condition as a truth value: a bare `x` means `x != 0`.
fn truth(condition: Formula) -> Formula {
    match condition {
        Formula::Affine(x) if !x.terms.is_empty() => Formula::Binary(
            BinaryOperator::NotEqual,
            Box::new(Formula::Affine(x)),
            Box::new(Formula::Affine(crate::formula::Affine::constant(0))),
        ),
        other => other,
    }
}

pub(crate) fn collect_assigned(steps: &[ProgramStep], assigned: &mut BTreeSet<VariableId>) {
    for step in steps {
        match step {
            ProgramStep::Assign { variable, .. } => {
                assigned.insert(*variable);
            }
            ProgramStep::Loop(inner) => {
                assigned.insert(inner.header.variable);
                assigned.extend(&inner.assigned);
            }
            ProgramStep::Branch {
                then, otherwise, ..
            } => {
                collect_assigned(then, assigned);
                collect_assigned(otherwise, assigned);
            }
            ProgramStep::Access(_) | ProgramStep::Opaque => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trip_counts_are_those_of_the_loop_written_out() {
        let holds = |v: i64, comparison, bound: i64| match comparison {
            Comparison::Less => v < bound,
            Comparison::LessEqual => v <= bound,
            Comparison::Greater => v > bound,
            Comparison::GreaterEqual => v >= bound,
            Comparison::NotEqual => v != bound,
        };
        let comparisons = [
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
            Comparison::NotEqual,
        ];
        for comparison in comparisons {
            for first in -4..=4 {
                for bound in -4..=4 {
                    for step in -3..=3 {
                        let ends = (0..100_i64)
                            .find(|t| !holds(first + t * step, comparison, bound))
                            .map(i64::cast_unsigned);
                        assert_eq!(trips(first, comparison, bound, step), ends);
                    }
                }
            }
        }
    }
}
