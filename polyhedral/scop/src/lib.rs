//! Loop nests as sets: iteration domains, order, and the lines that each access touches.
//!
//! A [`Scop`] keeps the loop tree instead of a global schedule space: execution order is the order
//! of children, and of iterations within a loop. Loops whose iterators decide the place in a line
//! are strip-mined, `v = 8·v1 + v2`, so that the line of an access is an affine function of the
//! iteration vector on each of a few domains, true row lengths included.
//!
//! [`lower`] makes one of a tree. Integers are taken not to overflow 64 bits.

mod apart;
mod build;
mod columns;
mod condition;
mod delinearise;
mod display;
mod elements;
mod evaluate;
mod execute;
mod iteration_range;
mod lines;
mod lower;
mod options;
mod polynomial;
mod reject;
mod scop;
mod spaces;
mod strides;
mod strip;
mod table;

pub use cranelift_entity::EntityRef;
pub use display::ScopNames;
pub use elements::lower_elements;
pub use lower::lower;
pub use options::{ArrayLayout, ScopOptions, Size};
pub use premiss_tree::{AccessKind, ArrayId, LoopId, ParameterId, ReferenceId};
pub use reject::{ExpressionSite, Obstacle, Reject};
pub use scop::{
    Access, Direction, LineCoordinate, LineSpace, LineSpaceId, Node, NodeId, NodeKind, Piece, Scop,
    SymbolicParameter,
};
pub use strides::{Formula, SizePolynomial, Stride, formulae, similar, value_of};
