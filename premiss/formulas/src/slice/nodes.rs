//! The nodes of slices.

use premiss_operations::{PboundPart, PboundRow};
use premiss_presburger::System;
use premiss_source::Span;
use premiss_tree::{
    Comparison, Expression, LoopId, NestTree, ParameterId, PrimaryMap, Variable, VariableId,
};
use std::collections::BTreeSet;

/// The slice of a function.
#[derive(Debug)]
pub struct Slice {
    /// The sizes that are its arguments; their values must not be negative.
    pub sizes: Vec<ParameterId>,
    /// The number of integer and of real scalars, each loaded once.
    pub scalars: [u64; 2],
    /// Its variables: those of the function, then those that the slice adds.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// Its nodes, in order of execution.
    pub nodes: Vec<SliceNode>,
}

/// A node of a slice.
#[derive(Debug)]
pub enum SliceNode {
    /// Adds the counts of one execution of what one loop does itself.
    Row {
        /// The loop; `None` for code outside of all loops.
        inside: Option<LoopId>,
        /// The counts of what certainly runs.
        certain: PboundRow,
        /// The counts of what data decide to run or not.
        possible: PboundRow,
    },
    /// Adds the counts of some nodes by closed forms.
    Closed(ClosedNest),
    /// Assigns a value to a variable.
    Assign(VariableId, Expression),
    /// Assigns the trip count of a loop to a variable.
    Trips(VariableId, LoopControl),
    /// A loop that stays.
    Loop {
        /// The loop in the original function.
        id: LoopId,
        /// Its iterator.
        variable: VariableId,
        /// Its header.
        header: LoopControl,
        /// Why it has no closed form.
        reason: String,
        /// The nodes of its body.
        body: Vec<Self>,
    },
    /// A branch that stays.
    Branch {
        /// The condition.
        condition: Expression,
        /// Executed where the condition is not zero.
        then_nodes: Vec<Self>,
        /// Executed where the condition is zero.
        else_nodes: Vec<Self>,
    },
    /// Marks a place whose counts are unknown.
    LeftOut {
        /// The loop without a known trip count, or the loop around the place.
        inside: Option<LoopId>,
        /// The place.
        span: Span,
        /// The reason.
        reason: String,
    },
}

/// The header of a loop: `first; variable comparison bound; variable += step`.
#[derive(Clone, Debug)]
pub struct LoopControl {
    /// The first value.
    pub first: Expression,
    /// How the iterator is compared with the bound.
    pub comparison: Comparison,
    /// The bound.
    pub bound: Expression,
    /// What each iteration adds to the iterator.
    pub step: Expression,
}

/// The counts of some nodes in closed form.
#[derive(Debug)]
pub struct ClosedNest {
    /// The meaning of the columns of its forms.
    pub inputs: Vec<NestInput>,
    /// The values of the columns for which the forms hold.
    pub context: System,
    /// The counts of what each loop does itself.
    pub parts: Vec<PboundPart>,
}

/// The meaning of a column of closed forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NestInput {
    /// A size.
    Size(ParameterId),
    /// The value of a variable, or 0 if it is negative.
    Variable(VariableId),
    /// The value of a variable times −1, or 0 if the variable is positive.
    Negated(VariableId),
}

impl SliceNode {
    /// Adds the sizes without a value that the node depends on.
    pub(super) fn sizes(&self, tree: &NestTree, sizes: &mut BTreeSet<ParameterId>) {
        for expression in self.expressions() {
            expression.walk(&mut |part| match part {
                Expression::Parameter(id) if tree.work.parameters[*id].value.is_none() => {
                    sizes.insert(*id);
                }
                _ => {}
            });
        }
        if let Self::Closed(nest) = self {
            sizes.extend(nest.inputs.iter().filter_map(|input| match input {
                NestInput::Size(id) => Some(*id),
                NestInput::Variable(_) | NestInput::Negated(_) => None,
            }));
        }
        self.inner().for_each(|node| node.sizes(tree, sizes));
    }

    /// The expressions of this node, without those of nested nodes.
    #[must_use]
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Self::Assign(_, value) => vec![value],
            Self::Trips(_, header) | Self::Loop { header, .. } => {
                vec![&header.first, &header.bound, &header.step]
            }
            Self::Branch { condition, .. } => vec![condition],
            Self::Row { .. } | Self::Closed(_) | Self::LeftOut { .. } => Vec::new(),
        }
    }

    /// The nodes nested directly in this one.
    pub fn inner(&self) -> impl Iterator<Item = &Self> {
        let [first, second]: [&[Self]; 2] = match self {
            Self::Loop { body, .. } => [body, &[]],
            Self::Branch {
                then_nodes,
                else_nodes,
                ..
            } => [then_nodes, else_nodes],
            _ => [&[], &[]],
        };
        first.iter().chain(second)
    }
}
