//! A tree with its tables: what one function does to arrays.

use crate::{
    Array, ArrayId, BoundingRange, Expression, LoopHeader, LoopId, Node, Parameter, ParameterId,
    Reference, ReferenceId, Rejection, RejectionId, SizeBound, Table, TableId, Variable,
    VariableId, Work,
};
use cranelift_entity::PrimaryMap;
use premiss_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What one function, with the calls that it makes, does to arrays.
#[derive(Clone, Debug)]
pub struct NestTree {
    /// The name of the function.
    pub function: String,
    /// Its name where it is defined.
    pub span: Span,
    /// Its sizes.
    pub parameters: PrimaryMap<ParameterId, Parameter>,
    /// Its integer variables. All are unknown until assigned.
    pub variables: PrimaryMap<VariableId, Variable>,
    /// Its arrays, in order of declaration within each kind of [`Storage`](crate::Storage).
    pub arrays: PrimaryMap<ArrayId, Array>,
    /// The constants that expressions look up, in the order in which they were met.
    pub tables: PrimaryMap<TableId, Table>,
    /// Its loops, in the order of their headers in the tree.
    pub loops: PrimaryMap<LoopId, LoopHeader>,
    /// Ranges that contain the iterations of loops with bounds that depend on data, where there are any.
    pub bounding_ranges: BTreeMap<LoopId, BoundingRange>,
    /// Its references, in the order of the tree.
    pub references: PrimaryMap<ReferenceId, Reference>,
    /// What was not understood.
    pub rejections: PrimaryMap<RejectionId, Rejection>,
    /// Whether some condition was answered by the user's word that numbers equal no constants and are numbers.
    pub is_dense: bool,
    /// What its author says of its sizes.
    pub bounds: Vec<SizeBound>,
    /// What it does, in order.
    pub body: Vec<Node>,
    /// The same with its arithmetic.
    pub work: Work,
}

impl NestTree {
    /// The name of a size, of those too that arithmetic alone depends on; empty for none of the tree.
    #[must_use]
    pub fn size_name(&self, id: ParameterId) -> &str {
        let own = self.parameters.get(id);
        let size = own.or_else(|| self.work.parameters.get(id));
        size.map_or("", |size| &size.name)
    }

    /// The parameters that some address, extent, bound, guard or value depends on: those without
    /// which nothing can be counted.
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
}
