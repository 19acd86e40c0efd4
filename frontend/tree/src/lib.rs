//! `NestTree`: a language-independent representation of the loop nests of one function.
//!
//! A front end lowers each function with a loop to one [`NestTree`]. It describes the function's array accesses and
//! the integers that determine which elements are accessed, and nothing else: floating-point values are dropped, calls
//! of known functions are inlined, and what could not be understood is a [`Node::Opaque`] with its [`Rejection`].
//!
//! ```text
//! for (i = 0; i < n; i++)          loop i = 0; i < n; i += 1
//!     if (x[i] > 0)                    access load x + 8*i
//!         s += y[i];                   branch data
//!                                          access load y + 8*i
//! ```
//!
//! The order of nodes is the order of execution, access by access (rule 2 of the access model). The tree can be
//! executed (`reuse/trace`) or lowered to polyhedra (`polyhedral/scop`); it keeps spans so that either can refer to
//! the source.

mod assumption;
mod averages;
mod bounding_ranges;
mod bounds;
mod display;
mod entities;
mod expression;
mod ids;
mod nest_tree;
mod node;
mod operations;
mod predicates;
mod rejection;

pub use assumption::{Assumption, AssumptionKind, assumption_texts};
pub use averages::{Average, Averages, ListId};
pub use bounding_ranges::BoundingRange;
pub use bounds::SizeBound;
pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
pub use entities::{
    AccessKind, Array, LoopHeader, Parameter, ParameterKind, Reference, Storage, Table, Variable,
};
pub use expression::{BinaryOperator, Expression, IntegerType, UnaryOperator};
pub use ids::{ArrayId, LoopId, ParameterId, ReferenceId, RejectionId, TableId, VariableId};
pub use nest_tree::NestTree;
pub use node::{Comparison, Loop, Node};
pub use operations::{
    Arithmetic, Combination, Operand, Operands, Operation, OperationKind, Operations, OperationsId,
    Role, Scalar, ScalarId, Work, Write,
};
pub use rejection::{RejectReason, Rejection};
