//! What slices consist of.

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
    /// The sizes that it is called with, none of them negative.
    pub sizes: Vec<ParameterId>,
    /// How many integers and how many real numbers are scalars, each loaded once.
    pub scalars: [u64; 2],
    /// Its variables: those of the function, then others.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// What it does, in order.
    pub nodes: Vec<SliceNode>,
}

/// A step of a slice.
#[derive(Debug)]
pub enum SliceNode {
    /// Notes what one loop does itself, once.
    Row {
        /// The loop; none for what stands outside of all.
        inside: Option<LoopId>,
        /// What certainly runs.
        certain: PboundRow,
        /// What runs or does not, as data decide.
        possible: PboundRow,
    },
    /// Notes what loops do themselves, by closed forms.
    Closed(ClosedNest),
    /// Gives a variable a value.
    Assign(VariableId, Expression),
    /// Gives a variable the number of iterations of a loop.
    Trips(VariableId, LoopControl),
    /// Repeats.
    Loop {
        /// The loop.
        id: LoopId,
        /// Its iterator.
        variable: VariableId,
        /// Its header.
        header: LoopControl,
        /// Why it has no closed form.
        reason: String,
        /// What is repeated.
        body: Vec<Self>,
    },
    /// Executes one arm.
    Branch {
        /// What decides.
        condition: Expression,
        /// Executed where it is not zero.
        then_nodes: Vec<Self>,
        /// Executed where it is zero.
        else_nodes: Vec<Self>,
    },
    /// Notes that nobody knows what is done at a place.
    LeftOut {
        /// The loop that nobody knows of, or the one around the place.
        inside: Option<LoopId>,
        /// The place.
        span: Span,
        /// Why.
        reason: String,
    },
}

/// `first; variable comparison bound; variable += step`
#[derive(Clone, Debug)]
pub struct LoopControl {
    /// The first value.
    pub first: Expression,
    /// How the iterator is compared.
    pub comparison: Comparison,
    /// With what.
    pub bound: Expression,
    /// What is added to it.
    pub step: Expression,
}

/// Some nodes in closed form.
#[derive(Debug)]
pub struct ClosedNest {
    /// What the columns of its forms are.
    pub inputs: Vec<NestInput>,
    /// For which of their values the forms hold.
    pub context: System,
    /// What each loop does itself.
    pub parts: Vec<PboundPart>,
}

/// A number that closed forms depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NestInput {
    /// A size.
    Size(ParameterId),
    /// The value of a variable; 0 where it is negative.
    Variable(VariableId),
    /// The value of a variable times −1; 0 where it is positive.
    Negated(VariableId),
}

impl SliceNode {
    /// Adds the sizes without a value that it depends on.
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

    /// The expressions of this node itself.
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

    /// The nodes in this one.
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
