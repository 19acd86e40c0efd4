//! What a function does, in order.

use crate::{Expression, LoopId, OperationsId, ReferenceId, RejectionId, VariableId};
use std::collections::BTreeSet;

/// One step of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// Repeats its body.
    Loop(Loop),
    /// Touches one array element.
    Access(ReferenceId),
    /// Executes one arm. The condition is a truth value (zero is false) in three-valued logic: where
    /// it is [`Expression::Data`], every access in either arm is *possible*, and a variable that the
    /// arms leave with different values is unknown afterwards (rule 3 of the access model).
    Branch {
        /// What decides.
        condition: Expression,
        /// Executed where it is not zero.
        then: Vec<Node>,
        /// Executed where it is zero.
        otherwise: Vec<Node>,
    },
    /// Gives a variable a new value.
    Assign {
        /// The variable.
        variable: VariableId,
        /// Its new value, from the values before.
        value: Expression,
    },
    /// Something that was not understood: it may touch any array any number of times. Variables that
    /// it may change are assigned [`Expression::Data`] after it.
    Opaque(RejectionId),
    /// Computes. Only the body of a [`Work`](crate::Work) has these.
    Operations(OperationsId),
}

impl Node {
    /// Calls `visit` with this node and every one inside it, in the order of the tree.
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

    /// Adds the variables that nodes assign, iterators included.
    pub fn assigned(nodes: &[Self], variables: &mut BTreeSet<VariableId>) {
        Self::each_assigned(nodes, &mut |id| {
            variables.insert(id);
        });
    }

    /// Calls `visit` with each variable that nodes assign, iterators included, as often as they do.
    pub fn each_assigned(nodes: &[Self], visit: &mut impl FnMut(VariableId)) {
        let mut note = |node: &Self| match node {
            Self::Assign { variable, .. } => visit(*variable),
            Self::Loop(inner) => visit(inner.variable),
            Self::Branch { .. } | Self::Access(_) | Self::Opaque(_) | Self::Operations(_) => {}
        };
        nodes.iter().for_each(|node| node.walk(&mut note));
    }

    /// Whether nodes access an array, or may.
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

    /// The expressions of this node itself: a loop's header, a condition, an assigned value.
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
/// Neither the body nor anything in it assigns `variable` or a variable of `bound` or `step`, so
/// the number of iterations is known on entry: both are evaluated once. After the loop, `variable`
/// holds the first value that failed the comparison (`first` where there was no iteration).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Its row in the tree's table.
    pub id: LoopId,
    /// The iterator.
    pub variable: VariableId,
    /// Its first value.
    pub first: Expression,
    /// The loop goes on while `variable comparison bound`.
    pub comparison: Comparison,
    /// What the iterator is compared with.
    pub bound: Expression,
    /// What is added to the iterator after each iteration; may be negative, never zero. A step that
    /// leads away from the bound makes a loop that never ends.
    pub step: Expression,
    /// What is repeated.
    pub body: Vec<Node>,
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
    /// `!=`; a step that jumps over the bound makes a loop that never ends.
    NotEqual,
}
