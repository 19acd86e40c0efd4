//! The nodes of a tree: loops, accesses, branches and assignments.

use crate::{
    BinaryOperator, Expression, LoopId, OperationsId, ReferenceId, RejectionId, VariableId,
};
use std::collections::BTreeSet;

/// One step of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A counted loop.
    Loop(Loop),
    /// An access to one array element.
    Access(ReferenceId),
    /// Executes one arm. The condition is a truth value (zero is false) in three-valued logic: where it is
    /// [`Expression::Data`], every access in either arm is *possible*, and a variable that has different values at the
    /// ends of the arms is unknown afterwards (rule 3 of the access model).
    Branch {
        /// The condition.
        condition: Expression,
        /// Executed where it is not zero.
        then: Vec<Node>,
        /// Executed where it is zero.
        otherwise: Vec<Node>,
    },
    /// Assigns a value to a variable.
    Assign {
        /// The variable.
        variable: VariableId,
        /// Its new value, computed from the values before the assignment.
        value: Expression,
    },
    /// Code that could not be understood: it may access any array any number of times. Variables that it may change
    /// are assigned [`Expression::Data`] after it.
    Opaque(RejectionId),
    /// Arithmetic; occurs only in the body of a [`Work`](crate::Work).
    Operations(OperationsId),
}

impl Node {
    /// Calls `visit` on this node and on each node inside it, in the order of the tree.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Loop(inner) => inner.body.iter().for_each(|node| node.walk(visit)),
            Self::Branch {
                then, otherwise, ..
            } => then
                .iter()
                .chain(otherwise)
                .for_each(|node| node.walk(visit)),
            Self::Access(_) | Self::Assign { .. } | Self::Opaque(_) | Self::Operations(_) => {}
        }
    }

    /// Nodes without the accesses of some references.
    pub(crate) fn with_references(
        nodes: &[Self],
        is_kept: &impl Fn(ReferenceId) -> bool,
    ) -> Vec<Self> {
        let kept = nodes.iter().filter_map(|node| match node {
            Self::Access(id) => is_kept(*id).then(|| node.clone()),
            Self::Loop(inner) => Some(Self::Loop(
                inner.with_body(Self::with_references(&inner.body, is_kept)),
            )),
            Self::Branch {
                condition,
                then,
                otherwise,
            } => Some(Self::Branch {
                condition: condition.clone(),
                then: Self::with_references(then, is_kept),
                otherwise: Self::with_references(otherwise, is_kept),
            }),
            Self::Assign { .. } | Self::Opaque(_) | Self::Operations(_) => Some(node.clone()),
        });
        kept.collect()
    }

    /// Adds the variables that nodes assign, loop iterators included.
    pub fn assigned(nodes: &[Self], variables: &mut BTreeSet<VariableId>) {
        Self::each_assigned(nodes, &mut |id| {
            variables.insert(id);
        });
    }

    /// Calls `visit` once for each assignment in nodes, with the assigned variable; loop iterators count as assigned.
    pub fn each_assigned(nodes: &[Self], visit: &mut impl FnMut(VariableId)) {
        let mut note = |node: &Self| match node {
            Self::Assign { variable, .. } => visit(*variable),
            Self::Loop(inner) => visit(inner.variable),
            Self::Branch { .. } | Self::Access(_) | Self::Opaque(_) | Self::Operations(_) => {}
        };
        nodes.iter().for_each(|node| node.walk(&mut note));
    }

    /// Whether nodes access an array, or may access one.
    #[must_use]
    pub fn may_access(nodes: &[Self]) -> bool {
        nodes.iter().any(|node| match node {
            Self::Access(_) | Self::Opaque(_) => true,
            Self::Loop(inner) => Self::may_access(&inner.body),
            Self::Branch {
                then, otherwise, ..
            } => Self::may_access(then) || Self::may_access(otherwise),
            Self::Assign { .. } | Self::Operations(_) => false,
        })
    }

    /// The expressions of this node itself, without those of nested nodes: a loop's header, a condition, an assigned
    /// value.
    #[must_use]
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Self::Loop(inner) => vec![&inner.first, &inner.bound, &inner.step],
            Self::Branch { condition, .. } => vec![condition],
            Self::Assign { value, .. } => vec![value],
            Self::Access(_) | Self::Opaque(_) | Self::Operations(_) => Vec::new(),
        }
    }
}

/// A counted loop: `for (v = first; v < bound; v += step) body`.
///
/// Neither the body nor anything in it assigns `variable` or a variable of `bound` or `step`, so the trip count is
/// known on entry: both are evaluated once. After the loop, `variable` holds the first value that failed the
/// comparison (`first` if the trip count is 0).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Its id in the tree's table of loops.
    pub id: LoopId,
    /// The iterator (induction variable).
    pub variable: VariableId,
    /// Its first value.
    pub first: Expression,
    /// The loop continues while `variable comparison bound`.
    pub comparison: Comparison,
    /// The bound that the iterator is compared with.
    pub bound: Expression,
    /// The amount added to the iterator after each iteration; may be negative, never zero. A step away from the bound
    /// makes an endless loop.
    pub step: Expression,
    /// The loop body.
    pub body: Vec<Node>,
}

impl Loop {
    /// The loop with another body.
    #[must_use]
    pub fn with_body(&self, body: Vec<Node>) -> Self {
        Self {
            id: self.id,
            variable: self.variable,
            first: self.first.clone(),
            comparison: self.comparison,
            bound: self.bound.clone(),
            step: self.step.clone(),
            body,
        }
    }

    /// Why nothing is known of a loop but its header: it stands around this rejection, and data decide how often it runs.
    #[must_use]
    pub fn rejection(&self) -> Option<RejectionId> {
        match (&self.bound, self.body.first()) {
            (Expression::Data, Some(Node::Opaque(id))) => Some(*id),
            _ => None,
        }
    }

    /// What an iteration executes where data may skip all iterations but the first, as in a loop that data may end: the
    /// body is `if v == first || data` and that, and nothing otherwise.
    #[must_use]
    pub fn certain_first(&self) -> Option<&[Node]> {
        let [
            Node::Branch {
                condition: Expression::Binary(BinaryOperator::Or, is_first, other),
                then,
                otherwise,
            },
        ] = &self.body[..]
        else {
            return None;
        };
        let Expression::Binary(BinaryOperator::Equal, iterator, first) = &**is_first else {
            return None;
        };
        let is_certain = **iterator == Expression::Variable(self.variable)
            && **first == self.first
            && **other == Expression::Data
            && otherwise.is_empty();
        is_certain.then_some(then)
    }
}

/// How a loop's iterator is compared with its bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `!=`; a step that jumps over the bound makes an endless loop.
    NotEqual,
}
