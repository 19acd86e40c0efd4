//! A tree with its tables.

use crate::{
    Array, ArrayId, Assumption, BoundingRange, Expression, LoopHeader, LoopId, Node, Parameter,
    ParameterId, Reference, ReferenceId, Rejection, RejectionId, SizeBound, Table, TableId,
    Variable, VariableId, Work,
};
use cranelift_entity::PrimaryMap;
use premiss_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The array accesses of one function and of the calls that it makes.
#[derive(Clone, Debug)]
pub struct NestTree {
    /// The name of the function.
    pub function: String,
    /// Where its name is, in its definition.
    pub span: Span,
    /// Its sizes.
    pub parameters: PrimaryMap<ParameterId, Parameter>,
    /// Its integer variables; all are unknown until assigned.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// Its arrays, in order of declaration within each kind of [`Storage`](crate::Storage).
    pub arrays: PrimaryMap<ArrayId, Array>,
    /// The tables of constants that expressions look up, in order of first use.
    pub tables: PrimaryMap<TableId, Table>,
    /// Its loops, in the order of their headers in the tree.
    pub loops: PrimaryMap<LoopId, LoopHeader>,
    /// Supersets of the iterations of loops with data-dependent bounds, for the loops that have one.
    pub bounding_ranges: BTreeMap<LoopId, BoundingRange>,
    /// Its references, in the order of the tree.
    pub references: PrimaryMap<ReferenceId, Reference>,
    /// What could not be understood, with the reasons.
    pub rejections: PrimaryMap<RejectionId, Rejection>,
    /// What its numbers rest on beyond the text.
    pub assumptions: BTreeSet<Assumption>,
    /// The bounds that its author states for its sizes.
    pub bounds: Vec<SizeBound>,
    /// Its accesses and control flow, in order of execution.
    pub body: Vec<Node>,
    /// The same function with its arithmetic.
    pub work: Work,
}

impl NestTree {
    /// The name of a size of the tree or of its [`Work`]; empty for an id of neither.
    #[must_use]
    pub fn size_name(&self, id: ParameterId) -> &str {
        let own = self.parameters.get(id);
        let size = own.or_else(|| self.work.parameters.get(id));
        size.map_or("", |size| &size.name)
    }

    /// The parameters that some address, extent, bound, guard or assigned value depends on: without their values
    /// nothing can be counted.
    #[must_use]
    pub fn used_parameters(&self) -> BTreeSet<ParameterId> {
        let mut used = BTreeSet::new();
        let mut note = |expression: &Expression| {
            expression.walk(&mut |part| {
                if let Expression::Parameter(id) = part {
                    used.insert(*id);
                }
            });
        };
        self.references
            .values()
            .for_each(|reference| note(&reference.offset));
        self.arrays
            .values()
            .filter_map(|array| array.extent.as_ref())
            .for_each(&mut note);
        for node in &self.body {
            node.walk(&mut |node| node.expressions().into_iter().for_each(&mut note));
        }
        used
    }

    /// The references that the tree may execute.
    #[must_use]
    pub fn used_references(&self) -> BTreeSet<ReferenceId> {
        let mut used = BTreeSet::new();
        for node in &self.body {
            node.walk(&mut |node| {
                if let Node::Access(id) = node {
                    used.insert(*id);
                }
            });
        }
        used
    }

    /// The same execution, in which only some references are accesses. Its tables, arithmetic included, are the same.
    #[must_use]
    pub fn with_references(&self, is_kept: &impl Fn(ReferenceId) -> bool) -> Self {
        Self {
            body: Node::with_references(&self.body, is_kept),
            ..self.clone()
        }
    }
}
